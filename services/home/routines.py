"""Tools for scenes, schedules and automations."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.home.access import grown_up, me
from services.home.settings import CAPABILITIES, apply, require_settings, uses_device
from services.home.state import Device, Routine

MAX_ROUTINES = 30
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEEDS = {"turns_on": "on", "turns_off": "on", "locks": "locked", "unlocks": "locked"}
"""The property whose change is a trigger; the other triggers need a reading."""


def next_run(ctx: Context, routine: Routine) -> datetime | None:
    """When a schedule runs next."""
    if routine.kind != "schedule" or not routine.enabled or routine.at is None:
        return None
    at = time.fromisoformat(routine.at)
    days = [ctx.today() + timedelta(days=number) for number in range(8)]
    moments = [datetime.combine(day, at, UTC) for day in days if DAYS[day.weekday()] in routine.days]
    return next((moment for moment in moments if moment > ctx.now()), None)


def _view(ctx: Context, routine: Routine) -> dict[str, Any]:
    return routine.out() | {"next_run_at": next_run(ctx, routine)}


def _in_window(ctx: Context, routine: Routine) -> bool:
    now = f"{ctx.now():%H:%M}"
    start, end = routine.only_from or "00:00", routine.only_until or "24:00"
    return start <= now < end if start <= end else now >= start or now < end


def _run(ctx: Context, routine: Routine) -> tuple[list[str], list[str]]:
    """Apply a routine's actions; devices that changed and devices that are offline."""
    ids = [action["device_id"] for action in routine.actions]
    devices = {item.id: item for item in ctx.list(Device, col(Device.id).in_(ids))}
    changed: list[str] = []
    skipped: list[str] = []
    for action in routine.actions:
        device = devices[action["device_id"]]
        if device.online:
            apply(ctx, device, {name: value for name, value in action.items() if name != "device_id"})
        (changed if device.online else skipped).append(device.id)
    routine.last_run_at = ctx.now()
    return changed, skipped


def run_triggered(ctx: Context, device: Device, fired: list[str]) -> list[str]:
    """Run the enabled automations that a change of a device starts; their ids."""
    found = ctx.list(
        Routine,
        Routine.trigger_device_id == device.id,
        col(Routine.trigger_when).in_(fired),
        col(Routine.enabled).is_(True),
        order_by=col(Routine.name),
    )
    started = [item for item in found if _in_window(ctx, item)]
    for routine in started:
        _run(ctx, routine)
    return [item.id for item in started]


@tool
def list_routines(
    ctx: Context,
    kind: str | None = None,
    enabled: bool | None = None,
    device_id: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Routines by name."""
    me(ctx)
    where: list[Any] = []
    if kind is not None:
        where.append(Routine.kind == kind)
    if enabled is not None:
        where.append(Routine.enabled == enabled)
    if device_id is not None:
        where.append(uses_device(device_id))
    if query is not None:
        where.append(contains(Routine.name, query))
    page = ctx.page(Routine, *where, order_by=col(Routine.name), limit=limit, cursor=cursor)
    return {"items": [_view(ctx, item) for item in page.items], "next_cursor": page.next_cursor}


def _require_actions(ctx: Context, actions: list[dict[str, Any]]) -> None:
    ids = [action["device_id"] for action in actions]
    if len(set(ids)) < len(ids):
        ctx.fail("invalid", "A device stands twice among the actions; put its settings together.")
    for action in actions:
        device = ctx.require(Device, action["device_id"])
        settings = {name: value for name, value in action.items() if name != "device_id"}
        require_settings(ctx, device, settings)
        if "target" in settings and settings.get("mode", "off") == "off":
            ctx.fail("invalid", f"A target for {device.name} needs mode heat or eco in the same action.")


def _require_free_name(ctx: Context, name: str) -> None:
    if ctx.exists(Routine, Routine.name == name):
        ctx.fail("conflict", f"A routine is named {name!r} already; choose another name.")


@tool
def create_routine(
    ctx: Context,
    name: str,
    kind: str,
    actions: list[dict[str, Any]],
    at: str | None = None,
    days: list[str] | None = None,
    trigger_device_id: str | None = None,
    trigger_when: str | None = None,
    trigger_value: float | None = None,
    only_from: str | None = None,
    only_until: str | None = None,
) -> Any:
    """Create a scene, schedule or automation."""
    grown_up(ctx)
    _require_free_name(ctx, name)
    if ctx.count(Routine) >= MAX_ROUTINES:
        ctx.fail("limit", f"There are {MAX_ROUTINES} routines, the most allowed; change one with update_routine.")
    routine = Routine(
        id=ctx.new_id("rtn"),
        name=name,
        kind=kind,
        actions=actions,
        at=at,
        days=days or [],
        trigger_device_id=trigger_device_id,
        trigger_when=trigger_when,
        trigger_value=trigger_value,
        only_from=only_from,
        only_until=only_until,
    )
    _require_start(ctx, routine)
    _require_actions(ctx, actions)
    return _view(ctx, ctx.add(routine))


def _require_start(ctx: Context, routine: Routine) -> None:
    """Refuse what does not fit the kind of routine."""
    timed = (routine.at, routine.days or None)
    triggered = (routine.trigger_device_id, routine.trigger_when)
    extra = (routine.trigger_value, routine.only_from, routine.only_until)
    if routine.kind == "schedule" and None in timed:
        ctx.fail("invalid", "A schedule needs at and days.")
    if routine.kind != "schedule" and timed != (None, None):
        ctx.fail("invalid", f"at and days are for schedules; a {routine.kind} has none.")
    if routine.kind != "automation":
        if any(item is not None for item in triggered + extra):
            ctx.fail("invalid", f"Triggers and parts of the day are for automations; a {routine.kind} has none.")
        return
    if routine.trigger_device_id is None or routine.trigger_when is None:
        ctx.fail("invalid", "An automation needs trigger_device_id and trigger_when.")
    device = ctx.require(Device, routine.trigger_device_id)
    needed = _NEEDS.get(routine.trigger_when)
    if needed is not None and needed not in CAPABILITIES[device.kind]:
        ctx.fail("invalid", f"{device.name} is a {device.kind}; {routine.trigger_when} does not happen to it.")
    if needed is None and device.reading is None:
        ctx.fail("invalid", f"{device.name} has no reading; {routine.trigger_when} does not happen to it.")
    if (needed is None) != (routine.trigger_value is not None):
        ctx.fail("invalid", "trigger_value goes with rises_above and falls_below, and only with them.")


@tool
def update_routine(
    ctx: Context,
    routine_id: str,
    name: str | None = None,
    enabled: bool | None = None,
    actions: list[dict[str, Any]] | None = None,
) -> Any:
    """Rename a routine, switch it on or off, replace its actions."""
    grown_up(ctx)
    routine = ctx.require(Routine, routine_id)
    if name is not None and name != routine.name:
        _require_free_name(ctx, name)
        routine.name = name
    if enabled is not None:
        routine.enabled = enabled
    if actions is not None:
        _require_actions(ctx, actions)
        routine.actions = actions
    return _view(ctx, routine)


@tool
def run_routine(ctx: Context, routine_id: str) -> Any:
    """Run a routine now."""
    grown_up(ctx)
    routine = ctx.require(Routine, routine_id)
    if not routine.enabled:
        ctx.fail("conflict", f"{routine.name} is disabled; enable it with update_routine first.")
    changed, skipped = _run(ctx, routine)
    return _view(ctx, routine) | {"changed": changed, "skipped": skipped}
