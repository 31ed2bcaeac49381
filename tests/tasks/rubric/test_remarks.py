"""What a derived rubric leaves free beside what was asked for: a word on a step, another name, lines of an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.verifiers import judge
from engine.world import World
from tasks import ReferenceCall
from tasks.admission import equivalent
from tasks.admission.ground import Ground
from tasks.authoring import plans, write
from tasks.player import Player
from tasks.store import StoredTask, put
from tests.tasks.rubric.test_derive import failing_when

WORD = "a word given where a step takes one"


@pytest.fixture(scope="module")
def drafted(world: World) -> Callable[[str], StoredTask]:
    """The first task of a family, stored."""
    made: dict[str, StoredTask] = {}

    def first(family: str) -> StoredTask:
        if family not in made:
            made[family] = put(world, write(world, next(iter(plans(5, None, [family])))))
        return made[family]

    return first


def given(tool: str, **more: Any) -> Callable[[ReferenceCall, dict[str, Any]], list[tuple[str, dict[str, Any]]] | None]:
    """A change of the reference: one of its calls with other arguments."""
    return lambda call, arguments: [(tool, arguments | more)] if call.tool == tool else None


@pytest.mark.parametrize(
    ("family", "tool", "argument"),
    [
        ("better-offer", "update_offer_status", "note"),
        ("after-the-fault", "set_ticket_status", "reason"),
    ],
)
def test_a_word_on_a_step_is_free(drafted: Callable[[str], StoredTask], family: str, tool: str, argument: str) -> None:
    assert failing_when(drafted(family), given(tool, **{argument: "As agreed."})) == set()


def test_a_guard_against_words_on_steps_is_refused(world: World, drafted: Callable[[str], StoredTask]) -> None:
    stored = drafted("better-offer")
    strict = [item.model_copy(update={"sql": item.sql.replace("answer_note,", "")}) for item in stored.task.criteria]
    assert strict != stored.task.criteria
    found = []
    for task in (stored, put(world, stored.task.model_copy(update={"criteria": strict}))):
        with Ground.of(world, task) as ground:
            rows = equivalent.examine(ground).detail["variants"]
            found.append(next(row["failed"] for row in rows if row["variant"] == WORD))
    assert found == [[], ["nothing-else"]]


def test_what_is_changed_is_named(drafted: Callable[[str], StoredTask]) -> None:
    stored = drafted("order-for-a-moved-site")
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    player.play(branch)
    order = next(event.arguments for event in branch.events() if event.tool == "modify_pending_order_address")
    user = branch.call("retail", "get_order_details", {"order_id": order["order_id"]}).data["user_id"]
    place = {name: value for name, value in order.items() if name != "order_id"}
    assert branch.call("retail", "modify_user_address", {"user_id": user, **place}).ok
    check = next(item for item in judge(branch, stored.criteria) if item.criterion.name == "nothing-else")
    branch.delete()
    assert not check.passed
    assert f"update retail_user {user} (address1, address2, " in str(check.actual)


def test_an_address_may_stand_in_one_line(drafted: Callable[[str], StoredTask]) -> None:
    def one_line(call: ReferenceCall, to: dict[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        if call.tool != "modify_pending_order_address":
            return None
        return [(call.tool, to | {"address1": f"{to['address1']}, {to['address2']}", "address2": ""})]

    stored = drafted("order-for-a-moved-site")
    assert failing_when(stored, one_line) == set()
    assert len(failing_when(stored, given("modify_pending_order_address", address2="Gate 99"))) == 1


def test_two_rows_of_one_call_are_told_apart(drafted: Callable[[str], StoredTask]) -> None:
    paid = next(
        item.sql
        for item in drafted("order-for-a-moved-site").criteria
        if "retail_payment " in item.sql and item.kind == "state"
    )
    assert "t.transaction_type = 'payment'" in paid
    assert "t.transaction_type = 'refund'" in paid


def test_a_new_record_may_be_told_by_its_number_or_its_identifier(drafted: Callable[[str], StoredTask]) -> None:
    stored = drafted("paid-twice")
    branch = stored.snapshot.fork()
    player = Player(stored.task)
    player.play(branch)
    row = next(
        change.after for event in branch.events() for change in event.changes if change.table == "banking_transfer"
    )
    assert row is not None
    said = str(player.answer())
    failed = []
    for words in (said, said.replace(row["number"], row["id"]), said.replace(row["number"], "it")):
        branch.answer(words)
        failed.append([item.criterion.name for item in judge(branch, stored.criteria) if not item.passed])
    branch.delete()
    assert failed == [[], [], ["answer"]]
