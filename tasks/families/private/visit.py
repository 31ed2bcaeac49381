"""The house: a visit that must move, because whoever opens the door cannot."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import but, called
from tasks.places import clinic, home
from tasks.places.rules import leave_noise, leave_rules

ELENA, DARIO, RUTH, PRIYA = COLLEAGUES[4], COLLEAGUES[5], COLLEAGUES[12], COLLEAGUES[2]

_JOBS = ("sweep", "gutter check", "meter change", "roof inspection", "drain survey", "alarm test", "lift service")


@family(
    "visit-must-move",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "round": WORD_LEFT,
        "house": ("home",),
        "terms": WORD_LEFT,
        "offer": WORD_LEFT,
        "job": but(KEPT, "home"),
        "diary": but(KEPT, "home"),
        "tell": TOLD,
    },
    patterns=(
        "ask house terms offer house diary tell",
        "ask round house terms offer house job diary tell",
    ),
    filed="diary",
)
def visit_must_move(d: Draft) -> None:
    """A friend lets tradespeople in while the family is away, and cannot for one of the visits. The company of that
    visit has depots; the depot in charge offers one free time, and wants a number quoted. The visit moves to it, as
    local time in the offer and as an instant in the app. Hard: jobs of nearly the same name, companies with several
    depots, offers that lapsed.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    sitter = d.rng.choice([RUTH, ELENA, DARIO])
    kind = d.rng.choice(_JOBS)
    sides = d.rng.sample(("North", "South", "East", "West", "Upper", "Lower", "Inner", "Outer", "Rear", "Front"), many)
    jobs = [f"{side} wing {kind}" for side in sides]
    companies = [f"{d.draw.company()}" for _ in jobs]
    depots = [d.draw.code("DP") for _ in jobs]
    numbers = [d.draw.code("CN") for _ in jobs]
    lists = [d.draw.code("KL") for _ in jobs]
    # In summer time, when the clock of the house is not that of the app.
    days = [clinic.weekday(d.on(d.rng.randint(30, 44))) for _ in jobs]
    clocks = [f"{d.rng.randint(9, 15):02d}:{d.rng.choice((5, 10, 20, 25, 35, 40, 50)):02d}" for _ in jobs]
    job = d.fact("visit", jobs[0], jobs[1])
    company = d.fact("company", companies[0], companies[2])
    depot = d.fact("depot", depots[0], depots[1])
    day = d.fact("offered-day", days[0], clinic.weekday(days[0] + timedelta(days=2)))
    listed = d.fact("list", lists[0], lists[1]) if long else lists[0]

    for place, title in enumerate(jobs):
        at = d.ago(-(3 + d.turn(place) % 3), 9 + d.turn(place) % 5, 30)
        home.task(d, title, at.date(), company=company if place == 0 else companies[place], at=at)
    for age in range(d.dials.stale):
        home.task(d, jobs[0], d.on(-60 - 200 * age), company=companies[3], status="done", assignee=home.HENRIK)
    pointer = f"number {listed} on the key list" if long else f"the {job}"
    d.note("ask").leave(
        d,
        title="Letting people in at your house",
        text=d.rng.choice(
            (
                f"I can do all your door duty except one: {pointer} does not work for me, I am at a hearing that day. "
                "Could it come later?",
                f"About door duty: everything fits but {pointer}. My train is too late for it, sorry!",
                f"Door duty is fine, with one exception, {pointer}. Please find another time for it if you can.",
            )
        ),
        by=sitter,
        days_ago=1,
    )
    for place, (code, title) in enumerate(zip(lists, jobs, strict=True) if long else ()):
        what = job if place == 0 else title
        said = d.rng.choice((f"{code} on the key list is the {what}.", f"{code}: the {what}, key number two."))
        d.note("round").leave(d, title=f"Key list {code}", text=said, by=sitter, days_ago=8 + d.turn(place))
    leave_rules(
        d,
        d.note("terms"),
        title="Moving a visit of {word}",
        by=PRIYA,
        wordings=(
            "{word} moves visits through its depot {depot}, free of charge if customer number {number} is quoted.",
            "Our street belongs to depot {depot} at {word}. Whoever moves a visit quotes customer number {number}.",
        ),
        rules={
            name: {"depot": depot if place == 0 else depots[place], "number": numbers[place]}
            for place, name in enumerate(companies)
        },
        older={"depot": depots[-1], "number": d.draw.code("CN")},
        of=companies[0],
    )
    leave_rules(
        d,
        d.note("offer"),
        title="Free times of depot {word}",
        by=PRIYA,
        wordings=(
            "Depot {word} has one time left for the street: {day} at {clock}, London time.",
            "I rang depot {word} for all of us, and what they can still do is {day} at {clock} London time.",
        ),
        rules={
            name: {"day": day if place == 0 else days[place], "clock": clocks[place]}
            for place, name in enumerate(depots)
        },
        older={"day": d.on(28), "clock": "11:00"},
        of=depots[0],
    )
    leave_noise(d, d.note("ask"), PRIYA)

    told = d.note("ask").find(d, "door duty")
    if long:
        told = d.note("round").find(d, told.part(r"(KL-\d+)"))
    named = told.part(r"(\w+ wing \w+(?: \w+)?)(?: does not|,|\.)")
    before = home.find_task(d, named)
    terms = d.note("terms").find(d, before.at("data.items.0.visit_company"))
    offer = d.note("offer").find(d, terms.part(r"(DP-\d+)"))
    date = offer.part(r"(\d{4}-\d\d-\d\d)")
    d.act(
        "The visit stands at the time that the depot offers, with the customer number in its notes.",
        "home",
        "update_task",
        task_id=before.at("data.items.0.id"),
        due_on=date,
        visit_at=calc(
            "utc(day + clock, 'Europe/London')", day=text("{date}T", date=date), clock=offer.part(r"at (\d\d:\d\d)")
        ),
        notes=text("Customer number {number}.", number=terms.part(r"(CN-\d+)")),
    )
    after = home.find_task(d, named)
    visit, who = after.at("data.items.0.visit_at"), after.at("data.items.0.visit_company")
    clock = after.part("data.items.0.visit_at", r"T(\d\d:\d\d)")
    remark = text("{who} comes at {clock} UTC.", who=who, clock=clock)
    if long:
        errand = d.entry("job").add(
            d,
            "Handing over the key is noted for the new day, with the company and the time.",
            title=text("Key for the visit"),
            words=remark,
            day=after.part("data.items.0.visit_at", r"(\d{4}-\d\d-\d\d)"),
        )
        remark = text("{who} comes; the key is {errand}.", who=who, errand=errand)
    kept = d.entry("diary").add(
        d,
        "The new day of the visit is on record, with the company that comes.",
        title=text("Visit at the house"),
        words=remark,
        day=after.part("data.items.0.visit_at", r"(\d{4}-\d\d-\d\d)"),
    )
    d.message("tell").send(
        d,
        f"{sitter.name} knows who comes when instead, and the id of what was filed.",
        sitter,
        text("{who} comes at {visit} instead; see {kept}.", who=who, visit=visit, kept=kept),
        about="Door duty",
    )
    d.answer("{who} comes at {visit}.", who=who, visit=visit)
    _say(d, called(sitter), long)


