"""File storage: shares, links, comments, pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.files.state import Comment, Link, Share
from tests.services.play import Play
from tests.services.test_files import HANA, ME, RUTH, TALIA, Store


@pytest.fixture
def store(play: Callable[..., Play]) -> Store:
    return Store(play("files"))


def test_shares(store: Store) -> None:
    made = store.file()["id"]
    given = store("share_item", item_id=made, email=HANA, role="viewer")["shares"]
    assert given == [{"email": HANA, "name": "Hana Takeda", "role": "viewer"}]
    assert store("share_item", item_id=made, email=HANA, role="editor")["shares"][0]["role"] == "editor"
    assert store("share_item", item_id=made, email=HANA, role="none")["shares"] == []
    store.no("conflict", "share_item", item_id=made, email=HANA, role="none")
    store.no("conflict", "share_item", item_id=made, email=ME, role="viewer")
    store.no("not_found", "share_item", item_id=made, email="x@y.example", role="viewer")
    store("share_item", item_id=made, email=TALIA, role="commenter")
    store.no("forbidden", "share_item", item_id=made, email=TALIA, role="editor")
    store.no("forbidden", "share_item", item_id=store.find("Larkspur logo.svg"), email=HANA, role="viewer")
    mine = store("share_item", item_id=made, email=HANA, role="owner")
    assert (mine["owner_email"], mine["my_role"]) == (HANA, "editor")
    store.no("forbidden", "share_item", item_id=made, email=ME, role="owner")
    store("share_item", item_id=made, email=RUTH, role="viewer")
    assert len([row for row in store.play.rows(Share) if row.item_id == made]) == 3


def test_links(store: Store) -> None:
    made = store.file()["id"]
    link = store("create_link", item_id=made, expires_at="2026-03-09T18:00:00+01:00")
    assert link["active"] and link["expires_at"] == "2026-03-09T17:00:00Z" and link["role"] == "viewer"
    assert store("list_links", item_id=made)["items"] == [link]
    forever = store("create_link", item_id=made)
    assert forever["expires_at"] is None and forever["url"] != link["url"]
    for when in ("2026-03-02T00:00:00Z", "2028-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        store.no("invalid", "create_link", item_id=made, expires_at=when)
    store.no("invalid", "create_link", item_id=made, role="editor")
    store.no("forbidden", "create_link", item_id=store.find("Larkspur logo.svg"))
    assert [one["id"] for one in store("list_links", active=False)["items"]] == ["lnk_0004"]
    assert {one["role"] for one in store("list_links", role="commenter")["items"]} == {"commenter"}
    for _ in range(8):
        store("create_link", item_id=made)
    store.no("limit", "create_link", item_id=made)
    assert store("delete_link", link_id=link["id"]) == {"link_id": link["id"], "deleted": True}
    store.no("not_found", "delete_link", link_id=link["id"])
    store.no("forbidden", "delete_link", link_id="lnk_0006")
    store.no("not_found", "list_links", item_id="itm_x")
    assert link["id"] not in {row.id for row in store.play.rows(Link)}


def test_comments(store: Store) -> None:
    reply = store.find("Damaged goods reply.md")
    made = store("create_comment", item_id=reply, body="Yes, name them.")
    assert store("list_comments", item_id=reply, author_email=ME)["items"] == [made]
    assert len(store("list_comments", item_id=reply)["items"]) == 2
    store.no("forbidden", "create_comment", item_id=store.find("Larkspur logo.svg"), body="x")
    store.no("conflict", "create_comment", item_id=store.find("Operations"), body="x")
    store.no("conflict", "create_comment", item_id=store.find("Carrier slots.txt", trashed=True), body="x")
    store.no("invalid_arguments", "create_comment", item_id=reply, body=" ")
    assert len(store.play.rows(Comment)) == 10


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_items", {}),
        ("list_items", {"sort": "largest"}),
        ("list_items", {"sort": "recently_updated"}),
        ("list_links", {}),
        ("list_versions", {"item_id": "itm_0004"}),
        ("list_comments", {"item_id": "itm_0004"}),
    ],
)
def test_pages_neither_skip_nor_repeat(store: Store, tool: str, arguments: dict[str, Any]) -> None:
    whole = store(tool, limit=100, **arguments)["items"]
    seen: list[Any] = []
    cursor = None
    while True:
        page = store(tool, limit=1, **arguments, **({"cursor": cursor} if cursor else {}))
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == whole and len(seen) >= 2
    store.no("invalid", tool, cursor="garbage", **arguments)


@pytest.mark.parametrize("text", ["%", "_", "'; --", "\\", "𝔘", "\u200b"])
def test_odd_texts(store: Store, text: str) -> None:
    assert isinstance(store("list_items", query=text)["items"], list)
    made = store.file(name=text)
    assert made["name"] == text and store.find(text) == made["id"]
