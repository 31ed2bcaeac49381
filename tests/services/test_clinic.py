"""Group practice: slots, appointments, patients, records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.clinic import service
from services.clinic.schedule import DAYS, LUNCH, NEED_REFERRAL, offered
from services.clinic.state import Appointment, LabResult, Patient, Practitioner, Prescription, Referral
from tests.services.play import Play

MARA, HENRIK, ASTRID, EMIL, INGRID = (
    f"pat_{name}_lindqvist" for name in ("mara", "henrik", "astrid", "emil", "ingrid")
)
AMARA, ELENA = "pat_amara_diallo", "pat_elena_sorokina"
DOCTOR = "prc_thornbury"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("clinic", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("clinic", tool, **arguments)
        assert error["code"] == code, error
        return error

    def visit(self, **more: Any) -> dict[str, Any]:
        given = {
            "patient_id": MARA,
            "practitioner_id": DOCTOR,
            "kind": "consultation",
            "starts_at": "2026-03-05T10:00:00Z",
        }
        return given | more

    def slots(self, practitioner_id: str, date: str, kind: str) -> list[str]:
        items = self("list_slots", practitioner_id=practitioner_id, date=date, kind=kind)["items"]
        return [item["starts_at"][11:16] for item in items]


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("clinic"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("clinic", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in COLLEAGUES}
    for name, values in rows(0):
        if name == "Patient":
            assert values["manager_email"] in cast
            assert values["relation"] == "family" or cast[values["email"]] == values["name"]


def test_seed_keeps_the_rules(desk: Desk) -> None:
    practitioners = {item.id: item for item in desk.play.rows(Practitioner)}
    appointments = desk.play.rows(Appointment)
    used = {item.referral_id for item in appointments if item.referral_id}
    for referral in desk.play.rows(Referral):
        assert (referral.id in used) == referral.used
    for one in appointments:
        who = practitioners[one.practitioner_id]
        assert one.kind in offered(who) and DAYS[one.starts_at.weekday()] in who.work_days
        first = one.starts_at.hour * 60 + one.starts_at.minute
        last = one.ends_at.hour * 60 + one.ends_at.minute
        assert who.opens <= first and last <= who.closes and (last <= LUNCH[0] or first >= LUNCH[1])
        if one.status == "booked" and who.speciality in NEED_REFERRAL and one.kind != "follow_up":
            assert one.referral_id
        for other in appointments:
            if other is not one and {one.status, other.status} <= {"booked", "checked_in"}:
                apart = one.ends_at <= other.starts_at or other.ends_at <= one.starts_at
                assert apart or (one.room_id != other.room_id and one.patient_id != other.patient_id)
    for patient in desk.play.rows(Patient):
        assert (patient.insurer is None) == (patient.insurance_number is None)
    for result in desk.play.rows(LabResult):
        assert (result.value is None) == (result.assessment == "pending")
    for item in desk.play.rows(Prescription):
        assert item.issued_on <= item.last_refilled_on


def test_practitioners(desk: Desk) -> None:
    def ids(**filters: Any) -> set[str]:
        return {item["id"] for item in desk("list_practitioners", **filters)["items"]}

    assert ids(speciality="dental") == {"prc_karim", "prc_brandt"}
    assert ids(speciality="dental", works_on="2026-03-04") == {"prc_brandt"}
    assert ids(kind="vaccination") == {"prc_fallon"} and ids(language="spanish") == {"prc_carvalho"}
    assert ids(accepts_new=False) == {"prc_mehrotra"}
    assert ids(query="leather yard") == {"prc_wilk", "prc_hofstad"}
    karim = desk("list_practitioners", query="Karim")["items"][0]
    assert (karim["site"], karim["opens"], karim["needs_referral"]) == ("Bermondsey Dental", "08:00", False)
    assert {"kind": "treatment", "minutes": 45, "price": 130} in karim["kinds"]


def test_slots(desk: Desk) -> None:
    free = desk.slots(DOCTOR, "2026-03-05", "consultation")
    assert "08:00" not in free and free[0] == "08:15" and "12:00" not in free and "11:45" in free
    assert desk.slots(DOCTOR, "2026-03-05", "check_up")[-1] == "16:30"
    assert desk.slots(DOCTOR, "2026-03-02", "consultation")[0] == "11:15"
    assert desk.slots(DOCTOR, "2026-03-06", "consultation") == []
    assert "08:15" not in desk.slots("prc_karim", "2026-03-03", "consultation")
    assert "09:00" in desk.slots("prc_karim", "2026-03-03", "treatment")
    for day in ("0001-01-01", "2026-03-01", "2026-10-01", "9999-12-31"):
        assert desk.slots(DOCTOR, day, "consultation") == []
    desk.no("invalid", "list_slots", practitioner_id=DOCTOR, date="2026-03-05", kind="vaccination")
    desk.no("not_found", "list_slots", practitioner_id="prc_x", date="2026-03-05", kind="vaccination")


def test_create_appointment(desk: Desk) -> None:
    made = desk("create_appointment", **desk.visit(reason="Knee", reminder_hours=48))
    assert (made["status"], made["ends_at"], made["covered"]) == ("booked", "2026-03-05T10:15:00Z", True)
    assert (made["price"], made["room_name"], made["reason"]) == (60, "Room 1", "Knee")
    assert desk("get_appointment", appointment_id=made["id"]) == made
    assert made in desk("list_appointments", patient_id=MARA, status="booked")["items"]
    assert "10:00" not in desk.slots(DOCTOR, "2026-03-05", "consultation")
    desk.no("conflict", "create_appointment", **desk.visit())
    desk.no("conflict", "create_appointment", **desk.visit(patient_id=EMIL))
    desk.no("conflict", "create_appointment", **desk.visit(practitioner_id="prc_fallon", kind="blood_test"))
    desk.no("conflict", "create_appointment", **desk.visit(starts_at="2026-03-05T10:20:00Z"))
    desk.no("conflict", "create_appointment", **desk.visit(starts_at="2026-03-02T10:00:00Z"))
    desk.no("invalid", "create_appointment", **desk.visit(kind="vaccination"))
    desk.no("invalid", "create_appointment", **desk.visit(starts_at="2026-03-05T11:00:00Z", referral_id="refl_0001"))
    desk.no("forbidden", "create_appointment", **desk.visit(patient_id=ELENA))
    desk.no("not_found", "create_appointment", **desk.visit(patient_id="pat_x"))
    desk.no("not_found", "create_appointment", **desk.visit(practitioner_id="prc_x"))
    uncovered = desk("create_appointment", **desk.visit(patient_id=AMARA, starts_at="2026-03-05T11:00:00Z"))
    assert not uncovered["covered"]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-03-05T10:00:00.5Z"])
def test_odd_moments(desk: Desk, moment: str) -> None:
    desk.no("conflict", "create_appointment", **desk.visit(starts_at=moment))
    assert desk("list_appointments", starts_after=moment, starts_before=moment)["items"] == []


def test_new_patients_and_follow_ups(desk: Desk) -> None:
    mehrotra = {"practitioner_id": "prc_mehrotra", "starts_at": "2026-03-05T10:00:00Z"}
    desk.no("conflict", "create_appointment", **desk.visit(**mehrotra))
    assert desk("create_appointment", **desk.visit(**mehrotra, patient_id=INGRID))["id"]
    desk.no("conflict", "create_appointment", **desk.visit(kind="follow_up", patient_id=AMARA))
    assert desk("create_appointment", **desk.visit(kind="follow_up"))["price"] == 40


def test_referrals(desk: Desk) -> None:
    heart = desk.visit(patient_id=INGRID, practitioner_id="prc_achterberg", starts_at="2026-03-06T11:00:00Z")
    desk.no("conflict", "create_appointment", **heart)
    desk.no("not_found", "create_appointment", **heart, referral_id="refl_x")
    desk.no("invalid", "create_appointment", **heart, referral_id="refl_0003")
    made = desk("create_appointment", **heart, referral_id="refl_0001")
    assert [item["id"] for item in desk("list_referrals", patient_id=INGRID, status="used")["items"]] == ["refl_0001"]
    desk.no(
        "conflict", "create_appointment", **(heart | {"starts_at": "2026-03-06T13:00:00Z"}), referral_id="refl_0001"
    )
    desk("cancel_appointment", appointment_id=made["id"])
    assert desk("list_referrals", patient_id=INGRID)["items"][0]["status"] == "open"
    skin = desk.visit(patient_id=ASTRID, practitioner_id="prc_carvalho", referral_id="refl_0006")
    desk.no("conflict", "create_appointment", **(skin | {"starts_at": "2026-03-09T10:00:00Z"}))
    booked = desk("create_appointment", **skin)
    desk.no("conflict", "update_appointment", appointment_id=booked["id"], starts_at="2026-03-09T10:00:00Z")
    assert {item["status"] for item in desk("list_referrals", status="expired")["items"]} == {"expired"}
    assert {item["patient_id"] for item in desk("list_referrals", speciality="cardiology")["items"]} == {INGRID}
    desk.no("forbidden", "list_referrals", patient_id=ELENA)


def test_move_an_appointment(desk: Desk) -> None:
    made = desk("create_appointment", **desk.visit())
    moved = desk("update_appointment", appointment_id=made["id"], starts_at="2026-03-05T10:15:00Z", reason="Hip")
    assert (moved["starts_at"], moved["ends_at"], moved["reason"]) == (
        "2026-03-05T10:15:00Z",
        "2026-03-05T10:30:00Z",
        "Hip",
    )
    assert desk("get_appointment", appointment_id=made["id"]) == moved
    desk.no("conflict", "update_appointment", appointment_id=made["id"], starts_at="2026-03-05T08:00:00Z")
    desk.no("conflict", "update_appointment", appointment_id="apt_0001", starts_at="2026-03-05T10:00:00Z")
    assert desk("update_appointment", appointment_id="apt_0001", reminder_hours=2)["reminder_hours"] == 2
    desk.no("invalid_arguments", "update_appointment", appointment_id=made["id"])
    desk.no("invalid_arguments", "update_appointment", appointment_id=made["id"], reminder_hours=3)
    desk.no("conflict", "update_appointment", appointment_id="apt_0019", reason="x")
    desk.no("forbidden", "update_appointment", appointment_id="apt_0013", reason="x")
    desk.no("not_found", "update_appointment", appointment_id="apt_x", reason="x")


def test_cancellation_fee(desk: Desk) -> None:
    late = desk("cancel_appointment", appointment_id="apt_0001", reason="Stuck at the depot")
    assert (late["status"], late["fee"], late["cancel_reason"]) == ("cancelled", 40, "Stuck at the depot")
    assert desk("cancel_appointment", appointment_id="apt_0005")["fee"] == 0
    assert desk("get_patient", patient_id=MARA)["unpaid_fees"] == 40
    desk.no("conflict", "cancel_appointment", appointment_id="apt_0001")
    desk.no("conflict", "cancel_appointment", appointment_id="apt_0003")
    desk.no("forbidden", "cancel_appointment", appointment_id="apt_0013")
    desk.no("not_found", "cancel_appointment", appointment_id="apt_x")
    fees = {item["id"] for item in desk("list_appointments", with_fee=True)["items"]}
    assert fees == {"apt_0001", "apt_0024"}


def test_at_the_desk(desk: Desk) -> None:
    assert desk("set_appointment_status", appointment_id="apt_0002", status="checked_in")["status"] == "checked_in"
    assert desk("set_appointment_status", appointment_id="apt_0002", status="completed")["status"] == "completed"
    desk.no("conflict", "set_appointment_status", appointment_id="apt_0002", status="completed")
    desk.no("conflict", "set_appointment_status", appointment_id="apt_0003", status="checked_in")
    missed = desk("set_appointment_status", appointment_id="apt_0003", status="no_show")
    assert (missed["status"], missed["fee"]) == ("no_show", 25)
    assert desk("set_appointment_status", appointment_id="apt_0004", status="completed")["fee"] == 0
    desk.no("conflict", "set_appointment_status", appointment_id="apt_0005", status="no_show")
    desk.no("conflict", "set_appointment_status", appointment_id="apt_0005", status="checked_in")
    desk.no("forbidden", "set_appointment_status", appointment_id="apt_0013", status="checked_in")
    desk.no("not_found", "set_appointment_status", appointment_id="apt_x", status="checked_in")


@pytest.mark.parametrize(
    "tool",
    ["list_practitioners", "list_patients", "list_appointments", "list_referrals", "list_prescriptions",
     "list_messages", "list_lab_results"],
)  # fmt: skip
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    whole = [item["id"] for item in desk(tool, limit=100)["items"]]
    paged: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = desk(tool, limit=3, **cursor)
        paged += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert paged == whole and len(set(paged)) == len(paged)
    desk.no("invalid", tool, cursor="junk")
