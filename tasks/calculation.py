"""What a reference solution computes from what it saw: a small, safe language of expressions.

Numbers are decimals, so that sums of money are exact. There are the operators ``+ - * /``, comparisons, ``x if c else
y``, and these functions:

- ``round(x, places)``, refused where a value lies in the middle between two;
- ``sum(...)``, ``min(...)``, ``max(...)``, ``abs(x)``;
- ``ceil(x)`` and ``floor(x)``: the next whole number up or down;
- ``days(date, n)`` and ``business_days(date, n)``: the date n days, or n days from Monday to Friday, later;
- ``days_between(start, end)``: whole days from one date to the other;
- ``in_zone(instant, zone)``: the local date and time of an instant, ``2026-03-09T15:00``; ``utc(local, zone)`` the
  instant of a local time.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.easter import easter
from simpleeval import DEFAULT_OPERATORS, SimpleEval

from engine.kit.values import moment_text
from tasks.errors import UnresolvedReference

LONGEST = 500
"""Characters that an expression has at most."""

LARGEST = 15
"""Digits before the point that a result has at most."""


def calculate(expression: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression: a number, a text or a truth value, as JSON has them.

    Args:
        names: JSON values, or lists of them, by the name that the expression uses.

    Raises:
        UnresolvedReference: it cannot be computed.
    """
    evaluator = SimpleEval(operators=_OPERATORS, functions=_FUNCTIONS, names={k: _exact(v) for k, v in names.items()})
    evaluator.nodes[ast.Constant] = lambda node: _exact(node.value)
    try:
        return _plain(evaluator.eval(expression))
    except Exception as error:  # whatever the operands and the library make of it
        raise UnresolvedReference(f"{expression!r} with {dict(names)} cannot be computed: {error}") from error


@cache
def expression_problem(expression: str) -> str | None:
    """What is wrong with the form of an expression, or ``None``."""
    if len(expression) > LONGEST:
        return f"an expression has at most {LONGEST} characters"
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError) as error:
        return f"{expression!r} is not an expression: {error}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS):
            return f"{expression!r} calls what is not one of {', '.join(_FUNCTIONS)}"
        if isinstance(node, ast.expr) and not isinstance(node, _NODES):
            return f"{expression!r} is more than operators, comparisons and functions"
    return None


@cache
def variables(expression: str) -> frozenset[str]:
    """The names that an expression uses, functions aside."""
    tree = ast.parse(expression, mode="eval")
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)) - _FUNCTIONS.keys()


def business_days(start: date, count: int) -> date:
    """The day that many days from Monday to Friday after (negative: before) a date.

    Raises:
        ValueError: a public holiday lies between, on which some people work and others do not.
    """
    step = timedelta(days=1 if count >= 0 else -1)
    for _ in range(abs(count)):
        start += step
        while start.weekday() >= 5:
            start += step
        if is_holiday(start):
            raise ValueError(f"{start} is a public holiday for some: count days that are the same for everybody")
    return start


def is_holiday(day: date) -> bool:
    """Whether some people have a public holiday."""
    sunday = easter(day.year)
    movable = (sunday - timedelta(days=2), sunday + timedelta(days=1))
    return day in movable or (day.month, day.day) in ((1, 1), (5, 1), (12, 25), (12, 26))


def _exact(value: Any) -> Any:
    if isinstance(value, list):
        return [_exact(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Decimal(str(value))
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        if not value.is_finite() or value.adjusted() >= LARGEST:
            raise ValueError(f"it has more than {LARGEST} digits before the point")
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bool | int | str):
        return value
    raise ValueError(f"it gives a {type(value).__name__}")


def _round(value: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    if (value.scaleb(int(places)) % 1).copy_abs() == Decimal("0.5"):
        raise ValueError(f"{value} lies in the middle between two results: choose values that everybody rounds alike")
    return value.quantize(Decimal(1).scaleb(-int(places)), rounding=ROUND_HALF_EVEN)


def _listed(function: Callable[[list[Decimal]], Decimal]) -> Callable[..., Decimal]:
    def of(*items: Any) -> Decimal:
        return function([part for item in items for part in (item if isinstance(item, list) else [item])])

    return of


def _day(value: str) -> date:
    return date.fromisoformat(value[:10])


def _in_zone(instant: str, zone: str) -> str:
    return datetime.fromisoformat(instant).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def _utc(local: str, zone: str) -> str:
    return moment_text(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC))


_OPERATORS = {
    kind: DEFAULT_OPERATORS[kind]
    for kind in (
        *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub),
        *(ast.Eq, ast.NotEq, ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.Not),
    )
}

_NODES = (ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp, ast.Compare, ast.IfExp, ast.Call)

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "round": _round,
    "sum": _listed(lambda items: sum(items, Decimal(0))),
    "min": _listed(min),
    "max": _listed(max),
    "abs": abs,
    "ceil": lambda value: value.to_integral_value(ROUND_CEILING),
    "floor": lambda value: value.to_integral_value(ROUND_FLOOR),
    "days": lambda day, count: (_day(day) + timedelta(days=int(count))).isoformat(),
    "business_days": lambda day, count: business_days(_day(day), int(count)).isoformat(),
    "days_between": lambda start, end: Decimal((_day(end) - _day(start)).days),
    "in_zone": _in_zone,
    "utc": _utc,
}

FUNCTIONS = frozenset(_FUNCTIONS)
"""The names of the functions: no value of an expression has one of them."""
