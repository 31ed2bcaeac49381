"""The sheet of a training that the user gave."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.office import names as halls_of
from tasks.places import learning
from tasks.places.rules import leave_noise, leave_rules

MARA, RUTH, HANA = COLLEAGUES[0], COLLEAGUES[12], COLLEAGUES[6]
MOVED = "Whoever was absent has a seat on the day that the rule gives."
_AHEAD = (6, 7, 8, 9, 11, 12, 13, 14, 16, 17)
"""Working days from the start on which the courses are given again."""
ATTENDED = "Those who were there have completed the course, and nobody else has."


@family(
    "sheet-of-a-training",
    area="people",
    roles={
        "request": OFFICE_NOTES,
        "training": ("learning",),
        "sheet": OFFICE_NOTES,
        "rule": OFFICE_NOTES,
        "room": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request training sheet rule training log report",
        "request training sheet rule room training log register report",
    ),
    filed="log",
)
def sheet_of_a_training(d: Draft) -> None:
    """The user gave a training. A note has the course, the session its hall, the sheet of that hall the one who did not
    come and the rule for that; everybody else gets a certificate, the absent one another day. Hard: halls with other
    sheets, one absent among several, courses of like names, a rule that changed, numbers that only the writes make.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    topic, town = d.rng.choice(("ladders", "lifting", "dye baths", "steam presses")), d.draw.company().split()[0]
    codes, rules, keys = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("TR", "AB", "KY"))
    halls = halls_of(d, size, "Hall")
    days = [d.on(ahead) for ahead in _AHEAD[:size]]
    people = [d.draw.person("Larkspur") for _ in range(4 + d.rng.randrange(2))]
    absent = d.rng.randrange(1, len(people))
    code = d.fact("course", codes[0], codes[1])
    hall = d.fact("hall", halls[0], halls[1])
    rule = d.fact("rule", rules[0], rules[1])
    key = d.fact("key", keys[0], keys[1]) if long else keys[0]
    day = d.fact("day", days[0], days[1])

    d.note("request").leave(
        d,
        title=f"Training about {topic} in {town}",
        text=d.rng.choice(
            (
                f"For {topic} in {town} the course is {code}. The sheet hangs where you gave it, I think somebody "
                "copied it.",
                f"You still have to close {code}, that is {topic} in {town}. Without it nobody gets a certificate.",
                f"{code} ({topic}, {town}) is open in Learning although it is over. Please close it.",
            )
        ),
        by=RUTH,
        days_ago=1,
    )
    trained = [learning.learner(d, who) for who in people]
    turns = d.turns(size)
    for place, each in enumerate(codes):
        course = learning.course(d, each, f"Safe work, part {place + 2}", "A morning at the gate.", instructor=True)
        where = hall if place == 0 else halls[place]
        given = learning.session(d, course, d.ago(11 + 3 * turns[place], 9), where, 8, instructor=MARA)
        learners = trained if place < 2 else [learning.learner(d, d.draw.person("Larkspur"))]
        for number, learner in enumerate(learners):
            learning.enrolment(d, learner, course, at=given, days_ago=60 - number)
        for number, later in enumerate(days):
            room = halls[(number + 1) % size]
            at = d.at(later, 9)
            learning.session(d, course, at, room, 6 - number % 3, instructor=MARA)
    names = [person.name for person in people]
    missed = [names[absent], *(d.draw.person().name for _ in range(size - 1))]
    leave_rules(
        d,
        d.note("sheet"),
        title="Sheet, {word}",
        by=HANA,
        wordings=(
            "Sheet of {word}: all of them signed, except {name}. {rule} applies.",
            "{word}, my copy of the sheet: {name} did not come, the others did. Treat it by {rule}.",
        ),
        rules={name: {"name": missed[n], "rule": rule if n == 0 else rules[n]} for n, name in enumerate(halls)},
        older={"name": names[1 + absent % (len(names) - 1)], "rule": rules[2]},
        of=halls[0],
        turns=turns,
    )
    dates = [f"{day if n == 0 else each}" for n, each in enumerate(days)]
    told = [f"the date kept under {key if n == 0 else each}" for n, each in enumerate(keys)] if long else dates
    leave_rules(
        d,
        d.note("rule"),
        title="Absent, {word}",
        by=RUTH,
        wordings=(
            "{word}: whoever misses it takes the next date, and that is {day}.",
            "By {word} an absence means another try: {day}.",
        ),
        rules={name: {"day": told[n]} for n, name in enumerate(rules)},
        older={"day": told[1]},
        of=rules[0],
    )
    leave_noise(d, d.note("sheet"), HANA)

    seen = d.note("request").find(d, town)
    found = d.call("learning", "list_courses", query=seen.part(r"(TR-\d+)"))
    course_id = found.at("data.items.0.id")
    held = d.call("learning", "list_sessions", course_id=course_id, starts_until=d.start.isoformat())
    session = held.at("data.items.0.id")
    seats = d.call("learning", "list_enrolments", session_id=session)
    d.call("learning", "list_certificates", course_id=course_id)
    sheet = d.note("sheet").find(d, held.at("data.items.0.place"))
    absence = d.note("rule").find(d, sheet.part(r"(AB-\d+)"))
    if long:
        leave_rules(
            d,
            d.note("room"),
            title="Dates, {word}",
            by=RUTH,
            wordings=("{word} stands for {day}.", "The date under {word} is {day}."),
            rules={name: {"day": dates[n]} for n, name in enumerate(keys)},
            older={"day": dates[2]},
            of=keys[0],
        )
        absence = d.note("room").find(d, absence.part(r"(KY-\d+)"))
    on = absence.part(r"(\d{4}-\d\d-\d\d)")
    following = d.call(
        "learning",
        "list_sessions",
        course_id=course_id,
        starts_from=text("{day}T00:00:00Z", day=on),
        starts_until=text("{day}T23:59:00Z", day=on),
    )
    places = {name: seats.at(f"data.items.[learner_name={name}].id") for name in names}
    moved = d.act(
        MOVED,
        "learning",
        "update_enrolment",
        enrolment_id=places[names[absent]],
        session_id=following.at("data.items.0.id"),
    )
    d.act(
        ATTENDED,
        "learning",
        "record_attendance",
        session_id=session,
        enrolment_ids=[seat for name, seat in places.items() if name != names[absent]],
    )
    proofs = d.call("learning", "list_certificates", course_id=course_id)
    # Numbers go by who is recorded first: only that of a certain person is the same in whatever order.
    proof = proofs.at(f"data.items.[learner_name={names[0]}].number")
    record = d.entry("log").add(
        d,
        f"The number of {names[0]}'s certificate is entered.",
        title=text(f"A certificate for {topic}"),
        words=text(f"{names[0]}: {{proof}}.", proof=proof),
    )
    if long:
        record = d.entry("register").add(
            d,
            "The day for the absent one is entered with the first entry.",
            title=text("Another try"),
            words=text("{name}: {day}, see {entry}.", name=moved.at("data.learner_name"), day=on, entry=record),
        )
    d.message("report").send(
        d,
        f"Ruth knows the entry and {names[0]}'s certificate.",
        RUTH,
        text(f"It is closed; {names[0]} has {{proof}}, see {{entry}}.", proof=proof, entry=record),
        about=f"Training about {topic}",
    )
    d.answer(
        f"{names[0]} has {{proof}}; {{name}} comes again on {{day}}.",
        proof=proof,
        name=moved.at("data.learner_name"),
        day=on,
    )
    _instruct(d, topic, town, names[0], long)


