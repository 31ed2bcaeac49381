"""Kinds of appointment, and when a practitioner is free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context
from services.clinic.state import Appointment, Practitioner

STEP = timedelta(minutes=15)
LUNCH = (12 * 60, 13 * 60)
NOTICE = timedelta(hours=2)
MAX_AHEAD = timedelta(days=180)
LATE = timedelta(hours=24)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NEED_REFERRAL = ("dermatology", "cardiology", "physiotherapy")


@dataclass(frozen=True)
class Kind:
    """A kind of appointment: its length, price and who offers it."""

    minutes: int
    price: Decimal
    specialities: tuple[str, ...]


KINDS = {
    "consultation": Kind(15, Decimal(60), ("general", "dermatology", "cardiology", "optometry", "dental")),
    "follow_up": Kind(
        15, Decimal(40), ("general", "dermatology", "cardiology", "optometry", "dental", "physiotherapy")
    ),
    "check_up": Kind(30, Decimal(95), ("general", "dental", "optometry", "cardiology")),
    "vaccination": Kind(15, Decimal(35), ("nursing",)),
    "blood_test": Kind(15, Decimal(30), ("nursing",)),
    "hygiene": Kind(30, Decimal(70), ("dental",)),
    "treatment": Kind(45, Decimal(130), ("dental", "physiotherapy", "dermatology")),
}


def offered(practitioner: Practitioner) -> list[str]:
    """The kinds of appointment that a practitioner offers."""
    return [name for name, kind in KINDS.items() if practitioner.speciality in kind.specialities]


def is_bookable(ctx: Context, start: datetime) -> bool:
    """Whether a start is neither too soon nor too far ahead."""
    return NOTICE <= start - ctx.now() <= MAX_AHEAD


def busy(ctx: Context, practitioner: Practitioner, day: date, but: str = "") -> Sequence[Appointment]:
    """Appointments of that day (UTC) that keep the practitioner or the room."""
    midnight = datetime.combine(day, time(0), UTC)
    return ctx.list(
        Appointment,
        or_(
            col(Appointment.practitioner_id) == practitioner.id,
            col(Appointment.room_id) == practitioner.room_id,
        ),
        col(Appointment.status).in_(("booked", "checked_in")),
        col(Appointment.starts_at) >= midnight,
        col(Appointment.starts_at) < midnight + timedelta(days=1),
        Appointment.id != but,
    )


def slots(ctx: Context, practitioner: Practitioner, day: date, kind: str, but: str = "") -> list[datetime]:
    """Free starts of a day, earliest first."""
    midnight = datetime.combine(day, time(0), UTC)
    reachable = midnight - ctx.now() <= MAX_AHEAD and ctx.today() <= day
    if DAYS[day.weekday()] not in practitioner.work_days or not reachable:
        return []
    length = KINDS[kind].minutes
    kept = [
        (_minute(item.starts_at), _minute(item.starts_at) + (item.ends_at - item.starts_at) // timedelta(minutes=1))
        for item in busy(ctx, practitioner, day, but)
    ] + [LUNCH]
    step = STEP // timedelta(minutes=1)
    starts = range(practitioner.opens, practitioner.closes - length + 1, step)
    free = [start for start in starts if all(start >= last or start + length <= first for first, last in kept)]
    moments = [midnight + timedelta(minutes=start) for start in free]
    return [moment for moment in moments if is_bookable(ctx, moment)]


def _minute(moment: datetime) -> int:
    return moment.astimezone(UTC).hour * 60 + moment.astimezone(UTC).minute
