"""Second mailings: the winning subject goes once more to those who did not open, with a goal for what it brings."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, Template, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence
from tasks.places import analytics, campaigns
from tasks.places.rules import leave_noise, leave_rules

OSCAR, TOBIAS = COLLEAGUES[13], COLLEAGUES[1]
ZONES = {"Lisbon": "Europe/Lisbon", "London": "Europe/London", "New York": "America/New_York", "Tokyo": "Asia/Tokyo"}
TRIALS = ("harvest", "night-shift", "open-sea", "allotment", "festival", "first-frost", "apprentice")
AGAIN = "The second mailing has the winning subject, goes to those who did not open the first, at the time of the rule."


@family(
    "second-mailing-to-those-who-slept",
    area="marketing",
    roles={
        "wish": OFFICE_NOTES,
        "trial": OFFICE_NOTES,
        "mailing": ("campaigns",),
        "figures": ("analytics",),
        "rule": OFFICE_NOTES,
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "wish mailing figures rule mailing figures report",
        "wish trial mailing figures rule mailing figures log report",
    ),
    filed="log",
)
def second_mailing(d: Draft) -> None:
    """A mailing with two subjects was sent, a second one is drafted. What the first brought stands in a report, whose
    yardstick says when the second goes and what it has to bring. Hard: test mailings that differ in a tag, a winner by
    rate, a segment that must be made, a time in another zone, a target computed from figures, and recipients who are
    fewer once the segment is set.
    """
    size, trial = 1 + d.dials.alike, d.rng.choice(TRIALS)
    tags, tests, rules = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("ab", "TR", "YS"))
    tag = d.fact("tag", tags[0], tags[1])
    test = d.fact("test", tests[0], tests[1]) if d.pattern else tests[0]
    yardstick = d.fact("yardstick", rules[0], rules[1])
    city = d.rng.choice(tuple(ZONES))
    first = d.draw.day(9, 30)
    day = d.fact("day", first, first + timedelta(days=1))
    hour = d.fact("hour", *(f"{number:02d}:15" for number in d.rng.sample(range(9, 17), 2)))
    factor = d.fact("factor", *d.rng.sample((0.4, 0.6, 0.8, 1.2), 2))
    visits = d.fact("visits", *d.rng.sample(range(300, 900), 2))
    sleepers = d.fact("sleepers", *d.rng.sample((6, 10, 14), 2))
    names = [f"{d.draw.product().capitalize()} test" for _ in range(size)]
    named = d.fact("mailing", 0, 1)
    for place, code in enumerate(tags):
        listed = campaigns.audience(d, f"Fair visitors {2017 + d.turn(place)}", quiet_days=1)
        sent = d.ago(12 + d.turn(place), 9)
        called = names[(named, 1 - named)[place] if place < 2 else place]
        subjects = [f"{d.draw.product().capitalize()}, at last", f"You asked for a {d.draw.product()}"]
        done = campaigns.campaign(
            d, called, listed, subject=subjects[0], subject_b=subjects[1], status="sent", tags=(code,), at=sent
        )
        campaigns.campaign(d, f"{code}, once more", listed, subject="To be filled in", tags=(code,), days_ago=2)
        readers = 30 if place == 0 else 12
        for number in range(readers):
            who: Person = d.draw.person()
            reader = campaigns.subscriber(d, listed, who, source="event", joined=-200)
            asleep = number >= readers - (sleepers if place == 0 else 4)
            opened = not asleep and (number % 2 == 1 or number < 4)
            variant = "ab"[number % 2]
            campaigns.recipient(
                d, done, reader, who, sent, variant=variant, opened=opened, clicked=opened and number < 3
            )
    for place, name in enumerate(names):
        base = visits if place == named else 250 + 13 * place
        metric = analytics.metric(
            d, f"Visits after {name}", {"newsletter": [base // 7 + number for number in range(14)]}, owner=OSCAR
        )
        used = yardstick if place == named else rules[place or named]
        analytics.report(d, f"What {name} brought", metric, description=f"Yardstick {used}.", owner=OSCAR)
    d.note("wish").leave(
        d,
        title=f"The {trial} trial",
        text=d.rng.choice(
            (
                f"We tried two subjects on the {trial} crowd. {test if d.pattern else tag} is the test that counts, "
                f"the others were too small. It should run once more with the better one.",
                f"{trial.capitalize()} trial: please repeat {test if d.pattern else tag}. The second mailing is "
                f"drafted, it lacks a subject, a segment and a time.",
            )
        ),
        by=OSCAR,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("trial"),
            title="Test {word}",
            by=OSCAR,
            wordings=("Test {word}: both mailings carry the tag {tag}.", "The mailings of {word} are tagged {tag}."),
            rules={code: {"tag": tag if place == 0 else tags[place]} for place, code in enumerate(tests)},
            older={"tag": tags[2]},
            of=tests[0],
        )
    leave_rules(
        d,
        d.note("rule"),
        title="Yardstick {word}",
        by=TOBIAS,
        wordings=(
            f"{{word}}: a second mailing goes on {{day}} at {{hour}}, {city} time, and has to bring {{factor}} times "
            f"the visits that the report of the first shows.",
            f"By {{word}} we mail again on {{day}}, {{hour}} in {city}. We expect {{factor}} times what the first "
            f"brought in its report.",
        ),
        rules={
            code: {"day": day, "hour": hour, "factor": factor}
            if place == 0
            else {
                "day": d.on(d.beside.randint(8, 40)),
                "hour": f"{d.beside.randint(9, 16):02d}:15",
                "factor": d.beside.choice((0.4, 0.6, 0.8, 1.2, 1.4)),
            }
            for place, code in enumerate(rules)
        },
        older={"day": d.on(5), "hour": "07:15", "factor": 1.5},
        of=rules[0],
    )
    leave_noise(d, d.note("rule"), TOBIAS)

    word: Template = d.note("wish").find(d, trial).part(r"((?:ab|TR)-\d+)")
    if d.pattern:
        word = d.note("trial").find(d, word).part(r"(ab-\d+)")
    past = d.call("campaigns", "list_campaigns", tag=word, status="sent")
    results = d.call("campaigns", "get_campaign", campaign_id=past.at("data.items.0.id"))
    drafts = d.call("campaigns", "list_campaigns", tag=word, status="draft")
    again = drafts.at("data.items.0.id")
    d.call("campaigns", "get_campaign", campaign_id=again)
    reports = d.call("analytics", "list_reports", query=results.at("data.name"))
    brought = d.call("analytics", "run_report", report_id=reports.at("data.items.0.id"))
    rule = d.note("rule").find(d, reports.part("data.items.0.description", r"(YS-\d+)"))
    on: Template = rule.part(r"(\d{4}-\d\d-\d\d)")
    others = d.act(
        "There is a segment of those who did not open the first mailing.",
        "campaigns",
        "create_segment",
        audience_id=results.at("data.audience_id"),
        name=text("Did not open {name}", name=results.at("data.name")),
        conditions=[{"field": "opened", "operator": "is_not", "value": results.at("data.id")}],
    )
    goal = AGAIN
    d.act(
        goal,
        "campaigns",
        "update_campaign",
        campaign_id=again,
        subject=results.at("data.subject_b"),
        segment_id=others.at("data.id"),
    )
    at = calc("utc(local, zone)", local=text("{day}T{hour}", day=on, hour=rule.part(r"(\d\d:\d\d)")), zone=ZONES[city])
    d.act(goal, "campaigns", "set_campaign_status", campaign_id=again, status="scheduled", scheduled_at=at)
    ready = d.call("campaigns", "get_campaign", campaign_id=again)
    target = calc(
        "round(visits * factor)", visits=brought.at("data.total"), factor=rule.part(r"([0-9.]+) times", number=True)
    )
    aim = d.act(
        "There is a goal for the visits of the week from the second mailing on.",
        "analytics",
        "create_goal",
        name=text("Second mailing to {many}", many=ready.at("data.expected_recipients")),
        metric_id=brought.at("data.metric_id"),
        direction="at_least",
        target=target,
        from_date=on,
        to_date=calc("days(day, 6)", day=on),
    )
    told: dict[str, Template] = {"many": ready.at("data.expected_recipients"), "target": target}
    if d.pattern:
        told["task"] = d.entry("log").add(
            d,
            "It is entered for the day after the week that the goal is looked at.",
            title=text("Did the second mailing work?"),
            words=text("{goal}: {target}", goal=aim.at("data.id"), target=target),
            day=calc("days(day, 7)", day=aim.at("data.from_date")),
        )
    else:
        told["task"] = aim.at("data.id")
    d.message("report").send(
        d,
        "Oscar knows how many the second mailing reaches, what it has to bring, and where to look.",
        OSCAR,
        text("It reaches {many} and has to bring {target} visits. See {task}.", **told),
        about="Second mailing",
    )
    d.answer(
        "{many} people, {target} visits, {at}.",
        many=told["many"],
        target=told["target"],
        at=ready.at("data.scheduled_at"),
    )
    _instruct(d, trial)


def _instruct(d: Draft, trial: str) -> None:
    d.title(f"Repeat the {trial} mailing with the better subject")
    d.say(
        f"The {trial} trial is over and Oscar wants one of its tests repeated. You can read which one "
        f"{d.note('wish').where(d)}.",
        f"Oscar wrote about the {trial} trial {d.note('wish').where(d)}: one of the mailings is to go out a second "
        f"time. Can you get it ready?",
    )
    if d.pattern:
        d.say(f"Which mailings make up a test is noted {d.note('trial').where(d)}.")
    d.say(
        "The second mailing gets the subject that was opened more often, and only goes to those of the audience who "
        "did not open the first mailing. They need a segment of their own, with the first mailing's name in its name.",
        "Whoever opened the first one is not to get it again, so make a segment of the others, named after the first "
        "mailing. The subject is the one that won.",
    )
    d.say(
        "The report in Analytics on what the first mailing brought names a yardstick. When the second goes, in local "
        f"time, and what is expected of it, follows from that; our yardsticks are {d.note('rule').where(d)}.",
        f"{sentence(d.note('rule').where(d))} are our yardsticks; the report on the first mailing's visits says "
        "which one it is measured by. It gives the local time for the second mailing and what that has to "
        f"bring.{d.stale(' Only the latest counts.')}",
    )
    d.paragraph()
    d.say(
        "Schedule it, and set a goal on the same metric for the least it has to bring over a week from that day "
        "on. The number of people it reaches belongs in the goal's name.",
        "When it is scheduled, Analytics needs a goal on that metric: at least so many visits in the week that begins "
        "on the day of the mailing. Put into its name how many people the mailing reaches.",
    )
    if d.pattern:
        d.say(
            f"Make {d.entry('log').what(d)} for the day after that week, with the goal's id and its target.",
            f"The day after that week, somebody should look at it: {d.entry('log').what(d)} with the goal's id and "
            "target.",
        )
    more = d.entry("log").reference(d) if d.pattern else "the goal's id"
    d.say(
        f"Then {d.message('report').how(d, 'Oscar')}: how many it reaches, how many visits we want, and {more}.",
        f"{sentence(d.message('report').how(d, 'Oscar'))} in the end: people reached, visits wanted, {more}.",
    )
    d.say("Give me both numbers and the time in UTC.", "I would like the two numbers and the UTC time.")
