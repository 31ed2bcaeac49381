"""Steps on a branch and the same steps on plain tables with real constraints: the same rows, the same refusals."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, MetaData, create_engine, text
from sqlalchemy.orm import Session

from engine.database import sqlalchemy_url
from engine.errors import EntityInvalid, ToolError
from engine.kit import COLLEAGUES, Context
from engine.kit.seed import DEFAULT_START
from engine.world import World
from tests.conftest import fresh_database
from tests.engine.look import key_text, prompt, view_state
from tests.engine.shop.state import BY_TABLE, ENTITIES
from tests.engine.shop.tools import key_of, take
from tests.engine.steps import BROKEN, KEYS, MISTAKES, Step, random_steps

STATES = {"23505": "already exists", "23503": "reference", "23001": "reference", "23502": "missing"}


class Plain:
    """The shop in ordinary tables."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def empty(self) -> None:
        """No rows."""
        with self.engine.begin() as connection:
            connection.execute(text(f"TRUNCATE {', '.join(KEYS)} CASCADE"))

    def do(self, steps: list[Step]) -> str:
        """Do them in one transaction; ``ok`` or the kind of the refusal."""
        with Session(self.engine) as session:
            ctx = Context(COLLEAGUES[0], session, DEFAULT_START + timedelta(minutes=1), "plain")
            try:
                for step in steps:
                    if step["op"] in ("add", "set"):
                        _check(ctx, step)
                    take(ctx, step)
                session.commit()
            except Exception as error:
                session.rollback()
                return _kind(error)
        return "ok"

    def rows(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The state, as ``Branch.state``."""
        state = {}
        with self.engine.connect() as connection:
            connection.execute(text("SET timezone = 'UTC'"))
            for table, keys in KEYS.items():
                found = connection.execute(text(f"SELECT to_jsonb(t) FROM {table} t")).scalars()
                made = {key_text(row, list(keys)): row for row in found}
                if made:
                    state[table] = made
        return state


def _check(ctx: Context, step: Step) -> None:
    """What the entity itself refuses is refused alike: the plain session has no validation."""
    broken = {}
    for name, value in step["values"].items():
        bad = BROKEN.get((step["table"], name), [])
        if value in bad and type(value) in map(type, bad):
            broken[name] = value
    if broken:
        if step["op"] == "set":
            entity = BY_TABLE[step["table"]]
            ctx.require(entity, *key_of(entity, step["key"]))
        mistake = any(value in MISTAKES and type(value) in map(type, MISTAKES) for value in broken.values())
        raise EntityInvalid(step["table"], dict.fromkeys(broken, "broken"), mistake=mistake)


def _kind(error: Exception) -> str:
    if isinstance(error, ToolError):
        return error.code
    if isinstance(error, EntityInvalid):
        return "fault" if error.mistake else "invalid"
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return STATES.get(str(state), f"fault {error!r}"[:300] if not isinstance(error, RuntimeError) else "fault")


@pytest.fixture(scope="module")
def plain(server_url: str) -> Iterator[Plain]:
    with fresh_database(server_url) as url:
        engine = create_engine(sqlalchemy_url(url))
        metadata = MetaData()
        for entity in ENTITIES:
            entity.table().to_metadata(metadata)
        metadata.create_all(engine)
        yield Plain(engine)
        engine.dispose()


@pytest.mark.parametrize("seed", range(6))
def test_a_branch_keeps_the_rules_of_plain_tables(shared: World, plain: Plain, seed: int) -> None:
    random = Random(seed)
    branch = shared.compose("shop").snapshot([]).fork()
    plain.empty()
    state: dict[str, Any] = {}
    for number in range(60):
        steps = random_steps(random, state)
        result = branch.call("shop", "apply", steps=steps)
        expected = plain.do(steps)
        error = result.error or {}
        got = error.get("details", {}).get("kind") or error.get("code") or "ok"
        got = {"out of range": "invalid"}.get(got, got)
        if result.outcome == "fault":
            got = "fault"
        assert got == expected, f"{number}: {result}\nof {steps}"
        state = plain.rows()
        assert branch.state() == state, f"after {steps}"
    with prompt(shared) as connection:
        assert view_state(connection, branch.id) == state
    assert branch.replay().same
