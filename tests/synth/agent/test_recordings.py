"""Two recorded builds against a model's stand-in, served again, and the services attacked in their sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.world import World
from synth.agent.build import build_with_model
from synth.attack.attack import attack
from synth.sandbox.target import SandboxTarget
from synth.specs import ServerSpec
from tests.rl.messages_api import Api, says
from tests.synth.sandbox.conftest import left_behind

HERE = Path(__file__).parent
LEFT_TO_THE_WORLD_MODEL = {"parcel_lockers": set(), "meeting_rooms": {"suggest_agenda"}}
VERIFIED = {
    "parcel_lockers": {"list_lockers", "deposit_parcel"},
    "meeting_rooms": {"book_room", "get_booking", "list_bookings", "cancel_booking"},
}


@pytest.mark.parametrize("name", ["parcel_lockers", "meeting_rooms"])
def test_it_plays_again(world: World, name: str) -> None:
    recording = json.loads((HERE / "recordings" / f"{name}.json").read_text(encoding="utf-8"))
    spec = ServerSpec.model_validate_json((HERE / "specs" / f"{name}.json").read_text(encoding="utf-8"))
    exchanges: list[dict[str, Any]] = recording["exchanges"]
    api = Api(*(says(*item["answered"]) for item in exchanges))
    result = build_with_model(world, spec, recording["model"], client=api.client())
    assert result.status == "built", result.detail
    assert len(api.requests) == len(exchanges)
    for request, exchange in zip(api.requests, exchanges, strict=True):
        sent = request["messages"][-1]["content"]
        for block, recorded in zip(sent, exchange["sent"], strict=True):
            assert block["type"] == recorded["type"]
            assert block.get("tool_use_id") == recorded.get("tool_use_id")
            assert block.get("is_error") == recorded.get("is_error")
    # The first try of each was wrong: tests said so, and it was repaired.
    assert any(block.get("is_error") for item in exchanges for block in item["sent"])
    left = {tool for tool, (made_as, _) in result.tools.items() if made_as == "world_model"}
    assert left == LEFT_TO_THE_WORLD_MODEL[name]
    with SandboxTarget(world, name, result.files) as target:
        report = attack(target, seed=0, version=target.version)
    verdicts = {item.tool: item.verdict for item in report.tools}
    assert set(verdicts) == {tool.name for tool in spec.tools} - left
    assert {tool for tool, verdict in verdicts.items() if verdict == "verified"} >= VERIFIED[name], report
    assert left_behind(world) == []
