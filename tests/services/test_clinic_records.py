"""Group practice: patients, refills, messages, results."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from services.clinic.state import Message
from tests.services.play import Play
from tests.services.test_clinic import AMARA, ASTRID, DOCTOR, ELENA, HENRIK, MARA, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("clinic"))


def test_others_stay_private(desk: Desk) -> None:
    mine = {item["id"] for item in desk("list_patients")["items"]}
    assert len(mine) == 8 and ELENA not in mine
    desk.no("forbidden", "get_patient", patient_id=ELENA)
    desk.no("forbidden", "get_appointment", appointment_id="apt_0013")
    for tool in ("list_appointments", "list_prescriptions", "list_messages", "list_lab_results"):
        assert {item["patient_id"] for item in desk(tool, limit=100)["items"]} <= mine
        desk.no("forbidden", tool, patient_id=ELENA)
        desk.no("not_found", tool, patient_id="pat_x")


def test_create_patient(desk: Desk) -> None:
    person = {"name": "Ivar Lindqvist", "born_on": "2025-12-24", "relation": "family"}
    made = desk("create_patient", **person, practitioner_id=DOCTOR, allergies="Milk")
    assert (made["next_appointment_id"], made["unpaid_fees"], made["allergies"]) == (None, 0, "Milk")
    assert desk("get_patient", patient_id=made["id"]) == made
    assert made["id"] in {item["id"] for item in desk("list_patients", query="ivar", relation="family")["items"]}
    desk.no("conflict", "create_patient", **person)
    other = person | {"name": "Liv Lindqvist"}
    desk.no("conflict", "create_patient", **other, practitioner_id="prc_mehrotra")
    desk.no("not_found", "create_patient", **other, practitioner_id="prc_x")
    desk.no("invalid", "create_patient", **other, insurer="Tollgate Care")
    desk.no("invalid", "create_patient", **(other | {"born_on": "2026-03-03"}))
    desk.no("invalid", "create_patient", **(other | {"born_on": "1899-12-31"}))
    for number in range(3):
        desk("create_patient", **(person | {"name": f"Liv {number}"}))
    desk.no("limit", "create_patient", **other)


def test_update_patient(desk: Desk) -> None:
    card = {"insurer": "Tollgate Care", "insurance_number": "TO-1", "insurance_valid_until": "2027-01-31"}
    changed = desk("update_patient", patient_id=AMARA, **card, phone="+44 20 5550 1")
    assert changed.items() >= card.items() and desk("get_patient", patient_id=AMARA) == changed
    desk.no("invalid", "update_patient", patient_id=AMARA, insurer=None)
    gone = desk("update_patient", patient_id=AMARA, **dict.fromkeys(card))
    assert gone["insurer"] is None and gone["phone"] == "+44 20 5550 1"
    assert desk("update_patient", patient_id=AMARA, practitioner_id=DOCTOR)["practitioner_id"] == DOCTOR
    desk.no("conflict", "update_patient", patient_id=AMARA, practitioner_id="prc_mehrotra")
    assert desk("update_patient", patient_id=HENRIK, practitioner_id="prc_mehrotra")["id"] == HENRIK
    desk.no("not_found", "update_patient", patient_id="pat_x", phone="1")
    desk.no("forbidden", "update_patient", patient_id=ELENA, phone="1")
    desk.no("invalid_arguments", "update_patient", patient_id=AMARA)


def test_refills(desk: Desk) -> None:
    iron = desk("list_prescriptions", query="ferrous")["items"][0]
    assert (iron["status"], iron["next_refill_on"], iron["refills_left"]) == ("active", "2026-02-28", 2)
    done = desk("refill_prescription", prescription_id=iron["id"], pharmacy="Corner Chemist")
    assert (done["refills_left"], done["last_refilled_on"], done["pharmacy"]) == (1, "2026-03-02", "Corner Chemist")
    assert done["next_refill_on"] == "2026-03-27"
    assert desk("list_prescriptions", query="ferrous")["items"] == [done]
    desk.no("conflict", "refill_prescription", prescription_id=iron["id"])
    desk.no("limit", "refill_prescription", prescription_id="rx_0002")
    desk.no("conflict", "refill_prescription", prescription_id="rx_0005")
    desk.no("forbidden", "refill_prescription", prescription_id="rx_0009")
    desk.no("not_found", "refill_prescription", prescription_id="rx_x")
    assert {item["id"] for item in desk("list_prescriptions", status="ended")["items"]} == {"rx_0005"}


def test_messages(desk: Desk) -> None:
    text = {"patient_id": HENRIK, "subject": "Fee", "body": "Please check “the fee”.", "topic": "bill"}
    made = desk("create_message", **text)
    assert (made["direction"], made["practitioner_id"], made["patient_name"]) == (
        "to_practice",
        None,
        "Henrik Lindqvist",
    )
    assert desk("list_messages", patient_id=HENRIK)["items"][0] == made
    for _ in range(3):
        desk("create_message", **text)
    desk.no("limit", "create_message", **text)
    assert desk("create_message", **(text | {"patient_id": ASTRID}), practitioner_id=DOCTOR)["id"]
    desk.no("forbidden", "create_message", **(text | {"patient_id": ELENA}))
    desk.no("not_found", "create_message", **(text | {"patient_id": "pat_x"}))
    desk.no("not_found", "create_message", **(text | {"patient_id": ASTRID}), practitioner_id="prc_x")
    desk.no("invalid_arguments", "create_message", **(text | {"subject": " "}))
    assert {item["direction"] for item in desk("list_messages", direction="from_practice")["items"]} == {
        "from_practice"
    }
    assert [item["id"] for item in desk("list_messages", query="SIMVASTATIN")["items"]] == ["msg_0005"]
    assert {item["topic"] for item in desk("list_messages", topic="bill")["items"]} == {"bill"}
    assert len(desk.play.rows(Message)) == 16


def test_lab_results(desk: Desk) -> None:
    low = desk("list_lab_results", assessment="low")["items"]
    assert {item["test"] for item in low} == {"Ferritin", "Potassium"}
    assert [item["value"] for item in desk("list_lab_results", assessment="pending")["items"]] == [None]
    assert len(desk("list_lab_results", patient_id=HENRIK, query="potassium")["items"]) == 1
    recent = desk("list_lab_results", taken_after="2026-02-23", taken_before="2026-02-25")["items"]
    assert {item["patient_id"] for item in recent} == {MARA, ASTRID}
