"""A larger hall for an event that is sold out."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES, names
from tasks.families.roles import sentence
from tasks.places import events, social
from tasks.places.rules import leave_noise, leave_rules

OSCAR, HANA, RUTH = COLLEAGUES[13], COLLEAGUES[6], COLLEAGUES[12]
SERIES = ("open-sea", "harvest", "night-shift", "allotment", "apprentice", "fire-service", "lambing", "festival")
CITIES = ("Hertford", "Lyon", "Dublin", "Austin", "Perth", "Toronto")


@family(
    "event-gets-a-larger-hall",
    area="marketing",
    roles={
        "offer": OFFICE_NOTES,
        "halls": OFFICE_NOTES,
        "office": ("events",),
        "safety": OFFICE_NOTES,
        "desk": ("social",),
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "offer office safety office desk log report",
        "offer halls office safety office desk office log report",
    ),
    filed="log",
)
def event_gets_a_larger_hall(d: Draft) -> None:
    """The host of a sold-out evening offers a larger hall. The event names a fire plan, the plan how many people it
    admits and how many of them are ours; the rest are seats. Whoever waits is offered some by itself, and somebody who
    asked on social hears how many are left. Hard: evenings of a series that differ in town and number, a capacity to
    be computed, plans with older figures, tickets that are held for the waitlist and so not free, a number of seats
    that goes stale.
    """
    size, series = 1 + d.dials.alike, d.rng.choice(SERIES)
    plans, halls = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("FP", "HL"))
    codes = d.rng.sample(range(20, 99), size)
    towns = [d.rng.choice(CITIES) for _ in range(size)]
    number = d.fact("event", codes[0], codes[1])
    hall = d.fact("hall", halls[0], halls[1]) if d.pattern else halls[0]
    plan = d.fact("plan", plans[0], plans[1])
    people, staff = d.fact("people", *d.rng.sample(range(48, 90), 2)), d.fact("staff", *d.rng.sample((3, 4, 5, 6), 2))
    title = [f"{series.capitalize()} evening, {house}" for house in names(d, size, "House")]
    asks = d.fact("guest", 0, 1)
    price = d.rng.choice(("18.00", "24.00", "35.00"))
    guests = [d.draw.person() for _ in range(3)]
    for place in range(size):
        seats = 30 + place
        evening = events.event(
            d,
            title[place],
            venue="Small hall",
            city=towns[place],
            starts=d.ago(-24 - d.turn(place), 18),
            kinds=(("Seat", price, seats, seats),),
            number=codes[place],
            description=f"Fire plan {plan if place == 0 else plans[place]}.",
        )
        for queued in range(2):
            events.waiting(d, evening, "Seat", d.draw.person(), 1 + queued, 6 - queued)
        who = guests[asks] if place == 0 else d.draw.person()
        words = f"Is there any chance to get into the {title[place]}? My address is {who.email}."
        social.message(d, who, words, kind="mention", sentiment="neutral", at=d.ago(1, 11, 59 - d.turn(place)))
    told = f"hall {hall}" if d.pattern else f"EV-{number}"
    d.note("offer").leave(
        d,
        title=f"{series.capitalize()} evenings: more room",
        text=d.rng.choice(
            (
                f"The host rang about our {series} evenings. For {told} they offer the large hall at the same price, "
                f"and I have said yes. All the others stay as they are.",
                f"{series.capitalize()} evenings: at {told} we get the large hall instead of the small one. That "
                f"should do away with the waitlist.",
            )
        ),
        by=HANA,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("halls"),
            title="Who sits in {word}",
            by=RUTH,
            wordings=("{word} is booked for {event}.", "We have {word} for {event} and nothing else."),
            rules={code: {"event": f"EV-{number if place == 0 else codes[place]}"} for place, code in enumerate(halls)},
            older={"event": f"EV-{codes[2]}"},
            of=halls[0],
        )
    leave_rules(
        d,
        d.note("safety"),
        title="Fire plan {word}",
        by=RUTH,
        wordings=(
            "{word}: the large hall admits {people} persons, and {staff} of them are ours.",
            "By {word} there may be {people} persons in the large hall. That includes {staff} of us, so nobody sells "
            "those.",
        ),
        rules={
            code: {
                "people": people if place == 0 else d.beside.randint(48, 89),
                "staff": staff if place == 0 else d.beside.randint(3, 6),
            }
            for place, code in enumerate(plans)
        },
        older={"people": 95, "staff": 2},
        of=plans[0],
    )
    leave_noise(d, d.note("offer"), HANA)

    word: Template = d.note("offer").find(d, series).part(r"((?:HL-\d+)|(?:EV-\d+))")
    if d.pattern:
        word = d.note("halls").find(d, word).part(r"(EV-\d+)")
    found = d.call("events", "list_events", query=word)
    event = d.call("events", "get_event", event_id=found.at("data.items.0.id"))
    counter = d.rng.choice(("get_event", "get_sales_summary"))
    d.call("events", counter, event_id=event.at("data.id"))
    rule = d.note("safety").find(d, event.part("data.description", r"(FP-\d+)"))
    capacity = calc(
        "people - staff",
        people=rule.part(r"(\d+) persons", number=True),
        staff=rule.part(r"(\d+) of (?:them|us)", number=True),
    )
    d.act(
        "The event's tickets are as many as the fire plan leaves for guests.",
        "events",
        "update_ticket_type",
        ticket_type_id=event.at("data.ticket_types.0.id"),
        capacity=capacity,
    )
    now = d.call("events", counter, event_id=event.at("data.id"))
    left = now.at("data.ticket_types.0.available")
    asked = d.call("social", "list_messages", query=event.at("data.title"))
    answer = d.act(
        "Whoever asked on social is told how many seats are left.",
        "social",
        "reply_to_message",
        output=True,
        message_id=asked.at("data.items.0.id"),
        text=text("Yes! {left} seats are left.", left=left),
    )
    who = answer.at("data.message.author_name")
    if d.pattern:
        bought = d.act(
            "Whoever asked has a ticket.",
            "events",
            "create_order",
            event_id=event.at("data.id"),
            buyer_name=who,
            buyer_email=asked.part("data.items.0.text", r"address is (\S+@\S+)\."),
            attendees=[
                {
                    "ticket_type_id": event.at("data.ticket_types.0.id"),
                    "name": who,
                    "email": asked.part("data.items.0.text", r"address is (\S+@\S+)\."),
                }
            ],
        )
        who = bought.at("data.code")
        left = d.call("events", counter, event_id=event.at("data.id")).at("data.ticket_types.0.available")
    goal = "It is entered for the day of the event " + ("which order it is." if d.pattern else "who asked.")
    task = d.entry("log").add(
        d,
        goal,
        title=text("A seat to keep in mind"),
        words=text("{who}, {code}", who=who, code=now.at("data.code")),
        day=event.part("data.starts_at", r"(\d{4}-\d\d-\d\d)"),
    )
    d.message("report").send(
        d,
        "Hana knows the event, its seats and how many are left, and what was entered.",
        HANA,
        text(
            "{code} has {all} seats now, {left} of them free. See {task}.",
            code=now.at("data.code"),
            all=now.at("data.ticket_types.0.capacity"),
            left=left,
            task=task,
        ),
        about="The large hall",
    )
    d.answer("{code}: {all} seats, {left} free.", code=now.at("data.code"), all=capacity, left=left)
    _instruct(d, series)


def _instruct(d: Draft, series: str) -> None:
    d.title(f"More seats for one of the {series} evenings")
    d.say(
        f"One of our {series} evenings is getting a larger hall; Hana has the news {d.note('offer').where(d)}. "
        "Please make use of it in the box office.",
        f"Good news about the {series} evenings: you can read it {d.note('offer').where(d)}. The extra seats should "
        "go on sale at once.",
    )
    if d.pattern:
        d.say(
            f"Which evening a hall is booked for is {d.note('halls').where(d)}.",
            f"Look up {d.note('halls').where(d)} what is booked where.",
        )
    d.say(
        "How many people may be in there depends on the fire plan that the event mentions, and some of them are our "
        f"own. The plans are {d.note('safety').where(d)}. Sell every seat that is left for guests, no more.",
        f"The event has a fire plan, which you will find {d.note('safety').where(d)}: how many people it allows in the "
        f"large hall, less our own, is the number of tickets from now on.",
    )
    d.warn(
        "Plans are renewed now and then, and only the newest counts.",
        "An older plan is void, so look for the latest.",
    )
    first, after = (", before you sell anything,", "after that sale") if d.pattern else ("", "now")
    d.say(
        f"Somebody has asked for that very evening on social. Answer{first} how many seats are free once the waitlist "
        f"has been offered its share.",
        f"There is a question about that evening in our social inbox. Tell them{first} how many seats are really free "
        f"then, without those held for the waitlist.",
    )
    d.paragraph()
    if d.pattern:
        d.say(
            "Sell them a ticket while you are at it, to the address that they give.",
            "Book them one of the seats right away, they have left their address.",
        )
        d.say(
            f"Then make {d.entry('log').what(d)} for the day of the event with the code of that order and the event's "
            "code.",
            f"For the day of the event I want {d.entry('log').what(d)} that gives the order's code and the event's.",
        )
    else:
        d.say(
            f"Make {d.entry('log').what(d)} for the day of the event with their name and the event's code.",
            f"I want {d.entry('log').what(d)} on the day itself, with the name of whoever asked and the event's code.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, 'Hana'))} in the end: the event's code, how many seats it has, how "
        f"many are free {after}, and {d.entry('log').reference(d)}.",
    )
    d.say(
        "Tell me the same three things: code, seats, free seats.",
        "I need the code, the number of seats and how many are still free.",
    )
