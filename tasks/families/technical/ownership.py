"""Issues that nobody has: whoever is on call when the milestone ends takes them, all of them and no others."""

from __future__ import annotations

from datetime import date, timedelta

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT, but
from tasks.places import code, incidents
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, ELENA, HANA, LUIS, NILS, SOFIA, KENJI, RUTH, OSCAR = (
    COLLEAGUES[place] for place in (1, 4, *range(6, 8), *range(9, 14))
)

TAKEN = "Every open bug of the repository that nobody had is with whoever is on call, under the milestone."


@family(
    "issues-nobody-has",
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
)
def issues_nobody_has(d: Draft) -> None:
    """Before a review no bug of a repository may be without somebody. Its milestone is in the hands of the team whose
    service a note names; whoever is on call there on a certain day takes the bugs. Hard: repositories of one prefix, a
    roster that was changed, a rotation to be looked at for a day ahead, one act for each unassigned open bug but none
    for those that are closed, assigned or only wishes; the milestone's count is new afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([ELENA, OSCAR])
    prefix = brands(d, 1)[0].lower()
    parts = d.rng.sample(
        ("core", "shop", "mobile", "tools", "docs", "theme", "search", "import", "maps", "stock"), many
    )
    repositories = [f"{prefix}-{part}" for part in parts]
    goals = [f"{brand} review" for brand in brands(d, many)]
    services = [f"{brand} pipeline" for brand in brands(d, many)]
    projects = [d.draw.code("PRJ") for _ in repositories]
    days = [d.on(9 + 3 * place) for place in range(many)]
    repository, goal = (
        d.fact("repository", repositories[0], repositories[1]),
        d.fact("milestone", goals[0], "Late review"),
    )
    service, day = d.fact("service", services[0], services[1]), d.fact("day", days[0], d.on(16))
    tags = [f"v{d.rng.randint(2, 9)}.{minor}.0" for minor in d.rng.sample(range(20, 90), many)]
    ends = [d.on(60 + 3 * place) for place in range(many)]
    tag, end = d.fact("release", tags[0], tags[1]), d.fact("support", ends[0], d.on(50)) if long else ends[0]
    project = d.fact("project", projects[0], projects[1]) if long else projects[0]

    holders = d.rng.sample([LUIS, HANA], 2)
    for place, one in enumerate(services):
        crew = _crew(d, holders[place % 2], days[0])
        incidents.team_service(d, one, incidents.schedule(d, f"{one} duty", crew), owner=NILS)
    for place, name in enumerate(repositories):
        key = code.repository(d, name, labels=("bug", "feature"), description="A part of the shop.")
        stone = code.milestone(d, key, goal if place == 0 else goals[place], d.on(30 + place))
        code.release(d, key, f"v1.0.{place}", days_ago=200)
        code.release(d, key, tag if place == 0 else tags[place])
        created = d.ago(6, 9, place)
        for number in range(2):
            title = f"{('Wrong', 'Missing', 'Slow')[number]} answer for {d.draw.product()}"
            code.issue(d, key, title, by=HANA, labels=("bug",), created=created + timedelta(hours=number))
        code.issue(d, key, "A nicer colour", by=LUIS, labels=("feature",), created=created - timedelta(hours=3))
        for number in range(d.rng.randint(1, 3)):
            at = created - timedelta(days=1 + number)
            holder = (KENJI, NILS, LUIS, HANA, SOFIA)[(place + number) % 5]
            code.issue(d, key, f"Odd total {number}", labels=("bug",), assignees=(holder,), goal=stone, created=at)
        for number in range(d.dials.stale):
            at = created - timedelta(days=30 + number)
            code.issue(d, key, f"Old fault {number}", labels=("bug",), status="closed", created=at)
    pointer = f"it is project {project}" if long else f"it is {repository}"
    d.note("ask").leave(
        d,
        title="Bugs without anybody",
        text=d.rng.choice(
            (
                f"The auditors ask for orphan bugs, and we have some; {pointer}. They want a name on every one.",
                f"Orphan bugs again: {pointer}. It must be clean before anybody looks.",
            )
        ),
        by=who,
        days_ago=0.3,
    )
    for place, (one, name) in enumerate(zip(projects, repositories, strict=True) if long else ()):
        of = repository if place == 0 else name
        said = d.rng.choice((f"{one} lives in {of}.", f"All code of {one} is kept in {of}."))
        d.note("alias").leave(d, title=f"Project {one}", text=said, by=NILS, days_ago=25 + place)
    names = [goals[0], "Late review", *goals[1:]]
    leave_rules(
        d,
        d.note("roster"),
        title="Who answers for the {word}",
        by=TOBIAS,
        wordings=(
            "For the {word} whoever carries the pager of the {service} on {day} at noon UTC answers for open bugs.",
            "{word}: open bugs go to the person on call for the {service} at noon UTC on {day}.",
        ),
        rules={
            one: {"service": service if n == 0 else services[n % many], "day": day if n == 0 else days[n % many]}
            for n, one in enumerate(names)
        },
        older={"service": services[-1], "day": d.on(2)},
        of=goals[0],
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
    name = told.part(rf"({prefix}-\w+)")
    before = d.call("code", "list_repositories", query=name)
    key = before.at("data.items.0.id")
    bugs = d.call("code", "list_issues", repository_id=key, status="open", label="bug", assignee_email="none")
    roster = d.note("roster").find(d, before.at("data.items.0.milestones.0.title"))
    owned = d.call("incidents", "list_services", query=roster.part(r"the (\w+ pipeline)"))
    duty = d.call(
        "incidents",
        "list_on_call",
        schedule_id=owned.at("data.items.0.escalation_steps.0.schedule_id"),
        at=text("{day}T12:00:00Z", day=roster.part(r"(\d{4}-\d\d-\d\d)")),
    )
    email, person = (duty.at(f"data.items.0.person_{one}") for one in ("email", "name"))
    for place in range(2):
        d.act(
            TAKEN,
            "code",
            "update_issue",
            issue_id=bugs.at(f"data.items.{place}.id"),
            assignee_emails=[email],
            milestone_id=before.at("data.items.0.milestones.0.id"),
        )
    after = d.call("code", "list_repositories", query=name)
    open_ = after.at("data.items.0.milestones.0.open_issues")
    out = d.call("code", "list_releases", repository_id=key).at("data.items.0.tag")
    day_ = {"day": d.note("support").find(d, out).part(r"(\d{4}-\d\d-\d\d)")} if long else {}
    said = text(
        "{person} has them; {open} are open for the milestone. Out now: {out}.", person=person, open=open_, out=out
    )
    kept = d.entry("log").add(
        d,
        "Who has the bugs, how many issues the milestone has open and which release is out are on record"
        + (", for the release's last day." if long else "."),
        title=text("Bugs have somebody now"),
        words=said,
        **day_,
    )
    d.message("tell").send(
        d,
        f"{who.name} knows who has the bugs, the milestone's open issues, the release that is out, and the record.",
        who,
        text("{said} See {kept}.", said=said, kept=kept),
        about="Bugs",
    )
    d.answer("{person} has them; {open} issues are open, {out} is out.", person=person, open=open_, out=out)
    _say(d, called(who), long)


def _crew(d: Draft, holder: Person, day: date) -> tuple[Person, ...]:
    """A rotation of three in which somebody has the shift of a day."""
    others = iter(d.rng.sample([KENJI, SOFIA, NILS], 2))
    place = (day - d.ago(70).date()).days // 7 % 3
    return tuple(holder if turn == place else next(others) for turn in range(3))


def _say(d: Draft, who: str, long: bool) -> None:
    ask, roster = d.note("ask").where(d), d.note("roster").where(d)
    d.title("Bugs that nobody has")
    d.say(
        f"No orphan bugs before the audit, please. Which repository {who} means stands {ask}.",
        f"{who} is right about the orphan bugs; which repository it is about you find {ask}.",
        f"We have orphan bugs in one of our repositories; {who} says {ask} where.",
    )
    if long:
        alias = d.note("alias").where(d)
        d.say(
            f"Where a project lives you can read {alias}.",
            f"The repositories go by project, and that is explained {alias}.",
        )
    d.say(
        f"Somebody answers for the repository's milestone: how to find out who, Tobias has announced {roster}, and he "
        "has revised "
        "it, so go by his newest.",
        f"Tobias says {roster} how it is decided who answers for the milestone of that repository. There may be an "
        "older "
        "arrangement, which is void. Mind that it is about a day to come.",
    )
    d.say(
        "That person gets every open bug there that has nobody, and each of them goes under the milestone. Wishes, "
        "closed ones "
        "and bugs that somebody has stay as they are.",
        "Give all open bugs of the repository that have no assignee to them and put these under the milestone; leave "
        "alone what "
        "is closed, assigned or a mere wish.",
    )
    d.paragraph()
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    what = "who has them now, how many issues the milestone has open in all, and the newest release of the repository"
    if long:
        support = d.note("support").where(d)
        d.say(
            f"Then I need {log.what(d)} for the last day on which Ruth looks after that release (she keeps this "
            f"{support}): "
            f"{what}.",
            f"Record {what}: as {log.what(d)}, for the day on which Ruth's support of that release ends. That day is "
            f"{support}.",
        )
    else:
        d.say(f"Then make {log.what(d)}: {what}.", f"Record {what} as {log.what(d)}.")
    d.say(
        f"{sentence(tell)} with the same three things and {log.reference(d)}. I want the three as well.",
        f"{sentence(tell)}, same content plus {log.reference(d)}, and let me have the three things, too.",
    )
