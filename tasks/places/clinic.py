"""The practice: doctors, patients, prescriptions and appointments of a scenario."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from engine.kit.cast import Person
from services.clinic.schedule import DAYS, KINDS
from tasks.authoring.draw import is_workday, workdays

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MEDICINES = ("Veltrazin", "Ondoprel", "Carmexil", "Tiravast", "Solvadine", "Nerolimid", "Quentapril", "Bardoxin")
"""Names of medicines that the seed data does not have."""

CHILDREN = ("pat_astrid_lindqvist", "pat_emil_lindqvist")


def practitioner(d: Draft, name: str, *, speciality: str = "dental", site: str = "Grange Road Surgery") -> str:
    """Plant somebody who sees patients on every weekday, in a room of their own; gives the id."""
    key, room = d.key("prc"), d.key("room")
    d.plant("clinic_room", id=room, name=f"Room {d.rng.randint(11, 40)}", site=site)
    d.plant(
        "clinic_practitioner",
        id=key,
        name=name,
        email=f"{key.replace('_', '-')}@grangeroad.example",
        speciality=speciality,
        room_id=room,
        work_days=list(DAYS[:5]),
        opens=8 * 60,
        closes=17 * 60,
        languages=["english"],
        late_fee=Decimal(30),
    )
    return key


def relative(d: Draft, name: str) -> str:
    """Plant somebody of the family for whom Mara acts; gives the id."""
    key = d.key("pat")
    d.plant(
        "clinic_patient",
        id=key,
        name=name,
        born_on=date(d.rng.randint(1950, 2012), d.rng.randint(1, 12), d.rng.randint(1, 28)),
        relation="family",
        manager_email=d.user.email,
        practitioner_id="prc_thornbury",
    )
    return key


def referral(d: Draft, of: str, reason: str, *, speciality: str = "dermatology", used: bool = False) -> str:
    """Plant leave to see a specialist, valid for months; gives the id."""
    key = d.key("refl")
    d.plant(
        "clinic_referral",
        id=key,
        patient_id=of,
        practitioner_id="prc_thornbury",
        speciality=speciality,
        reason=reason,
        issued_on=d.on(-9),
        valid_until=d.on(120),
        used=used,
    )
    return key


def patient(person: Person) -> str:
    """The id of a colleague for whom Mara acts: Hana, Amara or Dario."""
    return f"pat_{person.handle.replace('.', '_')}"


def prescription(
    d: Draft,
    of: str,
    medicine: str,
    pharmacy: str,
    *,
    by: str = "prc_thornbury",
    refills: int = 3,
    supply: int = 28,
    last: int = 30,
    ended: bool = False,
) -> str:
    """Plant a medicine with refills, ordered last so many days ago; gives its id."""
    key = d.key("rx")
    d.plant(
        "clinic_prescription",
        id=key,
        patient_id=of,
        practitioner_id=by,
        medicine=medicine,
        directions="One tablet in the morning.",
        pharmacy=pharmacy,
        refills_left=refills,
        days_supply=supply,
        issued_on=d.on(-200),
        expires_on=d.on(-6 if ended else 260),
        last_refilled_on=d.on(-last),
    )
    return key


def appointment(d: Draft, of: str, by: str, kind: str, starts: datetime, *, reason: str = "") -> str:
    """Plant a booked appointment with a practitioner that was planted; gives its id."""
    key = d.key("apt")
    room = next(row["room_id"] for row in d.s0().insert["clinic_practitioner"] if row["id"] == by)
    d.plant(
        "clinic_appointment",
        id=key,
        patient_id=of,
        practitioner_id=by,
        room_id=room,
        kind=kind,
        starts_at=starts,
        ends_at=starts + timedelta(minutes=KINDS[kind].minutes),
        reason=reason,
        price=KINDS[kind].price,
        created_at=d.ago(20, 10),
    )
    return key


def weekday(day: date) -> date:
    """The day itself, or the next working day if it is on a weekend or a public holiday."""
    return day if is_workday(day) else workdays(day, 1)
