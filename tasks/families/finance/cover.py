"""Money is moved before payments fall due."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import banking
from tasks.places.rules import leave_noise, leave_rules

DARIO, ELENA = COLLEAGUES[5], COLLEAGUES[4]


@family(
    "cover-what-falls-due",
    area="finance",
    roles={
        "request": OFFICE_NOTES,
        "bank": ("banking",),
        "forecast": OFFICE_NOTES,
        "policy": OFFICE_NOTES,
        "minute": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request bank forecast policy bank log report",
        "request bank forecast policy minute log bank register report",
    ),
    filed="log",
)
def cover_what_falls_due(d: Draft) -> None:
    """The account cannot pay a supplier and keep its cushion. Every scheduled lot counts (cancelled and paid ones
    do not), what comes on top stands with the order, the cushion in a treasury rule; the missing sum is moved from the
    reserve at today's rate. Hard: suppliers of nearly one name, a sum over several payments, currency, an old cushion.
    """
    size = max(3, d.dials.alike) + 1
    currency, base = d.rng.choice((("EUR", 40), ("AUD", 25)))
    programme = d.draw.product()
    supplier = d.draw.company()
    suppliers = [supplier, *(d.draw.near(supplier) for _ in range(size - 1))]
    orders, treasury, minutes = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("PO", "TR", "MN"))
    marks = [d.draw.code("RS") for _ in range(size)]
    extras = [d.draw.amount(300, 900, "10") for _ in range(size)]
    cushions = [1000 * count for count in d.rng.sample(range(base, base + 24), size)]
    lots = 2 + d.rng.randrange(2)
    firm = d.fact("supplier", suppliers[0], suppliers[1])
    order = d.fact("order", orders[0], orders[1])
    extra = d.fact("extra", extras[0], extras[0] + 60)
    rule = d.fact("rule", treasury[0], treasury[1])
    cushion = d.fact("cushion", cushions[0], cushions[0] + 1500)
    minute = d.fact("minute", minutes[0], minutes[1]) if d.pattern else minutes[0]
    mark = d.fact("mark", marks[0], marks[1]) if d.pattern else marks[0]

    d.note("request").leave(
        d,
        title=f"The cloth of the {programme}",
        text=d.rng.choice(
            (
                f"The cloth for the {programme} comes from {firm}, in several lots. I am not sure that the account "
                "can pay all of them and keep what it should.",
                f"For the {programme} we buy from {firm}. Their lots are in the bank already, dated; please see to "
                "it that there is enough on the account.",
                f"{firm} deliver the cloth for the {programme}. Mind the payments that are planned for them, I "
                "fear the account runs low.",
            )
        ),
        by=DARIO,
        days_ago=1,
    )
    for place, name in enumerate(suppliers):
        payee = banking.payee(d, name, banking.account_number(d, banking.COUNTRIES[currency]), currency)
        number = 8861 + 5 * place
        for lot in range(lots + (2 if place == 0 else d.beside.randint(0, 2))):
            status = ("cancelled" if lot % 2 else "completed") if lot >= lots else "scheduled"
            banking.transfer(
                d,
                number + lot,
                payee,
                d.draw.amount(2100, 4300, "10"),
                currency,
                reference=d.draw.code("LOT"),
                day=d.draw.day(3, 25),
                status=status,
                note=f"One of the lots of {order if place == 0 else orders[place]}.",
            )
    leave_rules(
        d,
        d.note("forecast"),
        title="What {word} costs beside the lots",
        by=DARIO,
        wordings=(
            "{word}: customs and haulage come to {extra} on top of the lots. Treasury treats it under {rule}.",
            "On top of its lots {word} needs {extra} for haulage and customs. It falls under {rule}.",
        ),
        rules={
            name: {
                "extra": f"{currency} {extra if place == 0 else extras[place]:.2f}",
                "rule": rule if place == 0 else treasury[place],
            }
            for place, name in enumerate(orders)
        },
        older={"extra": f"{currency} {extras[0] + 210:.2f}", "rule": treasury[2]},
        of=orders[0],
    )
    known = [cushion, *cushions[1:]]
    ending = [f" Each move needs a minute: take {minute if n == 0 else code}." for n, code in enumerate(minutes)]
    leave_rules(
        d,
        d.note("policy"),
        title="Treasury rule {word}",
        by=ELENA,
        wordings=(
            "{word}: after everything that is planned has been paid, {cushion} must stay on the account.{ending}",
            "Under {word} the account keeps {cushion} once all that is planned is paid.{ending}",
        ),
        rules={
            name: {"cushion": f"{currency} {known[place]}.00", "ending": ending[place] if d.pattern else ""}
            for place, name in enumerate(treasury)
        },
        older={"cushion": f"{currency} {cushions[0] - 900}.00", "ending": ending[1] if d.pattern else ""},
        of=treasury[0],
    )
    leave_noise(d, d.note("forecast"), DARIO)

    seen = d.note("request").find(d, programme)
    payees = banking.find_payee(d, seen.part(rf"({supplier.split()[0]} [A-Z]\w+)"))
    due = d.call("banking", "list_transfers", payee_id=payees.at("data.items.0.id"), status="scheduled")
    before = banking.balance(d, payees.at("data.items.0.currency"))
    reserve = d.call("banking", "list_accounts", kind="savings", status="open")
    beside = d.note("forecast").find(d, due.part("data.items.0.note", r"(PO-\d+)"))
    kept = d.note("policy").find(d, beside.part(r"(TR-\d+)"))
    reference = due.part("data.items.0.note", r"(PO-\d+)")
    if d.pattern:
        leave_rules(
            d,
            d.note("minute"),
            title="Minute {word}",
            by=ELENA,
            wordings=(
                "{word}: agreed that money may be moved from the reserve. Mark whatever belongs to it with {mark}.",
                "Moves out of the reserve are agreed in {word}; the mark for them is {mark}.",
            ),
            rules={name: {"mark": mark if n == 0 else marks[n]} for n, name in enumerate(minutes)},
            older={"mark": marks[2]},
            of=minutes[0],
        )
        agreed = d.note("minute").find(d, kept.part(r"(MN-\d+)"))
        reference = d.entry("log").add(
            d,
            "The move is entered beforehand with the mark of the minute.",
            title=text("Out of the reserve"),
            words=text("Marked {mark}.", mark=agreed.part(r"(RS-\d+)")),
        )
    rate = d.call("banking", "get_exchange_rate", currency=payees.at("data.items.0.currency"))
    missing = calc(
        "round((sum(lots) + extra + cushion - available) * rate, 2)".replace(
            "lots", ", ".join(f"lot{number}" for number in range(lots))
        ),
        extra=beside.part(r"[A-Z]{3} ([0-9.]+[0-9])", number=True),
        cushion=kept.part(r"[A-Z]{3} ([0-9.]+[0-9])", number=True),
        available=before.at("data.items.0.available"),
        rate=rate.at("data.rate"),
        **{f"lot{number}": due.at(f"data.items.{number}.amount") for number in range(lots)},
    )
    moved = d.act(
        "What is missing is moved from the reserve to the account that pays.",
        "banking",
        "create_transfer",
        from_account_id=reserve.at("data.items.0.id"),
        to_account_id=before.at("data.items.0.id"),
        amount=missing,
        reference=reference,
    )
    after = banking.balance(d, payees.at("data.items.0.currency")).at("data.items.0.available")
    number = moved.at("data.number")
    record = d.entry("register" if d.pattern else "log").add(
        d,
        "The transfer out of the reserve is entered.",
        title=text(f"Cloth for the {programme}"),
        words=text("{number}, USD {sum}.", number=number, sum=moved.at("data.amount")),
    )
    d.message("report").send(
        d,
        "Elena knows the entry and what the account has now.",
        ELENA,
        text("Moved, see {entry}. The account has {after} available now.", entry=record, after=after),
        about=f"Cloth for the {programme}",
    )
    d.answer(
        "USD {sum} moved with {number}; {after} are available now.",
        sum=moved.at("data.amount"),
        number=number,
        after=after,
    )
    _instruct(d, programme, {"EUR": "euro", "AUD": "Australian"}[currency])


def _instruct(d: Draft, programme: str, account: str) -> None:
    forecast, policy, last = d.note("forecast").where(d), d.note("policy").where(d), d.entry("log")
    d.title(f"Cover the payments for the {programme}")
    d.say(
        f"Dario is worried about the payments for the {programme}; he says why {d.note('request').where(d)}.",
        f"Please make sure that our {account} account can pay the cloth for the {programme}. Dario's remark about "
        f"it is {d.note('request').where(d)}.",
        f"Can we pay for the {programme}? Dario doubts it; he explains why {d.note('request').where(d)}.",
    )
    d.say(
        "Count every payment to that supplier which is still planned, and nothing that was paid or called off, "
        f"plus what comes on top of the order; the latter is {forecast}.",
        "What counts is all payments to them that are still to come, and the costs on top of the lots, which are "
        f"{forecast}. Paid and cancelled ones no longer matter.",
        "Add up the planned payments to them (some were cancelled) and what the order costs beyond its lots, "
        f"{forecast}.",
    )
    d.say(
        f"After all that, the account has to keep what the treasury rule for the order says, {policy}.",
        f"Treasury also wants a cushion to remain, by the rule that the order falls under. The rules are {policy}.",
        f"On top of that there is the cushion from the treasury rule, which is {policy}; take the one that holds "
        "today.",
    )
    d.warn(
        "Some of these have been revised; the newest of each is in force.",
        "Dario and Elena revise such things, so go by the latest.",
        "Where a forecast or a rule is there twice, the newer one counts.",
    )
    d.say(
        "Move exactly what is missing today, from the dollar reserve and at the bank's rate, to the cent.",
        "Whatever is missing comes out of the dollar reserve, today, converted at the bank's rate and to the cent.",
        "Transfer the difference, no more and no less, from the reserve in dollars at the rate of the bank today.",
    )
    d.paragraph()
    if d.pattern:
        log, key, minute = last.what(d), last.reference(d), d.note("minute").where(d)
        last = d.entry("register")
        d.say(
            f"The rule asks for a minute ({minute}). Make {log} with the mark from it first, and use {key} as the "
            "reference of the transfer.",
            f"Before you move anything, enter the mark of the minute that the rule names, {minute}, in {log}. The "
            f"transfer's reference is {key}.",
            f"No move without a minute: the one in the rule is {minute}. Put its mark into {log}, then use {key} "
            "as the reference of the transfer.",
        )
    else:
        d.say(
            "The reference is the order's number.",
            "Let the reference be the number of the order.",
            "Use the order's number as the reference, please.",
        )
    record, key, how = last.what(d), last.reference(d), d.message("report").how(d, "Elena")
    d.say(
        f"Then make {record} with the transfer's number and the dollars, and {how}: {key}, and what that account has "
        "available now.",
        f"I need {record} that has the number of the transfer and the dollars moved. After that {how} with {key} "
        "and the sum now available on the account.",
        f"Leave {record} with transfer number and dollars, and {how} to give her {key} and the new available sum.",
    )
    d.say(
        "I need those three figures as well: dollars, transfer number, available sum.",
        "Tell me how much you moved, under which number, and what is available now.",
        "Tell me the dollars, the transfer's number and what can be spent from the account now.",
    )
