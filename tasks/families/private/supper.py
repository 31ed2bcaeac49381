"""An evening for charity: friends want seats, and their club has a discount."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, called, sentence
from tasks.places import events
from tasks.places.rules import leave_noise, leave_rules

PRIYA, ELENA, DARIO, LUIS, RUTH = (COLLEAGUES[place] for place in (2, 4, 5, 7, 12))

_EVENINGS = ("supper", "concert", "quiz", "auction", "reading", "dance", "bazaar", "recital", "tombola", "fair")


@family(
    "seats-for-charity",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "series": WORD_LEFT,
        "office": ("events",),
        "names": WORD_LEFT,
        "perk": WORD_LEFT,
        "log": KEPT,
        "diary": KEPT,
        "tell": TOLD,
    },
    patterns=(
        "ask office names perk office log tell",
        "ask series office names perk office log diary tell",
    ),
    filed="log",
)
def seats_for_charity(d: Draft) -> None:
    """Mara runs evenings for charity in her spare time. A friend's guests want seats for one of them; who they are is
    listed by the evening's code, and the club they belong to has a discount code. Hard: evenings that are named
    alike, lists of other evenings, a code that was replaced, ordinary and patrons' seats; what is left is new after
    the order.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    friend = d.rng.choice([PRIYA, ELENA, DARIO, LUIS])
    stem = d.draw.company().split()[0]
    kinds = d.rng.sample(_EVENINGS, many)
    titles = [f"{stem if n < 3 else d.draw.company().split()[0]} {kind}" for n, kind in enumerate(kinds)]
    pairs = [(d.draw.person(), d.draw.person()) for _ in range(many + 1)]
    clubs = [f"{name} Rowers" for name in brands(d, many)]
    codes = [d.draw.code("CH").replace("-", "") for _ in titles]
    numbers = [events.event_number(d) for _ in titles]
    series = [d.draw.code("EVE") for _ in titles]
    title = d.fact("evening", titles[0], titles[1])
    other = 120 + d.rng.randint(1, 60)
    number = d.fact("number", numbers[0], other)
    club = d.fact("club", clubs[0], clubs[1])
    code = d.fact("discount", codes[0], codes[2])
    running = d.fact("series", series[0], series[1]) if long else series[0]

    planted = []
    for place, name in enumerate(titles):
        sold, patrons = d.rng.randint(11, 40), d.rng.randint(1, 5)
        planted.append(
            events.event(
                d,
                name,
                venue=f"{d.draw.company().split()[0]} Hall",
                city="London",
                starts=d.ago(-(12 + 3 * d.turn(place)), 19),
                currency="GBP",
                kinds=(("Seat", f"{d.rng.randint(9, 30)}.00", 70, sold), ("Patron seat", "60.00", 12, patrons)),
                number=number if place == 0 else numbers[place],
            )
        )
    for evening in planted[:2]:
        for one in codes:
            events.discount_code(d, evening, one, str(d.rng.choice((10, 15, 20, 25))))
    pointer = f"evening {running} of the spring series" if long else f"the {title}"
    d.note("ask").leave(
        d,
        title="Two seats for charity",
        text=d.rng.choice(
            (
                f"Could you keep two seats for charity friends of mine? It is about {pointer}; ordinary ones will do.",
                f"Two of my neighbours want to come to your seats for charity thing, {pointer}. Ordinary seats, "
                "please.",
            )
        ),
        by=friend,
        days_ago=1,
    )
    for place, (one, name) in enumerate(zip(series, titles, strict=True) if long else ()):
        what = title if place == 0 else name
        said = d.rng.choice((f"{one} is the {what}, doors at half past six.", f"{one}, the {what}: bring change."))
        d.note("series").leave(d, title=f"Evening {one}", text=said, by=friend, days_ago=20 + d.turn(place))
    guests = [*(f"EV-{one}" for one in numbers), f"EV-{other}"]
    leave_rules(
        d,
        d.note("names"),
        title="Guests for {word}",
        by=friend,
        wordings=(
            "For {word}: {a} ({a_mail}) pays and brings {b} ({b_mail}). Both are with the {club}.",
            "{word}: I bring {a} ({a_mail}), who pays, and {b} ({b_mail}), both of them from the {club}.",
        ),
        rules={one: _guests(pairs[n]) | {"club": club if n == 0 else clubs[n % many]} for n, one in enumerate(guests)},
        older=_guests(pairs[2]) | {"club": clubs[-1]},
        of=guests[0],
    )
    leave_rules(
        d,
        d.note("perk"),
        title="Discount of the {word}",
        by=RUTH,
        wordings=(
            "The {word} get a discount at all of your evenings: code {code}.",
            "Members of the {word} book with {code}, as I promised them.",
        ),
        rules={one: {"code": code if n == 0 else codes[n]} for n, one in enumerate(clubs)},
        older={"code": codes[-1]},
        of=clubs[0],
    )
    leave_noise(d, d.note("ask"), RUTH)

    told = d.note("ask").find(d, "seats for charity")
    if long:
        told = d.note("series").find(d, told.part(r"(EVE-\d+)"))
    found = d.call("events", "list_events", query=told.part(rf"the ([A-Z]\w+ (?:{'|'.join(_EVENINGS)}))"))
    key = found.at("data.items.0.id")
    before = d.call("events", "get_event", event_id=key)
    names = d.note("names").find(d, found.at("data.items.0.code"))
    seat = before.at("data.ticket_types.[name=Seat].id")
    payer = {"name": names.part(r"(?:For EV-\d+:|I bring) (\w+ \w+) \("), "email": names.part(r"^[^(]*\((\S+@\S+)\)")}
    other_guest = {
        "name": names.part(r"(?:brings|pays, and) (\w+ \w+) \("),
        "email": names.part(r"\(\S+@\S+\)[^(]*\((\S+@\S+)\)"),
    }
    perk = d.note("perk").find(d, names.part(r"(?:with|from) the (\w+ Rowers)"))
    order = d.act(
        "Both guests have ordinary seats in one order that the right one pays, with the club's discount.",
        "events",
        "create_order",
        event_id=key,
        buyer_name=payer["name"],
        buyer_email=payer["email"],
        attendees=[{"ticket_type_id": seat, **payer}, {"ticket_type_id": seat, **other_guest}],
        discount_code=perk.part(r"(CH\d+)"),
    )
    after = d.call("events", "get_event", event_id=key)
    left, total, number_ = (
        after.at("data.ticket_types.[name=Seat].available"),
        order.at("data.total"),
        order.at("data.code"),
    )
    kept = d.entry("log").add(
        d,
        "The order, what it comes to and how many ordinary seats are left are on record.",
        title=text("Seats sold to friends"),
        words=text("{order}: GBP {total}; {left} seats are left.", order=number_, total=total, left=left),
    )
    if long:
        kept = d.entry("diary").add(
            d,
            "The day of the evening says which record the order has.",
            title=text("Guests of friends"),
            words=text("Their order is in {kept}.", kept=kept),
            day=before.part("data.starts_at", r"(\d{4}-\d\d-\d\d)"),
        )
    d.message("tell").send(
        d,
        f"{friend.name} knows the order, what it comes to, and the id of the record.",
        friend,
        text("Done: order {order}, GBP {total}. See {kept}.", order=number_, total=total, kept=kept),
        about="Two seats",
    )
    d.answer("Order {order} over GBP {total}; {left} seats are left.", order=number_, total=total, left=left)
    _say(d, called(friend), long)


