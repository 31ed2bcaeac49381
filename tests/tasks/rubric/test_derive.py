"""What a derived rubric accepts and what it does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.branches import Branch
from engine.verifiers import judge
from engine.world import World
from tasks import Task
from tasks.authoring import plans, write
from tasks.player import Player
from tasks.store import StoredTask, put

STOCK, WRITTEN, TOLD = "the-pieces-are-held-back-in-the", "it-is-written-down-which-reservation-it", "luis-is-told"


@pytest.fixture(scope="module")
def task(world: World) -> Task:
    """A drafted task whose message goes by mail."""
    drafts = plans(5, None, ["held-stock"])
    return write(world, next(plan for plan in drafts if plan.roles["report"] == "mail" and "chat" not in plan.services))


@pytest.fixture(scope="module")
def stored(world: World, task: Task) -> StoredTask:
    """The same, stored."""
    return put(world, task)


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
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    for call in stored.task.reference.calls:
        arguments = player.arguments(call)
        if call.tool == "send_message":
            assert branch.call("mail", "send_message", arguments | {"to": ["elena.sorokina@larkspur.example"]}).ok
            arguments |= {"body": "Please ask Elena."}
        player.keep(call, branch.call(call.service, call.tool, arguments).observation)
    branch.answer(player.answer())
    found = failing(branch, stored)
    branch.delete()
    assert {name for name in found if name.startswith(TOLD)} and "nothing-else" in found


@pytest.mark.parametrize("words", ["{} pieces", "It is 12{}", "{}0 pieces", "1 2 3 4 5 6 7 8 9 10 11 12 or {}"])
def test_answers(branch: Branch, stored: StoredTask, words: str) -> None:
    left = str(Player(stored.task).task.reference.answer)
    assert "left" in left
    value = next(item for item in judge(branch, stored.criteria) if item.criterion.kind == "answer").actual.split()[0]
    branch.answer(words.format(value))
    assert failing(branch, stored) == (set() if words == "{} pieces" else {"answer"})


def test_one_slip_costs_one_criterion(stored: StoredTask) -> None:
    """The note about the reservation says nothing of what is left; the message about the note is still right."""
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    for call in stored.task.reference.calls:
        changed = call
        if call == stored.task.reference.calls[-2]:
            changed = call.model_copy(update={"arguments": _without_left(call.arguments)})
        player.keep(call, branch.call(call.service, call.tool, player.arguments(changed)).observation)
    branch.answer(player.answer())
    found = failing(branch, stored)
    branch.delete()
    assert len(found) == 1 and next(iter(found)).startswith(WRITTEN)


def _without_left(value: object) -> object:
    if isinstance(value, dict):
        if "$text" in value and "left" in value:
            return {"$text": "Reservation {id}.", "id": value["id"]}
        return {name: _without_left(item) for name, item in value.items()}
    return [_without_left(item) for item in value] if isinstance(value, list) else value
