"""Somebody at the desk is away: the open tickets of their queue go to the one who covers its subject."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, people, sentence
from tasks.places import MESSAGES, tickets
from tasks.places.rules import leave_noise

HANDED = "Every open ticket of that queue is with whoever covers its subject, under the subject's new tag."
_QUEUES = ("badger", "curlew", "dormouse", "finch", "gannet", "heron", "kestrel", "linnet", "otter", "plover", "teal")
_SUBJECTS = ("hems", "zips", "logos", "sizes", "linings", "buttons", "pockets", "hoods", "cuffs")


@family(
    "queue-of-the-absent",
    area="support",
    roles={
        "word": DESK_NOTES,
        "rota": but(DESK_NOTES, "tickets"),
        "desk": ("tickets",),
        "cover": but(DESK_NOTES, "tickets"),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "word rota desk cover desk log report",
        "word rota desk cover log desk report",
    ),
)
def queue_of_the_absent(d: Draft) -> None:
    """An agent is away; a remark gives the number of a rota sheet, the sheet the tag of a queue. The open tickets of it
    are about one subject, and a subject is covered by somebody with a tag of its own. All of them are handed over, the
    solved ones of the same queue are not.

    Hard: agents with alike names, queues alike, every open ticket and none that is solved or of another queue, older
    cover lists, a count of what nobody holds that the handing over makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(4, d.dials.alike + 1)
    company = d.draw.company()
    away = d.draw.person()
    names = [away.name, *(d.draw.near(away.name) for _ in range(size - 1))]
    sheets, lists = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("RS", "CL"))
    queues = [f"queue-{bird}" for bird in d.rng.sample(_QUEUES, size)]
    subjects = [f"about-{what}" for what in d.rng.sample(_SUBJECTS, size)]
    covers = people(d, size, away.name)
    sheet = d.fact("sheet", sheets[0], sheets[1])
    queue = d.fact("queue", queues[0], queues[1])
    subject = d.fact("subject", subjects[0], subjects[1])
    covering = d.fact("cover", covers[0].name, covers[1].name)
    tag = d.fact("cover-list", lists[0], lists[1])
    agents = [tickets.planted_agent(d, person, tickets.CARE) for person in covers]
    customer, open_ones = d.draw.person(company), d.rng.randint(3, 5)
    for n in range(size):
        about = subject if n == 0 else subjects[n]
        for place in range(open_ones + 1):
            tickets.ticket(
                d,
                customer,
                d.rng.choice(("A complaint", "Not as ordered", "Please check", "This is the second time")),
                f"What we got is not what we ordered, lot {d.draw.code('LT')}.",
                created=d.ago(6 - place, 10, 3 * d.turn(n)),
                status="solved" if place == open_ones else "open",
                solved=d.ago(1, 16) if place == open_ones else None,
                tags=(queues[n], about),
                holder=agents[-1] if place == open_ones or (n and not place) else None,
            )
    for n in range(2):
        for place in range(d.rng.randint(4, 8)):
            tickets.ticket(
                d,
                customer,
                f"Still open: lot {d.draw.code('LT')}",
                "As we said on the telephone.",
                created=d.ago(9 + n, 11, place),
                holder=agents[n],
            )
    leave_each(
        d,
        "word",
        title="{word} is away",
        by=asker,
        wordings=(
            "{word} will not be in for two weeks. The desk's rota sheet is {sheet}.",
            "For {word} see rota sheet {sheet}, nothing was handed over.",
            "{word} left early and for some time. Sheet {sheet} of the rota has the details.",
        ),
        words=names,
        values={"sheet": [sheet, *sheets[1:]]},
        older={"sheet": d.draw.code("RS")},
    )
    leave_each(
        d,
        "rota",
        title="Rota {word}",
        by=boss,
        wordings=(
            "{word}: has {queue} to themselves, nobody else looks into it.",
            "{word}. All day on {queue}, no telephone.",
        ),
        words=sheets,
        values={"queue": [queue, *queues[1:]]},
        older={"queue": queues[2]},
    )
    leave_each(
        d,
        "cover",
        title="Who covers {word}",
        by=boss,
        wordings=(
            "What is {word} goes to {cover} when the usual one is away, marked with {tag}.",
            "{word} is covered by {cover}. Put {tag} on it so that we can tell later.",
        ),
        words=subjects,
        values={
            "cover": [covering, *(person.name for person in covers[1:])],
            "tag": [tag.lower(), *(one.lower() for one in lists[1:])],
        },
        older={"cover": covers[2].name, "tag": d.draw.code("CL").lower()},
    )
    leave_noise(d, d.note("cover"), asker)

    word = d.note("word").find(d, away.name)
    rota = d.note("rota").find(d, word.part(r"(RS-\d+)"))
    found = d.call("tickets", "list_tickets", tag=rota.part(r"(queue-\w+)"), status=["open"])
    groups = d.call("tickets", "list_groups")
    care = groups.at("data.items.[name=Customer Care].id")
    d.call("tickets", "get_group_workload", group_id=care)
    rule = d.note("cover").find(d, found.part("data.items.0.tags.0", r"(about-\w+)"))
    name, mark = rule.part(r"(?:goes to|covered by) (\w+ \w+)"), rule.part(r"(cl-\d+)")
    record = None
    if long:
        record = d.entry("log").add(
            d,
            "An entry says who covers, and under which tag.",
            title=text("Cover at the desk"),
            words=text("{name} covers, tag {mark}.", name=name, mark=mark),
        )
    before = d.call("tickets", "list_agents", query=name)
    found_ids = [found.at(f"data.items.{place}.id") for place in range(open_ones)]
    d.act(
        HANDED,
        "tickets",
        "bulk_update_tickets",
        ticket_ids=found_ids,
        assignee_id=before.at("data.items.0.id"),
        add_tags=[mark],
    )
    if record is not None:
        d.act(
            "An internal note on the oldest of them says where the cover is recorded.",
            "tickets",
            "add_internal_note",
            ticket_id=found_ids[-1],
            body=text("Who covers this queue is recorded as {record}.", record=record),
        )
    left = d.call("tickets", "get_group_workload", group_id=care).at("data.unassigned.unsolved")
    if record is None:
        record = d.entry("log").add(
            d,
            "An entry says who covers, and how many unsolved tickets of Customer Care nobody holds now.",
            title=text("Cover at the desk"),
            words=text("{name} covers; {left} unsolved tickets are with nobody.", name=name, left=left),
        )
    told = {"name": name, "left": left, "record": record}
    d.message("report").send(
        d,
        f"{boss.name} knows who covers, how many unsolved tickets nobody holds, and where it is recorded.",
        boss,
        text("{name} covers, {left} unsolved tickets are with nobody now; see {record}.", **told),
        about="Cover at the desk",
    )
    d.answer("{name} covers. {left} unsolved tickets of Customer Care are with nobody now; see {record}.", **told)

    d.title(f"{away.name}'s queue")
    first, log = called(boss), d.entry("log")
    d.say(
        f"{away.name} is away and has left a queue full of open tickets. {called(asker)} says "
        f"{d.note('word').where(d)} on "
        f"which rota sheet that is, and the sheets are {d.note('rota').where(d)}.",
        f"Nobody is looking after the queue of {away.name} at the moment. Which queue it is follows from the rota "
        f"sheet that is named {d.note('word').where(d)}; the sheets are {d.note('rota').where(d)}.",
        f"{away.name} will be gone for a while. You will find {d.note('word').where(d)} which rota sheet holds, and "
        f"the sheet ({d.note('rota').where(d)}) tells you the queue.",
    )
    d.say(
        "Hand everything in that queue that is still open to whoever covers its subject, with the tag that goes with "
        "the "
        f"cover; {first} keeps that list {d.note('cover').where(d)}. What is solved stays as it is.",
        "Please give all open tickets of it to the one who covers that subject and put the cover's tag on them, as "
        "listed "
        f"{d.note('cover').where(d)}. Leave the solved ones and the other queues alone.",
        f"All of its open tickets are about the same subject. {first} has listed {d.note('cover').where(d)} who "
        "takes that over and which tag marks it: reassign and tag them, but nothing that is solved.",
    )
    d.warn(
        "Both sheets and list get renewed, and only the newest counts.",
        "Covers change, so go by the latest.",
        "Where something is listed twice, the newer entry is right.",
    )
    d.paragraph()
    if long:
        d.say(
            f"Note down in {log.what(d)} who covers and under which tag, and leave {log.reference(d)} in an internal "
            "note "
            "on the oldest of the tickets.",
            f"I want {log.what(d)} with the name of the cover and the tag; on the oldest of those tickets an internal "
            "note "
            f"gives {log.reference(d)}.",
            f"Who covers, and the tag, belong in {log.what(d)}; {log.reference(d)} goes into an internal note on the "
            "oldest ticket of the queue.",
        )
    else:
        d.say(
            f"Then add {log.what(d)} that says who covers and how many unsolved tickets in Customer Care still belong "
            "to "
            "nobody.",
            f"Put the name of the cover, and how many unsolved tickets of Customer Care are left without anybody, into "
            f"{log.what(d)}.",
            f"When they are handed over, I need {log.what(d)}: who covers, and the number of unsolved tickets in "
            "Customer Care that nobody holds.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with who it is, how many unsolved tickets in Customer Care "
        f"nobody has after this, and {log.reference(d)}. I want to know, too.",
        f"Finally {d.message('report').how(d, first)} with the name, the number of unsolved tickets that are still "
        "with "
        f"nobody in Customer Care, and {log.reference(d)}, and tell me the same.",
        f"{first} plans the shifts, so {d.message('report').how(d, first)}: who covers, how many unsolved tickets "
        f"in Customer Care still belong to nobody, and {log.reference(d)}. Tell me, too.",
    )
