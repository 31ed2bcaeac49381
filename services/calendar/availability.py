"""Who is busy when, and when people and rooms are free."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context
from services.calendar.occurrences import Occurrence, collect
from services.calendar.state import Attendee, Calendar, Event, Profile, Room
from services.calendar.views import attendees_of
from services.calendar.zones import local_text, zone

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ROOM_HORIZON = timedelta(days=366)


@dataclass(frozen=True)
class Busy:
    """A stretch in which somebody is not free; tentative where they have not accepted."""

    start: datetime
    end: datetime
    kind: str
    occurrence: Occurrence


def busy(
    ctx: Context, emails: list[str], after: datetime, before: datetime, besides: str = ""
) -> dict[str, list[Busy]]:
    """For each person, by start, what keeps them busy in the window.

    Args:
        besides: an event or series to leave out.
    """
    owners = {item.id: item.owner_email for item in ctx.list(Calendar, col(Calendar.owner_email).in_(emails))}
    invited = select(col(Attendee.event_id)).where(col(Attendee.email).in_(emails))
    found = collect(
        ctx,
        after,
        before,
        col(Event.show_as) == "busy",
        or_(col(Event.calendar_id).in_(list(owners)), col(Event.id).in_(invited)),
    )
    attendees = attendees_of(ctx, sorted({item.event.id for item in found}))
    out: dict[str, list[Busy]] = {email: [] for email in emails}
    for item in found:
        if item.family == besides:
            continue
        people = attendees.get(item.event.id, [])
        if not people and (owner := owners.get(item.event.calendar_id)):
            kind = "tentative" if item.event.status == "tentative" else "busy"
            out[owner].append(Busy(item.start, item.end, kind, item))
        for person in people:
            if person.email in out and person.response != "declined":
                sure = person.response == "accepted" and item.event.status == "confirmed"
                out[person.email].append(Busy(item.start, item.end, "busy" if sure else "tentative", item))
    return out


def merged(stretches: list[Busy], after: datetime, before: datetime) -> list[dict[str, object]]:
    """The stretches inside the window, touching ones of a kind joined."""
    out: list[dict[str, object]] = []
    for kind in ("busy", "tentative"):
        current: list[datetime] = []
        for item in [item for item in stretches if item.kind == kind]:
            start, end = max(item.start, after), min(item.end, before)
            if current and start <= current[1]:
                current[1] = max(current[1], end)
            else:
                if current:
                    out.append({"start": current[0], "end": current[1], "kind": kind})
                current = [start, end]
        if current:
            out.append({"start": current[0], "end": current[1], "kind": kind})
    return sorted(out, key=lambda item: (str(item["start"]), str(item["kind"])))


def works_then(profile: Profile, start: datetime, end: datetime) -> bool:
    """Whether the stretch lies within one working day of that person."""
    first, last = start.astimezone(zone(profile.time_zone)), end.astimezone(zone(profile.time_zone))
    return (
        first.date() == last.date()
        and _WEEKDAYS[first.weekday()] in profile.work_days
        and first.time() >= time.fromisoformat(profile.work_start)
        and last.time() <= time.fromisoformat(profile.work_end)
    )


def rooms_taken(ctx: Context, after: datetime, before: datetime) -> dict[str, list[Occurrence]]:
    """What is booked, by room."""
    out: dict[str, list[Occurrence]] = {}
    for item in collect(ctx, after, before, col(Event.room_id).is_not(None)):
        out.setdefault(item.event.room_id or "", []).append(item)
    return out


def ensure_room(ctx: Context, rows: list[Event], heads: int) -> None:
    """Refuse where a row's room is too small, out of service or taken at an occurrence of the next year."""
    for room_id in sorted({row.room_id for row in rows if row.room_id}):
        room = ctx.require(Room, room_id)
        if room.status != "available":
            ctx.fail("conflict", f"The room {room.name} is out of service; list_rooms shows the others.")
        if heads > room.capacity:
            ctx.fail(
                "limit",
                f"The room {room.name} holds {room.capacity} people and {heads} are to attend; "
                "choose a larger one with list_rooms.",
                capacity=room.capacity,
                attending=heads,
            )
        theirs = [row for row in rows if row.room_id == room_id]
        after = min(row.start_at for row in theirs)
        if any(row.recurrence for row in theirs):
            before = max(ctx.now(), after) + ROOM_HORIZON
        else:
            before = max(row.end_at for row in theirs)
        _refuse_double(ctx, room, {row.series_id or row.id for row in theirs}, after, before)


def _refuse_double(ctx: Context, room: Room, families: set[str], after: datetime, before: datetime) -> None:
    open_ones: list[Occurrence] = []
    for item in collect(ctx, after, before, col(Event.room_id) == room.id):
        open_ones = [other for other in open_ones if other.end > item.start]
        for other in open_ones:
            if (item.family in families) != (other.family in families):
                taken = other if item.family in families else item
                ctx.fail(
                    "conflict",
                    f"The room {room.name} is already booked by {taken.event.organizer_email} from "
                    f"{taken.start.astimezone(UTC):%Y-%m-%d %H:%M} to {taken.end.astimezone(UTC):%H:%M} UTC; "
                    "choose another room with list_rooms or another time.",
                    room_id=room.id,
                    start=taken.start,
                    end=taken.end,
                )
        open_ones.append(item)


@dataclass(frozen=True)
class Slot:
    """A stretch in which everybody is free."""

    start: datetime
    end: datetime
    room_ids: tuple[str, ...]

    def out(self, profiles: list[Profile]) -> dict[str, object]:
        """The slot for a tool's result, with everybody's wall clock."""
        return {
            "start": self.start,
            "end": self.end,
            "local_times": [
                {
                    "email": item.email,
                    "time_zone": item.time_zone,
                    "start_local": local_text(self.start, item.time_zone),
                }
                for item in profiles
            ],
            "free_room_ids": list(self.room_ids),
        }


def common_slots(
    ctx: Context,
    profiles: list[Profile],
    after: datetime,
    before: datetime,
    length: timedelta,
    *,
    in_working_hours: bool,
    rooms: list[Room] | None,
    limit: int,
) -> list[Slot]:
    """The first slots, on half hours, that suit everybody and, if rooms are given, one of those."""
    taken = sorted(
        (item.start, item.end)
        for items in busy(ctx, [p.email for p in profiles], after, before).values()
        for item in items
    )
    booked = rooms_taken(ctx, after, before) if rooms is not None else {}
    step = timedelta(minutes=30)
    start = after + (-(after - datetime(2000, 1, 1, tzinfo=UTC)) % step)
    out: list[Slot] = []
    while start + length <= before and len(out) < limit:
        end = start + length
        clash = max((stop for begin, stop in taken if begin < end and stop > start), default=None)
        if clash is None and (not in_working_hours or all(works_then(item, start, end) for item in profiles)):
            free = tuple(
                room.id
                for room in rooms or ()
                if not any(item.start < end and item.end > start for item in booked.get(room.id, ()))
            )
            if rooms is None or free:
                out.append(Slot(start, end, free))
        start += step
    return out
