"""The wiki: spaces, pages, versions, states, rights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.docs import service
from services.docs.state import Page, PagePermission, PageVersion
from services.docs.writing import MAX_VERSIONS
from tests.services.play import Play

ELENA, HANA, ME = "elena.sorokina@larkspur.example", "hana.takeda@larkspur.example", "mara.lindqvist@larkspur.example"


class Wiki:
    """The wiki's tools without their service's name."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        return self.play.ok("docs", tool, **arguments)

    def no(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("docs", tool, **arguments)
        assert error["code"] == code, error
        return error

    def find(self, title: str) -> str:
        return str(self("list_pages", title=title)["items"][0]["id"])

    def new(self, title: str = "Pallet labels", body: str = "Left upper corner.", **more: Any) -> Any:
        return self("create_page", space_id=more.pop("space_id", "spc_operations"), title=title, body=body, **more)


@pytest.fixture
def wiki(play: Callable[..., Play]) -> Wiki:
    return Wiki(play("docs"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("docs", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in COLLEAGUES}
    for _, values in rows(0):
        for who in ("owner", "author"):
            if f"{who}_email" in values:
                assert cast[values[f"{who}_email"]] == values[f"{who}_name"]


def test_seed_keeps_the_rules(wiki: Wiki) -> None:
    pages = {page.id: page for page in wiki.play.rows(Page)}
    last = {(item.page_id, item.number): item for item in wiki.play.rows(PageVersion)}
    restricted = {item.page_id for item in wiki.play.rows(PagePermission)}
    for page in pages.values():
        version = last[page.id, page.version]
        assert (version.title, version.body) == (page.title, page.body)
        assert page.created_at <= page.updated_at
        assert page.restricted == (page.id in restricted)
        parent = pages.get(page.parent_id or "")
        assert parent is None or (parent.space_id == page.space_id and parent.status == "published")
        assert page.superseded_by_id is None or page.status == "archived"
    live = [(page.space_id, page.title) for page in pages.values() if page.status != "archived"]
    assert len(live) == len(set(live))


@pytest.mark.parametrize(
    ("words", "title", "said"),
    [
        ("damaged refund photos", "Refund policy", "within 14 days of delivery"),
        ("quote tax executive fixed", "Discount approval", "More than 5 % and up to 10 %"),
        ("hotels flights premium", "Travel policy", "London 170.00 GBP"),
        ("gold 4 hours", "Escalation and notification rules", "same day"),
        ("vendor further quotes", "Vendor approval", "More than 2,000.00 and up to 10,000.00 USD"),
        ("kickoff badges minutes", "Checklist for new customers", "Within 2 working days"),
    ],
)
def test_policies_are_found(wiki: Wiki, words: str, title: str, said: str) -> None:
    found = wiki("search_pages", query=words, status="published")["items"]
    assert title in [item["title"] for item in found]
    assert said in wiki("get_page", page_id=wiki.find(title))["body"]


def test_superseded_pages_name_their_successor(wiki: Wiki) -> None:
    old = wiki("list_pages", status="archived", label="refunds")["items"]
    assert [item["superseded_by_id"] for item in old] == [wiki.find("Refund policy")]
    page = wiki.find("Refund policy")
    first = wiki("get_page", page_id=page, version=1)
    assert (first["version"], first["current_version"]) == (1, 3) and "Up to 100.00" in first["body"]
    assert [item["number"] for item in wiki("list_page_versions", page_id=page)["items"]] == [3, 2, 1]
    assert len(wiki("list_page_versions", page_id=page, author_email=ELENA)["items"]) == 2
    wiki.no("not_found", "get_page", page_id=page, version=9)


def test_spaces_by_role(wiki: Wiki) -> None:
    spaces = {item["code"]: item["my_role"] for item in wiki("list_spaces")["items"]}
    assert spaces == {"HND": "editor", "FIN": "editor", "OPS": "admin", "SUP": "viewer", "SAL": "viewer"}
    assert [item["code"] for item in wiki("list_spaces", visibility="private")["items"]] == ["SAL"]
    assert [item["code"] for item in wiki("list_spaces", query="CARRIERS")["items"]] == ["OPS"]
    space = wiki("get_space", space_id="spc_operations")
    assert space["pages"] == {"draft": 1, "published": 8, "archived": 1}
    assert {item["role"] for item in space["members"]} == {"admin", "editor", "viewer"}
    wiki.no("not_found", "get_space", space_id="spc_people")
    wiki.no("not_found", "list_comments", page_id="doc_0039")
    assert "doc_0039" not in {item["id"] for item in wiki("list_pages", limit=100)["items"]}
    hidden = {item["title"] for item in wiki("list_pages", limit=100)["items"]}
    assert not hidden & {"Goodwill vouchers", "Floor prices 2026"}
    assert "Shipment GP-778: what we know" in hidden


def test_create_space_and_members(wiki: Wiki) -> None:
    made = wiki("create_space", code="EVT", name="Events", visibility="private")
    assert made["my_role"] == "admin" and made["members"][0]["email"] == ME
    assert wiki("get_space", space_id=made["id"]) == made
    assert "EVT" in [item["code"] for item in wiki("list_spaces")["items"]]
    wiki.no("conflict", "create_space", code="EVT", name="Other")
    wiki.no("conflict", "create_space", code="EV2", name="Events")
    wiki.no("invalid_arguments", "create_space", code="evt", name="Other")
    space = made["id"]
    wiki("set_space_member", space_id=space, email=HANA, role="editor")
    wiki.no("conflict", "set_space_member", space_id=space, email=HANA, role="editor")
    wiki.no("conflict", "set_space_member", space_id=space, email=ME, role="viewer")
    wiki.no("conflict", "set_space_member", space_id=space, email=ELENA, role="none")
    wiki.no("not_found", "set_space_member", space_id=space, email="x@larkspur.example", role="viewer")
    wiki.no("forbidden", "set_space_member", space_id="spc_finance", email=HANA, role="viewer")
    page = wiki.new(space_id=space)["id"]
    wiki("set_page_permission", page_id=page, email=HANA, level="edit")
    wiki("set_space_member", space_id=space, email=HANA, role="none")
    view = wiki("get_page", page_id=page)
    assert view["permissions"] == [] and view["restricted"]
    wiki.no("conflict", "set_page_permission", page_id=page, email=HANA, level="view")


def test_create_get_list(wiki: Wiki) -> None:
    made = wiki.new(labels=["labels", "store"], parent_id=wiki.find("Operations home"))
    assert (made["status"], made["version"], made["owner_email"]) == ("draft", 1, ME)
    assert wiki("get_page", page_id=made["id"]) == made
    assert [item["title"] for item in made["path"]] == ["Operations home"]
    for filters in ({"label": "store"}, {"title": "Pallet labels"}, {"owner_email": ME, "status": "draft"}):
        assert made["id"] in [item["id"] for item in wiki("list_pages", **filters)["items"]]
    assert made["id"] not in [item["id"] for item in wiki("list_pages", top_level=True)["items"]]
    wiki.no("conflict", "create_page", space_id="spc_operations", title="Pallet labels")
    wiki.no("forbidden", "create_page", space_id="spc_support", title="x")
    wiki.no("not_found", "create_page", space_id="spc_people", title="x")
    wiki.no("not_found", "create_page", space_id="spc_operations", title="x", parent_id="doc_x")
    wiki.no("conflict", "create_page", space_id="spc_operations", title="x", parent_id=wiki.find("Travel policy"))
    wiki.no("invalid_arguments", "create_page", space_id="spc_operations", title="  ")
    wiki.no("invalid_arguments", "create_page", space_id="spc_operations", title="x", labels=["A b"])


def test_depth(wiki: Wiki) -> None:
    above = None
    for level in range(6):
        above = wiki.new(f"Level {level}", **({"parent_id": above} if above else {}))["id"]
    wiki.no("limit", "create_page", space_id="spc_operations", title="Deeper", parent_id=above)
    home = wiki.find("Operations home")
    wiki.no("limit", "move_page", page_id=wiki.find("Level 0"), parent_id=home)


def test_update_makes_versions(wiki: Wiki) -> None:
    page = wiki.new()["id"]
    changed = wiki("update_page", page_id=page, body="Right upper corner.", note="Moved", base_version=1)
    assert (changed["version"], changed["body"]) == (2, "Right upper corner.")
    wiki.no("conflict", "update_page", page_id=page, body="x", base_version=1)
    assert wiki("update_page", page_id=page, labels=["a"])["version"] == 2
    assert wiki("update_page", page_id=page, body="Right upper corner.")["version"] == 2
    wiki.no("invalid", "update_page", page_id=page)
    wiki.no("conflict", "update_page", page_id=page, title="Carriers")
    wiki.no("forbidden", "update_page", page_id=wiki.find("Words we use"), body="x")
    wiki.no("not_found", "update_page", page_id="doc_x", body="x")
    wiki.no("forbidden", "update_page", page_id=wiki.find("Approval limits for invoices and credits"), body="x")
    wiki.no("conflict", "update_page", page_id=wiki.find("Business trips (2024)"), body="x")
    wiki.no("conflict", "update_page", page_id=wiki.find("Carriers"), body=" ")
    back = wiki("restore_page_version", page_id=page, version=1)
    assert (back["version"], back["body"]) == (3, "Left upper corner.")
    wiki.no("conflict", "restore_page_version", page_id=page, version=1)
    wiki.no("not_found", "restore_page_version", page_id=page, version=8)
    assert wiki("list_page_versions", page_id=page, limit=1)["items"][0]["note"] == "Restored version 1"


def test_versions_have_a_limit(play: Callable[..., Play]) -> None:
    def full(row: Entity) -> None:
        if isinstance(row, PageVersion | Page) and "Carriers" in row.title:
            if isinstance(row, Page):
                row.version = MAX_VERSIONS
            else:
                row.number = MAX_VERSIONS

    wiki = Wiki(play("docs", edit=full))
    wiki.no("limit", "update_page", page_id=wiki.find("Carriers"), body="x")


def test_states(wiki: Wiki) -> None:
    page = wiki.new(body=" ")["id"]
    wiki.no("conflict", "set_page_status", page_id=page, status="published")
    wiki("update_page", page_id=page, body="Text")
    below = wiki.new("Below", parent_id=page)["id"]
    wiki.no("conflict", "set_page_status", page_id=below, status="published")
    shown = wiki("set_page_status", page_id=page, status="published")
    assert shown["published_at"]
    wiki.no("conflict", "set_page_status", page_id=page, status="published")
    wiki.no("conflict", "delete_page", page_id=page)
    wiki.no("conflict", "set_page_status", page_id=page, status="archived")
    wiki("set_page_status", page_id=below, status="archived")
    wiki.no("conflict", "set_page_status", page_id=page, status="archived", superseded_by_id=page)
    wiki.no("not_found", "set_page_status", page_id=page, status="archived", superseded_by_id="doc_x")
    gone = wiki("set_page_status", page_id=page, status="archived", superseded_by_id=wiki.find("Carriers"))
    assert gone["superseded_by_id"] and not gone["may_edit"]
    wiki.no("conflict", "create_comment", page_id=page, body="x")
    wiki.no("conflict", "set_page_status", page_id=below, status="published")
    wiki.new("Pallet labels")
    wiki.no("conflict", "set_page_status", page_id=page, status="published")
    wiki.no("conflict", "delete_page", page_id=page)
    assert wiki("delete_page", page_id=below) == {"page_id": below, "deleted": True}
    wiki("delete_page", page_id=page)
    for tool in ("get_page", "delete_page", "list_comments", "list_page_versions"):
        wiki.no("not_found", tool, page_id=page)
    wiki.no("forbidden", "delete_page", page_id=wiki.find("Business trips (2024)"))


def test_publishing_again_clears_the_successor(wiki: Wiki) -> None:
    old = wiki.find("Who to call (old list)")
    assert wiki("get_page", page_id=old)["superseded_by_id"]
    again = wiki("set_page_status", page_id=old, status="published")
    assert (again["status"], again["superseded_by_id"]) == ("published", None)
    wiki.no("invalid", "set_page_status", page_id=wiki.new()["id"], status="published", superseded_by_id=old)


def test_move(wiki: Wiki) -> None:
    top = wiki.new("Top")["id"]
    below = wiki.new("Below", parent_id=top)["id"]
    wiki.no("conflict", "move_page", page_id=top, parent_id=below)
    wiki.no("conflict", "move_page", page_id=top, parent_id=None)
    wiki.no("conflict", "move_page", page_id=wiki.find("Carriers"), parent_id=top)
    assert wiki("move_page", page_id=below, parent_id=None)["parent_id"] is None
    wiki("move_page", page_id=below, parent_id=top)
    moved = wiki("move_page", page_id=top, parent_id=wiki.find("Finance policies"), space_id="spc_finance")
    assert moved["space_code"] == "FIN" and wiki("get_page", page_id=below)["space_id"] == "spc_finance"
    wiki.no("forbidden", "move_page", page_id=top, parent_id=None, space_id="spc_support")
    wiki.new("Top")
    wiki.no("conflict", "move_page", page_id=top, parent_id=None, space_id="spc_operations")
    wiki.no("conflict", "move_page", page_id=top, parent_id=wiki.find("Carriers"))
