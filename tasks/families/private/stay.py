"""Away for some days: a friend stays on as long as the hotel's rate holds."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, calc, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, called
from tasks.places import travel
from tasks.places.rules import leave_noise, leave_rules

ELENA, NILS, SOFIA, KENJI, RUTH = (COLLEAGUES[place] for place in (4, 9, 10, 11, 12))

_TOWNS = (("Bergen", "EUR"), ("Bruges", "EUR"), ("Galway", "EUR"), ("Bath", "GBP"), ("Whitby", "GBP"))
_FEASTS = ("Anniversary", "Reunion", "Birthday", "Weekend")


@family(
    "stay-a-little-longer",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "circle": WORD_LEFT,
        "trip": ("travel",),
        "rate": WORD_LEFT,
        "kitty": WORD_LEFT,
        "log": KEPT,
        "diary": KEPT,
        "tell": TOLD,
    },
    patterns=(
        "ask trip rate trip kitty log tell",
        "ask circle trip rate trip kitty log diary tell",
    ),
    filed="log",
)
def stay_a_little_longer(d: Draft) -> None:
    """Friends travel together on a trip that Mara booked. One guest stays on until the last day of the hotel's winter
    rate; the kitty of the trip's hotel pays a share of the new total. Hard: guests with the same first name, hotels
    that share one, a date that was changed, a fee for the change, and a total that is new afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    town, currency = d.rng.choice(_TOWNS)
    friend = d.rng.choice([ELENA, NILS, SOFIA, KENJI])
    guests = [d.draw.person()]
    while len(guests) < many:
        name = d.draw.near(guests[0].name)
        guests.append(Person(name, f"{name.lower().replace(' ', '.')}@mailbox.example", "", ""))
    stem = d.draw.company().split()[0]
    houses = [f"{stem if n < 3 else d.draw.company().split()[0]} {kind}" for n, kind in enumerate(_kinds(d, many))]
    circles = [d.draw.code("GL") for _ in guests]
    feast = d.rng.choice(_FEASTS)
    titles = [f"{feast} in {town}, {name} party" for name in brands(d, many)]
    prices = [d.draw.amount(70, 140, "1.00") for _ in houses]
    shares = [d.draw.count(11, 39) for _ in houses]
    # A Friday: they are weekend guests.
    start = d.on(d.rng.choice((11, 18)))
    lasts = [start + timedelta(days=d.rng.randint(4, 7)) for _ in houses]
    guest, house = d.fact("guest", guests[0], guests[1]), d.fact("hotel", 0, 2)
    last = d.fact("last-day", lasts[0], lasts[0] + timedelta(days=1))
    share = d.fact("share", shares[0], shares[0] + 4)
    circle = d.fact("list", circles[0], circles[1]) if long else circles[0]

    fee = Decimal(d.rng.choice(("0", "12.00", "15.00", "18.00")))
    offers = [
        travel.hotel(d, name, town, price, currency, change_fee=fee) for name, price in zip(houses, prices, strict=True)
    ]
    title = d.fact("trip-title", titles[0], f"{feast} in {town}, second party")
    for place, person in enumerate(guests):
        name = title if place == 0 else titles[place]
        trip = travel.trip(d, name, start, start + timedelta(days=12), purpose="Private.")
        at = house if place == 0 else place
        who = travel.traveller(d, person)
        ends = start + timedelta(days=2)
        number = f"T{d.draw.count(10_000, 99_999)}"
        travel.stay(d, number, trip, who, offers[at], start, ends, prices[at] * 2, currency)
        for _ in range(d.dials.stale if place == 0 else 0):
            gone = f"T{d.draw.count(10_000, 99_999)}"
            cost = prices[3] * 2
            travel.stay(d, gone, trip, who, offers[3], start, ends, cost, currency, status="cancelled")
    pointer = f"{circle} on the guest list" if long else guest.name
    d.note("ask").leave(
        d,
        title="Somebody wants to stay longer",
        text=d.rng.choice(
            (
                f"One of our weekend guests would like to stay on a few days, it is {pointer}. Can the room be kept?",
                f"About our weekend guests: {pointer} fell in love with the place and wants to stay on.",
            )
        ),
        by=friend,
        days_ago=1,
    )
    for place, (code, person) in enumerate(zip(circles, guests, strict=True) if long else ()):
        name = guest.name if place == 0 else person.name
        said = d.rng.choice((f"{code} on the guest list is {name}, vegetarian.", f"{code}: {name}, arrives by train."))
        d.note("circle").leave(d, title=f"Guest {code}", text=said, by=friend, days_ago=8 + d.turn(place))
    leave_rules(
        d,
        d.note("rate"),
        title="Winter rate of {word}",
        by=RUTH,
        wordings=(
            "{word} keeps its winter rate for everybody who checks out by {day}.",
            "The winter rate holds at {word} up to a check-out on {day}.",
        ),
        rules={name: {"day": last if n == 0 else lasts[n]} for n, name in enumerate(houses)},
        older={"day": start + timedelta(days=3)},
        of=houses[0],
    )
    leave_rules(
        d,
        d.note("kitty"),
        title="Kitty for {word}",
        by=RUTH,
        wordings=(
            "{word}: {share} percent of the whole trip come out of our kitty.",
            "For the trip {word} our kitty pays {share} percent of what it costs in the end.",
        ),
        rules={name: {"share": shares[n]} for n, name in enumerate((title, *titles[1:]))}
        | {titles[0]: {"share": share}},
        older={"share": 10},
        of=titles[0],
    )
    leave_noise(d, d.note("ask"), RUTH)

    told = d.note("ask").find(d, "weekend guests")
    if long:
        told = d.note("circle").find(d, told.part(r"(GL-\d+)"))
    name = told.part(r"(?:it is|guests:|GL-\d+:|list is) ([A-Z]\w+ [A-Z]\w+)")
    known = d.call("travel", "list_travellers", query=name)
    booked = d.call(
        "travel", "list_bookings", traveller_id=known.at("data.items.0.id"), kind="hotel", status="confirmed"
    )
    key = booked.at("data.items.0.id")
    d.call("travel", "get_booking", booking_id=key)
    rate = d.note("rate").find(d, booked.at("data.items.0.provider"))
    d.act(
        "The guest keeps the room until the last day of the hotel's winter rate.",
        "travel",
        "update_booking",
        booking_id=key,
        check_out=rate.part(r"(\d{4}-\d\d-\d\d)"),
    )
    after = d.call("travel", "get_booking", booking_id=key)
    whole = d.call("travel", "get_trip", trip_id=after.at("data.trip_id"))
    total, day = after.at("data.cost"), after.at("data.check_out")
    kitty = d.note("kitty").find(d, whole.at("data.title"))
    part = calc("round(total * share / 100, 2)", total=total, share=kitty.part(r"(\d+) percent", number=True))
    kept = d.entry("log").add(
        d,
        "What the kitty pays, and of what total, is on record.",
        title=text("Kitty for the trip"),
        words=text("The trip costs {total}, the kitty pays {part}.", total=total, part=part),
    )
    if long:
        kept = d.entry("diary").add(
            d,
            "The new day of departure is noted, with the record of the kitty.",
            title=text("Departure"),
            words=text("What the kitty pays: {kept}.", kept=kept),
            day=day,
        )
    d.message("tell").send(
        d,
        f"{friend.name} knows until when the room is kept, what the trip costs, what the kitty pays and where that is "
        "filed.",
        friend,
        text(
            "The room is kept until {day}. The trip comes to {total}, the kitty pays {part}; see {kept}.",
            day=day,
            total=total,
            part=part,
            kept=kept,
        ),
        about="Staying on",
    )
    d.answer("The trip comes to {total}, of which the kitty pays {part}.", total=total, part=part)
    _say(d, called(friend), long)


