"""Maintenance: while it lasts the monitors of a dashboard call nobody."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import calendar, monitoring
from tasks.places.rules import leave_noise, leave_rules

HANA, LUIS, NILS, SOFIA, KENJI = (COLLEAGUES[place] for place in (6, 7, 9, 10, 11))

SILENCED = "Each monitor of the dashboard is silent for exactly the time of the maintenance, with the change's number."

_WORKS = ("rewiring", "cooling test", "firmware day", "fibre splice", "power test", "rack move", "switch swap", "audit")


@family(
    "quiet-during-maintenance",
    area="operations",
    roles={
        "ask": but(WORD_LEFT, "calendar"),
        "order": but(WORD_LEFT, "calendar"),
        "plans": ("calendar",),
        "watch": ("monitoring",),
        "change": WORD_LEFT,
        "board": WORD_LEFT,
        "log": LOGGED,
        "tell": TOLD,
    },
    patterns=(
        "ask plans watch change watch log tell",
        "ask order plans watch board change watch log tell",
    ),
    filed="log",
)
def quiet_during_maintenance(d: Draft) -> None:
    """A contractor works on a site at a time that stands in the calendar. The site is a dashboard, whose monitors
    must all be silent for exactly that time, under the number of the change that belongs to the dashboard. Hard:
    works that are named alike, dashboards of similar sites, change numbers that were replaced, one silence for every
    monitor of the dashboard and for no other; the number of silences is new afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([LUIS, HANA, NILS])
    stem = brands(d, 1)[0]
    works = [f"{stem} {kind}" for kind in (*_WORKS, "roof work")[:many]]
    d.rng.shuffle(works)
    sites = [f"{brand} hall" for brand in brands(d, many)]
    boards, changes, orders, ledgers = ([d.draw.code(prefix) for _ in works] for prefix in ("CB", "CHG", "WO", "LG"))
    work, site = d.fact("work", works[0], works[1]), d.fact("site", sites[0], sites[1])
    board, change = d.fact("board", boards[0], boards[2]), d.fact("change", changes[0], changes[1])
    order = d.fact("order", orders[0], orders[1]) if long else orders[0]
    ledger = d.fact("ledger", ledgers[0], ledgers[1]) if long else ledgers[0]
    ahead, hours = [3 + 2 * d.turn(n) for n in range(many)], [d.rng.randint(6, 15) for _ in works]

    for place, name in enumerate(works):
        starts = d.ago(-ahead[place], hours[place], 30)
        of = site if place == 0 else sites[place]
        calendar.event(d, name, starts, minutes=60 * d.rng.randint(2, 4), calendar=calendar.OPERATIONS, place=of)
        watched = []
        for number, part in enumerate(("door", "rack", "cooler")):
            key = monitoring.monitor(d, f"{sites[place]} {part}", f"{part}-{place}.{stem.lower()}.larkspur.example")
            watched.append(key)
            for age in range(d.rng.randint(1, 3) if number == 0 else 0):
                past = d.ago(20 + 7 * age, 9)
                monitoring.silence(d, key, past, 2, f"Change {changes[(place + age + 1) % many]}", by=KENJI)
        said = f"Changes go through board {board if place == 0 else boards[place]}."
        monitoring.dashboard(d, sites[place], watched, description=said, owner=KENJI)
    pointer = f"by work order {order}" if long else f"the {work}"
    d.note("ask").leave(
        d,
        title="Contractor on site",
        text=d.rng.choice(
            (
                f"The contractor on site will trip every alarm we have: {pointer}. Last time I was called eleven "
                "times.",
                f"Before the contractor on site begins, {pointer}, somebody should silence things. For that time only!",
            )
        ),
        by=who,
        days_ago=1,
    )
    for place, (one, name) in enumerate(zip(orders, works, strict=True) if long else ()):
        what = work if place == 0 else name
        said = d.rng.choice((f"Work order {one}: the {what}.", f"{one} is for the {what}, paid already."))
        d.note("order").leave(d, title=f"Order {one}", text=said, by=LUIS, days_ago=14 + d.turn(place))
    if long:
        leave_rules(
            d,
            d.note("board"),
            title="Board {word}",
            by=NILS,
            wordings=("Board {word} writes its numbers into ledger {ledger}.", "{word} keeps to ledger {ledger}."),
            rules={one: {"ledger": ledger if n == 0 else ledgers[n]} for n, one in enumerate(boards)},
            older={"ledger": ledgers[-1]},
            of=boards[0],
        )
    keys = ledgers if long else boards
    leave_rules(
        d,
        d.note("change"),
        title="Changes of {word}",
        by=SOFIA,
        wordings=(
            "{word}: the running change is {change}.",
            "What {word} has open is {change}; name it on every silence.",
        ),
        rules={one: {"change": change if n == 0 else changes[n]} for n, one in enumerate(keys)},
        older={"change": changes[-1]},
        of=keys[0],
    )
    leave_noise(d, d.note("ask"), HANA if who is not HANA else LUIS)

    told = d.note("ask").find(d, "contractor on site")
    if long:
        told = d.note("order").find(d, told.part(r"(WO-\d+)"))
    found = calendar.find(d, told.part(rf"the ({stem} \w+(?: (?:test|day|splice|move|swap|work))?)"))
    starts_at, ends_at = found.at("data.items.0.start"), found.at("data.items.0.end")
    shown = d.call("monitoring", "list_dashboards", query=found.at("data.items.0.location"))
    monitors = [shown.at(f"data.items.0.monitors.{place}.id") for place in range(3)]
    d.call("monitoring", "list_silences", monitor_id=monitors[0])
    rule_of = shown.part("data.items.0.description", r"(CB-\d+)")
    if long:
        rule_of = d.note("board").find(d, rule_of).part(r"(LG-\d+)")
    number_ = d.note("change").find(d, rule_of).part(r"(CHG-\d+)")
    made = [
        d.act(
            SILENCED,
            "monitoring",
            "create_silence",
            monitor_id=monitor,
            starts_at=starts_at,
            ends_at=ends_at,
            reason=text("Change {number}.", number=number_),
        )
        for monitor in monitors
    ]
    after = d.call("monitoring", "list_silences", monitor_id=monitors[0])
    last, total = made[-1].at("data.id"), after.at("data.total")
    kept = d.entry("log").add(
        d,
        "The last silence and the change are on record for the day of the work.",
        title=text("Quiet during maintenance"),
        words=text("Silent under {number}, last of them {silence}.", number=number_, silence=last),
        day=found.part("data.items.0.start", r"(\d{4}-\d\d-\d\d)"),
    )
    first = shown.at("data.items.0.monitors.0.name")
    d.message("tell").send(
        d,
        f"{who.name} knows the change, how many silences the first monitor has had in all, and the record.",
        who,
        text(
            "Silent under {number}; {first} has {total} silences. See {kept}.",
            number=number_,
            first=first,
            total=total,
            kept=kept,
        ),
        about="Contractor on site",
    )
    d.answer("Silent under {number}; {first} has {total} silences by now.", number=number_, first=first, total=total)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, change = d.note("ask").where(d), d.note("change").where(d)
    d.title("No alarms while the contractor is on site")
    d.say(
        f"There will be a contractor on site, and {who} does not want to be called for nothing, as you can read {ask}.",
        f"{who} asks for quiet while the contractor on site is at work; the details are {ask}.",
        f"We have a contractor on site soon. {who} describes {ask} what that does to our pagers.",
    )
    if long:
        order = d.note("order").where(d)
        d.say(f"Luis keeps {order} what each work order is for.", f"Luis has the work orders {order}.")
    d.say(
        "The Operations calendar says when and where. The place has a dashboard of its own in the monitoring: "
        "silence every monitor on it, from the start to the end of the work, in the order in which they are shown, "
        "and no other.",
        "My Operations calendar says when it is and in which hall. Silence all monitors on that hall's dashboard "
        "for just that time, one after the other as they are listed, and nothing else.",
        "Time and hall are in my Operations calendar. Go through the dashboard of that hall from the first monitor to "
        "the last and silence each of them while the work lasts, but nothing beyond.",
    )
    if long:
        board = d.note("board").where(d)
        d.say(
            "Each silence must name the change that is open for the dashboard's change board. Boards have ledgers "
            f"({board}), and Sofia notes {change} what each ledger has "
            f"open{d.stale('; numbers get replaced, so the newest is right')}.",
            "As the reason give the number of the running change. The dashboard says which board it is, the "
            f"board's ledger is {board}, and Sofia has the numbers by ledger, "
            f"{change}.{d.stale(' The last one she wrote holds.')}",
        )
    else:
        d.say(
            "Each silence must name the change that is open for the dashboard's change board. Sofia has those "
            f"{change}{d.stale('; numbers get replaced, so the newest is right')}.",
            "As the reason give the number of the running change of that dashboard's board, which Sofia keeps "
            f"{change}.{d.stale(' The last one she wrote holds.')}",
        )
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    d.say(
        f"Make {log.what(d)} for that day, with the change and the id of the last silence.",
        f"Then I need {log.what(d)} for the day of the work that gives the change's number and the last silence's id.",
    )
    d.paragraph()
    d.say(
        f"{sentence(tell)} with the change, {log.reference(d)}, and how many silences the first monitor on that "
        "dashboard has by now, old ones included. Tell me the change and that number, with the monitor's name.",
        f"{sentence(tell)}: the change, how many silences the first of these monitors has had including the new "
        f"one, and {log.reference(d)}. I just need the change and the first monitor's name with its number.",
    )
