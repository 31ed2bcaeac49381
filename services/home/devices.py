"""Tools for devices."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.home.access import me
from services.home.routines import run_triggered
from services.home.settings import CHILDREN_SET, apply, device_view, require_settings, uses_device
from services.home.state import Alert, Device, EnergyReading, Routine


@tool
def list_devices(
    ctx: Context,
    query: str | None = None,
    kind: str | None = None,
    room: str | None = None,
    online: bool | None = None,
    on: bool | None = None,
    locked: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Devices by name."""
    me(ctx)
    equal = (
        (Device.kind, kind),
        (Device.room, room),
        (Device.online, online),
        (Device.on, on),
        (Device.locked, locked),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(contains(Device.name, query) | contains(Device.model, query))
    page = ctx.page(Device, *where, order_by=col(Device.name), limit=limit, cursor=cursor)
    return {"items": [device_view(item) for item in page.items], "next_cursor": page.next_cursor}


@tool
def get_device(ctx: Context, device_id: str) -> Any:
    """One device with its alerts, routines and energy."""
    me(ctx)
    device = ctx.require(Device, device_id)
    alerts = ctx.list(Alert, Alert.device_id == device.id, Alert.status != "resolved")
    since = ctx.today() - timedelta(days=30)
    used, cost = ctx.rows(
        select(func.sum(col(EnergyReading.kwh)), func.sum(col(EnergyReading.cost))).where(
            col(EnergyReading.device_id) == device.id, col(EnergyReading.day) >= since
        )
    )[0]
    return device_view(device) | {
        "open_alerts": [item.id for item in alerts],
        "routine_ids": [item.id for item in ctx.list(Routine, uses_device(device.id))],
        "energy": {"kwh": round(used or 0.0, 2), "cost": cost or Decimal(0), "currency": "GBP"},
    }


@tool
def update_device(
    ctx: Context,
    device_id: str,
    name: str | None = None,
    on: bool | None = None,
    brightness: int | None = None,
    colour: str | None = None,
    programme: str | None = None,
    mode: str | None = None,
    target: float | None = None,
    locked: bool | None = None,
    position: int | None = None,
) -> Any:
    """Set or rename a device."""
    member = me(ctx)
    device = ctx.require(Device, device_id)
    given = {
        "on": on,
        "brightness": brightness,
        "colour": colour,
        "programme": programme,
        "mode": mode,
        "target": target,
        "locked": locked,
        "position": position,
    }
    settings = {key: value for key, value in given.items() if value is not None}
    if member.role == "child" and (name is not None or device.kind not in CHILDREN_SET):
        ctx.fail("forbidden", f"Children may set lights and blinds only; {device.name} is for grown-ups.")
    triggered: list[str] = []
    if name is not None and name != device.name:
        if ctx.exists(Device, Device.name == name):
            ctx.fail("conflict", f"A device is named {name!r} already; choose another name.")
        device.name = name
    if settings:
        require_settings(ctx, device, settings)
        if not device.online:
            ctx.fail("conflict", f"{device.name} is offline and cannot be set; see list_alerts.")
        fired = apply(ctx, device, settings)
        triggered = run_triggered(ctx, device, fired)
    return device_view(device) | {"triggered": triggered}
