"""Tools for referrals, prescriptions, messages and laboratory results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import and_
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.clinic.people import my_patient, patient_filter
from services.clinic.state import LabResult, Message, Patient, Practitioner, Prescription, Referral

EARLY_REFILL = timedelta(days=5)
MAX_UNANSWERED = 5


def _names(ctx: Context, rows: Sequence[Any]) -> tuple[dict[str, str], dict[str, str]]:
    patients = ctx.list(Patient, col(Patient.id).in_({item.patient_id for item in rows}))
    seen_by = ctx.list(Practitioner, col(Practitioner.id).in_({item.practitioner_id for item in rows}))
    return {item.id: item.name for item in patients}, {item.id: item.name for item in seen_by}


def _views(ctx: Context, rows: Sequence[Any]) -> list[dict[str, Any]]:
    patients, seen_by = _names(ctx, rows)
    return [
        item.out()
        | {"patient_name": patients[item.patient_id], "practitioner_name": seen_by.get(item.practitioner_id or "")}
        for item in rows
    ]


@tool
def list_referrals(
    ctx: Context,
    patient_id: str | None = None,
    speciality: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Referrals, latest end first."""
    where = patient_filter(ctx, col(Referral.patient_id), patient_id)
    if speciality is not None:
        where.append(Referral.speciality == speciality)
    valid = col(Referral.valid_until) >= ctx.today()
    unused = col(Referral.used).is_(False)
    if status is not None:
        where.append({"used": ~unused, "open": and_(unused, valid), "expired": and_(unused, ~valid)}[status])
    page = ctx.page(Referral, *where, order_by=col(Referral.valid_until).desc(), limit=limit, cursor=cursor)
    items = _views(ctx, page.items)
    for item in items:
        item["status"] = "used" if item["used"] else "open" if item["valid_until"] >= ctx.today() else "expired"
    return {"items": items, "next_cursor": page.next_cursor}


@tool
def list_prescriptions(
    ctx: Context,
    patient_id: str | None = None,
    status: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Prescriptions by medicine."""
    where = patient_filter(ctx, col(Prescription.patient_id), patient_id)
    if status is not None:
        active = col(Prescription.expires_on) >= ctx.today()
        where.append(active if status == "active" else ~active)
    if query is not None:
        where.append(contains(Prescription.medicine, query) | contains(Prescription.directions, query))
    page = ctx.page(Prescription, *where, order_by=col(Prescription.medicine), limit=limit, cursor=cursor)
    return {"items": _prescriptions(ctx, page.items), "next_cursor": page.next_cursor}


def _next_refill(prescription: Prescription) -> date:
    return prescription.last_refilled_on + timedelta(days=prescription.days_supply) - EARLY_REFILL


def _prescriptions(ctx: Context, prescriptions: Sequence[Prescription]) -> list[dict[str, Any]]:
    out = []
    for row, item in zip(_views(ctx, prescriptions), prescriptions, strict=True):
        active = item.expires_on >= ctx.today()
        coming = _next_refill(item)
        possible = active and item.refills_left > 0 and coming <= item.expires_on
        out.append(row | {"status": "active" if active else "ended", "next_refill_on": coming if possible else None})
    return out


@tool
def refill_prescription(ctx: Context, prescription_id: str, pharmacy: str | None = None) -> Any:
    """Order the next refill."""
    prescription = ctx.require(Prescription, prescription_id)
    my_patient(ctx, prescription.patient_id)
    if prescription.expires_on < ctx.today():
        ctx.fail("conflict", f"Prescription {prescription.id} ended on {prescription.expires_on}; see a doctor.")
    if prescription.refills_left == 0:
        ctx.fail("limit", f"Prescription {prescription.id} has no refill left; ask with create_message for a new one.")
    if ctx.today() < _next_refill(prescription):
        ctx.fail("conflict", f"The next refill of {prescription.id} is possible from {_next_refill(prescription)} on.")
    prescription.refills_left -= 1
    prescription.last_refilled_on = ctx.today()
    if pharmacy is not None:
        prescription.pharmacy = pharmacy
    return _prescriptions(ctx, [prescription])[0]


@tool
def list_messages(
    ctx: Context,
    patient_id: str | None = None,
    practitioner_id: str | None = None,
    direction: str | None = None,
    topic: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Messages, latest first."""
    where = patient_filter(ctx, col(Message.patient_id), patient_id)
    equal = ((Message.practitioner_id, practitioner_id), (Message.direction, direction), (Message.topic, topic))
    where += [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(contains(Message.subject, query) | contains(Message.body, query))
    page = ctx.page(Message, *where, order_by=col(Message.sent_at).desc(), limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def create_message(
    ctx: Context,
    patient_id: str,
    subject: str,
    body: str,
    practitioner_id: str | None = None,
    topic: str = "other",
) -> Any:
    """Write to the practice."""
    patient = my_patient(ctx, patient_id)
    if practitioner_id is not None:
        ctx.require(Practitioner, practitioner_id)
    answered = ctx.first(
        Message,
        Message.patient_id == patient.id,
        Message.direction == "from_practice",
        order_by=col(Message.sent_at).desc(),
    )
    waiting: list[Any] = [Message.patient_id == patient.id, Message.direction == "to_practice"]
    if answered is not None:
        waiting.append(col(Message.sent_at) > answered.sent_at)
    if ctx.count(Message, *waiting) >= MAX_UNANSWERED:
        ctx.fail(
            "limit", f"{MAX_UNANSWERED} messages of {patient.name} wait for an answer; ring the reception instead."
        )
    message = Message(
        id=ctx.new_id("msg"),
        patient_id=patient.id,
        practitioner_id=practitioner_id,
        direction="to_practice",
        topic=topic,
        subject=subject,
        body=body,
        sent_at=ctx.now(),
    )
    return _views(ctx, [ctx.add(message)])[0]


@tool
def list_lab_results(
    ctx: Context,
    patient_id: str | None = None,
    assessment: str | None = None,
    query: str | None = None,
    taken_after: date | None = None,
    taken_before: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Laboratory results, latest first."""
    where = patient_filter(ctx, col(LabResult.patient_id), patient_id)
    if assessment is not None:
        where.append(LabResult.assessment == assessment)
    if query is not None:
        where.append(contains(LabResult.test, query))
    if taken_after is not None:
        where.append(col(LabResult.taken_on) >= taken_after)
    if taken_before is not None:
        where.append(col(LabResult.taken_on) <= taken_before)
    page = ctx.page(LabResult, *where, order_by=col(LabResult.taken_on).desc(), limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}
