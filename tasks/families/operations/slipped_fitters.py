"""Fitters come later: every card that hangs on them moves, and the milestone with them."""

from __future__ import annotations

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, boards
from tasks.places.rules import leave_noise

MOVED = "Each card that waits for these fitters is due as many working days later as they are late and the floor dries."
MILESTONE = "Their milestone is due on the new day of its last card."
_WORK = ("Anchor the uprights", "Lay the cable trays", "Hang the signs", "Mark the lanes", "Mount the scanners")
_ZONES = ["amber", "basil", "coral", "denim", "ebony", "fern", "ginger", "hazel", "indigo", "jade"]


@family(
    "fitters-come-later",
    area="operations",
    roles={
        "call": DESK_NOTES,
        "delay": DESK_NOTES,
        "board": ("boards",),
        "zone": but(DESK_NOTES, "boards"),
        "log": but(DESK_ENTRIES, "boards"),
        "report": MESSAGES,
    },
    patterns=(
        "delay board zone board log board report",
        "call delay board zone board log board report",
    ),
)
def fitters_come_later(d: Draft) -> None:
    """Fitters are late by some working days; a note says with which job. Three cards carry its number. Their zone needs
    more days to dry and has a permit, so the cards move by the sum of both, the milestone moves to the last
    of them, and a remark on the first card says where all of it is written down.

    Hard: jobs of the same fitters, cards with the same titles in other zones, every matching card and none of the
    others, working days added from two notes, older rules, a date that the move makes stale.
    """
    asker, planner = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    fitters = d.draw.company()
    firms = [fitters, *(d.draw.near(fitters) for _ in range(size - 1))]
    calls, jobs, permits = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("TC", "FJ", "WP"))
    zones = [f"zone-{word}" for word in d.rng.sample(_ZONES, size)]
    # All that they add up to ends before the holidays.
    lates, dries = ([*d.rng.sample(range(2, 7), 5), *range(2, 7)][:size] for _ in range(2))
    call = d.fact("call", calls[0], calls[1]) if long else calls[0]
    job = d.fact("job", jobs[0], jobs[1])
    late = d.fact("days-late", lates[0], lates[0] + 1)
    zone = d.fact("zone", zones[0], zones[1])
    dry = d.fact("days-to-dry", dries[0], dries[0] + 1)
    permit = d.fact("permit", permits[0], permits[1])
    works = d.rng.sample(_WORK, 3)
    weekdays = [d.on(days) for days in range(3, 10)]
    for n in range(size):
        milestone = d.key("mil")
        days = sorted(d.rng.sample(weekdays, 3))
        name = f"Racks in {zones[n].replace('-', ' ')}" if n else f"Racks of hall {d.rng.randint(3, 9)}"
        d.plant(
            "boards_milestone",
            id=milestone,
            project_id=boards.OPERATIONS,
            name=name,
            due_date=max(days),
            created_at=d.ago(30, 11),
        )
        for place, work in enumerate(works):
            boards.card(
                d,
                work,
                f"Only when the fitters are through with {jobs[n]}.",
                created=d.ago(20 - d.turn(n), 10, 3 * place),
                due=days[place],
                labels=(zone if n == 0 else zones[n],),
                milestone=milestone,
            )

    if long:
        leave_each(
            d,
            "call",
            title="{word} rang",
            by=asker,
            wordings=(
                "{word} rang about their dates. I wrote it down under {call}.",
                "There was a call from {word}; see {call} for what they said.",
            ),
            words=firms,
            values={"call": [call, *calls[1:]]},
            older={"call": d.draw.code("TC")},
        )
    leave_each(
        d,
        "delay",
        title="{word}: later",
        by=asker,
        wordings=(
            "{word}: job {job} starts {late} working days later than agreed. The rest of theirs stays as it is.",
            "What {word} comes down to: with {job} they are {late} working days behind, with nothing else.",
            "{word}. They need {late} working days longer before they can begin {job}.",
        ),
        words=calls if long else firms,
        values={"job": [job, *jobs[1:]], "late": [late, *lates[1:]]},
        older={"job": jobs[2], "late": lates[0] + 2},
    )
    leave_each(
        d,
        "zone",
        title="Floor of {word}",
        by=planner,
        wordings=(
            "If work in {word} slips, the floor there needs {dry} working days on top, every single time. The permit "
            "is "
            "{permit}.",
            "{word}, permit {permit}: whatever slips there slips by another {dry} working days, because of the floor.",
        ),
        words=zones,
        values={"dry": [dry, *dries[1:]], "permit": [permit, *permits[1:]]},
        older={"dry": dries[0] + 3, "permit": permits[2]},
    )
    leave_noise(d, d.note("zone"), planner)

    word = d.note("call").find(d, fitters).part(r"(TC-\d+)") if long else fitters
    told = d.note("delay").find(d, word)
    cards = d.call("boards", "list_cards", query=told.part(r"(FJ-\d+)"))
    soon = weekdays[5]
    due = {"project_id": boards.OPERATIONS, "due_to": soon.isoformat(), "done": False}
    d.call("boards", "list_cards", **due)
    rule = d.note("zone").find(d, cards.at("data.items.0.labels.0"))
    late_by = told.part(r"(\d+) working days", number=True)
    dries_in = rule.part(r"(\d+) working days", number=True)
    before = d.call("boards", "get_card", card_id=cards.at("data.items.0.id"))
    for place in range(3):
        d.act(
            MOVED,
            "boards",
            "update_card",
            card_id=cards.at(f"data.items.{place}.id"),
            due_date=calc(
                "business_days(due, late + dry)",
                due=cards.at(f"data.items.{place}.due_date"),
                late=late_by,
                dry=dries_in,
            ),
        )
    d.act(
        MILESTONE,
        "boards",
        "update_milestone",
        milestone_id=before.at("data.milestone_id"),
        due_date=calc(
            "business_days(max(a, b, c), late + dry)",
            a=cards.at("data.items.0.due_date"),
            b=cards.at("data.items.1.due_date"),
            c=cards.at("data.items.2.due_date"),
            late=late_by,
            dry=dries_in,
        ),
    )
    after = d.call("boards", "get_card", card_id=cards.at("data.items.0.id"))
    record = d.entry("log").add(
        d,
        "An entry gives the permit of the zone and the new day of the first card.",
        title=text("Racks come later"),
        words=text(
            "Permit {permit}; {card} is due on {day}.",
            permit=rule.part(r"(WP-\d+)"),
            card=after.at("data.code"),
            day=after.at("data.due_date"),
        ),
    )
    d.act(
        "A remark on the first of the cards says where the entry is.",
        "boards",
        "create_comment",
        output=True,
        card_id=after.at("data.id"),
        body=text("See {record}.", record=record),
    )
    moved = d.call("boards", "list_cards", query=told.part(r"(FJ-\d+)"))
    last = calc(
        "max(a, b, c)",
        a=moved.at("data.items.0.due_date"),
        b=moved.at("data.items.1.due_date"),
        c=moved.at("data.items.2.due_date"),
    )
    still = d.call("boards", "list_cards", **due).at("data.total")
    d.message("report").send(
        d,
        f"{planner.name} knows when the last card is due now and where it is written down.",
        planner,
        text("The last of them is due on {last}. See {record}.", last=last, record=record),
        about="Racks",
    )
    d.answer(
        "All three moved, the last is due on {last}; see {record}. {still} open cards are due early.",
        last=last,
        record=record,
        still=still,
    )

    d.title(f"{fitters} come later")
    first, where, log = called(planner), d.note("delay").where(d), d.entry("log")
    if long:
        d.say(
            f"{fitters} telephoned. {called(asker)} noted {d.note('call').where(d)} the number of the call, and "
            f"what it means for us is {where}.",
            f"We had {fitters} on the line. The number of that call is {d.note('call').where(d)}; with it you will "
            f"find what they said {where}.",
            f"{called(asker)} spoke to {fitters}. Look {d.note('call').where(d)} for the number of the call; which "
            f"job is late, and by how much, is noted {where}.",
        )
    else:
        d.say(
            f"{fitters} are late with one of their jobs; {called(asker)} says {where} which one, and by how much.",
            f"One job of {fitters} starts later than agreed. Which one and how much later is {where}.",
            f"I hear from {called(asker)} that {fitters} cannot keep one of their dates; the details are {where}.",
        )
    d.say(
        "Every card on the Operations board that waits for that job has to move by those working days, plus what the "
        "floor "
        f"of its zone needs to dry ({first} has that for each zone {d.note('zone').where(d)}).",
        f"Please move all Operations cards that hang on that job: the delay, and on top of it the working days for the "
        f"floor in their zone, which {first} has written down {d.note('zone').where(d)}.",
        "On the Operations board, move all cards that wait for this job by the delay plus the working days that "
        f"the floor of their zone takes to dry. Those days are {d.note('zone').where(d)}.",
    )
    d.warn(
        "Where it was noted twice, the newest is right.",
        "Some of those figures were corrected later, so go by the latest.",
        "Earlier notes about the same are void.",
    )
    d.say(
        "Their milestone goes to the day on which the last of them is due then. Leave everything else on the board "
        "alone.",
        "The milestone they belong to is to be due with the last of them. Nothing else on the board changes.",
        "Set their milestone to the date of the last one. All other cards stay where they are.",
    )
    d.paragraph()
    d.say(
        f'I also need {log.what(d)} with the zone\'s permit and the new date of "{works[0]}", and a remark on that '
        "card "
        f"with {log.reference(d)}.",
        f'Add {log.what(d)}: the permit of the zone, and when "{works[0]}" is due now. Put {log.reference(d)} into a '
        "comment on that card so that people find it.",
        f'For the others, make {log.what(d)} that gives the permit of that zone and the day on which "{works[0]}" is '
        f"due now, and comment on this card with {log.reference(d)}.",
    )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the date of the last card and {log.reference(d)}; I would "
        "like to know them too.",
        f"When you are through, {d.message('report').how(d, first)} with the last card's new date and "
        f"{log.reference(d)}. Tell me the same.",
        f"{first} plans the lorries, so {d.message('report').how(d, first)}: when the last card is due, and "
        f"{log.reference(d)}. Tell me as well, please.",
    )
    d.say(
        f"Tell me also how many open cards of the Operations board are due by {soon:%-d %B} then.",
        f"And from you I would like to hear how many cards on the Operations board are still to be done by "
        f"{soon:%-d %B} after all that.",
    )
