"""The service kit: entities that validate, tools bound to their specification, pages, identifiers, canonical JSON."""

from __future__ import annotations

import base64
import json
import math
import types
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from sqlmodel import col

from engine.branches import Branch
from engine.ddl import service_ddl
from engine.errors import EntityInvalid, ServiceDefinitionError, ToolError
from engine.kit import Context, Entity, Moment, Money, Service, field, tool
from engine.kit.paging import after_cursor
from tests.engine.shop.state import Product, Region
from tests.engine.tiny import tiny

AT = datetime(2026, 1, 1, tzinfo=UTC)


def product(**values: Any) -> Product:
    return Product(**{"id": "p", "sku": "s", "title": "t", "price": Decimal(1), "added_at": AT, **values})


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"bogus": 1}, "bogus"), ({"id": None}, "id"), ({"id": ""}, "id"), ({"id": 5}, "id"), ({"id": "x" * 201}, "id"),
        ({"title": ""}, "title"), ({"title": "x" * 81}, "title"), ({"title": b"x"}, "title"),
        ({"title": "a\x00"}, "title"),
        ({"title": "\ud800"}, "title"), ({"status": "lost"}, "status"), ({"status": None}, "status"),
        ({"price": 1}, "price"), ({"price": 1.5}, "price"), ({"price": "1"}, "price"),
        ({"price": Decimal(-1)}, "price"),
        ({"price": Decimal("NaN")}, "price"), ({"price": Decimal("Infinity")}, "price"), ({"price": None}, "price"),
        ({"price": Decimal("1.005")}, "price"), ({"price": Decimal("1e400")}, "price"),
        ({"discount": Decimal("100.01")}, "discount"),
        ({"discount": Decimal("1.00001")}, "discount"), ({"weight": math.nan}, "weight"),
        ({"weight": math.inf}, "weight"),
        ({"weight": "1"}, "weight"), ({"stock": True}, "stock"), ({"stock": 1.0}, "stock"), ({"stock": -1}, "stock"),
        ({"active": 1}, "active"), ({"active": "yes"}, "active"), ({"released": AT}, "released"),
        ({"released": "2026-01-01"}, "released"), ({"added_at": datetime(2026, 1, 1)}, "added_at"),
        ({"added_at": "2026-01-01T00:00:00Z"}, "added_at"), ({"added_at": date(2026, 1, 1)}, "added_at"),
        ({"labels": "ab"}, "labels"), ({"labels": [1]}, "labels"), ({"labels": None}, "labels"),
        ({"labels": ("a",)}, "labels"),
        ({"extra": []}, "extra"), ({"extra": {"a": {1}}}, "extra"), ({"extra": {1: 2}}, "extra"),
        ({"extra": {"a": math.nan}}, "extra"), ({"extra": {"a": "\x00"}}, "extra"), ({"extra": {"a": AT}}, "extra"),
    ],
    ids=lambda value: ascii(value)[:40],
)  # fmt: skip
def test_what_an_entity_refuses(values: dict[str, Any], wrong: str) -> None:
    """On insert and on change alike; SQLModel table classes refuse none of it."""
    with pytest.raises(EntityInvalid) as caught:
        product(**values).check()
    assert wrong in "".join(caught.value.problems)
    assert "Product" in str(caught.value)
    if wrong == "bogus":
        with pytest.raises(EntityInvalid):
            product().bogus = 1  # type: ignore[attr-defined]
        return
    changed = product().check()
    with pytest.raises(EntityInvalid):
        setattr(changed, wrong, values[wrong])
        changed.check()


@pytest.mark.parametrize("values", [{"status": "lost"}, {"stock": -1}, {"title": "x" * 81}])
def test_a_value_that_is_not_allowed_is_the_callers(branch: Branch, values: dict[str, Any]) -> None:
    step = {"op": "set", "table": "shop_product", "key": ["p1"], "values": values}
    result = branch.call("shop", "apply", steps=[step])
    assert result.outcome == "error" and result.error and result.error["code"] == "invalid"
    assert result.error["details"].keys() == values.keys()
    assert branch.diff() == []


