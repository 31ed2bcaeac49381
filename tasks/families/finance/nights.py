"""One's own expense report, filled from the bookings of a trip."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.finance.cards import CITIES
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import expenses, travel
from tasks.places.rules import leave_noise, leave_rules

DARIO, ELENA, RUTH = COLLEAGUES[5], COLLEAGUES[4], COLLEAGUES[12]
BOOKED = "Every night that was slept in stands in the report, one by one, with the permit and its receipt."
HANDED_IN = "The report is handed in."


@family(
    "nights-of-a-trip",
    area="finance",
    roles={
        "request": ("mail", "chat", "boards", "docs"),
        "claims": ("expenses",),
        "travel": ("travel",),
        "rule": OFFICE_NOTES,
        "centre": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request claims travel rule claims log report",
        "request claims travel rule centre claims log register report",
    ),
    filed="log",
)
def nights_of_a_trip(d: Draft) -> None:
    """The user's report lacks the hotels of a trip: one expense for each night that was not given back, with the town's
    permit as its reason. The report has the day, Travel the bookings, a rule the permit. Hard: a cancelled booking in
    the middle, trips every week, old permits, several lines to write before the report is handed in; its total is new.
    """
    size = max(3, d.dials.alike) + 1
    host = d.draw.company()
    hosts = [host, *(d.draw.near(host) for _ in range(3))]
    numbers = d.rng.sample(range(1061, 1099), size)
    cities = d.rng.sample(CITIES, size)
    permits, centres = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("PM", "CC"))
    days = [d.calendar_day(-13 - 7 * d.turn(place)) for place in range(size)]
    nights = 2 + d.rng.randrange(2)
    number = d.fact("report", numbers[0], numbers[1])
    day = d.fact("first-day", days[0], days[1])
    city = d.fact("city", cities[0], cities[1])
    permit = d.fact("permit", permits[0], permits[1])
    centre = d.fact("cost-centre", centres[0], centres[1]) if d.pattern else centres[0]

    for place, name in enumerate(hosts):
        told = number if place == 0 else numbers[place]
        d.note("request").leave(
            d,
            title=f"Your report about {name}",
            text=d.rng.choice(
                (
                    f"Your report about {name} is EXP-{told}. There is a taxi in it and not one hotel, although "
                    "you slept somewhere, I suppose.",
                    f"EXP-{told} is the one about {name}. I cannot close the month while the nights are missing in it.",
                    f"On {name}: I see EXP-{told} as a draft, without the hotels. Could you complete it?",
                )
            ),
            by=DARIO,
            days_ago=5 if place else 1,
        )
    for place in range(size):
        stated = day if place == 0 else days[place]
        words = f"Supplier visits, away from {stated.isoformat()}."
        key = expenses.report(
            d,
            numbers[place],
            "Supplier visits",
            expenses.MARA,
            status="draft",
            purpose=words,
            days_ago=3 + d.turn(place),
        )
        fare = d.draw.amount(9, 24)
        expenses.line(d, key, "taxi", fare, "EUR", merchant="Taxi", text="From the station", day=days[place])
        trip = travel.trip(d, f"Suppliers, week {8 - d.turn(place)}", days[place], days[place] + timedelta(days=5))
        for night in range(nights + 1):
            town = city if place == 0 else cities[place]
            price = d.draw.amount(96, 240)
            room = travel.hotel(d, f"{d.draw.company().split()[0]} Hotel", town, price, "EUR")
            first = days[place] + timedelta(days=night)
            status = "cancelled" if night == 1 else "ticketed"
            after = first + timedelta(days=1)
            code = d.draw.code("H")
            travel.stay(d, code, trip, "trv_mara_lindqvist", room, first, after, price, "EUR", status=status)
    leave_rules(
        d,
        d.note("rule"),
        title="Permit for nights in {word}",
        by=RUTH,
        wordings=(
            "For hotels in {word} give permit {permit} as the reason in the report, above the limit or not.",
            "Each night in {word} is covered by permit {permit}; that belongs in the report as the justification.",
        ),
        rules={town: {"permit": permit if place == 0 else permits[place]} for place, town in enumerate(cities)},
        older={"permit": permits[2]},
        of=cities[0],
    )
    leave_noise(d, d.note("rule"), ELENA)

    seen = d.note("request").find(d, host)
    found = d.call("expenses", "list_reports", query=seen.part(r"(EXP-\d+)"), status="draft")
    report = found.at("data.items.0.id")
    draft = d.call("expenses", "get_report", report_id=report)
    first_day = draft.part("data.purpose", r"(\d{4}-\d\d-\d\d)")
    trips = d.call("travel", "list_trips", starts_after=first_day, starts_before=first_day)
    trip_ = d.call("travel", "get_trip", trip_id=trips.at("data.items.0.id"))
    reason: Template = d.note("rule").find(d, trip_.at("data.bookings.0.destination")).part(r"(PM-\d+)")
    if d.pattern:
        leave_rules(
            d,
            d.note("centre"),
            title="Cost centre of {word}",
            by=ELENA,
            wordings=("What is spent under {word} goes on {centre}.", "{word} is charged to {centre} this quarter."),
            rules={code: {"centre": centre if n == 0 else centres[n]} for n, code in enumerate(permits)},
            older={"centre": centres[2]},
            of=permits[0],
        )
        charged = d.note("centre").find(d, reason).part(r"(CC-\d+)")
        reason = text("{permit}, {centre}", permit=reason, centre=charged)
    for place in (0, *range(2, nights + 1)):
        night_ = f"data.bookings.{place}"
        d.act(
            BOOKED,
            "expenses",
            "create_expense",
            report_id=report,
            category_id="cat_hotel",
            spent_on=trip_.at(f"{night_}.check_in"),
            merchant=trip_.at(f"{night_}.provider"),
            amount=trip_.at(f"{night_}.cost"),
            currency=trip_.at(f"{night_}.currency"),
            receipt=trip_.at(f"{night_}.reference"),
            justification=reason,
        )
    d.act(HANDED_IN, "expenses", "submit_report", report_id=report)
    after_ = d.call("expenses", "get_report", report_id=report)
    total = after_.at("data.total_usd")
    record = d.entry("log").add(
        d,
        "The number and the total of the report are on record.",
        title=text("Report handed in"),
        words=text("{report}: USD {total}.", report=after_.at("data.number"), total=total),
    )
    if d.pattern:
        record = d.entry("register").add(
            d,
            "The cost centre is on record, with the id of the record before.",
            title=text("Hotels to be charged"),
            words=text("{centre}, see {entry}.", centre=charged, entry=record),
        )
    d.message("report").send(
        d,
        "Elena knows the report's total and the last record.",
        ELENA,
        text("It is handed in: USD {total}, see {entry}.", total=total, entry=record),
        about=f"Report about {host}",
    )
    d.answer("{report} comes to USD {total} and is handed in.", report=after_.at("data.number"), total=total)
    _instruct(d, host)


def _instruct(d: Draft, host: str) -> None:
    request, rule, last = d.note("request").where(d), d.note("rule").where(d), d.entry("log")
    d.title(f"Complete the report about {host}")
    d.say(
        f"Dario cannot close the month because of my report about {host}. His note about it, with the number, is "
        f"{request}.",
        f"My expense report about {host} is not complete; Dario told me so and gave its number {request}.",
        f"I forgot the hotels in an expense report, the one about {host}. Its number is {request}.",
    )
    d.say(
        "The report says when I left, and Travel has what was booked for that trip. Enter each night that I "
        "actually stayed as an expense of its own, dated on the night, in the currency of the hotel; cancelled "
        "bookings do not count.",
        "Take the hotels from the trip in Travel that began on the day named in the report: one expense a night, "
        "on its date and in its currency, and none for a booking that was cancelled.",
        "You can find the trip in Travel by the day in the report. I want one hotel expense for every night, on "
        "its own date and in its own currency; cancelled bookings stay out.",
    )
    d.say(
        "Give the hotel as the merchant, the booking's reference as the receipt and the permit of the town, which "
        f"is {rule}, as the justification.",
        "The merchant is the hotel, the receipt the booking's reference. As justification give the permit for "
        f"that town ({rule}).",
        "Name the hotel as the merchant. Receipts are filed under the booking's reference, so give that as the "
        f"receipt. The justification is the permit of the town ({rule}).",
    )
    if d.pattern:
        centre = d.note("centre").where(d)
        d.say(
            "After the permit, also give the cost centre that it belongs to; permits and their cost centres are "
            f"{centre}.",
            f"The justification also has to name the cost centre that goes with the permit ({centre}).",
            f"Add the permit's cost centre to the justification; you will find it {centre}.",
        )
    d.warn(
        "Old permits are still about; the newest note about a town is right.",
        "Some of that has been renewed since it was first noted, so go by the latest.",
        "If something is noted twice, the newest is valid.",
    )
    d.say("Then hand the report in.", "After that, submit it.", "When all of them are in, hand it in.")
    d.paragraph()
    log, key = last.what(d), last.reference(d)
    d.say(
        f"Write the report's number and its total in dollars into {log}.",
        f"Make {log} with the number of the report and the dollars it comes to.",
        f"I want {log} that has the report's number and its new total.",
    )
    if d.pattern:
        last = d.entry("register")
        register = last.what(d)
        d.say(
            f"Controlling needs {register} with the cost centre and {key}.",
            f"Besides, add {register} with the cost centre and {key}.",
            f"The cost centre and {key} go into {register}.",
        )
        key = last.reference(d)
    how = d.message("report").how(d, "Elena")
    d.say(
        f"Finally {how}: the total and {key}. The number and the total are enough for me.",
        f"Then {how} with the total and {key}, and tell me which report it was and what it comes to.",
        f"Elena is waiting for it, so {how} with the total and {key}. I only need the report's number and its total.",
    )
