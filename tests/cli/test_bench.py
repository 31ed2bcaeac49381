"""compoworld bench: a thin layer."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

import benchmarks
from benchmarks.measure import Figure
from tests.cli.conftest import Program


@pytest.mark.unit
def test_it_prints_what_the_benchmarks_give(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def run(names: Sequence[str], *, quick: bool, progress: Callable[[str], None]) -> list[Figure]:
        asked.append((tuple(names), quick))
        progress("[red]call[/]")
        return [
            Figure("call", "ms", 1.25, 1.0, "a call", "the same in psycopg", 2.5, 2.0),
            Figure("catalog_growth", "relations", 0.0, 0.0, "1,000 forks", "none"),
        ]

    monkeypatch.setattr(benchmarks, "run", run)
    program = Program("")
    found = program.json("bench", "call", "--quick")
    assert found["call"]["ratio"] == 1.25 and found["catalog_growth"]["ratio"] is None
    said = program("bench")
    assert said.code == 0
    assert all(part in said.out for part in ("1.25", "catalog_growth", "a call; against"))
    assert "measuring [red]call[/]" in said.err
    assert asked == [(("call",), True), ((), False)]


@pytest.mark.integration
def test_a_role_that_may_not_create_databases(server_url: str) -> None:
    role = f"Ann {uuid.uuid4().hex[:8]}"
    quoted = sql.Identifier(role)
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'x'").format(quoted))
        try:
            parts = urlsplit(server_url)
            place = parts.netloc.rpartition("@")[2]
            said = Program(urlunsplit(parts._replace(netloc=f"{quote(role)}:x@{place}")))("bench", "call", "--quick")
        finally:
            admin.execute(sql.SQL("DROP ROLE {}").format(quoted))
    assert said.code == 3 and said.out == ""
    assert said.err == (
        f'error: "{role}" may not create databases on this server'
        f' (a superuser runs once: ALTER ROLE "{role}" CREATEDB)\n'
    )


@pytest.mark.integration
def test_an_unknown_figure(cw: Program) -> None:
    assert "there is no figure" in cw.refused("bench", "nonsense")
