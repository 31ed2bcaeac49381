"""Tools for free time, meeting rooms and reminders."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.calendar import access
from services.calendar.availability import busy, common_slots, ensure_room, merged, rooms_taken
from services.calendar.editing import target
from services.calendar.event_tools import check_window, heads, result
from services.calendar.occurrences import collect
from services.calendar.state import Event, Profile, Reminder, Room
from services.calendar.views import briefs

FREE_BUSY_WINDOW = timedelta(days=62)


@tool
def get_free_busy(ctx: Context, emails: list[str], after: Moment, before: Moment) -> Any:
    check_window(ctx, after, before, FREE_BUSY_WINDOW)
    asked = list(dict.fromkeys(access.norm(item) for item in emails))
    profiles = {item.email: item for item in ctx.list(Profile, col(Profile.email).in_(asked))}
    found = busy(ctx, list(profiles), after, before)
    items = []
    for email in asked:
        profile = profiles.get(email)
        items.append(
            {
                "email": email,
                "name": profile.name if profile else None,
                "known": profile is not None,
                "time_zone": profile.time_zone if profile else None,
                "busy": merged(found[email], after, before) if profile else [],
            }
        )
    return {"after": after, "before": before, "items": items}


@tool
def find_common_slots(
    ctx: Context,
    emails: list[str],
    duration_minutes: int,
    after: Moment,
    before: Moment,
    include_me: bool = True,
    working_hours_only: bool = True,
    needs_room: bool = False,
    room_building: str | None = None,
    room_equipment: list[str] | None = None,
    limit: int = 5,
) -> Any:
    check_window(ctx, after, before, FREE_BUSY_WINDOW)
    asked = list(dict.fromkeys(access.norm(item) for item in emails))
    if include_me and access.me(ctx) not in asked:
        asked.insert(0, access.me(ctx))
    profiles = ctx.list(Profile, col(Profile.email).in_(asked))
    if not profiles:
        ctx.fail("not_found", "None of these people is of the organisation; only colleagues' time is known.")
    rooms = None
    if needs_room or room_building is not None or room_equipment:
        rooms = _fitting(ctx, room_building, len(asked), room_equipment or [])
    slots = common_slots(
        ctx,
        profiles,
        max(after, ctx.now()),
        before,
        timedelta(minutes=duration_minutes),
        in_working_hours=working_hours_only,
        rooms=rooms,
        limit=limit,
    )
    known = {item.email for item in profiles}
    return {
        "items": [item.out(profiles) for item in slots],
        "considered": sorted(known),
        "unknown": [item for item in asked if item not in known],
    }


@tool
def find_conflicts(ctx: Context, after: Moment, before: Moment) -> Any:
    check_window(ctx, after, before, FREE_BUSY_WINDOW)
    found = sorted(busy(ctx, [access.me(ctx)], after, before)[access.me(ctx)], key=lambda item: item.occurrence.order)
    pairs = []
    open_ones: list[Any] = []
    for item in found:
        open_ones = [other for other in open_ones if other.end > item.start]
        pairs += [(other, item) for other in open_ones]
        open_ones.append(item)
    shown = briefs(ctx, [one.occurrence for pair in pairs for one in pair])
    return {
        "items": [
            {
                "start": max(first.start, second.start),
                "end": min(first.end, second.end),
                "events": shown[2 * index : 2 * index + 2],
            }
            for index, (first, second) in enumerate(pairs)
        ],
        "total": len(pairs),
    }


def _fitting(ctx: Context, building: str | None, heads: int, equipment: list[str]) -> list[Room]:
    where = [col(Room.status) == "available", col(Room.capacity) >= heads]
    if building is not None:
        where.append(contains(Room.building, building))
    rooms = ctx.list(Room, *where, order_by=[col(Room.capacity), col(Room.name)])
    return [item for item in rooms if set(equipment) <= set(item.equipment)]


@tool
def list_rooms(
    ctx: Context,
    building: str | None = None,
    min_capacity: int = 1,
    equipment: list[str] | None = None,
    free_from: Moment | None = None,
    free_until: Moment | None = None,
    include_out_of_service: bool = False,
) -> Any:
    if (free_from is None) != (free_until is None):
        ctx.fail("invalid", "Give free_from and free_until together.")
    rooms = _fitting(ctx, building, min_capacity, equipment or [])
    if include_out_of_service:
        closed = ctx.list(Room, Room.status != "available", col(Room.capacity) >= min_capacity)
        rooms += [
            item
            for item in closed
            if (building is None or building.lower() in item.building.lower())
            and set(equipment or []) <= set(item.equipment)
        ]
    if free_from is not None and free_until is not None:
        check_window(ctx, free_from, free_until)
        taken = rooms_taken(ctx, free_from, free_until)
        rooms = [item for item in rooms if item.id not in taken]
    return {"items": rooms, "total": len(rooms)}


@tool
def book_room(
    ctx: Context,
    event_id: str,
    room_id: str,
    scope: str | None = None,
    occurrence_start: Moment | None = None,
) -> Any:
    event = access.event_to_edit(ctx, event_id)
    room = ctx.require(Room, room_id)
    what = target(ctx, event, scope, occurrence_start)
    if what.main.room_id == room.id:
        ctx.fail("conflict", f"Event {event_id!r} already has the room {room.name}.")
    for row in what.rows:
        row.room_id = room.id
        row.updated_at = ctx.now()
    ensure_room(ctx, what.rows, heads(ctx, what.main))
    return result(ctx, what.main)


@tool
def release_room(ctx: Context, event_id: str, scope: str | None = None, occurrence_start: Moment | None = None) -> Any:
    event = access.event_to_edit(ctx, event_id)
    what = target(ctx, event, scope, occurrence_start)
    if what.main.room_id is None:
        ctx.fail("conflict", f"Event {event_id!r} has no room to release.")
    for row in what.rows:
        row.room_id = None
        row.updated_at = ctx.now()
    return result(ctx, what.main)


@tool
def list_due_reminders(ctx: Context, within_minutes: int = 1440) -> Any:
    mine = ctx.list(Reminder, Reminder.email == access.me(ctx))
    by_row: dict[str, list[Reminder]] = {}
    for item in mine:
        by_row.setdefault(item.event_id, []).append(item)
    horizon = ctx.now() + timedelta(minutes=within_minutes)
    longest = max((item.minutes_before for item in mine), default=0)
    found = collect(ctx, ctx.now(), horizon + timedelta(minutes=longest), col(Event.id).in_(list(by_row)))
    due = [
        (occurrence.start - timedelta(minutes=item.minutes_before), item.method, occurrence)
        for occurrence in found
        for item in by_row[occurrence.event.id]
    ]
    due = [item for item in due if ctx.now() <= item[0] < horizon]
    due.sort(key=lambda item: (item[0], item[2].order, item[1]))
    shown = briefs(ctx, [item[2] for item in due])
    return {
        "items": [
            {"remind_at": at, "method": method, "event": event}
            for (at, method, _), event in zip(due, shown, strict=True)
        ],
        "total": len(due),
    }
