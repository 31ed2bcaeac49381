"""Bugs that nobody has: whoever is on call on a certain day takes them, all of them and no others."""

from __future__ import annotations

from datetime import date, timedelta

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import code, incidents
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, ELENA, HANA, LUIS, NILS, SOFIA, KENJI, RUTH, OSCAR = (
    COLLEAGUES[place] for place in (1, 4, 6, 7, 9, 10, 11, 12, 13)
)

TAKEN = "Every open bug about the thing that nobody had is with whoever is on call on the day."

_FAULTS = ("Wrong size", "No price", "Slow page")


@family(
    "bugs-nobody-has",
    area="operations",
    roles={
        "ask": but(WORD_LEFT, "code"),
        "alias": but(WORD_LEFT, "code"),
        "forge": ("code",),
        "roster": but(WORD_LEFT, "code", "incidents"),
        "pager": ("incidents",),
        "support": but(WORD_LEFT, "code"),
        "log": but(LOGGED, "code", "incidents"),
        "tell": TOLD,
    },
    patterns=(
        "ask forge roster pager forge log tell",
        "ask alias forge roster pager forge support log tell",
    ),
    filed="log",
)
def bugs_nobody_has(d: Draft) -> None:
    """Before an audit no bug about one thing may be without somebody. The round in which they were found is in the
    hands of a team whose service a note names; whoever is on call there on a certain day takes them. Hard: things
    that are named alike, a roster that was changed, a rotation to be looked at for a day ahead, one act for each
    unassigned open bug but none for those that are closed, assigned or only wishes.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([ELENA, OSCAR])
    things = [d.draw.product()]
    things += [d.draw.near(things[0]) if n < 3 else d.draw.product() for n in range(1, many)]
    rounds, projects = ([d.draw.code(prefix) for _ in things] for prefix in ("RD", "PRJ"))
    services = [f"{brand} pipeline" for brand in brands(d, many)]
    days, ends = ([d.on(first + 3 * d.turn(n)) for n in range(many)] for first in (9, 60))
    tags = [f"v{d.rng.randint(2, 9)}.{minor}.0" for minor in d.rng.sample(range(20, 90), many)]
    thing, round_ = d.fact("thing", things[0], things[1]), d.fact("round", rounds[0], rounds[2])
    service, day = d.fact("service", services[0], services[1]), d.fact("day", days[0], d.on(16))
    tag = d.fact("release", tags[0], tags[1])
    end = d.fact("support", ends[0], d.on(50)) if long else ends[0]
    project = d.fact("project", projects[0], projects[1]) if long else projects[0]

    # Hana's issues are about the returns page, so a help desk group of that name would point to her.
    holders = [LUIS, HANA] if "tickets" in d.roles.values() else d.rng.sample([LUIS, HANA], 2)
    for place, one in enumerate(services):
        crew = _crew(d, holders[place % 2], days[0])
        incidents.team_service(d, one, incidents.schedule(d, f"{one} duty", crew), owner=NILS)
    for place, name in enumerate(brands(d, many)):
        key = code.repository(d, f"{name.lower()}-shop", labels=("bug", "feature"), description="A part of the shop.")
        code.release(d, key, f"v1.0.{place}", days_ago=200)
        code.release(d, key, tag if place == 0 else tags[place])
        _issues(d, key, things[place], f"Found in round {round_ if place == 0 else rounds[place]}.", place)
    pointer = f"they belong to project {project}" if long else f"all of them about the {thing}"
    d.note("ask").leave(
        d,
        title="Bugs without anybody",
        text=d.rng.choice(
            (
                f"The auditors ask for orphan bugs, and we have some, {pointer}. They want a name on every one.",
                f"Orphan bugs again, {pointer}. It must be clean before anybody looks.",
            )
        ),
        by=who,
        days_ago=1,
    )
    for place, (one, name) in enumerate(zip(projects, things, strict=True) if long else ()):
        of = thing if place == 0 else name
        said = d.rng.choice((f"{one} is about the {of}.", f"Everything in {one} is about the {of}."))
        d.note("alias").leave(d, title=f"Project {one}", text=said, by=TOBIAS, days_ago=25 + d.turn(place))
    leave_rules(
        d,
        d.note("roster"),
        title="Who answers for {word}",
        by=TOBIAS,
        wordings=(
            "For round {word} whoever carries the pager of the {service} on {day} at noon UTC answers for open bugs.",
            "{word}: open bugs go to the person on call for the {service} at noon UTC on {day}.",
        ),
        rules={
            one: {"service": service if n == 0 else services[n], "day": day if n == 0 else days[n]}
            for n, one in enumerate(rounds)
        },
        older={"service": services[-1], "day": d.on(2)},
        of=rounds[0],
    )
    if long:
        leave_rules(
            d,
            d.note("support"),
            title="How long {word}",
            by=RUTH,
            wordings=("We look after {word} until {day}.", "{word} gets mends up to {day}, not longer."),
            rules={one: {"day": end if n == 0 else ends[n]} for n, one in enumerate(tags)},
            older={"day": d.on(45)},
            of=tags[0],
        )
    leave_noise(d, d.note("ask"), RUTH)

    told = d.note("ask").find(d, "orphan bugs")
    if long:
        told = d.note("alias").find(d, told.part(r"(PRJ-\d+)"))
    about = told.part(r"about the (\w+ [\w-]+(?: \w+)?)\.")
    bugs = d.call("code", "list_issues", query=about, status="open", label="bug", assignee_email="none")
    first = d.call("code", "get_issue", issue_id=bugs.at("data.items.0.id"))
    d.call("code", "list_issues", status="open", label="bug", assignee_email="none")
    roster = d.note("roster").find(d, first.part("data.body", r"(RD-\d+)"))
    owned = d.call("incidents", "list_services", query=roster.part(r"the (\w+ pipeline)"))
    duty = d.call(
        "incidents",
        "list_on_call",
        schedule_id=owned.at("data.items.0.escalation_steps.0.schedule_id"),
        at=text("{day}T12:00:00Z", day=roster.part(r"(\d{4}-\d\d-\d\d)")),
    )
    for place in range(2):
        d.act(
            TAKEN,
            "code",
            "update_issue",
            issue_id=bugs.at(f"data.items.{place}.id"),
            assignee_emails=[duty.at("data.items.0.person_email")],
        )
    after = d.call("code", "get_issue", issue_id=bugs.at("data.items.0.id"))
    left = d.call("code", "list_issues", status="open", label="bug", assignee_email="none").at("data.total")
    releases = d.call("code", "list_releases", repository_id=after.at("data.repository_id"))
    person, out = after.at("data.assignee_emails.0"), releases.at("data.items.0.tag")
    last = {"day": d.note("support").find(d, out).part(r"(\d{4}-\d\d-\d\d)")} if long else {}
    said_ = text("{person} has them. Out now: {out}.", person=person, out=out)
    kept = d.entry("log").add(
        d,
        "Who has the bugs and which release is out are on record" + (", for the release's last day." if long else "."),
        title=text("Bugs have somebody now"),
        words=said_,
        **last,
    )
    d.message("tell").send(
        d,
        f"{who.name} knows who has the bugs, the release that is out, and the record.",
        who,
        text("{said} See {kept}.", said=said_, kept=kept),
        about="Bugs",
    )
    d.answer("{person} has them; {out} is out; {left} others have nobody.", person=person, out=out, left=left)
    _say(d, called(who), long)


def _issues(d: Draft, key: str, thing: str, body: str, place: int) -> None:
    """Two open bugs without anybody, and others that are none of them."""
    created = d.ago(6, 8, 59 - d.turn(place))
    for number in range(2):
        title = f"{_FAULTS[(place + number) % 3]} for {thing}"
        at = created + timedelta(hours=number)
        code.issue(d, key, title, body=body, by=SOFIA, labels=("bug",), created=at)
    at = created - timedelta(hours=3)
    code.issue(d, key, f"A nicer picture for {thing}", body=body, by=LUIS, labels=("feature",), created=at)
    for number in range(d.rng.randint(1, 3)):
        holder = (KENJI, NILS, LUIS, HANA, SOFIA)[(place + number) % 5]
        at = created - timedelta(days=1 + number)
        title = f"Odd total {number + 1} for {thing}"
        code.issue(d, key, title, body=body, by=SOFIA, labels=("bug",), assignees=(holder,), created=at)
    for number in range(d.dials.stale):
        at = created - timedelta(days=30 + number)
        code.issue(d, key, f"Old fault of {thing}", body=body, by=SOFIA, labels=("bug",), status="closed", created=at)


def _crew(d: Draft, holder: Person, day: date) -> tuple[Person, ...]:
    """A rotation of three in which somebody has the shift of a day."""
    others = iter(d.rng.sample([KENJI, SOFIA, NILS], 2))
    place = incidents.shift(d, day) % 3
    return tuple(holder if turn == place else next(others) for turn in range(3))


def _say(d: Draft, who: str, long: bool) -> None:
    ask, roster = d.note("ask").where(d), d.note("roster").where(d)
    d.title("Bugs that nobody has")
    d.say(
        f"I want no orphan bugs before the audit. {who} has written {ask} what they are about.",
        f"{who} is right about the orphan bugs; you will find {ask} which ones are meant.",
        f"We have orphan bugs again: {who} says {ask} which ones.",
    )
    if long:
        alias = d.note("alias").where(d)
        d.say(f"You can read {alias} what each project is about.", f"The projects are explained {alias}.")
    d.say(
        f"Every bug says in which round it was found. Tobias has announced {roster} how to find out who answers for "
        f"a round{d.stale(', and he has revised it, so go by his newest')}.",
        f"Each bug says in which round it was found, and Tobias says {roster} how it is decided who answers for a "
        f"round. Mind that it is about a day to come.{d.stale(' There is an older arrangement, which is void.')}",
    )
    d.say(
        "That person gets every open bug about it that has nobody. Leave wishes, closed bugs and bugs that "
        "somebody has as they are.",
        "Give all open bugs about it that have no assignee to them; leave alone what is closed, assigned or a mere "
        "wish.",
        "Assign all of the open bugs about it that nobody has to that person, and only those: no wishes, nothing "
        "closed, nothing that is already somebody's.",
    )
    d.paragraph()
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    what = "who has them now (the mail address) and the newest release of their repository"
    if long:
        support = d.note("support").where(d)
        d.say(
            f"Then I need {log.what(d)} for the last day on which we look after that release (Ruth keeps this "
            f"{support}): {what}.",
            f"Record {what}: as {log.what(d)}, for the day on which our support of that release ends. Ruth has that "
            f"day {support}.",
        )
    else:
        d.say(f"Then make {log.what(d)}: {what}.", f"Record {what} as {log.what(d)}.")
    d.say(
        f"{sentence(tell)} with the address, the release and {log.reference(d)}. I want the first two as well, "
        "and how many open bugs are without anybody in Code after that, whatever they are about.",
        f"{sentence(tell)}: address, release, and {log.reference(d)}. Let me have address and release, "
        "too, and the number of open bugs in all of Code that still have nobody then.",
    )
