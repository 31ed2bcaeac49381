"""Money that came in twice goes back."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import banking, billing
from tasks.places.rules import leave_noise, leave_rules

DARIO, ELENA, PRIYA = COLLEAGUES[5], COLLEAGUES[4], COLLEAGUES[2]
_REVISED = (
    "What was agreed has been revised for some; the newest note holds.",
    "If you find two agreements about the same, the later one holds.",
    "Go by the latest that was noted, since some of it has changed.",
)


@family(
    "paid-twice",
    area="finance",
    roles={
        "request": OFFICE_NOTES,
        "bank": ("banking",),
        "billing": ("billing",),
        "rule": OFFICE_NOTES,
        "consent": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request bank billing rule bank log report",
        "request bank billing rule consent log bank register report",
    ),
    filed="log",
)
def paid_twice(d: Draft) -> None:
    """A customer paid an invoice twice. The bank shows both, the invoice the order, and what was agreed for the order
    says where money goes back to and what is kept. Hard: payments of namesakes with like references, an agreement
    that replaced another, a fee to take off, four payees of nearly one name; the account has less afterwards.
    """
    size = max(3, d.dials.alike) + 1
    currency = d.rng.choice(["EUR", "GBP", "USD"])
    name = d.draw.company()
    names = [name, *(f"{name} {part}" for part in d.rng.sample(banking.BRANCHES, size - 1))]
    references, orders, consents = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("RF", "PO", "AG"))
    invoices = billing.invoice_numbers(d, size)
    accounts = [banking.account_number(d, banking.COUNTRIES[currency]) for _ in range(size)]
    fees = [d.draw.amount(8, 40) for _ in range(size)]
    reference = d.fact("payment-reference", references[0], references[1])
    invoice = d.fact("invoice", invoices[0], invoices[1])
    order = d.fact("order", orders[0], orders[1])
    account = d.fact("account", accounts[0], accounts[1])
    fee = d.fact("fee", fees[0], fees[0] + 4)
    consent = d.fact("agreement", consents[0], consents[1]) if d.pattern else consents[0]
    people = [d.draw.person(customer) for customer in names]
    asking = people[0].name

    d.note("request").leave(
        d,
        title=f"{name}: money twice?",
        text=d.rng.choice(
            (
                f"{name} rang. {asking} there believes that one of our invoices was paid two times, both with the "
                f"reference {reference}. If that is right they want the second payment back.",
                f"{asking} of {name} asks for money back: the payment {reference} left their bank twice by accident. I "
                "promised that we look into it.",
                f"From {name}: the reference {reference} should show up twice on our side, and it was meant once. "
                "Can somebody check and return it?",
            )
        ),
        by=d.rng.choice([DARIO, PRIYA]),
        days_ago=1,
    )
    totals = []
    for place, customer in enumerate(names):
        contact = people[place]
        owner = billing.customer(d, customer, contact, currency=currency)
        lines = [(d.rng.choice(billing.SKUS), d.rng.randint(8, 24))]
        po = order if place == 0 else orders[place]
        _, total = billing.invoice(
            d,
            invoices[place],
            owner,
            lines,
            currency=currency,
            days_ago=30 + d.turn(place),
            po_number=po,
            paid_days_ago=6,
        )
        totals.append(total)
        meant = invoice if place == 0 else invoices[place]
        for twice in range(2 if place < 2 else 1):
            days, words = 6 - (3 + place) * twice, ("Bank transfer, {}", "Second transfer, {}")[twice]
            banking.receipt(d, currency, total, customer, references[place], days_ago=days, note=words.format(meant))
        banking.payee(d, customer, accounts[place], currency, email=contact.email)
    kept = {
        order: {"fee": f"{currency} {fees[place]:.2f}", "account": f"account {accounts[place]}"}
        for place, order in enumerate(orders)
    }
    kept[orders[0]] = {"fee": f"{currency} {fee:.2f}", "account": f"account {account}"}
    if d.pattern:
        # The account stands in the agreement that the page about the order names.
        for place, po in enumerate(orders):
            kept[po]["account"] = f"the account in agreement {consent if place == 0 else consents[place]}"
    leave_rules(
        d,
        d.note("rule"),
        title="Money back on {word}",
        by=ELENA,
        wordings=(
            "What is paid too much on {word} goes back to {account}. We keep {fee} for the work.",
            "Agreed for {word}: of anything paid in error we keep {fee}, and the rest returns to {account}.",
        ),
        rules=kept,
        older={"fee": f"{currency} {fees[0] + 12:.2f}", "account": f"account {accounts[2]}"},
        of=orders[0],
    )
    leave_noise(d, d.note("request"), DARIO)

    seen = d.note("request").find(d, name)
    paid = d.call("banking", "list_transactions", reference=seen.part(r"(RF-\d+)"), direction="in")
    before = banking.balance(d, paid.at("data.items.0.currency"))
    document = d.call("billing", "get_invoice", invoice_id=paid.part("data.items.0.description", r"(INV-\d+)"))
    rule = d.note("rule").find(d, document.at("data.po_number"))
    goal = rule.part(r"account ([A-Z]{2}\d\d\w+)")
    if d.pattern:
        leave_rules(
            d,
            d.note("consent"),
            title="Agreement {word}",
            by=DARIO,
            wordings=(
                "{word}: refunds are paid to account {account} only.",
                "Under {word} refunds go to account {account}.",
            ),
            rules={
                code: {"account": account if place == 0 else accounts[place]} for place, code in enumerate(consents)
            },
            older={"account": accounts[3]},
            of=consents[0],
        )
        goal = d.note("consent").find(d, rule.part(r"(AG-\d+)")).part(r"account ([A-Z]{2}\d\d\w+)")
    amount = calc(
        "amount - fee", amount=paid.at("data.items.0.amount"), fee=rule.part(r"[A-Z]{3} ([0-9.]+[0-9])", number=True)
    )
    number = document.at("data.number")
    reference = number
    if d.pattern:
        reference = d.entry("log").add(
            d,
            "The case is entered with the invoice, the amount that goes back and the account it goes "
            "to, before anything is "
            "paid.",
            title=text(f"{name}: return a payment"),
            words=text("{invoice}, {amount} to {account}.", invoice=number, amount=amount, account=goal),
        )
    payees = banking.find_payee(d, goal)
    sent = d.act(
        "The second payment is returned to the agreed account, less what we keep.",
        "banking",
        "create_transfer",
        from_account_id=before.at("data.items.0.id"),
        payee_id=payees.at("data.items.0.id"),
        amount=amount,
        reference=reference,
    )
    left = banking.balance(d, sent.at("data.currency")).at("data.items.0.available")
    transfer = sent.at("data.number")
    record = d.entry("register" if d.pattern else "log").add(
        d,
        "The refund is entered with transfer and invoice.",
        title=text(f"{name}: second payment returned"),
        words=text("{number} for {invoice}.", number=transfer, invoice=number),
    )
    d.message("report").send(
        d,
        "Dario knows the entry and what the account has left.",
        DARIO,
        text("They have their money back, see {entry}. Available: {left}.", entry=record, left=left),
        about=f"{name} paid twice",
    )
    d.answer(
        "{amount} went back with {transfer}; {left} are available on the account.",
        amount=amount,
        transfer=transfer,
        left=left,
    )
    _instruct(d, name)


def _instruct(d: Draft, name: str) -> None:
    rule, how = d.note("rule").where(d), d.message("report").how(d, "Dario")
    d.title(f"Return what {name} paid twice")
    d.say(
        f"{name} say that they paid us twice. Somebody took it down {d.note('request').where(d)}.",
        f"It looks as if {name} sent us the same money twice; the note about it is {d.note('request').where(d)}.",
        f"{name} want a payment back; look at what was left about it {d.note('request').where(d)}.",
    )
    d.say(
        "If the bank shows the payment twice, return one of the two today from the account on which it arrived, "
        "less the fee that we agreed on for that order.",
        "If that is true, one of the two payments goes back today, from the account it came in on and minus the "
        "fee that holds for the order behind the invoice.",
        "If the bank shows it twice, send one of the payments back today from that same account; we keep the fee "
        "agreed for the order of that invoice.",
    )
    if d.pattern:
        d.say(
            f"What we keep, and under which agreement, is {rule}; the agreements are {d.note('consent').where(d)}, "
            "and they say which account may get money.",
            f"You will find the rule for each order {rule}, and the account in the agreement it names, "
            f"{d.note('consent').where(d)}.",
            f"What holds for an order is {rule}. It points to an agreement ({d.note('consent').where(d)}), "
            "and only the account there is good.",
        )
        d.warn(*_REVISED)
        log, key = d.entry("log").what(d), d.entry("log").reference(d)
        d.say(
            f"Make {log} first, with the invoice, the amount that goes back and the account it goes "
            f"to, and use {key} "
            "as the reference of the payment.",
            f"Before paying, I want {log} with the invoice, the amount that we return and the account "
            "that gets it; the "
            f"reference to pay with is {key}.",
            f"First comes {log} that names the invoice, what goes back and to which account. Let the payment carry "
            f"{key} as its reference.",
        )
    else:
        d.say(
            f"Fee and account for each order are {rule}; let the reference be the invoice's number.",
            f"What we agreed, and the account it must go to, is {rule}. Reference: the number of the invoice.",
            f"Both the fee and the right account are {rule}. Please use the invoice number as the reference.",
        )
        d.warn(*_REVISED)
    last = d.entry("register" if d.pattern else "log")
    record, key = last.what(d), last.reference(d)
    d.paragraph()
    d.say(
        f"For the books, add {record} with the transfer's number and the invoice's in it. Then {how} with {key} and "
        "the sum that the account can still pay out.",
        f"Afterwards make {record} with the numbers of transfer and invoice, and {how} with {key} and what is "
        "available on the account now.",
        f"When the money is gone, leave {record} that gives the transfer's number and the invoice's, and {how}. He "
        f"wants {key} and how much is available after this.",
    )
    d.say(
        "Tell me what you sent, under which transfer number, and what is left.",
        "And I would like to hear the amount, the transfer's number and what remains available.",
        "I need the amount, the transfer number and what remains available.",
    )
