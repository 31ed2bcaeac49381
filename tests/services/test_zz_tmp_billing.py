from services.billing import service
import collections
def test_x(play):
    p = play("billing")
    print({e.__name__: len(p.rows(e)) for e in service.entities}, sum(len(p.rows(e)) for e in service.entities))
    for i in p.ok("billing","list_invoices",limit=100)["items"]:
        print(i["number"],i["status"],i["customer_name"][:12],i["issue_date"],i["due_date"],i["overdue_days"],i["currency"],i["total"],i["amount_due"],i["disputed"])
    for a in p.ok("billing","list_approvals")["items"]: print(a["id"],a["status"],a["base_amount"],a["customer_name"])
    for q in p.ok("billing","list_quotes")["items"]: print(q["number"],q["status"],q["expired"],q["total"],q["customer_name"])
    print(p.ok("billing","get_aging_report"))
    for c in p.ok("billing","list_customers")["items"]:
        g=p.ok("billing","get_customer",customer_id=c["id"]); print(g["name"],g["currency"],g["balance"],g["credit_limit"],g["open_invoices"],g["overdue_invoices"])
