"""Looking at the state: the tables of a service, and rows of the present s0. Short texts, of bounded size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from engine.compositions import Composition
from engine.errors import NotFound
from engine.kit import Entity, jsonable
from engine.states import Change
from synth.dialogue.tools import Result, bounded
from tasks.modelled.tools import Rows

MAX_RESULT = 12_000
"""Characters of a result that the model is shown."""

_LONGEST_VALUE = 600


def tables(composition: Composition, service: str, rows: Iterable[Entity]) -> Result:
    """The tables of a service, a field each line, with the number of rows."""
    if service not in composition.services:
        return Result(f"there is no service {service!r}; there are {', '.join(composition.services)}", error=True)
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.table().name] = counts.get(row.table().name, 0) + 1
    lines = []
    for entity in composition.services[service].entities:
        table = entity.table()
        lines.append(f"{table.name} ({counts.get(table.name, 0)} rows)")
        lines += [f"  {_field(entity, name)}" for name in entity.model_fields]
    return Result(bounded("\n".join(lines), MAX_RESULT))


def rows_of(composition: Composition, wanted: Rows, rows: Iterable[Entity]) -> Result:
    """Rows of a table, one JSON object each line."""
    try:
        entity = composition.entity(wanted.table)
    except NotFound:
        known = [entity.table().name for service in composition.services.values() for entity in service.entities]
        near = [name for name in known if name.split("_")[0] == wanted.table.split("_")[0]] or known
        return Result(f"there is no table {wanted.table!r}; there are {', '.join(near)}", error=True)
    if unknown := sorted({*wanted.where, *(wanted.fields or ())} - entity.model_fields.keys()):
        return Result(f"no field {unknown[0]!r}; the fields are {', '.join(entity.model_fields)}", error=True)
    found = []
    for row in rows:
        if type(row) is not entity:
            continue
        values = jsonable(row)
        text = json.dumps(values, ensure_ascii=False)
        if all(values[name] == value for name, value in wanted.where.items()) and (
            wanted.containing is None or wanted.containing.lower() in text.lower()
        ):
            shown = values if wanted.fields is None else {name: values[name] for name in wanted.fields}
            found.append(json.dumps(_short(shown), ensure_ascii=False))
    first = found[: wanted.limit]
    head = f"{len(found)} rows" + (f", the first {len(first)} of them" if len(first) < len(found) else "")
    return Result(bounded("\n".join([head, *first]), MAX_RESULT))


def changes_text(changes: Sequence[Change]) -> str:
    """Row changes for reading: a new row with its values, a changed one with the fields before and after."""
    lines = []
    for item in changes:
        if item.op == "update":
            fields = {name: [before, after] for name, (before, after) in item.fields.items()}
            lines.append(f"~ {item.table} {item.key}: {json.dumps(_short(fields), ensure_ascii=False)}")
        else:
            sign, row = ("+", item.after) if item.op == "insert" else ("-", item.before)
            lines.append(f"{sign} {item.table} {item.key}: {json.dumps(_short(row or {}), ensure_ascii=False)}")
    return "\n".join(lines) or "nothing"


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[:_LONGEST_VALUE]}[... {len(value) - _LONGEST_VALUE} more characters]"
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value]
    return value


def _field(entity: type[Entity], name: str) -> str:
    column = entity.table().columns[name]
    info = column.info
    parts = [str(info.get("semantic", ""))]
    if target := info.get("target"):
        parts.append(f"→ {target}")
    if choices := info.get("choices"):
        parts.append("one of " + ", ".join(choices))
    if pattern := info.get("pattern"):
        parts.append(f"pattern {pattern}")
    if column.nullable:
        parts.append("or null")
    elif entity.model_fields[name].is_required():
        parts.append("required")
    elif isinstance(default := entity.model_fields[name].default, str | int | float):
        parts.append(f"else {json.dumps(default)}")
    if column.unique:
        parts.append("unique")
    if column.primary_key:
        parts.append("key")
    return f"{name}: {', '.join(parts)}"
