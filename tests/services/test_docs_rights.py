"""The wiki: restrictions, comments, pages, odd searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.docs.state import Comment, Space
from tests.services.play import Play
from tests.services.test_docs import HANA, ME, Wiki


@pytest.fixture
def wiki(play: Callable[..., Play]) -> Wiki:
    return Wiki(play("docs"))


def test_restrictions(wiki: Wiki) -> None:
    page = wiki.new()["id"]
    limited = wiki("set_page_permission", page_id=page, email=HANA, level="view")
    assert limited["restricted"] and limited["permissions"][0]["level"] == "view"
    assert wiki("set_page_permission", page_id=page, email=HANA, level="edit")["permissions"][0]["level"] == "edit"
    assert not wiki("set_page_permission", page_id=page, email=HANA, level="none")["restricted"]
    wiki.no("conflict", "set_page_permission", page_id=page, email=HANA, level="none")
    wiki.no("not_found", "set_page_permission", page_id=page, email="x@y.example", level="view")
    wiki.no("forbidden", "set_page_permission", page_id=wiki.find("Travel policy"), email=HANA, level="view")


def test_comments(wiki: Wiki) -> None:
    page = wiki.find("Refund policy")
    made = wiki("create_comment", page_id=page, body="„Größe“ zählt 👕")
    assert wiki("list_comments", page_id=page, author_email=ME)["items"] == [made]
    assert len(wiki("list_comments", page_id=page, resolved=True)["items"]) == 1
    done = wiki("resolve_comment", comment_id=made["id"])
    assert (done["resolved"], done["resolved_by_email"]) == (True, ME)
    wiki.no("conflict", "resolve_comment", comment_id=made["id"])
    wiki.no("not_found", "resolve_comment", comment_id="cmt_x")
    other = next(c.id for c in wiki.play.rows(Comment) if "smock" in c.body)
    wiki.no("not_found", "resolve_comment", comment_id=other)
    sales = next(c.id for c in wiki.play.rows(Comment) if "Table by site" in c.body)
    wiki.no("forbidden", "resolve_comment", comment_id=sales)
    wiki.no("invalid_arguments", "create_comment", page_id=page, body="\n ")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_pages", {}),
        ("search_pages", {"query": "a"}),
        ("list_spaces", {}),
        ("list_page_versions", {"page_id": "doc_0010"}),
        ("list_comments", {"page_id": "doc_0010"}),
    ],
)
def test_pages_neither_skip_nor_repeat(wiki: Wiki, tool: str, arguments: dict[str, Any]) -> None:
    whole = wiki(tool, limit=100, **arguments)["items"]
    seen: list[Any] = []
    cursor = None
    while True:
        page = wiki(tool, limit=2, **arguments, **({"cursor": cursor} if cursor else {}))
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == whole and len(seen) >= 2
    wiki.no("invalid", tool, cursor="garbage", **arguments)
    wiki.no("invalid_arguments", tool, limit=101, **arguments)


@pytest.mark.parametrize("word", ["%", "_", "'; --", "\\", "𝔘", "(", " x "])
def test_odd_searches(wiki: Wiki, word: str) -> None:
    assert isinstance(wiki("search_pages", query=word, updated_after="0001-01-01T00:00:00Z")["items"], list)
    assert isinstance(wiki("list_spaces", query=word)["items"], list)
    assert len(wiki.play.rows(Space)) == 7
