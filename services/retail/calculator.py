"""Arithmetic from untrusted text, with the results and error texts of Python's own, and bounded work."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

MAX_EXPRESSION = 1_000
"""Characters of an expression."""

MAX_BITS = 8_192
"""Size of a whole power; a float holds 1,024 bits, so nothing that could be shown is lost."""

_CHARACTERS = frozenset("0123456789+-*/(). ")


class CalculationError(ValueError):
    """The expression has no value; the message says why."""


def calculate(expression: str) -> str:
    """The value as text, rounded to two decimals: ``"14.0"`` for ``"2 + 3 * 4"``.

    Raises:
        CalculationError: a character is not allowed, the syntax is wrong, or the arithmetic has no result.
    """
    if not _CHARACTERS.issuperset(expression):
        raise CalculationError("Invalid characters in expression")
    if len(expression) > MAX_EXPRESSION:
        raise CalculationError(f"Expression is longer than {MAX_EXPRESSION} characters")
    try:
        tree = ast.parse(expression.lstrip(" "), "<string>", "eval")
        return str(round(float(_value(tree.body)), 2))
    except (SyntaxError, ArithmeticError, TypeError) as error:
        raise CalculationError(str(error)) from None
    except (MemoryError, RecursionError):
        raise CalculationError("Expression is nested too deeply") from None


def _value(root: ast.expr) -> Any:
    # A list instead of recursion: how deep an expression may go must not depend on who calls.
    todo: list[ast.expr] = [root]
    order: list[ast.expr] = []
    while todo:
        node = todo.pop()
        order.append(node)
        todo.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    values: dict[ast.expr, Any] = {}
    for node in reversed(order):
        values[node] = _node(node, values)
    return values[root]


def _node(node: ast.expr, values: dict[ast.expr, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](values[node.operand])
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](values[node.left], values[node.right])
    if isinstance(node, ast.Tuple):
        return tuple(values[item] for item in node.elts)
    if isinstance(node, ast.Call):
        raise TypeError(f"'{type(values[node.func]).__name__}' object is not callable")
    raise TypeError("invalid syntax (<string>, line 1)")


def _numbers_only(operation: Callable[..., Any]) -> Callable[..., Any]:
    def checked(*operands: Any) -> Any:
        if not all(isinstance(item, int | float | complex) for item in operands):
            raise TypeError("unsupported operand type(s)")  # not () * 10**9
        return operation(*operands)

    return checked


def _power(base: Any, exponent: Any) -> Any:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and exponent > 0 and abs(base) > 1 and base.bit_length() * exponent > MAX_BITS:
        raise OverflowError("int too large to convert to float")
    return base**exponent


_UNARY: dict[type[ast.unaryop], Callable[..., Any]] = {
    ast.UAdd: _numbers_only(operator.pos),
    ast.USub: _numbers_only(operator.neg),
}
_BINARY: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: _numbers_only(operator.add),
    ast.Sub: _numbers_only(operator.sub),
    ast.Mult: _numbers_only(operator.mul),
    ast.Div: _numbers_only(operator.truediv),
    ast.FloorDiv: _numbers_only(operator.floordiv),
    ast.Pow: _numbers_only(_power),
}
