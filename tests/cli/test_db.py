"""compoworld db."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from engine.postgres import URL_VARIABLE
from tests.cli.conftest import Program


@pytest.mark.integration
def test_status_of_a_foreign_server_starts_and_creates_nothing(lonely: Program) -> None:
    found = lonely.json("db", "status")
    assert (found["embedded"], found["running"], found["catalog"]) == (False, True, False)
    lonely.json("compose", "chat")
    found = lonely.json("db", "status")
    assert (found["catalog"], found["compositions"], found["branches"]) == (True, 1, 1)
    assert "PostgreSQL" not in lonely.text("db", "status")


@pytest.mark.integration
def test_url(lonely: Program) -> None:
    assert lonely.text("db", "url").strip() == lonely.url
    assert lonely.json("db", "url") == {"url": lonely.url, "embedded": False}


@pytest.mark.unit
def test_passwords_are_not_shown() -> None:
    said = Program("postgresql://u:s3cret@127.0.0.1:1/none")("db", "status")
    assert said.code == 3 and "s3cret" not in said.out + said.err


@pytest.mark.unit
def test_a_foreign_server_is_not_started_or_stopped() -> None:
    for verb in ("start", "stop"):
        assert "not ours to start or stop" in Program("postgresql://u@127.0.0.1:1/x").refused("db", verb)


@pytest.mark.integration
def test_census(lonely: Program) -> None:
    made = lonely.json("compose", "chat", "contacts")
    found = lonely.json("db", "census")
    assert found["totals"]["compositions"] == 1
    kinds = {row["kind"]: row for row in found["relations"]}
    assert kinds["table"]["compositions"] == kinds["view"]["compositions"] > 10
    (row,) = found["compositions"]
    assert row["composition"] == made["composition"] and row["materialised"] and row["bytes"] > 0
    text = lonely.text("db", "census")
    assert "materialised" in text and "standing" not in text and "chat, contacts" in text
    with psycopg.connect(lonely.url) as connection:
        connection.execute("SELECT compoworld.park(%s)", (made["composition"],))
    assert "parked" in lonely.text("db", "census")


@pytest.mark.integration
def test_sql_as_json(cw: Program, branch: int) -> None:
    rows = cw.json(
        "db",
        "psql",
        "-c",
        f"select event, tool, arguments from events where branch = {branch} order by event",
    )
    assert [row["event"] for row in rows] == [1, 2, 3, 4]
    assert cw.json("db", "psql", "-c", "set timezone = 'UTC'") == []
    assert "syntax error" in cw.refused("db", "psql", "--json", "-c", "selekt [/]")
    assert "NUL" in cw.refused("db", "psql", "--json", "-c", "select '\x00'")


@pytest.mark.acceptance
def test_psql_has_the_views_on_its_path(cw: Program) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "compoworld", "db", "psql", "-c", "select count(*) as how_many from rollouts"],
        capture_output=True, text=True, check=False, env={**os.environ, URL_VARIABLE: cw.url},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "how_many" in done.stdout
    failed = subprocess.run(
        [sys.executable, "-m", "compoworld", "db", "psql", "-c", "selekt"],
        capture_output=True, text=True, check=False, env={**os.environ, URL_VARIABLE: cw.url},
    )  # fmt: skip
    assert failed.returncode == 1 and "syntax error" in failed.stderr


@pytest.mark.integration
def test_without_psql_the_message_says_what_to_do(cw: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    said = cw("db", "psql", "-c", "select 1")
    assert said.code == 3
    assert "psql is not installed" in said.err


@pytest.mark.integration
def test_reset_asks_and_begins_anew(lonely: Program) -> None:
    lonely.json("compose", "chat")
    with psycopg.connect(lonely.url) as connection:
        connection.execute("CREATE TABLE public.mine AS SELECT 1 AS kept")
    for answer in ("n\n", ""):
        said = lonely("db", "reset", stdin=answer)
        assert (said.code, said.out) == (2, "")
        assert said.err.endswith(" [y/N] \nnothing was done\n")
    assert lonely.json("db", "status")["branches"] == 1
    assert "all is new" in lonely("db", "reset", stdin="y\n").out
    assert lonely.json("db", "status")["branches"] == 0
    lonely.json("compose", "chat")
    assert lonely.json("db", "reset", "--yes") == {"reset": True, "schemas_dropped": 1}
    with psycopg.connect(lonely.url) as connection:
        assert connection.execute("SELECT kept FROM public.mine").fetchone() == (1,)


@pytest.mark.integration
def test_reset_waits_for_nobody(lonely: Program) -> None:
    made = lonely.json("compose", "chat")
    with psycopg.connect(lonely.url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock_shared(7203, %s)", (made["composition"],))
        assert "is in use" in lonely.refused("db", "reset", "--yes")
    assert lonely.json("db", "status")["branches"] == 1


@pytest.mark.acceptance
def test_the_embedded_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOWORLD_HOME", str(tmp_path / "home"))
    program = Program("")
    assert program.json("db", "status")["running"] is False
    assert not (tmp_path / "home").exists()
    assert program.json("db", "start")["running"]
    try:
        found = program.json("db", "status")
        assert found["running"] and found["kept"] and found["embedded"]
        with psycopg.connect(program.json("db", "url")["url"]) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        assert program.json("db", "stop") == {"running": False, "stopped": True}
    assert program.text("db", "stop") == "it did not run\n"
