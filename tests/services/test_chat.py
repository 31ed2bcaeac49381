"""Messages of the team chat: write, read, mark, search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.chat import service
from services.chat.state import (
    Channel,
    ChannelMember,
    Mention,
    Message,
    Pin,
    Reaction,
)
from tests.services.chat_play import HANA, LATER, LUIS, MARA, Chat, dump
from tests.services.play import Play


@pytest.fixture
def chat(play: Callable[..., Play]) -> Chat:
    return Chat(play("chat"))


def rows_of(number: int) -> list[Entity]:
    return list(service.seed(Seed("chat", number)))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def shape(rows: list[Entity]) -> list[tuple[str, dict[str, Any]]]:
        return [(type(row).__name__, row.values()) for row in rows]

    assert shape(rows_of(0)) == shape(rows_of(0))
    assert shape(rows_of(0)) != shape(rows_of(1))
    assert 150 <= len(rows_of(0)) <= 400
    cast = {person.email: person.name for person in (*COLLEAGUES, *CONTACTS)}
    members = [row.values() for row in rows_of(0) if type(row).__name__ == "Member"]
    assert all(cast[item["email"]] == item["name"] for item in members)
    start = Seed("chat").start
    inside = {(r.channel_id, r.member_id) for r in rows_of(0) if isinstance(r, ChannelMember)}
    for row in rows_of(0):
        if isinstance(row, Message):
            assert row.posted_at <= start and (row.channel_id, row.author_id) in inside


def test_post_edit_delete_and_threads(chat: Chat) -> None:
    root = chat.post('Grüße, "quoted" \\ 100% — 日本')
    assert chat("get_message", message_id=root["id"])["text"] == 'Grüße, "quoted" \\ 100% — 日本'
    first = chat.post("reply one", thread_id=root["id"])
    second = chat.post("reply two", thread_id=first["id"])
    assert second["thread_id"] == root["id"]
    thread = chat("get_thread", message_id=second["id"])
    assert [item["text"] for item in thread["items"]] == ["reply one", "reply two"]
    assert thread["root"]["reply_count"] == 2 == thread["total"]
    top = [item["id"] for item in chat("list_messages", channel_id="chn_ops")["items"]]
    assert root["id"] in top and first["id"] not in top
    edited = chat("edit_message", message_id=root["id"], text="new text")
    assert edited["edited_at"] and edited["text"] == "new text"
    same = chat("edit_message", message_id=first["id"], text="reply one")
    assert same["edited_at"] is None
    chat("add_reaction", message_id=root["id"], emoji="eyes")
    chat("pin_message", message_id=root["id"])
    waiting = chat("schedule_message", channel_id="chn_ops", text="r", post_at=LATER, thread_id=root["id"])
    gone = chat("delete_message", message_id=root["id"])
    assert gone["replies_kept"] and gone["cancelled_scheduled_replies"] == 1
    place = chat("get_message", message_id=root["id"])
    assert place["deleted"] and place["text"] == "" and not place["reactions"] and not place["pinned"]
    chat.no("conflict", "edit_message", message_id=root["id"], text="x")
    chat.no("conflict", "delete_message", message_id=root["id"])
    chat.no("conflict", "post_message", channel_id="chn_ops", text="x", thread_id=root["id"])
    assert waiting["id"] in {i["id"] for i in chat("list_scheduled_messages", status="cancelled")["items"]}
    chat("delete_message", message_id=first["id"])
    assert not chat("delete_message", message_id=second["id"])["replies_kept"]
    chat.no("not_found", "get_message", message_id=root["id"])


def test_posting_rules(chat: Chat) -> None:
    other = chat.find("Forklift 2")
    chat.no("forbidden", "edit_message", message_id=other.id, text="mine now")
    chat.no("forbidden", "delete_message", message_id=other.id)
    chat.no("forbidden", "post_message", channel_id="chn_announcements", text="notice")
    notice = chat.find("New travel policy")
    assert chat.post("understood", "chn_announcements", thread_id=notice.id)["thread_id"] == notice.id
    chat.no("not_found", "post_message", channel_id="chn_ops", text="x", thread_id=notice.id)
    chat.no("invalid", "post_message", channel_id="chn_ops", text=" \n ")
    chat.no("invalid_arguments", "post_message", channel_id="chn_ops", text="")
    chat.no("invalid_arguments", "post_message", channel_id="chn_ops", text="x" * 4001)
    assert len(chat.post("x" * 4000)["text"]) == 4000
    chat.no("invalid_arguments", "post_message", channel_id="chn_ops", text="x", urgent=True)
    chat.no("not_found", "post_message", channel_id="nowhere", text="x")
    before = dump(chat)
    assert not chat.play.call("chat", "post_message", channel_id="chn_ops", text="a\x00b")["ok"]
    assert dump(chat) == before


def test_mentions(chat: Chat) -> None:
    sent = chat.post("@hana.takeda. and (@Luis.Herrera), mail to mara@larkspur.example, @nobody")
    assert sent["mentions"] == [HANA, LUIS] and sent["mentioned_without_access"] == []
    group = chat.post("@ops-team please")
    assert group["mentions"] == ["mem_kenji_watanabe", LUIS]
    everyone = chat.post("@channel news", "chn_offsite")
    assert len(everyone["mentions"]) == 4 and MARA not in everyone["mentions"]
    private = chat.post("@luis.herrera and @aoife.brennan", "chn_offsite")
    assert private["mentions"] == []
    assert private["mentioned_without_access"] == ["aoife.brennan", "luis.herrera"]
    changed = chat("edit_message", message_id=sent["id"], text="only @luis.herrera")
    assert changed["mentions"] == [LUIS]
    via = {row.member_id: row.via for row in chat.play.rows(Mention) if row.message_id == everyone["id"]}
    assert set(via.values()) == {"channel"}


def test_reactions_and_pins(chat: Chat) -> None:
    target = chat.find("Forklift 2").id
    liked = chat("add_reaction", message_id=target, emoji="+1")
    assert {"emoji": "+1", "count": 1, "member_ids": [MARA]} in liked["reactions"]
    chat.no("conflict", "add_reaction", message_id=target, emoji="+1")
    chat.no("invalid_arguments", "add_reaction", message_id=target, emoji=":+1:")
    chat.no("forbidden", "add_reaction", message_id=chat.find("Photo shoot").id, emoji="+1")
    chat.no("conflict", "add_reaction", message_id=chat.find("Season is over").id, emoji="+1")
    found = chat("search_messages", has_reaction="+1")
    assert [item["id"] for item in found["items"]] == [target]
    chat("remove_reaction", message_id=target, emoji="+1")
    chat.no("not_found", "remove_reaction", message_id=target, emoji="+1")
    own = {row.id for row in chat.play.rows(Message) if row.author_id == MARA}
    expected = [r for r in chat.play.rows(Reaction) if r.message_id in own and r.member_id != MARA]
    assert len(chat("list_reactions", limit=100)["items"]) == len(expected)
    assert chat("pin_message", message_id=target)["pinned"]
    chat.no("conflict", "pin_message", message_id=target)
    pins = chat("list_pins", channel_id="chn_ops")["items"]
    assert pins[0]["message"]["id"] == target and pins[0]["pinned_by"] == MARA
    assert target in {i["id"] for i in chat("search_messages", pinned=True, limit=100)["items"]}
    assert not chat("unpin_message", message_id=target)["pinned"]
    chat.no("conflict", "unpin_message", message_id=target)
    for _ in range(10 - len([p for p in chat.play.rows(Pin) if p.channel_id == "chn_ops"])):
        chat("pin_message", message_id=chat.post("pin me")["id"])
    chat.no("limit", "pin_message", message_id=target)
    for number in range(20):
        chat("add_reaction", message_id=target, emoji=f"e{number}")
    chat.no("limit", "add_reaction", message_id=target, emoji="one_more")


def test_unread_counts_move_with_the_mark(chat: Chat) -> None:
    chat("mark_read", channel_id="chn_ops")
    assert chat("get_channel", channel_id="chn_ops")["unread_count"] == 0
    assert "chn_ops" not in {i["channel_id"] for i in chat("list_unread")["items"]}
    signed = chat.find("signed delivery notes")
    back = chat("mark_read", channel_id="chn_ops", up_to_message_id=chat.find("Shipment GP-778").id)
    later = [
        m
        for m in chat.play.rows(Message)
        if m.channel_id == "chn_ops" and m.posted_at > chat.find("Shipment GP-778").posted_at and m.author_id != MARA
    ]
    assert back["unread_count"] == len(later) and back["mention_count"] == 2
    chat("get_message", message_id=signed.id)
    listed = chat("list_unread", mentions_only=True)
    assert "chn_ops" in {i["channel_id"] for i in listed["items"]}
    assert all(i["mention_count"] for i in listed["items"])
    everything = chat("list_unread")
    assert everything["total_unread"] == sum(i["unread_count"] for i in everything["items"])
    chat.post("my own line is never unread")
    assert chat("get_channel", channel_id="chn_ops")["unread_count"] == len(later)
    chat.no("forbidden", "mark_read", channel_id="chn_marketing")
    chat.no("not_found", "mark_read", channel_id="chn_ops", up_to_message_id=chat.find("Photo shoot").id)


def test_search_filters_hold(chat: Chat) -> None:
    rows = {m.id: m for m in chat.play.rows(Message)}
    found = chat("search_messages", query="gp-778", limit=100)
    assert found["items"] and all("gp-778" in rows[i["id"]].text.lower() for i in found["items"])
    both = chat("search_messages", query="stock gp-778")
    assert both["total"] == 1
    assert chat("search_messages", query="100%_")["total"] == 0
    by = chat("search_messages", author_id=HANA, channel_id="chn_support", limit=100)["items"]
    assert by and all((i["author_id"], i["channel_id"]) == (HANA, "chn_support") for i in by)
    span = {"after": "2026-02-26T00:00:00Z", "before": "2026-02-27T00:00:00Z"}
    day = chat("search_messages", **span, limit=100)["items"]
    assert day and all(i["posted_at"].startswith("2026-02-26") for i in day)
    chat.no("invalid", "search_messages", after=span["before"], before=span["after"])
    chat.no("invalid_arguments", "search_messages", after="2026-02-26T00:00:00")
    assert all(MARA in i["mentions"] for i in chat("search_messages", mentions_me=True, limit=100)["items"])
    root = chat.find("Incident: Kestrel")
    assert chat("search_messages", in_thread_of=root.id)["total"] == 4
    chat.no("not_found", "search_messages", channel_id="chn_people")
    activity = chat("get_channel_activity", channel_id="chn_ops", after="2026-02-01T00:00:00Z")
    assert activity["message_count"] == sum(m.channel_id == "chn_ops" for m in rows.values())
    assert activity["message_count"] == sum(i["message_count"] for i in activity["items"])


@pytest.mark.parametrize("order", ["newest", "oldest"])
def test_pages_neither_skip_nor_repeat(chat: Chat, order: str) -> None:
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = chat("list_messages", channel_id="chn_ops", include_replies=True, order=order, limit=5, **cursor)
        seen += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    rows = [m for m in chat.play.rows(Message) if m.channel_id == "chn_ops"]
    rows.sort(key=lambda m: (m.posted_at, m.id), reverse=order == "newest")
    assert seen == [m.id for m in rows]
    chat.no("invalid", "list_messages", channel_id="chn_ops", cursor="nonsense")


def test_refused_calls_change_nothing(chat: Chat) -> None:
    before = dump(chat)
    chat.no("not_found", "create_channel", name="half", member_ids=[HANA, "mem_x"])
    chat.no("not_found", "add_channel_members", channel_id="chn_ops", member_ids=["mem_sofia_almeida", "mem_x"])
    chat.no("invalid_arguments", "set_status", presence="asleep")
    assert dump(chat) == before
    assert {row.status for row in chat.play.rows(Channel)} == {"active", "archived"}
