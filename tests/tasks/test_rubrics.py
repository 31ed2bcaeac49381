"""The rubrics of the tasks that come with CompoWorld: outcomes that are wrong must fail, other right ones must pass.

Each variant is the reference solution with one thing changed: the text of a call, the answer, or a call more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.verifiers import judge
from engine.world import World
from tasks import Player, ReferenceCall, Task, named, put

DOVETAIL, SETTLE, MOVE = "dovetail-billing-contact", "settle-brightwater-dispute", "move-halcyon-kickoff"


@dataclass(frozen=True)
class Variant:
    """A way to play a task that differs from its reference solution.

    Attributes:
        fails: the only criteria that may not hold; none for an outcome that is right.
        edits: tool to arguments, for its last call.
        first: calls made before the solution.
        then: calls made after it.
        answer: said instead of the solution's.
    """

    task: str
    about: str
    fails: set[str] = field(default_factory=set)
    edits: dict[str, dict[str, Any]] = field(default_factory=dict)
    first: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    then: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    answer: str | None = None


def reply(task: str, body: str, *fails: str) -> Variant:
    return Variant(task, f"reply: {body}", set(fails), {"reply_to_ticket": {"body": body}})


def post(task: str, body: str, *fails: str) -> Variant:
    return Variant(task, f"post: {body}", set(fails), {"post_message": {"text": body}})


def answer(task: str, words: str, *fails: str) -> Variant:
    return Variant(task, f"answer: {words}", set(fails), answer=words)


def then(task: str, service: str, tool: str, *fails: str, **arguments: Any) -> Variant:
    return Variant(task, f"then: {tool}", set(fails or {"nothing-else"}), then=[(service, tool, arguments)])


def next_step(words: str, *fails: str) -> Variant:
    return Variant(SETTLE, f"next step: {words}", set(fails), {"update_deal": {"next_step": words}})


def address(words: str, *fails: str) -> Variant:
    return Variant(DOVETAIL, f"address: {words}", set(fails), {"update_customer": {"address": words}})


def noor(when: str) -> str:
    return f"Dear Noor, the kickoff is now {when}. From our side come Mara Lindqvist, Priya Raman and Hana Takeda."


LIST, FEMKE, NOOR, AMARA = "wesley-has-the-list", "femke-knows", "noor-answered", "amara-answered"
OWED, REMAINS, WHEN = "says-what-is-owed", "says-what-remains", "says-when"

VARIANTS = [
    reply(DOVETAIL, "Hello Wesley, open are INV-2042 and INV-2036, in all USD 4,320.", LIST),
    reply(DOVETAIL, "INV-2042 USD 1, INV-2036 USD 2, in all USD 4,320", LIST),
    reply(DOVETAIL, "INV-2042 USD 1,080, INV-2036 USD 3,240, in all USD 4,320", LIST),
    reply(DOVETAIL, "INV-2042 USD 3,240, INV-2036 USD 1,080, in all USD 9,999 (not 4,320)", LIST),
    reply(DOVETAIL, "INV-2042 USD 3,240, INV-2036 USD 1,080, in all USD 4,320.50", LIST),
    reply(DOVETAIL, "INV-2042: USD3,240.00 (due 16 March 2026)\nINV-2036: USD1,080.00\n\nTotal: USD4,320.00"),
    reply(DOVETAIL, "USD 1080 for INV-2036 and USD 3240 for INV-2042: USD 4320 in all."),
    answer(DOVETAIL, "Dovetail owes us USD 9,999 (not 4,320).", OWED),
    answer(DOVETAIL, "Dovetail owes us USD 14,320.", OWED),
    answer(DOVETAIL, "Dovetail owes us USD4,320."),
    answer(DOVETAIL, "INV-2042 (USD 3,240.00) is out. They owe us $4,320.00 as of 2 March 2026."),
    address("218 Fir St., Suite 4, Portland"),
    address("Fir Street 218, Suite 4, Portland"),
    address("1218 Fir Street, Suite 4, Portland", "customer-updated"),
    post(DOVETAIL, "Yes: 218 Fir St., Suite 4, Portland."),
    post(DOVETAIL, "Yes: Fir Street 218, Suite 4, Portland."),
    post(DOVETAIL, "Yes, it is wesley.tran@dovetail.example."),
    post(DOVETAIL, "Yes, confirmed.", "elena-answered"),
    then(DOVETAIL, "mail", "trash_messages", message_ids=["msg_0027"]),
    Variant(DOVETAIL, "then: mark_unread", then=[("mail", "mark_unread", {"message_ids": ["msg_0027"]})]),
    then(DOVETAIL, "chat", "post_message", channel_id="chn_general", text="Wesley is in place."),
    then(DOVETAIL, "billing", "open_dispute", invoice_id="inv_0036", reason="other", description="x"),
    then(DOVETAIL, "billing", "send_quote", quote_id="qte_0007"),
    then(DOVETAIL, "billing", "decide_quote", quote_id="qte_0002", decision="declined"),
    then(DOVETAIL, "contacts", "set_contact_role", person_id="per_0001", role="legal"),
    reply(
        SETTLE,
        "Dear Femke, credit note CN-104 is issued; EUR 2,100 of INV-2041 remain to be paid.",
        FEMKE,
    ),
    reply(SETTLE, "Credit note CN-104 over EUR 2,100 is issued; EUR 216 remain to be paid.", FEMKE),
    reply(SETTLE, "We credit EUR 216 with CN-104; EUR 2,100,000 remain to be paid.", FEMKE),
    reply(SETTLE, "We credit EUR216.00 with CN-104 (you asked for EUR 270); EUR2,100 remain of EUR 2,316."),
    next_step("x", "deal-goes-on"),
    next_step("Paused until further notice.", "deal-goes-on"),
    next_step("On hold: the INV-2041 dispute is not settled.", "deal-goes-on"),
    next_step("No longer on hold: the INV-2041 dispute is settled."),
    next_step("Go on with the call-off, INV-2041 has been resolved."),
    answer(SETTLE, "EUR 2,100.50 remain.", REMAINS),
    answer(SETTLE, "EUR 2,100,000 remain.", REMAINS),
    answer(SETTLE, "It was 2,100, 1,884 remain.", REMAINS),
    answer(SETTLE, "EUR2,100 remain open on INV-2041."),
    answer(SETTLE, "CN-104 credits EUR 216.00, so 2 100 EUR of EUR 2,316.00 remain on 2 March 2026."),
    then(SETTLE, "contacts", "update_company", company_id="cmp_0003", phone="+1-303-555-0000"),
    then(SETTLE, "contacts", "update_person", person_id="per_0001", title="Boss"),
    Variant(
        SETTLE,
        "first another public reply",
        {FEMKE},
        first=[("tickets", "reply_to_ticket", {"ticket_id": "tkt_0003", "body": "You must pay EUR 9999."})],
    ),
    reply(MOVE, noor("for 9 people on 19 March at 14:00"), NOOR),
    reply(MOVE, noor("on 10 March at 14:00, not on 9 March"), NOOR),
    reply(MOVE, "On 9 March at 14:00: Mara Lindqvist, Priya Raman, Hana Takeda and Tobias Okafor.", NOOR),
    reply(MOVE, "On 9 March at 14:00: Mara Lindqvist, Priya Raman, Bob Stone and Hana Takeda.", NOOR),
    reply(MOVE, noor("not on 5 March, but on 9.3.2026, 14h")),
    reply(MOVE, noor("on Monday the 9th at 2:00p.m. and Ada Brightman is invited")),
    answer(MOVE, "12 March at 14:00, 9 invited.", WHEN),
    answer(MOVE, "10 March at 14:00, not the 9th.", WHEN),
    answer(MOVE, "9 March at 4 pm.", WHEN),
    answer(MOVE, "Monday 9 March, 2:00p.m."),
    answer(MOVE, "9.3.2026, 14h"),
    answer(MOVE, "2026-03-09 14:00"),
    post(MOVE, "Monday 9 March, 14:00; the agenda goes out by Friday afternoon."),
    post(MOVE, "March 9th, 2 pm; the agenda goes out by 6 March."),
    post(MOVE, "Monday 9 March, 14:00; the agenda goes out in time.", AMARA),
    then(MOVE, "mail", "send_message", to=["noor.haddad@halcyon.example"], subject="Kickoff", body="See the ticket."),
    then(MOVE, "contacts", "update_deal", deal_id="deal_0009", next_step="x"),
    then(MOVE, "calendar", "update_event", "other-meetings-alone", event_id="evt_halcyon_kickoff", title="A nice talk"),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: f"{variant.task.split('-')[0]} {variant.about}")
def test_variant(world: World, variant: Variant) -> None:
    stored = put(world, named(variant.task))
    branch = stored.snapshot.fork(label="a variant")
    try:
        for service, tool, arguments in variant.first:
            assert branch.call(service, tool, arguments).ok
        for result in Player(edited(stored.task, variant.edits)).play(branch):
            assert result.ok, result.observation
        for service, tool, arguments in variant.then:
            result = branch.call(service, tool, arguments)
            assert result.ok, result.observation
        if variant.answer:
            branch.answer(variant.answer)
        checks = judge(branch, stored.criteria)
    finally:
        branch.delete()
    assert [check.error for check in checks if check.error] == []
    assert {check.criterion.name for check in checks if not check.passed} == variant.fails


def edited(task: Task, edits: dict[str, dict[str, Any]]) -> Task:
    """The task with other arguments in the last calls of some tools."""
    calls = list(task.reference.calls)
    for tool, arguments in edits.items():
        place = max(number for number, call in enumerate(calls) if call.tool == tool)
        old = calls[place]
        calls[place] = ReferenceCall(
            service=old.service, tool=tool, arguments={**old.arguments, **arguments}, save=old.save
        )
    reference = task.reference.model_copy(update={"calls": calls})
    return task.model_copy(update={"reference": reference})
