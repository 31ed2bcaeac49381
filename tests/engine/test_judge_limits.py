"""Criteria that run into limits: what goes wrong with a criterion is a finding about it, never a failure of ours."""

from __future__ import annotations

import time

import pytest

from engine.branches import Branch
from engine.verifiers import Criterion

FINE = Criterion("fine", "state", "", "SELECT true AS passed, 1 AS actual")


def _criterion(sql: str) -> Criterion:
    return Criterion("c", "state", "", sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT length(repeat('x', 2000000000)) > 0 AS passed",
        "SELECT (repeat('[', 1000000) || repeat(']', 1000000))::jsonb IS NOT NULL AS passed",
        "SELECT array_fill(1, ARRAY[1000000000]) IS NOT NULL AS passed",
        "SELECT 1 / (count(*) - count(*)) > 0 AS passed FROM shop_product",
    ],
)
def test_an_error_of_the_criterion_is_its_own(branch: Branch, sql: str) -> None:
    broken, fine = branch.verify([_criterion(sql), FINE])
    assert not broken.passed and broken.error
    assert fine.passed and fine.error is None


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("10::numeric ^ 5000", "1000"),
        ("(repeat('[', 3000) || repeat(']', 3000))::jsonb", "[[["),
        ("(repeat('[', 900) || repeat(']', 900))::jsonb", "[[["),
        ("'infinity'::timestamptz", "infinity"),
        ("timestamptz '0044-03-15 12:00+00 BC'", "0044-03-15"),
        ("time '24:00'", "24:00:00"),
        ("to_tsvector('simple', 'a b')", "'a':1"),
        ("repeat('x', 3000)", "xxx"),
        ("12.50::numeric", "12.5"),
        ("ARRAY[1, 2]", "[1, 2]"),
    ],
)
def test_any_value_can_be_shown(branch: Branch, value: str, kept: str) -> None:
    (check,) = branch.verify([_criterion(f"SELECT true AS passed, {value} AS actual")])
    assert check.passed and check.error is None
    assert kept in str(check.actual) and len(str(check.actual)) < 2100


def test_a_function_that_the_server_cannot_stop_is_left_behind(branch: Branch) -> None:
    slow = "SELECT strpos(repeat('a', 4000000), 'b' || repeat('a', 2500)) > 0 AS passed"
    begun = time.monotonic()
    fine, stuck, after = branch.verify([FINE, _criterion(slow), FINE], seconds=0.3)
    assert time.monotonic() - begun < 30
    assert "time limit" in str(stuck.error) and not stuck.passed
    assert fine.passed and after.passed
    with branch.composition.world.database.raw() as connection:
        # The server goes on for a while: nobody can drop the test's database before it has ended.
        while connection.execute(
            "SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            " AND query LIKE '%%strpos%%' AND state = 'active'"
        ).fetchone():
            assert time.monotonic() - begun < 120
            connection.rollback()
            time.sleep(0.1)
