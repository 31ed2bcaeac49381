"""Somebody moves to another site: the first nights there."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES, names
from tasks.places import hr, travel
from tasks.places.rules import leave_noise, leave_rules

ELENA, RUTH, HANA = COLLEAGUES[4], COLLEAGUES[12], COLLEAGUES[6]
SITES = ("Lisbon", "Stockholm", "Seattle", "New York")
BOOKED = "The room of the right house is booked and confirmed for as many nights as the budget pays."


@family(
    "first-nights-of-a-move",
    area="people",
    roles={
        "request": OFFICE_NOTES,
        "people": ("hr",),
        "travel": ("travel",),
        "budget": OFFICE_NOTES,
        "houses": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request people travel budget travel log report",
        "request people travel budget houses travel log register report",
    ),
    filed="log",
)
def first_nights_of_a_move(d: Draft) -> None:
    """Somebody is moved to another site. HR has the day, Travel an empty trip of that day, its purpose a budget, and
    the budget the nights and the house, or a list with the house: the cheapest room there is booked and confirmed.
    Hard: trips week after week, rooms of one house at two prices, a budget that was cut; the trip's cost is new.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    crew = d.draw.company().split()[0]
    people = [d.draw.person("Larkspur") for _ in range(size)]
    budgets, lists = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("BG", "HS"))
    houses = names(d, size, "House")
    nights = d.rng.sample(range(3, 14), size)
    days = [d.on(14 + 7 * d.turn(place)) for place in range(size)]
    person = d.fact("person", people[0].name, people[1].name)
    day = d.fact("day", days[0], days[1])
    budget = d.fact("budget", budgets[0], budgets[1])
    count = d.fact("nights", nights[0], nights[0] + 1)
    listed = d.fact("list", lists[0], lists[1]) if long else lists[0]
    house = d.fact("house", houses[0], houses[1])

    d.note("request").leave(
        d,
        title=f"A move in the {crew} crew",
        text=d.rng.choice(
            (
                f"From the {crew} crew it is {person} who moves to another site, everything is signed. The first "
                "nights are not booked yet.",
                f"The {crew} crew loses {person} to another site. Could you see to the first nights there?",
                f"It is settled: of the {crew} crew {person} moves. Rooms for the beginning are still missing.",
            )
        ),
        by=RUTH,
        days_ago=1,
    )
    for place, who in enumerate(people):
        site = SITES[place % len(SITES)]
        key = hr.employee(d, who, 611 + place, title="Loom Hand", location="London")
        moves = day if place == 0 else days[place]
        hr.job_change(d, key, "relocation", moves, "London", site, "At their own wish.")
        travel.traveller(d, who)
        words = f"First nights at the new site, paid from {budget if place == 0 else budgets[place]}."
        ends = days[place] + timedelta(days=20)
        travel.trip(d, f"Move in week {days[place].isocalendar().week}", days[place], ends, purpose=words)
        cheap, dear = d.draw.amount(70, 99), d.draw.amount(101, 150)
        for price in (dear, cheap) if place % 2 else (cheap, dear):
            travel.hotel(d, houses[place], f"{site} Quay", price, "EUR")
    fixed = [f"{house if n == 0 else each}" for n, each in enumerate(houses)]
    named = [f"a house from list {listed if n == 0 else each}" for n, each in enumerate(lists)] if long else fixed
    leave_rules(
        d,
        d.note("budget"),
        title="Budget {word}",
        by=ELENA,
        wordings=(
            "{word} pays {nights} nights and no more. The room is to be in {house}.",
            "With {word} we pay for {nights} nights, in {house}.",
        ),
        rules={code: {"nights": count if n == 0 else nights[n], "house": named[n]} for n, code in enumerate(budgets)},
        older={"nights": nights[0] + 3, "house": named[1]},
        of=budgets[0],
    )
    leave_noise(d, d.note("budget"), HANA)

    seen = d.note("request").find(d, f"{crew} crew")
    found = hr.find_employee(d, seen.part(r"(?:it is|loses|crew) ([A-Z]\w+ [A-Z]\w+)"))
    change = d.call("hr", "list_job_changes", employee_id=found.at("data.items.0.id"), kind="relocation")
    moves_on = change.at("data.items.0.effective_date")
    trips = d.call("travel", "list_trips", starts_after=moves_on, starts_before=moves_on, status="planning")
    trip = trips.at("data.items.0.id")
    before = d.call("travel", "get_trip", trip_id=trip)
    traveller = d.call("travel", "list_travellers", email=found.at("data.items.0.email"))
    paid = d.note("budget").find(d, before.part("data.purpose", r"(BG-\d+)"))
    where = paid
    if long:
        leave_rules(
            d,
            d.note("houses"),
            title="Houses {word}",
            by=HANA,
            wordings=("On {word} there is only {house} left.", "{word}: we take {house}, they know us."),
            rules={code: {"house": fixed[n]} for n, code in enumerate(lists)},
            older={"house": fixed[2]},
            of=lists[0],
        )
        where = d.note("houses").find(d, paid.part(r"(HS-\d+)"))
    check_in = before.at("data.starts_on")
    check_out = calc("days(start, count)", start=check_in, count=paid.part(r"(\d+) nights", number=True))
    rooms = d.call(
        "travel",
        "search_offers",
        kind="hotel",
        provider=where.part(r"([A-Z]\w+ House)"),
        check_in=check_in,
        check_out=check_out,
        sort="price",
    )
    held = d.act(
        BOOKED,
        "travel",
        "create_booking",
        trip_id=trip,
        traveller_id=traveller.at("data.items.0.id"),
        offer_id=rooms.at("data.items.0.id"),
        check_in=check_in,
        check_out=check_out,
    )
    d.act(BOOKED, "travel", "confirm_booking", booking_id=held.at("data.id"))
    after = d.call("travel", "get_trip", trip_id=trip)
    cost, reference = after.at("data.totals.0.amount"), after.at("data.bookings.0.reference")
    record = d.entry("log").add(
        d,
        "The booking's reference is entered with what it costs.",
        title=text(f"Move in the {crew} crew"),
        words=text("{reference}: EUR {cost}.", reference=reference, cost=cost),
    )
    if long:
        record = d.entry("register").add(
            d,
            "The last day of the stay is entered with the first entry.",
            title=text("Where to live after that"),
            words=text("Until {day}, see {entry}.", day=after.at("data.bookings.0.check_out"), entry=record),
        )
    d.message("report").send(
        d,
        "Ruth knows the entry and the booking's reference.",
        RUTH,
        text("The nights are booked under {reference}, see {entry}.", reference=reference, entry=record),
        about=f"Move in the {crew} crew",
    )
    d.answer(
        "{house} from {start} to {end}, EUR {cost}, reference {reference}.",
        house=after.at("data.bookings.0.provider"),
        start=after.at("data.bookings.0.check_in"),
        end=after.at("data.bookings.0.check_out"),
        cost=cost,
        reference=reference,
    )
    _instruct(d, crew, long)


