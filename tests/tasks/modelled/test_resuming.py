"""Runs of the author that were interrupted, or whose budget ended."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from engine.errors import Refused
from engine.world import World
from synth.dialogue.budget import Budget
from synth.errors import ModelUnavailable
from synth.models import Prices
from tasks.modelled import resume_author
from tasks.modelled.store import working_on
from tests.rl.messages_api import Api
from tests.tasks.modelled.script import (
    LOST,
    WHOLE,
    Gatekeeper,
    author,
    last,
    script,
    told,
)


@pytest.mark.parametrize("after", range(len(WHOLE)))
def test_an_interrupted_run_goes_on(world: World, after: int) -> None:
    answers = script(*WHOLE)
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        author(world, Api(*answers[:after], LOST))
    number, status, turns, detail = last(world, "id, status, turns, detail")
    assert (status, turns) == ("running", after)
    assert f"resume run {number} of the author" in detail
    api, gate = Api(*answers[after:]), Gatekeeper()
    result = resume_author(world, number, client=api.client(), gate=gate)
    assert (result.status, result.turns, len(api.requests)) == ("admitted", 5, 5 - after)
    whole = Api(*answers)
    author(world, whole)
    assert api.requests == whole.requests[after:]


def test_an_interruption_while_tools_are_used(world: World) -> None:
    answers = script(*WHOLE)
    with pytest.raises(ModelUnavailable):
        author(world, Api(*answers[:3], LOST))
    (number,) = last(world, "id")
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "DELETE FROM compoworld.task_authoring_turn WHERE task_authoring_id = :id AND ordinal ="
                " (SELECT max(ordinal) FROM compoworld.task_authoring_turn WHERE task_authoring_id = :id)"
            ),
            {"id": number},
        )
    api = Api(*answers[3:])
    assert resume_author(world, number, client=api.client(), gate=Gatekeeper()).status == "admitted"
    assert [wrong for wrong, _ in told(api, 0)] == [False] * 9


def test_refusals_are_not_asked_again(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        author(world, Api(*script(*WHOLE), LOST), Gatekeeper(refusals=1))
    (number,) = last(world, "id")
    gate = Gatekeeper()
    result = resume_author(world, number, client=Api(*script([("submit", {})])).client(), gate=gate)
    assert (result.status, result.attempts, len(gate.seen)) == ("admitted", 2, 1)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(turns=2), "2 turns"),
        (Budget(tokens=30), "30 tokens"),
        (Budget(cost_usd=0.02, prices=Prices.usual(1000, 1000)), "0.02 US dollars"),
    ],
)
def test_a_budget_ends_and_can_be_raised(world: World, budget: Budget, said: str) -> None:
    answers = script(*WHOLE)
    result = author(world, Api(*answers), budget=budget)
    assert (result.status, result.turns) == ("stopped", 2)
    assert result.detail == f"the budget of {said} is used up"
    assert last(world, "status, detail") == ("stopped", result.detail)
    api = Api(*answers[2:])
    again = resume_author(world, result.run, client=api.client(), gate=Gatekeeper())
    assert (again.status, again.turns) == ("admitted", 5)


def test_what_has_ended_is_told_again(world: World) -> None:
    first = author(world, Api(*script(*WHOLE)))
    assert resume_author(world, first.run, client=Api(LOST).client()) == first


def test_two_at_one_run(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        author(world, Api(LOST))
    (number,) = last(world, "id")
    with working_on(world.database, number), pytest.raises(Refused, match="another process works on run"):
        resume_author(world, number, client=Api(LOST).client())


def test_services_that_have_changed(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        author(world, Api(LOST))
    with world.database.transaction() as connection:
        connection.execute(text("UPDATE compoworld.task_authoring SET composition_id = composition_id + 1000"))
    (number,) = last(world, "id")
    with pytest.raises(Refused, match="has changed since"):
        resume_author(world, number, client=Api(LOST).client())
