"""Does the rubric notice what no variant of the reference does: a row changed, deleted or made, by whatever tool?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from sqlalchemy import Table, UniqueConstraint

from engine.kit import Entity
from engine.states import Change
from engine.verifiers import judge
from tasks.admission.ground import Ground, failed
from tasks.rubric.guard import REMARK

_SPOKEN = ("title", "text", "name", "person", "company")
_KINDS = (("status", "category"), ("money", "quantity", "percent"), ("date", "datetime"), ("reference",))
"""Semantic types of what stands in a row beside words."""

_STAMP = re.compile(r"_(?:at|by)$|^last_")
"""Columns that say when or by whom a row was last touched or read."""

_MESSAGE = re.compile("message|comment|reply")
_TOUCHED = 3
"""Rows that the reference changes, in which another column is changed."""


def strays(ground: Ground) -> tuple[set[str], list[str]]:
    """Rows of each service are changed, deleted and made: the guards that mind, and what none of them minds.

    Rows that the reference touches are left out, and tables that it puts rows into where rows are made. Of the rows
    that it changes, some are changed in another column. Distractors are services like the others.
    """
    guards = [item for item in ground.task.criteria if item.kind == "must_not_change"]
    minding: set[str] = set()
    findings = []
    for change in _strays(ground):
        names = failed(judge(ground.otherwise([change]), guards))
        minding.update(names)
        if not names:
            findings.append(
                f"no criterion notices that row {change.key} of {change.table} is {_done(change)}, which nobody asked"
                " for: say that nothing else may change, in every service"
            )
    return minding, findings


def _done(change: Change) -> str:
    return {"delete": "deleted", "insert": "new"}.get(change.op) or f"changed ({', '.join(change.fields)})"


def _strays(ground: Ground) -> Iterator[Change]:
    touched = {(change.table, change.key) for event in ground.events for change in event.changes}
    for place, service in enumerate(ground.task.services):
        yield from _of_words(ground, service, touched)
        draw = ground.random(f"other strays {service}")
        for step in range(2):
            kinds = _KINDS[(2 * place + step) % len(_KINDS)]
            yield from _of_values(ground, service, touched, kinds, draw)
        yield from _made(ground, service, draw)
    yield from _beside(ground, touched)


def _of_words(ground: Ground, service: str, touched: set[tuple[str, str]]) -> Iterator[Change]:
    """A row deleted, and one with other words: in a table that the reference writes to, and in one that it does not."""
    written = {table for table, _ in touched}
    for tables in (sorted(ground.tables(service) & written), sorted(ground.tables(service) - written)):
        free = _free(ground, tables, touched)
        if not free:
            continue
        draw = ground.random(f"strays {service} {tables[0]}")
        table, key = draw.choice(free)
        yield Change(table, key, "delete", ground.s0[table][key], None)
        worded = [
            (table, key, name)
            for table, key in draw.sample(free, min(40, len(free)))
            for name, value in ground.s0[table][key].items()
            if isinstance(value, str) and ground.semantic(table, name) in _SPOKEN
        ]
        if worded:
            table, key, name = worded[0]
            yield _changed(ground, table, key, name, f"{ground.s0[table][key][name]} (changed)")


def _of_values(
    ground: Ground, service: str, touched: set[tuple[str, str]], kinds: tuple[str, ...], draw: Random
) -> Iterator[Change]:
    """A row with another status, amount, date or link: one that stands in that column of another row."""
    free = _free(ground, sorted(ground.tables(service)), touched)
    for table, key in draw.sample(free, min(20, len(free))):
        for name in ground.s0[table][key]:
            if ground.semantic(table, name) in kinds and (others := _others(ground, table, key, name)):
                yield _changed(ground, table, key, name, draw.choice(others))
                return


def _made(ground: Ground, service: str, draw: Random) -> Iterator[Change]:
    """Rows like others, in tables that the reference makes none in: what somebody says, if possible, and another."""
    filled = {table for table, _ in ground.made.values()}
    tables = [table for table in sorted(ground.tables(service) - filled) if ground.s0.get(table)]
    draw.shuffle(tables)
    copies = (_copy(ground, table, draw) for table in sorted(tables, key=lambda table: not _MESSAGE.search(table)))
    for _, copy in zip(range(2), (item for item in copies if item is not None), strict=False):
        yield copy


def _copy(ground: Ground, table: str, draw: Random) -> Change | None:
    """A row like another, with a key of its own; ``None`` where that would break what has to be unique."""
    entity = ground.task.composition.entity(table)
    keys = entity.key_columns()
    like = ground.s0[table][draw.choice(sorted(ground.s0[table]))]
    if len(keys) > 1 or ground.semantic(table, keys[0]) != "id":
        return None
    key = f"{like[keys[0]]}_more"
    row = like | {keys[0]: key}
    for names in _unique(entity):
        words = [name for name in names if isinstance(row[name], str) and ground.semantic(table, name) in _SPOKEN]
        if not words:
            return None
        row[words[0]] = f"{row[words[0]]} (more)"
    return Change(table, key, "insert", None, row)


def _beside(ground: Ground, touched: set[tuple[str, str]]) -> Iterator[Change]:
    """Another column of rows that the reference changes; an empty one for a remark on a step may be filled."""
    changed: dict[tuple[str, str], set[str]] = {}
    for event in ground.events:
        for change in event.changes:
            if change.op == "update" and change.key in ground.s0.get(change.table, {}):
                changed.setdefault((change.table, change.key), set()).update(
                    name for name, value in (change.before or {}).items() if (change.after or {}).get(name) != value
                )
    draw = ground.random("beside")
    rows = sorted(changed)
    for table, key in draw.sample(rows, min(_TOUCHED, len(rows))):
        names = [name for name in ground.s0[table][key] if name not in changed[table, key] and not _STAMP.search(name)]
        draw.shuffle(names)
        for name in names:
            value = ground.s0[table][key][name]
            if REMARK.search(name) and not value:
                continue
            if isinstance(value, str) and ground.semantic(table, name) in _SPOKEN:
                yield _changed(ground, table, key, name, f"{value} (changed)")
                break
            if any(ground.semantic(table, name) in kinds for kinds in _KINDS) and (
                others := _others(ground, table, key, name)
            ):
                yield _changed(ground, table, key, name, draw.choice(others))
                break


def _free(ground: Ground, tables: list[str], touched: set[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(table, key) for table in tables for key in sorted(ground.s0.get(table, {})) if (table, key) not in touched]


def _others(ground: Ground, table: str, key: str, name: str) -> list[Any]:
    """Other values of a column; none for one that is part of what has to be unique, or that is only a stamp."""
    entity = ground.task.composition.entity(table)
    held = ground.s0[table][key][name]
    if held is None or _STAMP.search(name) or name in {*entity.key_columns(), *(n for u in _unique(entity) for n in u)}:
        return []
    known = [*ground.choices(table, name), *ground.seen.values(table, name)]
    return [value for value in known if value != held and type(value) is type(held)]


def _unique(entity: type[Entity]) -> list[list[str]]:
    """Columns that have to be unique together, key aside."""
    table: Table = entity.table()
    found = [
        [column.name for column in item.columns] for item in table.constraints if isinstance(item, UniqueConstraint)
    ]
    found += [[column.name for column in index.columns] for index in table.indexes if index.unique]
    found += [[column.name] for column in table.columns if column.unique]
    return [list(names) for names in dict.fromkeys(map(tuple, found))]


def _changed(ground: Ground, table: str, key: str, name: str, value: Any) -> Change:
    before = ground.s0[table][key]
    return Change(table, key, "update", before, before | {name: value})
