"""Arguments, answers and texts of a pattern."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import BigInteger, Boolean, Column, Date, DateTime, Float, Text
from sqlalchemy.dialects.postgresql import JSONB

from engine.errors import ToolError
from synth.runtime import fitted, flat, within
from synth.runtime.arguments import as_column, as_text, values_of
from synth.runtime.patterns import text_of


def test_flat() -> None:
    given_arguments = {"body": {"title": "a", "data": {"pages": 2}, "loan": {"x": 1}}, "title": "b", "query": [1]}
    assert flat(given_arguments, "body", "data") == {"title": "b", "query": [1], "pages": 2, "loan": {"x": 1}}
    assert flat({"body": "text"}, "body") == {"body": "text"}


@pytest.mark.parametrize(
    ("kind", "value", "held"),
    [
        (Text, 7, "7"),
        (Text, 7.0, "7"),
        (Text, "x", "x"),
        (BigInteger, 7, 7),
        (BigInteger, 7.0, 7),
        (Float, 7, 7.0),
        (Boolean, True, True),
        (Date, "2026-03-05", date(2026, 3, 5)),
        (DateTime, "2026-03-05T10:00:00+02:00", datetime(2026, 3, 5, 8, tzinfo=UTC)),
        (DateTime, "2026-03-05", datetime(2026, 3, 5, tzinfo=UTC)),
        (JSONB, {"a": [1]}, {"a": [1]}),
        (BigInteger, None, None),
    ],
)
def test_as_column(kind: Any, value: Any, held: Any) -> None:
    assert as_column(Column("x", kind), value, "x") == held


@pytest.mark.parametrize(
    ("kind", "value"),
    [(BigInteger, 1.5), (BigInteger, 2**63), (BigInteger, "x"), (Float, "x"), (Date, "tomorrow"), (Date, 5),
     (DateTime, "soon"), (DateTime, 5), (DateTime, "0001-01-01T00:00:00+14:00")],
)  # fmt: skip
def test_what_a_column_cannot_hold(kind: Any, value: Any) -> None:
    with pytest.raises(ToolError) as error:
        as_column(Column("x", kind), value, "due")
    assert error.value.code == "invalid" and error.value.message.startswith("due: ")


def test_small_things() -> None:
    assert (as_text(7), as_text(7.0), as_text("x"), as_text(1.5)) == ("7", "7", "x", "1.5")
    assert (values_of(None), values_of("a"), values_of(["a"])) == ([], ["a"], ["a"])
    assert within(1, "data", "loan") == {"data": {"loan": 1}}


NODE = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "next": {"$ref": "#/$defs/node"}, "due": {"type": ["string", "null"]}},
    "required": ["id", "due"],
    "additionalProperties": False,
}


def test_fitted() -> None:
    schema = {**NODE, "$defs": {"node": NODE}}
    answer = {"id": "a", "more": 1, "next": {"id": "b", "more": 2}}
    assert fitted(answer, schema) == {"id": "a", "due": None, "next": {"id": "b", "due": None}}
    # What is wrong stays wrong where it is needed: the attack is to find it.
    assert fitted({"id": 5}, schema)["id"] == 5
    assert fitted({"id": "a", "next": "b"}, schema) == {"id": "a", "due": None}
    numbers = {"type": "array", "items": {"$ref": "#/$defs/n"}}
    number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    rows = {"type": "object", "properties": {"rows": numbers}, "$defs": {"n": number}}
    assert fitted({"rows": [{"n": 1}, {}]}, rows) == {"rows": [{"n": 1}, {"n": 0}]}


@pytest.mark.parametrize("schema", [{}, {"$ref": "#/$defs/none"}, {"$ref": "#"}, {"properties": {"x": True}}])
def test_schemas_that_say_nothing(schema: dict[str, Any]) -> None:
    assert fitted({"x": [1, {"y": None}]}, schema) == {"x": [1, {"y": None}]}


@given(st.integers())
def test_texts_of_a_pattern(seed: int) -> None:
    import re

    for pattern in ("^[^0-9]{3}-[A-Z]+$", "^(?:loan|copy)_\\d{4}$", "a.c?", "[^a-z]", "^x[^y]z*$"):
        made = text_of(pattern, random.Random(seed))
        assert made is not None and re.search(pattern, made) and made.isprintable()
        assert made == text_of(pattern, random.Random(seed))
