"""The folder of a compiled service: state, tools, specification, seed data, as a person would write them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from synth.compiler.plan import Column, EntityPlan, ServicePlan, ToolPlan
from synth.compiler.samples import sample
from synth.runtime.patterns import text_of

ROWS = 4
"""Rows of seed data for each entity that there is not only one of."""

_WIDTH = 116


def write_service(plan: ServicePlan) -> dict[str, str]:
    """The files of the service, ``{path: text}``. Whatever comes from the specification stands in them as data."""
    return {
        "__init__.py": _package(plan),
        "state.py": _state(plan),
        "tools.json": json.dumps({"tools": [tool.spec.as_mcp() for tool in plan.tools]}, indent=1, ensure_ascii=False),
        "tools.py": _tools(plan),
        "seed.py": _seed(plan),
    }


def said(text: str) -> str:
    """A text as the one line of a docstring: nothing in it can end the docstring or the line."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    plain = plain.replace("\\", "/").replace('"', "'")
    return plain[:100].rstrip() or "No description."


def _package(plan: ServicePlan) -> str:
    simulated = [tool.spec.name for tool in plan.tools if tool.call is None]
    lines = [
        f'"""{said(plan.title)}, compiled from its specification."""',
        "",
        "from pathlib import Path",
        "",
        "from engine.kit import Service",
        "",
        "from . import seed, state, tools",
        "",
        "service = Service(",
        f"    name={plan.name!r},",
        f"    title={plan.title!r},",
        f"    domain={plan.domain!r},",
        f"    summary={plan.summary!r},",
        f"    entities=[{', '.join(f'state.{item.class_name}' for item in plan.entities)}],",
        "    tools=tools,",
        '    specification=Path(__file__).with_name("tools.json"),',
        "    seed=seed.rows,",
        f"    simulated={simulated!r},",
        ")",
        "",
    ]
    return "\n".join(lines)


def _state(plan: ServicePlan) -> str:
    lines = [
        f'"""What {said(plan.title)} keeps."""',
        "",
        "from __future__ import annotations",
        "",
        "from datetime import date, datetime",
        "from typing import Any",
        "",
        "from engine.kit import Entity, field, key, ref",
        "",
        "",
        "class _Base(Entity):",
        '    """Base of its entities."""',
        "",
        f"    __service__ = {plan.name!r}",
    ]
    for entity in plan.entities:
        lines += ["", "", f"class {entity.class_name}(_Base, table=True):"]
        lines += [f'    """{_article(entity)}."""', "", "    id: str = key()"]
        lines += [f"    {line}" for column in entity.columns.values() for line in [_field(plan, entity, column)]]
    return "\n".join([*lines, ""])


def _article(entity: EntityPlan) -> str:
    text = " ".join(entity.words)
    return f"{'An' if text[:1] in 'aeiou' else 'A'} {text}"


def _field(plan: ServicePlan, entity: EntityPlan, column: Column) -> str:
    needed = column.required and not _missing(column, entity)
    annotation = column.annotation + ("" if needed else " | None")
    default = "" if needed else ", default=None"
    if column.target is not None and column.enforced:
        deleted = "cascade" if needed else "set null"
        target = f"{plan.name}_{column.target.name}.id"
        return f"{column.name}: {annotation} = ref({target!r}{default}, on_delete={deleted!r})"
    unique = ", index=True" if column.unique else ""
    semantic = "reference" if column.target is not None else column.semantic
    return f"{column.name}: {annotation} = field({semantic!r}{default}{unique})"


def _missing(column: Column, entity: EntityPlan) -> bool:
    """Whether some row of the seed data has no value for it."""
    if column.target is not None:
        return column.target is entity
    return column.semantic == "json" or any(sample(column, entity, number) is None for number in range(ROWS))


def _tools(plan: ServicePlan) -> str:
    coded = [tool for tool in plan.tools if tool.call is not None]
    helpers = sorted(
        {"Records"}
        | {name for tool in coded for name in ("fitted", "flat", "within") if f"{name}(" in (tool.call or "")}
    )
    if "fitted" in helpers:
        helpers.append("outputs")
    lines = [
        f'"""The tools of {said(plan.title)}. Those that are missing here are left to the world model."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        "from engine.kit import Context, tool",
        f"from synth.runtime import {', '.join(helpers)}",
        "",
        "from . import state",
        "",
    ]
    if "fitted" in helpers:
        lines[lines.index("from typing import Any")] = "from pathlib import Path\nfrom typing import Any"
        lines += ['_OUTPUTS = outputs(Path(__file__).with_name("tools.json"))', ""]
    for entity in plan.entities:
        lines += list(_records(entity))
    for entity in plan.entities:
        for name, target in _targets(entity).items():
            lines.append(f"{entity.records}.refs[{name!r}] = {target.records}")
    for item in coded:
        lines += ["", "", *_tool(item)]
    return "\n".join([*lines, ""])


