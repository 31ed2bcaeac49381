"""What the practice remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

SPECIALITIES = ("general", "nursing", "dental", "physiotherapy", "dermatology", "cardiology", "optometry")
KINDS = ("consultation", "follow_up", "check_up", "vaccination", "blood_test", "hygiene", "treatment")
STATUSES = ("booked", "checked_in", "completed", "cancelled", "no_show")
TOPICS = ("appointment", "prescription", "result", "bill", "other")


class ClinicEntity(Entity):
    """Base of the practice's entities."""

    __service__ = "clinic"


class Room(ClinicEntity, table=True):
    """A room at one of the practice's sites."""

    id: str = key("room")
    name: str = field("name", max_length=60)
    site: str = field("place", max_length=120)


class Practitioner(ClinicEntity, table=True):
    """Somebody who sees patients. Hours are minutes of the day, UTC."""

    id: str = key("prc")
    name: str = field("person", max_length=120)
    email: str = field("email", unique=True, max_length=200)
    speciality: str = field("category", choices=SPECIALITIES)
    room_id: str = ref("clinic_room.id")
    work_days: list[str] = field("tags", default_factory=list, description="days of the week, in lower case")
    opens: int = field("minutes", ge=0, le=1439)
    closes: int = field("minutes", ge=0, le=1439)
    languages: list[str] = field("tags", default_factory=list)
    accepts_new: bool = field("flag", default=True)
    late_fee: Decimal = field("money", ge=0, description="for late cancellations and no-shows")
    currency: str = field("currency", default="GBP", max_length=3)


class Patient(ClinicEntity, table=True):
    """Somebody who is seen. The manager acts for them: books, reads, writes."""

    id: str = key("pat")
    name: str = field("person", min_length=1, max_length=120)
    email: str | None = field("email", default=None, max_length=200)
    phone: str = field("phone", default="", max_length=40)
    born_on: date = field("date")
    relation: str = field("category", choices=("self", "family", "colleague"), description="to the manager")
    manager_email: str = field("email", max_length=200, index=True)
    practitioner_id: str | None = ref("clinic_practitioner.id", default=None)
    allergies: str = field("text", default="", max_length=500)
    insurer: str | None = field("company", default=None, max_length=120)
    insurance_number: str | None = field("code", default=None, max_length=40)
    insurance_valid_until: date | None = field("date", default=None)


class Referral(ClinicEntity, table=True):
    """Leave to see a specialist; used once an appointment is booked with it."""

    id: str = key("refl")
    patient_id: str = ref("clinic_patient.id")
    practitioner_id: str = ref("clinic_practitioner.id")
    speciality: str = field("category", choices=SPECIALITIES)
    reason: str = field("text", max_length=500)
    issued_on: date = field("date")
    valid_until: date = field("date")
    used: bool = field("flag", default=False)


class Appointment(ClinicEntity, table=True):
    """A patient's time with a practitioner."""

    id: str = key("apt")
    patient_id: str = ref("clinic_patient.id")
    practitioner_id: str = ref("clinic_practitioner.id")
    room_id: str = ref("clinic_room.id")
    referral_id: str | None = ref("clinic_referral.id", default=None)
    kind: str = field("category", choices=KINDS)
    status: str = field("status", choices=STATUSES, default="booked")
    starts_at: datetime = field("datetime", index=True)
    ends_at: datetime = field("datetime")
    reason: str = field("text", default="", max_length=500)
    reminder_hours: int = field("quantity", default=24, ge=0, le=48)
    price: Decimal = field("money", ge=0)
    covered: bool = field("flag", default=False, description="the insurance pays the price")
    fee: Decimal = field("money", default=Decimal(0), ge=0, description="for a late cancellation or no-show")
    currency: str = field("currency", default="GBP", max_length=3)
    cancel_reason: str = field("text", default="", max_length=500)
    created_at: datetime = field("datetime")


class Prescription(ClinicEntity, table=True):
    """A medicine with refills."""

    id: str = key("rx")
    patient_id: str = ref("clinic_patient.id")
    practitioner_id: str = ref("clinic_practitioner.id")
    medicine: str = field("name", max_length=120)
    directions: str = field("text", max_length=300)
    pharmacy: str = field("company", max_length=120)
    refills_left: int = field("quantity", ge=0, le=24)
    days_supply: int = field("quantity", ge=1, le=365)
    issued_on: date = field("date")
    expires_on: date = field("date")
    last_refilled_on: date = field("date")


class Message(ClinicEntity, table=True):
    """A message between a patient's side and the practice."""

    id: str = key("msg")
    patient_id: str = ref("clinic_patient.id")
    practitioner_id: str | None = ref("clinic_practitioner.id", default=None)
    direction: str = field("category", choices=("to_practice", "from_practice"))
    topic: str = field("category", choices=TOPICS, default="other")
    subject: str = field("title", min_length=1, max_length=150)
    body: str = field("text", min_length=1, max_length=4000)
    sent_at: datetime = field("datetime")


class LabResult(ClinicEntity, table=True):
    """One measured value; none while it is pending."""

    id: str = key("lab")
    patient_id: str = ref("clinic_patient.id")
    practitioner_id: str = ref("clinic_practitioner.id")
    test: str = field("name", max_length=120)
    unit: str = field("category", max_length=20)
    low: float = field("ratio")
    high: float = field("ratio")
    value: float | None = field("ratio", default=None)
    assessment: str = field("status", choices=("normal", "low", "high", "pending"), default="pending")
    taken_on: date = field("date")
    comment: str = field("text", default="", max_length=500)
