"""How a reference solution carries information: values that are taken from earlier observations.

A call of a reference solution may keep its observation (``save: invoice``). Anywhere in the arguments of a later
call, and in the final answer, these objects stand for a value:

- ``{$from: invoice, path: data.items.0.id}``: what stands at that path of the observation. A path is a row of steps
  between dots: a field's name, a position (``0``, ``-1`` for the last), or ``[field=text]`` for the first item of a
  list whose field has that text: ``data.items.[email=joost.mulder@brightwater.example].id``.
- ``{$from: message, path: data.body, match: "EUR ([0-9.]+)"}``: the part of that text which the group of the regular
  expression finds, as a person would read an amount out of a mail. With ``as: number`` it becomes a number.
- ``{$text: "Invoice {number} is due.", number: {$from: ..., path: ...}}``: the text with each ``{name}`` replaced. The
  words around them are free: what a task asks for by the letter is a ``{name}`` too, with a plain text as its value.
- ``{$calc: "round(amount * rate, 2)", amount: {$from: ...}, rate: {$from: ...}}``: what is computed from values, as in
  ``tasks.calculation``.

What is not such an object stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import regex

from engine.kit.values import canonical_json
from tasks.calculation import FUNCTIONS, calculate, expression_problem, variables
from tasks.errors import UnresolvedReference

_STEP = re.compile(r"\[(?P<field>\w+)=(?P<text>[^\]]*)\]|(?P<name>[^.\[\]]+)")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""A placeholder of a ``$text``."""
MATCH_SECONDS = 2.0
"""How long a ``match`` may look: an expression can take for ever, and whoever wrote the task is not trusted."""


def template_problem(value: Any) -> str | None:
    """What is wrong with the form of a value that may hold references, or ``None``."""
    if isinstance(value, Mapping):
        if "$from" in value:
            return _reference_problem(value)
        if "$text" in value:
            if not isinstance(value["$text"], str):
                return "$text is a text"
            given, used = set(value) - {"$text"}, set(PLACEHOLDER.findall(value["$text"]))
            if given != used:
                return f"the text uses {sorted(used)} and {sorted(given)} are given"
        if "$calc" in value and (wrong := _calculation_problem(value)):
            return wrong
        for item in value.values():
            if problem := template_problem(item):
                return problem
    elif isinstance(value, list):
        for item in value:
            if problem := template_problem(item):
                return problem
    return None


def names_used(value: Any) -> Iterator[str]:
    """The saved observations that a value refers to, in order."""
    for reference in references(value):
        yield reference["$from"]


def references(value: Any) -> Iterator[Mapping[str, Any]]:
    """The references in a value, in order."""
    if isinstance(value, Mapping):
        if "$from" in value:
            yield value
        else:
            for item in value.values():
                yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def resolve(value: Any, saved: Mapping[str, Any]) -> Any:
    """A value with every reference replaced by what it stands for.

    Args:
        saved: observations by the name under which they were kept.

    Raises:
        UnresolvedReference: an observation was not kept, or has nothing at that path.
    """
    if isinstance(value, Mapping):
        if "$from" in value:
            if value["$from"] not in saved:
                raise UnresolvedReference(f"no observation is kept as {value['$from']!r}")
            found = at_path(saved[value["$from"]], value["path"], value["$from"])
            return _part(found, value) if "match" in value else found
        if "$text" in value:
            parts = {name: _shown(resolve(item, saved)) for name, item in value.items() if name != "$text"}
            return PLACEHOLDER.sub(lambda match: parts[match[1]], value["$text"])
        if "$calc" in value:
            names = {name: resolve(item, saved) for name, item in value.items() if name != "$calc"}
            return calculate(value["$calc"], names)
        return {name: resolve(item, saved) for name, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, saved) for item in value]
    return value


def at_path(value: Any, path: str, name: str = "the observation") -> Any:
    """The value at a path.

    Raises:
        UnresolvedReference: there is none.
    """
    walked = []
    for step in _STEP.finditer(path):
        walked.append(step[0])
        try:
            if step["field"] is not None:
                value = next(
                    item for item in value if isinstance(item, dict) and _shown(item.get(step["field"])) == step["text"]
                )
            elif isinstance(value, list):
                value = value[int(step["name"])]
            else:
                value = value[step["name"]]
        except (KeyError, IndexError, ValueError, TypeError, StopIteration):
            raise UnresolvedReference(f"{name} has nothing at {'.'.join(walked)}") from None
    return value


def _reference_problem(value: Mapping[str, Any]) -> str | None:
    unknown = sorted(value.keys() - {"$from", "path", "match", "as"})
    if unknown or "path" not in value or not all(isinstance(item, str) for item in value.values()):
        return "a reference has the texts $from and path, and may have match and as"
    if not _is_path(value["path"]):
        return f"the path {value['path']!r} is not a row of steps between dots"
    if value.get("as", "number") != "number" or ("as" in value and "match" not in value):
        return "`as: number` is the only conversion, and goes with a match"
    try:
        groups = regex.compile(value.get("match", "()")).groups
    except regex.error as error:
        return f"{value['match']!r} is not a regular expression: {error}"
    return None if groups == 1 else f"the regular expression {value['match']!r} has one group"


def _calculation_problem(value: Mapping[str, Any]) -> str | None:
    if not isinstance(value["$calc"], str):
        return "$calc is a text"
    if problem := expression_problem(value["$calc"]):
        return problem
    given, used = set(value) - {"$calc"}, variables(value["$calc"])
    if taken := sorted(given & FUNCTIONS):
        return f"{', '.join(taken)}: the name of a function of $calc; give the value another name"
    return None if given == used else f"the expression uses {sorted(used)} and {sorted(given)} are given"


def _part(found: Any, reference: Mapping[str, Any]) -> Any:
    place = f"{reference['$from']}, {reference['path']}"
    try:
        match = regex.search(reference["match"], found, timeout=MATCH_SECONDS) if isinstance(found, str) else None
    except TimeoutError:
        raise UnresolvedReference(
            f"{place}: {reference['match']!r} took more than {MATCH_SECONDS:g} s; write it without nested repeats"
        ) from None
    if match is None:
        raise UnresolvedReference(f"{place}: nothing matches {reference['match']!r}")
    if "as" not in reference:
        return match[1]
    try:
        number = float(match[1].replace(",", ""))
    except ValueError:
        raise UnresolvedReference(f"{reference['$from']}: {match[1]!r} is not a number") from None
    return int(number) if number.is_integer() else number


def _is_path(path: str) -> bool:
    return ".".join(step[0] for step in _STEP.finditer(path)) == path != ""


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
