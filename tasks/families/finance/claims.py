"""Expense reports of one's own people: decided, paid back and ticked off."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import banking, expenses
from tasks.places.rules import leave_noise, leave_rules

DARIO, ELENA, RUTH = COLLEAGUES[5], COLLEAGUES[4], COLLEAGUES[12]
_DAYS = (
    *("buyers' day", "open house", "spring show", "press day", "trade fair"),
    *("summer preview", "sample sale", "dealers' day", "harvest fair", "jubilee"),
)


@family(
    "pay-back-claim",
    area="finance",
    roles={
        "request": OFFICE_NOTES,
        "claims": ("expenses",),
        "permit": OFFICE_NOTES,
        "bank": ("banking",),
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "claims permit claims bank claims log report",
        "request claims permit claims bank log claims register report",
    ),
    filed="log",
)
def pay_back_claim(d: Draft) -> None:
    """Somebody's report holds a night above the limit. Its justification names a permit, the permit the cost centre
    that belongs in the approval; the money goes to the one payee of that name, and the report is marked as paid.
    Hard: reports and people of nearly one name, an earlier permit, three steps that need one another.
    """
    size = max(3, d.dials.alike) + 1
    house = d.draw.company()
    fairs = [f"{house}, {day}" for day in d.rng.sample(_DAYS, size)]
    fair = fairs[0]
    person = d.draw.person()
    people = [person, *(d.draw.person() for _ in range(size - 1))]
    permits, centres = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("PM", "CC"))
    numbers = d.rng.sample(range(1061, 1099), size + 2)
    staff = [expenses.employee(d, each) for each in people]
    owner = d.fact("owner", staff[0], staff[1])
    permit = d.fact("permit", permits[0], permits[1])
    centre = d.fact("cost-centre", centres[0], centres[1])
    night = d.fact("night", d.draw.amount(222, 239), d.draw.amount(240, 255))
    following = d.fact("next-report", numbers[size], numbers[size + 1])
    number = d.fact("number", numbers[0], numbers[1]) if d.pattern else numbers[0]

    for place, name in enumerate(fairs):
        key = expenses.report(
            d,
            numbers[place],
            name,
            owner if place == 0 else staff[place],
            status="submitted",
            purpose=d.rng.choice(("Two days at the stand.", "Trade fair, looked at what others show.", "Fair.")),
            days_ago=3 + place,
        )
        day = d.on(-6 - place)
        why = f"Everything else was full; permit {permit if place == 0 else permits[place]}"
        price = night if place == 0 else d.draw.amount(222, 255)
        hotel = f"{d.draw.company().split()[0]} House"
        expenses.line(d, key, "hotel", price, "USD", merchant=hotel, text="One night", day=day, why=why)
        taxi = d.draw.amount(11, 24)
        expenses.line(d, key, "taxi", taxi, "USD", merchant="Cab", text="To the hall", day=day, receipt=None)
        account = banking.account_number(d, "US")
        banking.payee(d, people[place].name, account, "USD", email=people[place].email)
    rest = expenses.report(d, following, "Samples", staff[2], status="approved", days_ago=5)
    spent = d.draw.amount(20, 90)
    expenses.line(d, rest, "supplies", spent, "USD", merchant="Haberdasher", text="Samples", day=d.on(-7))
    banking.payee(d, d.draw.near(person.name), banking.account_number(d, "US"), "USD")
    leave_rules(
        d,
        d.note("permit"),
        title="Permit {word}",
        by=ELENA,
        wordings=(
            "{word}: the night above our limit is fine, because the town was sold out. Charge it to {centre}.",
            "I allow the dearer hotel under {word}. It has to go on {centre}, please write that into the approval.",
            "{word} covers one night above the limit for the fair. Cost centre: {centre}.",
        ),
        rules={code: {"centre": centre if place == 0 else centres[place]} for place, code in enumerate(permits)},
        older={"centre": centres[2]},
        of=permits[0],
    )
    leave_noise(d, d.note("permit"), RUTH)

    word = fair
    if d.pattern:
        d.note("request").leave(
            d,
            title=f"Report about {fair}",
            text=d.rng.choice(
                (
                    f"Could you look at EXP-{number} this morning? It is the report about the fair {fair}, and the "
                    "card bill is due.",
                    f"The one for {fair} is EXP-{number}. It has waited long enough, if you ask me.",
                    f"About {fair}: that is EXP-{number}. There was a dear night in it, but it was allowed.",
                )
            ),
            by=DARIO,
            days_ago=1,
        )
        word = d.note("request").find(d, fair).part(r"(EXP-\d+)")
    found = d.call("expenses", "list_reports", query=word, status="submitted")
    d.call("expenses", "get_report", report_id=found.at("data.items.0.id"))
    lines = d.call("expenses", "list_expenses", report_id=found.at("data.items.0.id"), category_id="cat_hotel")
    allowed = d.note("permit").find(d, lines.part("data.items.0.justification", r"(PM-\d+)"))
    approved = d.act(
        "The report is approved, and the approval names the cost centre.",
        "expenses",
        "approve_report",
        report_id=found.at("data.items.0.id"),
        note=text("Fine, goes on {centre}.", centre=allowed.part(r"(CC-\d+)")),
    )
    d.call("expenses", "list_reports", status="approved")
    payees = banking.find_payee(d, approved.at("data.employee_name"))
    accounts = banking.balance(d, payees.at("data.items.0.currency"))
    paid = d.act(
        "The employee is paid back what the report comes to, from the dollar account.",
        "banking",
        "create_transfer",
        from_account_id=accounts.at("data.items.0.id"),
        payee_id=payees.at("data.items.0.id"),
        amount=approved.at("data.reimbursable_usd"),
        reference=approved.at("data.number"),
    )
    transfer = paid.at("data.number")
    if d.pattern:
        transfer = d.entry("log").add(
            d,
            "The payment is entered with the transfer and the sum.",
            title=text(f"Paid back: {fair}"),
            words=text("{number}, USD {sum}.", number=transfer, sum=paid.at("data.amount")),
        )
    d.act(
        "The report is marked as paid back, with the right reference.",
        "expenses",
        "reimburse_report",
        report_id=found.at("data.items.0.id"),
        payment_reference=transfer,
    )
    closed = d.call("expenses", "get_report", report_id=found.at("data.items.0.id"))
    unpaid = d.call("expenses", "list_reports", status="approved")
    reference = closed.at("data.payment_reference")
    record = d.entry("register" if d.pattern else "log").add(
        d,
        "It is noted which report was paid back with which reference, and which one is next.",
        title=text("A report is done"),
        words=text(
            "{report}: {reference}. Next is {following}.",
            report=closed.at("data.number"),
            reference=reference,
            following=unpaid.at("data.items.0.number"),
        ),
    )
    d.message("report").send(
        d,
        "Elena knows the entry and the sum that was paid back.",
        ELENA,
        text("Paid back: USD {sum}, see {entry}.", sum=closed.at("data.reimbursable_usd"), entry=record),
        about=fair,
    )
    d.answer(
        "{report} is paid back under {reference}, USD {sum}.",
        report=closed.at("data.number"),
        reference=reference,
        sum=closed.at("data.reimbursable_usd"),
    )
    _instruct(d, fair)


def _instruct(d: Draft, fair: str) -> None:
    permit, log, how = d.note("permit").where(d), d.entry("log").what(d), d.message("report").how(d, "Elena")
    d.title(f"Pay back the expenses of {fair}")
    if d.pattern:
        d.say(
            f"Dario left word about the expenses for {fair} {d.note('request').where(d)}.",
            f"Dario writes {d.note('request').where(d)} about the expenses for {fair}; from that you can tell which "
            "report he means.",
            f"Dario wrote me a line about the report for {fair}; please look {d.note('request').where(d)}.",
        )
    else:
        d.say(
            f"An expense report about {fair} waits for me in Expenses.",
            f"In Expenses I have a report of one of my people about {fair} to decide.",
            f"The report on {fair}, handed in a few days ago, is still on my list in Expenses.",
        )
    d.say(
        "The hotel is above the limit. If there is a permit for that, approve the report and let the approval say "
        f"which cost centre the permit names; permits are {permit}.",
        f"One night is too expensive, but the report says there was a permit ({permit}). If that is so, approve it "
        "and put the permit's cost centre into the approval.",
        f"I approve it if the expensive night was permitted; look {permit}. The cost centre from the permit belongs "
        "in my note.",
    )
    d.warn(
        "Permits are renewed, and the newest holds.",
        "An older permit for the same no longer counts.",
        "If it was noted twice, the later note is right.",
    )
    d.say(
        "Then pay the person back out of our dollar account, with the report's number as the reference.",
        "After that send the money from the dollar account. The report's number is the reference.",
        "Once it is approved, pay whoever spent it back from the dollar account, with the report's number as the "
        "reference.",
    )
    key = d.entry("log").reference(d) if d.pattern else ""
    if d.pattern:
        d.say(
            f"Make {log} about the payment with transfer and sum, and mark the report as paid with {key}.",
            f"The payment goes into {log}, with the transfer and the sum. Mark the report as paid; its payment "
            f"reference is {key}.",
            f"First make {log} with the transfer and the sum; then mark the report as paid, with {key} as the payment "
            "reference.",
        )
    else:
        d.say(
            "Mark the report as paid with the number of the transfer.",
            "Do not forget to tick the report off as paid, under the transfer's number.",
            "The report is then to be marked as paid with that transfer.",
        )
    d.paragraph()
    last = d.entry("register" if d.pattern else "log")
    record, key = last.what(d), last.reference(d)
    d.say(
        f"I would like {record} that names the report, the reference under which it was paid, and the newest "
        f"report that is approved and not paid yet. And {how}: {key} and the sum.",
        f"Leave {record} with the report, its payment reference, and the number of the newest one that is approved "
        f"but still unpaid. Then {how} with {key} and the sum that was paid back.",
        f"Keep a trace of it, {record} with the report's number, its payment reference and, as the next in line, the "
        f"newest approved report that nobody has paid yet; and {how} to tell her {key} and how much went out.",
    )
    d.say(
        "Tell me the report's number, the reference and the sum.",
        "I would like to know the report's number, its reference and what was paid.",
        "Report number, reference and sum: that is all I need back.",
    )
