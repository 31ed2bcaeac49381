"""Is the right text always the newest of its kind? Then whoever takes the newest needs no search and no join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from tasks.admission.ground import Ground
from tasks.admission.occurrences import leaves
from tasks.errors import UnresolvedReference
from tasks.templates import references, resolve

_ALIKE = 3
"""So many texts with different values make a choice."""
_CHOICES = 2
"""Where only one text has to be chosen, it may be the newest by chance."""


def findings(ground: Ground) -> list[str]:
    """What is wrong with the age of the planted texts that the reference reads; nothing in most tasks."""
    chosen: dict[str, bool] = {}
    for call in ground.calls:
        for taken in references(call.arguments):
            if "match" in taken and (newest := _is_newest(ground, taken)) is not None:
                chosen[taken["$from"]] = chosen.get(taken["$from"], True) and newest
    if len(chosen) < _CHOICES or not all(chosen.values()):
        return []
    return [
        f"each text that has to be found among others of its kind ({', '.join(sorted(chosen))}) is the newest of them: "
        "whoever always takes the newest is right without knowing which; let others be newer"
    ]


def _is_newest(ground: Ground, taken: Mapping[str, Any]) -> bool | None:
    """Whether the newest planted text that has such a part has the right one; ``None`` where there is no choice."""
    right = resolve(taken, ground.saved)
    service = next(call.service for call in ground.calls if call.save == taken["$from"])
    for table in sorted(ground.tables(service) & set(ground.task.task.s0.insert)):
        said = [
            (written, value)
            for row in ground.task.task.s0.insert[table]
            if (written := _written(row)) is not None
            for value in _values(row, taken)
        ]
        if any(value == right for _, value in said) and len({str(value) for _, value in said}) >= _ALIKE:
            last = max(written for written, _ in said)
            return {str(value) for written, value in said if written == last} == {str(right)}
    return None


def _written(row: Mapping[str, Any]) -> datetime | None:
    """When a row came to be: its earliest instant."""
    instants = [
        datetime.fromisoformat(at) for name, at in row.items() if name.split("_")[-1] == "at" and "T" in str(at)
    ]
    return min(instants, default=None)


def _values(row: Mapping[str, Any], taken: Mapping[str, Any]) -> Iterator[Any]:
    """What the expression finds in the texts of a row."""
    for text in leaves(row):
        if isinstance(text, str) and " " in text:
            try:
                yield resolve({**taken, "path": "text"}, {taken["$from"]: {"text": text}})
            except UnresolvedReference:
                continue
