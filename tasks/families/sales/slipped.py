"""Late fabric: every open deal of a programme moves, and the forecast with it."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence, strangers
from tasks.places import contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, HANA, OSCAR = COLLEAGUES[1], COLLEAGUES[6], COLLEAGUES[13]
MOVED = "Every open deal of the programme closes on the new day; the largest has the lower probability."
LARGE = 20_000


@family(
    "deals-of-a-late-programme",
    area="sales",
    roles={
        "alarm": OFFICE_NOTES,
        "batches": OFFICE_NOTES,
        "pipeline": ("contacts",),
        "release": OFFICE_NOTES,
        "wave": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "alarm batches pipeline release pipeline log report",
        "alarm batches pipeline release wave pipeline log pipeline report",
    ),
    filed="log",
)
def deals_of_a_late_programme(d: Draft) -> None:
    """A mill delivers a batch late. The batch belongs to a programme; every open deal of the programme waits for a
    release, whose new day becomes its closing date; deals above a threshold also lose probability. Hard: one-to-many
    work over the open deals and not over won, lost or similarly named ones; a threshold that decides about
    probability; sums of weighted amounts that the change makes stale; batches, programmes and releases that differ in
    digits.
    """
    size, mill = 1 + d.dials.alike, d.draw.company()
    batches, programmes, releases, waves = (
        [d.draw.code(prefix) for _ in range(size)] for prefix in ("BT", "PG", "RL", "WV")
    )
    batch, programme = d.fact("batch", batches[0], batches[1]), d.fact("programme", programmes[0], programmes[1])
    release = d.fact("release", releases[0], releases[1])
    first = d.draw.day(40, 70)
    day = d.fact("day", first, first + timedelta(days=7))
    chance = d.fact("chance", *d.rng.sample((20, 25, 35, 40), 2))
    wave = d.fact("wave", waves[0], waves[1]) if d.pattern else waves[0]
    buyers = [d.draw.person() for _ in range(2)]
    buyer = d.fact("buyer", *buyers) if d.pattern else buyers[0]

    for place, code in enumerate(programmes):
        waits = release if place == 0 else releases[place]
        for number in range(3):
            firm = strangers(d, 1, mill)[0]
            owner = d.rng.choice(("priya", "jonah"))
            record = contacts.company(d, firm, owner=owner)
            large = number == 0
            who = contacts.person(d, buyer if place == 0 else d.draw.person(), record, owner=owner) if large else None
            contacts.deal(
                d,
                f"{firm}, {d.draw.product()}s ({code})",
                record,
                d.draw.amount(24_000, 38_000, "1") if large else d.draw.amount(2_500, 16_000, "1"),
                close=d.on(8 + number * 6 + d.turn(place)),
                owner=owner,
                person_id=who,
                next_step=f"Waits for release {waits}.",
                probability=d.rng.choice((60, 65, 70, 75, 80)),
            )
            if number == 2:
                contacts.deal(
                    d,
                    f"{firm}, trial order ({code})",
                    record,
                    d.draw.amount(900, 2_400),
                    close=d.on(-20 - d.turn(place)),
                    owner=owner,
                    stage=d.rng.choice(("won", "lost")),
                )
    d.note("alarm").leave(
        d,
        title=f"{mill} are late",
        text=d.rng.choice(
            (
                f"{mill} rang: batch {batch} does not leave the mill this month, a dye bath failed. The other batches "
                f"are on their way. Sales should know before customers ask.",
                f"Bad news from {mill}. Batch {batch} has to be woven again. They apologise and pay the freight, which "
                "does not help those who wait for it.",
                f"We will not see {batch} from {mill} in March. Everything else of theirs comes as planned.",
            )
        ),
        by=HANA,
        days_ago=1,
    )
    leave_rules(
        d,
        d.note("batches"),
        title="What we weave {word} for",
        by=OSCAR,
        wordings=(
            "Batch {word} is cut for programme {programme}, and for nothing else.",
            "From {word} we make what is sold under {programme}.",
        ),
        rules={
            code: {"programme": programme if place == 0 else programmes[place]} for place, code in enumerate(batches)
        },
        older={"programme": programmes[2]},
        of=batches[0],
    )
    when = {"when": f"on {day}"} if not d.pattern else {"when": f"with wave {wave}"}
    leave_rules(
        d,
        d.note("release"),
        title="Release {word}",
        by=TOBIAS,
        wordings=(
            "If {word} slips, its deals close {when}. Those above EUR 20,000 go down to {chance} % until then, because "
            "large buyers look around.",
            "Deals that wait for {word} close {when} when it is late. We keep their chances, except above EUR 20,000: "
            "there we count on {chance} %.",
        ),
        rules={
            code: (
                when
                if place == 0
                else {"when": f"with wave {waves[place]}" if d.pattern else f"on {d.on(d.beside.randint(30, 60))}"}
            )
            | {"chance": chance if place == 0 else d.beside.randint(19, 46)}
            for place, code in enumerate(releases)
        },
        older={"when": "within a week", "chance": 60},
        of=releases[0],
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("wave"),
            title="Wave {word}",
            by=HANA,
            wordings=(
                "Wave {word} of the spring leaves the warehouse on {day}.",
                "{word} is packed and gone on {day}.",
            ),
            rules={
                code: {"day": day if place == 0 else d.on(d.beside.randint(30, 60))} for place, code in enumerate(waves)
            },
            older={"day": d.on(22)},
            of=waves[0],
        )
    leave_noise(d, d.note("alarm"), HANA)

    late = d.note("alarm").find(d, mill).part(r"(BT-\d+)")
    sold = d.note("batches").find(d, late).part(r"(PG-\d+)")
    before = d.call("contacts", "list_deals", query=sold, state="open")
    rule = d.note("release").find(d, before.part("data.items.0.next_step", r"(RL-\d+)"))
    closes = rule.part(r"on (\d{4}-\d\d-\d\d)") if not d.pattern else None
    if d.pattern:
        closes = d.note("wave").find(d, rule.part(r"(WV-\d+)")).part(r"on (\d{4}-\d\d-\d\d)")
    for place in range(3):
        more = {"probability": rule.part(r"(\d+) %", number=True)} if place == 0 else {}
        d.act(MOVED, "contacts", "update_deal", deal_id=before.at(f"data.items.{place}.id"), close_date=closes, **more)
    after = d.call("contacts", "list_deals", query=sold, state="open")
    parts = {f"w{place}": after.at(f"data.items.{place}.weighted_amount") for place in range(3)}
    total = calc("round(w0 + w1 + w2, 2)", **parts)
    task = d.entry("log").add(
        d,
        "It is entered what the programme's open deals are worth weighted.",
        title=text("Ring the buyers of the late programme"),
        words=text("{programme}: {total} weighted.", programme=sold, total=total),
        day=after.at("data.items.0.close_date"),
    )
    told = {"programme": sold, "total": total, "task": task}
    if d.pattern:
        for place in range(3):
            d.act(
                "The next step of every such deal refers to what was entered.",
                "contacts",
                "update_deal",
                deal_id=before.at(f"data.items.{place}.id"),
                next_step=text("See {task}", task=task),
            )
        biggest = d.call("contacts", "get_deal", deal_id=before.at("data.items.0.id"))
        told["who"] = biggest.at("data.contact.name")
    d.message("report").send(
        d,
        "Tobias knows the programme, its weighted sum, and what was entered"
        + (", and whom to ring about the largest deal." if d.pattern else "."),
        TOBIAS,
        text("{programme} is worth {total} weighted now, see {task}." + (" Ring {who}." if d.pattern else ""), **told),
        about="A late batch",
    )
    d.answer("Three deals of {programme} move to {day}; {total} weighted.", programme=sold, day=closes, total=total)
    _instruct(d, mill)


def _instruct(d: Draft, mill: str) -> None:
    d.title(f"Move the deals that wait for {mill}")
    d.say(
        f"{mill} let us down with a batch, as Hana noted {d.note('alarm').where(d)}. Before the sales meeting I want "
        f"our pipeline to say what that means.",
        f"You will find a warning about {mill} {d.note('alarm').where(d)}. Please bring the pipeline in Contacts in "
        "line with it; Tobias has been burnt by rosy forecasts before.",
    )
    d.say(
        f"Which programme is made from that batch is noted {d.note('batches').where(d)}; deals carry their "
        "programme in the name.",
        f"Deals have the programme in their names, and {d.note('batches').where(d)} you see which one the batch is "
        "for.",
    )
    later = f" The day on which a wave leaves us is {d.note('wave').where(d)}." if d.pattern else ""
    d.say(
        "Every open deal of that programme gets the closing day of the release that it waits for, and where the "
        "rule for that release asks for it, another probability. Those rules are "
        f"{d.note('release').where(d)}.{later}",
        f"All its open deals wait for the same release. {sentence(d.note('release').where(d))} it says when they "
        f"close now and which of them get less likely.{later}",
    )
    d.warn(
        "Where such a rule or plan was noted twice, the newest is in force.",
        "Some of that was noted before and has changed since; go by the latest.",
    )
    d.say("Leave everything else alone.", "Closed deals and other programmes stay as they are.")
    d.paragraph()
    log = d.entry("log")
    made = "for that closing day that names" if log.dated else "that names that closing day,"
    d.say(
        f"Add {log.what(d)}{', dated that day, with' if log.dated else ' with that closing day,'} the programme and "
        "the total weighted value of its open deals after the change.",
        f"The buyers have to be rung: make {log.what(d)} {made} the programme and the weighted sum of its open deals "
        "as it is then.",
    )
    if d.pattern:
        d.say(
            f"Each of those deals should give {d.entry('log').reference(d)} as its next step.",
            f"Let the next step of each of these deals give {d.entry('log').reference(d)}.",
        )
    ring = " He will ring the contact of the largest of those deals himself, so he needs the name." if d.pattern else ""
    d.say(
        f"{sentence(d.message('report').how(d, 'Tobias'))} with the programme, that sum and "
        f"{d.entry('log').reference(d)}.{ring}",
        f"And {d.message('report').how(d, 'Tobias')}: programme, weighted sum, {d.entry('log').reference(d)}.{ring}",
    )
    d.say("Tell me the programme, the new day and the sum.", "I would like the programme, the day and the sum.")
