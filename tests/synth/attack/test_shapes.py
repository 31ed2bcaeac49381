"""What results show."""

from __future__ import annotations

from typing import Any

import pytest

from synth.attack.shapes import (
    by_identifier,
    cursor_of,
    cursor_path,
    identifier,
    instant,
    object_in,
    record_of,
    rows_of,
    same,
    shown,
)

pytestmark = pytest.mark.unit

ROWS = [{"id": "a"}, {"id": "b"}]


@pytest.mark.parametrize(
    "data",
    [
        ROWS,
        {"items": ROWS, "next_cursor": None},
        {"results": ROWS},
        {"tickets": ROWS, "total": 2},
        {"data": {"items": ROWS}},
    ],
)
def test_listings(data: Any) -> None:
    assert rows_of(data) == ROWS


@pytest.mark.parametrize("data", [{"id": "x", "items": ROWS}, {"id": "x"}, "text", None, ["a"], {"a": ROWS, "b": ROWS}])
def test_no_listings(data: Any) -> None:
    assert rows_of(data) is None


def test_records_and_identifiers() -> None:
    assert record_of({"ticket": {"id": "t1"}, "note": "x"}, "ticket") == {"id": "t1"}
    assert record_of({"id": "t1", "owner": {"id": "u1"}}, "ticket") == {"id": "t1", "owner": {"id": "u1"}}
    assert identifier({"ticket_id": "t1", "name": "n"}, "ticket") == "t1"
    assert identifier({"ticketId": 7}, "ticket") == 7
    assert identifier({"user_key": "k", "x": 1}) == "k"
    assert identifier({"name": "n"}) is None
    assert by_identifier([{"id": 1}, {"id": 1}]) is None
    assert object_in({"project": {"columns": [{"id": "c1", "name": "n"}]}}, "column", "c1") == {"id": "c1", "name": "n"}


def test_cursors() -> None:
    assert cursor_of({"items": [], "next_cursor": "abc"}) == "abc"
    assert cursor_of({"meta": {"nextPageToken": "abc"}}) == "abc"
    assert cursor_path({"meta": {"nextPageToken": "abc"}}) == ["meta", "nextPageToken"]
    assert cursor_of({"items": [], "next_cursor": None}) is None


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (" a ", "a"), ("A@X.example", "a@x.example"), (1, 1.0), ("7", 7), (["a", "b"], ["b", "a"]), (["a", "a"], ["a"]),
        ("2026-03-02T10:00:00+01:00", "2026-03-02T09:00:00Z"), ({"a": 1}, {"a": 1, "b": 2}),
    ],
)  # fmt: skip
def test_the_same_in_another_spelling(given: Any, found: Any) -> None:
    assert same(given, found)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("a", "b"),
        ("a", None),
        (True, 1),
        (1, 2),
        (["a"], ["a", "b"]),
        (["a"], []),
        ("Ab", "ab"),
        ("1.0", 2),
        ({"a": 1}, {}),
    ],
)
def test_something_else(given: Any, found: Any) -> None:
    assert not same(given, found)


def test_values_are_shown_at_the_top_or_once_below() -> None:
    assert shown({"postalCode": "1"}, "postal_code") == (True, "1")
    assert shown({"address": {"zip": "1"}}, "zip") == (True, "1")
    assert shown({"from": {"zip": "1"}, "to": {"zip": "2"}}, "zip") == (False, None)


def test_instants() -> None:
    assert instant("2026-03-02") == instant("2026-03-02T00:00:00Z")
    assert instant("hello world") is None and instant("0001-01-01T00:00:00+14:00") is None and instant(5) is None
