"""A recorded rollout of a library task against a model's stand-in, served again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.world import World
from rl import run_group
from tasks import named
from tests.rl.messages_api import Api, says

RECORDING = json.loads((Path(__file__).parent / "recordings" / "settle-brightwater-dispute.json").read_text())


def test_it_plays_again(world: World) -> None:
    exchanges: list[dict[str, Any]] = RECORDING["exchanges"]
    api = Api(*(says(*item["answered"]) for item in exchanges))
    report = run_group(world, named("settle-brightwater-dispute"), api.agent(), size=1)
    rollout = report.rollouts[0]
    assert (rollout.status, rollout.stop_reason) == ("finished", "answered"), rollout.error
    assert rollout.success, [item for item in rollout.checks if not item.passed]
    assert len(api.requests) == len(exchanges)
    for request, exchange in zip(api.requests, exchanges, strict=True):
        sent = request["messages"][-1]["content"]
        for block, recorded in zip(sent, exchange["sent"], strict=True):
            assert block["type"] == recorded["type"]
            assert block.get("tool_use_id") == recorded.get("tool_use_id")
            assert block.get("is_error") == recorded.get("is_error")
    events = world.branch(rollout.branch or 0).events()
    assert [event.outcome for event in events].count("ok") == len(events) - 1
