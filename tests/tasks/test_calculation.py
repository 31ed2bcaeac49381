"""What a reference solution computes."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.calculation import calculate, expression_problem, variables
from tasks.errors import UnresolvedReference
from tasks.templates import resolve, template_problem


@pytest.mark.parametrize(
    ("expression", "names", "value"),
    [
        ("round(amount * rate, 2)", {"amount": 10.16, "rate": 1.1}, 11.18),
        ("sum(items)", {"items": [0.1, 0.2]}, 0.3),
        ("sum(a, b) - max(a, b)", {"a": 2, "b": 7}, 2),
        ("ceil(n * 115 / 100)", {"n": 54}, 63),
        ("floor(n / 7)", {"n": 20}, 2),
        ("a if a > b else b", {"a": 3, "b": 5}, 5),
        ("business_days(day, 3)", {"day": "2026-03-05"}, "2026-03-10"),
        ("business_days(day, -1)", {"day": "2026-03-09"}, "2026-03-06"),
        ("days(day, 10)", {"day": "2026-02-25T08:00:00Z"}, "2026-03-07"),
        ("days_between(a, b)", {"a": "2026-02-27", "b": "2026-03-02"}, 3),
        ("in_zone(at, 'Australia/Perth')", {"at": "2026-03-02T23:30:00Z"}, "2026-03-03T07:30"),
        ("utc(at, 'Europe/Lisbon')", {"at": "2026-04-01T09:00"}, "2026-04-01T08:00:00Z"),
    ],
)
def test_values(expression: str, names: dict[str, Any], value: Any) -> None:
    assert expression_problem(expression) is None
    assert variables(expression) == set(names)
    assert calculate(expression, names) == value


@pytest.mark.parametrize(
    "expression", ["open('x')", "a.b", "a[0]", "[x for x in a]", "lambda: 1", "1 +", "f'{a}'", "a" * 600]
)
def test_refused_by_form(expression: str) -> None:
    assert expression_problem(expression)


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("a / b", {"a": 1, "b": 0}),
        ("a + b", {"a": 1, "b": "x"}),
        ("days(a, 1)", {"a": "soon"}),
        ("round(a, 2)", {"a": 2131.915}),
        ("a * a * a", {"a": 1e300}),
        ("business_days(a, 20)", {"a": "2026-03-13"}),
    ],
)
def test_cannot_be_computed(expression: str, names: dict[str, Any]) -> None:
    with pytest.raises(UnresolvedReference, match="cannot be computed"):
        calculate(expression, names)


def test_in_a_template() -> None:
    saved = {"order": {"data": {"lines": [{"sum": 12.5}, {"sum": 7.5}]}}}
    total = {
        "$calc": "a + b",
        "a": {"$from": "order", "path": "data.lines.0.sum"},
        "b": {"$from": "order", "path": "data.lines.1.sum"},
    }
    assert resolve({"$text": "{sum} EUR", "sum": total}, saved) == "20 EUR"
    assert template_problem({"$calc": "a + b", "a": 1}) == "the expression uses ['a', 'b'] and ['a'] are given"
    taken = template_problem({"$calc": "days * 2", "days": 1})
    assert taken == "days: the name of a function of $calc; give the value another name"