@pytest.mark.parametrize("values", [{"labels": "ab"}, {"bogus": 1}, {"title": None}, {"title": 5}])
def test_a_value_of_a_wrong_type_is_the_tools_fault(branch: Branch, values: dict[str, Any]) -> None:
    row = {"id": "n", "sku": "n", "title": "t", "price": 1, "added_at": "2026-03-01T10:30:00Z", **values}
    for step in (
        {"op": "set", "table": "shop_product", "key": ["p1"], "values": values},
        {"op": "add", "table": "shop_product", "values": row},
    ):
        result = branch.call("shop", "apply", steps=[step])
        assert result.outcome == "fault" and next(iter(values)) in (result.detail or "")
    assert branch.diff() == []


def test_what_an_entity_takes() -> None:
    product(discount=Decimal("7.5"), weight=-0.5, minutes=-5, released=date(2026, 1, 1), labels=["a"], extra={}).check()
    product(status="it's gone", title="x" * 80, price=Decimal("999999999999.99"), region_id="r").check()
    Region(id="☃ '\"\\", name="é").check()


def test_out_and_values() -> None:
    row = product(labels=["a"])
    assert list(row.values()) == list(Product.model_fields)
    assert row.out("id", "sku") == {"id": "p", "sku": "s"}
    assert "extra" not in row.out(without=("extra",))


def specified(
    properties: dict[str, Any], function: Callable[..., Any], required: tuple[str, ...] = (), **more: Any
) -> Any:
    """Bind a function to a specification of one tool."""
    from tempfile import mkdtemp

    schema = {"type": "object", "properties": properties, "required": list(required), **more}
    path = Path(mkdtemp()) / "tools.json"
    path.write_text(json.dumps({"tools": [{"name": function.__name__, "inputSchema": schema}]}), encoding="utf-8")
    module = types.ModuleType("tools_of_a_test")
    setattr(module, function.__name__, tool(function))
    service = Service(
        name="bound",
        title="",
        domain="finance",
        summary="",
        entities=[],
        tools=module,
        specification=path,
        seed=lambda _: [],
    )
    return service.tools[function.__name__]


def test_functions_that_do_not_fit_their_specification() -> None:
    text = {"type": "string"}

    def plain(ctx: Context, a: str, b: str = "") -> None: ...
    def untyped(ctx, a, b=""):  # type: ignore[no-untyped-def]
        ...

    assert specified({"a": text, "b": text}, plain, ("a",)).name == "plain"
    for properties, function, required, says in (
        ({"a": text}, plain, ("a",), "'b'"),
        ({"a": text, "b": text, "c": text}, plain, ("a",), "'c'"),
        ({"a": text, "b": text}, plain, (), "'a' is optional"),
        ({"a": text, "b": text}, untyped, ("a",), "has no type"),
    ):
        with pytest.raises(ServiceDefinitionError, match=says):
            specified(properties, function, required)


def test_arguments_arrive_typed() -> None:
    def take(ctx: Context, at: Moment, price: Money, from_: str = "", day: date | None = None) -> None: ...

    bound = specified(
        {
            "at": {"type": "string"},
            "price": {"type": "number"},
            "from": {"type": "string"},
            "day": {"type": ["string", "null"]},
        },
        take,
        ("at", "price"),
    )
    made = bound.typed({"at": "2026-03-02T10:00:00+02:00", "price": 10.5, "from": "x", "day": "2026-03-01"})
    assert made == {
        "at": datetime(2026, 3, 2, 8, tzinfo=UTC), "price": Decimal("10.50"), "from_": "x", "day": date(2026, 3, 1)
    }  # fmt: skip
    from engine.errors import ToolError

    for wrong in ({"at": "2026-03-02T10:00:00"}, {"at": "soon"}, {"price": 1.005}, {"price": True}, {"price": "1"},
                  {"day": "2026-02-30"}, {"more": 1}):  # fmt: skip
        with pytest.raises(ToolError) as caught:
            bound.typed({"at": "2026-03-02T10:00:00Z", "price": 1, **wrong})
        assert caught.value.code == "invalid_arguments"
        assert next(iter(wrong)) in str(caught.value.details)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Bad"},
        {"name": ""},
        {"name": "x" * 40},
        {"name": "a;b"},
        {"domain": "nothing"},
        {"specification": Path("/nowhere")},
    ],
)
def test_services_defined_wrongly(change: dict[str, Any]) -> None:
    good = tiny("well")
    parts = {"name": "well", "title": "", "domain": "finance", "summary": "", "entities": good.entities,
             "tools": types.ModuleType("t"), "specification": good._specification, "seed": lambda _: []}  # fmt: skip
    with pytest.raises(ServiceDefinitionError):
        Service(**{**parts, **change}).tools  # type: ignore[arg-type]  # noqa: B018


