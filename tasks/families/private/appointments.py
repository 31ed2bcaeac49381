"""Appointments: the children's dentist clashes with a trip."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Passage, Seen, Template, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, called
from tasks.places import calendar, clinic
from tasks.places.rules import leave_noise, leave_rules

DARIO, HANA, AMARA, RUTH = COLLEAGUES[5], COLLEAGUES[6], COLLEAGUES[8], COLLEAGUES[12]

MOVED = "Both cleanings stand at the first free times of the day for late changes, with the reminder that is wanted."

_LED = ("camp", "rally", "trek", "regatta", "retreat")
_WINDOWS = (7, 9, 14, 16, 21, 23, 28, 30, 35)
"""Days from the start on which trips begin; each takes two."""


@family(
    "dentist-during-a-trip",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "group": WORD_LEFT,
        "plans": ("calendar",),
        "practice": ("clinic",),
        "rule": WORD_LEFT,
        "errand": KEPT,
        "diary": KEPT,
        "tell": TOLD,
    },
    patterns=(
        "ask plans practice rule practice diary tell",
        "ask group plans practice rule practice errand diary tell",
    ),
    filed="diary",
)
def dentist_during_a_trip(d: Draft) -> None:
    """The children join a trip, and their cleanings at the dentist fall into its days. Both must move to the day that
    the dentist keeps for late changes, to the first free times, with the reminder that her desk wants. Hard: trips
    and dentists of similar names, a rule that was changed, one move for each appointment of those days and for no
    other.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    trips = _trips(d, many)
    doctors = [f"Dr {d.draw.person().name}" for _ in trips]
    groups = [d.draw.code("SG") for _ in trips]
    trip = d.fact("trip", trips[0], trips[1])
    group = d.fact("group", groups[0], groups[1]) if long else groups[0]
    dentist = d.fact("dentist", 0, 2)
    windows = [*d.rng.sample(_WINDOWS[:6], min(6, many)), *_WINDOWS[6:many]]
    keeps, instead = _late_days(d, windows)
    kept = d.fact("late-day", keeps[0], instead)
    reminders = [d.rng.choice((2, 48)) for _ in doctors]
    reminder = d.fact("reminder", reminders[0], 50 - reminders[0])
    asking = d.rng.choice([HANA, AMARA, DARIO])

    ids = [clinic.practitioner(d, name) for name in doctors]
    for place, (title, ahead) in enumerate(zip(trips, windows, strict=True)):
        calendar.whole_days(d, title, d.on(ahead), d.on(ahead + 1), description="Boots and a cup, says the leader.")
        for number, child in enumerate(clinic.CHILDREN):
            starts = d.ago(-ahead - number, 14 + number, 30 * number)
            clinic.appointment(d, child, ids[dentist if place == 0 else place], "hygiene", starts)
    for number in range(d.rng.randint(1, 4)):
        taken = d.at(keeps[0], 8, 30 * number)
        clinic.appointment(d, d.rng.choice(("pat_elena_sorokina", "pat_priya_raman")), ids[0], "hygiene", taken)
    pointer = f"They are in group {group}" if long else f"It is the {trip}"
    d.note("ask").leave(
        d,
        title="Places for your children",
        text=d.rng.choice(
            (
                f"Good news, your children's places are confirmed! {pointer}. Nobody can come late, so keep the days "
                "free.",
                f"I have your children's places. {pointer}. They must be there from the first morning to the last "
                "evening.",
                f"Paid and signed: your children's places. {pointer}. No pick-ups in between, the organisers were "
                "firm.",
            )
        ),
        by=asking,
        days_ago=1,
    )
    for place, (code, title) in enumerate(zip(groups, trips, strict=True) if long else ()):
        goes = trip if place == 0 else title
        said = d.rng.choice((f"Group {code} goes to the {goes}.", f"{code}, two leaders, goes to the {goes}."))
        d.note("group").leave(d, title=f"Group {code}", text=said, by=asking, days_ago=6 + d.turn(place))
    leave_rules(
        d,
        d.note("rule"),
        title="Late changes with {word}",
        by=RUTH,
        wordings=(
            "{word} takes late changes on {day} only, first come first served, and wants a reminder {hours} hours "
            "before.",
            "Whoever must move an appointment with {word}: {day} is kept for that. A reminder {hours} hours before is "
            "a must.",
        ),
        rules={
            name: {"day": kept if place == 0 else keeps[place], "hours": reminder if place == 0 else reminders[place]}
            for place, name in enumerate(doctors)
        },
        older={"day": keeps[-1], "hours": 24},
        of=doctors[0],
    )
    leave_noise(d, d.note("ask"), RUTH)

    told = d.note("ask").find(d, "children's places")
    if long:
        told = d.note("group").find(d, told.part(r"(SG-\d+)"))
    days = calendar.find(d, told.part(r"(?:It is|goes to) the (\w+ \w+)"))
    clash = d.call(
        "clinic",
        "list_appointments",
        status="booked",
        kind="hygiene",
        starts_after=days.at("data.items.0.start"),
        starts_before=days.at("data.items.0.end"),
    )
    keys = [clash.at(f"data.items.{place}.id") for place in range(2)]
    d.call("clinic", "get_appointment", appointment_id=keys[0])
    rule = d.note("rule").find(d, clash.at("data.items.0.practitioner_name"))
    moved = [_move(d, key, clash, rule) for key in keys]
    first, second = (one.part("data.starts_at", r"T(\d\d:\d\d)") for one in moved)
    day = moved[0].part("data.starts_at", r"(\d{4}-\d\d-\d\d)")
    times = text("The dentist has them at {first} and {second}.", first=first, second=second)
    if long:
        errand = d.entry("errand").add(
            d,
            "Driving the children to the dentist is a job for that day, with both times.",
            title=text("Take the children to the dentist"),
            words=times,
            day=day,
        )
        times = text("At {first} and {second}; driving: {errand}.", first=first, second=second, errand=errand)
    filed = d.entry("diary").add(
        d, "Both new times are noted on their day.", title=text("Dentist, both children"), words=times, day=day
    )
    d.message("tell").send(
        d,
        f"{asking.name} knows when the children see the dentist instead, and how that is filed.",
        asking,
        text(
            "They can come: the dentist is now on {day}, at {first} and {second}. Filed as {filed}.",
            day=day,
            first=first,
            second=second,
            filed=filed,
        ),
        about="The children are coming",
    )
    d.answer("Moved to {day}, {first} and {second}.", day=day, first=first, second=second)
    _say(d, called(asking), long)


