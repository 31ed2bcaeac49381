"""A consignment came late: the register gets the carrier's credit for it, and the sum of the month changes."""

from __future__ import annotations

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence, strangers
from tasks.places import MESSAGES, shipping, tables
from tasks.places.rules import leave_noise

BOOKED = "The case has the credit for all days late and the account of the carrier, and is settled."
_REGISTER = "Late consignments"
_PAYMENTS = "Carrier payments"
_LEVELS = {"standard": ("6.50", "0.60", 2), "express": ("11.00", "0.90", 1)}


@family(
    "late-consignment-credit",
    area="operations",
    roles={
        "complaint": DESK_NOTES,
        "file": DESK_NOTES,
        "sheet": ("tables",),
        "ship": ("shipping",),
        "rule": but(DESK_NOTES, "tables"),
        "log": but(DESK_ENTRIES, "tables"),
        "report": MESSAGES,
    },
    patterns=(
        "complaint sheet ship rule sheet log report",
        "complaint sheet ship rule sheet log sheet report",
        "file complaint sheet ship rule sheet log sheet report",
    ),
    filed="log",
)
def late_consignment(d: Draft) -> None:
    """A customer complains; the note gives the number of a case in the register, the case a consignment. What its
    carrier credits for a day is agreed by carrier, with an account. The case is settled with the days late times the
    credit, the sum of the register changes, and an entry tells it.

    Hard: complaints of customers alike, cases and consignments alike, days between two dates, older agreements, a sum
    over the register that the booking makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, filed = d.pattern > 0, d.pattern == 2
    size = max(4, d.dials.alike + 1)
    customer = d.draw.company()
    customers = [customer, *(d.draw.near(customer) for _ in range(size - 1))]
    files, cases, accounts = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "LC", "CR"))
    numbers, receivers = shipping.numbers(d, size), strangers(d, size, customer)
    kinds = ("Freight", "Parcel", "Couriers", "Haulage")
    carriers = [f"{name.split()[0]} {kind}" for name, kind in zip(strangers(d, 4, customer), kinds, strict=True)]
    sold = [shipping.carrier(d, name, _LEVELS) for name in carriers]
    credits = d.rng.sample((11.75, 13.25, 14.75, 16.25, 17.75, 19.25, 21.75, 23.25, 26.75), 4)
    filing = d.fact("file", files[0], files[1]) if filed else files[0]
    case = d.fact("case", cases[0], cases[1])
    number = d.fact("consignment", numbers[0], numbers[1])
    label = sold[d.fact("carrier", 0, 1)]["standard"]
    credit = d.fact("credit-a-day", credits[0], credits[0] + 1)
    account = d.fact("account", accounts[0], accounts[1])
    register = tables.table(
        d,
        _REGISTER,
        "What carriers owe us for consignments that came late.",
        (
            ("Case", "text"),
            ("Consignment", "text"),
            ("State", "select", ["open", "settled", "refused"]),
            ("Credit", "money", "GBP"),
            ("Account", "text"),
        ),
    )
    if long:
        columns = (("Entry", "text"), ("Account", "text"), ("Amount", "money", "GBP"))
        payments_key = tables.table(d, _PAYMENTS, "What we expect from carriers and have not got yet.", columns)
        for n in range(3):
            cells = {
                "Entry": d.draw.code("EN"),
                "Account": accounts[n],
                "Amount": float(d.draw.amount(30, 190, "0.25")),
            }
            tables.row(d, payments_key, cells, at=d.ago(12 + n, 10))
    for n in range(size):
        key, _ = shipping.address(d, d.draw.person(receivers[n]))
        shipping.shipment(
            d,
            numbers[n],
            key,
            receivers[n],
            contents=d.draw.product().capitalize() + "s",
            label=label if n == 0 else sold[n % 4]["standard"],
            days_ago=16 + d.turn(n),
            delivered=16 + d.turn(n) - 2 - d.rng.randint(3, 8),
            status="delivered",
        )
        cells = {"Case": cases[n], "Consignment": number if n == 0 else numbers[n], "State": "open"}
        tables.row(d, register, cells, at=d.ago(6, 10, 59 - d.turn(n)))
    for n in range(3):
        cells = {
            "Case": d.draw.code("LC"),
            "Consignment": f"{d.draw.code()}",
            "State": ("settled", "settled", "open")[n],
            "Credit": float(d.draw.amount(40, 260, "0.25")),
            "Account": accounts[n],
        }
        tables.row(d, register, cells, at=d.ago(20 + n, 10))
    if filed:
        leave_each(
            d,
            "file",
            title="{word} on the phone",
            by=asker,
            wordings=(
                "{word} called again and were not amused. I filed it as {file}.",
                "Complaint of {word}, third this month; it is {file} in our papers.",
            ),
            words=customers,
            values={"file": [filing, *files[1:]]},
            older={"file": d.draw.code("CF")},
        )
    leave_each(
        d,
        "complaint",
        title="Complaint {word}",
        by=asker,
        wordings=(
            "{word} is justified, it came days late. I opened case {case} for it, the rest is arithmetic.",
            "What {word} complains about has case {case}. Nobody has worked out yet what we get for it.",
            "For {word} there is now case {case}; I have promised nothing.",
        ),
        words=files if filed else customers,
        values={"case": [case, *cases[1:]]},
        older={"case": d.draw.code("LC")},
    )
    leave_each(
        d,
        "rule",
        title="What {word} credit",
        by=boss,
        wordings=(
            "{word} credit GBP {credit:.2f} for every day after the promised one, Sundays too. It goes to account "
            "{account}.",
            "For each calendar day that {word} are late we get GBP {credit:.2f}, booked on account {account}.",
        ),
        words=carriers,
        values={"credit": [credit, *credits[1:]], "account": [account, *accounts[1:4]]},
        older={"credit": credits[0] - 2, "account": accounts[2]},
    )
    leave_noise(d, d.note("rule"), boss)

    word = d.note("file").find(d, customer).part(r"(CF-\d+)") if filed else customer
    paper = d.note("complaint").find(d, word)
    table = tables.find_table(d, _REGISTER)
    found = tables.rows(d, table, paper.part(r"(LC-\d+)"))
    d.call("tables", "summarize_rows", table_id=table, function="sum", column="Credit")
    listed = shipping.by_number(d, found.at("data.items.0.cells.Consignment"))
    shipment = shipping.read(d, listed.at("data.items.0.id"))
    rule = d.note("rule").find(d, shipment.at("data.carrier_name"))
    account_read = rule.part(r"account (CR-\d+)")
    due = calc(
        "round(days_between(promised, came) * credit, 2)",
        promised=shipment.at("data.promised_on"),
        came=shipment.at("data.delivered_on"),
        credit=rule.part(r"GBP ([0-9.]+\d)", number=True),
    )
    d.act(
        BOOKED,
        "tables",
        "update_row",
        row_id=found.at("data.items.0.id"),
        cells={"Credit": due, "Account": account_read, "State": "settled"},
    )
    after = d.call("tables", "summarize_rows", table_id=table, function="sum", column="Credit")
    record = d.entry("log").add(
        d,
        "An entry says what the register comes to now.",
        title=text("Credits for late consignments"),
        words=text("The credits come to GBP {sum} now.", sum=after.at("data.value")),
    )
    told, words = {"due": due, "sum": after.at("data.value"), "record": record}, "GBP {sum} in all"
    if long:
        payments = tables.find_table(d, _PAYMENTS)
        d.call("tables", "summarize_rows", table_id=payments, function="sum", column="Amount")
        d.act(
            "A payment of the carrier is expected under the entry's number, with account and credit.",
            "tables",
            "create_row",
            table_id=payments,
            cells={"Entry": record, "Account": account_read, "Amount": due},
        )
        expected = d.call("tables", "summarize_rows", table_id=payments, function="sum", column="Amount")
        told["sum"], words = expected.at("data.value"), "GBP {sum} expected in all"
    words = "GBP {due} for this one, " + words + ", see {record}."
    d.message("report").send(
        d,
        f"{boss.name} knows the credit, the new sum and where it is written down.",
        boss,
        text(words, **told),
        about="Late again",
    )
    d.answer(words, **told)

    d.title(f"What we get for the complaint from {customer}")
    first, log, where = called(boss), d.entry("log"), d.note("complaint").where(d)
    if filed:
        d.say(
            f"{customer} complained. {called(asker)} filed the complaint; the number of the file is "
            f"{d.note('file').where(d)}, and {where} you will find which case of ours belongs to it.",
            f"There is another complaint of {customer}; {called(asker)} wrote {d.note('file').where(d)} how it is "
            "filed. "
            f"For each file there is a case in our register, see what stands {where}.",
            f"{called(asker)} put the complaint from {customer} on file; the number is {d.note('file').where(d)}. "
            f"You will find {where} which case in our register it is about.",
        )
    else:
        d.say(
            f"{customer} are right to complain. {called(asker)} has opened a case for it; see the note {where}.",
            f"{called(asker)} says {where} which case was opened for the complaint from {customer}.",
            f"The complaint from {customer} has a case number by now; you will find it {where}.",
        )
    d.say(
        "That case is in our table of late consignments, and the carrier owes us something for every day of it.",
        "Please settle that case in the Late consignments table: we get money for each day that it came late.",
        "Can you work out what we get for it? The case itself is in the Late consignments table.",
    )
    d.say(
        f"{first} has agreed amounts and accounts carrier by carrier ({d.note('rule').where(d)}). Enter the credit and "
        "the account; with that the case is settled.",
        f"What each carrier pays, and on which account, is {d.note('rule').where(d)}. Put credit and account into the "
        "row and mark it as settled.",
        f"The amount per day and the account differ from carrier to carrier; {first} wrote them down "
        f"{d.note('rule').where(d)}. Fill both in and mark the case as settled.",
    )
    d.warn(
        "With some, more has been agreed since; the newest note holds.",
        "Go by the latest that was noted on each.",
        "What was agreed before no longer counts.",
    )
    d.paragraph()
    d.say(
        f"Then write down what all credits in the table come to with it, in {log.what(d)}.",
        f"After that I need {log.what(d)} that gives the sum of all the credits there.",
        f"Once that is in, add {log.what(d)} with the new total of all credits in the table.",
    )
    if long:
        d.say(
            f"With {log.reference(d)} as its entry, the credit then goes into the table of carrier payments, with the "
            "same "
            "account.",
            f"The money is not here yet, so add it to the Carrier payments table, too, with {log.reference(d)} "
            "as the entry, the account and the amount.",
            "As nothing has been paid yet, it also belongs in the Carrier payments table: amount and account, with "
            f"{log.reference(d)} as the entry.",
        )
    total = "of the payments we expect now" if long else "of all credits now"
    d.say(
        f"{sentence(d.message('report').how(d, first))} with what we get for this case, the sum {total}, and "
        f"{log.reference(d)}. Tell me the same.",
        f"In the end {d.message('report').how(d, first)} with the credit of this case, the sum {total} and "
        f"{log.reference(d)}, and let me know as well.",
        f"{first} asked for figures: {d.message('report').how(d, first)} with this credit, the sum {total}, and "
        f"{log.reference(d)}. I would like them, too.",
    )
