"""Values between JSON and Python: what has a form, and the one canonical form."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kit import jsonable
from engine.kit.values import canonical_json, unstorable
from tests.engine.test_kit import AT, product

LAWS = settings(max_examples=100, deadline=None, derandomize=True)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@LAWS
@given(JSON)
def test_canonical_json_is_json(value: Any) -> None:
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text
    assert json.loads(text) == json.loads(json.dumps(value))


@LAWS
@given(st.dictionaries(st.text(), st.integers(), min_size=2), st.randoms(use_true_random=False))
def test_canonical_json_knows_no_order(value: dict[str, int], random: Random) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical_json(dict(items)) == canonical_json(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (-0.0, "0"), (1e20, "100000000000000000000"), (0.1, "0.1"), (True, "true"),
    ({"b": 1, "a": [1.0]}, '{"a":[1],"b":1}'),
     ("é\u2028", '"é\u2028"'), ({}, "{}")],
)  # fmt: skip
def test_canonical_forms(value: Any, text: str) -> None:
    assert canonical_json(value) == text


@LAWS
@given(JSON)
def test_json_values_stay_what_they_are(value: Any) -> None:
    assert jsonable(value) == value
    bad = "\x00" in json.dumps(value, ensure_ascii=False) or "\\u0000" in json.dumps(value)
    assert (unstorable(value) is not None) is bad or "\\ud" in json.dumps(value)


def test_jsonable() -> None:
    assert jsonable({"a": (Decimal("1.50"), Decimal(2), AT, AT.date(), None, True)}) == {
        "a": [1.5, 2, "2026-01-01T00:00:00Z", "2026-01-01", None, True]
    }
    assert jsonable(product())["added_at"] == "2026-01-01T00:00:00Z"
    for bad in ({1}, b"x", math.nan, Decimal("NaN"), {1: 2}, object()):
        with pytest.raises(TypeError, match="result"):
            jsonable(bad)
    with pytest.raises(TypeError, match=r"result\.a\[1\]\.b"):
        jsonable({"a": [0, {"b": {1}}]})
