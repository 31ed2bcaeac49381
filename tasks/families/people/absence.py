"""Two of one crew want the same days off."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.office import names as one_words
from tasks.places import hr
from tasks.places.rules import leave_noise, leave_rules

DARIO, HANA, RUTH = COLLEAGUES[5], COLLEAGUES[6], COLLEAGUES[12]
DECIDED = "The leave that was asked for first is approved, the other one declined, both with the rota's mark."


@family(
    "same-days-off",
    area="people",
    roles={
        "round": OFFICE_NOTES,
        "request": OFFICE_NOTES,
        "people": ("hr",),
        "handover": OFFICE_NOTES,
        "rota": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request people handover rota people log report",
        "round request people handover rota log people register report",
    ),
    filed="log",
)
def same_days_off(d: Draft) -> None:
    """Two people of a crew ask for the same days; who asked first gets them. The request names a handover, the handover
    a rota, the rota the mark that belongs in both decisions. Hard: the note names the two in any order and HR says
    who was first; other crews with like cases; old rotas; one yes and one no; more days are approved this year then.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    crews = one_words(d, size)
    early = d.draw.person("Larkspur")
    # The last two quarrelled about other days, long ago.
    people = [early, *(d.draw.person("Larkspur") for _ in range(2 * size + 1))]
    lists, covers, rotas, marks = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("LL", "HD", "RO", "RT"))
    monday = d.calendar_day(d.rng.choice((14, 21, 42, 49)))  # No week with a public holiday.
    length = d.rng.randint(2, 3)
    first = d.fact("first", people[0].name, people[1].name)
    listed = d.fact("list", lists[0], lists[1]) if long else lists[0]
    cover = d.fact("handover", covers[0], covers[1])
    rota = d.fact("rota", rotas[0], rotas[1])
    mark = d.fact("mark", marks[0], marks[1])
    last = d.fact("last-day", monday + timedelta(days=length), monday + timedelta(days=length + 1))
    swapped = d.rng.random() < 0.5

    staff = [
        hr.employee(d, who, 411 + place, title="Packer", location="London", starts=d.calendar_day(-700 - d.turn(place)))
        for place, who in enumerate(people)
    ]
    for place, who in enumerate(staff):
        hr.leave(d, who, "London", d.on(-40 - d.turn(place)), d.on(-37 - d.turn(place)), status="approved", asked=60)
    for place in range(size):
        for which, who in enumerate((staff[place], staff[size + place])):
            end = last if place == 0 and which == 0 else monday + timedelta(days=length)
            code = cover if place == 0 else covers[place]
            note = d.rng.choice(("Handover {}.", "My work is in handover {}.", "See handover {}.")).format(code)
            asked = 9 if which == 0 else 4
            hr.leave(d, who, "London", monday, end, note=note if which == 0 else "A family matter.", asked=asked)
    pairs, past = [], f"{people[-1].name} and {people[-2].name}"
    for place in range(size):
        pair = (first if place == 0 else people[place].name, people[size + place].name)
        pairs.append(" and ".join(pair[::-1] if swapped else pair))
    if long:
        leave_rules(
            d,
            d.note("round"),
            title="Days off in the {word} crew",
            by=HANA,
            wordings=(
                "The {word} crew has too many people off in one week. Their wishes are kept under {code}.",
                "I went through the wishes of the {word} crew. The collision is noted under {code}.",
            ),
            rules={crew: {"code": listed if n == 0 else lists[n]} for n, crew in enumerate(crews)},
            older={"code": lists[2]},
            of=crews[0],
        )
    keys = lists if long else [f"{crew} crew" for crew in crews]
    leave_rules(
        d,
        d.note("request"),
        title="Collision, {word}",
        by=HANA,
        wordings=(
            "{word}: {pair} have both asked for days off in one week, and one of them has to stay.",
            "Only one can go. It is about {pair}, who want the same days ({word}).",
        ),
        rules={key: {"pair": pairs[n]} for n, key in enumerate(keys)},
        older={"pair": past},
        of=keys[0],
    )
    leave_rules(
        d,
        d.note("handover"),
        title="Handover {word}",
        by=HANA,
        wordings=(
            "{word} is agreed with the shift lead. For those days {rota} holds, nothing else.",
            "Whoever takes over under {word} works by {rota} until the other is back.",
        ),
        rules={code: {"rota": rota if n == 0 else rotas[n]} for n, code in enumerate(covers)},
        older={"rota": rotas[2]},
        of=covers[0],
    )
    leave_rules(
        d,
        d.note("rota"),
        title="Rota {word}",
        by=RUTH,
        wordings=(
            "{word}: one may be off and one stays. Whatever is decided about leave carries {mark}.",
            "In {word} only one place can be empty. Decisions on leave get the mark {mark}.",
        ),
        rules={code: {"mark": mark if n == 0 else marks[n]} for n, code in enumerate(rotas)},
        older={"mark": marks[2]},
        of=rotas[0],
    )
    leave_noise(d, d.note("rota"), RUTH)

    word = d.note("round").find(d, f"{crews[0]} crew").part(r"(LL-\d+)") if long else keys[0]
    seen = d.note("request").find(d, word)
    names = [seen.part(r"([A-Z]\w+ [A-Z]\w+) and [A-Z]"), seen.part(r"[a-z] and ([A-Z]\w+ [A-Z]\w+)")]
    asked_first, other = (
        hr.find_employee(d, name).at("data.items.0.id") for name in (names[::-1] if swapped else names)
    )
    wish = d.call("hr", "list_leave_requests", employee_id=asked_first, status="pending")
    later = d.call("hr", "list_leave_requests", employee_id=other, status="pending")
    d.call("hr", "get_leave_balance", employee_id=asked_first)
    taken = d.note("handover").find(d, wish.part("data.items.0.note", r"(HD-\d+)"))
    marked = d.note("rota").find(d, taken.part(r"(RO-\d+)")).part(r"(RT-\d+)")
    told = text("Mark {mark}.", mark=marked)
    if long:
        entered = d.entry("log").add(
            d,
            "The mark of the rota is entered beforehand.",
            title=text(f"Leave in the {crews[0]} crew"),
            words=text("Decided under {mark}.", mark=marked),
        )
        told = text("Mark {mark}, see {entry}.", mark=marked, entry=entered)
    d.act(DECIDED, "hr", "approve_leave_request", leave_request_id=wish.at("data.items.0.id"), note=told)
    d.act(DECIDED, "hr", "decline_leave_request", leave_request_id=later.at("data.items.0.id"), reason=told)
    after = d.call("hr", "get_leave_balance", employee_id=asked_first)
    days = after.at("data.items.[name=Annual leave].approved_days")
    record = d.entry("register" if long else "log").add(
        d,
        "It is entered how many days of this year are approved now.",
        title=text("Leave decided"),
        words=text("{name}: {days} days approved this year.", name=after.at("data.employee_name"), days=days),
    )
    d.message("report").send(
        d,
        "Ruth knows the entry and the approved days.",
        RUTH,
        text("Decided: {days} days of this year are approved now, see {entry}.", days=days, entry=record),
        about="Two who want the same days",
    )
    d.answer("{name} may go; {days} days of this year are approved.", name=after.at("data.employee_name"), days=days)
    _instruct(d, crews[0], long)


