"""What a derived rubric accepts and what it does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.branches import Branch
from engine.verifiers import judge
from engine.world import World
from tasks import ReferenceCall, Task
from tasks.authoring import plans, write
from tasks.player import Player
from tasks.rubric.names import name_of
from tasks.store import StoredTask, put

STOCK, WRITTEN, TOLD = "the-pieces-are-held-back", "it-is-written-down", "luis-is-told"

Change = Callable[[ReferenceCall, dict[str, Any]], list[tuple[str, dict[str, Any]]] | None]
"""The calls, as tool and arguments, that are made in place of one of the reference's; ``None`` for that one."""


@pytest.fixture(scope="module")
def task(world: World) -> Task:
    """A drafted task whose message goes by mail."""
    drafts = plans(5, None, ["held-stock"])
    return write(world, next(plan for plan in drafts if plan.roles["report"] == "mail" and "chat" not in plan.services))


@pytest.fixture(scope="module")
def stored(world: World, task: Task) -> StoredTask:
    """The same, stored."""
    return put(world, task)


@pytest.fixture(scope="module")
def ticketed(world: World) -> StoredTask:
    """One that writes into a new ticket."""
    drafts = plans(5, None, ["held-stock"])
    return put(world, write(world, next(plan for plan in drafts if plan.roles["log"] == "tickets")))


@pytest.fixture
def branch(stored: StoredTask) -> Iterator[Branch]:
    """A branch on which the reference solution was played."""
    forked = stored.snapshot.fork()
    Player(stored.task).play(forked)
    yield forked
    forked.delete()


def failing(branch: Branch, stored: StoredTask) -> set[str]:
    """The criteria that do not hold, by the beginning of their names."""
    checks = judge(branch, stored.criteria)
    assert not [item.error for item in checks if item.error]
    return {item.criterion.name for item in checks if not item.passed}


def failing_when(stored: StoredTask, change: Change) -> set[str]:
    """The criteria that fail when the reference solution is played with other calls in place of some."""
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    for call in stored.task.reference.calls:
        arguments = player.arguments(call)
        for tool, given in change(call, arguments) or [(call.tool, arguments)]:
            result = branch.call(call.service, tool, given)
            assert result.ok, result.error
            if tool == call.tool:
                player.keep(call, result.observation)
    branch.answer(player.answer())
    found = failing(branch, stored)
    branch.delete()
    return found


def only(found: set[str], beginning: str) -> bool:
    """Whether one criterion failed, and which."""
    return len(found) == 1 and next(iter(found)).startswith(beginning)


def last_mail(branch: Branch) -> dict[str, str]:
    """Recipient, subject and text of the reference's mail."""
    event = next(item for item in reversed(branch.events()) if item.tool == "send_message")
    return event.arguments


def test_the_reference_passes(branch: Branch, stored: StoredTask) -> None:
    assert failing(branch, stored) == set()
    assert {item.kind for item in stored.criteria} == {"state", "output", "answer", "must_not_change"}


def test_a_second_part_of_a_message_is_no_harm(branch: Branch, stored: StoredTask) -> None:
    mail = last_mail(branch)
    assert branch.call("mail", "send_message", mail | {"body": "And thank you for the help with this one."}).ok
    assert failing(branch, stored) == set()


def test_four_messages_are_too_many(branch: Branch, stored: StoredTask) -> None:
    mail = last_mail(branch)
    for body in ("Thank you.", "And a good day."):
        assert branch.call("mail", "send_message", mail | {"body": body}).ok
    assert failing(branch, stored) == set()
    assert branch.call("mail", "send_message", mail | {"body": "One more."}).ok
    assert failing(branch, stored) == {"nothing-else"}


