"""A seller's tour: what was left open is moved, what was done is logged."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence, strangers
from tasks.places import contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, PRIYA, JONAH, HANA = COLLEAGUES[1], COLLEAGUES[2], COLLEAGUES[3], COLLEAGUES[6]
TOURS = ("valley", "moorland", "borderland", "lakeside", "upland", "estuary", "peninsula", "vineyard")
ZONES = {"Lisbon": "Europe/Lisbon", "Leeds": "Europe/London", "Lyon": "Europe/Paris", "Perth": "Australia/Perth"}
MOVED = "Both open tasks of the tour are due at the new time, and Priya has them."


@family(
    "open-tasks-of-a-tour",
    area="sales",
    roles={
        "word": OFFICE_NOTES,
        "plans": OFFICE_NOTES,
        "legs": OFFICE_NOTES,
        "sample": OFFICE_NOTES,
        "book": ("contacts",),
        "region": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "word legs book region book log report",
        "word plans legs book region book sample log report",
    ),
    filed="log",
)
def open_tasks_of_a_tour(d: Draft) -> None:
    """Jonah broke off a tour. His open tasks on one leg go to Priya, due when the company's region allows; the call he
    did make is logged. Hard: tasks known by a code in their subject, done and foreign ones among them, local times in
    another zone, a region found on the company, several legs with similar codes, a last contact that the log makes
    stale.
    """
    size, tour = 1 + d.dials.alike, d.rng.choice(TOURS)
    trips, legs, regions, plans, bags = (
        [d.draw.code(prefix) for _ in range(size)] for prefix in ("TO", "LG", "rn", "PL", "BG")
    )
    trip, leg, region = (
        d.fact("trip", trips[0], trips[1]),
        d.fact("leg", legs[0], legs[1]),
        d.fact("region", regions[0], regions[1]),
    )
    plan, bag = trips[0], bags[0]
    if d.pattern:
        plan, bag = d.fact("plan", plans[0], plans[1]), d.fact("samples", bags[0], bags[1])
    shelf = d.fact("shelf", *(d.draw.code("SX") for _ in range(2))) if d.pattern else ""
    city = d.rng.choice(tuple(ZONES))
    first = d.draw.day(7, 30)
    day = d.fact("day", first, first + timedelta(days=1))
    hour = d.fact("hour", *(f"{number:02d}:45" for number in d.rng.sample(range(9, 16), 2)))
    called = d.fact("call", *(f"{number:02d}:20" for number in d.rng.sample(range(9, 16), 2)))
    buyer = d.fact("buyer", *(d.draw.person() for _ in range(2)))
    for place, code in enumerate(legs):
        firm = strangers(d, 1, tour.capitalize())[0]
        tag = region if place == 0 else regions[place]
        record = contacts.company(d, firm, owner="jonah", tags=(tag,))
        contacts.remark(
            d, record, f"Wants to see bag {bag if place == 0 else bags[place]}.", JONAH, 100 + d.turn(place)
        )
        who = contacts.person(d, buyer if place == 0 else d.draw.person(), record, owner="jonah", title="Buyer")
        for number, (subject, status) in enumerate(
            (("Show the samples", "open"), ("Measure two people", "open"), ("Bring the catalogue", "done"))
        ):
            at = d.ago(-1 - number - d.turn(place), 10) if status == "open" else d.ago(6 + d.turn(place), 10)
            d.plant(
                "contacts_activity",
                id=d.key("act"),
                kind="task",
                subject=f"{subject} ({code})",
                at=at,
                status=status,
                company_id=record,
                person_id=who,
                assignee_id="mem_jonah",
                created_by="mem_jonah",
                created_at=d.ago(9 + d.turn(place), 9, number),
                completed_at=at if status == "done" else None,
            )
        d.plant(
            "contacts_activity",
            id=d.key("act"),
            kind="call",
            subject="First call",
            at=d.ago(30 + d.turn(place), 14),
            status="done",
            company_id=record,
            assignee_id="mem_jonah",
            created_by="mem_jonah",
            created_at=d.ago(30 + d.turn(place), 14),
        )
    yesterday, told = d.on(-3), plan if d.pattern else trip
    d.note("word").leave(
        d,
        title=f"The {tour} tour",
        text=d.rng.choice(
            (
                f"I have to break off the {tour} tour, my car is in a ditch. {told} is the one I never finished. I did "
                f"ring them on {yesterday} at {called} UTC to say so.",
                f"About my {tour} tour: {told} did not take place, everything before it did. They know, I rang them on "
                f"{yesterday} at {called} UTC.",
            )
        ),
        by=JONAH,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("plans"),
            title="Plan {word}",
            by=HANA,
            wordings=("Plan {word} is for trip {trip}.", "{word} was made for {trip} and nothing else."),
            rules={code: {"trip": trip if place == 0 else trips[place]} for place, code in enumerate(plans)},
            older={"trip": trips[2]},
            of=plans[0],
        )
        leave_rules(
            d,
            d.note("sample"),
            title="Bag {word}",
            by=HANA,
            wordings=("Bag {word} lies on shelf {shelf}.", "You find {word} on shelf {shelf} in the showroom."),
            rules={code: {"shelf": shelf if place == 0 else d.draw.code("SX")} for place, code in enumerate(bags)},
            older={"shelf": "SX-1099"},
            of=bags[0],
        )
    leave_rules(
        d,
        d.note("legs"),
        title="Trip {word}",
        by=HANA,
        wordings=("Trip {word} was leg {leg} of the tour.", "{word} is leg {leg}; the tasks for it carry that number."),
        rules={code: {"leg": leg if place == 0 else legs[place]} for place, code in enumerate(trips)},
        older={"leg": legs[2]},
        of=trips[0],
    )
    leave_rules(
        d,
        d.note("region"),
        title="Visits in {word}",
        by=TOBIAS,
        wordings=(
            f"Companies in {{word}} see us again on {{day}} at {{hour}}, {city} time, and not earlier.",
            f"The next round in {{word}} is on {{day}}, {{hour}} in {city}.",
        ),
        rules={
            code: {
                "day": day if place == 0 else d.on(d.beside.randint(7, 30)),
                "hour": hour if place == 0 else f"{d.beside.randint(9, 15):02d}:45",
            }
            for place, code in enumerate(regions)
        },
        older={"day": d.on(4), "hour": "18:15"},
        of=regions[0],
    )
    leave_noise(d, d.note("region"), TOBIAS)

    said = d.note("word").find(d, tour)
    word: Template = said.part(r"((?:TO|PL)-\d+)")
    if d.pattern:
        word = d.note("plans").find(d, word).part(r"(TO-\d+)")
    subject = d.note("legs").find(d, word).part(r"leg (LG-\d+)")
    tasks = d.call("contacts", "list_activities", query=subject, kind="task", status="open", newest_first=False)
    firm_id = tasks.at("data.items.0.company_id")
    firm_ = d.call("contacts", "get_company", company_id=firm_id)
    team = d.call("contacts", "list_members")
    priya = team.at("data.items.[name=Priya Raman].id")
    d.call("contacts", "list_activities", kind="task", status="open", assignee_id=priya)
    rule = d.note("region").find(d, firm_.at("data.tags.0"))
    local = text("{day}T{hour}", day=rule.part(r"(\d{4}-\d\d-\d\d)"), hour=rule.part(r"(\d\d:\d\d)"))
    for place in range(2):
        d.act(
            MOVED,
            "contacts",
            "update_task",
            activity_id=tasks.at(f"data.items.{place}.id"),
            due_at=calc("utc(local, zone)", local=local, zone=ZONES[city]),
            assignee_id=priya,
        )
    rang = text("{day}T{hour}", day=said.part(r"(\d{4}-\d\d-\d\d)"), hour=said.part(r"(\d\d:\d\d)"))
    d.act(
        "The call that was made is in the book.",
        "contacts",
        "log_activity",
        kind="call",
        subject=text("Told them that the visit is off"),
        company_id=firm_id,
        at=calc("utc(local, 'UTC')", local=rang),
    )
    now = d.call("contacts", "get_company", company_id=firm_id)
    load = d.call("contacts", "list_activities", kind="task", status="open", assignee_id=priya).at("data.total")
    carried: dict[str, Template] = {"who": tasks.at("data.items.0.person_name"), "company": now.at("data.name")}
    if d.pattern:
        remarks = d.call("contacts", "list_notes", kind="company", record_id=now.at("data.id"))
        bag_word = remarks.part("data.items.0.body", r"(BG-\d+)")
        carried["shelf"] = d.note("sample").find(d, bag_word).part(r"shelf (SX-\d+)")
    task = d.entry("log").add(
        d,
        "It is entered, for the new day, whom Priya visits.",
        title=text("Visit"),
        words=text("{who}, {company}" + (": take {shelf}" if d.pattern else ""), **carried),
        day=rule.part(r"(\d{4}-\d\d-\d\d)"),
    )
    d.message("report").send(
        d,
        "Priya knows the company, the last contact and what was entered.",
        PRIYA,
        text(
            "{company}, last contact {at}. See {task}.",
            company=now.at("data.name"),
            at=now.at("data.last_contact_at"),
            task=task,
        ),
        about="Two visits for you",
    )
    d.answer(
        "{company}: {leg} is with Priya, who has {load} open tasks now.",
        company=now.at("data.name"),
        leg=subject,
        load=load,
    )
    _instruct(d, tour)


def _instruct(d: Draft, tour: str) -> None:
    d.title(f"Hand over what is left of the {tour} tour")
    d.say(
        f"Jonah had to break off his {tour} tour and says {d.note('word').where(d)} what did not take place. Priya "
        "takes over.",
        f"Priya is stepping in for Jonah on the {tour} tour. What is left to do follows from Jonah's note "
        f"{d.note('word').where(d)}.",
    )
    if d.pattern:
        d.say(
            f"His plans are {d.note('plans').where(d)}, and the legs of the trips {d.note('legs').where(d)}.",
            f"Which trip a plan was for is noted {d.note('plans').where(d)}, and which leg a trip was, "
            f"{d.note('legs').where(d)}.",
        )
    else:
        d.say(
            f"Which leg a trip was is noted {d.note('legs').where(d)}.",
            f"The legs of the trips are written down {d.note('legs').where(d)}.",
        )
    d.say(
        "All tasks in Contacts that are open for that leg have to go to Priya, due at the time when the company's "
        f"region is visited again. The region is a tag on the company, the times are {d.note('region').where(d)}, and "
        "they are local.",
        "In Contacts, give Priya the open tasks for that leg, with a new due time: that of the next round in the "
        f"region with which the company is tagged, in local time ({d.note('region').where(d)}).",
    )
    d.warn(
        "Jonah replans a lot, so the newest note about anything holds.",
        "Some of these were planned differently before; the latest is right.",
    )
    d.say(
        "The call that he did make is missing from the company's record, so log it with its time.",
        "Jonah's call to them should be logged on the company, at the time he gives.",
    )
    d.paragraph()
    if d.pattern:
        d.say(
            "A note on the company says which bag of samples they want to see; where it lies is "
            f"{d.note('sample').where(d)}. Make {d.entry('log').what(d)} for the new day that names the company, the "
            f"person on the tasks and the shelf.",
            f"Priya needs their samples: the note on the company names the bag, and {d.note('sample').where(d)} you "
            f"see its shelf. Put company, person (the one on the tasks) and shelf into {d.entry('log').what(d)} for "
            "the new day.",
        )
    else:
        d.say(
            f"Make {d.entry('log').what(d)} for the new day with the company and the person whom the tasks are about.",
            f"For the new day I want {d.entry('log').what(d)} that names the company and the person on those tasks.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, 'Priya'))}: which company, when we last spoke to them after all this, "
        f"and {d.entry('log').reference(d)}.",
        f"Then {d.message('report').how(d, 'Priya')} with the company, the time of our last contact as Contacts now "
        f"shows it, and {d.entry('log').reference(d)}.",
    )
    d.say(
        "I need the company, the leg, and how many open tasks Priya has in Contacts after that.",
        "Tell me which company and which leg it was, and the number of tasks in Contacts that Priya has open then.",
    )
