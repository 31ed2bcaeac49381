"""How a value and the row that it stands in are named in SQL conditions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engine.kit import Entity
from tasks.parts import Part
from tasks.rubric.messages import SPOKEN, words
from tasks.rubric.reference import Made, ReferenceRun, semantics
from tasks.rubric.says import literal, quoted, says

WORDED = ("title", "text", "name", "place", "tags", "json", "address")
"""Meanings of fields in which a value may stand among other words."""


def said(run: ReferenceRun, column: str, value: Any, depth: int = 0) -> str | None:
    """A condition that a text says a value; a value that the run made is asked for by the row that has it."""
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return None
    if not (isinstance(value, str) and value in run.made):
        return says(column, value)
    made = run.made[value]
    alias = f"m{depth}"
    rows = _made_row(run, made, alias)
    names = [f"says({column}, {alias}.{name})" for name in (*_other_names(run, made), made.column)]
    rows.append(f"({' OR '.join(names)})" if len(names) > 1 else names[0])
    return f"EXISTS (SELECT FROM {made.table} {alias} WHERE {' AND '.join(rows)})"


def equals(run: ReferenceRun, entity: type[Entity], name: str, value: Any, alias: str = "t") -> str:
    if isinstance(value, str) and value in run.made:
        made = run.made[value]
        inner = f"{alias}0"
        chosen = f"SELECT {inner}.{made.column} FROM {made.table} {inner}"
        return f"{alias}.{name} IN ({chosen} WHERE {' AND '.join(_made_row(run, made, inner))})"
    return plain(alias, name, value)


def plain(alias: str, name: str, value: Any) -> str:
    if isinstance(value, list | dict):
        return f"{alias}.{name} = {quoted(json.dumps(value, ensure_ascii=False))}::jsonb"
    return f"{alias}.{name} = {literal(value)}"


def is_key(entity: type[Entity], key: str, alias: str = "t") -> str:
    names = entity.key_columns()
    values = [key] if len(names) == 1 else json.loads(key)
    return " AND ".join(f"{alias}.{name} = {literal(value)}" for name, value in zip(names, values, strict=True))


def is_new(table: str, entity: type[Entity], alias: str) -> str:
    """A condition: a row was made on the branch."""
    names = entity.key_columns()
    shown = (
        f"{alias}.{names[0]}"
        if len(names) == 1
        else "jsonb_build_array(" + ", ".join(f"{alias}.{name}" for name in names) + ")::text"
    )
    return f"is_new({quoted(table)}, {shown})"


def same(part: Part, name: str, semantic: str, value: Any) -> bool:
    given = part.value
    if part.in_text:
        return False
    if isinstance(value, bool) or isinstance(given, bool):
        return given is value and part.argument == name
    if isinstance(value, int | float):
        return isinstance(given, int | float) and float(given) == float(value)
    if isinstance(value, str) and isinstance(given, str):
        if semantic == "datetime":
            return _instant(given) == _instant(value) is not None
        if semantic in ("status", "category"):
            return given == value and (part.argument in (name, f"new_{name}") or len(value) > 3)
        return given == value
    return bool(given == value)


def stands_in(part: Part, shown: str) -> bool:
    value = part.value
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return False
    return (
        value in shown
        if isinstance(value, str)
        else bool(re.search(rf"(?<![\w.,]){re.escape(json.dumps(value))}(?![.,]?\d)", shown))
    )


def _made_row(run: ReferenceRun, made: Made, alias: str) -> list[str]:
    """Which new row is meant: the only one of its table, or the one with these values.

    What else it should be like is another criterion's business, so that a slip there does not fail every text that
    names the record.
    """
    row, entity = run.final[made.table, made.key] or {}, run.entity(made.table)
    number = run.inserted.get((made.table, made.key))
    if number is None:
        return [is_key(entity, made.key, alias)]
    if sum(table == made.table for table, _ in run.inserted) == 1:
        return [is_new(made.table, entity, alias)]
    kinds = semantics(entity)
    given = {
        name: value
        for name, value in row.items()
        if kinds[name] not in (*WORDED, "datetime")
        and not (isinstance(value, str) and value in run.made)
        and any(same(part, name, kinds[name], value) for part in run.parts[number])
    }
    found = [plain(alias, name, value) for name, value in given.items()]
    others = [run.final[place] or {} for place in run.inserted if place[0] == made.table and place[1] != made.key]
    alike = [other for other in others if all(other.get(name) == value for name, value in given.items())]
    return [*found, *_told_apart(run, number, made.table, row, alike, alias), is_new(made.table, entity, alias)]


def _told_apart(
    run: ReferenceRun, number: int, table: str, row: Mapping[str, Any], others: Sequence[Mapping[str, Any]], alias: str
) -> list[str]:
    """One value in the words of a new row that is in none of those which are otherwise like it."""
    entity = run.entity(table)
    columns = [name for name in row if semantics(entity)[name] in SPOKEN]
    told, *rest = ("\n".join(str(one.get(name)) for name in columns) for one in (row, *others))
    for part in run.parts[number] if rest and columns else ():
        unknown = not (isinstance(part.value, str) and part.value in run.made)
        if part.in_text and unknown and stands_in(part, told) and not any(stands_in(part, other) for other in rest):
            return [says(f"concat_ws(' ', {', '.join(words(entity, columns, alias))})", part.value)]
    return []


def _other_names(run: ReferenceRun, made: Made) -> list[str]:
    """Where a new record's number is asked for, its identifier does as well, and the other way round."""
    names = {"number", *run.entity(made.table).key_columns()}
    its = (other for other in run.made.values() if (other.table, other.key) == (made.table, made.key))
    return [other.column for other in its if other != made and {other.column, made.column} <= names]


def _instant(value: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else None
