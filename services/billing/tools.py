"""The tools of the billing service."""

from services.billing.collection import (
    list_disputes,
    open_dispute,
    resolve_dispute,
    send_reminder,
)
from services.billing.customers import (
    convert_amount,
    create_customer,
    get_customer,
    list_customers,
    list_products,
    list_tax_rates,
    update_customer,
)
from services.billing.invoices import (
    add_invoice_line,
    create_invoice,
    delete_draft_invoice,
    get_invoice,
    list_invoices,
    remove_invoice_line,
    update_invoice,
)
from services.billing.issuing import (
    decide_approval,
    finalize_invoice,
    list_approvals,
    mark_uncollectible,
    request_approval,
    void_invoice,
)
from services.billing.payments import (
    create_credit_note,
    list_payments,
    record_payment,
    refund_payment,
)
from services.billing.quotes import (
    convert_quote,
    create_quote,
    decide_quote,
    get_quote,
    list_quotes,
    send_quote,
    update_quote,
)
from services.billing.reports import (
    get_aging_report,
    get_statement,
)

__all__ = [
    "add_invoice_line",
    "convert_amount",
    "convert_quote",
    "create_credit_note",
    "create_customer",
    "create_invoice",
    "create_quote",
    "decide_approval",
    "decide_quote",
    "delete_draft_invoice",
    "finalize_invoice",
    "get_aging_report",
    "get_customer",
    "get_invoice",
    "get_quote",
    "get_statement",
    "list_approvals",
    "list_customers",
    "list_disputes",
    "list_invoices",
    "list_payments",
    "list_products",
    "list_quotes",
    "list_tax_rates",
    "mark_uncollectible",
    "open_dispute",
    "record_payment",
    "refund_payment",
    "remove_invoice_line",
    "request_approval",
    "resolve_dispute",
    "send_quote",
    "send_reminder",
    "update_customer",
    "update_invoice",
    "update_quote",
    "void_invoice",
]
