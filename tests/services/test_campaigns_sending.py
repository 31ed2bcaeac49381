"""Campaigns on their way: drafting, scheduling, sending, results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.campaigns.state import Suppression
from tests.services.play import Play
from tests.services.test_campaigns import Desk

LATER = "2026-03-11T09:00:00Z"


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("campaigns"))


def test_campaign_is_drafted(desk: Desk) -> None:
    given = {"subject": "A", "subject_b": "B", "share_b": 20, "tags": ["x"], "from_email": "mara@larkspur.example"}
    made = desk.draft(**given)
    got = desk("get_campaign", campaign_id=made["id"])
    assert (given | {"status": "draft", "audience_name": "Resellers and partners"}).items() <= got.items()
    assert (got["expected_recipients"], got["results"], got["created_by"]) == (
        3,
        None,
        "mara.lindqvist@larkspur.example",
    )
    assert desk("list_campaigns", limit=1)["items"][0] == made
    assert desk.draft()["subject"] == "Made for your team"
    base = {"name": "x", "audience_id": "aud_trade", "template_id": "tpl_offer"}
    for code, bad in (
        ("not_found", {"audience_id": "aud_x"}),
        ("not_found", {"template_id": "tpl_x"}),
        ("not_found", {"segment_id": "seg_x"}),
        ("conflict", {"segment_id": "seg_europe"}),
        ("conflict", {"template_id": "tpl_holiday"}),
        ("invalid", {"subject": "A", "subject_b": "A"}),
        ("forbidden", {"from_email": "news@granitepeak.example"}),
        ("invalid_arguments", {"share_b": 100}),
        ("invalid_arguments", {"name": " "}),
    ):
        desk.no(code, "create_campaign", **(base | bad))
    desk.no("not_found", "get_campaign", campaign_id="cmp_x")


def test_campaign_is_changed_until_it_is_on_its_way(desk: Desk) -> None:
    desk("update_campaign", campaign_id="cmp_0006", subject="Spring, in canvas", subject_b="Canvas, in spring", tags=[])
    got = desk("get_campaign", campaign_id="cmp_0006")
    assert (got["subject"], got["subject_b"], got["tags"]) == ("Spring, in canvas", "Canvas, in spring", [])
    assert desk("update_campaign", campaign_id="cmp_0006", subject_b=None)["subject_b"] is None
    assert desk("update_campaign", campaign_id="cmp_0009", segment_id=None)["segment_name"] is None
    desk("update_campaign", campaign_id="cmp_0009", audience_id="aud_news", segment_id="seg_new")
    desk.no("conflict", "update_campaign", campaign_id="cmp_0009", audience_id="aud_trade")
    desk("update_campaign", campaign_id="cmp_0008", name="Apology, second try")
    for campaign, word in (("cmp_0007", "pause"), ("cmp_0005", "sent"), ("cmp_0010", "cancelled")):
        assert word in desk.no("conflict", "update_campaign", campaign_id=campaign, name="x")
    desk.no("invalid", "update_campaign", campaign_id="cmp_0006")
    desk.no("not_found", "update_campaign", campaign_id="cmp_x", name="x")


def test_campaign_states(desk: Desk) -> None:
    made = desk.draft()["id"]

    def move(status: str, **more: Any) -> Any:
        return desk("set_campaign_status", campaign_id=made, status=status, **more)

    def no(code: str, status: str, **more: Any) -> None:
        desk.no(code, "set_campaign_status", campaign_id=made, status=status, **more)

    no("conflict", "paused")
    no("conflict", "draft")
    no("invalid", "scheduled")
    no("invalid", "scheduled", scheduled_at="2026-03-02T08:00:00Z")
    no("invalid", "cancelled")
    assert move("scheduled", scheduled_at=LATER)["scheduled_at"] == LATER
    assert move("scheduled", scheduled_at="9999-12-31T23:59:59Z")["status"] == "scheduled"
    no("invalid", "paused", scheduled_at=LATER)
    paused = move("paused", reason="Elena asks")
    assert (paused["scheduled_at"], paused["status_reason"]) == ("9999-12-31T23:59:59Z", "Elena asks")
    desk.no("conflict", "send_campaign", campaign_id=made)
    assert move("draft")["scheduled_at"] is None
    assert move("cancelled", reason="Not now")["status"] == "cancelled"
    for status in ("scheduled", "paused", "draft", "cancelled"):
        no("conflict", status, reason="x", **({"scheduled_at": LATER} if status == "scheduled" else {}))
    desk.no("conflict", "send_campaign", campaign_id=made)
    desk.no("not_found", "set_campaign_status", campaign_id="cmp_x", status="draft")


def test_sending_reaches_only_those_who_may_be_mailed(desk: Desk) -> None:
    sent = desk("send_campaign", campaign_id="cmp_0009")
    assert (sent["status"], sent["recipient_count"]) == ("sent", 4)
    whole = desk.draft(audience_id="aud_trade")["id"]
    assert "days" in desk.no("limit", "send_campaign", campaign_id=whole)
    news = desk("send_campaign", campaign_id="cmp_0006")
    held = {row.email for row in desk.play.rows(Suppression)}
    got = desk.all("list_campaign_recipients", campaign_id="cmp_0006")
    people = {item["id"]: item for item in desk.all("list_subscribers", audience_id="aud_news")}
    assert {item["subscriber_id"] for item in got} == {key for key, item in people.items() if item["mailable"]}
    assert not held & {item["email"] for item in got}
    assert news["left_out"] == {"unsubscribed": 2, "bounced": 2, "suppressed": 0}
    desk.no("conflict", "send_campaign", campaign_id="cmp_0006")
    desk.no("not_found", "send_campaign", campaign_id="cmp_x")


def test_sending_to_nobody_is_refused(desk: Desk) -> None:
    conditions = [{"field": "tag", "operator": "is", "value": "none-has-it"}]
    segment = desk("create_segment", audience_id="aud_partners", name="Nobody", conditions=conditions)["id"]
    made = desk.draft(segment_id=segment)["id"]
    desk.no("conflict", "send_campaign", campaign_id=made)
    desk.no("conflict", "set_campaign_status", campaign_id=made, status="scheduled", scheduled_at=LATER)


@pytest.mark.parametrize(("share", "expected"), [(50, 1), (34, 1), (33, 0), (99, 2), (1, 0)])
def test_ab_share(desk: Desk, share: int, expected: int) -> None:
    made = desk.draft(subject="A", subject_b="B", share_b=share)["id"]
    desk("send_campaign", campaign_id=made)
    results = desk("get_campaign", campaign_id=made)["results"]
    sizes = {item["variant"]: item["recipients"] for item in results["variants"]}
    assert sizes.get("b", 0) == expected and results["recipients"] == 3
    assert (results["winner"], results["open_percent"]) == (None, 0)
    assert len(desk.all("list_campaign_recipients", campaign_id=made, variant="b")) == expected


def test_results_add_up(desk: Desk) -> None:
    got = desk("get_campaign", campaign_id="cmp_0005")["results"]
    a, b = got["variants"]
    for key in ("recipients", "delivered", "bounces", "opens", "clicks"):
        assert got[key] == a[key] + b[key]
    assert got["winner"] == ("b" if b["open_percent"] > a["open_percent"] else "a")
    assert got["open_percent"] == round(100 * got["opens"] / got["delivered"], 1)
    for name, key in (("opened", "opens"), ("clicked", "clicks")):
        assert len(desk.all("list_campaign_recipients", campaign_id="cmp_0005", **{name: True})) == got[key]
    january = desk("get_campaign", campaign_id="cmp_0002")["results"]
    lost = desk.all("list_campaign_recipients", campaign_id="cmp_0002", bounced=True)
    assert january["bounces"] == len(lost) == 2 and january["delivered"] == january["recipients"] - 2
    assert desk.all("list_campaign_recipients", campaign_id="cmp_0006") == []
    desk.no("not_found", "list_campaign_recipients", campaign_id="cmp_x")


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"status": "scheduled"}, ["cmp_0011", "cmp_0007"]),
        ({"tag": "newsletter"}, ["cmp_0006", "cmp_0005", "cmp_0002"]),
        ({"audience_id": "aud_partners"}, ["cmp_0011"]),
        ({"template_id": "tpl_apology"}, ["cmp_0008"]),
        ({"query": "LOOKBOOK"}, ["cmp_0005"]),
        ({"sent_after": "2026-02-01T00:00:00Z"}, ["cmp_0004", "cmp_0005"]),
        ({"sent_before": "2025-12-31T00:00:00+01:00"}, ["cmp_0001"]),
    ],
)
def test_campaigns_are_found(desk: Desk, filters: dict[str, Any], ids: list[str]) -> None:
    assert [item["id"] for item in desk.all("list_campaigns", **filters)] == ids