def _say(d: Draft, sitter: str, long: bool) -> None:
    ask, terms, offer = (d.note(role).where(d) for role in ("ask", "terms", "offer"))
    d.title(f"A visit at the house that {sitter} cannot open for")
    d.say(
        f"{sitter} opens the door for us this spring, and one of the visits does not suit; the message about door "
        f"duty is {ask}.",
        f"One visit at the house has to move because of {sitter}, whose note about door duty is {ask}.",
    )
    if long:
        where = d.note("round").where(d)
        d.say(
            f"Numbers on the key list are explained {where}.",
            f"{sitter} goes by the key list, which you will find {where}.",
        )
    d.say(
        "Change it in the home app to what the company can still offer. Priya, who organises such things for the "
        f"whole street, notes {terms} how each company wants it done, and {offer} the times they have "
        f"left{d.stale('; some of what she wrote is out of date, so go by the newest')}.",
        f"Please move it in the home app. Priya has put down {terms} how to move a visit with that company, and "
        f"{offer} what their depot has left. If there are two answers, the later one counts.",
        "So move it in the home app. Priya has asked all the companies for our street: how each wants it done is "
        f"{terms}, and what their depots have free "
        f"{offer}.{d.stale(' She updates both, and only the latest is worth anything.')}",
    )
    d.say(
        "The customer number that they want belongs in the notes of the visit, and it should be due on the new day.",
        "Set its due date to the new day and write the customer number they ask for into its notes.",
        "Put it on the new day, and write the customer number that they insist on into its notes.",
    )
    if long:
        job = d.entry("job").what(d)
        d.say(
            f"Henrik must hand over the key then, so add {job} for that day: which company comes, and at what time "
            "(UTC).",
            f"I also need {job} for that day because of the key, with the company's name and the time in UTC.",
        )
    what = d.entry("diary").what(d)
    more = f" and {d.entry('job').reference(d)} for the key" if long else " and at what time (UTC)"
    d.say(
        f"File {what} for the new day that says which company comes{more}.",
        f"Add {what} for that day with the company that comes{more}.",
    )
    tell, made = d.message("tell").how(d, sitter), ", the one you made last" if long else ""
    d.say(
        f"When that is settled, {tell} with who comes, when, and {d.entry('diary').reference(d)}{made}. I want to "
        "know who and when, too.",
        f"Then {tell} with the company, the day and the time, and {d.entry('diary').reference(d)}{made}. Tell me "
        "the company, the day and the time as well.",
    )