def _instruct(d: Draft, crew: str, long: bool) -> None:
    handover, rota, last = d.note("handover").where(d), d.note("rota").where(d), d.entry("log")
    d.title(f"Decide who of the {crew} crew may go")
    if long:
        d.say(
            f"Hana looked at the days off in the {crew} crew ({d.note('round').where(d)}). The case itself is "
            f"{d.note('request').where(d)}, under the code she "
            f"gives.{d.stale(' There were others before, so go by the newest.')}",
            f"Two leave requests in the {crew} crew collide. Hana's latest remark {d.note('round').where(d)} gives "
            f"the code for the case, which is described {d.note('request').where(d)}.",
            f"About the {crew} crew and their days off: Hana's newest remark {d.note('round').where(d)} gives a "
            f"code, and under that code you will find the two people {d.note('request').where(d)}.",
        )
    else:
        d.say(
            f"Two people in the {crew} crew want the same week off. Hana noted who they are "
            f"{d.note('request').where(d)}.",
            f"In the {crew} crew two people have asked for the same days; you will find their names "
            f"{d.note('request').where(d)}.",
            f"I have to say no to somebody in the {crew} crew. The two people are named {d.note('request').where(d)}.",
        )
    d.say(
        "Whoever of the two asked first, by what HR shows, may go; decline the other one's request.",
        "You can see in HR who asked first. Approve that one and decline the other request.",
        "Please decide both requests in HR for me: yes to the earlier one, no to the one that came in later.",
    )
    d.say(
        "Both decisions must carry the mark of the rota that holds in the meantime. The approved request names a "
        f"handover ({handover}), which says which rota; the rotas are {rota}.{d.stale(' Older ones are history.')}",
        f"Write the rota's mark into both decisions. Which rota it is depends on the handover that the approved "
        f"request names ({handover}); marks are with the rotas, {rota}, the newest of each counts.",
        f"What I need in both decisions is the mark from the rota ({rota}) that the handover of the approved "
        f"request now works by ({handover}).",
    )
    if long:
        log, key = last.what(d), last.reference(d)
        last = d.entry("register")
        d.say(
            f"Before you decide, put that mark into {log}, and name {key} in both decisions, too.",
            f"First make {log} with the mark; both decisions also refer to it by {key}.",
            f"Beforehand the mark goes into {log}, and {key} belongs in the two decisions as well.",
        )
    d.paragraph()
    record, key, how = last.what(d), last.reference(d), d.message("report").how(d, "Ruth")
    d.say(
        f"Then make {record} with the name and how many days of annual leave that person has approved for this "
        "year now.",
        f"After that I want {record} with their name and the days of annual leave now approved for them this year.",
        f"Put the name and the number of annual leave days now approved for this year into {record}.",
    )
    d.say(
        f"And {how} with that number of days and {key}. Tell me who may go and the days, too.",
        f"Finally {how}: the days and {key}. I would like to hear the name and the days as well.",
        f"Ruth keeps the books on leave, so {how} with the days and {key}. Tell me the name and the days.",
    )
