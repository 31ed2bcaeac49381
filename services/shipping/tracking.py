"""Tools for tracking events and pickups."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.shipping.shipments import scheduled_pickup
from services.shipping.state import Pickup, Shipment, TrackingEvent

NEXT = {
    "created": ("picked_up",),
    "picked_up": ("in_transit", "out_for_delivery", "exception"),
    "in_transit": ("in_transit", "out_for_delivery", "exception"),
    "out_for_delivery": ("delivered", "exception"),
    "exception": ("exception", "in_transit", "out_for_delivery", "delivered", "returned"),
    "delivered": (),
    "returned": (),
}
"""Which states may follow each."""
CUT_OFF = 15
"""Hour (UTC) until which a pickup can be booked for the same day."""
MAX_AHEAD = timedelta(days=14)


@tool
def create_tracking_event(
    ctx: Context, shipment_id: str, status: str, place: str = "", note: str = "", happened_at: Moment | None = None
) -> Any:
    """Record what the carrier reports of a shipment."""
    shipment = ctx.require(Shipment, shipment_id)
    if shipment.label_status != "bought":
        ctx.fail("conflict", f"{shipment.number} has no label, so no carrier can have it.")
    if status not in NEXT[shipment.status]:
        allowed = " or ".join(NEXT[shipment.status])
        ctx.fail("conflict", f"{shipment.number} is {shipment.status}; next comes {allowed or 'nothing more'}.")
    if status == "exception" and not note.strip():
        ctx.fail("invalid", "An exception needs a note that says what is wrong.")
    moment = happened_at or ctx.now()
    last = ctx.first(
        TrackingEvent,
        col(TrackingEvent.shipment_id) == shipment.id,
        order_by=[col(TrackingEvent.happened_at).desc()],
    )
    if moment > ctx.now() or (last is not None and moment <= last.happened_at):
        ctx.fail("invalid", "happened_at must lie after the shipment's last event and not in the future.")
    event = ctx.add(
        TrackingEvent(
            id=ctx.new_id("trk"),
            shipment_id=shipment.id,
            status=status,
            place=place,
            note=note,
            happened_at=moment,
        )
    )
    shipment.status = status
    if status == "delivered":
        shipment.delivered_on = moment.date()
    if status == "picked_up":
        ctx.flush()
        _collected(ctx, shipment.id)
    return event


def _collected(ctx: Context, shipment_id: str) -> None:
    """Close the pickup of a shipment once nothing is left of it."""
    pickup = scheduled_pickup(ctx, shipment_id)
    if pickup is None:
        return
    waiting = col(Shipment.id).in_(pickup.shipment_ids), col(Shipment.status) == "created"
    if not ctx.exists(Shipment, *waiting):
        pickup.status = "collected"


@tool
def create_pickup(ctx: Context, shipment_ids: list[str], pickup_date: date, window: str, instructions: str = "") -> Any:
    """Ask a carrier to fetch shipments."""
    if not ctx.today() <= pickup_date <= ctx.today() + MAX_AHEAD:
        ctx.fail("invalid", f"pickup_date must lie between today and {ctx.today() + MAX_AHEAD}.")
    if pickup_date.weekday() >= 5:
        ctx.fail("invalid", f"{pickup_date} is a weekend day; carriers come from Monday to Friday.")
    if pickup_date == ctx.today() and (window == "morning" or ctx.now().hour >= CUT_OFF):
        ctx.fail("invalid", f"For today only the afternoon can be booked, before {CUT_OFF}:00 UTC.")
    shipments = {item.id: item for item in ctx.list(Shipment, col(Shipment.id).in_(shipment_ids))}
    booked = {key: item.id for item in ctx.list(Pickup, col(Pickup.status) == "scheduled") for key in item.shipment_ids}
    for shipment_id in shipment_ids:
        shipment = shipments.get(shipment_id)
        if shipment is None:
            ctx.fail("not_found", f"There is no shipment {shipment_id!r}.")
        if shipment.label_status != "bought":
            ctx.fail("conflict", f"{shipment.number} has no label yet; buy one first.")
        if shipment.status != "created":
            ctx.fail("conflict", f"{shipment.number} is {shipment.status} and needs no pickup.")
        if shipment.id in booked:
            ctx.fail("conflict", f"{shipment.number} is on pickup {booked[shipment.id]} already.")
    first = shipments[shipment_ids[0]]
    assert first.carrier_id is not None  # it has a label
    for shipment in shipments.values():
        if (shipment.carrier_id, shipment.from_address_id) != (first.carrier_id, first.from_address_id):
            ctx.fail("conflict", f"{shipment.number} and {first.number} differ in carrier or place; book two pickups.")
    return ctx.add(
        Pickup(
            id=ctx.new_id("pck"),
            carrier_id=first.carrier_id,
            address_id=first.from_address_id,
            shipment_ids=shipment_ids,
            pickup_date=pickup_date,
            window=window,
            instructions=instructions,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )


@tool
def list_pickups(
    ctx: Context,
    status: str | None = None,
    carrier_id: str | None = None,
    address_id: str | None = None,
    pickup_date: date | None = None,
    shipment_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Pickups that meet every filter, the latest day first."""
    equal = (
        (Pickup.status, status),
        (Pickup.carrier_id, carrier_id),
        (Pickup.address_id, address_id),
        (Pickup.pickup_date, pickup_date),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if shipment_id is not None:
        where.append(col(Pickup.shipment_ids).contains([shipment_id]))
    page = ctx.page(Pickup, *where, order_by=[col(Pickup.pickup_date).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Pickup, *where)}


@tool
def cancel_pickup(ctx: Context, pickup_id: str) -> Any:
    """Call a pickup off; its shipments keep their labels."""
    pickup = ctx.require(Pickup, pickup_id)
    if pickup.status != "scheduled":
        ctx.fail("conflict", f"Pickup {pickup.id} is {pickup.status} already.")
    pickup.status = "cancelled"
    return pickup
