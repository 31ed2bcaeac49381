"""Company cards before a trip."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import banking, hr, travel
from tasks.places.rules import leave_noise, leave_rules

DARIO, HANA = COLLEAGUES[5], COLLEAGUES[6]
CITIES = ("Malmo", "Porto", "Gdansk", "Turin", "Bergen", "Nantes", "Graz", "Utrecht", "Zagreb", "Lille", "Vigo")
_CENTS = ("0.15", "0.35", "0.45", "0.65", "0.85")


@family(
    "frozen-card",
    area="finance",
    roles={
        "bank": ("banking",),
        "request": OFFICE_NOTES,
        "people": ("hr",),
        "travel": ("travel",),
        "project": OFFICE_NOTES,
        "rule": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "bank request people travel rule bank log report",
        "bank request people travel project rule bank log report",
    ),
    filed="log",
)
def frozen_card(d: Draft) -> None:
    """A frozen card is needed for a trip that somebody else organised. A note says who, HR their address, the trip its
    town and nights, a rule the daily sum of that town: the card is freed with what is spent plus that sum. Hard: the
    person on the card is not the one who booked; towns with other sums, an earlier sum; what is left is new afterwards.
    """
    size = max(3, d.dials.alike) + 1
    holders, hosts = ([d.draw.person("Larkspur") for _ in range(size)] for _ in range(2))
    spare = d.draw.person("Larkspur")
    cities = d.rng.sample(CITIES, size)
    # In cents that come to no whole number in 2 to 4 nights: such a sum stands elsewhere by chance.
    dailies = [whole + Decimal(d.rng.choice(_CENTS)) for whole in d.rng.sample(range(38, 95), size)]
    nights = d.rng.randint(2, 4)
    holder = d.fact("holder", holders[0].name, holders[1].name)
    host = d.fact("organiser", hosts[0].name, hosts[1].name)
    address = d.fact("address", hosts[0].email, spare.email)
    city = cities[0] if d.pattern else d.fact("city", cities[0], cities[1])
    projects, bands = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("PJ", "BN"))
    project = d.fact("project", projects[0], projects[1]) if d.pattern else projects[0]
    band = d.fact("band", bands[0], bands[1]) if d.pattern else bands[0]
    daily = d.fact("daily-sum", dailies[0], dailies[0] + 7)

    banking.card(d, holder, holders[0].email, Decimal(400), "USD", d.draw.amount(60, 180), status="frozen")
    for place in range(1, 4):
        limit = Decimal(100 * (4 + place))
        banking.card(d, holders[place].name, holders[place].email, limit, "USD", d.draw.amount(60, 180))
    for place, each in enumerate(holders):
        by = host if place == 0 else hosts[place].name
        d.note("request").leave(
            d,
            title=f"{each.name} travels",
            text=d.rng.choice(
                (
                    f"{each.name} needs a card for the trip and says that it is refused. The trip was booked by "
                    f"{by}, not by me.",
                    f"For {each.name} the journey was arranged and booked by {by}. The card should work before it "
                    "begins.",
                    f"{each.name} travels soon, and the card does not work. All of it was booked by {by}, who is away.",
                )
            ),
            by=HANA,
            days_ago=1 + d.turn(place),
        )
        starts = d.draw.day(9, 24)
        known = replace(hosts[place], email=address) if place == 0 else hosts[place]
        hr.employee(d, known, 311 + place, title="Coordinator", location="London")
        town, job = (city, project) if place == 0 else (cities[place], projects[place])
        _trip(d, each, hosts[place].email, town, job, starts, nights)
    _trip(d, d.draw.person("Larkspur"), spare.email, cities[2], projects[2], d.on(16), nights)
    keys = bands if d.pattern else cities
    if d.pattern:
        leave_rules(
            d,
            d.note("project"),
            title="Project {word}",
            by=HANA,
            wordings=("{word} travels in band {band}.", "For the allowance, {word} is in band {band} since January."),
            rules={name: {"band": band if place == 0 else bands[place]} for place, name in enumerate(projects)},
            older={"band": bands[2]},
            of=projects[0],
        )
    leave_rules(
        d,
        d.note("rule"),
        title="Sum for {word}",
        by=DARIO,
        wordings=(
            "For {word} we put {sum} a night on the card, for meals and trams. The hotel is billed to us.",
            "{word}: each night away means {sum} on the card, hotel not included.",
        ),
        rules={town: {"sum": f"USD {daily if place == 0 else dailies[place]}"} for place, town in enumerate(keys)},
        older={"sum": f"USD {dailies[0] - 6}"},
        of=keys[0],
    )
    leave_noise(d, d.note("rule"), DARIO)

    accounts = banking.balance(d, "USD")
    frozen = d.call("banking", "list_cards", status="frozen", account_id=accounts.at("data.items.0.id"))
    card = d.call("banking", "list_cards", holder_email=frozen.at("data.items.0.holder_email"))
    word = d.note("request").find(d, card.at("data.items.0.holder_name"))
    found = hr.find_employee(d, word.part(r"booked by ([A-Z]\w+ [A-Z]\w+)"))
    trips = d.call("travel", "list_trips", organizer_email=found.at("data.items.0.email"))
    stay = d.call("travel", "get_trip", trip_id=trips.at("data.items.0.id"))
    key = stay.at("data.bookings.0.destination")
    if d.pattern:
        key = d.note("project").find(d, stay.part("data.purpose", r"(PJ-\d+)")).part(r"(BN-\d+)")
    rule = d.note("rule").find(d, key)
    d.act(
        "The card works again, with what is spent already and the daily sum of each night as its limit.",
        "banking",
        "update_card",
        card_id=frozen.at("data.items.0.id"),
        status="active",
        monthly_limit=calc(
            "round(spent + daily * days_between(first, last), 2)",
            spent=card.at("data.items.0.spent_this_month"),
            daily=rule.part(r"USD (\d+\.\d\d)", number=True),
            first=stay.at("data.bookings.0.check_in"),
            last=stay.at("data.bookings.0.check_out"),
        ),
    )
    after = d.call("banking", "list_cards", holder_email=frozen.at("data.items.0.holder_email"))
    left = after.at("data.items.0.left_this_month")
    record = d.entry("log").add(
        d,
        "What is left on the card is entered.",
        title=text("A card works again"),
        words=text("USD {left} left until the end of the month.", left=left),
    )
    d.message("report").send(
        d,
        "Hana knows the entry and what is left on the card.",
        HANA,
        text("The card works, USD {left} are left; see {entry}.", left=left, entry=record),
        about="The card for the trip",
    )
    d.answer(
        "{name} can spend USD {left} until the end of the month, of {limit} in all.",
        name=after.at("data.items.0.holder_name"),
        left=left,
        limit=after.at("data.items.0.monthly_limit"),
    )
    _instruct(d)


def _trip(d: Draft, who: Person, organizer: str, town: str, project: str, starts: date, nights: int) -> None:
    """Plant a trip with one stay, organised by somebody else than the traveller."""
    ends = starts + timedelta(days=nights)
    price = d.draw.amount(90, 160)
    room = travel.hotel(d, f"{d.draw.company().split()[0]} Hotel", town, price, "EUR")
    words = f"Supplier visits for project {project}."
    trip = travel.trip(d, f"Visits of {who.name}", starts, ends, purpose=words, organizer=organizer)
    key = travel.traveller(d, who)
    travel.stay(d, d.draw.code("R"), trip, key, room, starts, ends, price * nights, "EUR")


def _instruct(d: Draft) -> None:
    request, rule, last = d.note("request").where(d), d.note("rule").where(d), d.entry("log")
    d.title("Free a frozen card for a trip")
    d.say(
        "One of the cards on our dollar account is frozen, and its holder is about to travel.",
        "There is a frozen card on the dollar account whose holder needs it for a trip.",
        "Somebody cannot travel because the card on our dollar account is frozen.",
    )
    d.say(
        f"Hana wrote down {request} who booked that trip. Travel has it under that person's name, and HR has their "
        "address.",
        f"The trip was put into Travel by a colleague, whose name Hana gives {request}; to find the trip you need "
        "the colleague's address from the HR directory.",
        f"Find the trip in Travel under whoever booked it. That name is {request}, and HR knows the address.",
    )
    if d.pattern:
        project = d.note("project").where(d)
        d.say(
            f"The project that the trip is for belongs to a band ({project}), and every band has a sum per night, "
            f"{rule}.",
            f"What we pay for a night depends on the project's band. The bands are {project}, the sums {rule}.",
            f"Look up the band of the project behind the trip, {project}, and then what a night in that band is "
            f"worth; you will find that {rule}.",
        )
    else:
        d.say(
            f"For the town they go to there is a daily sum, {rule}.",
            f"Each town has its own sum for a night, which is {rule}; take the one that holds now.",
            f"What we allow per night depends on the town, and the sums are {rule}.",
        )
    d.warn(
        "Sums have been changed, so take the newest note about each.",
        "What was noted twice has changed, and the latest is right.",
        "Where there are several notes about the same, the newest holds.",
    )
    d.say(
        "Make the card active again and set its limit so that exactly the sum for all nights comes on top of what "
        "has been spent this month.",
        "Unfreeze it, with a limit of what was spent this month plus that sum for each night, no more.",
        "The card should work again, and its monthly limit should be what is already spent plus the sum for all "
        "the nights.",
    )
    d.paragraph()
    log, key, how = last.what(d), last.reference(d), d.message("report").how(d, "Hana")
    d.say(
        f"Enter what is left on the bank card in {log}, and {how} with the same sum and {key}.",
        f"Then make {log} that says what is left on the bank card, and {how}: the remaining sum and {key}.",
        f"I would like {log} with what can still be spent from the bank card, and then {how} to pass on that sum "
        f"and {key}.",
    )
    d.say(
        "Whose card was it, what is the new limit, and how much is left?",
        "Tell me whose card it is, the new limit and the sum that is left.",
        "Let me know the holder, the new limit and what is left.",
    )