def _instruct(d: Draft, topic: str, town: str, who: str, long: bool) -> None:
    sheet, rule, last = d.note("sheet").where(d), d.note("rule").where(d), d.entry("log")
    d.title(f"Record who came to the training on {topic}")
    d.say(
        f"I gave a training on {topic} in {town} and never recorded who came. Ruth says {d.note('request').where(d)} "
        "which course it is in Learning.",
        f"Ruth has reminded me of the training on {topic} in {town}; her note, which names the course, is "
        f"{d.note('request').where(d)}.",
        f"The training on {topic} in {town} is over, but nobody is recorded in Learning. Ruth's note with the course "
        f"is {d.note('request').where(d)}.",
    )
    d.say(
        f"Take the attendance from the sheet of the hall where it was held ({sheet}) and record it in one go: "
        f"everybody except whoever {d.stale('the newest copy of ')}it says was not there.",
        f"Who came you can tell from the newest sheet of the hall I used ({sheet}). Record all but the absent one, "
        "in one go.",
        f"The sheets are {sheet}, each under the name of its hall; the newest copy counts. Record the attendance of "
        "all who came in one go.",
    )
    if long:
        room = d.note("room").where(d)
        d.say(
            "Move the one who did not come to the date of that course which the sheet's rule gives; the rules are "
            f"{rule}, the dates behind their keys {room}.",
            f"Move the absent person to another date of the course. The rule on the sheet ({rule}) has a key, and "
            f"the key's date is {room}.",
            f"For the absent person see the rule that the sheet names, {rule}, and the date kept under its key, "
            f"{room}; book that date of the same course instead.",
        )
    else:
        d.say(
            "Move the one who did not come to the date of that course which the sheet's rule gives; the rules are "
            f"{rule}.",
            f"Move the absent person to the date that follows from the rule on the sheet, {rule}; it is the same "
            "course.",
            f"For whoever was absent the sheet names a rule ({rule}). Book the date it gives instead, in the same "
            "course.",
        )
    d.paragraph()
    log, key = last.what(d), last.reference(d)
    d.say(
        f"{who} has asked me for the number of the certificate: put name and number into {log}.",
        f"I need {log} with the number of the certificate that {who} gets, and the name.",
        f"Make {log} that gives {who} and the number of the new certificate.",
    )
    if long:
        last = d.entry("register")
        register = last.what(d)
        d.say(
            f"Then add {register} with the absent person's name, the new date and {key}.",
            f"Put the absent person's name and new date into {register}, with {key}.",
            f"For the planning I want {register}: who was absent, the new date, and {key}.",
        )
        key = last.reference(d)
    how = d.message("report").how(d, "Ruth")
    d.say(
        f"And {how}: that certificate's number and {key}. Tell me the number, who was absent and the new date.",
        f"When all is recorded, {how} with that number and {key}. Tell me the number, too, who missed the training, "
        "and the date they have now.",
        f"After that {how}; that number and {key} are enough for her. I want the number, the absent person and the "
        "new date.",
    )
