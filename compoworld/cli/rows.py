"""Rows and what became of them, as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from compoworld.cli.output import clean, console, say

_SIGNS = {"insert": ("+", "green"), "update": ("~", "yellow"), "delete": ("-", "red")}


def say_changes(changes: Iterable[Any]) -> None:
    """Print changes of rows (``table``, ``key``, ``op``, ``before``, ``after``), a line for each field that differs."""
    for item in changes:
        sign, style = _SIGNS[item.op]
        say(f"{sign} {clean(item.table)} {clean(item.key)}", style=style)
        before, after = item.before or {}, item.after or {}
        for field in after or before:
            old, new = before.get(field), after.get(field)
            if item.op == "update":
                if old != new:
                    say(f"    {clean(field)}: {value(old)} → {value(new)}")
            elif (shown := old if item.op == "delete" else new) is not None:
                say(f"    {clean(field)}: {value(shown)}")


def say_rows(rows: Mapping[str, Mapping[str, Any]], order: Sequence[str] = ()) -> None:
    """Print rows of one table: as a table where that fits the width, else one under the other.

    Args:
        order: names of the fields, in the order in which to show them.
    """
    given = dict.fromkeys(field for row in rows.values() for field in row)
    names = [*(field for field in order if field in given), *(field for field in given if field not in order)]
    cells = [[value(row.get(field)) for field in names] for row in rows.values()]
    widths = [max([len(field), *(len(line[place]) for line in cells)]) for place, field in enumerate(names)]
    if sum(widths) + 2 * len(widths) <= console().width:
        say("  ".join(map(str.ljust, names, widths)).rstrip(), style="bold")
        for line in cells:
            say("  ".join(map(str.ljust, line, widths)).rstrip())
        return
    for key, row in rows.items():
        say(clean(key), style="bold")
        for field in names:
            if row.get(field) is not None:
                say(f"    {clean(field)}: {value(row[field])}")


def value(item: Any) -> str:
    """A value of a row on one line: JSON, so that a text and a number can be told apart."""
    return clean(json.dumps(item, ensure_ascii=False))
