"""Recruiting: offers, who sees money, notes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kit import Entity, Seed
from services.recruiting.state import Candidate, Offer, Opening, Staff
from tests.services.play import Play
from tests.services.test_recruiting import HANA, MARA, NIGHT, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("recruiting"))


def as_hiring_manager(opening: str, person: str) -> Callable[[Entity], None]:
    def edit(row: Entity) -> None:
        if isinstance(row, Opening) and row.id == opening:
            row.hiring_manager_id = person

    return edit


def test_offer_from_approval_to_hire(desk: Desk) -> None:
    desk.no("conflict", "update_offer_status", offer_id="ofr_0002", status="sent")
    said = desk("update_offer_status", offer_id="ofr_0002", status="approved", note="Fine with me")
    assert (said["approved_by_id"], said["answer_note"]) == (MARA, "Fine with me")
    assert desk("update_offer_status", offer_id="ofr_0002", status="sent")["sent_at"]
    hired = desk("update_offer_status", offer_id="ofr_0002", status="accepted")
    assert hired["status"] == "accepted" and desk("get_offer", offer_id="ofr_0002") == hired
    assert desk("get_application", application_id="apl_0004")["status"] == "hired"
    opening = next(item for item in desk.every("list_openings") if item["id"] == NIGHT)
    assert (opening["status"], opening["filled"]) == ("filled", 1)
    desk.no("conflict", "update_offer_status", offer_id="ofr_0002", status="withdrawn")
    desk.no("conflict", "move_application", application_id="apl_0005", stage="screening")


def test_offers_are_limited(desk: Desk) -> None:
    assert desk("get_offer", offer_id="ofr_0003")["above_range"]
    desk.no("forbidden", "update_offer_status", offer_id="ofr_0003", status="approved")
    desk.no("forbidden", "get_offer", offer_id="ofr_0004")
    desk.no("forbidden", "update_offer_status", offer_id="ofr_0004", status="accepted")
    desk.no("not_found", "get_offer", offer_id="ofr_x")
    desk.no("not_found", "update_offer_status", offer_id="ofr_x", status="sent")
    terms = {"application_id": "apl_0011", "start_date": "2026-04-06", "expires_on": "2026-03-13"}
    desk.no("conflict", "create_offer", **terms, salary=39000)
    desk("update_offer_status", offer_id="ofr_0003", status="withdrawn")
    desk.no("limit", "create_offer", **terms, salary=44000.01)
    desk.no("limit", "create_offer", **terms, salary=33999.99)
    desk.no("invalid", "create_offer", **terms | {"expires_on": "2026-03-02"}, salary=39000)
    desk.no("invalid", "create_offer", **terms | {"expires_on": "9999-12-31"}, salary=39000)
    desk.no("invalid", "create_offer", **terms | {"start_date": "2026-03-13"}, salary=39000)
    desk.no("invalid", "create_offer", **terms | {"start_date": "9999-12-31"}, salary=39000)
    desk.no("conflict", "create_offer", **terms | {"application_id": "apl_0009"}, salary=39000)
    made = desk("create_offer", **terms, salary=39000.5, note="Second try")
    assert (made["number"], made["above_range"], made["status"]) == ("OFR-105", False, "draft")
    assert desk("get_offer", offer_id=made["id"]) == made
    assert made["id"] in {item["id"] for item in desk("get_application", application_id="apl_0011")["offers"]}
    desk.no("forbidden", "update_offer_status", offer_id=made["id"], status="approved")


def test_expired_offer(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        as_hiring_manager("opn_2605", MARA)(row)
        if isinstance(row, Offer) and row.id == "ofr_0004":
            row.expires_on = Seed("recruiting").at(-1).date()

    desk = Desk(play("recruiting", edit=edit))
    assert "expired" in desk.no("conflict", "update_offer_status", offer_id="ofr_0004", status="accepted")["message"]
    assert desk("update_offer_status", offer_id="ofr_0004", status="declined", note="Stays")["closed_at"]


def test_interviewers_see_their_application_without_money(play: Callable[..., Play]) -> None:
    desk = Desk(play("recruiting", edit=as_hiring_manager(NIGHT, HANA)))
    shown = desk("get_application", application_id="apl_0004")
    assert shown["offers"] == [] and shown["scorecards"] == 3
    desk.no("forbidden", "move_application", application_id="apl_0004", stage="interview")
    desk.no("forbidden", "get_application", application_id="apl_0006")


def test_notes(desk: Desk) -> None:
    made = desk("create_note", application_id="apl_0009", body="Ask about 'early' shifts;\n— M.")
    assert desk("get_application", application_id="apl_0009")["notes"][-1]["body"] == made["body"]
    assert desk("create_note", application_id="apl_0009", body=made["body"])["id"] != made["id"]
    desk.no("forbidden", "create_note", application_id="apl_0019", body="x")
    desk.no("not_found", "create_note", application_id="apl_x", body="x")
    desk.no("invalid_arguments", "create_note", application_id="apl_0009", body=" ")


def test_outsiders_are_refused(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Staff) and row.id == MARA:
            row.email = "someone.else@larkspur.example"

    desk = Desk(play("recruiting", edit=edit))
    desk.no("forbidden", "list_candidates")
    assert len(desk.play.rows(Candidate)) == 24
