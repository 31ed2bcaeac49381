"""``docs/sql.md`` against the demonstration's database: its queries, its answers, its tables of columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from tests.docs.conftest import Demonstration
from tests.docs.sql_page import PAGE, Query, ask, queries

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("query", list(queries(TEXT)), ids=lambda query: f"line {query.line}")
def test_query(query: Query, demo_copy: str) -> None:
    answer = ask(demo_copy, query.sql)
    if query.varies:
        answer, shown = answer.splitlines()[0], query.answer.splitlines()[0]
        assert answer.split() == shown.split()
    else:
        assert answer == query.answer, "python -m tests.docs.sql_page writes the page anew"


def test_every_sql_block_is_run() -> None:
    assert TEXT.count("```sql") == len(list(queries(TEXT))) >= 10


def test_a_check_pasted_into_its_branch_says_the_same(demonstration: Demonstration) -> None:
    with psycopg.connect(demonstration.url) as connection:
        checks = connection.execute("SELECT branch, sql, passed, actual FROM compoworld.checks").fetchall()
        assert checks
        for branch, sql, passed, actual in checks:
            connection.execute("SELECT compoworld.use_branch(%s)", (branch,))
            cursor = connection.execute(sql)
            row = dict(zip([item.name for item in cursor.description or []], cursor.fetchone() or (), strict=True))
            assert (row["passed"] is True) == passed
            assert str(row.get("actual")) == str(actual)


def test_fields_that_an_insert_or_a_delete_sets(demonstration: Demonstration) -> None:
    with psycopg.connect(demonstration.url) as connection:
        found = connection.execute(
            'SELECT * FROM compoworld.fields_changed(NULL, \'{"b": 1, "a": null}\')'
            " UNION ALL SELECT * FROM compoworld.fields_changed('{\"a\": [1]}', NULL)"
            ' UNION ALL SELECT * FROM compoworld.fields_changed(\'{"a": 1, "b": 2}\', \'{"a": 1, "c": 2}\')'
        ).fetchall()
    assert found == [("a", None, None), ("b", None, 1), ("a", [1], None), ("b", 2, None), ("c", None, 2)]


def _sections() -> Iterator[tuple[str, str, set[str]]]:
    """Schema, view and the columns that the page names, for each section about a view."""
    for title, body in re.findall(
        r"^### (`\w+`(?:, inside a branch)?)\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE
    ):
        first_cells = re.findall(r"^\| (`[^|]+) \|", body, re.MULTILINE)
        schema = "compoworld_here" if "inside" in title else "compoworld"
        name = title.split("`")[1]
        yield schema, name, {column for cell in first_cells for column in re.findall(r"`(\w+)`", cell)}


def test_the_columns_of_every_view_are_named(demonstration: Demonstration) -> None:
    with psycopg.connect(demonstration.url) as connection:
        rows = connection.execute(
            "SELECT n.nspname, c.relname, array_agg(a.attname::text) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relkind = 'v' AND n.nspname IN ('compoworld', 'compoworld_here') AND a.attnum > 0"
            " GROUP BY 1, 2"
        ).fetchall()
    real = {(schema, view): set(columns) for schema, view, columns in rows}
    named = {(schema, view): columns for schema, view, columns in _sections()}
    assert named == real


def test_the_columns_of_every_function_are_named(demonstration: Demonstration) -> None:
    rows = re.findall(r"^\| `(\w+)\(([\w, ]+)\)` \|([^|]*)\|", TEXT, re.MULTILINE)
    assert len(rows) >= 7
    with psycopg.connect(demonstration.url) as connection:
        for name, arguments, results in rows:
            found = connection.execute(
                "SELECT proargnames, proargmodes, pronargs FROM pg_proc"
                " WHERE proname = %s AND pronamespace = 'compoworld'::regnamespace",
                (name,),
            ).fetchall()
            assert len(found) == 1, f"{name}: {len(found)} functions"
            names, modes, count = found[0]
            assert [item.removeprefix("p_") for item in names[:count]] == arguments.split(", ")
            given = [item for item, mode in zip(names, modes or (), strict=False) if mode == "t"]
            assert given == re.findall(r"`(\w+)`", results)
