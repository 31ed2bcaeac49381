"""Tools of the toy parcels."""

from __future__ import annotations

from typing import Any

from engine.kit import Context, Money, contains, tool
from tests.toys.state import Parcel


@tool
def list_parcels(ctx: Context, receiver: str = "") -> Any:
    return {"items": [parcel.out() for parcel in ctx.list(Parcel, contains(Parcel.receiver, receiver))]}


@tool
def pack(ctx: Context, receiver: str, price: Money) -> Any:
    return ctx.add(Parcel(id=ctx.new_id("parcel"), receiver=receiver, price=price))


@tool
def send(ctx: Context, id: str) -> Any:
    parcel = ctx.require(Parcel, id)
    if parcel.status != "packed":
        ctx.fail("conflict", f"{id} is {parcel.status}.")
    parcel.status, parcel.sent_at = "sent", ctx.now()
    return parcel
