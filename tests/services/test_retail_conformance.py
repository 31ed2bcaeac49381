"""The retail service against recordings of the real system, where a folder of them is at hand.

``COMPOWORLD_CASES`` names the folder that has them in ``retail/``.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.kit import Entity
from engine.snapshots import Snapshot
from engine.world import World
from services.retail import service
from services.retail.conformance import Call, Cases, Document, read_cases, run
from services.retail.dataset import read_state, rows_from_state, state_from_rows

FOLDER = Path(os.environ.get("COMPOWORLD_CASES") or Path(__file__).parents[3] / "shared" / "cases") / "retail"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "transcripts.jsonl").is_file(), reason=f"no recordings in {FOLDER} (set COMPOWORLD_CASES)"
)


@pytest.fixture(scope="module")
def cases() -> Cases:
    return read_cases(FOLDER)


@pytest.fixture(scope="module")
def loaded(world: World, cases: Cases) -> Snapshot:
    """The initial state as a snapshot, loaded by COPY."""
    return world.compose("retail").snapshot(rows_from_state(cases.state), name="cases")


@pytest.fixture(scope="module")
def fresh(loaded: Snapshot) -> Callable[[], Any]:
    """Opens the initial state for one transcript: a fork."""
    initial = loaded.fork()
    unchanged = {entity: initial.rows(entity) for entity in service.entities}

    @contextmanager
    def opened() -> Iterator[tuple[Call, Document]]:
        branch = loaded.fork()

        def call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
            result = branch.call("retail", tool, arguments)
            assert result.outcome != "fault", result.detail
            return result.observation

        def document() -> dict[str, Any]:
            changed = {change.table for change in branch.diff()}
            return read_state(
                lambda entity: branch.rows(entity) if entity.table().name in changed else unchanged[entity]
            )

        yield call, document

    return opened


def test_the_state_survives_the_way_into_rows_and_back(cases: Cases) -> None:
    rows: defaultdict[type[Entity], list[Entity]] = defaultdict(list)
    for row in rows_from_state(cases.state):
        rows[type(row)].append(row)
    assert state_from_rows(rows) == cases.state


def test_every_recording_is_reproduced(cases: Cases, fresh: Callable[[], Any]) -> None:
    report = run(cases, fresh, key_order=True)
    shown = "\n".join(map(str, report.mismatches[:40]))
    assert report.ok, f"{len(report.mismatches)} mismatches\n{shown}"
    assert report.transcripts == len(cases.transcripts)


def test_the_specification_is_the_recorded_one() -> None:
    recorded = json.loads((FOLDER / "tools.json").read_text(encoding="utf-8"))["tools"]

    def shape(name: str, schema: dict[str, Any], annotations: dict[str, Any]) -> Any:
        types = {
            key: (item["type"], (item.get("items") or {}).get("type")) for key, item in schema["properties"].items()
        }
        return name, types, schema.get("required", []), annotations

    ours = [
        (item.name, item.specification.input_schema, item.specification.annotations) for item in service.tools.values()
    ]
    theirs = [(item["name"], item["inputSchema"], item["annotations"]) for item in recorded]
    assert [shape(*item) for item in ours] == [shape(*item) for item in theirs]
