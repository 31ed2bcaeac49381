"""Generated code at the database: two walls, each tried by itself, and nothing but the call that was ordered."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from engine.calls import CallResult
from engine.database import Database
from engine.errors import NotFound
from engine.world import World
from synth.errors import SandboxUnavailable
from synth.sandbox.box import Box
from synth.sandbox.role import Role, sweep
from synth.sandbox.statements import refusal
from tests.conftest import fresh_database
from tests.synth.sandbox import notebook
from tests.synth.sandbox.conftest import LIMITS, left_behind

Probe = Callable[..., CallResult]

INSIDE = """
import psycopg
connection = psycopg.connect("postgresql://{user}@/postgres?host=/box/db&sslmode=disable", autocommit=True)
return str(connection.execute({statement!r}).fetchall())[:500]
"""

HOSTILE = [
    "DROP TABLE comp_1.notebook_note__rows",
    "DROP VIEW notebook_note",
    "TRUNCATE notebook_note",
    "ALTER VIEW notebook_note OWNER TO CURRENT_USER",
    "CREATE TABLE x (y int)",
    "CREATE SCHEMA x",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "SELECT * FROM compoworld.branch",
    "SELECT * FROM compoworld.sandbox_call",
    "UPDATE compoworld.sandbox_call SET read_only = false",
    "SELECT compoworld.order_call(current_user, 1, 'probe', '{}', false)",
    "SELECT compoworld.use_branch(1)",
    "SELECT compoworld.log_change(1, 1, 'notebook_note', 'x', 'insert', NULL, '{}')",
    "SELECT compoworld.sandboxed_change(1, 1, 'notebook_note', 'x', 'insert', NULL, '{}')",
    "INSERT INTO compoworld.event VALUES (1, 9)",
    "SELECT rolpassword FROM pg_authid",
    "SELECT pg_read_file('/etc/passwd')",
    "COPY notebook_note TO PROGRAM 'id'",
    "COPY (SELECT 1) TO '/tmp/x'",
    "CREATE EXTENSION dblink",
    "ALTER SYSTEM SET fsync = off",
    "SET ROLE compoworld",
    "SET SESSION AUTHORIZATION compoworld",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "CREATE ROLE x",
    "SELECT * FROM compoworld_here.events",
]
"""What the role alone must refuse."""

ASTRAY = [
    "SELECT relname FROM pg_class",
    "SELECT relname FROM pg_catalog.pg_class",
    'SELECT relname FROM "pg_class"',
    "SELECT usename FROM pg_stat_activity",
    "SELECT * FROM information_schema.tables",
    "SELECT set_config('compoworld.branch', '1', false)",
    "SELECT \"set_config\"('compoworld.branch', '1', false)",
    "SELECT set_config/**/('compoworld.branch', '1', false)",
    "SELECT U&\"\\0073et_config\"('compoworld.branch', '1', false)",
    "SET compoworld.branch = '1'",
    "SET statement_timeout = 0",
    "RESET ALL",
    "SELECT pg_sleep(1000)",
    "SELECT pg_advisory_lock(7202, 1)",
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT E'\\' , pg_sleep(1)'",
    "SELECT '\\', pg_sleep(1), '\\'",
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT * FROM ts_stat('SELECT NULL::tsvector')",
    "CREATE TEMP TABLE x (y int)",
    "SELECT 1 INTO TEMP x",
    "WITH x AS (SELECT 1) SELECT * INTO y FROM x",
    "NOTIFY x",
    "LISTEN x",
    "LOCK TABLE notebook_note",
    "DO $$ BEGIN PERFORM pg_sleep(1); END $$",
    "SELECT $$x$$",
    "SELECT 1; SELECT pg_sleep(1)",
    "PREPARE x AS SELECT 1",
    "SELECT 'pg_class'::regclass",
    "SELECT compoworld_door.branch()",
    "SELECT * FROM comp_1.notebook_note__rows",
    "DISCARD ALL",
    "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
    "BEGIN; COMMIT",
    "VACUUM",
]
"""What any role may do, and generated code may not."""


@pytest.fixture
def opened(box: Callable[..., Box]) -> Box:
    made = box()
    made.snapshot()
    return made


def role_of(box: Box) -> Role:
    assert box._state.role is not None
    return box._state.role


@pytest.mark.parametrize("statement", [*HOSTILE, *ASTRAY])
def test_no_such_statement_leaves_the_sandbox(statement: str) -> None:
    assert refusal(statement) is not None


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT notebook_note.id FROM notebook_note WHERE notebook_note.title ILIKE $1 ESCAPE '/'",
        'INSERT INTO notebook_note (id, "user", query, e) VALUES ($1::VARCHAR, $2::JSONB, $3, $4)',
        "WITH x AS (SELECT 1) UPDATE notebook_note SET title = $1 FROM x",
        "SELECT e.id FROM notebook_note AS e WHERE e.tags @> $1 AND e.extra ->> 'lo' = 'pg_class'",
        "SAVEPOINT sa_savepoint_1",
        "ROLLBACK TO SAVEPOINT sa_savepoint_12",
        "DELETE FROM notebook_note WHERE id = $1",
    ],
)
def test_plain_statements_are_passed_on(statement: str) -> None:
    assert refusal(statement) is None


@pytest.mark.parametrize("statement", HOSTILE)
def test_the_role_alone_refuses(opened: Box, statement: str) -> None:
    """The first wall without the second: a connection in the sandbox's role, straight to the server."""
    with role_of(opened).login() as connection, pytest.raises(psycopg.Error) as refused:
        connection.execute(statement)
    assert refused.value.sqlstate in ("42501", "42P01", "3F000", "42809", "42704", "0LP01", "22023"), refused.value


