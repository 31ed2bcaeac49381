"""Tools for practitioners and patients, and who may act for whom."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.clinic.schedule import DAYS, KINDS, NEED_REFERRAL, offered, slots
from services.clinic.state import Appointment, Patient, Practitioner, Room

MAX_PATIENTS = 12
_KEEP: Any = object()
"""Stands for an argument that was left out, where null means something else."""


def my_patient(ctx: Context, patient_id: str) -> Patient:
    """A patient whom the user acts for; others are refused without saying anything about them."""
    patient = ctx.require(Patient, patient_id)
    if patient.manager_email != ctx.user.email:
        ctx.fail("forbidden", f"You do not act for patient {patient_id}; list_patients shows those you act for.")
    return patient


def my_patient_ids(ctx: Context) -> Any:
    """A query for the ids of the patients whom the user acts for."""
    return select(col(Patient.id)).where(col(Patient.manager_email) == ctx.user.email)


def patient_filter(ctx: Context, column: Any, patient_id: str | None) -> list[Any]:
    """The condition that rows concern one patient, or all whom the user acts for."""
    if patient_id is not None:
        return [column == my_patient(ctx, patient_id).id]
    return [column.in_(my_patient_ids(ctx))]


def practitioner_views(ctx: Context, practitioners: Sequence[Practitioner]) -> list[dict[str, Any]]:
    """Practitioners with their site and what they offer."""
    rooms = {item.id: item for item in ctx.list(Room, col(Room.id).in_({item.room_id for item in practitioners}))}
    return [
        item.out(without=("opens", "closes"))
        | {
            "opens": _clock(item.opens),
            "closes": _clock(item.closes),
            "site": rooms[item.room_id].site,
            "room_name": rooms[item.room_id].name,
            "needs_referral": item.speciality in NEED_REFERRAL,
            "kinds": [
                {"kind": name, "minutes": KINDS[name].minutes, "price": KINDS[name].price} for name in offered(item)
            ],
        }
        for item in practitioners
    ]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@tool
def list_practitioners(
    ctx: Context,
    query: str | None = None,
    speciality: str | None = None,
    kind: str | None = None,
    language: str | None = None,
    accepts_new: bool | None = None,
    works_on: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Practitioners by name."""
    where: list[Any] = []
    if query is not None:
        sites = select(col(Room.id)).where(contains(Room.site, query))
        where.append(contains(Practitioner.name, query) | col(Practitioner.room_id).in_(sites))
    if speciality is not None:
        where.append(Practitioner.speciality == speciality)
    if kind is not None:
        where.append(col(Practitioner.speciality).in_(KINDS[kind].specialities))
    if language is not None:
        where.append(col(Practitioner.languages).contains([language]))
    if accepts_new is not None:
        where.append(Practitioner.accepts_new == accepts_new)
    if works_on is not None:
        where.append(col(Practitioner.work_days).contains([DAYS[works_on.weekday()]]))
    page = ctx.page(Practitioner, *where, order_by=col(Practitioner.name), limit=limit, cursor=cursor)
    return {"items": practitioner_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def list_slots(ctx: Context, practitioner_id: str, date: date, kind: str) -> Any:
    """Free starts of a day."""
    practitioner = ctx.require(Practitioner, practitioner_id)
    require_offered(ctx, practitioner, kind)
    length = timedelta(minutes=KINDS[kind].minutes)
    room = ctx.require(Room, practitioner.room_id)
    items = [
        {"starts_at": start, "ends_at": start + length, "room_name": room.name, "site": room.site}
        for start in slots(ctx, practitioner, date, kind)
    ]
    return {"items": items, "next_cursor": None}


def require_offered(ctx: Context, practitioner: Practitioner, kind: str) -> None:
    """Refuse a kind of appointment that a practitioner does not offer."""
    if kind not in offered(practitioner):
        ctx.fail("invalid", f"{practitioner.name} offers {', '.join(offered(practitioner))}, not {kind}.")


@tool
def list_patients(
    ctx: Context,
    query: str | None = None,
    relation: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Patients whom the user acts for."""
    where: list[Any] = [Patient.manager_email == ctx.user.email]
    if query is not None:
        where.append(contains(Patient.name, query))
    if relation is not None:
        where.append(Patient.relation == relation)
    return ctx.page(Patient, *where, order_by=col(Patient.name), limit=limit, cursor=cursor).out()


@tool
def get_patient(ctx: Context, patient_id: str) -> Any:
    """One patient with what is next and what is owed."""
    return _view(ctx, my_patient(ctx, patient_id))


def _view(ctx: Context, patient: Patient) -> dict[str, Any]:
    coming = ctx.first(
        Appointment,
        Appointment.patient_id == patient.id,
        Appointment.status == "booked",
        col(Appointment.starts_at) >= ctx.now(),
        order_by=col(Appointment.starts_at),
    )
    fees = ctx.rows(select(func.sum(col(Appointment.fee))).where(col(Appointment.patient_id) == patient.id))[0][0]
    return patient.out() | {"next_appointment_id": coming.id if coming else None, "unpaid_fees": fees or 0}


@tool
def create_patient(
    ctx: Context,
    name: str,
    born_on: date,
    relation: str,
    email: str | None = None,
    phone: str = "",
    allergies: str = "",
    practitioner_id: str | None = None,
    insurer: str | None = None,
    insurance_number: str | None = None,
    insurance_valid_until: date | None = None,
) -> Any:
    """Register a patient whom the user acts for."""
    if not date(1900, 1, 1) <= born_on <= ctx.today():
        ctx.fail("invalid", f"born_on {born_on} is not between 1900-01-01 and today.")
    mine = Patient.manager_email == ctx.user.email
    if ctx.exists(Patient, mine, Patient.name == name, Patient.born_on == born_on):
        ctx.fail("conflict", f"{name}, born on {born_on}, is registered already; list_patients shows the id.")
    if ctx.count(Patient, mine) >= MAX_PATIENTS:
        ctx.fail("limit", f"You act for {MAX_PATIENTS} patients, the most allowed; ask the reception for more.")
    patient = Patient(
        id=ctx.new_id("pat"),
        name=name,
        born_on=born_on,
        relation=relation,
        manager_email=ctx.user.email,
        email=email,
        phone=phone,
        allergies=allergies,
        practitioner_id=None if practitioner_id is None else _registrable(ctx, practitioner_id),
        insurer=insurer,
        insurance_number=insurance_number,
        insurance_valid_until=insurance_valid_until,
    )
    _require_whole_insurance(ctx, patient)
    return _view(ctx, ctx.add(patient))


def _registrable(ctx: Context, practitioner_id: str) -> str:
    practitioner = ctx.require(Practitioner, practitioner_id)
    if not practitioner.accepts_new:
        ctx.fail("conflict", f"{practitioner.name} takes no new patients; list_practitioners shows who does.")
    return practitioner.id


def _require_whole_insurance(ctx: Context, patient: Patient) -> None:
    given = [patient.insurer, patient.insurance_number, patient.insurance_valid_until]
    if None in given and any(item is not None for item in given):
        ctx.fail("invalid", "insurer, insurance_number and insurance_valid_until go together; give all or none.")


@tool
def update_patient(
    ctx: Context,
    patient_id: str,
    email: str | None = _KEEP,
    phone: str = _KEEP,
    allergies: str = _KEEP,
    practitioner_id: str | None = _KEEP,
    insurer: str | None = _KEEP,
    insurance_number: str | None = _KEEP,
    insurance_valid_until: date | None = _KEEP,
) -> Any:
    """Change a patient."""
    patient = my_patient(ctx, patient_id)
    if practitioner_id not in (_KEEP, None, patient.practitioner_id):
        practitioner_id = _registrable(ctx, practitioner_id)
    given = {
        "email": email,
        "phone": phone,
        "allergies": allergies,
        "practitioner_id": practitioner_id,
        "insurer": insurer,
        "insurance_number": insurance_number,
        "insurance_valid_until": insurance_valid_until,
    }
    for field, value in given.items():
        if value is not _KEEP:
            setattr(patient, field, value)
    _require_whole_insurance(ctx, patient)
    return _view(ctx, patient)
