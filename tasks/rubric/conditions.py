"""What a row must be like after the task, as SQL conditions: read off from what the reference solution left there."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from engine.events import RowChange
from engine.kit import Entity
from tasks.rubric.asked import Asked
from tasks.rubric.left_out import LINKS, is_choice, unasked
from tasks.rubric.messages import SAID, SPOKEN, is_message, no_list_of_guesses, together, words
from tasks.rubric.reference import ReferenceRun, is_side, semantics
from tasks.rubric.values import WORDED, equals, is_key, is_new, plain, said, same, stands_in

_CONSEQUENCES = ("status", "money", "percent", "flag", "quantity", "category", "date", "currency", "reference", "email")
_KINDS = ("visibility", "kind")
_COUNTERS = ("version", "position", "revision", "sequence", "ordinal", "rank", "count", "number", "times", "bytes")

_HANGING = re.compile(r"\w+\.\w+ IN \(SELECT p\d\.")
"""That a row hangs on another one of the same call."""

GONE = re.compile(r"trash|archiv|delet|cancel|void")
"""Fields that say that a record is there no more; a new one has them empty."""


def updated(run: ReferenceRun, number: int, change: RowChange) -> Asked | None:
    """What is asked of a row of s0 that a call changed: what it changed and no later call changed again."""
    table, key, entity = change.table, change.key, run.entity(change.table)
    if is_side(table):
        return None
    after = run.final[table, key]
    if after is None:
        gone = f"NOT EXISTS (SELECT FROM {table} t WHERE {is_key(entity, key)})"
        return Asked(f"{table} {key} is gone", "(VALUES (1)) AS one", (), (gone,), "")
    found = []
    for name in run.lasting(change):
        given = _given(run, number, entity, after, name)
        if not given and _is_consequence(entity, name, after[name]):
            given = [equals(run, entity, name, after[name])]
        found += given
    if not found:
        return None
    label = f"{table} {key}"
    return Asked(label, f"{table} t", (is_key(entity, key),), tuple(found), f"{label} is gone")


def inserted(run: ReferenceRun, number: int, change: RowChange) -> Asked | None:
    """What is asked of a new row, which a call gave it; ``None`` where nothing of it was asked for."""
    if change.op == "insert" and (spoken := _message(run, number, change.table, change.key)):
        return spoken
    only = None if change.op == "insert" else run.lasting(change)
    conditions = row_conditions(run, number, change.table, change.key, "t", only=only)
    if not conditions:
        return None
    where = tuple(item for item in conditions if item.startswith("is_new(") or _HANGING.match(item))
    asked = tuple(item for item in conditions if item not in where)
    return Asked(f"new {change.table}", f"{change.table} t", where, asked, f"no new {change.table}")


def _message(run: ReferenceRun, number: int, table: str, key: str) -> Asked | None:
    """That all that is said to an addressee says what this call says; ``None`` for what is no message."""
    row = run.final[table, key] or {}
    made = next((item for _, item in run.hangs_on(table, row) if is_message(item.table)), None)
    if is_message(table):
        source, entity, alias = f"{table} t", run.entity(table), "t"
    elif made is not None and run.inserted.get((made.table, made.key)) == number:
        entity, alias = run.entity(made.table), "m"
        name = next(name for name, item in run.hangs_on(table, row) if item == made)
        source = f"{table} t JOIN {made.table} m ON m.{made.column} = t.{name}"
    else:
        return None
    where, says = _addressed(run, number, table, key)
    if not where:
        return None
    # What other calls say to the same addressee is no guess.
    calls = [
        other
        for (its, another), other in run.inserted.items()
        if its == table and (other == number or _addressed(run, other, table, another)[0] == where)
    ]
    values = [part.value for other in dict.fromkeys(calls) for part in run.parts[other] if part.in_text]
    known = [value for value in values if value not in run.made]
    bounds = no_list_of_guesses(SAID, known, len(values) - len(known))
    return together(entity, alias, source, where, [*dict.fromkeys(says), *bounds])


def _addressed(run: ReferenceRun, number: int, table: str, key: str) -> tuple[list[str], list[str]]:
    """Which messages are meant by a row, and what they have to say."""
    says: list[str] = []
    return row_conditions(run, number, table, key, "t", speech=says), says


def row_conditions(
    run: ReferenceRun,
    number: int,
    table: str,
    key: str,
    alias: str,
    depth: int = 0,
    only: Collection[str] | None = None,
    speech: list[str] | None = None,
) -> list[str]:
    """What a row that the run made has because it was asked for, with the row it hangs on; empty for none.

    Args:
        only: the fields to look at, where the call changed a row that an earlier one had made.
        speech: takes the conditions on what is said, on ``said.text``; without it they are on the row's own columns.
    """
    row, entity = run.final[table, key], run.entity(table)
    if row is None or is_side(table):
        return []
    names = list(row) if only is None else [name for name in row if name in only]
    anywhere = SAID if speech is not None else _words(entity, row, alias) if only is None else None
    found = (_given(run, number, entity, row, name, alias, depth, anywhere, speech) for name in names)
    given = list(dict.fromkeys(part for parts in found for part in parts))
    # A message that somebody gets is asked for even where its words are free.
    if not given and not speech and not (depth and is_message(table)):
        return []
    kinds = semantics(entity)
    apart = _apart(run, number, table, row) if only is None else set()
    more = [
        plain(alias, name, row[name])
        for name in names
        if (kinds[name] in ("status", "money") or name in _KINDS or name in apart)
        and row[name] is not None
        and not is_choice(run, number, table, name)
    ]
    more += unasked(run, number, table, row, alias) if only is None else []
    more += [_still_there(alias, name, row[name]) for name in names if GONE.search(name) and not row[name]]
    given = list(dict.fromkeys([*given, *more]))
    hanging = _parents(run, number, table, row, alias, depth, speech)
    # A part of a new record is as new as that.
    return [*given, *hanging] if hanging else [*given, is_new(table, entity, alias)]


def parents(run: ReferenceRun, number: int) -> set[tuple[str, str]]:
    """The rows that a call made and to which others that it made refer: they are asked for together with those."""
    found = set()
    for (table, key), call in run.inserted.items():
        if call != number or not row_conditions(run, number, table, key, "t", 1):
            continue
        for _, made in run.hangs_on(table, run.final[table, key] or {}):
            if run.inserted.get((made.table, made.key)) == number:
                found.add((made.table, made.key))
    return found


def _given(
    run: ReferenceRun,
    number: int,
    entity: type[Entity],
    row: Mapping[str, Any],
    name: str,
    alias: str = "t",
    depth: int = 0,
    anywhere: str | None = None,
    speech: list[str] | None = None,
) -> list[str]:
    """The conditions on a column that holds what the call was given; none where it holds nothing of it.

    Args:
        anywhere: all that a new record says: what stands in its title may as well stand in its text.
        speech: takes the conditions on it.
    """
    value, semantic = row[name], semantics(entity)[name]
    given = run.parts[number]
    if value is None:
        return []
    if semantic not in WORDED:
        return [equals(run, entity, name, value, alias)] if any(same(it, name, semantic, value) for it in given) else []
    shown = json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
    # The keys of what the row hangs on stand in columns of their own.
    keys = {row[other] for other, kind in semantics(entity).items() if kind == "reference" and other in row}
    column = f"{alias}.{name}::text" if semantic in ("tags", "json") else f"{alias}.{name}"
    if semantic == "address":
        column = _address(entity, row, alias, name)
    found: list[str] = []
    for part in given:
        if stands_in(part, shown) and (part.value not in keys or name in part.path):
            spoken = part.in_text and semantic in SPOKEN and anywhere
            condition = said(run, anywhere if spoken and anywhere else column, part.value, depth)
            (speech if spoken and speech is not None else found).extend([condition] if condition else [])
    if found and isinstance(value, list) and (semantic == "json" or name.endswith(LINKS)):
        found.append(f"jsonb_array_length({alias}.{name}) = {len(value)}")
    return found


def _apart(run: ReferenceRun, number: int, table: str, row: Mapping[str, Any]) -> set[str]:
    """The fields that tell a new row from the others of its table that the call made (a payment and a refund)."""
    kinds = semantics(run.entity(table))
    others = [run.final[place] or {} for place, call in run.inserted.items() if call == number and place[0] == table]
    return {
        name
        for name, value in row.items()
        if kinds[name] in ("category", "reference")
        and not (isinstance(value, str) and value in run.made)
        and any(other.get(name) != value for other in others)
    }


def _words(entity: type[Entity], row: Mapping[str, Any], alias: str) -> str | None:
    """All columns of a row in which people write, as one text; ``None`` where there is only one."""
    columns = words(entity, (name for name in row if not GONE.search(name)), alias)
    return f"concat_ws(' ', {', '.join(columns)})" if len(columns) > 1 else None


def _address(entity: type[Entity], row: Mapping[str, Any], alias: str, name: str) -> str:
    """The lines of an address as one text, for people share them out as they like (``address1``, ``address2``)."""
    kinds, stem = semantics(entity), name.rstrip("0123456789")
    lines = [other for other in row if kinds[other] == "address" and other.rstrip("0123456789") == stem]
    return f"concat_ws(' ', {', '.join(f'{alias}.{line}' for line in lines)})" if len(lines) > 1 else f"{alias}.{name}"


def _still_there(alias: str, name: str, value: Any) -> str:
    return f"NOT {alias}.{name}" if value is False else f"coalesce({alias}.{name}::text, '') = ''"


def _parents(
    run: ReferenceRun,
    number: int,
    table: str,
    row: Mapping[str, Any],
    alias: str,
    depth: int,
    speech: list[str] | None,
) -> list[str]:
    """Conditions on the rows of the same call that this one refers to."""
    found = []
    for name, made in run.hangs_on(table, row):
        if run.inserted.get((made.table, made.key)) != number:
            continue
        inner = f"p{depth}"
        conditions = (
            row_conditions(run, number, made.table, made.key, inner, depth + 1, speech=speech) if depth == 0 else []
        )
        if conditions:
            parent = f"SELECT {inner}.{made.column} FROM {made.table} {inner} WHERE {' AND '.join(conditions)}"
            found.append(f"{alias}.{name} IN ({parent})")
    return found


def _is_consequence(entity: type[Entity], name: str, value: Any) -> bool:
    """Whether a changed field is part of what was reached, though no argument says it: a status, a balance."""
    if value is None or semantics(entity)[name] not in _CONSEQUENCES:
        return False
    return not any(word in name.split("_") for word in _COUNTERS)