def _guests(pair: tuple[Person, Person]) -> dict[str, object]:
    first, second = pair
    return {"a": first.name, "a_mail": first.email, "b": second.name, "b_mail": second.email}


def _say(d: Draft, friend: str, long: bool) -> None:
    ask, names, perk = (d.note(role).where(d) for role in ("ask", "names", "perk"))
    d.title("Two seats for one of the charity evenings")
    d.say(
        f"{friend} would like seats for charity at one of the evenings I run; the message is {ask}.",
        f"You remember my charity evenings at the box office. {friend} wants seats for charity and says more {ask}.",
        f"Sell two seats for me, please: {friend} wrote about seats for charity {ask}.",
    )
    if long:
        series = d.note("series").where(d)
        d.say(
            f"You can look up what each evening of the spring series is {series}.",
            f"The spring series is listed {series}.",
        )
    d.say(
        f"{friend} keeps the names of the two by the code that the evening has at the box office, {names}; whoever "
        "is said to pay is the buyer. The latest list is the right one.",
        f"The names are {names}, under the evening's box office code. Make it one order for the two of them in the "
        "name of the one who pays, from the list as it is now.",
        f"{friend} lists the guests {names}, by the code of the evening. Take the newest list: one order, in the "
        "name of whoever pays, with a seat for each of the two.",
    )
    d.say(
        "Their club has a discount; Ruth told me the codes "
        f"{perk}.{d.stale(' She had to replace some, so use the last one.')}",
        "Use their club's discount. Ruth has given me the codes "
        f"{perk}{d.stale(', and where there are two the newer one works')}.",
    )
    log = d.entry("log")
    d.say(
        f"Then make {log.what(d)} with the order's code, what it comes to and how many ordinary seats are still to be "
        "had.",
        f"Keep {log.what(d)} for me: the code of the order, its total, and the number of ordinary seats left after it.",
        f"For the accounts I need {log.what(d)}: which order it is (its code), the total, and the ordinary seats that "
        "remain.",
    )
    last = log
    if long:
        last = d.entry("diary")
        d.say(
            f"On the day of the evening I want {last.what(d)} that says {log.reference(d)}.",
            f"And add {last.what(d)} for the date of the evening which gives {log.reference(d)}.",
        )
    d.paragraph()
    tell = d.message("tell").how(d, friend)
    made = ", the one you made last" if long else ""
    d.say(
        f"{sentence(tell)} with the order's code, its total and {last.reference(d)}{made}. Tell me the code, the "
        "total and the seats left.",
        f"To finish, {tell} with the order's code, what it comes to, and {last.reference(d)}{made}. Tell me the "
        "code, the total and how many seats are left.",
    )
