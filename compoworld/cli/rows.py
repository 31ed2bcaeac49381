"""Rows and what became of them, as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from compoworld.cli.output import clean, console

_SIGNS = {"insert": ("+", "green"), "update": ("~", "yellow"), "delete": ("-", "red")}


def say_changes(changes: Iterable[Any]) -> None:
    """Print changes of rows (``table``, ``key``, ``op``, ``before``, ``after``), a line for each field that differs."""
    from rich.text import Text

    terminal = console()
    for item in changes:
        sign, style = _SIGNS[item.op]
        terminal.print(Text(f"{sign} {clean(item.table)} {clean(item.key)}", style=style))
        before, after = item.before or {}, item.after or {}
        for field in after or before:
            old, new = before.get(field), after.get(field)
            if item.op == "update":
                if old != new:
                    terminal.print(Text(f"    {clean(field)}: {value(old)} → {value(new)}"))
            elif (shown := old if item.op == "delete" else new) is not None:
                terminal.print(Text(f"    {clean(field)}: {value(shown)}"))


def say_rows(rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Print rows of one table: as a table where that fits the width, else one under the other."""
    from rich.text import Text

    terminal = console()
    names = list(dict.fromkeys(field for row in rows.values() for field in row))
    cells = [[value(row.get(field)) for field in names] for row in rows.values()]
    widths = [max([len(field), *(len(line[place]) for line in cells)]) for place, field in enumerate(names)]
    if sum(widths) + 2 * len(widths) <= terminal.width:
        head = "  ".join(field.ljust(width) for field, width in zip(names, widths, strict=True))
        terminal.print(Text(head.rstrip(), style="bold"))
        for line in cells:
            terminal.print(Text("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()))
        return
    for key, row in rows.items():
        terminal.print(Text(clean(key), style="bold"))
        for field, item in row.items():
            if item is not None:
                terminal.print(Text(f"    {clean(field)}: {value(item)}"))


def value(item: Any) -> str:
    """A value of a row on one line: JSON, so that a text and a number can be told apart."""
    return clean(json.dumps(item, ensure_ascii=False))