def _kinds(d: Draft, many: int) -> list[str]:
    return d.rng.sample(
        ("House", "Lodge", "Inn", "Court", "Rooms", "Garden", "Terrace", "Villa", "Hall", "Cottage"), many
    )


def _say(d: Draft, friend: str, long: bool) -> None:
    ask, rate, kitty = (d.note(role).where(d) for role in ("ask", "rate", "kitty"))
    d.title("One of the weekend guests stays on")
    d.say(
        f"One of our weekend guests wants to stay on; {friend} says {ask} who it is.",
        f"{friend} has a request about our weekend guests, which you will find {ask}. I booked all of them at the "
        "travel desk.",
        f"Could you extend a room for me? {friend} wrote about one of our weekend guests {ask}.",
    )
    if long:
        where = d.note("circle").where(d)
        d.say(f"The guest list with the names is {where}.", f"For the name behind a guest number look {where}.")
    d.say(
        "Keep the same room as long as that hotel's winter rate lasts, so the check-out is on the last day of it. "
        f"Ruth tracks those dates {rate}{d.stale('; one of them has changed, and the later note is right')}.",
        "The stay may go on until the hotel's winter rate ends and not a night longer: check out on that last day, "
        f"which you can read in what Ruth wrote last {rate}.",
        "Same room, same rate: the stay ends on the last check-out for which that hotel grants its winter rate. "
        f"Ruth has noted those days {rate}{d.stale(', some of them twice; what she wrote last is right')}.",
    )
    d.say(
        "Our kitty pays its share of what that trip costs in all once this is done. The percentage depends on the "
        f"trip and is {kitty}{d.stale('; the latest counts')}. Round to cents.",
        "Then work out our kitty's part of the trip's new total. Ruth has set a percentage for each of my trips, "
        f"{kitty}{d.stale('; the latest counts')}. I need it to the cent.",
    )
    log, tell = d.entry("log"), d.message("tell").how(d, friend)
    d.say(
        f"Make {log.what(d)} with the new total of the trip and the kitty's part.",
        f"Write total and kitty down as {log.what(d)}.",
        f"Both figures, the trip's total and our part, go into {log.what(d)}.",
    )
    last = log
    if long:
        last = d.entry("diary")
        d.say(
            f"Put {log.reference(d)} into {last.what(d)} on the new day of departure.",
            f"I want {last.what(d)} for the day of departure, too, and it should give {log.reference(d)}.",
        )
    d.paragraph()
    d.say(
        f"At the end {tell}: until when the room is kept, the trip's total, the kitty's part and {last.reference(d)}"
        f"{', the one you made last' if long else ''}. Tell me total and part.",
        f"Finally {tell} with the day of departure, the total, what the kitty pays and "
        f"{last.reference(d)}{', the one you made last' if long else ''}. I need the total and the kitty's part, "
        "too.",
    )
