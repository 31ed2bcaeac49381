"""Somebody cannot carry the pager during something in the calendar: a stand-in takes over for just that time."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import calendar, incidents
from tasks.places.rules import leave_noise, leave_rules

HANA, LUIS, NILS, SOFIA, KENJI, RUTH = (COLLEAGUES[place] for place in (6, 7, 9, 10, 11, 12))

COVERED = "The stand-in of the rule is on call for exactly the time of the gathering, with the reason that is wanted."

_GATHERINGS = (
    "audit",
    "drill",
    "inspection",
    "rehearsal",
    "hearing",
    "tasting",
    "fitting",
    "survey",
    "briefing",
    "tour",
)
_CREWS = ((KENJI, SOFIA, LUIS), (SOFIA, NILS, KENJI), (LUIS, KENJI, NILS), (NILS, LUIS, SOFIA))


@family(
    "cover-for-the-pager",
    area="operations",
    roles={
        "ask": but(WORD_LEFT, "calendar"),
        "group": but(WORD_LEFT, "calendar"),
        "plans": ("calendar",),
        "pager": ("incidents",),
        "rule": but(WORD_LEFT, "incidents"),
        "sheet": but(WORD_LEFT, "incidents"),
        "log": but(LOGGED, "incidents"),
        "tell": TOLD,
    },
    patterns=(
        "ask plans pager rule pager log tell",
        "ask group plans pager rule sheet pager log tell",
    ),
    filed="log",
)
def cover_for_the_pager(d: Draft) -> None:
    """Whoever is on call during a gathering has to be there in person. The gathering's times are in the calendar, its
    place is the service whose duty is concerned, and a rule says who stands in for that duty and which reason is
    given. Hard: gatherings of one name, a rule that was changed, a day ahead, an override that must not be longer
    than the gathering, and somebody else on call afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([HANA, RUTH])
    stem = brands(d, 1)[0]
    titles = [f"{stem} {kind}" for kind in d.rng.sample(_GATHERINGS, many)]
    services = [f"{brand} yard" for brand in brands(d, many)]
    duties = [f"{brand} watch" for brand in brands(d, many)]
    reasons, sheets, groups = ([d.draw.code(prefix) for _ in titles] for prefix in ("SWP", "RL", "GT"))
    hours = [d.rng.randint(9, 15) for _ in titles]
    ahead = [4 + 2 * d.turn(place) + d.rng.randint(0, 1) for place in range(many)]
    title, service = d.fact("gathering", titles[0], titles[1]), d.fact("service", services[0], services[2])
    hour, duty = d.fact("hour", hours[0], hours[0] - 3), d.fact("duty", duties[0], "Spare watch")
    reason = d.fact("reason", reasons[0], reasons[1])
    other = d.draw.code("RL")
    group = d.fact("group", groups[0], groups[1]) if long else groups[0]
    sheet = d.fact("sheet", sheets[0], other) if long else sheets[0]

    for place, name in enumerate(duties):
        of = incidents.schedule(d, duty if place == 0 else name, _CREWS[place % 4])
        incidents.team_service(d, services[place], of, owner=NILS)
    for place, name in enumerate(titles):
        starts = d.ago(-ahead[place], hour if place == 0 else hours[place], 30 * (place % 2))
        site = service if place == 0 else services[place]
        calendar.event(
            d,
            name,
            starts,
            minutes=90,
            calendar=calendar.OPERATIONS,
            place=site,
            description="Doors are locked on time.",
        )
    busy = incidents.holder(d, _CREWS[0], d.ago(-ahead[0], hours[0]))
    first, second = (person for person in _CREWS[0] if person is not busy)
    stand = d.fact("stand-in", first.email, second.email)
    pointer = f"visitors of group {group}" if long else f"the {title}"
    d.note("ask").leave(
        d,
        title="Somebody has to be there",
        text=d.rng.choice(
            (
                f"We need the duty officer in person for {pointer}, without a pager in the pocket. Please arrange "
                "cover.",
                f"For {pointer} the duty officer has to be in the room, so the pager must be with somebody else "
                "meanwhile.",
            )
        ),
        by=who,
        days_ago=1,
    )
    for place, (one, name) in enumerate(zip(groups, titles, strict=True) if long else ()):
        what = title if place == 0 else name
        said = d.rng.choice((f"Group {one} comes to the {what}.", f"{one}, seven people, is here for the {what}."))
        d.note("group").leave(d, title=f"Group {one}", text=said, by=RUTH, days_ago=9 + d.turn(place))
    emails = [stand, *(_CREWS[place % 4][place % 3].email for place in range(1, many))]
    orders = [{"stand": emails[n], "reason": reason if n == 0 else reasons[n]} for n in range(many)]
    # One sheet more, that names somebody who can stand in for the same duty, too.
    others = {other: {"stand": second.email, "reason": reasons[1]}} if long else {}
    names = [*duties, "Spare watch"]
    if long:
        leave_rules(
            d,
            d.note("rule"),
            title="Cover for the {word}",
            by=NILS,
            wordings=("Cover for the {word} goes by sheet {sheet}.", "{word}: see {sheet} before you swap anything."),
            rules={one: {"sheet": sheet if n == 0 else sheets[n % many]} for n, one in enumerate(names)},
            older={"sheet": sheets[-1]},
            of=duties[0],
        )
    leave_rules(
        d,
        d.note("sheet" if long else "rule"),
        title="Cover by {word}" if long else "Cover for the {word}",
        by=NILS,
        wordings=(
            "{word}: {stand} takes over, and the reason on the override is {reason}.",
            "Under {word} the stand-in is {stand}. Give {reason} as the reason.",
        ),
        rules={**dict(zip(sheets, orders, strict=True)), **others}
        if long
        else {one: orders[n % many] for n, one in enumerate(names)},
        older={"stand": busy.email, "reason": reasons[-1]},
        of=sheets[0] if long else duties[0],
    )
    leave_noise(d, d.note("ask"), LUIS)

    told = d.note("ask").find(d, "duty officer")
    if long:
        told = d.note("group").find(d, told.part(r"(GT-\d+)"))
    found = calendar.find(d, told.part(rf"the ({stem} \w+)"))
    starts_at, ends_at = found.at("data.items.0.start"), found.at("data.items.0.end")
    owned = d.call("incidents", "list_services", query=found.at("data.items.0.location"))
    of = owned.at("data.items.0.escalation_steps.0.schedule_id")
    before = d.call("incidents", "list_on_call", schedule_id=of, at=starts_at)
    rule = d.note("rule").find(d, before.at("data.items.0.name"))
    if long:
        rule = d.note("sheet").find(d, rule.part(r"(RL-\d+)"))
    made = d.act(
        COVERED,
        "incidents",
        "create_override",
        schedule_id=of,
        person_email=rule.part(r"(\w+\.\w+@larkspur\.example)"),
        starts_at=starts_at,
        ends_at=ends_at,
        reason=text("{reason}", reason=rule.part(r"(SWP-\d+)")),
    )
    after = d.call("incidents", "list_on_call", schedule_id=of, at=starts_at)
    person, override = after.at("data.items.0.person_name"), made.at("data.id")
    kept = d.entry("log").add(
        d,
        "Who stands in and by which override is on record, for the day of the gathering.",
        title=text("Cover for the pager"),
        words=text("{person} stands in, override {override}.", person=person, override=override),
        day=found.part("data.items.0.start", r"(\d{4}-\d\d-\d\d)"),
    )
    d.message("tell").send(
        d,
        f"{who.name} knows who is free for the gathering, who has the pager instead, and the record.",
        who,
        text(
            "{free} is free for it, {person} has the pager. See {kept}.",
            free=before.at("data.items.0.person_name"),
            person=person,
            kept=kept,
        ),
        about="Cover",
    )
    d.answer("{free} is free, {person} has the pager.", free=before.at("data.items.0.person_name"), person=person)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, rule = d.note("ask").where(d), d.note("rule").where(d)
    d.title("The pager while something else is on")
    d.say(
        f"{who} needs the duty officer somewhere in person; what it is about is noted {ask}.",
        f"Please arrange cover for the duty officer. {who} explains {ask} what for.",
        f"{who} has a request about the duty officer {ask}; could you see to it?",
    )
    if long:
        group = d.note("group").where(d)
        d.say(f"Which group visits us when is listed {group}.", f"Ruth notes {group} what each group is here for.")
    d.say(
        "You will find it in my Operations calendar with its times, and its place is the service that matters: "
        "whoever would be on call for that service then must be free.",
        "The Operations calendar has its times and where it is. That place is one of our services, and it is about "
        "whoever is first to be called for it at that time.",
        "My Operations calendar has its times, and its place names one of our services. The person first called "
        "for that service at that time is the one who has to be there.",
    )
    d.say(
        "Nils decides who stands in for which duty and what reason is given; you can read that "
        f"{rule}.{d.stale(' He changes it now and then, and the newest is in force.')}",
        f"Nils has laid down {rule} how each duty is covered and which reason the override must "
        f"carry{d.stale('; go by his latest')}.",
    )
    if long:
        sheet = d.note("sheet").where(d)
        d.say(f"The sheets themselves are {sheet}.", f"He refers to sheets, which are {sheet}.")
    d.say(
        "The override starts and ends with the event, not a minute more.",
        "Put the override in for the exact time of the event.",
        "The override should run from the start to the end of the event and no longer.",
    )
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    d.say(
        f"Note it as {log.what(d)} for that day: who stands in, and the id of the override.",
        f"I want {log.what(d)} for the day of the event, with the name of the stand-in and the override's id.",
    )
    d.say(
        f"{sentence(tell)}: who is free now, who has the pager instead, and {log.reference(d)}. I want both names "
        "as well.",
        f"{sentence(tell)} with both names, the one who is free and the one with the pager, and {log.reference(d)}. I "
        "would like to know the names, too.",
    )
