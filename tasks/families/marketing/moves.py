"""An event that moves: box office, invitation and running order have to agree again."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence
from tasks.places import campaigns, events, files
from tasks.places.rules import leave_noise, leave_rules

OSCAR, HANA, PRIYA = COLLEAGUES[13], COLLEAGUES[6], COLLEAGUES[2]
SERIES = ("open-sea", "harvest", "night-shift", "allotment", "apprentice", "fire-service", "lambing", "festival")
PLACES = {"Lyon": "Europe/Paris", "Dublin": "Europe/Dublin", "Austin": "America/Chicago", "Perth": "Australia/Perth"}
INVITED = "The invitation names the new day in its subject and goes out a week before it."


@family(
    "event-moves-to-another-day",
    area="marketing",
    roles={
        "notice": OFFICE_NOTES,
        "speakers": OFFICE_NOTES,
        "office": ("events",),
        "slots": OFFICE_NOTES,
        "mailing": ("campaigns",),
        "store": ("files",),
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "notice office slots office mailing store report",
        "notice speakers office slots office mailing store log report",
    ),
    filed="log",
)
def event_moves_to_another_day(d: Draft) -> None:
    """A speaker cannot come, so one talk of a series moves to its fallback slot. The event gets the slot's times, the
    invitation that waits for its hour the new day, and the running order both. Hard: talks that differ in a number,
    local times with summer time between now and then, slots that were given away, an invitation that must be held
    before it can be changed, a running order known by a tag, and a start that everybody reads wrongly before the move.
    """
    size, series = 1 + d.dials.alike, d.rng.choice(SERIES)
    slots, talks, tags = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("FS", "TK", "iv"))
    codes = d.rng.sample(range(20, 99), size)
    number = d.fact("event", codes[0], codes[1])
    talk = d.fact("talk", talks[0], talks[1]) if d.pattern else talks[0]
    slot, tag = d.fact("slot", slots[0], slots[1]), d.fact("tag", tags[0], tags[1])
    town = d.rng.choice(tuple(PLACES))
    first = d.draw.day(32, 60)
    day = d.fact("day", first, first + timedelta(days=1))
    start, end = d.fact("start", *d.rng.sample(("16:30", "17:00", "17:30", "18:00"), 2)), "20:15"
    letters = [d.draw.code("RO") for _ in range(size)]
    letter = d.fact("file", letters[0], letters[1])
    for place in range(size):
        title = f"{series.capitalize()} talk with {d.draw.person().name}"
        events.event(
            d,
            title,
            venue="Old Boathouse",
            city=town,
            starts=d.ago(-18 - d.turn(place), 17),
            number=codes[place],
            description=f"If the speaker cannot come: fallback slot {slot if place == 0 else slots[place]}.",
            kinds=(("Seat", "15.00", 60, 12 + place),),
            sales_end=d.at(d.on(60), 20),
        )
        campaigns.campaign(
            d,
            f"Invitation: {title}",
            "aud_trade",
            template="tpl_notice",
            subject=f"{title}, in {15 + d.turn(place)} days",
            status="scheduled",
            tags=(tag if place == 0 else tags[place],),
            at=d.ago(-8 - d.turn(place), 10),
            days_ago=5,
        )
    for place, code in enumerate(tags):
        name = letter if place == 0 else letters[place]
        words = f"Running order for the talk whose invitation is tagged {code}.\n\nDoors, welcome, talk, questions."
        files.item(d, f"Running order {name}.md", content=words, at=d.ago(6 + d.turn(place), 10))
    told = f"talk {talk}" if d.pattern else f"EV-{number}"
    d.note("notice").leave(
        d,
        title=f"{series.capitalize()} talks",
        text=d.rng.choice(
            (
                f"The speaker of {told} has broken a leg. The other {series} talks take place as announced, this one "
                f"does not, so please let us use its fallback slot.",
                f"{series.capitalize()} talks: {told} cannot be on its day, the speaker is in hospital. We move it, we "
                f"do not cancel it.",
            )
        ),
        by=PRIYA,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("speakers"),
            title="{word}",
            by=HANA,
            wordings=("{word} is what we sell as {event}.", "In the box office {word} is {event}."),
            rules={code: {"event": f"EV-{number if place == 0 else codes[place]}"} for place, code in enumerate(talks)},
            older={"event": f"EV-{codes[2]}"},
            of=talks[0],
        )
    leave_rules(
        d,
        d.note("slots"),
        title="Fallback slot {word}",
        by=HANA,
        wordings=(
            f"{{word}} is {{day}}, from {{start}} to {end}, {town} time. The house keeps it free for us.",
            f"Slot {{word}}: {{day}}, {{start}} to {end} by the clocks of {town}.",
        ),
        rules={
            code: {
                "day": day if place == 0 else d.on(d.beside.randint(24, 44)),
                "start": start if place == 0 else d.beside.choice(("16:15", "16:45", "17:15", "17:45")),
            }
            for place, code in enumerate(slots)
        },
        older={"day": d.on(20), "start": "19:00"},
        of=slots[0],
    )
    leave_noise(d, d.note("slots"), HANA)

    word: Template = d.note("notice").find(d, series).part(r"((?:TK-\d+)|(?:EV-\d+))")
    if d.pattern:
        word = d.note("speakers").find(d, word).part(r"(EV-\d+)")
    found = d.call("events", "list_events", query=word)
    before = d.call("events", "get_event", event_id=found.at("data.items.0.id"))
    rule = d.note("slots").find(d, before.part("data.description", r"(FS-\d+)"))
    on = rule.part(r"(\d{4}-\d\d-\d\d)")
    times = {
        name: calc("utc(local, zone)", local=text("{day}T{at}", day=on, at=rule.part(pattern)), zone=PLACES[town])
        for name, pattern in (("starts_at", r"(\d\d:\d\d) to"), ("ends_at", r"to (\d\d:\d\d)"))
    }
    goal = "The event takes place in its fallback slot."
    d.act(goal, "events", "update_event", event_id=before.at("data.id"), **times)
    event = d.call("events", "get_event", event_id=before.at("data.id"))
    letters_ = d.call("campaigns", "list_campaigns", query=event.at("data.title"), status="scheduled")
    mail = letters_.at("data.items.0.id")
    d.act(INVITED, "campaigns", "set_campaign_status", campaign_id=mail, status="paused")
    d.act(
        INVITED,
        "campaigns",
        "update_campaign",
        campaign_id=mail,
        subject=text("{title}: now on {day}", title=event.at("data.title"), day=on),
    )
    week = text("{day}T09:00", day=calc("days(start, -7)", start=event.at("data.starts_at")))
    sent = d.act(
        INVITED,
        "campaigns",
        "set_campaign_status",
        campaign_id=mail,
        status="scheduled",
        scheduled_at=calc("utc(local, 'UTC')", local=week),
    )
    orders = d.call("files", "list_items", query=sent.at("data.tags.0"), kind="file")
    paper = orders.part("data.items.0.name", r"(Running order RO-\d+)")
    d.act(
        "A comment on the running order gives the new day, start and end in UTC.",
        "files",
        "create_comment",
        item_id=orders.at("data.items.0.id"),
        body=text(
            "{day}: begins {start}, ends {end} UTC.",
            day=on,
            start=event.part("data.starts_at", r"T(\d\d:\d\d)"),
            end=event.part("data.ends_at", r"T(\d\d:\d\d)"),
        ),
    )
    told_ = {"name": paper, "code": event.at("data.code"), "start": event.at("data.starts_at")}
    if d.pattern:
        told_["task"] = d.entry("log").add(
            d,
            "It is entered, for the new day, which running order holds.",
            title=text("Doors open"),
            words=text("{name}", name=paper),
            day=on,
        )
    d.message("report").send(
        d,
        "Priya knows the event's new start in UTC and the running order.",
        PRIYA,
        text("{code} begins {start}, see {name}." + (" It is in {task}." if d.pattern else ""), **told_),
        about="The talk moves",
    )
    d.answer("{code} begins {start} now.", code=event.at("data.code"), start=event.at("data.starts_at"))
    _instruct(d, series)


def _instruct(d: Draft, series: str) -> None:
    d.title(f"Move one of the {series} talks")
    d.say(
        f"One of our {series} talks has to move; Priya explains it {d.note('notice').where(d)}.",
        f"Bad luck with the {series} talks: Priya has written about it {d.note('notice').where(d)}. We keep the talk, "
        f"on another day.",
    )
    if d.pattern:
        d.say(
            "She uses the speakers' numbers; which event each talk is in the box office is listed "
            f"{d.note('speakers').where(d)}.",
            f"{sentence(d.note('speakers').where(d))} is a list of the talks and their events.",
        )
    d.say(
        "The event names its fallback slot. You will find when that is, in local time, "
        f"{d.note('slots').where(d)}{d.stale('; some slots were changed since, and the newest counts')}.",
        f"The event's description says which slot is kept for this case, and the slots are {d.note('slots').where(d)}. "
        f"Take the present times; they are local.",
    )
    d.say("Move the event there, with its start and its end.", "Change the start and the end of the event accordingly.")
    d.paragraph()
    d.say(
        "The invitation to that talk is scheduled already. Its subject should give the talk's full title and the new "
        "day, that of the slot, and it should go out a week before that day, at nine UTC.",
        "An invitation for it is waiting to be sent: change the subject so that it gives the event's title and the "
        "day of the slot, and have it go out a week before that day, at nine o'clock UTC.",
    )
    d.say(
        "The running order for the talk is a file that mentions the invitation's tag. Comment on it: the day, and when "
        "the talk begins and ends in UTC.",
        "The running order is somewhere in Files; you will know it by the tag of the invitation. Leave a comment "
        "there with the day, the start and the end in UTC.",
    )
    if d.pattern:
        d.say(
            f"Make {d.entry('log').what(d)} for the new day with the name of that file.",
            f"I also want {d.entry('log').what(d)} for the new day that names that file.",
        )
    more = f", and {d.entry('log').reference(d)}" if d.pattern else ""
    d.say(
        f"Then {d.message('report').how(d, 'Priya')}: the event's code, when it begins in UTC, the file's name{more}.",
    )
    d.say("I only need code and start, in UTC.", "I just need the code and the start in UTC.")
