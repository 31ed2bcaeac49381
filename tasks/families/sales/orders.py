"""Accepted quotes: an invoice by the terms of the framework agreement, and the deal is won."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import billing, contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, PRIYA, JONAH, ELENA = COLLEAGUES[1], COLLEAGUES[2], COLLEAGUES[3], COLLEAGUES[4]
ACCEPTED = "The quote is accepted and made into an invoice with the customer's order number."
ISSUED = "The invoice is issued with the days that the framework agreement gives."


@family(
    "order-from-accepted-quote",
    area="sales",
    roles={
        "order": OFFICE_NOTES,
        "books": ("billing",),
        "terms": OFFICE_NOTES,
        "deal": ("contacts",),
        "handover": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "order books terms books deal log report",
        "order books terms books deal handover log deal report",
    ),
    filed="log",
)
def order_from_accepted_quote(d: Draft) -> None:
    """A customer says yes to one of several quotes and sends an order number. The quote becomes an invoice, which gets
    its days from the framework agreement that the quote mentions, and is issued; the deal is won, and whoever is on it
    is asked for a delivery date. Hard: several sent quotes of one customer, agreements with older editions, an order
    number in a text, a won deal that cannot be changed any more, a balance that the invoice makes stale.
    """
    seller, size = d.rng.choice((PRIYA, JONAH)), 1 + d.dials.alike
    company = d.draw.company()
    goods, numbers = [d.draw.product() for _ in range(size)], billing.quote_numbers(d, size)
    frames, sheets = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("FA", "HO"))
    contacts_ = [d.draw.person(company) for _ in range(size)]
    number, frame = d.fact("quote", numbers[0], numbers[1]), d.fact("agreement", frames[0], frames[1])
    order_number = d.fact("order-number", d.draw.code("PO"), d.draw.code("PO"))
    days = d.rng.sample((7, 14, 45, 60), 3)
    term = d.fact("days", days[0], days[1])
    who = d.fact("contact", 0, 1)
    lead = d.fact("lead-days", d.rng.randint(6, 9), 12) if d.pattern else 0
    sheet = d.fact("handover", sheets[0], sheets[1]) if d.pattern else sheets[0]

    customer = billing.customer(d, company, contacts_[0])
    billing.invoice(d, billing.invoice_numbers(d, 1)[0], customer, [("POL-STD", d.rng.randint(15, 40))], days_ago=9)
    record = contacts.company(d, company, owner=seller.handle.split(".")[0], lifecycle="prospect")
    people = [contacts.person(d, one, record, title="Wardrobe") for one in contacts_]
    sku = d.rng.choice(("SMK-STU", "TUN-HK", "POL-STD"))
    for place, name in enumerate(goods):
        memo = f"{name.capitalize()}s, by agreement {frame if place == 0 else frames[place]}."
        pieces = d.rng.randint(25, 70)
        _, total = billing.quote(
            d, numbers[place], customer, [(sku, pieces)], memo=memo, status="sent", days_ago=5 + d.turn(place)
        )
        step = f"Hand over by sheet {sheet if place == 0 else sheets[place]} once it is won."
        contacts.deal(
            d,
            f"{name.capitalize()}s for {company}",
            record,
            total,
            close=d.draw.day(10, 50),
            person_id=people[who if place == 0 else place],
            stage="negotiation",
            next_step=step if d.pattern else "Wait for their word.",
        )
    d.note("order").leave(
        d,
        title=f"{company} say yes",
        text=d.rng.choice(
            (
                f"{company} have decided: it is {number}, as it stands, and their order number is {order_number}. The "
                "other quotes stay open for now, they may come back to them in summer.",
                f"Good news from {company}. They take {number} and order it as {order_number}. Nothing about the rest.",
                f"Signed copy of {number} is here from {company}, with order number {order_number} written across it.",
            )
        ),
        by=seller,
        days_ago=1,
    )
    leave_rules(
        d,
        d.note("terms"),
        title="Agreement {word}",
        by=ELENA,
        wordings=(
            "Agreement {word}: invoices are due after {days} days, counted from the day they are issued, whatever the "
            "customer's record says.",
            "{word}, signed by both sides. Payable within {days} days of the invoice. This goes before our usual "
            "terms.",
            "What we agreed under {word}: {days} days to pay each invoice, no discount for paying sooner.",
        ),
        rules={code: {"days": term if place == 0 else days[place % 3]} for place, code in enumerate(frames)},
        older={"days": 30},
        of=frames[0],
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("handover"),
            title="Handover sheet {word}",
            by=TOBIAS,
            wordings=("Sheet {word}: production gets the order {lead} working days after the invoice's date.",),
            rules={
                code: {"lead": lead if place == 0 else d.beside.randint(5, 12)} for place, code in enumerate(sheets)
            },
            older={"lead": 3},
            of=sheets[0],
        )
    leave_noise(d, d.note("terms"), ELENA)

    seen = d.note("order").find(d, company)
    quote = d.call("billing", "get_quote", quote_id=seen.part(r"(Q-\d+)"))
    owed = d.call("billing", "get_customer", customer_id=quote.at("data.customer_id"))
    d.act(ACCEPTED, "billing", "decide_quote", quote_id=quote.at("data.id"), decision="accepted")
    made = d.act(ACCEPTED, "billing", "convert_quote", quote_id=quote.at("data.id"), po_number=seen.part(r"(PO-\d+)"))
    given = d.note("terms").find(d, quote.part("data.memo", r"(FA-\d+)")).part(r"(\d+) days", number=True)
    d.act(ISSUED, "billing", "update_invoice", invoice_id=made.at("data.invoice_id"), terms_days=given)
    issued = d.act(ISSUED, "billing", "finalize_invoice", invoice_id=made.at("data.invoice_id"))
    owes = d.call("billing", "get_customer", customer_id=owed.at("data.id"))
    found = d.call("contacts", "list_deals", query=quote.part("data.memo", r"^(.+?), by"), state="open")
    deal = d.call("contacts", "get_deal", deal_id=found.at("data.items.0.id"))
    d.act(
        "The deal is won, with the invoice's number as a comment.",
        "contacts",
        "move_deal",
        deal_id=deal.at("data.id"),
        stage_id="won",
        comment=text("Invoice {number}", number=issued.at("data.number")),
    )
    due = None
    if d.pattern:
        rule = d.note("handover").find(d, deal.part("data.next_step", r"(HO-\d+)"))
        due = calc(
            "business_days(day, n)",
            day=issued.at("data.issue_date"),
            n=rule.part(r"(\d+) working days", number=True),
        )
    task = d.entry("log").add(
        d,
        "It is entered that the deal's contact is asked for a delivery date.",
        title=text("Agree on a delivery date"),
        words=text("Ask {who} when {order} may come.", who=deal.at("data.contact.name"), order=seen.part(r"(PO-\d+)")),
        day=due,
    )
    asked = task
    if d.pattern:
        follow_up = d.act(
            "A follow-up on the won deal, for the day the invoice is due, refers to what was entered.",
            "contacts",
            "create_task",
            deal_id=deal.at("data.id"),
            subject=text("Paid and delivered? See {task}", task=task),
            due_at=calc("utc(local, 'UTC')", local=text("{day}T09:00", day=issued.at("data.due_date"))),
        )
        asked = follow_up.at("data.id")
    d.message("report").send(
        d,
        "Tobias knows invoice, due date, what the customer owes now, and what comes next.",
        TOBIAS,
        text(
            "{invoice}, due {due}; they owe {balance} now. The next thing is {task}.",
            invoice=issued.at("data.number"),
            due=issued.at("data.due_date"),
            balance=owes.at("data.balance"),
            task=asked,
        ),
        about=f"{company} ordered",
    )
    d.answer("{invoice}, due on {due}.", invoice=issued.at("data.number"), due=issued.at("data.due_date"))
    _instruct(d, company, seller.name.split()[0])


def _instruct(d: Draft, company: str, seller: str) -> None:
    d.title(f"Turn the quote that {company} accepted into an invoice")
    d.say(
        f"We have an order! {company} accepted one of their quotes; {seller} noted the details "
        f"{d.note('order').where(d)}.",
        f"{company} said yes to a quote. Which one, and under which order number, {seller} wrote down "
        f"{d.note('order').where(d)}.",
        f"Could you book the order from {company}? {seller}'s note about it is {d.note('order').where(d)}.",
    )
    d.say(
        "Record in Billing that they accepted it, make the invoice of it with their order number, and issue it today.",
        "In Billing, accept the quote, turn it into an invoice that carries their order number, and send that out "
        "today.",
    )
    d.say(
        "Mind how many days they have to pay: it is what the framework agreement on the quote says, not the "
        "customer's usual terms. The agreements are "
        f"{d.note('terms').where(d)}{d.stale(', old editions among them')}.",
        f"How long they may take to pay is in the agreement that the quote goes by ({d.note('terms').where(d)}; take "
        "the latest text).",
    )
    d.paragraph()
    d.say(
        "That also wins the deal for it in Contacts. Give the invoice's number as the comment.",
        "Move the deal for these goods to won, with the number of the invoice in the comment.",
    )
    d.say(
        f"Make {d.entry('log').what(d)}: ask the contact on the deal, by name, when the order may come, and give "
        f"their order number.",
        f"I also need {d.entry('log').what(d)} to agree on a delivery date with the deal's contact; it should name "
        f"the person and their order number.",
    )
    if d.pattern:
        d.say(
            f"It is due on the day on which production gets the order. The deal says by which sheet; the sheets are "
            f"{d.note('handover').where(d)}.",
            f"Date it by the handover sheet that the deal mentions ({d.note('handover').where(d)}).",
        )
        d.say(
            "Then plan a task of ours on the deal for the morning the invoice falls due (nine o'clock UTC), to see "
            f"whether it was paid and delivered; {d.entry('log').reference(d)} belongs in its subject.",
            f"On the deal I want a follow-up task, with {d.entry('log').reference(d)} in its subject, at nine UTC on "
            f"the day on which the invoice is due.",
        )
    last = "the id of the follow-up task" if d.pattern else d.entry("log").reference(d)
    d.say(
        f"Finally {d.message('report').how(d, 'Tobias')}: the invoice's number and due date, what {company} owe us in "
        f"all after this, and {last}.",
    )
    d.say("I only need the invoice's number and its due date.", "Tell me the number of the invoice and when it is due.")
