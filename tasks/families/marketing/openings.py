"""An event goes on sale: tickets, a partner's code, a mailing and a post."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES, names
from tasks.families.roles import sentence
from tasks.places import events
from tasks.places.rules import leave_noise, leave_rules

OSCAR, TOBIAS, HANA = COLLEAGUES[13], COLLEAGUES[1], COLLEAGUES[6]
SERIES = ("open-sea", "harvest", "night-shift", "allotment", "apprentice", "fire-service", "lambing", "orchestra")
LABELS = ("Spring catalogue", "Trail range", "Care plan")
ON_SALE = "The event is on sale, with the seats, the price and the partner's code of its price class."


@family(
    "event-goes-on-sale",
    area="marketing",
    roles={
        "go": OFFICE_NOTES,
        "rooms": OFFICE_NOTES,
        "office": ("events",),
        "class": OFFICE_NOTES,
        "mailing": ("campaigns",),
        "desk": ("social",),
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "go office class office desk mailing report",
        "go rooms office class office desk mailing log report",
    ),
    filed="log",
)
def event_goes_on_sale(d: Draft) -> None:
    """One of several drafted workshops may be sold. It names a price class, the class says how many seats there are,
    what they cost, and which partner's code takes how much off. Then a mailing and a post are drafted that announce
    it. Hard: drafts that differ in a number, classes with last year's prices, a second kind of ticket that stays as it
    is, figures that the event does not have before, and two drafts that belong together.
    """
    size, series = 1 + d.dials.alike, d.rng.choice(SERIES)
    classes, rooms, partners = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("PC", "RM", "FRIEND"))
    codes = d.rng.sample(range(20, 99), size)
    titles = [f"{series.capitalize()} workshop, {place}" for place in names(d, size, "Court")]
    number = d.fact("event", codes[0], codes[1])
    room = d.fact("room", rooms[0], rooms[1]) if d.pattern else rooms[0]
    grade, friend = d.fact("price-class", classes[0], classes[1]), d.fact("partner-code", partners[0], partners[1])
    price = d.fact("price", *d.rng.sample((22.5, 28, 34.5, 42, 55), 2))
    seats = d.fact("seats", *d.rng.sample(range(31, 90), 2))
    percent = d.fact("percent", *d.rng.sample((8, 12, 15, 20), 2))
    label = d.rng.choice(LABELS)
    for place, title in enumerate(titles):
        events.event(
            d,
            title,
            venue="Cedar Hall",
            city="London",
            starts=d.ago(-40 - place, 9),
            status="draft",
            kinds=(("Student", "10.00", 12 + place, 0),),
            number=codes[place],
            description=f"Price class {grade if place == 0 else classes[place]}.",
        )
    told = f"room {room}" if d.pattern else f"EV-{number}"
    d.note("go").leave(
        d,
        title=f"{series.capitalize()} workshops",
        text=d.rng.choice(
            (
                f"The {series} workshops are planned. Sell {told} from today, the speaker has signed. The other drafts "
                f"have to wait for theirs.",
                f"For {told} everything is settled, so that one of the {series} workshops can go on sale. Not the rest "
                "yet.",
            )
        ),
        by=OSCAR,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("rooms"),
            title="Bookings of {word}",
            by=HANA,
            wordings=("{word} is kept for {event}.", "In {word} we have {event}, all day."),
            rules={code: {"event": f"EV-{number if place == 0 else codes[place]}"} for place, code in enumerate(rooms)},
            older={"event": f"EV-{codes[2]}"},
            of=rooms[0],
        )
    leave_rules(
        d,
        d.note("class"),
        title="Price class {word}",
        by=TOBIAS,
        wordings=(
            "{word}: {seats} seats at EUR {price}. With the code {friend} a partner's guests pay {percent} % less.",
            "Events of {word} have {seats} seats for EUR {price} each; {friend} takes {percent} % off for a partner's "
            "guests.",
        ),
        rules={
            code: {"seats": seats, "price": price, "friend": friend, "percent": percent}
            if place == 0
            else {
                "seats": d.beside.randint(31, 89),
                "price": d.beside.choice((18.5, 24, 31.5, 38, 46)),
                "friend": partners[place],
                "percent": d.beside.choice((5, 10, 14, 18)),
            }
            for place, code in enumerate(classes)
        },
        older={"seats": 25, "price": 15, "friend": partners[2], "percent": 25},
        of=classes[0],
    )
    leave_noise(d, d.note("go"), HANA)

    word: Template = d.note("go").find(d, series).part(r"((?:RM-\d+)|(?:EV-\d+))")
    if d.pattern:
        word = d.note("rooms").find(d, word).part(r"(EV-\d+)")
    found = d.call("events", "list_events", query=word, status="draft")
    d.call("events", "list_events", query=series, status="draft")
    event = d.call("events", "get_event", event_id=found.at("data.items.0.id"))
    rule = d.note("class").find(d, event.part("data.description", r"(PC-\d+)"))
    which = event.at("data.id")
    d.act(
        ON_SALE,
        "events",
        "create_ticket_type",
        event_id=which,
        name="Full day",
        price=rule.part(r"EUR ([0-9.]+\d)", number=True),
        capacity=rule.part(r"(\d+) seats", number=True),
    )
    d.act(
        ON_SALE,
        "events",
        "create_discount_code",
        event_id=which,
        code=rule.part(r"(FRIEND-\d+)"),
        kind="percent",
        value=rule.part(r"(\d+) %", number=True),
    )
    d.act(ON_SALE, "events", "set_event_status", event_id=which, status="on_sale")
    sold = d.call("events", "get_event", event_id=which)
    following = d.call("events", "list_events", query=series, status="draft").at("data.items.0.code")
    seats_ = sold.at("data.ticket_types.0.available")
    places = d.call("social", "list_channels", network="professional")
    marks = d.call("social", "list_labels")
    post = d.act(
        "A post with the event's title and its seats is drafted under the label.",
        "social",
        "create_post",
        channel_id=places.at("data.items.[name=Larkspur at Work].id"),
        text=text("{title}: {seats} seats. Who comes?", title=sold.at("data.title"), seats=seats_),
        label_id=marks.at(f"data.items.[name={label}].id"),
    )
    lists = d.call("campaigns", "list_audiences")
    looks = d.call("campaigns", "list_templates", query="Offer with one product")
    drafted = d.act(
        "A mailing to the trade customers is drafted with the event's title as subject, tagged with the post's id.",
        "campaigns",
        "create_campaign",
        name=text("Now on sale"),
        audience_id=lists.at("data.items.[name=Trade customers].id"),
        template_id=looks.at("data.items.0.id"),
        subject=text("{title}", title=sold.at("data.title")),
        tags=[post.at("data.id")],
    )
    where = drafted.at("data.id")
    if d.pattern:
        where = d.entry("log").add(
            d,
            "It is entered which mailing waits.",
            title=text("A mailing to release"),
            words=text("{mailing}", mailing=drafted.at("data.id")),
        )
    d.message("report").send(
        d,
        "Oscar knows the event, its seats and where the announcement is.",
        OSCAR,
        text(
            "{title} is on sale with {seats} seats. See {where}.",
            title=sold.at("data.title"),
            seats=sold.at("data.ticket_types.0.available"),
            where=where,
        ),
        about="On sale",
    )
    d.answer(
        "{code} is on sale: {seats} seats. The next draft is {following}.",
        code=sold.at("data.code"),
        seats=sold.at("data.ticket_types.0.available"),
        following=following,
    )
    _instruct(d, series, label)


def _instruct(d: Draft, series: str, label: str) -> None:
    d.title(f"Put one of the {series} workshops on sale")
    d.say(
        f"One of the {series} workshops can go on sale now; Oscar says which {d.note('go').where(d)}.",
        f"Oscar gave the go-ahead for one of our {series} workshops {d.note('go').where(d)}. Please open the sale.",
    )
    if d.pattern:
        d.say(
            f"What each room is booked for is noted {d.note('rooms').where(d)}.",
            f"{sentence(d.note('rooms').where(d))} you can see which event a room is kept for.",
        )
    d.say(
        "Its price class stands in the event, and what that means in seats, price and partner's code is "
        f"{d.note('class').where(d)}. Call the tickets Full day. The student tickets are right as they are.",
        f"Tickets called Full day, and the code for partners, have to be set up as its price class says "
        f"({d.note('class').where(d)}, the figures of this year). Leave the student tickets alone.",
    )
    d.warn(
        "Of several notes about the same the newest holds.",
        "What was set earlier no longer counts, so take the latest.",
    )
    d.paragraph()
    d.say(
        f"Then draft a post on Larkspur at Work, labelled {label}, that gives the event's title and the number of "
        "seats.",
        f"Announce it: a draft of a post for Larkspur at Work under the label {label}, with the title and how many "
        f"seats there are.",
    )
    d.say(
        "The trade customers get a mailing in the template Offer with one product, with the title as its subject. "
        "Draft it and tag it with the id of the post, so that we can count both together. Do not send it.",
        "We also need a draft of a mailing for the trade customers, in the template Offer with one product: the "
        "event's title for a subject, and the post's id as its only tag.",
    )
    if d.pattern:
        d.say(
            f"So that Oscar finds the mailing, make {d.entry('log').what(d)} with its id.",
            f"Add {d.entry('log').what(d)} that gives the id of the mailing.",
        )
    last = d.entry("log").reference(d) if d.pattern else "the id of the mailing"
    d.say(
        f"{sentence(d.message('report').how(d, 'Oscar'))}: the event's title, how many seats, and {last}.",
        f"When all that is there, {d.message('report').how(d, 'Oscar')} with the title, the number of seats and "
        f"{last}.",
    )
    d.say(
        f"I need the event's code and the number of seats, and the code of the {series} workshop that comes first "
        "among those which are still drafts then.",
        f"Tell me its code, how many seats we sell, and which of the {series} workshops that are left as drafts is the "
        "earliest, by its code.",
    )
