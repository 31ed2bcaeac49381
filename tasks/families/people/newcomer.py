"""The first things for somebody who joins."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import hr
from tasks.places.rules import leave_noise, leave_rules

HANA, RUTH = COLLEAGUES[6], COLLEAGUES[12]
MEALS = ("vegetarian", "vegan", "halal", "gluten_free")


@family(
    "things-for-a-newcomer",
    area="people",
    roles={
        "request": OFFICE_NOTES,
        "people": ("hr",),
        "kit": OFFICE_NOTES,
        "site": OFFICE_NOTES,
        "travel": ("travel",),
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request people kit people travel log report",
        "request people kit site people travel log register report",
    ),
    filed="log",
)
def things_for_a_newcomer(d: Draft) -> None:
    """Somebody joins. Their first open task names a list, the list the locker that goes into its result; the hire's
    record has the railcard for their travel profile, which does not exist yet. Hard: like tasks of other newcomers,
    lists that were replaced, a profile to fill from two records; another task is the next one then.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    hall = f"{d.draw.company().split()[0]} Hall"
    people = [d.draw.person("Larkspur") for _ in range(size)]
    kits, sites, lockers = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("KT", "ST", "LK"))
    cards = [d.draw.code("RC") for _ in range(size)]
    # Two weeks after the first day it is not yet Easter.
    starts = [d.draw.day(7, 17) for _ in range(size)]
    name = d.fact("newcomer", people[0].name, people[1].name)
    kit = d.fact("kit", kits[0], kits[1])
    site = d.fact("site", sites[0], sites[1]) if long else sites[0]
    locker = d.fact("locker", lockers[0], lockers[1])
    card = d.fact("railcard", cards[0], cards[1])

    d.note("request").leave(
        d,
        title=f"The new one in {hall}",
        text=d.rng.choice(
            (
                f"{name} joins us in {hall} this month, and your first task for that is due any day.",
                f"Please do not forget {name}, who begins in {hall} this month and has nothing yet.",
                f"In {hall} we get {name}. I looked at the tasks: yours come first, then mine.",
            )
        ),
        by=RUTH,
        days_ago=1,
    )
    for place, who in enumerate(people):
        key = hr.employee(
            d, who, 511 + place, title="Loom Hand", location="London", status="joining", starts=starts[place]
        )
        words = f"Follow list {kit if place == 0 else kits[place]}; write down what it asks for."
        due = d.on(1 + d.turn(place) % 3)
        first = hr.onboarding_task(d, key, "Prepare the place", hr.MARA, due, details=words)
        hr.onboarding_task(
            d, key, "Show the ways out", hr.MARA, starts[place], details="On the first day.", after=first
        )
        later = starts[place] + timedelta(days=14)
        hr.onboarding_task(d, key, "Talk after two weeks", "emp_ruth_abernathy", later, details="How is it going?")
        reason = f"Railcard {card if place == 0 else cards[place]} is theirs from the first day."
        hr.job_change(d, key, "hire", starts[place], None, "Loom Hand", reason)
    fixed = [f"locker {locker if n == 0 else each}" for n, each in enumerate(lockers)]
    asked = [f"what site sheet {site if n == 0 else each} says" for n, each in enumerate(sites)] if long else fixed
    leave_rules(
        d,
        d.note("kit"),
        title="List {word}",
        by=HANA,
        wordings=(
            "{word}: boots and vest lie ready. As the result write {asked}.",
            "Whoever works through {word} writes {asked} into the result; the rest is in the cupboard.",
        ),
        rules={code: {"asked": asked[n]} for n, code in enumerate(kits)},
        older={"asked": asked[1]},
        of=kits[0],
    )
    leave_noise(d, d.note("kit"), HANA)

    seen = d.note("request").find(d, hall)
    found = hr.find_employee(d, seen.part(r"([A-Z]\w+ [A-Z]\w+)(?: joins|, who|\. I )"))
    person = found.at("data.items.0.id")
    tasks = d.call("hr", "list_onboarding_tasks", employee_id=person, status="open")
    told = d.note("kit").find(d, tasks.part("data.items.0.details", r"(KT-\d+)"))
    if long:
        leave_rules(
            d,
            d.note("site"),
            title="Site sheet {word}",
            by=RUTH,
            wordings=("On {word} there is {fixed}.", "{word} has {fixed} free."),
            rules={code: {"fixed": fixed[n]} for n, code in enumerate(sites)},
            older={"fixed": fixed[2]},
            of=sites[0],
        )
        told = d.note("site").find(d, told.part(r"(ST-\d+)"))
    d.act(
        "The first task is done, with the locker as its result.",
        "hr",
        "complete_onboarding_task",
        onboarding_task_id=tasks.at("data.items.0.id"),
        result=text("{locker}", locker=told.part(r"(LK-\d+)")),
    )
    hire = d.call("hr", "list_job_changes", employee_id=person, kind="hire")
    rest = d.call("hr", "list_onboarding_tasks", employee_id=person, status="open")
    profile = d.act(
        "The newcomer has a travel profile with address and railcard.",
        "travel",
        "create_traveller",
        name=found.at("data.items.0.name"),
        email=found.at("data.items.0.email"),
        railcard_number=hire.part("data.items.0.reason", r"(RC-\d+)"),
    )
    due, title = rest.at("data.items.0.due_date"), rest.at("data.items.0.title")
    record = d.entry("log").add(
        d,
        "What was entered gives the travel profile and the name.",
        title=text(f"New in {hall}"),
        words=text("{profile} for {name}.", profile=profile.at("data.id"), name=profile.at("data.name")),
    )
    if long:
        record = d.entry("register").add(
            d,
            "The next task is entered for its day, with what the profile was entered under.",
            title=text("What comes next"),
            words=text("{title}, see {entry}.", title=title, entry=record),
            day=due,
        )
    d.message("report").send(
        d,
        "Ruth knows the entry and the day of the next task.",
        RUTH,
        text("The first one is done. The next is due on {due}; see {entry}.", due=due, entry=record),
        about=f"The new one in {hall}",
    )
    d.answer("{name}: next is {title}, due on {due}.", name=profile.at("data.name"), title=title, due=due)
    _instruct(d, hall, long)


