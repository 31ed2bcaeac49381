"""A fault is over: everybody who wrote because of it is answered alike, and the problem behind it is solved."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, incidents, tickets
from tasks.places.rules import leave_noise

TOLD = "Each customer whose ticket hangs on the problem is told the voucher."
LOOK = "A ticket in the user's name in Customer Care asks for a last look at the problem."
SOLVED = "The problem is solved, and the tickets that hang on it with it."
_THINGS = ("size finder", "gift wrap page", "refill list", "logo editor", "price alarm", "store map", "fit quiz")
_AREAS = ("anchor", "bramble", "clover", "drizzle", "ember", "fathom", "gravel", "harvest", "island", "jubilee")
_FAULTS = ("Pages do not load", "Errors after the release", "Slow for everybody", "Wrong answers", "Nothing is saved")


@family(
    "after-the-fault",
    area="support",
    roles={
        "file": DESK_NOTES,
        "word": but(DESK_NOTES, "incidents"),
        "cause": ("incidents",),
        "desk": ("tickets",),
        "amends": but(DESK_NOTES, "tickets"),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "word cause desk amends desk log report",
        "file word cause desk amends log desk report",
    ),
)
def after_the_fault(d: Draft) -> None:
    """Something in the shop was broken; a remark gives the reference of the incident, its summary the number of the
    desk's problem. The problem's area decides what customers get for their trouble: everybody whose ticket hangs on it
    is told, then the problem is solved and takes them along, and a last look is asked for.

    Hard: incidents and problems alike, every linked ticket and none of the others, older arrangements, a queue that
    solving makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    things = d.rng.sample(_THINGS, 4)
    files, references, problems, vouchers = (
        [d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "SI", "PB", "GV")
    )
    areas = [f"area-{word}" for word in d.rng.sample(_AREAS, size)]
    filing = d.fact("file", files[0], files[1]) if long else files[0]
    reference = d.fact("incident", references[0], references[1])
    problem = d.fact("problem", problems[0], problems[1])
    area = d.fact("area", areas[0], areas[1])
    voucher = d.fact("voucher", vouchers[0], vouchers[1])
    fault, hits = d.rng.choice(_FAULTS), d.rng.randint(2, 4)
    # What colleagues say of a fault is nine days old or older (rules), so all of this was before.
    for n in range(size):
        incidents.incident(
            d,
            "svc_storefront",
            fault,
            status="resolved",
            summary=f"Over since last night. What customers wrote is {problem if n == 0 else problems[n]}.",
            reference=references[n],
            created=d.ago(24 + 3 * d.turn(n), 7, 12),
            resolved=d.ago(22 + 3 * d.turn(n), 22),
        )
        behind = tickets.ticket(
            d,
            asker,
            fault,
            "Everything that comes in about this hangs on this ticket.",
            created=d.ago(24 + 3 * d.turn(n), 8),
            kind="problem",
            source="agent",
            reference=problems[n],
            tags=(area if n == 0 else areas[n], "shop"),
            holder=tickets.agent(d.user),
        )
        company = d.draw.company()
        for place in range(hits):
            solved = n > 0 and place == 0
            key = tickets.ticket(
                d,
                d.draw.person(company),
                d.rng.choice(("It does not work", "Is something broken?", "Same as yesterday", "Please help")),
                "I tried it three times and from two machines, always the same.",
                created=d.ago(23 + 3 * d.turn(n), 9, 4 * place),
                kind="incident",
                status="solved" if solved else "open",
                solved=d.ago(22 + 3 * d.turn(n), 12) if solved else None,
                holder=tickets.agent(d.user) if solved else None,
            )
            tickets.caused(d, key, behind)
    if long:
        leave_each(
            d,
            "file",
            title="The {word}",
            by=asker,
            wordings=(
                "The {word} is back. All I know about it is filed as {file}.",
                "About the {word}: I collected what was said under {file}.",
            ),
            words=things,
            values={"file": [filing, *files[1:4]]},
            older={"file": d.draw.code("CF")},
        )
    leave_each(
        d,
        "word",
        title="{word} is over",
        by=asker,
        wordings=(
            "{word}: they say it is repaired. On their side it was {reference}.",
            "{word} had its own incident, {reference}, and that is closed.",
        ),
        words=files[:4] if long else things,
        values={"reference": [reference, *references[1:4]]},
        older={"reference": references[2]},
    )
    leave_each(
        d,
        "amends",
        title="Amends for {word}",
        by=boss,
        wordings=(
            "Whoever lost time over something in {word} gets voucher {voucher}. No more, no less.",
            "For trouble with {word} we send voucher {voucher} to everybody concerned.",
        ),
        words=areas,
        values={"voucher": [voucher, *vouchers[1:]]},
        older={"voucher": d.draw.code("GV")},
    )
    leave_noise(d, d.note("amends"), asker)

    filed = d.note("file").find(d, things[0]).part(r"(CF-\d+)") if long else things[0]
    word = d.note("word").find(d, filed)
    listed = incidents.find_incident(d, word.part(r"(SI-\d+)"))
    incident = d.call("incidents", "get_incident", incident_id=listed.at("data.items.0.id"))
    found = d.call("tickets", "list_tickets", reference=incident.part("data.summary", r"(PB-\d+)"))
    behind_id = found.at("data.items.0.id")
    linked = d.call("tickets", "list_linked_tickets", ticket_id=behind_id)
    groups = d.call("tickets", "list_groups")
    care = groups.at("data.items.[name=Customer Care].id")
    d.call("tickets", "get_group_workload", group_id=care)
    amends = d.note("amends").find(d, found.part("data.items.0.tags.0", r"(area-\w+)"))
    gift = amends.part(r"voucher (GV-\d+)")
    record = None
    if long:
        record = d.entry("log").add(
            d,
            "An entry gives the problem and the voucher.",
            title=text("Amends"),
            words=text("{problem}: voucher {gift}.", problem=found.at("data.items.0.reference"), gift=gift),
        )
    said, values = "It works again. For your trouble you get voucher {gift}.", {"gift": gift}
    if record is not None:
        said, values = said + " Our reference is {record}.", values | {"record": record}
    for place in range(hits):
        d.act(
            TOLD,
            "tickets",
            "reply_to_ticket",
            output=True,
            ticket_id=linked.at(f"data.items.{place}.ticket.id"),
            body=text(said, **values),
        )
    d.act(SOLVED, "tickets", "set_ticket_status", ticket_id=behind_id, status="solved")
    tickets.requester(d, d.user)
    me = d.call("tickets", "list_requesters", email=d.user.email)
    look = d.act(
        LOOK,
        "tickets",
        "create_ticket",
        requester_id=me.at("data.items.0.id"),
        group_id=care,
        subject=text("A last look"),
        description=text("Has anybody written because of {problem} again?", problem=found.at("data.items.0.reference")),
    ).at("data.id")
    left = d.call("tickets", "get_group_workload", group_id=care).at("data.unassigned.unsolved")
    if record is None:
        record = d.entry("log").add(
            d,
            "An entry gives the voucher and the ticket for the last look.",
            title=text("Amends"),
            words=text("Voucher {gift}; last look: {look}.", gift=gift, look=look),
        )
    told = {"look": look, "left": left, "record": record}
    d.message("report").send(
        d,
        f"{boss.name} knows the ticket for the last look, how many unsolved tickets nobody has, and where it is "
        "recorded.",
        boss,
        text("All are told. {look} is for the last look, {left} unsolved ones are with nobody; see {record}.", **told),
        about="After the fault",
    )
    d.answer(
        "All are told; {look} is for the last look. {left} unsolved tickets are with nobody; see {record}.", **told
    )

    d.title(f"After the trouble with the {things[0]}")
    first, log = called(boss), d.entry("log")
    where = d.note("word").where(d)
    if long:
        d.say(
            f"The {things[0]} works again. {called(asker)} has a file about it, and its number is "
            f"{d.note('file').where(d)}. Which incident belongs to a file is noted {where}.",
            f"Good news about the {things[0]}: it is back. {called(asker)} noted the number of the file about it "
            f"{d.note('file').where(d)}, and which incident goes with a file is noted {where}.",
            f"There is a file on the {things[0]}, which works again: {called(asker)} wrote its number "
            f"{d.note('file').where(d)}. The incident for each file is {where}.",
        )
    else:
        d.say(
            f"The {things[0]} works again, and {called(asker)} says {where} which incident it was.",
            f"Whatever was wrong with the {things[0]} is over. {called(asker)} left the incident's reference {where}.",
            f"We can answer people about the {things[0]} now; the reference of the incident is {where}.",
        )
    d.say(
        "The incident gives the number of the problem ticket under which the desk collected the complaints. "
        f"Everybody whose ticket hangs on that problem gets the voucher that {first} has fixed for its area "
        f"({d.note('amends').where(d)}): tell each of them on their ticket, then solve the problem, which takes "
        "their tickets along.",
        "In the incident's summary is the number of our problem ticket. All tickets that hang on it are to be "
        "answered with "
        f"the voucher for the problem's area, which is {d.note('amends').where(d)}; after that solve the problem "
        "itself.",
        "People wrote to us because of it; the incident names the number of our problem ticket, and their tickets "
        f"hang on that. Answer each of them with the voucher for the problem's area (see {first}'s list "
        f"{d.note('amends').where(d)}), and then solve the problem, and theirs with it.",
    )
    d.warn(
        "Of several notes about the same the newest holds.",
        "Vouchers expire, so take the latest that was fixed.",
        "Earlier notes on the same matter no longer count.",
    )
    d.say(
        "A new ticket in my name in Customer Care should remind us, with the problem's number, to take a last look.",
        "Also open a ticket in Customer Care, with me as requester, for a last look at it; it should name the problem "
        "by its "
        "number.",
        "For a last look, open another ticket in Customer Care in my name that says which problem it was, by its "
        "number.",
    )
    d.paragraph()
    if long:
        d.say(
            f"Before you answer them add {log.what(d)} with the number of the problem and the voucher, and give "
            f"{log.reference(d)} as our reference in every answer.",
            f"The answers should name {log.reference(d)} as our reference: so first make {log.what(d)} that gives the "
            "problem's number and the voucher.",
            f"We need something to refer to in the answers: make {log.what(d)} with problem number and voucher before "
            f"you write them, and quote {log.reference(d)}.",
        )
    else:
        d.say(
            f"Then I need {log.what(d)} with the voucher and the id of that new ticket.",
            f"Afterwards put the voucher and the new ticket's id into {log.what(d)}.",
            f"When that is done, note the voucher and the id of the new ticket in {log.what(d)}.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the new ticket's id, how many unsolved tickets in "
        f"Customer Care nobody has after all this, and {log.reference(d)}. I need the same.",
        f"To finish, {d.message('report').how(d, first)} with the id of the new ticket, the number of unsolved tickets "
        "in "
        f"Customer Care that are then with nobody, and {log.reference(d)}; tell me as well.",
        f"{first} keeps an eye on the queue: {d.message('report').how(d, first)}, with the new ticket's id, how many "
        f"unsolved tickets nobody has in Customer Care at the end, and {log.reference(d)}. I want the same.",
    )
