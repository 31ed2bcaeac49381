"""Pooled connections: none keeps what the one before saw; one without a branch sees an error, never another branch."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import text

from engine.database import Database
from engine.errors import InfrastructureError
from engine.kit import Context
from engine.world import World
from tests.engine.conftest import MakeWorld
from tests.engine.look import leave, prompt
from tests.engine.rogue import Thing, playing

SETTINGS = (
    "SELECT name, setting FROM (VALUES ('branch'), ('base'), ('event'), ('ordinal'), ('read_only'))"
    " AS t(name),"
    " LATERAL (SELECT nullif(current_setting('compoworld.' || name, true), '') AS setting) s WHERE setting IS NOT NULL"
)


@pytest.fixture
def narrow(make_world: MakeWorld) -> World:
    """A world with one connection."""
    return make_world(pool_size=1)


def assert_clean(database: Database, schema: str) -> None:
    with database.transaction() as connection:
        assert connection.exec_driver_sql(SETTINGS).all() == []
        path = connection.exec_driver_sql("SHOW search_path").scalar_one()
        assert schema not in str(path) and "compoworld_here" not in str(path)
        assert connection.exec_driver_sql("SELECT current_user = session_user").scalar_one()
        assert connection.exec_driver_sql("SHOW transaction_read_only").scalar_one() == "off"
        assert connection.exec_driver_sql("SELECT current_setting('statement_timeout')").scalar_one() == "0"


def test_after_whatever_happened_a_connection_is_clean(narrow: World) -> None:
    from engine.verifiers import Criterion

    base = narrow.compose("rogue", "shop").snapshot()
    branch = base.fork()
    check = Criterion("c", "state", "", "SELECT true AS passed FROM rogue_thing")

    def astray(ctx: Context) -> None:
        ctx._session.execute(text("SET search_path = pg_catalog"))

    uses = [
        lambda: branch.call("rogue", "put", id="x"),
        lambda: branch.call("rogue", "act", name="nobody"),
        lambda: branch.call("shop", "look", table="shop_region"),
        lambda: branch.verify([check, Criterion("d", "state", "", "SELECT 1/0 = 1 AS passed")]),
        lambda: branch.rows(Thing),
        lambda: base.composition.snapshot([]),
        branch.replay,
        base.composition.park,
        branch.digest,
    ]
    with playing(astray):
        uses.append(lambda: branch.call("rogue", "act"))
        for use in uses:
            use()
            assert_clean(narrow.database, base.composition.schema)
    assert narrow.database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_without_a_branch_there_is_an_error(narrow: World) -> None:
    base = narrow.compose("rogue").snapshot()
    branch = base.fork()
    branch.call("rogue", "put", id="x")
    schema = base.composition.schema
    for statement in (
        f"SELECT * FROM {schema}.rogue_thing",
        f"SELECT count(*) FROM {schema}.rogue_thing WHERE id = 'x'",
        "SELECT * FROM compoworld_here.events",
        "SELECT * FROM compoworld_here.answer",
        "SELECT compoworld.current_branch()",
        f"INSERT INTO {schema}.rogue_thing (id) VALUES ('y')",
        f"DELETE FROM {schema}.rogue_thing",
    ):
        with (
            pytest.raises(InfrastructureError, match="in no branch") as caught,
            narrow.database.transaction() as connection,
        ):
            connection.exec_driver_sql(statement).all()
        assert "use_branch" in str(caught.value.hint)


def test_branches_take_turns_on_one_connection(narrow: World) -> None:
    base = narrow.compose("rogue", "shop").snapshot()
    branches = [base.fork() for _ in range(4)]
    for turn in range(12):  # past the point where the driver prepares its statements
        branch = branches[turn % 4]
        branch.call("rogue", "put", id=f"b{branch.id}")
        assert {row["id"] for row in branch.call("rogue", "things").data} == {"t1", "t2", f"b{branch.id}"}


def test_a_person_changes_branches_and_leaves(narrow: World) -> None:
    base = narrow.compose("rogue", "shop").snapshot()
    other = narrow.compose("shop").snapshot()
    branches = [base.fork() for _ in range(2)]
    branches[1].call("rogue", "put", id="mine")
    count = "SELECT count(*) FROM rogue_thing"
    with prompt(narrow) as connection:
        for turn in range(10):
            branch = branches[turn % 2]
            connection.execute("SELECT compoworld.use_branch(%s::bigint)", (branch.id,))
            assert connection.execute(count).fetchone() == (2 + turn % 2,)
        with pytest.raises(psycopg.Error, match="no branch 999"):
            connection.execute("SELECT compoworld.use_branch(999)")
        assert connection.execute(count).fetchone() == (3,)  # still where it was
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (other.id,))
        with pytest.raises(psycopg.errors.UndefinedTable):
            connection.execute(count)
        leave(connection)
        with pytest.raises(psycopg.Error, match="in no branch"):
            connection.execute("SELECT * FROM compoworld_here.events")
