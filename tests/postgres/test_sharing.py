"""Several processes on one server: who starts it, who stops it, who may die."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import psycopg

from engine.postgres import EmbeddedServer
from tests.processes import eventually

from .conftest import Client, kill_hard

Clients = Callable[[], Client]


def test_eight_first_starts_give_one_server(home: Path, clients: Clients) -> None:
    eight = [clients() for _ in range(8)]
    assert len({client.url() for client in eight}) == 1
    status = EmbeddedServer(home).status()
    assert status.running and status.users == 8
    assert status.log.read_text().count("starting PostgreSQL") == 1
    for client in eight[1:]:
        assert client.finish() == 0
    assert EmbeddedServer(home).status().pid == status.pid
    assert eight[0].finish() == 0
    assert not EmbeddedServer(home).status().running


def test_killed_client_leaves_no_lock(home: Path, clients: Clients) -> None:
    first = clients()
    first.url()
    pid = EmbeddedServer(home).status().pid
    first.kill()
    second = clients()
    second.url()
    status = EmbeddedServer(home).status()
    assert status.pid == pid and status.users == 1
    second.finish()
    assert not EmbeddedServer(home).status().running


def test_kept_server_outlives_its_users(home: Path, clients: Clients) -> None:
    EmbeddedServer(home).keep()
    client = clients()
    client.url()
    client.finish()
    status = EmbeddedServer(home).status()
    assert status.running and status.kept and status.users == 0
    with EmbeddedServer(home) as server:
        server.unkeep()
    assert not server.status().running


def test_stop_ends_it_for_all_and_the_next_use_starts_it(home: Path, clients: Clients) -> None:
    client = clients()
    url = client.url()
    server = EmbeddedServer(home)
    server.keep()
    assert server.stop()
    assert not server.status().running and not server.status().kept
    assert not server.stop()
    client.do("assert database_url().url == " + repr(url))
    assert server.status().running and server.status().users == 1


def test_forked_child_does_not_stop_the_server(home: Path, clients: Clients) -> None:
    client = clients()
    client.url()
    client.do("import os; pid = os.fork(); pid or sys.exit(0); assert os.waitpid(pid, 0)[1] == 0")
    status = EmbeddedServer(home).status()
    assert status.running and status.users == 1


def test_forked_child_keeps_the_server_of_its_dead_parent(home: Path, place: Path, clients: Clients) -> None:
    client = clients()
    client.url()
    flag = place / "go"
    waiting = f"while not pathlib.Path({str(flag)!r}).exists(): time.sleep(.02)"
    client.do(f"import os, time, pathlib\nif not os.fork():\n {waiting}\n sys.exit(0)")
    client.finish()
    assert EmbeddedServer(home).status().running
    flag.touch()
    eventually(lambda: not EmbeddedServer(home).status().running, "the child, the last user, stops the server")


def test_interrupt_at_the_terminal_does_not_reach_the_server(home: Path, clients: Clients) -> None:
    client = clients()
    client.url()
    status = EmbeddedServer(home).status()
    assert status.pid is not None
    assert os.getpgid(status.pid) != os.getpgid(client.process.pid)
    client.process.send_signal(signal.SIGINT)
    eventually(lambda: client.process.poll() is not None, "the client ends")
    assert not EmbeddedServer(home).status().running  # atexit ran: it was the last user


def test_long_running_process_gets_a_new_server(home: Path) -> None:
    with EmbeddedServer(home) as server:
        first = server.status().pid
        assert first is not None
        kill_hard(first)
        eventually(lambda: server.status().pid is None, "the server is dead")
        with psycopg.connect(server.ensure_running()) as connection:
            connection.execute("SELECT 1")
        assert server.status().pid not in (None, first)


def test_home_deleted_under_a_user(home: Path) -> None:
    import shutil

    server = EmbeddedServer(home)
    server.ensure_running()
    pid = server.status().pid
    assert pid is not None
    kill_hard(pid)
    eventually(lambda: not server.status().running, "the server is dead")
    shutil.rmtree(home)
    server.ensure_running()
    assert server.status().users == 1
    server.release()
    assert not server.status().running
