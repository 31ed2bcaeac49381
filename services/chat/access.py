"""Who the acting member is, and what they may see and do."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import col

from engine.kit import Context
from services.chat.state import Channel, ChannelMember, Member, Message


def me(ctx: Context) -> Member:
    """The member whose assistant is calling."""
    found = ctx.first(Member, col(Member.email) == ctx.user.email)
    if found is None or found.account != "active":
        ctx.fail("forbidden", f"{ctx.user.name} has no active account in this workspace.")
    return found


def is_admin(member: Member) -> bool:
    """Whether the member administers the workspace."""
    return member.role in ("owner", "admin")


def joined(ctx: Context, member: Member) -> dict[str, ChannelMember]:
    """The member's places, by channel."""
    places = ctx.list(ChannelMember, col(ChannelMember.member_id) == member.id)
    return {place.channel_id: place for place in places}


def visible(member: Member) -> ColumnElement[bool]:
    """The condition on ``Channel`` for what a member sees: public ones (not for guests) and their own."""
    own = col(Channel.id).in_(select(col(ChannelMember.channel_id)).where(col(ChannelMember.member_id) == member.id))
    return own if member.role == "guest" else or_(col(Channel.kind) == "public", own)


def channel_seen(ctx: Context, member: Member, channel_id: str) -> Channel:
    """The channel, if the member can see it; others do not exist for them."""
    found = ctx.first(Channel, col(Channel.id) == channel_id, visible(member))
    if found is None:
        ctx.fail("not_found", f"There is no channel {channel_id!r} that you can see; list_channels shows yours.")
    return found


def label(channel: Channel) -> str:
    """How people call the channel."""
    return f"#{channel.name}" if channel.name else f"the direct conversation {channel.id}"


def require_active(ctx: Context, channel: Channel) -> None:
    """Refuse changes in an archived channel."""
    if channel.status == "archived":
        ctx.fail("conflict", f"{label(channel)} is archived and read-only; unarchive it first.")


def place_of(ctx: Context, member: Member, channel: Channel) -> ChannelMember:
    """The acting member's place in the channel; refused when they are not in it."""
    place = ctx.get(ChannelMember, channel.id, member.id)
    if place is None:
        ctx.fail("forbidden", f"You are not a member of {label(channel)}; join it with join_channel first.")
    return place


def require_manager(ctx: Context, member: Member, channel: Channel) -> None:
    """Refuse who neither manages the channel nor administers the workspace."""
    place = ctx.get(ChannelMember, channel.id, member.id)
    if not is_admin(member) and (place is None or place.role != "manager"):
        ctx.fail("forbidden", f"Only a manager of {label(channel)} or a workspace admin may do this.")


def require_posting(ctx: Context, member: Member, channel: Channel, in_thread: bool) -> None:
    """Refuse a post that the channel does not take from this member."""
    require_active(ctx, channel)
    place_of(ctx, member, channel)
    if channel.posting == "admins" and not in_thread and not is_admin(member):
        ctx.fail(
            "forbidden",
            f"Only workspace admins start messages in {label(channel)}; you may reply in a thread there.",
        )


def message_seen(ctx: Context, member: Member, message_id: str) -> tuple[Message, Channel]:
    """The message and its channel, if the member can see it."""
    message = ctx.get(Message, message_id)
    channel = None
    if message is not None:
        channel = ctx.first(Channel, col(Channel.id) == message.channel_id, visible(member))
    if message is None or channel is None:
        ctx.fail("not_found", f"There is no message {message_id!r} that you can see.")
    return message, channel


def live_message(ctx: Context, member: Member, message_id: str) -> tuple[Message, Channel]:
    """A visible message that is not deleted, in a channel that takes changes from this member."""
    message, channel = message_seen(ctx, member, message_id)
    if message.deleted:
        ctx.fail("conflict", f"Message {message_id} is deleted.")
    require_active(ctx, channel)
    place_of(ctx, member, channel)
    return message, channel


def thread_root(ctx: Context, channel: Channel, message_id: str) -> Message:
    """The first message of the thread that ``message_id`` starts or belongs to."""
    message = ctx.get(Message, message_id)
    if message is None or message.channel_id != channel.id:
        ctx.fail("not_found", f"There is no message {message_id!r} in {label(channel)} to reply to.")
    root = message if message.thread_id is None else ctx.require(Message, message.thread_id)
    if root.deleted and message.id == root.id:
        ctx.fail("conflict", f"Message {root.id} is deleted; its thread takes no new replies.")
    return root


def active_members(ctx: Context, member_ids: Sequence[str]) -> list[Member]:
    """The members with these ids, each once; refused if one is unknown or deactivated."""
    wanted = list(dict.fromkeys(member_ids))
    found = {item.id: item for item in ctx.list(Member, col(Member.id).in_(wanted))}
    for member_id in wanted:
        if member_id not in found:
            ctx.fail("not_found", f"There is no member {member_id!r}; list_members shows who there is.")
        if found[member_id].account != "active":
            ctx.fail("conflict", f"The account of {found[member_id].name} ({member_id}) is deactivated.")
    return [found[member_id] for member_id in wanted]


def require_one_line(ctx: Context, argument: str, value: str) -> None:
    """Refuse a line break in a name: the ``$`` of a JSON Schema pattern lets one at the end pass."""
    if "\n" in value:
        ctx.fail("invalid", f"{argument}: {value!r} contains a line break.")
