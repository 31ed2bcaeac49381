"""The warehouses as they stand when a story starts; the figures are in ``seed_data.json``."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.kit import HOME_DOMAIN, Entity, Seed
from services.inventory.state import (
    Movement,
    Product,
    PurchaseOrder,
    Reservation,
    StockCount,
    StockLevel,
    Transfer,
    Warehouse,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    return _Stock(seed).rows()


def _product_id(sku: str) -> str:
    return f"prd_{sku.lower().replace('-', '_')}"


class _Stock:
    """Reads the figures and makes movements that add up to what is on hand."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.data: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
        self.costs = {row[0]: Decimal(row[4]) for row in self.data["products"]}
        self.chance = seed.random("moments")
        self.moves: dict[tuple[str, str], list[Movement]] = defaultdict(list)
        self.reserved: dict[tuple[str, str], int] = defaultdict(int)

    def rows(self) -> Iterator[Entity]:
        for key, name, address, manager, notes in self.data["warehouses"]:
            yield Warehouse(id=key, name=name, address=address, manager=f"{manager}@{HOME_DOMAIN}", notes=notes)
        for sku, name, category, unit, cost, point, quantity, _ in self.data["products"]:
            yield Product(
                id=_product_id(sku),
                sku=sku,
                name=name,
                category=category,
                unit=unit,
                supplier=self.data["suppliers"][category],
                unit_cost=Decimal(cost),
                reorder_point=point,
                reorder_quantity=quantity,
                status="discontinued" if sku == "CAP-OLD" else "active",
                updated_at=self.seed.at(-60),
            )
        reservations = list(self._reservations())
        documents = [*self._transfers(), *self._orders(), *self._counts()]
        self._told()
        yield from self._levels()
        yield from self._movements()
        yield from reservations
        yield from documents

    def _move(
        self, sku: str, warehouse: str, kind: str, quantity: int, day: int, reference: str = "", **more: Any
    ) -> None:
        place = _product_id(sku), f"whs_{warehouse}"
        moment = self.seed.at(day, 13, self.chance.randint(0, 25)) + timedelta(minutes=len(self.moves[place]))
        self.moves[place].append(
            Movement(
                id="",
                product_id=place[0],
                warehouse_id=place[1],
                kind=kind,
                quantity=quantity,
                balance=0,
                reference=reference,
                moved_by=more.pop("by", f"luis.herrera@{HOME_DOMAIN}"),
                moved_at=moment,
                **more,
            )
        )

    def _told(self) -> None:
        for sku, warehouse, kind, quantity, reference, _, day, who, note in self.data["movements"]:
            if kind == "shipment":
                self._move(sku, warehouse, kind, quantity, day, reference, by=f"{who}@{HOME_DOMAIN}", note=note)
            else:
                by = f"{who}@{HOME_DOMAIN}"
                self._move(sku, warehouse, "adjustment", quantity, day, reference, by=by, note=note, reason=kind)

    def _levels(self) -> Iterator[StockLevel]:
        for sku, *_, places in self.data["products"]:
            for warehouse, (bin_code, on_hand) in places.items():
                place = _product_id(sku), f"whs_{warehouse}"
                yield StockLevel(
                    product_id=place[0],
                    warehouse_id=place[1],
                    bin=bin_code,
                    on_hand=on_hand,
                    reserved=self.reserved[place],
                )
                opening = on_hand - sum(item.quantity for item in self.moves[place])
                if opening:
                    self._move(sku, warehouse, "receipt", opening, -130, "OPENING", lot=f"L25-{len(self.moves):02d}")

    def _movements(self) -> Iterator[Movement]:
        for moves in self.moves.values():
            balance = 0
            for item in sorted(moves, key=lambda item: item.moved_at):
                balance += item.quantity
                item.balance = balance
        everything = [item for moves in self.moves.values() for item in moves]
        for number, item in enumerate(sorted(everything, key=lambda item: item.moved_at), 1):
            item.id = f"mov_{number:04d}"
            yield item

    def _reservations(self) -> Iterator[Reservation]:
        for number, row in enumerate(self.data["reservations"], 1):
            sku, warehouse, quantity, order, customer, status, day, needed = row
            if status == "active":
                self.reserved[_product_id(sku), f"whs_{warehouse}"] += quantity
            yield Reservation(
                id=f"rsv_{number:04d}",
                product_id=_product_id(sku),
                warehouse_id=f"whs_{warehouse}",
                quantity=quantity,
                order_number=order,
                customer=customer,
                status=status,
                needed_on=None if needed is None else self.seed.at(needed).date(),
                created_by=f"mara.lindqvist@{HOME_DOMAIN}",
                created_at=self.seed.at(day, 14, number),
                closed_at=None if status == "active" else self.seed.at(day + 5, 15),
            )

    def _lines(self, lines: list[list[Any]]) -> list[dict[str, Any]]:
        return [
            {"product_id": _product_id(sku), "quantity": quantity, "received_quantity": received}
            for sku, quantity, received in lines
        ]

    def _transfers(self) -> Iterator[Transfer]:
        for number, (start, end, status, day, lines, note) in enumerate(self.data["transfers"], 1):
            key = f"trf_{number:04d}"
            for sku, quantity, received in lines:
                if status in ("in_transit", "received"):
                    self._move(sku, start, "transfer_out", -quantity, day, key)
                if received:
                    self._move(sku, end, "transfer_in", received, day + 1, key)
            yield Transfer(
                id=key,
                from_warehouse_id=f"whs_{start}",
                to_warehouse_id=f"whs_{end}",
                lines=self._lines(lines),
                status=status,
                note=note,
                created_by=f"mara.lindqvist@{HOME_DOMAIN}",
                created_at=self.seed.at(day, 10),
                shipped_at=self.seed.at(day, 13, 30) if status in ("in_transit", "received") else None,
                received_at=self.seed.at(day + 1, 13, 30) if status == "received" else None,
            )

    def _orders(self) -> Iterator[PurchaseOrder]:
        for number, (supplier, warehouse, status, day, expected, lines, note) in enumerate(
            self.data["purchase_orders"], 1
        ):
            key = f"PO-{1000 + number}"
            for place, (sku, _, received) in enumerate(lines):
                if received:
                    self._move(sku, warehouse, "receipt", received, expected - 1, key, lot=f"L{number:02d}-{place + 1}")
            yield PurchaseOrder(
                id=f"pur_{number:04d}",
                number=key,
                supplier=supplier,
                warehouse_id=f"whs_{warehouse}",
                lines=self._lines(lines),
                total=sum((self.costs[sku] * quantity for sku, quantity, _ in lines), Decimal()),
                status=status,
                expected_on=self.seed.at(expected).date(),
                note=note,
                created_by=f"mara.lindqvist@{HOME_DOMAIN}",
                created_at=self.seed.at(day, 11),
                sent_at=None if status in ("draft", "cancelled") else self.seed.at(day, 16),
                closed_at=self.seed.at(expected, 12) if status in ("closed", "cancelled") else None,
            )

    def _counts(self) -> Iterator[StockCount]:
        for number, (warehouse, name, day, status, lines) in enumerate(self.data["counts"], 1):
            posted = self.seed.at(day, 16, 30) if status == "posted" else None
            yield StockCount(
                id=f"cnt_{number:04d}",
                warehouse_id=warehouse,
                name=name,
                planned_on=self.seed.at(day).date(),
                lines=[
                    {
                        "product_id": _product_id(sku),
                        "expected": expected,
                        "counted": counted,
                        "difference": None if counted is None else counted - expected,
                    }
                    for sku, expected, counted in lines
                ],
                status=status,
                created_by=f"mara.lindqvist@{HOME_DOMAIN}",
                created_at=self.seed.at(min(day, -6) - 1, 9),
                posted_at=posted,
            )
            for sku, expected, counted in lines:
                if posted is not None and counted != expected:
                    where = warehouse.removeprefix("whs_")
                    self._move(sku, where, "count", counted - expected, day, f"cnt_{number:04d}", reason="difference")
