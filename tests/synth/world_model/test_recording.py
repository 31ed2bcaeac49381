"""A rollout in which a world model was played by hand, served again; then replayed with no model at all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from sqlalchemy import text

from engine.exchanges import read_exchanges
from rl import make_agent, run_group
from synth.world_model.model import AnthropicWorldModel
from tests.rl.messages_api import Api, says
from tests.synth.world_model.conftest import Desk
from tests.synth.world_model.desk import desk_task

RECORDING: dict[str, Any] = json.loads(
    (Path(__file__).parent / "recordings" / "answered-notes.json").read_text(encoding="utf-8")
)


def data(messages: list[dict[str, Any]]) -> list[Any]:
    """What stands in the fences of a question: state, specification, arguments."""
    found = re.findall(r"<(data-\w+)>\n(.*?)\n</\1>", messages[0]["content"][0]["text"], re.DOTALL)
    return [json.loads(item) for _, item in found]


def test_it_plays_again(desk: Desk) -> None:
    exchanges: list[dict[str, Any]] = RECORDING["exchanges"]
    api = Api(*(says(*item["answered"]) for item in exchanges))
    world = desk(AnthropicWorldModel("by-hand", client=api.client()))
    report = run_group(world, desk_task(), make_agent("reference"), size=1)
    rollout = report.rollouts[0]
    assert (rollout.status, rollout.answer) == ("finished", "It stands under people."), rollout.error
    assert rollout.success and rollout.reward is not None
    assert len(api.requests) == len(exchanges)
    for request, exchange in zip(api.requests, exchanges, strict=True):
        assert data(request["messages"]) == data(exchange["sent"])
        assert [item["role"] for item in request["messages"]] == [item["role"] for item in exchange["sent"]]

    branch = world.branch(rollout.branch or 0)
    events = branch.events()
    by_model = [item.seq for item in events if item.produced_by == "world_model"]
    assert by_model == [3, 5, 7]
    kept = read_exchanges(world.database, branch.id, 3)
    assert [bool(item["problems"]) for item in kept] == [True, False]
    assert kept[0]["request"]["messages"] == api.requests[0]["messages"]
    with world.database.transaction() as connection:
        shares = connection.execute(
            text("SELECT service, simulated, share FROM compoworld.world_model_tools ORDER BY service")
        ).all()
        rollouts = connection.execute(
            text("SELECT world_model, rollouts, touching, share, calls FROM compoworld.world_model_rollouts")
        ).one()
    assert [tuple(row) for row in shares] == [("notes", 2, 0.5), ("parcels", 0, 0.0)]
    assert tuple(rollouts) == ("by-hand", 1, 1, 1.0, 3)

    replayed = desk(None).branch(branch.id).replay()
    assert replayed.same, replayed.mismatch
    assert replayed.events == 7
    assert branch.replay().same
    assert len(api.requests) == len(exchanges)