def _trips(d: Draft, many: int) -> list[str]:
    """Names of trips, two of which begin alike."""
    names = [f"{name} {d.rng.choice(_LED)}" for name in brands(d, many - 1)]
    first, _, kind = names[0].partition(" ")
    return [*names, f"{first} {d.rng.choice([one for one in _LED if one != kind])}"]


def _late_days(d: Draft, windows: Sequence[int]) -> tuple[list[date], date]:
    """The day of late changes for the dentist of each trip, and another one of the first. They are working days before
    summer time on which neither that trip nor the first takes the children away.
    """
    away = {windows[0], windows[0] + 1}
    days = [ahead for ahead in range(9, 26) if d.on(ahead).weekday() < 5 and ahead not in away]
    first, instead = d.rng.sample(days, 2)
    later = [d.rng.choice([ahead for ahead in days if ahead not in (begins, begins + 1)]) for begins in windows[1:]]
    return [d.on(ahead) for ahead in (first, *later)], d.on(instead)


def _move(d: Draft, key: Template, clash: Seen, rule: Passage) -> Seen:
    free = d.call(
        "clinic",
        "list_slots",
        practitioner_id=clash.at("data.items.0.practitioner_id"),
        date=rule.part(r"(\d{4}-\d\d-\d\d)"),
        kind="hygiene",
    )
    d.act(
        MOVED,
        "clinic",
        "update_appointment",
        appointment_id=key,
        starts_at=free.at("data.items.0.starts_at"),
        reminder_hours=rule.part(r"(\d+) hours", number=True),
    )
    return d.call("clinic", "get_appointment", appointment_id=key)


def _say(d: Draft, asking: str, long: bool) -> None:
    ask, rule = d.note("ask").where(d), d.note("rule").where(d)
    d.title("Dentist's appointments during a trip of the children")
    d.say(
        f"{asking} has written about my children's places ({ask}), and the days clash with the cleaning at the "
        "dentist that both of them have.",
        f"The children are going away! {asking} told me about the children's places; the note is {ask}. On those "
        "days both are due for a cleaning at the dentist.",
        f"You will find what {asking} says about the children's places {ask}. Their dental cleanings are on exactly "
        "those days.",
    )
    if long:
        where = d.note("group").where(d)
        d.say(f"Which trip their group goes on is noted {where}.", f"Who goes where is listed by group, {where}.")
    d.say(
        "The trip's days are in my calendar. Move both cleanings that fall on them and leave every other appointment "
        "alone.",
        "Its dates stand in my calendar; please move what they have at the dentist then, both of them, and nothing "
        "else.",
        "You get the days from my calendar. Both cleanings on them have to go elsewhere, everything else we have at "
        "the practice stays.",
    )
    d.say(
        "Dentists are picky about late changes: Ruth has collected their rules "
        f"{rule}{d.stale(', some of them twice, and the newest holds')}. Do the earlier appointment first; each "
        "gets the earliest time that is free on the day, and the reminder that is asked for.",
        f"What theirs allows for late changes Ruth has noted {rule}; take the latest she says, and set the reminder "
        "as she says, too. In the order of the appointments, give each the first time that is still free on that "
        "day.",
        f"Late changes have rules, and Ruth writes those of each dentist down {rule}; when two contradict each other, "
        "take the later one. First come, first served: the appointment that is earlier now gets the first free time "
        "of the day, the other the next, both with the reminder as wanted.",
    )
    if long:
        job = d.entry("errand").what(d)
        d.say(
            f"Henrik drives them, so make that {job} for the day, with both times.",
            f"For the drive I need {job} for that day which says both times.",
        )
    last = f"both times and {d.entry('errand').reference(d)} for the drive" if long else "both times"
    what = d.entry("diary").what(d)
    d.say(f"Add {what} for the new day with {last}.", f"Then I want {what} for the new day with {last}.")
    d.paragraph()
    d.say(
        f"Finally {d.message('tell').how(d, asking)} that they can come, with the new day and times at the dentist "
        f"and {d.entry('diary').reference(d)} about it. I need the day and the times, too.",
        f"And {d.message('tell').how(d, asking)} so that nobody worries, giving the dentist's day, both times and "
        f"{d.entry('diary').reference(d)} you filed last; repeat day and times to me.",
    )