def _instruct(d: Draft, crew: str, long: bool) -> None:
    budget, last = d.note("budget").where(d), d.entry("log")
    d.title(f"Book the first nights for a move in the {crew} crew")
    d.say(
        f"Somebody from the {crew} crew is moving to another of our sites; Ruth has the name "
        f"{d.note('request').where(d)}.",
        f"Ruth asks for a room for somebody from the {crew} crew who is being moved to another site. You will find "
        f"the name {d.note('request').where(d)}.",
        f"Please book the first nights for the person from the {crew} crew whose move Ruth mentions "
        f"{d.note('request').where(d)}.",
    )
    d.say(
        "I have planned a trip in Travel that begins on the day of the move, as HR has it, but there is nothing in it.",
        "In Travel there is an empty trip of mine that starts on the very day that HR gives for the move.",
        "The trip in Travel exists, without any booking; it begins on the day on which the move takes effect in HR.",
    )
    if long:
        houses = d.note("houses").where(d)
        d.say(
            f"Its purpose says which budget pays. How many nights that is good for is {budget}, together with the "
            f"list of houses to use, and those lists are {houses}.",
            f"For the number of nights look {budget} under the budget in the trip's purpose. It also names a list "
            f"of houses; the lists are {houses}.",
            f"The budget in its purpose ({budget}) gives the nights and a list; which house we use from a list is "
            f"{houses}.",
        )
    else:
        d.say(
            f"Its purpose says which budget pays; nights and house for each budget are {budget}.",
            f"For nights and house look {budget} under the budget in the trip's purpose.",
            "The budget in its purpose decides the house and the number of nights; you will find what it says "
            f"{budget}.",
        )
    d.warn(
        "Ruth revises such notes, and the newest of each counts.",
        "What a budget said earlier no longer holds, so look at the dates.",
        "Go by the latest if you find something twice.",
    )
    d.say(
        "Take the cheapest room in that house from the first day on, in the name of the person who moves, and "
        "confirm it.",
        "Book and confirm the cheapest room there for them, from the day of the move and for all the nights that "
        "are paid.",
        "It has to be the cheapest room of the house, for all those nights from the first day of the trip, and "
        "confirmed.",
    )
    d.paragraph()
    log, key = last.what(d), last.reference(d)
    d.say(
        f"Then make {log} with the booking reference and the price of it all.",
        f"I need {log} that has the reference of the booking and what it comes to.",
        f"Put the booking's reference and the whole price into {log}.",
    )
    if long:
        last = d.entry("register")
        register = last.what(d)
        d.say(
            f"So that nobody forgets what comes next, add {register} with the day they leave the house and {key}.",
            f"They need a flat after that: make {register} with the day on which the room ends and {key}.",
            f"Put the day on which they leave the room into {register}, with {key}.",
        )
        key = last.reference(d)
    how = d.message("report").how(d, "Ruth")
    d.say(
        f"And {how} with the reference and {key}. Tell me house, dates, price and reference.",
        f"Ruth only wants the reference and {key}, so {how}. I would like house, both dates, price and reference.",
        f"Finally {how} with the reference and {key}. Tell me the house, both dates, the price and the reference.",
    )
