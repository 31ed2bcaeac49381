"""The server is killed: the next start recovers what was committed."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

from engine.postgres import EmbeddedServer, _lifecycle
from engine.postgres._postmaster import Postmaster
from tests.processes import eventually

from .conftest import kill_hard


@pytest.fixture
def server(home: Path) -> EmbeddedServer:
    started = EmbeddedServer(home)
    with psycopg.connect(started.ensure_running(), autocommit=True) as connection:
        connection.execute("CREATE TABLE t AS SELECT 7 AS n")
    return started


def check_recovered(server: EmbeddedServer) -> None:
    with psycopg.connect(server.ensure_running()) as connection:
        assert connection.execute("SELECT n FROM t").fetchone() == (7,)


def command_line(pid: int) -> bytes:
    """Empty when the process has ended, also while nobody has taken note of its end."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def pid_of(server: EmbeddedServer) -> int:
    pid = server.status().pid
    assert pid is not None
    return pid


def test_killed_postmaster(server: EmbeddedServer) -> None:
    kill_hard(pid_of(server))
    check_recovered(server)


def test_everything_killed(server: EmbeddedServer) -> None:
    postmaster = Postmaster(server.layout)
    kill_hard(pid_of(server))
    for orphan in postmaster.orphans():
        try:
            kill_hard(orphan)
        except ProcessLookupError:
            continue
    check_recovered(server)


def test_stale_pid_file_of_a_living_stranger(server: EmbeddedServer) -> None:
    """After a restart of the machine, or of a container, another process has the dead server's number."""
    pid_file = server.layout.data / "postmaster.pid"
    kill_hard(pid_of(server))
    eventually(lambda: not server.status().running, "the server is dead")
    lines = pid_file.read_text().splitlines()
    stranger = os.getppid()
    pid_file.write_text("\n".join([str(stranger), *lines[1:]]) + "\n")
    lock = server.layout.socket_file.with_name(server.layout.socket_file.name + ".lock")
    lock.write_text("\n".join([str(stranger), *lines[1:5]]) + "\n")
    check_recovered(server)


def test_orphan_deep_in_a_query_is_ended(server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_lifecycle, "ORPHAN_SECONDS", 0.5)
    connection = psycopg.connect(server.url)
    worker = connection.info.backend_pid
    # It computes without ever waiting, so it does not notice that the server is gone.
    connection.pgconn.send_query(b"SELECT sum(sqrt(g)) FROM generate_series(1, 5000000000) g")
    eventually(lambda: int(Path(f"/proc/{worker}/stat").read_text().split()[13]) > 20, "it computes")
    kill_hard(pid_of(server))
    check_recovered(server)
    assert b"compoworld" not in command_line(worker)
    connection.close()


def test_server_that_cannot_start_says_why(server: EmbeddedServer) -> None:
    server.stop()
    (server.layout.data / "global" / "pg_control").rename(server.layout.data / "gone")
    with pytest.raises(Exception, match=r"ended while it started.*pg_control") as caught:
        server.ensure_running()
    assert str(server.layout.log) in str(caught.value)
    assert server.status().users == 0
    (server.layout.data / "gone").rename(server.layout.data / "global" / "pg_control")
    check_recovered(server)