def test_references_that_lead_nowhere(branch: Branch) -> None:
    from sqlalchemy import Column, ForeignKeyConstraint, MetaData, Table, Text

    class Lost(Entity):
        __service__ = "bound"

        @classmethod
        def table(cls) -> Table:
            return Table(
                "bound_lost", MetaData(), Column("id", Text, primary_key=True), Column("x", Text),
                ForeignKeyConstraint(["x"], ["nowhere.id"]),
            )  # fmt: skip

    service = types.SimpleNamespace(entities=[Lost])
    with pytest.raises(ServiceDefinitionError, match="nowhere"):
        service_ddl(service)  # type: ignore[arg-type]
    with pytest.raises(ServiceDefinitionError, match="semantic"):
        field("feeling")  # type: ignore[arg-type]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_neither_skip_nor_repeat(branch: Branch, descending: bool, limit: int) -> None:
    random = Random(limit)
    values = [
        {
            "id": f"q{number:02}",
            "sku": f"q{number}",
            "title": "t",
            "price": random.choice([1, 2.5, 7]),
            "added_at": AT.isoformat(),
        }
        for number in range(9)
    ]
    branch.call("shop", "apply", steps=[{"op": "add", "table": "shop_product", "values": row} for row in values])
    rows = branch.state()["shop_product"].values()
    sign = -1 if descending else 1
    expected = [row["id"] for row in sorted(rows, key=lambda row: (sign * row["price"], row["id"]))]
    found, cursor = [], None
    for turn in range(20):
        given = {"cursor": cursor} if cursor else {}
        data = branch.call("shop", "page", limit=limit, descending=descending, **given).data
        found += [item["id"] for item in data["items"]]
        cursor = data["next_cursor"]
        if turn == 0:  # rows that come in front, and go behind, between two pages
            gone = [key for key in expected if key.startswith("q")][-1]
            if gone not in found:
                branch.call("shop", "apply", steps=[{"op": "drop", "table": "shop_product", "key": [gone]}])
                expected.remove(gone)
        if cursor is None:
            break
        assert len(data["items"]) == limit
    assert found == expected


@pytest.mark.parametrize(
    "cursor", ["", "x", "zzz", "☃", "W10", "WzFd", "WyJhIiwgImIiXQ", "x" * 10_000, "bnVsbA", "WzEsIFtdXQ"]
)
def test_cursors_of_nobody(branch: Branch, cursor: str) -> None:
    result = branch.call("shop", "page", cursor=cursor)
    assert result.outcome in ("error", "invalid"), result.detail
    assert result.error and "cursor" in result.error["message"]


@pytest.mark.parametrize(
    ("order", "values"),
    [
        ([col(Product.title), col(Product.id)], r'["\ud800", "x"]'),
        ([col(Product.title), col(Product.id)], '["a\\u0000", "x"]'),
        ([col(Product.stock)], "[true]"),
        ([col(Product.stock)], "[1e400]"),
        ([col(Product.stock)], "[123456789012345678901234567890]"),
        ([col(Product.weight)], "[1e400]"),
        ([col(Product.active)], "[1]"),
        ([col(Product.active)], "[" * 100_000),
    ],
)
def test_a_cursor_with_values_that_no_row_has(order: list[Any], values: str) -> None:
    cursor = base64.urlsafe_b64encode(values.encode()).decode()
    with pytest.raises(ToolError, match="not a cursor"):
        after_cursor(order, cursor)


@pytest.mark.parametrize("amount", ["1e30", "-1e999", 1e300])
def test_an_amount_too_large_to_count_in_cents(amount: Any) -> None:
    with pytest.raises(ValidationError, match="too large"):
        TypeAdapter(Money).validate_python(Decimal(amount))