def _targets(entity: EntityPlan) -> dict[str, EntityPlan]:
    pairs = ((column.name, column.target or column.elements) for column in entity.columns.values())
    return {name: target for name, target in pairs if target is not None}


def _records(entity: EntityPlan) -> Iterator[str]:
    names = {column.name: column.shown for column in entity.columns.values() if column.shown != column.name}
    unique = [column.name for column in entity.columns.values() if column.unique]
    yield f"{entity.records} = Records("
    yield f"    state.{entity.class_name},"
    if names:
        yield f"    names={names!r},"
    if unique:
        yield f"    unique={unique!r},"
    if entity.id_form != "text":
        yield f"    id_form={entity.id_form!r},"
    if entity.shown_id:
        yield f"    shown_id={entity.shown_id!r},"
    yield ")"


def _tool(item: ToolPlan) -> list[str]:
    body = f"    return {item.call}"
    return [
        "@tool",
        f"def {item.spec.name}(ctx: Context, /, **arguments: Any) -> Any:",
        f'    """{said(item.spec.description or item.spec.original_name)}"""',
        body,
    ]


def _seed(plan: ServicePlan) -> str:
    lines = [
        f'"""{said(plan.title)} as it stands when a story starts."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Iterator",
        "from datetime import UTC, date, datetime",
        "",
        "from engine.kit import Entity, Seed",
        "",
        "from . import state",
        "",
        "",
        "def rows(seed: Seed) -> Iterator[Entity]:",
        '    """Every row, referenced ones first."""',
    ]
    for entity in plan.entities:
        lines += [line for number in range(1 if entity.single else ROWS) for line in _row(entity, number)]
    if not plan.entities:
        lines += ["    yield from ()"]
    return "\n".join([*lines, ""])


def _row(entity: EntityPlan, number: int) -> list[str]:
    values = [f"id={identifier(entity, number)!r}"]
    for column in entity.columns.values():
        value = _value(column, entity, number)
        if value is not None:
            values.append(f"{column.name}={value}")
    one = f"    yield state.{entity.class_name}({', '.join(values)})"
    if len(one) <= _WIDTH:
        return [one]
    return [f"    yield state.{entity.class_name}(", *(f"        {value}," for value in values), "    )"]


def _value(column: Column, entity: EntityPlan, number: int) -> str | None:
    if column.target is entity:
        return None
    if column.target is not None:
        return repr(identifier(column.target, 0 if column.target.single else number % ROWS))
    if column.elements is not None:
        return repr([identifier(column.elements, number % ROWS)])
    value: Any = sample(column, entity, number)
    if value is None:
        return None
    if column.annotation == "date":
        year, month, day = map(int, value[:10].split("-"))
        return f"date({year}, {month}, {day})"
    if column.annotation == "datetime":
        year, month, day = map(int, value[:10].split("-"))
        return f"datetime({year}, {month}, {day}, {int(value[11:13])}, {int(value[14:16])}, tzinfo=UTC)"
    return repr(float(value) if column.annotation == "float" else value)


def identifier(entity: EntityPlan, number: int) -> str:
    """The identifier of a row of the seed data."""
    if entity.id_form == "number":
        return str(101 + number)
    if entity.id_form == "uuid":
        return f"{number + 1:08d}-0000-4000-8000-{len(entity.name):012d}"
    if entity.id_form != "text":
        return _identifier_of(entity, number)
    return f"{entity.name.split('_')[-1][:6]}_{number + 1:04d}"


def _identifier_of(entity: EntityPlan, number: int) -> str:
    """An identifier by the regular expression, another for each row as far as it allows."""
    found: dict[str, None] = {}
    for attempt in range(20 * ROWS):
        made = text_of(entity.id_form, random.Random(f"{entity.name}/{attempt}"))
        if made is not None:
            found.setdefault(made)
        if len(found) > number:
            break
    return list(found)[number] if len(found) > number else f"{entity.name.split('_')[-1][:6]}_{number + 1:04d}"
