"""What the tests look at a branch with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from engine.branches import Branch
from engine.states import State
from engine.world import World


@contextmanager
def prompt(world: World) -> Iterator[psycopg.Connection[Any]]:
    """A connection as a person at a SQL prompt has it."""
    with psycopg.connect(world.database.url, autocommit=True) as connection:
        yield connection


def view_state(connection: psycopg.Connection[Any], number: int, at: int | None = None) -> State:
    """The state of a branch or snapshot as the views show it to a person, who leaves it again."""
    connection.execute("SELECT compoworld.use_branch(%s::bigint, %s::int)", (number, at))
    state: State = {}
    tables = connection.execute(
        "SELECT e.table_name, e.key_columns FROM compoworld.entity e JOIN compoworld.composition_service s"
        " USING (service_id) JOIN (SELECT id, composition_id FROM compoworld.branch"
        " UNION SELECT id, composition_id FROM compoworld.snapshot) b USING (composition_id) WHERE b.id = %s",
        (number,),
    ).fetchall()
    for table, keys in tables:
        rows = connection.execute(f'SELECT to_jsonb(v) FROM "{table}" v').fetchall()
        made = {key_text(row, keys): row for (row,) in rows}
        assert len(made) == len(rows), f"{table} shows a key twice"
        if made:
            state[table] = made
    leave(connection)
    return state


def leave(connection: psycopg.Connection[Any]) -> None:
    """What a pooler does between two users: forget every setting and lock."""
    connection.execute("RESET ALL")
    connection.execute("SELECT pg_advisory_unlock_all()")


def key_text(row: dict[str, Any], keys: list[str]) -> str:
    """A key as the log writes it."""
    if len(keys) == 1:
        return str(row[keys[0]])
    return json.dumps([row[name] for name in keys], ensure_ascii=False)


def check_consistent(branch: Branch, connection: psycopg.Connection[Any] | None = None) -> None:
    """The log has no gap, log and views agree, every image follows from the one before."""
    if connection is None:
        with prompt(branch.composition.world) as own:
            return check_consistent(branch, own)
    events = branch.events()
    assert [event.seq for event in events] == list(range(1, branch.head() + 1))
    state = branch.state(0)
    for event in events:
        if event.outcome != "ok":
            assert event.changes == ()
        for change in event.changes:
            rows = state.setdefault(change.table, {})
            assert rows.get(change.key) == change.before, change
            if change.after is None:
                del rows[change.key]
            else:
                rows[change.key] = change.after
    state = {table: rows for table, rows in state.items() if rows}
    assert state == branch.state()
    assert state == view_state(connection, branch.id)


def relations(world: World) -> int:
    """How many relations the database has."""
    with world.database.raw() as connection:
        found = connection.execute("SELECT count(*) FROM pg_class").fetchone()
    assert found
    return int(found[0])