def test_settings_name_no_branch(opened: Box) -> None:
    """Whatever a role may set, it changes neither what is seen nor what is written."""
    branch = opened.snapshot().fork()
    with role_of(opened).login() as connection:
        connection.execute("SELECT set_config('compoworld.branch', %s, false)", (str(branch.id),))
        connection.execute("SELECT set_config('compoworld.base', %s, false)", (str(branch.snapshot.id),))
        connection.execute(
            "SELECT set_config('compoworld.event', '1', false), set_config('compoworld.ordinal', '0', false)"
        )
        for statement in (
            "SELECT * FROM notebook_note",
            "DELETE FROM notebook_note",
            "INSERT INTO notebook_folder VALUES ('x', 'x')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="no call that was asked for"):
                connection.execute(statement)
    assert branch.diff() == []


class Doors:
    """The sandbox's role, straight at the doors."""

    BEGIN = "SELECT compoworld_door.begin_call(%s, false)"
    END = """
    SELECT compoworld_door.end_call(%s, 1, '1', 'mail', 'send', '{"forged": 1}', %s, %s, NULL, 'world_model', now(),
        '2999-01-01', 1e9, NULL)
    """

    def __init__(self, box: Box) -> None:
        self.role = role_of(box)
        self.connection = self.role.login()
        self.connection.autocommit = False

    def begin(self, branch: int) -> None:
        self.connection.execute(self.BEGIN, (branch,))

    def end(self, branch: int, outcome: str = "ok", observation: str = '{"ok": true}') -> None:
        self.connection.execute(self.END, (branch, observation, outcome))


@pytest.fixture
def doors(opened: Box) -> Iterator[Doors]:
    made = Doors(opened)
    yield made
    made.connection.close()


def test_a_call_that_nobody_ordered(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="no such call"):
        doors.begin(branch.id)


def test_a_call_on_another_branch_than_was_ordered(opened: Box, doors: Doors) -> None:
    snapshot = opened.snapshot()
    ordered, other = snapshot.fork(), snapshot.fork()
    doors.role.order(ordered.id, "probe", {}, False)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="no such call"):
        doors.begin(other.id)


def test_a_call_of_another_composition_cannot_be_ordered(opened: Box, doors: Doors, world: World) -> None:
    elsewhere = world.compose("contacts").snapshot().fork()
    try:
        with pytest.raises(NotFound, match="none of this sandbox"):
            doors.role.order(elsewhere.id, "probe", {}, False)
    finally:
        from synth.scratch import delete_scratch

        delete_scratch(world.database, elsewhere.composition.id)


