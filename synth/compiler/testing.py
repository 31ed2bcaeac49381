"""Tests of a compiled service: each tool once with success and once refused, where the seed data says how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from synth.compiler.calls import described
from synth.compiler.parameters import Parameter
from synth.compiler.plan import EntityPlan, ServicePlan, ToolPlan
from synth.compiler.samples import sample, sample_of
from synth.compiler.writing import ROWS, identifier, said

_NOBODY = "no-such-row"


def write_tests(plan: ServicePlan) -> str:
    """The test module, in the form of every service's tests: functions that get ``play``."""
    lines = [
        f'"""Tests of {said(plan.title)}, compiled from its specification."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
    ]
    for tool in plan.tools:
        if tool.call is not None and tool.entity is not None:
            lines += [line for test in _tests(tool) for line in ("", "", *test)]
    return "\n".join([*lines, ""])


def does(tool: ToolPlan) -> str:
    """The name of the test that a tool does what it is for."""
    return f"test_does_{tool.spec.name}"


def refuses(tool: ToolPlan) -> str:
    """The name of the test that a tool says no."""
    return f"test_refuses_{tool.spec.name}"


def _tests(tool: ToolPlan) -> Iterator[list[str]]:
    method, key, positional = described(tool)
    name = tool.spec.name
    validator = jsonschema_rs.validator_for({**tool.spec.input_schema, "additionalProperties": False})
    arguments = _arguments(tool, key, _rows_named(tool, method, positional))
    if arguments is not None and validator.is_valid(arguments):
        call = f"play.ok({name!r}, **{arguments!r})"
        plain = not (tool.call or "").startswith(("within(", "fitted("))
        yield [f"def {does(tool)}(play: Any) -> None:", *_success(method, call, plain, key, arguments)]
    if "id" in key.values():
        parameter = tool.given(next(item for item, column in key.items() if column == "id"))
        wrong = (
            arguments and parameter and _with(arguments, parameter, _NOBODY if parameter.type == "string" else 987654)
        )
        if wrong:
            yield [f"def {refuses(tool)}(play: Any) -> None:", f"    play.fails({name!r}, **{wrong!r})"]
            return
    if not validator.is_valid({**(arguments or {}), "nonsense": 1}):
        refused = {**(arguments or {}), "nonsense": 1}
        yield [f"def {refuses(tool)}(play: Any) -> None:", f"    play.fails({name!r}, **{refused!r})"]


def _success(method: str, call: str, plain: bool, key: dict[str, str], arguments: dict[str, Any]) -> list[str]:
    if method == "delete":
        return [f"    {call}", f"    {call.replace('play.ok(', 'play.fails(', 1)}"]
    if plain and method in ("create", "get", "update"):
        return [f"    assert {call}['id']"]
    if plain and method == "find":
        return [f"    assert isinstance({call}, dict)"]
    return [f"    {call}"]


def _rows_named(tool: ToolPlan, method: str, names: list[str]) -> dict[str, Any]:
    """Values of parameters that name rows in a list."""
    entity = tool.entity
    if entity is None or not names:
        return {}
    item = tool.given(names[0])
    if item is None:
        return {}
    if method in ("append", "take_away"):
        held = entity.columns[names[1]]
        one: Any
        if held.elements is not None:
            one = identifier(held.elements, 0)
        elif method == "take_away":
            inside = sample(held, entity, 0)
            one = inside[0] if isinstance(inside, list) and inside else None
        else:
            return {}
        return {item.name: [one] if item.several else one}
    if method in ("get_many", "act_many", "delete_many", "update_many"):
        own = identifier(entity, 0)
        inner = item.schema.get("items")
        if len(names) > 1 and isinstance(inner, dict):
            needed = [name for name in inner.get("required") or [] if name != names[1]]
            return {item.name: [{names[1]: own, **{name: sample_of(inner, name) for name in needed}}]}
        return {item.name: [int(own) if own.isdigit() and _numbers(item) else own]}
    return {}


def _numbers(item: Parameter) -> bool:
    inner = item.schema.get("items")
    return isinstance(inner, dict) and inner.get("type") in ("integer", "number")


def _arguments(tool: ToolPlan, key: dict[str, str], named: dict[str, Any]) -> dict[str, Any] | None:
    """Arguments of a call that succeeds on the seed data: what is required, and what names the row."""
    assert tool.entity is not None
    arguments: dict[str, Any] = {}
    for item in tool.parameters:
        if item.required or item.name in key or item.name in named:
            value = named[item.name] if item.name in named else _value(tool.entity, item, key.get(item.name))
            if value is None or value == [None]:
                return None
            arguments = _with(arguments, item, value)
    for name in tool.spec.input_schema.get("required") or []:
        if name not in arguments:
            value = sample_of(tool.spec.input_schema, name)
            if value is None:
                return None
            arguments[name] = value
    return arguments


def _value(entity: EntityPlan, item: Parameter, column: str | None) -> Any:
    if column == "id":
        found: Any = identifier(entity, 0)
    else:
        held = entity.columns.get(column) if column else entity.of(item.name)
        if held is None:
            return sample_of({"properties": {item.name: dict(item.schema)}}, item.name)
        if held.target is not None:
            found = identifier(held.target, 0)
        elif held.elements is not None:
            found = [identifier(held.elements, 0)] if item.several else identifier(held.elements, 0)
        else:
            return sample(held, entity, 0 if column else ROWS)
    return int(found) if item.type in ("integer", "number") and str(found).isdigit() else found


def _with(arguments: dict[str, Any], item: Parameter, value: Any) -> dict[str, Any]:
    """The arguments with one more, in the groups that it stands in."""
    if not item.groups:
        return {**arguments, item.name: value}
    outer, *rest = item.groups
    inner = Parameter(
        item.name, tuple(rest), item.schema, item.required, item.words, item.identifies, item.named, item.type
    )
    return {**arguments, outer: _with(arguments.get(outer) or {}, inner, value)}
