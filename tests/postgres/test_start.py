"""Cold and warm starts, settings, privacy and places."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import psycopg
import pytest

from engine.postgres import EmbeddedServer, database_url
from tests.processes import eventually


def ask(url: str, question: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(question).fetchone()
    assert row is not None
    return row[0]


def test_cold_then_warm_start_keeps_data(home: Path) -> None:
    with EmbeddedServer(home) as server, psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
    assert not server.status().running
    began = time.monotonic()
    with EmbeddedServer(home) as server:
        assert time.monotonic() - began < 5
        assert ask(server.url, "SELECT n FROM kept") == 7


def test_settings_are_safe_and_utc(home: Path) -> None:
    with EmbeddedServer(home) as server:
        for name, value in {
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "TimeZone": "UTC",
            "listen_addresses": "",
            "jit": "off",
            "max_connections": "200",
            "max_locks_per_transaction": "256",
            "shared_buffers": "256MB",
            "server_encoding": "UTF8",
        }.items():
            assert ask(server.url, f"SELECT current_setting('{name}')") == value, name
        assert ask(server.url, "SELECT current_database()") == "compoworld"
        assert ask(server.url, "SELECT lower('ÀÉ')") == "àé"
        assert ask(server.url, "SELECT string_agg(x, '' ORDER BY x) FROM unnest('{b,B,a,é}'::text[]) x") == "Babé"


def test_everything_made_is_private(home: Path) -> None:
    old = os.umask(0)
    try:
        with EmbeddedServer(home) as server:
            server.keep()
            made = [home, *home.glob("*"), *home.glob("pg*/*"), *home.glob("pg*/data/*")]
            server.unkeep()
    finally:
        os.umask(old)
    assert len(made) > 20
    open_to_others = [path for path in made if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert open_to_others == []


def test_server_inherits_nothing_of_its_starter(home: Path) -> None:
    with EmbeddedServer(home) as server:
        status = server.status()
        assert status.pid is not None
        try:
            os.readlink(f"/proc/{status.pid}/fd/0")
        except PermissionError:
            pytest.skip("not allowed to look at the server's open files")
        files = {os.readlink(f"/proc/{status.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{status.pid}/fd")}
        ours = {path for path in files if path.startswith("/") and not path.startswith("/dev/")}
        assert {p for p in ours if p.endswith(".lock")} == {str(server.layout.server_lock)}
        assert os.readlink(f"/proc/{status.pid}/fd/0") == "/dev/null"
        assert os.readlink(f"/proc/{status.pid}/fd/1") == str(status.log)
        assert os.getsid(status.pid) != os.getsid(0)


def test_status_before_during_and_after(home: Path) -> None:
    server = EmbeddedServer(home)
    before = server.status()
    assert not before.running and before.size == 0 and before.pid is None and not home.exists()
    server.ensure_running()
    during = server.status()
    assert during.running and during.pid and during.size > 1_000_000 and not during.kept and during.users == 1
    assert during.version.startswith(str(server.layout.major))
    assert (during.data, during.log) == (server.layout.data, server.layout.log)
    server.release()
    after = server.status()
    assert not after.running and after.pid is None and after.users == 0


def test_long_path_puts_the_socket_elsewhere(place: Path) -> None:
    home = place / ("deep" * 30)
    server = EmbeddedServer(home)
    try:
        assert ask(server.ensure_running(), "SELECT 1") == 1
        socket = server.status().socket
        assert home not in socket.parents
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
    finally:
        server.stop()
    assert not socket.exists()


@pytest.mark.parametrize("name", ["with space", "comma,quote\"'", "per%cent&x=1?#", "ünïcode", "back\\slash$HOME"])
def test_unusual_characters_in_the_path(place: Path, name: str) -> None:
    server = EmbeddedServer(place / name)
    try:
        assert ask(server.ensure_running(), "SELECT 1") == 1
    finally:
        server.stop()


def test_home_is_taken_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOWORLD_HOME", str(home))
    found = database_url()
    assert found.embedded and ask(found.url, "SELECT 1") == 1
    assert database_url() == found
    assert home.is_dir()


def test_half_made_data_folder_is_swept(home: Path) -> None:
    server = EmbeddedServer(home)
    with server:
        left_over = server.layout.root / "data.new-1"
    left_over.mkdir()
    (left_over / "PG_VERSION").write_text("18")
    with server:
        assert not left_over.exists()


def test_log_is_bounded(home: Path) -> None:
    with EmbeddedServer(home) as server:
        log = server.layout.log
        with log.open("ab") as file:
            file.write(b"x" * (17 * 1024 * 1024))
        with EmbeddedServer(home):
            assert log.stat().st_size < 1024 * 1024
            assert log.with_name("server.log.1").stat().st_size == 4 * 1024 * 1024
        with pytest.raises(psycopg.Error):
            ask(server.url, "SELECT 1/0")
        eventually(lambda: "division by zero" in log.read_text(), "the server writes on into the log")
