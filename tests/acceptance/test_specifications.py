"""Specifications of others, from the file to verified tools, without a model. ``compoworld synth`` does it for all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Program
from tests.conftest import fresh_database

PATH = Path(os.environ.get("COMPOWORLD_SPECS") or Path(__file__).parents[3] / "shared" / "specs" / "mcp_specs.jsonl")

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(not PATH.is_file(), reason="the collection is not here: COMPOWORLD_SPECS names it"),
]


@pytest.fixture
def program(server_url: str) -> Iterator[Program]:
    with fresh_database(server_url) as url:
        yield Program(url)


def smallest(count: int, least: int) -> list[dict[str, Any]]:
    """The smallest servers that are given as applications, of those with so many tools at least."""
    with PATH.open(encoding="utf-8") as lines:
        servers = [json.loads(line) for line in lines if line.strip()]
    fitting = [item for item in servers if item.get("class") == "app" and len(item["tools"]) >= least]
    return sorted(fitting, key=lambda item: (len(item["tools"]), json.dumps(item)))[:count]


def test_ten_small_applications(program: Program, tmp_path: Path) -> None:
    chosen = smallest(10, 5)
    assert len(chosen) == 10
    file = tmp_path / "ten.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in chosen), encoding="utf-8")
    assert program.json("synth", "ingest", str(file))["applications"] == 10
    built = program.json("synth", "build")
    assert built["built"] >= 8, built["failures"]
    attacked = program.json("synth", "attack", "--jobs", "1")
    assert attacked["failed"] == 0
    figures = program.json("synth", "report")
    statuses = ("verified", "simulated", "quarantined", "refused", "unbuilt", "unattacked")
    assert sum(figures[status] for status in statuses) == figures["tools"] == sum(len(item["tools"]) for item in chosen)
    assert figures["verified"] >= 0.6 * figures["tools"], figures
    # Each of the rest has its reason; each verified tool is there.
    offered = {item["service"]: item["tools"] for item in program.json("services", "list")}
    for item in program.json("synth", "report", "--tools")["services"]:
        assert all(tool["reason"] for tool in item["by_tool"])
        if item["builder"]:
            assert offered[item["service"]] == item["verified"] + item["simulated"]
