"""Channels, people and plans of the team chat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kit import COLLEAGUES
from services.chat.state import (
    Reminder,
    ScheduledMessage,
)
from tests.services.chat_play import AOIFE, GONE, HANA, LATER, LUIS, MARA, Chat
from tests.services.play import Play


@pytest.fixture
def chat(play: Callable[..., Play]) -> Chat:
    return Chat(play("chat"))


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
    made = chat("create_channel", name="spring-fair", kind="private", topic="Ünïcode «quotes»", member_ids=[HANA])
    assert made["member_count"] == 2 and made["my_role"] == "manager"
    assert chat("get_channel", channel_id=made["id"])["topic"] == "Ünïcode «quotes»"
    chat.no("conflict", "create_channel", name="spring-fair")
    chat.no("conflict", "create_channel", name="people-private")
    chat.no("conflict", "create_channel", name="x", member_ids=[GONE])
    chat.no("not_found", "create_channel", name="x", member_ids=["mem_nobody"])
    chat.no("invalid_arguments", "create_channel", name="Has Space")
    chat.no("invalid_arguments", "create_channel", name="ops\n")
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
    assert chat("set_channel_manager", channel_id="chn_ops", member_id=HANA, manager=True)["role"] == "manager"
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


def test_members_and_status(chat: Chat) -> None:
    found = chat("list_members", email="Hana.Takeda@larkspur.example")["items"]
    assert [item["id"] for item in found] == [HANA]
    assert GONE not in {i["id"] for i in chat("list_members", limit=100)["items"]}
    assert GONE in {i["id"] for i in chat("list_members", include_deactivated=True, limit=100)["items"]}
    assert {i["team"] for i in chat("list_members", team="finance")["items"]} == {"finance"}
    assert {i["role"] for i in chat("list_members", role="guest")["items"]} == {"guest"}
    assert chat("list_members", presence="away", query="jonah")["total"] == 1
    assert {"group_id": "ugr_support", "handle": "support-team"} in chat("get_member", member_id=HANA)["user_groups"]
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
