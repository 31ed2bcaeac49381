"""The throw-away mode of tests, also on other PostgreSQL programs."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from engine.errors import DatabaseUnavailable
from engine.postgres import EmbeddedServer

DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")


def test_is_fast_and_deletes_itself(place: Path) -> None:
    home = place / "home"
    began = time.monotonic()
    with EmbeddedServer(home, throwaway=True) as server:
        assert time.monotonic() - began < 15
        with psycopg.connect(server.url) as connection:
            row = connection.execute(
                "SELECT current_setting('fsync'), current_setting('synchronous_commit'), "
                "current_setting('full_page_writes')"
            ).fetchone()
        assert row == ("off", "off", "off")
    assert not home.exists()


def test_leaves_other_things_in_the_home(place: Path) -> None:
    (place / "mine").write_text("x")
    with EmbeddedServer(place, throwaway=True):
        pass
    assert [path.name for path in place.iterdir()] == ["mine"]


def test_last_of_several_users_deletes(place: Path) -> None:
    home = place / "home"
    one, two = EmbeddedServer(home, throwaway=True), EmbeddedServer(home, throwaway=True)
    assert one.ensure_running() == two.ensure_running()
    one.release()
    psycopg.connect(two.url).close()
    two.release()
    assert not home.exists()
    one.ensure_running()
    one.stop()
    assert not home.exists()


def test_users_that_come_and_go_at_once(place: Path) -> None:
    """One deletes while another starts: nobody may find half of it."""
    home = place / "home"

    def visit() -> None:
        for _ in range(5):
            server = EmbeddedServer(home, throwaway=True)
            psycopg.connect(server.ensure_running()).close()
            server.release()

    with ThreadPoolExecutor(4) as pool:
        for visitor in [pool.submit(visit) for _ in range(4)]:
            visitor.result()
    assert not home.exists()


def test_does_not_touch_a_database_to_keep(home: Path) -> None:
    with EmbeddedServer(home):
        pass
    throwaway = EmbeddedServer(home, throwaway=True)
    with pytest.raises(DatabaseUnavailable, match="a database to keep"):
        throwaway.ensure_running()
    throwaway.stop()
    assert (throwaway.layout.data / "PG_VERSION").exists()


def test_is_not_taken_for_a_database_to_keep(place: Path) -> None:
    home = place / "home"
    with (
        EmbeddedServer(home, throwaway=True),
        pytest.raises(DatabaseUnavailable, match="throw-away database"),
    ):
        EmbeddedServer(home).ensure_running()


@pytest.mark.skipif(not DEBIAN_15.is_dir(), reason="PostgreSQL 15 is not installed")
def test_on_postgresql_15(place: Path) -> None:
    home = place / "home"
    with EmbeddedServer(home, throwaway=True, bin_dir=DEBIAN_15) as server:
        assert server.status().version.startswith("15.")
        with psycopg.connect(server.url) as connection:
            row = connection.execute("SELECT current_setting('server_version_num')::int / 10000").fetchone()
            assert row == (15,)
            order = "SELECT string_agg(x, '' ORDER BY x) FROM unnest('{b,B,a,é}'::text[]) x"
            assert connection.execute(order).fetchone() == ("Babé",)
    assert not home.exists()


def test_fixture_gives_an_empty_database(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        row = connection.execute("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace").fetchone()
    assert row == (0,)
