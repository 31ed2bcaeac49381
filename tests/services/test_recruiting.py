"""Recruiting: stages, interviews, scorecards, offers and who may do what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Seed
from services.recruiting import service
from services.recruiting.state import Application, Interview, Offer, Scorecard, Staff
from tests.services.desk import AnyDesk
from tests.services.play import Play

MARA, HANA, RUTH = "stf_mara_lindqvist", "stf_hana_takeda", "stf_ruth_abernathy"
PLANNER, NIGHT, ACCOUNTANT = "opn_2606", "opn_2604", "opn_2601"
TEN, ELEVEN = "2026-03-04T10:00:00Z", "2026-03-04T11:00:00Z"


class Desk(AnyDesk):
    """A shorthand for the calls of one play."""

    service = "recruiting"

    def candidate(self, **more: Any) -> Any:
        given = {"name": "Zoë Ångström", "email": "Zoe@mailbox.example", "source": "careers_page"} | more
        return self("create_candidate", **given)

    def application(self, opening: str = PLANNER) -> Any:
        return self("create_application", opening_id=opening, candidate_id=self.candidate()["id"])

    def interview(self, application_id: str, **more: Any) -> dict[str, Any]:
        given = {"kind": "panel", "starts_at": TEN, "ends_at": ELEVEN, "interviewer_ids": [MARA, HANA]} | more
        return {"application_id": application_id} | given


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("recruiting"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def dump(number: int) -> list[Any]:
        return [(type(row).__name__, row.values()) for row in service.seed(Seed("recruiting", number))]

    assert dump(0) == dump(0) != dump(1)
    assert 100 <= len(dump(0)) <= 220
    cast = {person.email: person.name for person in COLLEAGUES}
    assert {v["email"]: v["name"] for name, v in dump(0) if name == "Staff"} == cast


def test_seed_keeps_the_rules(desk: Desk) -> None:
    interviews = {item.id: item for item in desk.play.rows(Interview)}
    applications = {item.id: item for item in desk.play.rows(Application)}
    staff = {item.id for item in desk.play.rows(Staff)}
    now = Seed("recruiting").start
    for card in desk.play.rows(Scorecard):
        interview = interviews[card.interview_id]
        assert card.interviewer_id in interview.interviewer_ids and interview.ends_at < card.submitted_at <= now
    for item in interviews.values():
        assert set(item.interviewer_ids) <= staff
        clash = [
            other
            for other in interviews.values()
            if other.id != item.id
            and {other.status, item.status} == {"scheduled"}
            and other.starts_at < item.ends_at
            and other.ends_at > item.starts_at
            and set(other.interviewer_ids) & set(item.interviewer_ids)
        ]
        assert not clash
    for application in applications.values():
        assert (application.closed_at is None) == (application.status == "active")
        assert (application.rejection_reason is not None) == (application.status in ("rejected", "withdrawn"))
        assert application.applied_at <= application.stage_changed_at <= now
    for offer in desk.play.rows(Offer):
        assert applications[offer.application_id].stage in ("offer", "hired")
        assert offer.created_by_id != offer.approved_by_id


def test_openings(desk: Desk) -> None:
    found = {item["id"]: item for item in desk.every("list_openings", limit=3)}
    assert len(found) == 8
    assert found[PLANNER]["active_by_stage"] == {"applied": 1, "screening": 2, "interview": 2, "offer": 1}
    assert found["opn_2603"]["filled"] == 1 and found["opn_2603"]["status"] == "filled"
    assert found[PLANNER]["salary_max"] == 40000 and found[ACCOUNTANT]["salary_max"] is None
    assert [i["id"] for i in desk.every("list_openings", team="operations", status="open")] == [NIGHT, PLANNER]
    assert {i["hiring_manager_id"] for i in desk.every("list_openings", hiring_manager_id=MARA)} == {MARA}
    assert [i["code"] for i in desk.every("list_openings", query="gp-778")] == ["REQ-2606"]


def test_candidates(desk: Desk) -> None:
    made = desk.candidate(phone="1", location="Göteborg", current_company="Ängel & Co")
    got = desk("get_candidate", candidate_id=made["id"])
    assert got | made == got and got["applications"] == []
    assert made["id"] in {item["id"] for item in desk.every("list_candidates", limit=5)}
    desk.no("conflict", "create_candidate", name="Z", email="ZOE@mailbox.example", source="event")
    desk.no("invalid", "create_candidate", name="Z", email="z@mailbox.example", source="referral")
    desk.no("invalid", "create_candidate", name="Z", email="z@m.example", source="event", referred_by_id=MARA)
    desk.no("not_found", "create_candidate", name="Z", email="z@m.example", source="referral", referred_by_id="x")
    desk.no("invalid_arguments", "create_candidate", name="Z", email="no address", source="event")
    desk.no("not_found", "get_candidate", candidate_id="cnd_x")
    mine = desk.every("list_candidates", source="referral", referred_by_id=MARA)
    assert [item["name"] for item in mine] == ["Wanjiru Kamau"]
    assert desk("list_candidates", query="coastline")["total"] == 1
    ines = desk("get_candidate", candidate_id="cnd_0001")
    assert ines["applications"][0]["status"] == "hired"


def test_applications(desk: Desk) -> None:
    made = desk.application()
    assert (made["stage"], made["status"], made["opening_code"]) == ("applied", "active", "REQ-2606")
    got = desk("get_application", application_id=made["id"])
    assert got | made == got and got["interviews"] == []
    assert made["id"] in {
        i["id"] for i in desk.every("list_applications", opening_id=PLANNER, status="active", limit=2)
    }
    again = {"opening_id": PLANNER, "candidate_id": made["candidate_id"]}
    desk.no("conflict", "create_application", **again)
    desk("reject_application", application_id=made["id"], reason="skills")
    desk.no("conflict", "create_application", **again)
    desk.no("forbidden", "create_application", opening_id=ACCOUNTANT, candidate_id="cnd_0001")
    desk.no("conflict", "create_application", opening_id="opn_2603", candidate_id="cnd_0009")
    desk.no("not_found", "create_application", opening_id="opn_x", candidate_id="cnd_0009")
    desk.no("not_found", "create_application", opening_id=PLANNER, candidate_id="cnd_x")
    desk.no("not_found", "get_application", application_id="apl_x")
    desk.no("forbidden", "get_application", application_id="apl_0015")


def test_only_open_applications_are_listed(desk: Desk) -> None:
    shown = desk.every("list_applications", limit=4)
    assert {item["opening_id"] for item in shown} == {"opn_2603", NIGHT, PLANNER}
    assert len(shown) == desk("list_applications")["total"] == 14
    assert desk.every("list_applications", opening_id=ACCOUNTANT) == []
    assert {i["rejection_reason"] for i in desk.every("list_applications", rejection_reason="location")} == {"location"}
    assert {i["stage"] for i in desk.every("list_applications", stage="offer")} == {"offer"}
    assert len(desk.every("list_applications", candidate_id="cnd_0002")) == 2


def test_stages_go_step_by_step(desk: Desk) -> None:
    key = desk.application()["id"]
    desk.no("conflict", "move_application", application_id=key, stage="interview")
    desk.no("conflict", "move_application", application_id=key, stage="applied")
    for stage in ("screening", "interview"):
        assert desk("move_application", application_id=key, stage=stage)["stage"] == stage
    assert "two scorecards" in desk.no("conflict", "move_application", application_id=key, stage="offer")["message"]
    assert desk("move_application", application_id=key, stage="applied")["stage"] == "applied"
    desk.no("invalid_arguments", "move_application", application_id=key, stage="hired")
    desk.no("conflict", "move_application", application_id="apl_0011", stage="interview")
    desk.no("conflict", "move_application", application_id="apl_0002", stage="applied")
    desk.no("forbidden", "move_application", application_id="apl_0019", stage="screening")
    desk.no("not_found", "move_application", application_id="apl_x", stage="screening")


def test_scorecard_opens_the_way_to_an_offer(desk: Desk) -> None:
    waiting = desk("get_interview", interview_id="itv_0009")
    assert waiting["missing_scorecards"] == [MARA] and waiting["scorecards"] == []
    desk.no("conflict", "move_application", application_id="apl_0009", stage="offer")
    card = desk("create_scorecard", interview_id="itv_0009", recommendation="strong_yes", score=5, strengths="Calm")
    shown = desk("get_interview", interview_id="itv_0009")
    assert card in shown["scorecards"] and len(shown["scorecards"]) == 2 and shown["missing_scorecards"] == []
    assert desk("move_application", application_id="apl_0009", stage="offer")["stage"] == "offer"
    desk.no("conflict", "create_scorecard", interview_id="itv_0009", recommendation="no", score=1)
    desk.no("conflict", "create_scorecard", interview_id="itv_0007", recommendation="no", score=1)
    desk.no("forbidden", "create_scorecard", interview_id="itv_0001", recommendation="no", score=1)
    desk.no("not_found", "create_scorecard", interview_id="itv_x", recommendation="no", score=1)
    desk.no("invalid_arguments", "create_scorecard", interview_id="itv_0006", recommendation="no", score=6)
    desk.no("conflict", "move_application", application_id="apl_0008", stage="offer")


def test_rejection_cancels_what_lies_ahead(desk: Desk) -> None:
    gone = desk("reject_application", application_id="apl_0005", reason="experience", note="Too small a team")
    assert (gone["status"], gone["cancelled_interviews"]) == ("rejected", ["itv_0007"])
    assert desk("get_interview", interview_id="itv_0007")["status"] == "cancelled"
    assert desk("get_application", application_id="apl_0005")["rejection_note"] == "Too small a team"
    desk.no("conflict", "reject_application", application_id="apl_0005", reason="other")
    desk.no("conflict", "reject_application", application_id="apl_0004", reason="other")
    desk.no("forbidden", "reject_application", application_id="apl_0019", reason="other")
    left = desk("reject_application", application_id="apl_0012", reason="candidate_withdrew")
    assert left["status"] == "withdrawn"


def test_interviews(desk: Desk) -> None:
    made = desk("create_interview", **desk.interview("apl_0009", place="Larch"))
    assert [item["name"] for item in made["interviewers"]] == ["Mara Lindqvist", "Hana Takeda"]
    got = desk("get_interview", interview_id=made["id"])
    assert got | made == got and got["missing_scorecards"] == [MARA, HANA]
    assert made["id"] in {i["id"] for i in desk.every("list_interviews", interviewer_id=HANA, limit=2)}
    desk.no("conflict", "create_interview", **desk.interview("apl_0008"))
    desk.no("conflict", "create_interview", **desk.interview("apl_0009", interviewer_ids=[RUTH]))
    off = desk("cancel_interview", interview_id=made["id"], reason="Strike on the railway")
    assert (off["status"], off["cancel_reason"]) == ("cancelled", "Strike on the railway")
    desk.no("conflict", "cancel_interview", interview_id=made["id"], reason="x")
    desk.no("conflict", "cancel_interview", interview_id="itv_0008", reason="x")
    desk.no("forbidden", "cancel_interview", interview_id="itv_0016", reason="x")
    desk.no("not_found", "cancel_interview", interview_id="itv_x", reason="x")
    assert desk("create_interview", **desk.interview("apl_0008"))["id"]


@pytest.mark.parametrize(
    ("code", "application", "more"),
    [
        ("invalid", "apl_0009", {"starts_at": "2026-02-01T10:00:00Z"}),
        ("invalid", "apl_0009", {"ends_at": "2026-03-04T10:10:00Z"}),
        ("invalid", "apl_0009", {"ends_at": "9999-12-31T23:59:59Z"}),
        ("invalid", "apl_0009", {"ends_at": "2026-03-04T09:00:00Z"}),
        ("not_found", "apl_0009", {"interviewer_ids": [MARA, "stf_x"]}),
        ("conflict", "apl_0010", {}),
        ("conflict", "apl_0002", {}),
        ("forbidden", "apl_0019", {}),
        ("not_found", "apl_x", {}),
        ("invalid_arguments", "apl_0009", {"interviewer_ids": []}),
        ("invalid_arguments", "apl_0009", {"starts_at": "2026-03-04T10:00:00"}),
    ],
)
def test_refused_interviews(desk: Desk, code: str, application: str, more: dict[str, Any]) -> None:
    desk.no(code, "create_interview", **desk.interview(application, **more))


def test_lists_of_interviews(desk: Desk) -> None:
    ahead = desk.every("list_interviews", starts_from="2026-03-02T00:00:00Z", status="scheduled", limit=1)
    assert [item["id"] for item in ahead] == ["itv_0020", "itv_0007", "itv_0010"]
    assert {i["kind"] for i in desk.every("list_interviews", kind="final")} == {"final"}
    assert desk.every("list_interviews", starts_until="0001-01-02T00:00:00Z") == []
    assert desk.every("list_interviews", application_id="apl_0019") == []
    desk.no("forbidden", "get_interview", interview_id="itv_0016")
    desk.no("not_found", "get_interview", interview_id="itv_x")
    desk.no("invalid", "list_interviews", cursor="garbage")
