"""The inbox, saved replies and the engagement report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.social.state import Post
from tests.services.play import Play
from tests.services.test_social import Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("social"))


def test_message_is_assigned_and_answered(desk: Desk) -> None:
    taken = desk("update_message", message_id="msg_0005", assignee_id="mem_luis", sentiment="neutral")
    assert (taken["status"], taken["assignee_name"], taken["sentiment"]) == ("open", "Luis Herrera", "neutral")
    assert "Luis" in desk.no("conflict", "reply_to_message", message_id="msg_0005", text="x")
    desk("update_message", message_id="msg_0005", assignee_id=None)
    first = desk("reply_to_message", message_id="msg_0005", saved_reply_id="svr_direct")
    assert first["response"]["text"].startswith("I am sorry, Marcus Vale.")
    assert (first["message"]["status"], first["message"]["assignee_id"]) == ("answered", "mem_mara")
    second = desk("reply_to_message", message_id="msg_0005", text="And thank you.")
    assert second["message"]["answered_at"] == first["message"]["answered_at"]
    got = desk("get_message", message_id="msg_0005")
    assert [item["text"] for item in got["responses"]] == [first["response"]["text"], "And thank you."]
    assert desk("get_message", message_id="msg_0001")["post_text"].startswith("Our stock numbers")


def test_message_is_closed_and_reopened(desk: Desk) -> None:
    desk("update_message", message_id="msg_0005", status="closed")
    desk.no("conflict", "reply_to_message", message_id="msg_0005", text="x")
    desk.no("conflict", "update_message", message_id="msg_0005", assignee_id="mem_luis")
    assert desk("update_message", message_id="msg_0005", assignee_id="mem_luis", status="open")["status"] == "open"
    desk.no("conflict", "update_message", message_id="msg_0005", assignee_id="mem_tobias")
    desk.no("not_found", "update_message", message_id="msg_0005", assignee_id="mem_x")
    desk.no("not_found", "update_message", message_id="msg_x", status="open")
    desk.no("invalid", "update_message", message_id="msg_0005")


def test_replies_are_refused(desk: Desk) -> None:
    for code, more in (
        ("invalid", {}),
        ("invalid", {"text": "x", "saved_reply_id": "svr_sizes"}),
        ("invalid", {"text": "x" * 281}),
        ("not_found", {"saved_reply_id": "svr_x"}),
    ):
        desk.no(code, "reply_to_message", message_id="msg_0005", **more)
    desk("update_message", message_id="msg_0017", assignee_id=None)
    desk.no("conflict", "reply_to_message", message_id="msg_0017", text="Soon!")  # the channel is disconnected
    desk.no("not_found", "reply_to_message", message_id="msg_x", text="x")
    desk.no("not_found", "get_message", message_id="msg_x")


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"status": "new"}, 7),
        ({"kind": "direct"}, 3),
        ({"channel_id": "chn_bench"}, 1),
        ({"post_id": "pst_0022"}, 3),
        ({"assignee_id": "mem_oscar"}, 3),
        ({"assigned": False}, 7),
        ({"sentiment": "negative", "assigned": True}, 4),
        ({"query": "gp-778"}, 2),
        ({"query": "@marcus_VALE"}, 2),
        ({"received_after": "2026-03-01T00:00:00Z"}, 3),
        ({"received_before": "2026-02-01T00:00:00Z"}, 1),
    ],
)
def test_messages_are_found(desk: Desk, filters: dict[str, Any], count: int) -> None:
    found = desk("list_messages", limit=100, **filters)
    assert len(found["items"]) == found["total"] == count


@pytest.mark.parametrize("group_by", ["channel", "label", "weekday", "hour", "weekday_hour"])
def test_report_adds_up(desk: Desk, group_by: str) -> None:
    report = desk("get_engagement_report", group_by=group_by)
    published = [row for row in desk.play.rows(Post) if row.status == "published"]
    assert report["all"]["posts"] == len(published)
    for name in ("posts", "impressions", "likes", "engagements"):
        assert sum(item[name] for item in report["items"]) == report["all"][name]
    rates = [item["engagement_percent"] for item in report["items"]]
    assert rates == sorted(rates, reverse=True)


def test_report_filters(desk: Desk) -> None:
    def report(**more: Any) -> Any:
        return desk("get_engagement_report", **({"group_by": "hashtag"} | more))

    outage = report(published_from="2026-02-26", published_to="2026-02-26", channel_id="chn_notes")
    assert outage["items"][0]["group"] == "service" and outage["all"]["posts"] == 2
    assert report(published_from="9999-12-31")["all"] == report(published_to="0001-01-01")["all"]
    best = report(group_by="weekday_hour", channel_id="chn_team")["items"][0]["group"]
    assert best.endswith("10:00")
    desk.no("not_found", "get_engagement_report", group_by="hour", channel_id="chn_x")


@pytest.mark.parametrize("tool", ["list_posts", "list_messages", "list_media"])
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    found: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        page = desk(tool, limit=4, **cursor)
        found += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == desk.all(tool) and page["total"] == len(found)
    desk.no("invalid", tool, cursor="bm90IGEgY3Vyc29y")
