"""A ticket is served as the customer's contract says: contract to plan, plan to priority and lane."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, tickets
from tasks.places.rules import leave_noise

SERVED = "The ticket has the priority and the lane of its customer's service plan."
_LANES = ("almond", "birch", "cedar", "elm", "hickory", "juniper", "larch", "maple", "poplar", "rowan", "spruce")
_PROBLEMS = (
    "The order page shows the old prices",
    "Two colleagues cannot sign in",
    "Our size list is gone",
    "The delivery note names the wrong site",
    "Labels come out blank",
    "The return form does not send",
    "Nobody gets the confirmation mails",
    "The catalogue opens in the wrong language",
    "We see somebody else's address",
)


@family(
    "served-by-plan",
    area="support",
    roles={
        "file": DESK_NOTES,
        "call": but(DESK_NOTES, "tickets"),
        "desk": ("tickets",),
        "contract": but(DESK_NOTES, "tickets"),
        "plan": but(DESK_NOTES, "tickets"),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "call desk contract plan desk log report",
        "file call desk contract plan log desk report",
    ),
)
def served_by_plan(d: Draft) -> None:
    """Somebody who looks after several customers rings about one of their tickets, and a colleague notes which. The
    ticket's customer has a contract with a service plan, the plan gives a priority and a lane. Ticket, due time and an
    entry follow from it.

    Hard: tickets of one caller for different customers, three texts in a row, older contracts and plans, a due time
    that the new priority makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    caller = d.draw.person(d.draw.company())
    callers = [caller.name, *(d.draw.near(caller.name) for _ in range(size - 1))]
    files, references, plans = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "CR", "SP"))
    customers = [d.draw.company() for _ in range(size)]
    lanes = [f"lane-{tree}" for tree in d.rng.sample(_LANES, size)]
    filing = d.fact("file", files[0], files[1]) if long else files[0]
    reference = d.fact("reference", references[0], references[1])
    customer = d.fact("customer", 0, 1)
    plan = d.fact("plan", plans[0], plans[1])
    priority = d.fact("priority", *d.rng.sample(("urgent", "high"), 2))
    lane = d.fact("lane", lanes[0], lanes[1])
    tier = d.rng.choice(("silver", "bronze"))
    known = [tickets.planted_organization(d, name, tier) for name in customers]
    problems = d.rng.sample(_PROBLEMS, size)
    for n in range(size):
        tickets.ticket(
            d,
            caller,
            problems[n],
            f"{problems[n]}, since this morning. Please call me back, our number for it is {references[n]}.",
            created=d.ago(0, 7, 2 * d.turn(n)),
            kind="incident",
            priority=d.rng.choice(("low", "normal")),
            source="phone",
            reference=references[n],
            company=(known[customer if n == 0 else n], tier),
        )
    if long:
        leave_each(
            d,
            "file",
            title="{word} rang",
            by=asker,
            wordings=(
                "{word} rang twice. I filed it as {file}, with everything that was said.",
                "Had {word} on the line for a quarter of an hour; it is {file} now.",
            ),
            words=callers,
            values={"file": [filing, *files[1:]]},
            older={"file": d.draw.code("CF")},
        )
    leave_each(
        d,
        "call",
        title="Call: {word}",
        by=asker,
        wordings=(
            "{word}: of all that is open the one that burns is {reference}. The others can wait their turn.",
            "{word} comes down to {reference}. That is the one they cannot work without.",
            "What {word} is about is {reference}, the rest was small talk.",
        ),
        words=files if long else callers,
        values={"reference": [reference, *references[1:]]},
        older={"reference": references[2]},
    )
    leave_each(
        d,
        "contract",
        title="Contract with {word}",
        by=boss,
        wordings=(
            "{word} are on service plan {plan} since January. Their contract knows no other.",
            "We serve {word} by plan {plan}; it was signed for two years.",
        ),
        words=customers,
        values={"plan": [plan, *plans[1:]]},
        older={"plan": plans[2]},
    )
    leave_each(
        d,
        "plan",
        title="Plan {word}",
        by=boss,
        wordings=(
            "{word}: an incident gets priority {priority} and, for its lane, the tag {lane}.",
            "Under {word} every incident has priority {priority} and carries the tag {lane}.",
        ),
        words=plans,
        values={
            "priority": [priority, *(("high", "urgent")[n % 2] for n in range(1, size))],
            "lane": [lane, *lanes[1:]],
        },
        older={"priority": "normal", "lane": lanes[2]},
    )
    leave_noise(d, d.note("plan"), asker)

    word = d.note("file").find(d, caller.name).part(r"(CF-\d+)") if long else caller.name
    call = d.note("call").find(d, word)
    listed = d.call("tickets", "list_tickets", reference=call.part(r"(CR-\d+)"))
    before = tickets.read(d, listed.at("data.items.0.id"))
    contract = d.note("contract").find(d, before.at("data.organization_name"))
    rule = d.note("plan").find(d, contract.part(r"(SP-\d+)"))
    tag, ticket_id = rule.part(r"(lane-\w+)"), before.at("data.id")

    def serve() -> None:
        d.act(SERVED, "tickets", "update_ticket", ticket_id=ticket_id, priority=rule.part(r"priority (urgent|high)"))
        d.act(SERVED, "tickets", "update_tags", ticket_id=ticket_id, add=[tag])

    if long:
        record = d.entry("log").add(
            d,
            "An entry names the ticket and the lane.",
            title=text("A call that burns"),
            words=text("{ticket} in {lane}.", ticket=ticket_id, lane=tag),
        )
        serve()
        d.act(
            "An internal note on the ticket says where it is recorded.",
            "tickets",
            "add_internal_note",
            ticket_id=ticket_id,
            body=text("How we serve this one is recorded as {record}.", record=record),
        )
        due = tickets.read(d, ticket_id).at("data.resolution_due_at")
    else:
        serve()
        due = tickets.read(d, ticket_id).at("data.resolution_due_at")
        record = d.entry("log").add(
            d,
            "An entry names the lane and until when the ticket is to be solved.",
            title=text("A call that burns"),
            words=text("{lane}, to be solved by {due}.", lane=tag, due=due),
        )
    told = {"due": due, "record": record}
    d.message("report").send(
        d,
        f"{boss.name} knows until when the ticket is to be solved and where it is recorded.",
        boss,
        text("It has to be solved by {due}, see {record}.", **told),
        about="A ticket by plan",
    )
    d.answer("It is due by {due}, see {record}.", **told)

    d.title(f"The call from {caller.name}")
    first, log = called(boss), d.entry("log")
    if long:
        d.say(
            f"{caller.name} has been on the phone again. {called(asker)} filed the call; its number is "
            f"{d.note('file').where(d)}, and the gist of every filed call is {d.note('call').where(d)}.",
            f"{called(asker)} took a call from {caller.name} and says {d.note('file').where(d)} how it is filed; with "
            "that "
            f"you find {d.note('call').where(d)} which of the tickets it is about.",
            f"There was a call from {caller.name}, and {called(asker)} filed it. Look {d.note('file').where(d)} for "
            f"the number of the file and {d.note('call').where(d)} for the ticket that it is about.",
        )
    else:
        d.say(
            f"{caller.name} rang about one of several open tickets. {called(asker)} wrote {d.note('call').where(d)} "
            "which.",
            f"We have several tickets from {caller.name}, and one of them is urgent. Which one is noted "
            f"{d.note('call').where(d)}.",
            f"Please take care of what {caller.name} called about; {called(asker)} noted {d.note('call').where(d)} "
            "which "
            "ticket it is.",
        )
    d.say(
        "Handle it the way that customer's contract says: priority and lane, nothing more. The contracts are "
        f"{d.note('contract').where(d)}, and what the plans in them mean is {d.note('plan').where(d)}.",
        "Give it the priority and the tag of the service plan that the customer is on. Who has which plan is noted "
        f"{d.note('contract').where(d)}, and what a plan gives {d.note('plan').where(d)}.",
        f"What that customer can expect follows from the plan in their contract ({d.note('contract').where(d)}; the "
        "plans "
        f"are {d.note('plan').where(d)}). Give the ticket that priority and the lane's tag, and leave the others "
        "alone.",
    )
    d.warn(
        "Contracts and plans are renewed; the newest of each is in force.",
        "Older versions of the same do not count any more.",
        "Of several notes about one thing take the latest.",
    )
    d.paragraph()
    if long:
        d.say(
            f"Before you touch it, add {log.what(d)} with the ticket's id and the lane, and put {log.reference(d)} "
            "into an "
            "internal note on the ticket.",
            f"I also want {log.what(d)} that names ticket and lane; {log.reference(d)} goes on the ticket as an "
            "internal note.",
            f"Start with {log.what(d)}: the id of the ticket and the lane. Then, on the ticket, an internal note with "
            f"{log.reference(d)}.",
        )
    else:
        d.say(
            f"Then add {log.what(d)} with the lane and the time by which the ticket has to be solved now.",
            f"Put the lane and the new time limit for solving it into {log.what(d)}.",
            f"Note the lane, and until when it must be solved with the new priority, in {log.what(d)}.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the time by which it has to be solved now and "
        f"{log.reference(d)}, and tell me both.",
        f"{first} has to know by when we must have solved it now, so {d.message('report').how(d, first)} with that "
        f"time and {log.reference(d)}. I would like the same.",
        f"{first} has asked me twice already, so {d.message('report').how(d, first)}: by when we have to solve it "
        f"now, and {log.reference(d)}. I need both as well.",
    )
