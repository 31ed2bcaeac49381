"""The practice as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal

from engine.kit import Entity, Seed
from services.clinic.schedule import DAYS, KINDS
from services.clinic.seed_data import APPOINTMENTS, PATIENTS, PRACTITIONERS, REFERRALS, ROOMS
from services.clinic.seed_records import LAB_RESULTS, MESSAGES, PRESCRIPTIONS
from services.clinic.state import (
    Appointment,
    LabResult,
    Message,
    Patient,
    Practitioner,
    Prescription,
    Referral,
    Room,
)

PHARMACIES = ("Maltby Pharmacy", "Corner Chemist")


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    for key, name, site in ROOMS:
        yield Room(id=f"room_{key}", name=name, site=site)
    practitioners = {item.id: item for item in _practitioners()}
    yield from practitioners.values()
    patients = {item.id: item for item in _patients(seed)}
    yield from patients.values()
    for number, (patient, by, speciality, reason, issued, valid, used) in enumerate(REFERRALS, start=1):
        yield Referral(
            id=f"refl_{number:04d}",
            patient_id=f"pat_{patient}",
            practitioner_id=f"prc_{by}",
            speciality=speciality,
            reason=reason,
            issued_on=seed.at(issued).date(),
            valid_until=seed.at(valid).date(),
            used=used,
        )
    yield from _appointments(seed, practitioners, patients)
    yield from _records(seed)


def _practitioners() -> Iterator[Practitioner]:
    for key, name, speciality, room, days, opens, closes, languages, accepts_new, fee in PRACTITIONERS:
        yield Practitioner(
            id=f"prc_{key}",
            name=name,
            email=f"{key}@grangeroad.example",
            speciality=speciality,
            room_id=f"room_{room}",
            work_days=[day for day in DAYS if day[:2] in days.split()],
            opens=opens * 60,
            closes=closes * 60,
            languages=languages.split(),
            accepts_new=accepts_new,
            late_fee=Decimal(fee),
        )


def _patients(seed: Seed) -> Iterator[Patient]:
    random = seed.random("insurance")
    cast = {item.handle.replace(".", "_"): item for item in seed.colleagues}
    for key, name, email, born, relation, manager, doctor, allergies, insurer, cover in PATIENTS:
        person = cast.get(key)
        yield Patient(
            id=f"pat_{key}",
            name=name,
            email=person.email if person else email or None,
            phone=person.phone if person else "",
            born_on=date.fromisoformat(born),
            relation=relation,
            manager_email=cast[manager or key].email,
            practitioner_id=f"prc_{doctor}" if doctor else None,
            allergies=allergies,
            insurer=insurer,
            insurance_number=f"{insurer[:2].upper()}-{random.randint(10**6, 10**7 - 1)}" if insurer else None,
            insurance_valid_until=seed.at(cover).date() if insurer else None,
        )


def _appointments(
    seed: Seed, practitioners: dict[str, Practitioner], patients: dict[str, Patient]
) -> Iterator[Appointment]:
    random = seed.random("booking days")
    for number, (patient, by, kind, day, clock, status, reason, referral) in enumerate(APPOINTMENTS, start=1):
        practitioner = practitioners[f"prc_{by}"]
        hour, minute = map(int, clock.split(":"))
        start = seed.at(day, hour, minute)
        until = patients[f"pat_{patient}"].insurance_valid_until
        yield Appointment(
            id=f"apt_{number:04d}",
            patient_id=f"pat_{patient}",
            practitioner_id=practitioner.id,
            room_id=practitioner.room_id,
            referral_id=f"refl_{referral:04d}" if referral else None,
            kind=kind,
            status=status,
            starts_at=start,
            ends_at=start + timedelta(minutes=KINDS[kind].minutes),
            reason=reason,
            price=KINDS[kind].price,
            covered=until is not None and until >= start.date(),
            fee=practitioner.late_fee if status == "no_show" else Decimal(0),
            cancel_reason="School trip." if status == "cancelled" else "",
            created_at=min(start, seed.start) - timedelta(days=random.randint(1, 5), hours=random.randint(1, 20)),
        )


def _records(seed: Seed) -> Iterator[Entity]:
    for number, row in enumerate(PRESCRIPTIONS, start=1):
        patient, by, medicine, directions, refills, supply, issued, expires, refilled = row
        yield Prescription(
            id=f"rx_{number:04d}",
            patient_id=f"pat_{patient}",
            practitioner_id=f"prc_{by}",
            medicine=medicine,
            directions=directions,
            pharmacy=PHARMACIES[number % 2],
            refills_left=refills,
            days_supply=supply,
            issued_on=seed.at(issued).date(),
            expires_on=seed.at(expires).date(),
            last_refilled_on=seed.at(refilled).date(),
        )
    for number, (patient, with_, direction, topic, day, clock, subject, body) in enumerate(MESSAGES, start=1):
        hour, minute = map(int, clock.split(":"))
        yield Message(
            id=f"msg_{number:04d}",
            patient_id=f"pat_{patient}",
            practitioner_id=f"prc_{with_}" if with_ else None,
            direction=direction,
            topic=topic,
            subject=subject,
            body=body,
            sent_at=seed.at(day, hour, minute),
        )
    for number, (patient, by, test, unit, low, high, value, day, comment) in enumerate(LAB_RESULTS, start=1):
        yield LabResult(
            id=f"lab_{number:04d}",
            patient_id=f"pat_{patient}",
            practitioner_id=f"prc_{by}",
            test=test,
            unit=unit,
            low=float(low),
            high=float(high),
            value=None if value is None else float(value),
            assessment=_assessment(value, low, high),
            taken_on=seed.at(day).date(),
            comment=comment,
        )


def _assessment(value: float | None, low: float, high: float) -> str:
    if value is None:
        return "pending"
    return "low" if value < low else "high" if value > high else "normal"