def _instruct(d: Draft, hall: str, long: bool) -> None:
    kit, last = d.note("kit").where(d), d.entry("log")
    d.title(f"Get things ready for the newcomer in {hall}")
    d.say(
        f"Somebody new is starting in {hall}, and the first of their onboarding tasks in HR is mine. Ruth names "
        f"them {d.note('request').where(d)}.",
        f"I have done nothing yet for the new colleague in {hall}; Ruth reminded me of them "
        f"{d.note('request').where(d)}.",
        f"We have a newcomer in {hall} (Ruth gives the name {d.note('request').where(d)}), and their onboarding in HR "
        "begins with a task of mine.",
    )
    if long:
        site = d.note("site").where(d)
        d.say(
            f"Tick off the earliest open task. It follows a list, which is {kit}, and the list points to a site "
            f"sheet, {site}; the locker you find there is the result.",
            f"The earliest open task can be ticked off: its list ({kit}) names a site sheet ({site}), and the "
            "locker on that goes into the result.",
            f"Complete the task that is due first. The list it follows is {kit}, the site sheet that the list names is "
            f"{site}; as the result write the locker from that sheet.",
        )
    else:
        d.say(
            f"Tick off the earliest open task. It follows a list, which is {kit}; the locker it names is the result.",
            f"The earliest open task can be ticked off: its list is {kit}, and the locker there goes into the result.",
            f"Complete the task that is due first. The list it names is {kit}; as the result write the locker it "
            "gives.",
        )
    d.warn(
        "Lists were redone this winter; the newest is right.",
        "Of two lists with one name the later one holds.",
        "Go by the latest note wherever there is more than one.",
    )
    d.say(
        "They also need a profile in Travel with name, mail address and the railcard that their hire mentions in HR.",
        "Then make a travel profile for them, with their mail address and the railcard; HR has that with the hire.",
        "In Travel they have no profile yet. Create it, with their mail address and the railcard noted on their hire "
        "in HR.",
    )
    d.paragraph()
    log, key = last.what(d), last.reference(d)
    d.say(
        f"Put the profile's id and the name into {log}.",
        f"I would like {log} with the name and the id of that profile.",
        f"Make {log} that has their name and the id of the profile.",
    )
    if long:
        last = d.entry("register")
        register = last.what(d)
        d.say(
            f"Put the task that is open next into {register} for the day on which it is due, together with {key}.",
            f"For the task that is due next add {register}, dated the day on which it is due, with its title and "
            f"{key}.",
            f"I also need {register} for the day on which the next task is due, saying which task that is, with {key}.",
        )
        key = last.reference(d)
    how = d.message("report").how(d, "Ruth")
    d.say(
        f"Finally {how} with the day on which the next open task is due, and {key}.",
        f"Then {how}: when the next task that is still open is due, and {key}.",
        f"Ruth would like to know when the next open task is due, so {how} with that day and {key}.",
    )
    d.say(
        "Tell me the name, the next task and its day.",
        "I need the name, the next task and when it is due.",
        "Tell me who it is, what comes next, and by when.",
    )
