"""The retail service against recordings of the real system, where a folder of them is at hand.

``COMPOWORLD_CASES`` names the folder that has them in ``retail/``.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, event, insert, select, text
from sqlalchemy.orm import Session

from engine.errors import EntityInvalid, ToolError
from engine.kit import Context, Entity, Seed, jsonable
from services.retail import service
from services.retail.conformance import Call, Cases, Document, read_cases, run
from services.retail.dataset import read_state, rows_from_state, state_from_rows

FOLDER = Path(os.environ.get("COMPOWORLD_CASES") or Path(__file__).parents[3] / "shared" / "cases") / "retail"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "transcripts.jsonl").is_file(), reason=f"no recordings in {FOLDER} (set COMPOWORLD_CASES)"
)

SCHEMA = f"retail_cases_{os.getpid()}"


@pytest.fixture(scope="module")
def cases() -> Cases:
    return read_cases(FOLDER)


@pytest.fixture(scope="module")
def loaded(cases: Cases) -> Iterator[Connection]:
    """A connection whose open transaction has the initial state in plain tables; nothing is committed."""
    engine = create_engine(os.environ["SCRATCH_URL"])
    with engine.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {SCHEMA}; SET LOCAL search_path = {SCHEMA}"))
        rows: defaultdict[type[Entity], list[dict[str, Any]]] = defaultdict(list)
        for row in rows_from_state(cases.state):
            rows[type(row)].append(row.check().values())
        for entity in service.entities:
            entity.table().create(connection)
            if rows[entity]:
                connection.execute(insert(entity.table()), rows[entity])
        connection.execute(text("ANALYZE"))
        yield connection
        connection.rollback()
    engine.dispose()


@pytest.fixture(scope="module")
def fresh(loaded: Connection) -> Callable[[], Any]:
    """Opens the initial state for one transcript: a savepoint, rolled back afterwards."""

    @contextmanager
    def world() -> Iterator[tuple[Call, Document]]:
        savepoint = loaded.begin_nested()
        numbers = iter(range(1, 1_000_000))

        def call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
            return call_tool(loaded, next(numbers), tool, arguments)

        def document() -> dict[str, Any]:
            return read_state(lambda entity: loaded.execute(select(entity.table())))

        try:
            yield call, document
        finally:
            savepoint.rollback()

    return world


def call_tool(connection: Connection, number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One call inside the open transaction; a refused one leaves nothing behind."""
    bound = service.tools[tool]
    seed = Seed(service.name)
    with Session(connection, join_transaction_mode="create_savepoint") as session:
        wrote: list[Any] = []

        @event.listens_for(session, "before_flush")
        def check(session: Session, *_: Any) -> None:
            changed = [*session.new, *(row for row in session.dirty if session.is_modified(row))]
            wrote.extend([*changed, *session.deleted])
            for row in changed:
                row.check()

        context = Context(seed.user, session, seed.start + number * timedelta(minutes=1), f"case/{number}")
        try:
            data = jsonable(bound.function(context, **bound.typed(arguments)))
            session.commit()
        except (ToolError, EntityInvalid) as error:
            session.rollback()
            return {"ok": False, "error": {"message": getattr(error, "message", str(error))}}
        assert not (bound.specification.read_only and wrote), f"{tool} is read-only but writes"
        return {"ok": True, "data": data}


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
            key: (item["type"], (item.get("items") or {}).get("type"))
            for key, item in schema["properties"].items()
        }
        return name, types, schema.get("required", []), annotations

    ours = [
        (item.name, item.specification.input_schema, item.specification.annotations)
        for item in service.tools.values()
    ]
    theirs = [(item["name"], item["inputSchema"], item["annotations"]) for item in recorded]
    assert [shape(*item) for item in ours] == [shape(*item) for item in theirs]