def test_what_is_said_of_the_call_is_not_taken(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "probe", {"word": "true"}, False)
    doors.begin(branch.id)
    doors.end(branch.id)
    doors.connection.commit()
    (event,) = branch.events()
    assert (event.service, event.tool, event.arguments) == (notebook.NAME, "probe", {"word": "true"})
    assert event.produced_by == "code"
    assert event.duration_ms < 60_000
    assert event.started_at.year < 2999


def test_a_call_is_made_once(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "probe", {}, False)
    doors.begin(branch.id)
    doors.end(branch.id)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        doors.end(branch.id)
    doors.connection.rollback()
    doors.begin(branch.id)
    doors.end(branch.id)
    doors.connection.commit()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        doors.begin(branch.id)
    assert len(branch.events()) == 1


def test_rows_do_not_change_without_an_event(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "probe", {}, False)
    doors.begin(branch.id)
    doors.connection.execute("DELETE FROM notebook_note")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="begun and not ended"):
        doors.connection.commit()
    assert branch.diff() == []
    assert branch.events() == []


def test_rows_do_not_change_after_the_event(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "probe", {}, False)
    doors.begin(branch.id)
    doors.end(branch.id)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        doors.connection.execute("DELETE FROM notebook_note")


def test_a_call_that_failed_leaves_no_changes(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "probe", {}, False)
    doors.begin(branch.id)
    doors.connection.execute("DELETE FROM notebook_note")
    with pytest.raises(psycopg.Error, match="left changes"):
        doors.end(branch.id, "error")


def test_a_read_that_writes(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "get_note", {}, True)
    doors.begin(branch.id)
    doors.connection.execute("SELECT set_config('compoworld.read_only', 'off', true)")
    with pytest.raises(psycopg.Error, match="declared read-only"):
        doors.connection.execute("DELETE FROM notebook_note")


def test_it_writes_one_branch_only(opened: Box, doors: Doors) -> None:
    snapshot = opened.snapshot()
    ordered, other = snapshot.fork(), snapshot.fork()
    doors.role.order(ordered.id, "probe", {}, False)
    doors.begin(ordered.id)
    for name, value in (("branch", other.id), ("base", other.id), ("event", 7), ("ordinal", 99)):
        doors.connection.execute("SELECT set_config(%s, %s, true)", (f"compoworld.{name}", str(value)))
    doors.connection.execute("DELETE FROM notebook_note WHERE id = 'note_1'")
    doors.connection.execute("UPDATE notebook_note SET title = set_config('compoworld.branch', '1', true)")
    doors.end(ordered.id)
    doors.connection.commit()
    assert other.diff() == []
    assert [change.op for change in ordered.diff()] == ["delete", "update", "update"]
    assert [change.table for change in ordered.events()[0].changes] == ["notebook_note"] * 3


def test_an_observation_of_great_length(opened: Box, doors: Doors) -> None:
    branch = opened.snapshot().fork()
    doors.role.order(branch.id, "probe", {}, False)
    doors.begin(branch.id)
    with pytest.raises(psycopg.Error, match="4000000 characters"):
        doors.end(branch.id, observation='{"x": "' + "x" * 5_000_000 + '"}')


@pytest.mark.parametrize(
    "statement", ["DROP VIEW notebook_note", "SELECT relname FROM pg_class", "SELECT pg_sleep(60)"]
)
@pytest.mark.parametrize("user", ["sandbox", "compoworld", "postgres"])
def test_from_inside(probe: Probe, statement: str, user: str) -> None:
    result = probe(INSIDE.format(user=user, statement=statement))
    assert result.outcome == "fault"
    assert "refused: it may not" in str(result.detail)


def test_whoever_it_says_it_is(probe: Probe) -> None:
    result = probe(INSIDE.format(user="compoworld", statement="SELECT current_user, current_database()"))
    assert "compoworld_box_" in result.data
    assert "postgres" not in result.data


