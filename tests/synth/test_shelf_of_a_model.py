"""A service that a model wrote, on the shelf: its code stays in its sandbox, in compositions and in rollouts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from compoworld.world import World
from engine.database import Database
from engine.verifiers import Criterion
from rl import run_group
from rl.agents import ReferenceAgent
from synth.attack.report import AttackReport, ToolVerdict
from synth.attack.store import put_attack
from synth.builds import keep_build
from synth.built import files_digest
from synth.ingest.store import put as put_specs
from synth.shelf import Shelf
from synth.specs import ServerSpec
from tasks import parse_task, put
from tests.conftest import fresh_database
from tests.synth.desk import census
from tests.synth.sandbox.conftest import sandboxed

__all__ = ["sandboxed"]

AGENT = Path(__file__).parent / "agent"
NAME = "meeting_rooms"
SIMULATED, HELD = "suggest_agenda", "find_rooms"
BOOKED = "SELECT count(*) = 1 AS passed FROM meeting_rooms_booking WHERE title LIKE 'Talk with %'"
TASK = f"""
name: a-talk
title: A talk
instruction: Book the room of the first booking for a talk on March 9, from 10 to 11.
services: [meeting_rooms, contacts]
walk: [contacts, meeting_rooms, contacts, meeting_rooms, contacts, meeting_rooms, contacts]
reference:
  calls:
    - {{service: contacts, tool: list_companies, arguments: {{}}, save: companies}}
    - {{service: meeting_rooms, tool: list_bookings, arguments: {{}}, save: bookings}}
    - {{service: contacts, tool: list_companies, arguments: {{}}, save: second}}
    - service: meeting_rooms
      tool: book_room
      arguments:
        room_id: {{$from: bookings, path: data.items.0.room_id}}
        title: {{$text: "Talk with {{name}}", name: {{$from: companies, path: data.items.0.name}}}}
        start: "2026-04-09T10:00:00Z"
        end: "2026-04-09T11:00:00Z"
      save: booking
    - {{service: contacts, tool: list_companies, arguments: {{}}, save: third}}
    - service: meeting_rooms
      tool: get_booking
      arguments: {{booking_id: {{$from: booking, path: data.id}}}}
      save: seen
    - {{service: contacts, tool: list_companies, arguments: {{}}, save: fourth}}
  answer: Done.
criteria:
  - name: booked
    kind: state
    description: A room is booked for the talk.
    sql: {BOOKED}
"""


def recorded(spec: ServerSpec) -> dict[str, str]:
    """The files that the model of the recording ended with."""
    recording = json.loads((AGENT / "recordings" / f"{NAME}.json").read_text(encoding="utf-8"))
    files = {"tools.json": json.dumps({"tools": [tool.as_mcp() for tool in spec.tools]})}
    for exchange in recording["exchanges"]:
        for block in exchange["answered"]:
            if isinstance(block, dict) and block.get("name") == "write_file":
                files[block["input"]["path"]] = block["input"]["content"]
    return files


@pytest.fixture(scope="module")
def url(server_url: str, sandboxed: None) -> Iterator[str]:
    """A database with the recorded build in place; one of its tools is in quarantine."""
    spec = ServerSpec.model_validate_json((AGENT / "specs" / f"{NAME}.json").read_text(encoding="utf-8"))
    files = recorded(spec)
    names = [tool.name for tool in spec.tools]
    with fresh_database(server_url) as made:
        with closing(Database(made).open()) as database:
            (stored,) = put_specs(database, [spec])
            build = keep_build(
                database,
                spec_id=stored.id,
                spec_digest=stored.digest,
                builder="model",
                version="1",
                files=files,
                tools={name: ("world_model" if name == SIMULATED else "code", "said so") for name in names},
                entities=2,
                seconds=1.0,
            )
            verdicts = tuple(
                ToolVerdict(name, "quarantined" if name == HELD else "verified", "said so", (), 1)
                for name in names
                if name != SIMULATED
            )
            put_attack(database, AttackReport(NAME, files_digest(files), 0, verdicts, 9, 1.0), build)
        yield made


@pytest.fixture
def world(url: str) -> Iterator[World]:
    database = Database(url).open()
    with World(database, Shelf(database)) as opened:
        yield opened
    # Its sandboxes went with it.
    with closing(Database(url).open()) as looked:
        assert census(looked)["roles"] == 0


def test_its_code_is_not_in_this_process(world: World) -> None:
    service = world.library.get(NAME)
    assert service.runner is not None
    assert service.simulated == {SIMULATED} and set(service.withheld) == {HELD}
    assert HELD not in service.offered(True) and "book_room" in service.offered(True)
    assert not [name for name in sys.modules if NAME in name]
    with world.database.transaction() as connection:
        rows = connection.execute(text("SELECT tool, status FROM compoworld.tool_status ORDER BY ordinal")).all()
    status = {row.tool: row.status for row in rows}
    assert (status[SIMULATED], status[HELD], status["book_room"]) == ("simulated", "quarantined", "verified")


def test_in_a_composition(world: World) -> None:
    branch = world.compose(NAME, "contacts").snapshot().fork()
    company = branch.call("contacts", "list_companies").data["items"][0]["name"]
    room = branch.call(NAME, "list_bookings").data["items"][0]["room_id"]
    given = {"room_id": room, "start": "2026-04-09T10:00:00Z", "end": "2026-04-09T11:00:00Z"}
    booked = branch.call(NAME, "book_room", title=f"Talk with {company}", **given)
    assert booked.ok and booked.changes >= 1
    assert branch.call(NAME, "book_room", title="Another", **given).outcome == "error"
    for tool in (HELD, SIMULATED):
        assert branch.call(NAME, tool).outcome == "unknown"
    assert branch.replay().same
    assert branch.verify([Criterion("booked", "state", "Booked", BOOKED)])[0].passed


def test_in_rollouts(world: World) -> None:
    report = run_group(world, put(world, parse_task(TASK)), ReferenceAgent(), size=3)
    assert report.finished
    assert [item.success for item in report.rollouts] == [True] * 3, report
    branch = report.rollouts[0].branch
    assert branch is not None and world.branch(branch).replay().same
