"""Random steps for the shop, over so few keys and values that they collide all the time."""

from __future__ import annotations

from random import Random
from typing import Any

Step = dict[str, Any]
Rows = dict[str, dict[str, dict[str, Any]]]

KEYS: dict[str, tuple[str, ...]] = {
    "shop_region": ("id",),
    "shop_product": ("id",),
    "shop_customer": ("id",),
    "shop_purchase": ("id",),
    "shop_line": ("purchase_id", "product_id"),
    "shop_refund": ("id",),
    "shop_slot": ("day", "hour"),
}
REQUIRED = {
    "shop_region": ("name",),
    "shop_product": ("sku", "title", "price", "added_at"),
    "shop_purchase": ("customer_id",),
}
_REGIONS = ["r1", "r2", "r3", "r'4"]
_PRODUCTS = ["p1", "p2", "p\u00fc"]
_CUSTOMERS = ["c1", "c2", "c3", 'c"4']
_PURCHASES = ["u1", "u2", "u3"]
_DAYS = ["2026-03-01", "2026-03-02"]
_JSON: list[Any] = [{}, {"k": 1.0}, {"ö": [1, 2.5, None, {"'": "%s :x"}]}, {"k": -0.0, "l": 1e20}, {"a": '\\ " ☃'}]

# Per table: the values of each column. ``BROKEN`` has those that break its rules.
FIELDS: dict[str, dict[str, list[Any]]] = {
    "shop_region": {"id": _REGIONS, "name": ["N1", "N2", "N3", "n1", "Ñ"], "parent_id": [None, *_REGIONS]},
    "shop_product": {
        "id": _PRODUCTS,
        "sku": ["s1", "s2", "s3", "s4"],
        "title": ["Apron", "Bøwl", "'; DROP TABLE shop_product; --", "%s :x {} $1"],
        "status": ["draft", "listed", "it's gone"],
        "price": [0, 1, 2.5, 12.34, 999999999999.99],
        "discount": [None, 0, 7.5, 100],
        "weight": [None, 0.0, -0.0, 0.1, 1e-7, 12345678.9, 2.5e-300],
        "stock": [0, 1, 2**40],
        "minutes": [None, 0, -5, 2**63 - 1],
        "active": [True, False],
        "released": [None, *_DAYS],
        "added_at": ["2026-03-01T00:00:00+00:00", "2026-03-01T10:30:00.000001+00:00"],
        "labels": [[], ["a"], ["a", "ü", "a"]],
        "extra": [None, *_JSON],
        "region_id": [None, *_REGIONS],
    },
    "shop_customer": {
        "id": _CUSTOMERS,
        "email": [None, "a@x.example", "b@x.example", "A@x.example"],
        "boss_id": [None, *_CUSTOMERS],
        "region_id": [None, *_REGIONS],
    },
    "shop_purchase": {"id": _PURCHASES, "customer_id": _CUSTOMERS, "order": [0, 1, 2], "user": ["", "x"]},
    "shop_line": {"purchase_id": _PURCHASES, "product_id": _PRODUCTS, "amount": [1, 2, 3]},
    "shop_refund": {
        "id": ["f1", "f2", "f3"],
        "purchase_id": [None, *_PURCHASES],
        "product_id": [None, *_PRODUCTS],
        "day": [None, *_DAYS],
    },
    "shop_slot": {"day": _DAYS, "hour": [8, 9], "customer_id": [None, *_CUSTOMERS]},
}
BROKEN: dict[tuple[str, str], list[Any]] = {
    ("shop_product", "title"): ["", "x" * 81],
    ("shop_product", "status"): ["lost", 1],
    ("shop_product", "price"): [-1, "much"],
    ("shop_product", "discount"): [100.5],
    ("shop_product", "stock"): [-1, 2**63],
    ("shop_product", "active"): ["yes", None],
    ("shop_line", "amount"): [0],
    ("shop_region", "name"): [None, 5, "x" * 41],
}

MISTAKES: list[Any] = [1, "much", "yes", None, 5]
"""Of these, the values of a wrong type: no call can be right with them, so they are a fault of the tool."""


TARGETS = {
    "customer_id": "shop_customer",
    "boss_id": "shop_customer",
    "purchase_id": "shop_purchase",
    "product_id": "shop_product",
    "region_id": "shop_region",
    "parent_id": "shop_region",
}


def random_steps(random: Random, tables: Rows) -> list[Step]:
    """The steps of one call on this state; now and then the last of them fails by itself."""
    steps = [_step(random, tables) for _ in range(random.choice([1, 1, 1, 2, 3, 5]))]
    if random.random() < 0.1:
        steps.append({"op": random.choice(["refuse", "break"])})
    return steps


def _step(random: Random, tables: Rows) -> Step:
    table = random.choice(list(KEYS))
    there = list(tables.get(table, {}).values())
    op = random.choice(["add", "add", "set", "set", "drop"]) if there else "add"
    if op == "add":
        names = [*KEYS[table], *REQUIRED.get(table, ())]
        names += [name for name in FIELDS[table] if name not in names and random.random() < 0.5]
        return {"op": "add", "table": table, "values": {name: _value(random, tables, table, name) for name in names}}
    row = random.choice(there)
    key = [row[name] for name in KEYS[table]]
    if random.random() < 0.05:
        key = [random.choice(FIELDS[table][name]) for name in KEYS[table]]
    if op == "drop":
        return {"op": "drop", "table": table, "key": key}
    names = [name for name in FIELDS[table] if name not in KEYS[table] and random.random() < 0.4]
    values = {name: _value(random, tables, table, name) for name in names}
    return {"op": "set", "table": table, "key": key, "values": values}


def _value(random: Random, tables: Rows, table: str, name: str) -> Any:
    """Mostly a value that holds: a reference leads, four times in five, to a row that is there."""
    if (table, name) in BROKEN and random.random() < 0.03:
        return random.choice(BROKEN[(table, name)])
    target = TARGETS.get(name)
    known = list(tables.get(target, {})) if target else []
    if known and random.random() < 0.8:
        return random.choice(known)
    return random.choice(FIELDS[table][name])
