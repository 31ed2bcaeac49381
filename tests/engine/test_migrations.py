"""The catalog's migrations: up, down, up again, from wherever."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from alembic import command

import engine.database
from engine.database import Database
from engine.errors import DatabaseUnavailable
from engine.library import Library
from engine.world import World
from tests.conftest import fresh_database
from tests.engine import shop

OBJECTS = """
SELECT 'relation', oid::regclass::text FROM pg_class WHERE relnamespace::regnamespace::text ~ '^comp'
UNION ALL SELECT 'function', oid::regprocedure::text FROM pg_proc WHERE pronamespace::regnamespace::text ~ '^comp'
UNION ALL SELECT 'type', typname FROM pg_type WHERE typnamespace::regnamespace::text ~ '^comp'
UNION ALL SELECT 'schema', nspname FROM pg_namespace WHERE nspname ~ '^comp' ORDER BY 1, 2
"""


def objects(url: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return connection.execute(OBJECTS).fetchall()


def alembic(url: str, to: str) -> None:
    """Run Alembic as ``Database.open`` does."""
    database = Database(url)
    config = engine.database._alembic_config()
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if to == "base" else command.upgrade)(config, to)
    database.close()


def test_up_down_and_up_again(database_url: str) -> None:
    Database(database_url).open().close()
    made = objects(database_url)
    with World(Database(database_url).open(), Library([shop.service])) as world:
        branch = world.compose("shop").snapshot().fork()
        assert branch.call("shop", "make").ok
    alembic(database_url, "base")
    left = [item for item in objects(database_url) if "alembic_version" not in str(item)]
    assert left == [("schema", "compoworld")]
    alembic(database_url, "head")
    assert objects(database_url) == made
    with World(Database(database_url).open(), Library([shop.service])) as world:
        assert world.compose("shop").snapshot().fork().call("shop", "make").ok


def test_opening_again_changes_nothing(database_url: str) -> None:
    Database(database_url).open().close()
    before = objects(database_url)
    database = Database(database_url)
    assert database.open() is database.open()
    database.close()
    assert objects(database_url) == before


def test_a_catalog_of_a_newer_program_is_refused(database_url: str) -> None:
    Database(database_url).open().close()
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("UPDATE compoworld.alembic_version SET version_num = '9999'")
    before = objects(database_url)
    with pytest.raises(DatabaseUnavailable, match="9999") as caught:
        Database(database_url).open()
    assert "newer CompoWorld" in str(caught.value.hint)
    assert objects(database_url) == before


def test_an_old_server_is_refused(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.database, "OLDEST_SERVER", 99)
    with pytest.raises(DatabaseUnavailable, match="the server runs PostgreSQL") as caught:
        Database(database_url).open()
    assert "99 or newer" in str(caught.value.hint)
    assert objects(database_url) == []


def test_a_migration_that_fails_leaves_nothing(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA compoworld_here")  # in the way
    with pytest.raises(DatabaseUnavailable, match="compoworld_here"):
        Database(database_url).open()
    assert objects(database_url) == [("schema", "compoworld_here")]
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA compoworld_here")
    Database(database_url).open().close()


def test_a_user_who_may_not_make_schemas(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE ROLE compoworld_poor LOGIN PASSWORD 'poor'")
    try:
        parts = urlsplit(database_url)
        host = parts.netloc.rpartition("@")[2]
        url = urlunsplit(parts._replace(netloc=f"compoworld_poor:poor@{host}"))
        with pytest.raises(DatabaseUnavailable) as caught:
            Database(url).open()
        assert "poor@" not in str(caught.value)
        assert objects(database_url) == []
    finally:
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute("DROP ROLE compoworld_poor")


def test_two_databases_of_one_server_at_once(server_url: str) -> None:
    """The verifier's role belongs to the server: both migrations want to make it."""
    from concurrent.futures import ThreadPoolExecutor

    with fresh_database(server_url) as one, fresh_database(server_url) as two, ThreadPoolExecutor(2) as pool:
        databases = [Database(one), Database(two)]
        list(pool.map(Database.open, databases))
        for database in databases:
            database.close()
        assert objects(one) == objects(two) != []


def test_only_the_grant_that_is_missing_is_asked_for(server_url: str, template: str) -> None:
    """The verifier's role is there (another database has it), and the user may make schemas."""
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE \"compoworld Guest\" LOGIN PASSWORD 'guest'")
        try:
            database = urlsplit(url).path.lstrip("/")
            connection.execute(f'GRANT CREATE ON DATABASE {database} TO "compoworld Guest"')
            host = urlsplit(url).netloc.rpartition("@")[2]
            guest = urlunsplit(urlsplit(url)._replace(netloc=f"compoworld%20Guest:guest@{host}"))
            with pytest.raises(DatabaseUnavailable) as caught:
                Database(guest).open()
            assert caught.value.hint == 'a superuser runs once: GRANT compoworld_verifier TO "compoworld Guest";'
            connection.execute('GRANT compoworld_verifier TO "compoworld Guest"')
            Database(guest).open().close()
        finally:
            connection.execute('DROP OWNED BY "compoworld Guest" CASCADE')
            connection.execute('DROP ROLE "compoworld Guest"')
