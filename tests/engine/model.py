"""The shop in memory: what a plain database would make of the same steps."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import Any

from tests.engine.steps import BROKEN, FIELDS, KEYS, MISTAKES, Step

Row = dict[str, Any]
Tables = dict[str, dict[str, Row]]


@dataclass(frozen=True)
class Reference:
    """These columns of a table name a row of another."""

    table: str
    columns: tuple[str, ...]
    target: str
    on_delete: str


REFERENCES = (
    Reference("shop_region", ("parent_id",), "shop_region", "cascade"),
    Reference("shop_product", ("region_id",), "shop_region", "restrict"),
    Reference("shop_customer", ("boss_id",), "shop_customer", "set null"),
    Reference("shop_customer", ("region_id",), "shop_region", "set null"),
    Reference("shop_purchase", ("customer_id",), "shop_customer", "cascade"),
    Reference("shop_line", ("purchase_id",), "shop_purchase", "cascade"),
    Reference("shop_line", ("product_id",), "shop_product", "restrict"),
    Reference("shop_refund", ("purchase_id", "product_id"), "shop_line", "cascade"),
    Reference("shop_slot", ("customer_id",), "shop_customer", "set null"),
)
UNIQUE = {
    "shop_region": [("name",)],
    "shop_product": [("sku",)],
    "shop_customer": [("email",)],
    "shop_refund": [("purchase_id", "day")],
}
DEFAULTS: dict[str, Row] = {
    "shop_product": {"status": "draft", "stock": 0, "active": True, "labels": []},
    "shop_purchase": {"order": 0, "user": ""},
    "shop_line": {"amount": 1},
}


class No(Exception):
    """The steps are refused; ``kind`` is the outcome."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


def key_text(table: str, row: Row) -> str:
    """The key of a row as the log writes it."""
    values = [row[name] for name in KEYS[table]]
    return str(values[0]) if len(values) == 1 else json.dumps(values, ensure_ascii=False)


def attempt(tables: Tables, steps: list[Step]) -> tuple[str, Tables]:
    """The outcome of a call and the state after it; a call that fails leaves the state as it was."""
    after = copy.deepcopy(tables)
    try:
        for step in steps:
            _take(after, step)
    except No as no:
        return no.kind, tables
    return "ok", {table: rows for table, rows in after.items() if rows}


def _take(tables: Tables, step: Step) -> None:
    if step["op"] == "refuse":
        raise No("error")
    if step["op"] == "break":
        raise No("fault")
    table = step["table"]
    rows = tables.setdefault(table, {})
    if step["op"] == "add":
        row = {name: None for name in FIELDS[table]} | copy.deepcopy(DEFAULTS.get(table, {})) | step["values"]
        _check(tables, table, row, key_text(table, row) in rows)
        rows[key_text(table, row)] = row
        return
    key = str(step["key"][0]) if len(step["key"]) == 1 else json.dumps(step["key"], ensure_ascii=False)
    if key not in rows:
        raise No("error")
    if step["op"] == "set":
        row = rows[key] | step["values"]
        _check(tables, table, row, False)
        rows[key] = row
    else:
        _drop(tables, table, key)


def _check(tables: Tables, table: str, row: Row, taken: bool) -> None:
    """Refuse a row that breaks a rule: keys, values, unique columns, references."""
    _check_values(table, row)
    if taken:
        raise No("error")
    key = key_text(table, row)
    for names in UNIQUE.get(table, []):
        mine = [row[name] for name in names]
        if None not in mine and any(
            [other[name] for name in names] == mine for at, other in tables[table].items() if at != key
        ):
            raise No("error")
    for item in REFERENCES:
        if item.table == table and not _leads_somewhere(tables, item, row, key):
            raise No("error")


def _leads_somewhere(tables: Tables, item: Reference, row: Row, key: str) -> bool:
    values = [row[name] for name in item.columns]
    if None in values:
        return True
    wanted = key_text(item.target, dict(zip(KEYS[item.target], values, strict=True)))
    return wanted in tables.get(item.target, {}) or (item.target == item.table and wanted == key)


def _check_values(table: str, row: Row) -> None:
    broken = [
        row[name]
        for (at, name), bad in BROKEN.items()
        if at == table and row[name] in bad and type(row[name]) in map(type, bad)
    ]
    if any(value in MISTAKES and type(value) in map(type, MISTAKES) for value in broken):
        raise No("fault")
    if broken:
        raise No("error")


def _drop(tables: Tables, table: str, key: str) -> None:
    row = tables[table][key]
    mine = [row[name] for name in KEYS[table]]

    def referring(item: Reference) -> list[str]:
        found = tables.get(item.table, {}).items()
        return [at for at, other in found if [other[name] for name in item.columns] == mine]

    incoming = [item for item in REFERENCES if item.target == table]
    for item in incoming:
        if item.on_delete == "restrict" and [at for at in referring(item) if item.table != table or at != key]:
            raise No("error")
    del tables[table][key]
    for item in incoming:
        for at in referring(item):
            if at not in tables[item.table]:
                continue
            if item.on_delete == "cascade":
                _drop(tables, item.table, at)
            else:
                tables[item.table][at] |= dict.fromkeys(item.columns)


def difference(a: Tables, b: Tables) -> dict[tuple[str, str], tuple[str, Row | None, Row | None]]:
    """What became of each row between two states."""
    found = {}
    for table in a.keys() | b.keys():
        for key in a.get(table, {}).keys() | b.get(table, {}).keys():
            x, y = a.get(table, {}).get(key), b.get(table, {}).get(key)
            if x != y:
                found[(table, key)] = ("insert" if x is None else "delete" if y is None else "update", x, y)
    return found