def test_a_mail_in_a_thread_that_was_there_is_a_message(stored: StoredTask) -> None:
    def answered(call: ReferenceCall, mail: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        if call.tool != "send_message":
            return None
        return [
            ("forward", {"message_id": other, "to": mail["to"], "note": mail["body"], "include_attachments": False})
        ]

    branch = stored.snapshot.fork()
    found = branch.call("mail", "search_messages", {"box": "inbox", "has_attachment": False})
    other = found.data["items"][0]["id"]
    branch.delete()
    assert failing_when(stored, answered) == set()


def test_a_code_with_one_more_character_is_another(stored: StoredTask) -> None:
    def wrong(call: ReferenceCall, mail: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        if call.tool != "send_message":
            return None
        return [(call.tool, mail | {"body": re.sub(r"(\w+_[0-9a-f]{6,}|[A-Z]+-\d+)", r"\g<1>7", mail["body"])})]

    assert only(failing_when(stored, wrong), TOLD)


def test_what_is_lacking_is_told(branch: Branch, stored: StoredTask) -> None:
    for event in branch.events():
        if event.tool == "create_reservation":
            key = event.changes[0].key
    assert branch.call("inventory", "close_reservation", {"reservation_id": key, "status": "released"}).ok
    branch.answer("No idea.")
    checks = {item.criterion.kind: item for item in judge(branch, stored.criteria) if not item.passed}
    assert checks["answer"].actual.startswith("not said: ")
    assert "says " in checks["answer"].expected
    assert checks["answer"].criterion.description.endswith(", without a list of others.")
    assert "status" in checks["state"].actual


def test_a_mark_that_a_mail_was_read_is_no_harm(branch: Branch, stored: StoredTask) -> None:
    found = branch.call("mail", "search_messages", box="inbox", unread=True).data["items"][0]["id"]
    assert branch.call("mail", "mark_read", message_ids=[found]).ok
    assert failing(branch, stored) == set()


@pytest.mark.parametrize(
    "others", [["elena.sorokina@larkspur.example"], ["luis.herrera@larkspur.example", "x@alder.example"]]
)
def test_a_message_to_somebody_else_is_noticed(branch: Branch, stored: StoredTask, others: list[str]) -> None:
    assert branch.call("mail", "send_message", last_mail(branch) | {"to": others}).ok
    assert failing(branch, stored) == {"nothing-else"}


def test_a_record_made_twice_is_noticed(branch: Branch, stored: StoredTask) -> None:
    event = next(item for item in branch.events() if item.tool == "create_reservation")
    assert branch.call("inventory", "create_reservation", event.arguments).ok
    assert "nothing-else" in failing(branch, stored)


def test_the_right_words_to_the_wrong_person_do_not_count(stored: StoredTask) -> None:
    def elsewhere(call: ReferenceCall, mail: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        other, empty = mail | {"to": ["elena.sorokina@larkspur.example"]}, mail | {"body": "Please ask Elena."}
        return [(call.tool, other), (call.tool, empty)] if call.tool == "send_message" else None

    found = failing_when(stored, elsewhere)
    assert {name for name in found if name.startswith(TOLD)} and "nothing-else" in found


def test_a_message_in_two_parts_counts_as_one(stored: StoredTask) -> None:
    def halved(call: ReferenceCall, mail: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        if call.tool != "send_message":
            return None
        words = mail["body"].split(" ")
        return [(call.tool, mail | {"body": " ".join(part)}) for part in (words[:4], words[4:])]

    assert failing_when(stored, halved) == set()


@pytest.mark.parametrize("guesses", [" ".join(map(str, range(31, 43))), " ".join(f"INV-{n}" for n in range(31, 43))])
def test_a_message_is_no_list_of_guesses(stored: StoredTask, guesses: str) -> None:
    def guessing(call: ReferenceCall, mail: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        more = mail | {"body": f"{mail.get('body')} Or {guesses}."}
        return [(call.tool, more)] if call.tool == "send_message" else None

    assert only(failing_when(stored, guessing), TOLD)


def test_a_draft_left_beside_the_mail_is_noticed(branch: Branch, stored: StoredTask) -> None:
    assert branch.call("mail", "create_draft", last_mail(branch)).ok
    assert failing(branch, stored) == {"nothing-else"}


def test_a_draft_that_was_sent_is_a_message(stored: StoredTask) -> None:
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    for call in stored.task.reference.calls:
        arguments = player.arguments(call)
        if call.tool == "send_message":
            draft = branch.call("mail", "create_draft", arguments)
            result = branch.call("mail", "send_draft", {"draft_id": draft.data["id"]})
        else:
            result = branch.call(call.service, call.tool, arguments)
        assert result.ok, result.error
        player.keep(call, result.observation)
    branch.answer(player.answer())
    found = failing(branch, stored)
    branch.delete()
    assert found == set()


def test_a_day_that_nobody_asked_for_is_noticed(stored: StoredTask) -> None:
    def dated(call: ReferenceCall, given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        return [(call.tool, given | {"needed_on": "2026-03-20"})] if call.tool == "create_reservation" else None

    assert only(failing_when(stored, dated), STOCK)


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"kind": "task", "priority": "high", "tags": ["held"]}, True),
        ({"assignee_id": "agt_mara_lindqvist"}, True),
        ({"assignee_id": "agt_amara_diallo"}, False),
    ],
)
def test_what_nobody_named_is_free_unless_it_binds_somebody(
    ticketed: StoredTask, given: dict[str, Any], right: bool
) -> None:
    def chosen(call: ReferenceCall, arguments: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        return [(call.tool, arguments | given)] if call.tool == "create_ticket" else None

    found = failing_when(ticketed, chosen)
    assert found == set() if right else only(found, WRITTEN)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Luis is told.", "luis-is-told"),
        ("The deal's amount is the quote's new total.", "the-deals-amount-is-the-quotes-new-total"),
        (
            "The quote is sent with the discount, which its price sheet gives for the sum of it.",
            "the-quote-is-sent-with-the-discount",
        ),
        (
            "40 pieces are held back in the Tanner Street store for the customer's order.",
            "pieces-are-held-back-in-the-tanner-street-store",
        ),
    ],
)
def test_names_are_whole_phrases(sentence: str, name: str) -> None:
    taken: set[str] = set()
    assert [name_of(sentence, taken), name_of(sentence, taken)] == [name, f"{name}-2"]


@pytest.mark.parametrize(
    "words",
    [
        "{} pieces",
        "It is 12{}",
        "{}0 pieces",
        "21 22 23 24 25 26 27 28 29 30 31 32 33 or {}",
        "1, 2, 3, 4, 5, 6, 7 and 8 of {}",
    ],
)
def test_answers(branch: Branch, stored: StoredTask, words: str) -> None:
    left = str(Player(stored.task).task.reference.answer)
    assert "left" in left
    value = next(item for item in judge(branch, stored.criteria) if item.criterion.kind == "answer").actual.split()[0]
    branch.answer(words.format(value))
    assert failing(branch, stored) == (
        set() if words in ("{} pieces", "1, 2, 3, 4, 5, 6, 7 and 8 of {}") else {"answer"}
    )


def test_one_slip_costs_one_criterion(stored: StoredTask) -> None:
    """The note about the reservation says nothing of what is left; the message about the note is still right."""
    calls = [
        call.model_copy(update={"arguments": _without_left(call.arguments)}) if call.tool != "send_message" else call
        for call in stored.task.reference.calls
    ]
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    for call in calls:
        player.keep(call, branch.call(call.service, call.tool, player.arguments(call)).observation)
    branch.answer(player.answer())
    found = failing(branch, stored)
    branch.delete()
    assert only(found, WRITTEN)


def _without_left(value: object) -> object:
    if isinstance(value, dict):
        if "$text" in value and "left" in value:
            return {"$text": "Reservation {id}.", "id": value["id"]}
        return {name: _without_left(item) for name, item in value.items()}
    return [_without_left(item) for item in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def entered(world: World) -> StoredTask:
    """One that writes into a new event and tells it in chat."""
    drafts = plans(5, None, ["held-stock"])
    wanted = {"log": "calendar", "report": "chat"}
    return put(world, write(world, next(plan for plan in drafts if wanted.items() <= plan.roles.items())))


def test_a_value_may_stand_in_any_text_of_a_record(entered: StoredTask) -> None:
    def moved(call: ReferenceCall, given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        if call.tool != "create_event":
            return None
        return [(call.tool, given | {"description": "", "location": given["description"]})]

    def dropped(call: ReferenceCall, given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        return [(call.tool, given | {"description": ""})] if call.tool == "create_event" else None

    assert failing_when(entered, moved) == set()
    assert only(failing_when(entered, dropped), WRITTEN)


def test_a_mention_comes_with_a_message(entered: StoredTask) -> None:
    def mentioning(call: ReferenceCall, given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        if call.tool != "post_message":
            return None
        return [(call.tool, given | {"text": f"@luis.herrera {given['text']}"})]

    assert failing_when(entered, mentioning) == set()
