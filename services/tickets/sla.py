"""Promised times: business hours, and the due times of a ticket derived from tier and priority.

Business hours are 09:00 to 17:00 UTC from Monday to Friday, holidays excepted. The resolution clock starts
when a ticket is created or reopened, and stands still while the ticket is pending or on hold.
"""

from __future__ import annotations

from collections.abc import Set
from datetime import date, datetime, timedelta

from engine.kit import Context
from services.tickets.state import Holiday, Organization, SlaPolicy, Ticket

OPENS, CLOSES = 9, 17
"""Hours of the day (UTC) between which the desk works."""

DEFAULT_TIER = "bronze"
"""The tier of people without an organisation."""

PAUSING = ("pending", "on_hold")


def _hours(day: date, like: datetime) -> tuple[datetime, datetime]:
    midnight = datetime(day.year, day.month, day.day, tzinfo=like.tzinfo)
    return midnight + timedelta(hours=OPENS), midnight + timedelta(hours=CLOSES)


def _works(day: date, days_off: Set[date]) -> bool:
    return day.weekday() < 5 and day not in days_off


def add_business_minutes(start: datetime, minutes: int, days_off: Set[date]) -> datetime:
    """The instant at which that many business minutes have passed since ``start``."""
    left = timedelta(minutes=minutes)
    day = start.date()
    while True:
        if _works(day, days_off):
            opens, closes = _hours(day, start)
            begin = max(start, opens)
            if begin < closes:
                if begin + left <= closes:
                    return begin + left
                left -= closes - begin
        day += timedelta(days=1)


def business_minutes(start: datetime, end: datetime, days_off: Set[date]) -> int:
    """Whole business minutes from ``start`` to ``end``; 0 if it is not later."""
    total = timedelta()
    day = start.date()
    while day <= end.date():
        if _works(day, days_off):
            opens, closes = _hours(day, start)
            total += max(min(end, closes) - max(start, opens), timedelta())
        day += timedelta(days=1)
    return int(total.total_seconds() // 60)


def holidays(ctx: Context) -> set[date]:
    """The days off."""
    return {item.day for item in ctx.list(Holiday)}


def set_due_times(ticket: Ticket, policy: SlaPolicy, days_off: Set[date]) -> None:
    """Derive the due times from what the ticket says."""
    ticket.first_response_due_at = add_business_minutes(ticket.created_at, policy.response_minutes, days_off)
    allowed = policy.resolution_minutes + ticket.paused_minutes
    ticket.resolution_due_at = add_business_minutes(ticket.resolution_started_at, allowed, days_off)


def tier_of(ctx: Context, organization_id: str | None) -> str:
    """The tier that an organisation, or a person without one, is served at."""
    return ctx.require(Organization, organization_id).tier if organization_id else DEFAULT_TIER


def refresh(ctx: Context, ticket: Ticket) -> None:
    """Derive a ticket's due times anew, after a change of what they depend on."""
    policy = ctx.require(SlaPolicy, tier_of(ctx, ticket.organization_id), ticket.priority)
    set_due_times(ticket, policy, holidays(ctx))


def pause(ctx: Context, ticket: Ticket) -> None:
    """Let the resolution clock stand still from now on."""
    if ticket.paused_since is None:
        ticket.paused_since = ctx.now()


def resume(ctx: Context, ticket: Ticket) -> None:
    """Let the resolution clock run again; what it stood still moves the due time."""
    if ticket.paused_since is None:
        return
    ticket.paused_minutes += business_minutes(ticket.paused_since, ctx.now(), holidays(ctx))
    ticket.paused_since = None
    refresh(ctx, ticket)
