"""Tasks that a model's stand-in wrote over the real services, written again from the recording, past the real gate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.database import Database
from engine.world import World
from tasks import load
from tasks.admission import CHECKS, evidence_of
from tasks.modelled import Commission, author_task
from tests.conftest import fresh_database
from tests.rl.messages_api import Api, says

RECORDINGS = sorted((Path(__file__).parent / "recordings").iterdir())


@pytest.fixture(scope="module")
def real(server_url: str) -> Iterator[World]:
    """A database of its own: what was admitted before counts."""
    with fresh_database(server_url) as url, closing(World(Database(url).open())) as opened:
        yield opened


@pytest.mark.parametrize("folder", RECORDINGS, ids=lambda folder: str(folder.name))
def test_it_is_written_again(real: World, folder: Path) -> None:
    recording: dict[str, Any] = json.loads((folder / "conversation.json").read_text(encoding="utf-8"))
    commission = Commission(
        tuple(recording["services"]), tuple(recording["walk"]), tuple(recording["distractors"]), recording["seed"]
    )
    api = Api(*(says(*blocks) for blocks in recording["answered"]))
    result = author_task(real, commission, recording["model"], client=api.client())
    failed = [
        [block["is_error"] for block in request["messages"][-1]["content"] if block["type"] == "tool_result"]
        for request in api.requests[1:]
    ]
    assert failed == recording["failed"]
    assert (result.status, result.turns) == ("admitted", len(recording["answered"])), result.detail
    assert result.task is not None
    task = load(real, result.task).task
    assert task.walk == recording["walk"]
    assert task.origin is not None and task.origin.model == recording["model"]
    evidence = evidence_of(real, result.task)
    assert [(item.check, item.passed) for item in evidence] == [(name, True) for name in CHECKS]
