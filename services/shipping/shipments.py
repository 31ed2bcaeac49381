"""Tools for shipments, labels and customs declarations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import func, or_
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, Moment, Money, contains, tool
from services.shipping.addresses import zone_of
from services.shipping.rules import billable_kg, price_of, too_heavy
from services.shipping.state import Address, Carrier, Claim, CustomsDeclaration, Pickup, Rate, Shipment, TrackingEvent

VOID_DAYS = 14
"""Days after its purchase in which a label can be voided."""


class Parcel(TypedDict):
    """One parcel."""

    weight_grams: int
    length_cm: int
    width_cm: int
    height_cm: int
    contents: str


class CustomsItem(TypedDict):
    """One kind of goods, for customs."""

    description: str
    hs_code: str
    quantity: int
    unit_value: Money
    origin: str


def shipment_views(ctx: Context, shipments: Sequence[Shipment]) -> list[dict[str, Any]]:
    """Shipments for results, with where they go, who carries them and whether they are late."""
    ids = {item.to_address_id for item in shipments}
    addresses = {item.id: item for item in ctx.list(Address, col(Address.id).in_(ids))}
    carriers = {item.id: item.name for item in ctx.list(Carrier)}
    out = []
    for item in shipments:
        end = addresses[item.to_address_id]
        late = item.promised_on is not None and (item.delivered_on or ctx.today()) > item.promised_on
        out.append(
            item.out()
            | {
                "to_name": end.name,
                "to_city": end.city,
                "to_country": end.country,
                "carrier_name": carriers.get(item.carrier_id or ""),
                "billable_kg": sum(billable_kg(parcel) for parcel in item.parcels),
                "late": late,
            }
        )
    return out


@tool
def create_shipment(
    ctx: Context,
    parcels: list[Parcel],
    declared_value: Money,
    currency: str,
    from_address_id: str | None = None,
    to_address_id: str | None = None,
    number: str | None = None,
    customer: str = "",
    notes: str = "",
    return_of_id: str | None = None,
) -> Any:
    """A new shipment, or a return of one that was delivered."""
    original = ctx.require(Shipment, return_of_id) if return_of_id is not None else None
    if original is not None:
        if original.direction == "return":
            ctx.fail("conflict", f"{original.number} is itself a return.")
        if original.status != "delivered":
            ctx.fail("conflict", f"{original.number} is {original.status}; only delivered shipments are returned.")
        from_address_id = from_address_id or original.to_address_id
        to_address_id = to_address_id or original.from_address_id
        customer = customer or original.customer
    if from_address_id is None or to_address_id is None:
        ctx.fail("invalid", "Give from_address_id and to_address_id, or return_of_id.")
    ctx.require(Address, from_address_id)
    ctx.require(Address, to_address_id)
    if from_address_id == to_address_id:
        ctx.fail("invalid", "A shipment needs two different addresses.")
    number = number or f"{'RET' if original else 'SHP'}-{ctx.new_id('').upper()}"
    if ctx.exists(Shipment, col(Shipment.number) == number):
        ctx.fail("conflict", f"There is a shipment {number} already; choose another number.")
    shipment = ctx.add(
        Shipment(
            id=ctx.new_id("shp"),
            number=number,
            direction="return" if original else "outbound",
            return_of_id=return_of_id,
            from_address_id=from_address_id,
            to_address_id=to_address_id,
            customer=customer,
            parcels=[dict(parcel) for parcel in parcels],
            declared_value=declared_value,
            currency=currency,
            notes=notes,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return shipment_views(ctx, [shipment])[0]


@tool
def get_shipment(ctx: Context, shipment_id: str) -> Any:
    """One shipment with addresses, tracking, customs, claims and returns."""
    shipment = ctx.require(Shipment, shipment_id)
    of_it = col(TrackingEvent.shipment_id) == shipment.id
    customs = ctx.get(CustomsDeclaration, shipment.id)
    return shipment_views(ctx, [shipment])[0] | {
        "from_address": ctx.require(Address, shipment.from_address_id),
        "to_address": ctx.require(Address, shipment.to_address_id),
        "zone": zone_of(ctx, shipment),
        "events": ctx.list(TrackingEvent, of_it, order_by=[col(TrackingEvent.happened_at)]),
        "customs_declaration": customs,
        "claim_ids": [item.id for item in ctx.list(Claim, col(Claim.shipment_id) == shipment.id)],
        "return_ids": [item.id for item in ctx.list(Shipment, col(Shipment.return_of_id) == shipment.id)],
    }


@tool
def list_shipments(
    ctx: Context,
    status: str | None = None,
    number: str | None = None,
    tracking_number: str | None = None,
    customer: str | None = None,
    carrier_id: str | None = None,
    direction: str | None = None,
    label_status: str | None = None,
    late: bool | None = None,
    query: str | None = None,
    created_after: Moment | None = None,
    created_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Shipments that meet every filter, the newest first."""
    equal = (
        (Shipment.status, status),
        (Shipment.number, number),
        (Shipment.tracking_number, tracking_number),
        (Shipment.customer, customer),
        (Shipment.carrier_id, carrier_id),
        (Shipment.direction, direction),
        (Shipment.label_status, label_status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if late is not None:
        promised = col(Shipment.promised_on)
        is_late = promised.is_not(None) & (func.coalesce(Shipment.delivered_on, ctx.today()) > promised)
        where.append(is_late if late else ~is_late)
    if query is not None:
        where.append(or_(contains(Shipment.number, query), contains(Shipment.notes, query)))
    if created_after is not None:
        where.append(col(Shipment.created_at) >= created_after)
    if created_before is not None:
        where.append(col(Shipment.created_at) < created_before)
    page = ctx.page(Shipment, *where, order_by=[col(Shipment.created_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": shipment_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Shipment, *where),
    }


@tool
def buy_label(ctx: Context, shipment_id: str, rate_id: str) -> Any:
    """Buy a carrier's label for a shipment."""
    shipment = ctx.require(Shipment, shipment_id)
    rate = ctx.require(Rate, rate_id)
    if shipment.label_status == "bought":
        ctx.fail("conflict", f"{shipment.number} has a label already ({shipment.tracking_number}); void it first.")
    zone = zone_of(ctx, shipment)
    if rate.zone != zone:
        ctx.fail("conflict", f"Rate {rate.id} is for the zone {rate.zone}; {shipment.number} goes {zone}.")
    if too_heavy(rate, shipment.parcels):
        ctx.fail("conflict", f"Rate {rate.id} takes parcels up to {rate.max_weight_grams} g; one is heavier.")
    for address_id in (shipment.from_address_id, shipment.to_address_id):
        address = ctx.require(Address, address_id)
        if not address.valid:
            ctx.fail("conflict", f"Address {address.id} is not valid: {address.problem} Correct it first.")
    if zone != "domestic" and ctx.get(CustomsDeclaration, shipment.id) is None:
        ctx.fail("conflict", f"{shipment.number} crosses a border; set its customs declaration first.")
    carrier = ctx.require(Carrier, rate.carrier_id)
    shipment.label_status = "bought"
    shipment.rate_id, shipment.carrier_id = rate.id, carrier.id
    shipment.tracking_number = f"{carrier.prefix}{ctx.new_id('').upper()}"
    shipment.label_price, shipment.label_currency = price_of(rate, shipment.parcels), rate.currency
    shipment.label_bought_at = ctx.now()
    shipment.promised_on = ctx.today() + timedelta(days=rate.transit_days)
    ctx.flush()
    return shipment_views(ctx, [shipment])[0]


@tool
def void_label(ctx: Context, shipment_id: str) -> Any:
    """Give a label back that has not been used."""
    shipment = ctx.require(Shipment, shipment_id)
    if shipment.label_status != "bought" or shipment.label_bought_at is None:
        ctx.fail("conflict", f"{shipment.number} has no label to void.")
    if shipment.status != "created":
        ctx.fail("conflict", f"{shipment.number} is {shipment.status}; its label has been used.")
    if shipment.label_bought_at < ctx.now() - timedelta(days=VOID_DAYS):
        ctx.fail("conflict", f"The label of {shipment.number} is older than {VOID_DAYS} days and stays paid.")
    pickup = scheduled_pickup(ctx, shipment.id)
    if pickup is not None:
        ctx.fail("conflict", f"{shipment.number} is on pickup {pickup.id}; cancel that first.")
    shipment.label_status = "voided"
    shipment.rate_id = shipment.carrier_id = shipment.tracking_number = None
    shipment.label_price = shipment.label_currency = shipment.label_bought_at = shipment.promised_on = None
    ctx.flush()
    return shipment_views(ctx, [shipment])[0]


def scheduled_pickup(ctx: Context, shipment_id: str) -> Pickup | None:
    """The pickup that is to fetch a shipment."""
    return ctx.first(Pickup, col(Pickup.status) == "scheduled", col(Pickup.shipment_ids).contains([shipment_id]))


@tool
def set_customs_declaration(
    ctx: Context, shipment_id: str, purpose: str, incoterm: str, currency: str, items: list[CustomsItem]
) -> Any:
    """Say what customs is to be told; replaces what was said before."""
    shipment = ctx.require(Shipment, shipment_id)
    if zone_of(ctx, shipment) == "domestic":
        ctx.fail("conflict", f"{shipment.number} crosses no border and needs no customs declaration.")
    if shipment.label_status == "bought" and shipment.status not in ("created", "exception"):
        ctx.fail("conflict", f"{shipment.number} is {shipment.status}; its declaration can no longer be changed.")
    declaration = ctx.get(CustomsDeclaration, shipment.id)
    values: dict[str, Any] = {
        "purpose": purpose,
        "incoterm": incoterm,
        "currency": currency,
        "items": [{**item, "unit_value": float(item["unit_value"])} for item in items],
        "total_value": sum((item["unit_value"] * item["quantity"] for item in items), Decimal()),
        "declared_at": ctx.now(),
    }
    if declaration is None:
        return ctx.add(CustomsDeclaration(shipment_id=shipment.id, **values))
    for key, value in values.items():
        setattr(declaration, key, value)
    ctx.flush()
    return declaration
