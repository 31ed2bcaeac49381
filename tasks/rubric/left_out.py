"""Optional arguments that the reference solution left out: what a new record may hold there all the same.

What is empty or a number when nobody gives it stays so, for it binds somebody: an end date, an assignee, a room, a
repetition, a discount. What has a sensible value of its own among several (a kind, a priority, a board's first column)
is the agent's choice, and so are words and labels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tasks.rubric.reference import ReferenceRun, semantics
from tasks.rubric.says import literal, quoted

_AMOUNTS = ("money", "percent", "quantity", "ratio", "minutes", "flag", "currency")
_TIMES = ("date", "datetime")
_REPEATS = ("recurrence",)
_STAGES = ("column_id", "stage_id")
"""Where a new record stands in its course; it has to stand somewhere."""

LINKS = ("_emails", "_ids")
"""How lists of people and records are named, which bind; lists of labels do not."""


def is_choice(run: ReferenceRun, number: int, table: str, name: str) -> bool:
    """Whether a column holds what the tool chose because the call did not: another value there is as good."""
    kind = semantics(run.entity(table))[name]
    return name in run.left_out(number) and (kind == "category" or name in _STAGES)


def unasked(run: ReferenceRun, number: int, table: str, row: Mapping[str, Any], alias: str) -> list[str]:
    """Conditions on a row that a call made: what the call left out and what would bind somebody is not given.

    Args:
        row: as the run left it; what a later call gave is not left out.
    """
    made = next(item.after or {} for item in run.events[number].changes if item.table == table)
    found = (
        _empty(run, table, name, kind, row[name], f"{alias}.{name}")
        for name, kind in semantics(run.entity(table)).items()
        if name in run.left_out(number) and name in row and row[name] == made.get(name)
    )
    return [condition for condition in found if condition]


def _empty(run: ReferenceRun, table: str, name: str, kind: str, value: Any, column: str) -> str | None:
    if kind in _AMOUNTS and not isinstance(value, list | dict):
        return f"{column} IS NULL" if value is None else f"{column} = {literal(value)}"
    if kind == "tags" and value == [] and name.endswith(LINKS):
        return f"{column} <@ {quoted(json.dumps([run.person] if name.endswith('_emails') else []))}::jsonb"
    if value is not None:
        return None
    if kind in _TIMES or name in _REPEATS:
        return f"{column} IS NULL"
    if kind == "email":
        return f"coalesce({column}, {quoted(run.person)}) = {quoted(run.person)}"
    if kind == "reference":
        return _unlinked(run, table, name, column)
    return None


def _unlinked(run: ReferenceRun, table: str, name: str, column: str) -> str | None:
    """No record but one that the task is about; where it stands among its own kind is free."""
    target = str(run.entity(table).table().columns[name].info["target"])
    if target.startswith(f"{table}."):
        return None
    about = [literal(key) for key in run.about(target)]
    return f"coalesce({column} IN ({', '.join(about)}), true)" if about else f"{column} IS NULL"
