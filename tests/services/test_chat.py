"""The team chat behaves as people know it."""

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
    Reminder,
    ScheduledMessage,
)
from tests.services.play import Play

LATER = "2026-03-20T10:00:00Z"
MARA, HANA, LUIS, AOIFE = "mem_mara_lindqvist", "mem_hana_takeda", "mem_luis_herrera", "mem_aoife_brennan"
GONE = "mem_derek_olsen"


class Chat:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("chat", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> str:
        error = self.play.fails("chat", tool, **arguments)
        assert error["code"] == code, error
        return str(error["message"])

    def post(self, text: str, channel_id: str = "chn_ops", **more: Any) -> Any:
        return self("post_message", channel_id=channel_id, text=text, **more)

    def find(self, text: str) -> Any:
        return next(item for item in self.play.rows(Message) if text in item.text)


@pytest.fixture
def chat(play: Callable[..., Play]) -> Chat:
    return Chat(play("chat"))


def dump(chat: Chat) -> list[Any]:
    return [[row.values() for row in chat.play.rows(entity)] for entity in service.entities]


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


def test_channels_seen_are_public_or_own(chat: Chat) -> None:
    listed = chat("list_channels", status="any", limit=100)
    ids = {item["id"] for item in listed["items"]}
    assert "chn_people" not in ids and "chn_dm_priya_jonah" not in ids and "chn_marketing" in ids
    assert listed["total"] == len(ids)
    chat.no("not_found", "get_channel", channel_id="chn_people")
    chat.no("not_found", "list_messages", channel_id="chn_people")
    chat.no("not_found", "join_channel", channel_id="chn_people")
    secret = chat.find("Interview plan")
    chat.no("not_found", "get_message", message_id=secret.id)
    assert chat("search_messages", query="Interview plan")["total"] == 0
    assert {i["kind"] for i in chat("list_channels", kind="direct")["items"]} == {"direct"}
    assert [i["id"] for i in chat("list_channels", status="archived")["items"]] == ["chn_holiday"]
    assert [i["id"] for i in chat("list_channels", query="CARRIER")["items"]] == ["chn_ops"]
    assert all(i["joined"] for i in chat("list_channels", joined_only=True)["items"])
    people = chat("get_channel", channel_id="chn_dm_elena")["participants"]
    assert [item["name"] for item in people] == ["Elena Sorokina", "Mara Lindqvist"]


def test_create_change_archive_a_channel(chat: Chat) -> None:
    made = chat(
        "create_channel", name="spring-fair", kind="private", topic="Ünïcode «quotes»", member_ids=[HANA]
    )
    assert made["member_count"] == 2 and made["my_role"] == "manager"
    assert chat("get_channel", channel_id=made["id"])["topic"] == "Ünïcode «quotes»"
    chat.no("conflict", "create_channel", name="spring-fair")
    chat.no("conflict", "create_channel", name="people-private")
    chat.no("conflict", "create_channel", name="x", member_ids=[GONE])
    chat.no("not_found", "create_channel", name="x", member_ids=["mem_nobody"])
    chat.no("invalid_arguments", "create_channel", name="Has Space")
    changed = chat("update_channel", channel_id=made["id"], name="summer-fair", topic="")
    assert (changed["name"], changed["topic"]) == ("summer-fair", "")
    chat.no("invalid", "update_channel", channel_id=made["id"])
    chat.no("conflict", "update_channel", channel_id=made["id"], name="ops")
    chat.no("forbidden", "update_channel", channel_id="chn_sales", name="selling")
    assert chat("update_channel", channel_id="chn_sales", topic="Quarter end")["topic"] == "Quarter end"
    chat.no("forbidden", "update_channel", channel_id="chn_general", topic="mine")
    chat.no("forbidden", "update_channel", channel_id="chn_marketing", topic="not a member")
    chat.no("invalid", "update_channel", channel_id="chn_dm_elena", topic="x")
    waiting = chat("schedule_message", channel_id=made["id"], text="Soon", post_at=LATER)
    assert chat("archive_channel", channel_id=made["id"])["cancelled_scheduled_messages"] == 1
    chat.no("conflict", "post_message", channel_id=made["id"], text="anyone?")
    chat.no("conflict", "add_channel_members", channel_id=made["id"], member_ids=[LUIS])
    chat.no("conflict", "archive_channel", channel_id=made["id"])
    chat.no("conflict", "send_scheduled_message", scheduled_id=waiting["id"])
    assert chat("unarchive_channel", channel_id=made["id"])["status"] == "active"
    chat.no("conflict", "unarchive_channel", channel_id=made["id"])
    chat.no("forbidden", "archive_channel", channel_id="chn_sales")
    chat.no("forbidden", "archive_channel", channel_id="chn_general")


def test_join_leave_and_members(chat: Chat) -> None:
    chat.no("forbidden", "post_message", channel_id="chn_marketing", text="hello")
    joined = chat("join_channel", channel_id="chn_marketing")
    assert joined["joined"] and joined["unread_count"] == 0
    chat.no("conflict", "join_channel", channel_id="chn_marketing")
    assert chat.post("hello", "chn_marketing")["author_id"] == MARA
    chat("leave_channel", channel_id="chn_marketing")
    chat.no("forbidden", "leave_channel", channel_id="chn_marketing")
    chat.no("conflict", "leave_channel", channel_id="chn_general")
    chat.no("invalid", "leave_channel", channel_id="chn_dm_elena")
    chat.no("conflict", "leave_channel", channel_id="chn_ops")
    assert (
        chat("set_channel_manager", channel_id="chn_ops", member_id=HANA, manager=True)["role"] == "manager"
    )
    chat("leave_channel", channel_id="chn_ops")
    chat.no("conflict", "join_channel", channel_id="chn_holiday")
    added = chat("add_channel_members", channel_id="chn_offsite", member_ids=[LUIS, HANA, LUIS])
    assert (added["added"], added["already_members"]) == ([LUIS], [HANA])
    members = chat("list_channel_members", channel_id="chn_offsite")
    assert members["total"] == 6 == added["member_count"] and members["items"][0]["channel_role"] == "manager"
    chat("remove_channel_member", channel_id="chn_offsite", member_id=LUIS)
    chat.no("not_found", "remove_channel_member", channel_id="chn_offsite", member_id=LUIS)
    chat.no("invalid", "remove_channel_member", channel_id="chn_offsite", member_id=MARA)
    chat.no("forbidden", "remove_channel_member", channel_id="chn_sales", member_id="mem_priya_raman")
    chat.no("forbidden", "add_channel_members", channel_id="chn_sales", member_ids=[AOIFE])
    chat("add_channel_members", channel_id="chn_offsite", member_ids=[AOIFE])
    chat.no("conflict", "set_channel_manager", channel_id="chn_offsite", member_id=AOIFE, manager=True)
    chat.no("conflict", "set_channel_manager", channel_id="chn_offsite", member_id=MARA, manager=False)
    chat.no("not_found", "set_channel_manager", channel_id="chn_offsite", member_id=LUIS, manager=True)


def test_direct_conversations_are_found_again(chat: Chat) -> None:
    found = chat("open_direct_conversation", member_ids=["mem_elena_sorokina"])
    assert (found["id"], found["created"]) == ("chn_dm_elena", False)
    made = chat("open_direct_conversation", member_ids=[HANA])
    assert made["created"] and made["member_count"] == 2
    again = chat("open_direct_conversation", member_ids=[HANA, MARA, HANA])
    assert (again["id"], again["created"]) == (made["id"], False)
    chat.no("invalid", "open_direct_conversation", member_ids=[MARA])
    chat.no("conflict", "open_direct_conversation", member_ids=[GONE])
    chat.no("not_found", "open_direct_conversation", member_ids=["mem_x"])
    eight = [f"mem_{p.handle.replace('.', '_')}" for p in COLLEAGUES[1:9]]
    chat.no("limit", "open_direct_conversation", member_ids=eight)


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
        if m.channel_id == "chn_ops"
        and m.posted_at > chat.find("Shipment GP-778").posted_at
        and m.author_id != MARA
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
        page = chat(
            "list_messages", channel_id="chn_ops", include_replies=True, order=order, limit=5, **cursor
        )
        seen += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    rows = [m for m in chat.play.rows(Message) if m.channel_id == "chn_ops"]
    rows.sort(key=lambda m: (m.posted_at, m.id), reverse=order == "newest")
    assert seen == [m.id for m in rows]
    chat.no("invalid", "list_messages", channel_id="chn_ops", cursor="nonsense")


def test_members_and_status(chat: Chat) -> None:
    found = chat("list_members", email="Hana.Takeda@larkspur.example")["items"]
    assert [item["id"] for item in found] == [HANA]
    assert GONE not in {i["id"] for i in chat("list_members", limit=100)["items"]}
    assert GONE in {i["id"] for i in chat("list_members", include_deactivated=True, limit=100)["items"]}
    assert {i["team"] for i in chat("list_members", team="finance")["items"]} == {"finance"}
    assert {i["role"] for i in chat("list_members", role="guest")["items"]} == {"guest"}
    assert chat("list_members", presence="away", query="jonah")["total"] == 1
    assert {"group_id": "ugr_support", "handle": "support-team"} in chat("get_member", member_id=HANA)[
        "user_groups"
    ]
    chat.no("not_found", "get_member", member_id="mem_nobody")
    mine = chat("set_status", text="At the dock", emoji="truck", expires_at="2026-03-02T17:00:00Z")
    assert (mine["status_text"], mine["presence"]) == ("At the dock", "active")
    kept = chat("set_status", presence="do_not_disturb")
    assert (kept["status_text"], kept["presence"]) == ("At the dock", "do_not_disturb")
    assert chat("get_member", member_id=MARA)["status_expires_at"] == "2026-03-02T17:00:00Z"
    cleared = chat("set_status", text="", emoji="")
    assert cleared["status_text"] == "" and cleared["status_expires_at"] is None
    chat.no("invalid", "set_status")
    chat.no("invalid", "set_status", text="x", expires_at="2026-03-01T09:00:00Z")
    chat.no("invalid", "set_status", presence="away", expires_at=LATER)
    chat.no("invalid", "set_status", text="", emoji="", expires_at=LATER)


def test_user_groups(chat: Chat) -> None:
    made = chat("create_user_group", handle="night-shift", name="Night shift", member_ids=[LUIS, HANA])
    assert made["member_ids"] == [HANA, LUIS]
    assert made["id"] in {i["id"] for i in chat("list_user_groups", member_id=LUIS)["items"]}
    assert [i["id"] for i in chat("list_user_groups", query="NIGHT")["items"]] == [made["id"]]
    for handle in ("night-shift", "channel"):
        chat.no("conflict", "create_user_group", handle=handle, name="x", member_ids=[LUIS])
    chat.no("conflict", "create_user_group", handle="x", name="x", member_ids=[GONE])
    changed = chat("update_user_group_members", group_id=made["id"], add=[MARA], remove=[LUIS])
    assert changed["member_ids"] == [HANA, MARA]
    chat.no("not_found", "update_user_group_members", group_id=made["id"], remove=[LUIS])
    chat.no("conflict", "update_user_group_members", group_id=made["id"], remove=[HANA, MARA])
    chat.no("invalid", "update_user_group_members", group_id=made["id"])
    chat.no("invalid", "update_user_group_members", group_id=made["id"], add=[HANA], remove=[HANA])
    chat.no("forbidden", "update_user_group_members", group_id="ugr_finance", add=[MARA])
    chat.no("forbidden", "delete_user_group", group_id="ugr_finance")
    chat("delete_user_group", group_id=made["id"])
    chat.no("not_found", "delete_user_group", group_id=made["id"])


def test_scheduled_messages(chat: Chat) -> None:
    made = chat("schedule_message", channel_id="chn_ops", text="Later @hana.takeda", post_at=LATER)
    assert made["id"] in {i["id"] for i in chat("list_scheduled_messages")["items"]}
    assert [i["channel_id"] for i in chat("list_scheduled_messages", channel_id="chn_offsite")["items"]]
    moved = chat("update_scheduled_message", scheduled_id=made["id"], post_at="2026-03-21T10:00:00Z")
    assert (moved["text"], moved["post_at"]) == ("Later @hana.takeda", "2026-03-21T10:00:00Z")
    sent = chat("send_scheduled_message", scheduled_id=made["id"])
    assert sent["message"]["mentions"] == [HANA]
    assert sent["scheduled_message"]["message_id"] == sent["message"]["id"]
    for tool in ("send_scheduled_message", "cancel_scheduled_message"):
        chat.no("conflict", tool, scheduled_id=made["id"])
    assert chat("cancel_scheduled_message", scheduled_id="sch_0001")["status"] == "cancelled"
    chat.no("conflict", "update_scheduled_message", scheduled_id="sch_0001", text="x")
    chat.no("invalid", "update_scheduled_message", scheduled_id="sch_0002")
    chat.no("invalid", "schedule_message", channel_id="chn_ops", text="x", post_at="2026-03-02T08:00:00Z")
    chat.no("invalid", "schedule_message", channel_id="chn_ops", text="x", post_at="2027-03-02T08:00:00Z")
    chat.no("forbidden", "schedule_message", channel_id="chn_announcements", text="x", post_at=LATER)
    chat.no("not_found", "cancel_scheduled_message", scheduled_id="sch_9")
    waiting = [s for s in chat.play.rows(ScheduledMessage) if s.status == "scheduled"]
    for _ in range(30 - len(waiting)):
        chat("schedule_message", channel_id="chn_ops", text="x", post_at=LATER)
    chat.no("limit", "schedule_message", channel_id="chn_ops", text="x", post_at=LATER)


def test_reminders(chat: Chat) -> None:
    about = chat.find("signed delivery notes").id
    made = chat("create_reminder", text="Ask again", remind_at=LATER, message_id=about)
    assert (made["status"], made["message_id"]) == ("pending", about)
    due = chat("list_reminders", due=True)["items"]
    assert [item["id"] for item in due] == ["rem_0003"] and due[0]["due"]
    assert made["id"] in {i["id"] for i in chat("list_reminders", due=False)["items"]}
    done = chat("complete_reminder", reminder_id=made["id"])
    assert done["status"] == "done" and done["completed_at"]
    chat.no("conflict", "complete_reminder", reminder_id=made["id"])
    assert made["id"] in {i["id"] for i in chat("list_reminders", status="done")["items"]}
    chat("delete_reminder", reminder_id=made["id"])
    assert made["id"] not in {row.id for row in chat.play.rows(Reminder)}
    chat.no("not_found", "delete_reminder", reminder_id=made["id"])
    chat.no("invalid", "create_reminder", text="x", remind_at="2026-03-02T08:00:00Z")
    chat.no("not_found", "create_reminder", text="x", remind_at=LATER, message_id="msg_9999")


def test_refused_calls_change_nothing(chat: Chat) -> None:
    before = dump(chat)
    chat.no("not_found", "create_channel", name="half", member_ids=[HANA, "mem_x"])
    chat.no(
        "not_found", "add_channel_members", channel_id="chn_ops", member_ids=["mem_sofia_almeida", "mem_x"]
    )
    chat.no("invalid_arguments", "set_status", presence="asleep")
    assert dump(chat) == before
    assert {row.status for row in chat.play.rows(Channel)} == {"active", "archived"}
