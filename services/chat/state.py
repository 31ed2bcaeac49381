"""What the team chat remembers."""

from __future__ import annotations

from datetime import datetime

from engine.kit import Entity, field, key, ref


class ChatEntity(Entity):
    """Base of the chat's entities."""

    __service__ = "chat"


class Member(ChatEntity, table=True):
    """Somebody with an account in the workspace."""

    id: str = key("mem")
    handle: str = field("code", unique=True, max_length=80, description="name for @mentions")
    name: str = field("person", max_length=120)
    email: str = field("email", unique=True, max_length=200)
    title: str = field("title", default="", max_length=120)
    team: str = field("category", default="", max_length=60)
    role: str = field("category", choices=("owner", "admin", "member", "guest"), default="member")
    account: str = field("status", choices=("active", "deactivated"), default="active")
    presence: str = field("status", choices=("active", "away", "do_not_disturb"), default="active")
    status_text: str = field("text", default="", max_length=100)
    status_emoji: str = field("code", default="", max_length=60, pattern=r"^[a-z0-9_+-]*$")
    status_expires_at: datetime | None = field("datetime", default=None)


class UserGroup(ChatEntity, table=True):
    """A named set of members that can be mentioned at once."""

    id: str = key("ugr")
    handle: str = field("code", unique=True, max_length=60, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    name: str = field("name", max_length=120)
    description: str = field("text", default="", max_length=500)
    created_by: str = ref("chat_member.id")
    created_at: datetime = field("datetime")


class GroupMember(ChatEntity, table=True):
    """A member's place in a user group."""

    group_id: str = ref("chat_user_group.id", key=True, on_delete="cascade")
    member_id: str = ref("chat_member.id", key=True, on_delete="cascade")


class Channel(ChatEntity, table=True):
    """A public or private channel, or a direct conversation (which has no name)."""

    id: str = key("chn")
    name: str | None = field("name", default=None, unique=True, max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$")
    kind: str = field("category", choices=("public", "private", "direct"))
    topic: str = field("text", default="", max_length=250)
    purpose: str = field("text", default="", max_length=250)
    status: str = field("status", choices=("active", "archived"), default="active")
    posting: str = field("category", choices=("everyone", "admins"), default="everyone")
    mandatory: bool = field("flag", default=False, description="everybody is in it and it stays")
    direct_key: str | None = field("code", default=None, unique=True, max_length=2000)
    created_by: str = ref("chat_member.id")
    created_at: datetime = field("datetime")


class ChannelMember(ChatEntity, table=True):
    """A member's place in a channel and how far they have read."""

    channel_id: str = ref("chat_channel.id", key=True, on_delete="cascade")
    member_id: str = ref("chat_member.id", key=True, on_delete="cascade")
    role: str = field("category", choices=("manager", "member"), default="member")
    joined_at: datetime = field("datetime")
    last_read_at: datetime = field("datetime", description="messages up to then are read")


class Message(ChatEntity, table=True):
    """A message; ``thread_id`` names the first message of the thread that it replies in."""

    id: str = key("msg")
    channel_id: str = ref("chat_channel.id", on_delete="cascade")
    author_id: str = ref("chat_member.id")
    thread_id: str | None = ref("chat_message.id", default=None)
    text: str = field("text", max_length=4000)
    posted_at: datetime = field("datetime", index=True)
    edited_at: datetime | None = field("datetime", default=None)
    deleted: bool = field("flag", default=False, description="an emptied message kept for its replies")


class Mention(ChatEntity, table=True):
    """That a message calls a member, by name, through a user group or through @channel."""

    message_id: str = ref("chat_message.id", key=True, on_delete="cascade")
    member_id: str = ref("chat_member.id", key=True, on_delete="cascade")
    via: str = field("category", choices=("name", "group", "channel"))


class Reaction(ChatEntity, table=True):
    """A member's emoji on a message."""

    message_id: str = ref("chat_message.id", key=True, on_delete="cascade")
    emoji: str = field("code", key=True, max_length=60, pattern=r"^[a-z0-9_+-]+$")
    member_id: str = ref("chat_member.id", key=True, on_delete="cascade")
    reacted_at: datetime = field("datetime")


class Pin(ChatEntity, table=True):
    """A message pinned to its channel."""

    message_id: str = ref("chat_message.id", key=True, on_delete="cascade")
    channel_id: str = ref("chat_channel.id", on_delete="cascade")
    pinned_by: str = ref("chat_member.id")
    pinned_at: datetime = field("datetime")


class ScheduledMessage(ChatEntity, table=True):
    """A message that waits for its time."""

    id: str = key("sch")
    channel_id: str = ref("chat_channel.id", on_delete="cascade")
    author_id: str = ref("chat_member.id")
    thread_id: str | None = ref("chat_message.id", default=None, on_delete="set null")
    text: str = field("text", max_length=4000)
    post_at: datetime = field("datetime")
    status: str = field("status", choices=("scheduled", "sent", "cancelled"), default="scheduled")
    message_id: str | None = ref("chat_message.id", default=None, on_delete="set null")
    created_at: datetime = field("datetime")


class Reminder(ChatEntity, table=True):
    """A member's note to themselves, perhaps about a message."""

    id: str = key("rem")
    member_id: str = ref("chat_member.id", on_delete="cascade")
    text: str = field("text", max_length=500)
    remind_at: datetime = field("datetime")
    message_id: str | None = ref("chat_message.id", default=None, on_delete="set null")
    status: str = field("status", choices=("pending", "done"), default="pending")
    created_at: datetime = field("datetime")
    completed_at: datetime | None = field("datetime", default=None)
