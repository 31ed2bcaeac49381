"""Tools for appointments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.clinic.people import my_patient, patient_filter, require_offered
from services.clinic.schedule import KINDS, LATE, NEED_REFERRAL, slots
from services.clinic.state import Appointment, Patient, Practitioner, Referral, Room

EARLY_CHECK_IN = timedelta(minutes=30)
GRACE = timedelta(minutes=15)


def _views(ctx: Context, appointments: Sequence[Appointment]) -> list[dict[str, Any]]:
    patients = ctx.list(Patient, col(Patient.id).in_({item.patient_id for item in appointments}))
    names = {item.id: item.name for item in patients}
    found = ctx.list(Practitioner, col(Practitioner.id).in_({item.practitioner_id for item in appointments}))
    seen_by = {item.id: item for item in found}
    rooms = {item.id: item for item in ctx.list(Room, col(Room.id).in_({item.room_id for item in appointments}))}
    return [
        item.out()
        | {
            "patient_name": names[item.patient_id],
            "practitioner_name": seen_by[item.practitioner_id].name,
            "speciality": seen_by[item.practitioner_id].speciality,
            "room_name": rooms[item.room_id].name,
            "site": rooms[item.room_id].site,
        }
        for item in appointments
    ]


def _view(ctx: Context, appointment: Appointment) -> dict[str, Any]:
    return _views(ctx, [appointment])[0]


def _mine(ctx: Context, appointment_id: str) -> Appointment:
    appointment = ctx.require(Appointment, appointment_id)
    my_patient(ctx, appointment.patient_id)
    return appointment


def _require_booked(ctx: Context, appointment: Appointment) -> None:
    if appointment.status != "booked":
        ctx.fail("conflict", f"Appointment {appointment.id} is {appointment.status}, no longer booked.")


@tool
def list_appointments(
    ctx: Context,
    patient_id: str | None = None,
    practitioner_id: str | None = None,
    status: str | None = None,
    kind: str | None = None,
    starts_after: Moment | None = None,
    starts_before: Moment | None = None,
    with_fee: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Appointments in order of time."""
    where = patient_filter(ctx, col(Appointment.patient_id), patient_id)
    equal = (
        (Appointment.practitioner_id, practitioner_id),
        (Appointment.status, status),
        (Appointment.kind, kind),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if starts_after is not None:
        where.append(col(Appointment.starts_at) >= starts_after)
    if starts_before is not None:
        where.append(col(Appointment.starts_at) < starts_before)
    if with_fee is not None:
        where.append(col(Appointment.fee) > 0 if with_fee else col(Appointment.fee) == 0)
    page = ctx.page(Appointment, *where, order_by=col(Appointment.starts_at), limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_appointment(ctx: Context, appointment_id: str) -> Any:
    """One appointment."""
    return _view(ctx, _mine(ctx, appointment_id))


@tool
def create_appointment(
    ctx: Context,
    patient_id: str,
    practitioner_id: str,
    kind: str,
    starts_at: Moment,
    reason: str = "",
    referral_id: str | None = None,
    reminder_hours: int = 24,
) -> Any:
    """Book an appointment."""
    patient = my_patient(ctx, patient_id)
    practitioner = ctx.require(Practitioner, practitioner_id)
    require_offered(ctx, practitioner, kind)
    _require_accepted(ctx, patient, practitioner, kind)
    appointment = Appointment(
        id=ctx.new_id("apt"),
        patient_id=patient.id,
        practitioner_id=practitioner.id,
        room_id=practitioner.room_id,
        kind=kind,
        starts_at=starts_at,
        ends_at=starts_at,
        reason=reason,
        reminder_hours=reminder_hours,
        price=KINDS[kind].price,
        currency=practitioner.currency,
        created_at=ctx.now(),
    )
    _place(ctx, appointment, patient, practitioner, starts_at)
    if kind != "follow_up" and practitioner.speciality in NEED_REFERRAL:
        _use_referral(ctx, appointment, practitioner, referral_id)
    elif referral_id is not None:
        ctx.fail("invalid", f"{practitioner.name} needs no referral for a {kind}; leave referral_id out.")
    ctx.add(appointment)
    return _view(ctx, appointment)


def _require_accepted(ctx: Context, patient: Patient, practitioner: Practitioner, kind: str) -> None:
    seen = ctx.exists(
        Appointment,
        Appointment.patient_id == patient.id,
        Appointment.practitioner_id == practitioner.id,
        Appointment.status == "completed",
    )
    if kind == "follow_up" and not seen:
        ctx.fail("conflict", f"{practitioner.name} has not seen {patient.name} yet; book another kind first.")
    if not practitioner.accepts_new and not seen and patient.practitioner_id != practitioner.id:
        ctx.fail("conflict", f"{practitioner.name} takes no new patients; list_practitioners shows who does.")


def _place(
    ctx: Context, appointment: Appointment, patient: Patient, practitioner: Practitioner, start: datetime
) -> None:
    """Put an appointment on a free start."""
    if start not in slots(ctx, practitioner, start.date(), appointment.kind, but=appointment.id):
        ctx.fail("conflict", f"{practitioner.name} has no free {appointment.kind} at {start}; see list_slots.")
    end = start + timedelta(minutes=KINDS[appointment.kind].minutes)
    other = ctx.first(
        Appointment,
        Appointment.patient_id == patient.id,
        col(Appointment.status).in_(("booked", "checked_in")),
        col(Appointment.starts_at) < end,
        col(Appointment.ends_at) > start,
        Appointment.id != appointment.id,
    )
    if other is not None:
        ctx.fail("conflict", f"{patient.name} has appointment {other.id} at that time; move or cancel it first.")
    appointment.starts_at, appointment.ends_at = start, end
    until = patient.insurance_valid_until
    appointment.covered = until is not None and until >= start.date()


def _use_referral(ctx: Context, appointment: Appointment, practitioner: Practitioner, referral_id: str | None) -> None:
    if referral_id is None:
        ctx.fail("conflict", f"{practitioner.speciality} needs a referral; list_referrals shows open ones.")
    referral = ctx.require(Referral, referral_id)
    if referral.patient_id != appointment.patient_id or referral.speciality != practitioner.speciality:
        ctx.fail("invalid", f"Referral {referral.id} is not for this patient and {practitioner.speciality}.")
    if referral.used:
        ctx.fail("conflict", f"Referral {referral.id} is used already; ask the practice for another one.")
    if referral.valid_until < appointment.starts_at.date():
        ctx.fail("conflict", f"Referral {referral.id} is valid until {referral.valid_until} only.")
    referral.used = True
    appointment.referral_id = referral.id


@tool
def update_appointment(
    ctx: Context,
    appointment_id: str,
    starts_at: Moment | None = None,
    reason: str | None = None,
    reminder_hours: int | None = None,
) -> Any:
    """Move an appointment or change its reason or reminder."""
    appointment = _mine(ctx, appointment_id)
    _require_booked(ctx, appointment)
    if starts_at is not None and starts_at != appointment.starts_at:
        if appointment.starts_at - ctx.now() < LATE:
            ctx.fail("conflict", f"Appointment {appointment.id} starts within 24 hours; it can only be cancelled.")
        patient = ctx.require(Patient, appointment.patient_id)
        _place(ctx, appointment, patient, ctx.require(Practitioner, appointment.practitioner_id), starts_at)
        if appointment.referral_id is not None:
            referral = ctx.require(Referral, appointment.referral_id)
            if referral.valid_until < starts_at.date():
                ctx.fail("conflict", f"Referral {referral.id} is valid until {referral.valid_until} only.")
    if reason is not None:
        appointment.reason = reason
    if reminder_hours is not None:
        appointment.reminder_hours = reminder_hours
    return _view(ctx, appointment)


@tool
def cancel_appointment(ctx: Context, appointment_id: str, reason: str = "") -> Any:
    """Give an appointment back."""
    appointment = _mine(ctx, appointment_id)
    _require_booked(ctx, appointment)
    if appointment.starts_at <= ctx.now():
        ctx.fail("conflict", f"Appointment {appointment.id} has started; set_appointment_status records what happened.")
    if appointment.starts_at - ctx.now() < LATE:
        appointment.fee = ctx.require(Practitioner, appointment.practitioner_id).late_fee
    if appointment.referral_id is not None:
        ctx.require(Referral, appointment.referral_id).used = False
    appointment.status, appointment.cancel_reason = "cancelled", reason
    return _view(ctx, appointment)


@tool
def set_appointment_status(ctx: Context, appointment_id: str, status: str) -> Any:
    """Record what happened at the desk."""
    appointment = _mine(ctx, appointment_id)
    before = "checked_in" if status == "completed" else "booked"
    if appointment.status != before:
        ctx.fail("conflict", f"Appointment {appointment.id} is {appointment.status}; only {before} becomes {status}.")
    start, now = appointment.starts_at, ctx.now()
    if status == "checked_in" and not start - EARLY_CHECK_IN <= now <= start + GRACE:
        ctx.fail("conflict", f"Check-in for {appointment.id} is from 30 minutes before to 15 minutes after {start}.")
    if status == "no_show":
        if now <= start + GRACE:
            ctx.fail("conflict", f"Appointment {appointment.id} counts as a no-show 15 minutes after {start}.")
        appointment.fee = ctx.require(Practitioner, appointment.practitioner_id).late_fee
    appointment.status = status
    return _view(ctx, appointment)
