"""The next interview of a candidate, in the candidate's own time."""

from __future__ import annotations

from decimal import Decimal

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES, names
from tasks.places import recruiting
from tasks.places.rules import leave_noise, leave_rules

HANA, RUTH = COLLEAGUES[6], COLLEAGUES[12]
ZONES = {
    "Porto": "Europe/Lisbon",
    "Athens": "Europe/Athens",
    "Gdansk": "Europe/Warsaw",
    "Helsinki": "Europe/Helsinki",
    "Toronto": "America/Toronto",
    "Denver": "America/Denver",
    "Chicago": "America/Chicago",
    "Riga": "Europe/Riga",
    "Vilnius": "Europe/Vilnius",
}
SET_UP = "The candidate is in the interview stage, and the panel is set up at the right time with the right two people."


@family(
    "panel-in-their-time",
    area="people",
    roles={
        "round": OFFICE_NOTES,
        "request": OFFICE_NOTES,
        "hiring": ("recruiting",),
        "slot": OFFICE_NOTES,
        "bridge": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request hiring slot bridge hiring log report",
        "round request hiring slot bridge hiring log register report",
    ),
    filed="log",
)
def panel_in_their_time(d: Draft) -> None:
    """A candidate passes the screening and gets a panel with hiring manager and recruiter. The note knows only where
    they work, Recruiting their town, a list the slot in that town's time and a line, another the place of that line.
    Hard: employers of nearly one name, time zones, a slot that was moved, a stage to change before; counts go stale.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    post, towns = d.rng.choice(("Cutter", "Dock Planner", "Loom Fitter", "Pattern Maker")), names(d, size)
    town = towns[0]
    employers = [d.draw.company()]
    employers += [d.draw.near(employers[0]) for _ in range(size - 1)]
    cities = d.rng.sample(sorted(ZONES), size)
    lists, lines, codes = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("LS", "VC", "REQ"))
    rooms = [f"bridge {number}" for number in d.rng.sample(range(11, 99), size)]
    days = [d.draw.day(14, 36) for _ in range(size)]
    times = [f"{d.rng.randint(9, 14):02d}:{d.rng.choice((0, 10, 20, 30)):02d}" for _ in range(size)]
    listed = d.fact("list", lists[0], lists[1]) if long else lists[0]
    employer = d.fact("employer", employers[0], employers[1])
    city = d.fact("city", cities[0], cities[1])
    day = d.fact("day", days[0], days[1])
    line = d.fact("line", lines[0], lines[1])
    room = d.fact("room", rooms[0], rooms[1])

    recruiting.recruit(d)
    opening = recruiting.opening(
        d,
        codes[0],
        post,
        town,
        salary=(Decimal(30000), Decimal(42000)),
        currency="GBP",
        places=2,
        manager=recruiting.HANA,
    )
    for place in range(size):
        who = d.draw.person()
        key = recruiting.candidate(d, who, company=employers[place], location=city if place == 0 else cities[place])
        stage = "screening" if place < 3 else "interview"
        recruiting.application(d, opening, key, stage, days_ago=14 + d.turn(place))
    keys = lists if long else [f"{post}, {name}" for name in towns]
    if long:
        leave_rules(
            d,
            d.note("round"),
            title="Hiring for {word}",
            by=RUTH,
            wordings=(
                "{word}: I talked to everybody on the telephone. What I think is in {code}.",
                "The calls for {word} are done, my summary goes by {code}.",
            ),
            rules={name: {"code": listed if n == 0 else lists[n]} for n, name in enumerate(_posts(post, town, size))},
            older={"code": lists[2]},
            of=f"{post} in {town}",
        )
    leave_rules(
        d,
        d.note("request"),
        title="After the calls: {word}",
        by=RUTH,
        wordings=(
            "{word}: the one who works at {employer} was the best by far and should meet the panel.",
            "For {word} I would go on with the person from {employer}. The others can wait.",
        ),
        rules={key: {"employer": employer if n == 0 else employers[n]} for n, key in enumerate(keys)},
        older={"employer": employers[2]},
        of=keys[0],
    )
    slots = [f"{days[n] if n else day} from {start} to {_later(start)}" for n, start in enumerate(times)]
    leave_rules(
        d,
        d.note("slot"),
        title="Panels with people in {word}",
        by=RUTH,
        wordings=(
            "Panels with somebody in {word} are on {slot}, in their time. The line is {line}.",
            "{word}: our next panel is {slot} their time, over line {line}.",
        ),
        rules={name: {"slot": slots[n], "line": line if n == 0 else lines[n]} for n, name in enumerate(cities)},
        older={"slot": slots[1], "line": lines[2]},
        of=cities[0],
    )
    leave_rules(
        d,
        d.note("bridge"),
        title="Line {word}",
        by=HANA,
        wordings=("{word} is {room}; that is what guests need to see.", "Guests on {word} dial into {room}."),
        rules={name: {"room": room if n == 0 else rooms[n]} for n, name in enumerate(lines)},
        older={"room": rooms[2]},
        of=lines[0],
    )
    leave_noise(d, d.note("slot"), HANA)

    word = d.note("round").find(d, f"{post} in {town}").part(r"(LS-\d+)") if long else keys[0]
    seen = d.note("request").find(d, word)
    found = recruiting.find_candidate(d, seen.part(rf"({employers[0].split()[0]} [A-Z]\w+)"))
    application = found.at("data.applications.0.id")
    before = recruiting.find_opening(d, found.at("data.applications.0.opening_code"))
    slot = d.note("slot").find(d, found.at("data.location"))
    place_ = d.note("bridge").find(d, slot.part(r"(VC-\d+)"))
    zone, on = ZONES[cities[0]], slot.part(r"(\d{4}-\d\d-\d\d)")
    starts, ends = (
        calc("utc(local, zone)", local=text("{day}T{time}", day=on, time=slot.part(pattern)), zone=zone)
        for pattern in (r"from (\d\d:\d\d)", r"to (\d\d:\d\d)")
    )
    d.act(SET_UP, "recruiting", "move_application", application_id=application, stage="interview")
    panel = d.act(
        SET_UP,
        "recruiting",
        "create_interview",
        application_id=application,
        kind="panel",
        starts_at=starts,
        ends_at=ends,
        interviewer_ids=[before.at("data.items.0.hiring_manager_id"), before.at("data.items.0.recruiter_id")],
        place=place_.part(r"(bridge \d+)"),
    )
    after = recruiting.find_opening(d, found.at("data.applications.0.opening_code"))
    count = after.at("data.items.0.active_by_stage.interview")
    record = d.entry("log").add(
        d,
        "The interview is entered with its id and its time.",
        title=text(f"Panel for the {post}"),
        words=text("{id} at {starts}.", id=panel.at("data.id"), starts=panel.at("data.starts_at")),
    )
    if long:
        record = d.entry("register").add(
            d,
            "The number of people in interviews is entered with the first entry.",
            title=text(f"{post} in {town}: state of hiring"),
            words=text("In interviews: {count}. See {entry}.", count=count, entry=record),
        )
    d.message("report").send(
        d,
        "Ruth knows the entry and how many are in interviews.",
        RUTH,
        text("The panel is set up, see {entry}. In interviews for this post now: {count}.", entry=record, count=count),
        about=f"Panel for the {post}",
    )
    d.answer(
        "{name} has the panel at {starts}; {count} are in interviews now.",
        name=found.at("data.name"),
        starts=panel.at("data.starts_at"),
        count=count,
    )
    _instruct(d, post, town, long)


def _posts(post: str, town: str, size: int) -> list[str]:
    others = ("Weaver", "Dyer", "Seamer", "Packer", "Fitter", "Presser", "Spinner", "Checker")
    return [f"{post} in {town}", *(f"{other} in {town}" for other in others[: size - 1])]


def _later(start: str) -> str:
    """Fifty minutes later."""
    hour, minute = divmod(int(start[:2]) * 60 + int(start[3:]) + 50, 60)
    return f"{hour:02d}:{minute:02d}"


def _instruct(d: Draft, post: str, town: str, long: bool) -> None:
    request = d.note("request").where(d)
    slot, bridge, last = d.note("slot").where(d), d.note("bridge").where(d), d.entry("log")
    d.title(f"A panel for the {post} in {town}")
    if long:
        d.say(
            f"Ruth has finished the calls for the {post} in {town}. Her remark {d.note('round').where(d)} gives the "
            f"code under which her summary is kept, {d.note('request').where(d)}.",
            f"We are going ahead with the {post} in {town}: whom Ruth wants to see is noted "
            f"{d.note('request').where(d)}, under a code that she gives {d.note('round').where(d)}.",
            f"For the {post} in {town} there is a summary of Ruth's calls, {d.note('request').where(d)}; the code "
            f"it goes by is {d.note('round').where(d)}.",
        )
    else:
        d.say(
            f'Ruth has done the calls for "{post}, {town}". You will find {request} who should meet the panel.',
            f'Who was best in the calls for "{post}, {town}" is {request}, in Ruth\'s words.',
            f'Please set up the panel for "{post}, {town}". Ruth wrote {request} with whom.',
        )
    d.say(
        "She only says where the person works now, but Recruiting has the candidate. Take them from screening to "
        "interview and set up the panel with the opening's hiring manager and its recruiter.",
        "You can find the candidate in Recruiting by their employer: move them from screening to interview and set "
        "up a panel interview with the hiring manager and the recruiter of the opening.",
        "Find the candidate in Recruiting by the employer, move them on to interview, and let the opening's hiring "
        "manager and recruiter be the panel.",
    )
    d.say(
        f"Panels are held at a fixed time in the place where the candidate lives ({slot}), "
        f"and the list also names a line. As the place, enter what guests on that line need to see, which is {bridge}.",
        f"The time depends on where the candidate lives and is in their local time; look {slot} for it and for the "
        f"line. As the place, enter what that line is called for guests; you will find that {bridge}.",
        f"When it is depends on the candidate's town: the slots are {slot}, in local time, each with a line. As the "
        f"place, enter what that line stands for, which is {bridge}.",
    )
    d.warn(
        "Whatever was noted twice, the newest note holds.",
        "Both Ruth and Hana have changed some of this, so go by the newest notes.",
    )
    d.paragraph()
    record, key = last.what(d), last.reference(d)
    d.say(
        f"Then I need {record} with the interview's id, and the day and the time in UTC at which it begins.",
        f"Make {record} with the id of the interview and its beginning, day and time in UTC.",
        f"Enter the interview's id and its start, the day and the time in UTC, in {record}.",
    )
    if long:
        last = d.entry("register")
        register = last.what(d)
        d.say(
            f"I also keep count: {register} with how many people are in interviews for this post now, and {key}.",
            f"Add {register} with the number of people who are in interviews for it by then, and {key}.",
            f"How many are in interviews for it after that goes into {register}, with {key}.",
        )
        key = last.reference(d)
    how = d.message("report").how(d, "Ruth")
    d.say(
        f"Finally {how} with {key} and with the number of people in interviews for this post now.",
        f"And {how}: {key}, and how many stand in interviews for this post with that.",
        f"Then {how}. She wants {key} and how many candidates for it are in interviews after this.",
    )
    d.say(
        "Tell me the name, the day and the time in UTC, and that number.",
        "Please tell me the candidate's name, the day and the time in UTC, and the same number.",
        "I would like the name, the day and the time in UTC and that count, too.",
    )
