"""The tool that counts, adds up and averages."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from engine.kit import Context, tool
from services.tables.access import column_named, columns_of, rows_of, visible_table
from services.tables.cells import is_empty, sort_key
from services.tables.query import Filter, matching, stored
from services.tables.saved import view_of
from services.tables.state import Column, Row


@tool
def summarize_rows(
    ctx: Context,
    table_id: str,
    function: str,
    column: str | None = None,
    group_by: str | None = None,
    view_id: str | None = None,
    filters: list[Filter] | None = None,
) -> Any:
    """Count, add up or average rows, perhaps by group."""
    table = visible_table(ctx, table_id)
    columns = columns_of(ctx, table.id)
    target = column_named(ctx, columns, column) if column is not None else None
    grouping = column_named(ctx, columns, group_by) if group_by is not None else None
    if target is None and function != "count":
        ctx.fail("invalid", f"{function} needs a column.")
    if target is not None and function != "count":
        allowed = ("number", "money") if function in ("sum", "average") else ("number", "money", "date")
        if target.type not in allowed:
            ctx.fail("invalid", f"{target.name} holds {target.type}; {function} works on {', '.join(allowed)} only.")
    view = view_of(ctx, table, view_id) if view_id is not None else None
    found = matching(rows_of(ctx, table.id), (view.filters if view else []) + stored(ctx, columns, filters))
    groups: dict[Any, list[Row]] = {}
    for row in found:
        groups.setdefault(row.cells.get(grouping.id) if grouping else None, []).append(row)
    ordered = sorted(groups, key=lambda value: (value is None, 0 if value is None else sort_key(value)))
    return {
        "function": function,
        "column": column,
        "group_by": group_by,
        "currency": target.currency if target is not None and function != "count" else None,
        "items": [
            {"group": group, "rows": len(groups[group]), "value": _summary(function, target, groups[group])}
            for group in (ordered if grouping else [])
        ],
        "rows": len(found),
        "value": _summary(function, target, found),
    }


def _summary(function: str, column: Column | None, rows: list[Row]) -> Any:
    if column is None:
        return len(rows)
    values = [row.cells[column.id] for row in rows if not is_empty(row.cells.get(column.id))]
    if function == "count":
        return len(values)
    keys = [sort_key(value) for value in values]
    if function == "sum":
        return sum(keys, Decimal(0))
    if not keys:
        return None
    if function == "average":
        step = Decimal("0.01") if column.type == "money" else Decimal("0.000001")
        return (sum(keys, Decimal(0)) / len(keys)).quantize(step, ROUND_HALF_UP)
    return min(keys) if function == "minimum" else max(keys)