def test_connections_are_few(probe: Probe) -> None:
    result = probe(
        """
        import psycopg
        held = []
        for _ in range(20):
            held.append(psycopg.connect("host=/box/db user=x dbname=y sslmode=disable"))
        """
    )
    assert result.outcome == "fault"
    assert "has its connections already" in str(result.detail)


def test_a_commit_in_the_middle_of_a_call(probe: Probe) -> None:
    body = """
    ctx.add(Folder(id="fld_2", name="Two"))
    ctx._session._connection.connection.driver_connection.execute("COMMIT")
    """
    result = probe(body)
    assert result.outcome == "fault"
    assert result.changes == 0


def test_the_kits_own_rules_hold(probe: Probe) -> None:
    assert "take the connection" in str(probe("ctx._session.connection()").detail)
    assert "declared read-only" not in str(probe("ctx.add(Folder(id='fld_2', name='Two'))\nreturn word", "x").detail)


def test_the_protocol_is_checked(probe: Probe) -> None:
    body = """
    import socket, struct
    from pathlib import Path
    place = next(str(item) for item in Path("/box/db").iterdir())
    cancel = b"\\0\\0\\0\\x08\\x04\\xd2\\x16\\x2e"
    for sent in (b"x" * 100, cancel, struct.pack("!ii", 2**31 - 1, 196608), struct.pack("!ii", 8, 1)):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(place)
            one.sendall(sent)
            one.shutdown(socket.SHUT_WR)
            one.recv(100)
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(place)
        one.sendall(struct.pack("!ii", 8, 196608))
        one.recv(10_000)
        one.sendall(b"F" + struct.pack("!i", 8) + b"\\0\\0\\0\\0")
        return len(one.recv(100))
    """
    assert probe(body).data == 0


def test_a_sandbox_whose_process_is_gone_is_swept(world: World) -> None:
    box = Box(world.database, notebook.NAME, notebook.files(), LIMITS)
    box.snapshot()
    name = role_of(box).name
    assert sweep(world.database) == []
    role_of(box)._lease.execute("SELECT pg_advisory_unlock_all()")
    assert sweep(world.database) == [name]
    box.close()
    assert left_behind(world) == []


def test_roles_of_a_database_that_is_gone_are_swept(world: World) -> None:
    with world.database.transaction() as connection:
        connection.exec_driver_sql("CREATE ROLE compoworld_box_3999999999_0a")
    assert sweep(world.database) == ["compoworld_box_3999999999_0a"]
    assert sweep(world.database) == []


def test_two_sandboxes_at_once(box: Callable[..., Box]) -> None:
    one, two = box("return 1"), box("return 2")
    branches: list[Any] = [item.snapshot().fork() for item in (one, two)]
    assert notebook.call(branches[0], "probe", {}).data == 1
    assert notebook.call(branches[1], "probe", {}).data == 2
    assert branches[0].composition.id != branches[1].composition.id


def test_a_database_that_lets_us_make_no_roles(server_url: str, world: World) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as admin:
        name = f"weak_{secrets.token_hex(4)}"
        parts = urlsplit(url)
        weak = urlunsplit(parts._replace(netloc=f"{name}:{name}@{parts.netloc.rpartition('@')[2]}"))
        database = parts.path.lstrip("/")
        admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{name}' IN ROLE compoworld_verifier".encode())
        admin.execute(f'ALTER DATABASE "{database}" OWNER TO {name}'.encode())
        opened = Database(weak).open()
        box = Box(opened, notebook.NAME, notebook.files(), LIMITS)
        with pytest.raises(SandboxUnavailable, match="may not make roles") as refused:
            box.snapshot()
        assert str(refused.value.hint) == f"a superuser runs once: ALTER ROLE {name} CREATEROLE;"
        box.close()
        opened.close()
        admin.execute(f"DROP OWNED BY {name} CASCADE".encode())
        admin.execute(f'ALTER DATABASE "{database}" OWNER TO CURRENT_USER'.encode())
        admin.execute(f"DROP ROLE {name}".encode())
