"""E-mail campaigns: consent, segments, sending, results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, COMPANIES, CONTACTS, Entity, Seed
from services.campaigns import service
from services.campaigns.state import Campaign, Recipient, Subscriber
from tests.services.play import Play


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("campaigns", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> str:
        error = self.play.fails("campaigns", tool, **arguments)
        assert error["code"] == code, error
        return str(error["message"])

    def all(self, tool: str, **arguments: Any) -> list[Any]:
        return list(self(tool, limit=100, **arguments)["items"])

    def subscriber(self, email: str, audience: str = "aud_trade") -> Any:
        (found,) = self("list_subscribers", email=email, audience_id=audience)["items"]
        return found

    def draft(self, **more: Any) -> Any:
        given = {"name": "Vests", "audience_id": "aud_partners", "template_id": "tpl_offer"} | more
        return self("create_campaign", **given)


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("campaigns"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("campaigns", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    people = {person.email: person for person in CONTACTS}
    companies = {company.name for company in COMPANIES} | {"Northlight Theatre"}
    authors = {person.email for person in COLLEAGUES}
    for name, values in rows(0):
        if name == "Subscriber":
            assert values["company"] in companies
            if values["email"] in people:
                assert people[values["email"]].name == values["name"]
        if name == "Campaign":
            assert values["created_by"] in authors


def test_seed_keeps_the_rules(desk: Desk) -> None:
    people = {row.id: row for row in desk.play.rows(Subscriber)}
    keys = [(row.audience_id, row.email) for row in people.values()]
    assert len(keys) == len(set(keys))
    campaigns = {row.id: row for row in desk.play.rows(Campaign)}
    for row in desk.play.rows(Recipient):
        campaign = campaigns[row.campaign_id]
        assert campaign.status == "sent" and people[row.subscriber_id].email == row.email
        assert people[row.subscriber_id].audience_id == campaign.audience_id
        assert not (row.bounced and row.opened_at) and (row.opened_at or not row.clicked_at)
        assert campaign.subject_b or row.variant == "a"
    for campaign in campaigns.values():
        assert (campaign.sent_at is not None) == (campaign.status == "sent")
    assert next(c for c in campaigns.values() if c.name == "Spring catalogue is out").status == "scheduled"


def test_audiences_count_who_may_be_mailed(desk: Desk) -> None:
    before = {item["id"]: item for item in desk("list_audiences")["items"]}
    trade = before["aud_trade"]
    assert (trade["subscribed_count"], trade["unsubscribed_count"], trade["mailable_count"]) == (19, 1, 17)
    assert trade["last_sent_at"] == "2026-02-17T14:00:00Z" and before["aud_partners"]["last_sent_at"] is None
    desk("suppress_address", email="talia.brooks@granitepeak.example", reason="dispute")
    after = {item["id"]: item for item in desk("list_audiences")["items"]}
    assert after["aud_trade"]["mailable_count"] == 16 and after["aud_trade"]["subscribed_count"] == 19


def test_subscriber_is_created_once_per_audience(desk: Desk) -> None:
    given = {
        "audience_id": "aud_trade",
        "email": "ada.brightman@halcyon.example",
        "source": "event",
        "name": "Ada “B” Brightman",
        "company": "Halcyon Clinics",
        "country": "CA",
        "tags": ["clinic", "a"],
        "consent_note": "Signed at the kickoff.",
    }
    made = desk("create_subscriber", **given)
    assert given.items() <= made.items()
    assert (made["status"], made["mailable"], made["joined_on"]) == ("subscribed", True, "2026-03-02")
    assert desk("list_subscribers", email=given["email"])["items"] == [made]
    assert made["id"] in desk.no("conflict", "create_subscriber", **given)
    assert desk("create_subscriber", **(given | {"audience_id": "aud_news"}))["id"] != made["id"]
    desk.no("not_found", "create_subscriber", **(given | {"audience_id": "aud_x"}))
    desk.no(
        "forbidden",
        "create_subscriber",
        audience_id="aud_news",
        email="joost.mulder@brightwater.example",
        source="sales",
    )
    for bad in ({"email": "Ada@halcyon.example"}, {"email": "no address"}, {"country": "Canada"}, {"source": "bought"}):
        desk.no("invalid_arguments", "create_subscriber", **(given | bad))


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"audience_id": "aud_partners"}, 3),
        ({"company": "Granite Peak Outdoor", "audience_id": "aud_trade"}, 2),
        ({"status": "bounced"}, 2),
        ({"tag": "hospitality"}, 4),
        ({"tag": "hospitality", "country": "FR"}, 2),
        ({"suppressed": True, "audience_id": "aud_trade"}, 2),
        ({"query": "BOYD"}, 2),
        ({"query": "%"}, 0),
        ({"audience_id": "aud_x"}, 0),
    ],
)
def test_subscribers_are_found(desk: Desk, filters: dict[str, Any], count: int) -> None:
    found = desk("list_subscribers", limit=100, **filters)
    assert (len(found["items"]), found["total"], found["next_cursor"]) == (count, count, None)


def test_consent_is_withdrawn_and_given_back(desk: Desk) -> None:
    noor = desk.subscriber("noor.haddad@halcyon.example")["id"]
    gone = desk("update_subscriber", subscriber_id=noor, status="unsubscribed", tags=["x"], name="Noor H.")
    assert (gone["status"], gone["mailable"], gone["tags"], gone["name"]) == ("unsubscribed", False, ["x"], "Noor H.")
    assert desk.subscriber("noor.haddad@halcyon.example") == gone
    desk.no("invalid", "update_subscriber", subscriber_id=noor, status="subscribed")
    desk.no("invalid", "update_subscriber", subscriber_id=noor, status="subscribed", consent_note=" ")
    back = desk("update_subscriber", subscriber_id=noor, status="subscribed", consent_note="Asked on 5 March.")
    assert back["mailable"] and back["consent_note"] == "Asked on 5 March."
    desk.no("invalid", "update_subscriber", subscriber_id=noor)
    desk.no("not_found", "update_subscriber", subscriber_id="sub_x", name="x")
    bounced = desk.subscriber("talia.b@granitepeak.example", "aud_news")["id"]
    for status in ("subscribed", "unsubscribed"):
        desk.no("conflict", "update_subscriber", subscriber_id=bounced, status=status, consent_note="x")
    femke = desk.subscriber("femke.visser@brightwater.example")["id"]
    desk("update_subscriber", subscriber_id=femke, status="unsubscribed")
    desk.no("forbidden", "update_subscriber", subscriber_id=femke, status="subscribed", consent_note="x")


def test_suppression_is_for_good(desk: Desk) -> None:
    made = desk("suppress_address", email="derek.olsen@emberoak.example", reason="complaint", note="Too many.")
    assert made["subscriber_ids"] == [desk.subscriber("derek.olsen@emberoak.example")["id"], "sub_0031"]
    assert desk.subscriber("derek.olsen@emberoak.example")["suppressed"]
    desk.no("conflict", "suppress_address", email="derek.olsen@emberoak.example", reason="legal")
    assert desk("suppress_address", email="nobody@else.example", reason="legal")["subscriber_ids"] == []


def test_import_respects_consent(desk: Desk) -> None:
    emails = (
        "new.one@kestrel.example",
        "new.one@kestrel.example",
        "joost.mulder@brightwater.example",
        "harriet.moss@fernhill.example",
        "noor.haddad@halcyon.example",
    )
    rows = [{"email": email, "company": "Kestrel Analytics", "tags": ["fair"]} for email in emails]
    first = desk("import_subscribers", audience_id="aud_trade", rows=rows, consent_note="Fair, 27 February")
    reasons = [item["reason"] for item in first["skipped"]]
    assert reasons == ["repeated", "suppressed", "already unsubscribed", "already subscribed"]
    assert (first["created_count"], first["updated_count"]) == (1, 0)
    added = desk.subscriber(emails[0])
    assert first["created_ids"] == [added["id"]] and added["source"] == "import" and added["tags"] == ["fair"]
    again = desk(
        "import_subscribers", audience_id="aud_trade", rows=rows[3:], consent_note="Fair", update_existing=True
    )
    assert (again["created_count"], again["updated_count"], len(again["skipped"])) == (0, 1, 1)
    noor = desk.subscriber(emails[4])
    assert (noor["name"], noor["company"], noor["tags"]) == ("Noor Haddad", "Kestrel Analytics", ["fair"])
    desk.no("not_found", "import_subscribers", audience_id="aud_x", rows=rows, consent_note="x")
    desk.no("invalid_arguments", "import_subscribers", audience_id="aud_trade", rows=[], consent_note="x")


def test_segments_select(desk: Desk) -> None:
    def size(match: str, *conditions: tuple[str, str, str], audience: str = "aud_trade") -> int:
        items = [{"field": name, "operator": how, "value": value} for name, how, value in conditions]
        made = desk(
            "create_segment", audience_id=audience, name=f"{match} {conditions}"[:80], conditions=items, match=match
        )
        assert made in desk.all("list_segments", audience_id=audience)
        return int(made["size"])

    assert size("all", ("company", "is", "Juniper Lane Hotels")) == 2
    assert size("all", ("company", "is_not", "Juniper Lane Hotels")) == 15
    assert size("all", ("country", "is", "NL")) == 0  # both are suppressed
    assert size("any", ("country", "is", "FR"), ("country", "is", "IE")) == 4
    assert size("all", ("country", "is", "FR"), ("country", "is", "IE")) == 0
    assert size("all", ("joined_on", "before", "2026-01-01")) + size("all", ("joined_on", "after", "2025-12-31")) == 17
    assert size("all", ("tag", "is", "hospitality")) == 4
    opened = size("all", ("opened", "is", "cmp_0004"))
    assert opened + size("all", ("opened", "is_not", "cmp_0004")) == 17 and opened > 0
    assert size("all", ("source", "is", "event"), audience="aud_news") == 5


def test_segments_refuse(desk: Desk) -> None:
    def no(code: str, field: str, operator: str, value: str, **more: Any) -> None:
        given = {"audience_id": "aud_trade", "name": "N"} | more
        desk.no(code, "create_segment", conditions=[{"field": field, "operator": operator, "value": value}], **given)

    no("invalid", "joined_on", "is", "2026-01-01")
    no("invalid", "joined_on", "before", "soon")
    no("invalid", "tag", "before", "a")
    no("conflict", "opened", "is", "cmp_0006")
    no("not_found", "clicked", "is", "cmp_x")
    no("not_found", "tag", "is", "a", audience_id="aud_x")
    no("conflict", "tag", "is", "a", name="Buyers")


def test_templates_are_found(desk: Desk) -> None:
    assert [item["id"] for item in desk.all("list_templates", archived=True)] == ["tpl_holiday"]
    assert [item["id"] for item in desk.all("list_templates", query="15:45 UTC")] == ["tpl_apology"]


@pytest.mark.parametrize("tool", ["list_campaigns", "list_subscribers", "list_segments", "list_templates"])
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    found: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        page = desk(tool, limit=3, **cursor)
        found += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == desk.all(tool) and page["total"] == len(found)
    desk.no("invalid", tool, cursor="bm90IGEgY3Vyc29y")


def test_automations(desk: Desk) -> None:
    items = {item["id"]: item for item in desk("list_automations")["items"]}
    welcome = items["atm_welcome"]
    assert welcome["length_days"] == 10 and items["atm_partners"]["enrolled_count"] == 0
    steps = [{"template_id": "tpl_care", "delay_days": 2}, {"template_id": "tpl_sizes", "delay_days": 365}]

    def update(automation: str = "atm_welcome", **more: Any) -> Any:
        return desk("update_automation", automation_id=automation, **more)

    desk.no("conflict", "update_automation", automation_id="atm_welcome", steps=steps)
    update(status="paused")
    assert update(steps=steps, name="Hello again")["length_days"] == 367
    desk("create_subscriber", audience_id="aud_news", email="ada.b@halcyon.example", source="event")
    assert update(status="active")["enrolled_count"] == welcome["enrolled_count"] + 1
    desk.no("conflict", "update_automation", automation_id="atm_partners", status="paused")
    assert update("atm_partners", status="active")["active_since"] == "2026-03-02"
    desk.no("conflict", "update_automation", automation_id="atm_partners", name="New buyers")
    desk.no("invalid", "update_automation", automation_id="atm_partners")
    desk.no("not_found", "update_automation", automation_id="atm_x", name="x")
    for code, template in (("conflict", "tpl_holiday"), ("not_found", "tpl_x")):
        step = [{"template_id": template, "delay_days": 0}]
        desk.no(code, "update_automation", automation_id="atm_buyers", steps=step)
    active = desk("list_automations", status="active", audience_id="aud_news")["items"]
    assert [item["name"] for item in active] == ["Hello again"]
