"""Tools for channels as such: find, make, change, archive."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.chat.access import (
    active_members,
    channel_seen,
    is_admin,
    label,
    me,
    place_of,
    require_active,
    require_manager,
    require_one_line,
    visible,
)
from services.chat.membership import enter, require_not_direct
from services.chat.state import Channel, ChannelMember, ScheduledMessage
from services.chat.views import channel_view, channel_views

MAX_DIRECT = 8
"""People in a direct conversation, the one who opens it included."""


@tool
def list_channels(
    ctx: Context,
    kind: str | None = None,
    status: str = "active",
    joined_only: bool = False,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Channels that the user can see."""
    user = me(ctx)
    where = [visible(user)]
    if kind is not None:
        where.append(col(Channel.kind) == kind)
    if status != "any":
        where.append(col(Channel.status) == status)
    if joined_only:
        mine = select(col(ChannelMember.channel_id)).where(col(ChannelMember.member_id) == user.id)
        where.append(col(Channel.id).in_(mine))
    if query is not None:
        where.append(
            or_(*(contains(column, query) for column in (col(Channel.name), col(Channel.topic), col(Channel.purpose))))
        )
    page = ctx.page(Channel, *where, order_by=[col(Channel.created_at)], limit=limit, cursor=cursor)
    return {
        "items": channel_views(ctx, user, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Channel, *where),
    }


@tool
def get_channel(ctx: Context, channel_id: str) -> Any:
    """One channel."""
    user = me(ctx)
    return channel_view(ctx, user, channel_seen(ctx, user, channel_id))


def _require_free_name(ctx: Context, name: str) -> None:
    require_one_line(ctx, "name", name)
    # Private channels count too: a name is one channel's, whoever sees it.
    if ctx.exists(Channel, col(Channel.name) == name):
        ctx.fail("conflict", f"The channel name {name!r} is taken; choose another.")


@tool
def create_channel(
    ctx: Context,
    name: str,
    kind: str = "public",
    topic: str = "",
    purpose: str = "",
    member_ids: list[str] | None = None,
) -> Any:
    """A new channel, which the user manages."""
    user = me(ctx)
    if user.role == "guest":
        ctx.fail("forbidden", "Guests may not create channels; ask a member to do it.")
    _require_free_name(ctx, name)
    others = [item for item in active_members(ctx, member_ids or []) if item.id != user.id]
    channel = ctx.add(
        Channel(
            id=ctx.new_id("chn"),
            name=name,
            kind=kind,
            topic=topic,
            purpose=purpose,
            created_by=user.id,
            created_at=ctx.now(),
        )
    )
    enter(ctx, channel, user, "manager")
    for other in others:
        enter(ctx, channel, other)
    return channel_view(ctx, user, channel)


@tool
def open_direct_conversation(ctx: Context, member_ids: list[str]) -> Any:
    """The direct conversation with these people, made if there is none yet."""
    user = me(ctx)
    others = [item for item in active_members(ctx, member_ids) if item.id != user.id]
    if not others:
        ctx.fail("invalid", "Name at least one other member for a direct conversation.")
    if len(others) >= MAX_DIRECT:
        ctx.fail(
            "limit",
            f"A direct conversation has at most {MAX_DIRECT} people; create a private channel instead.",
        )
    people = [user, *others]
    key = ",".join(sorted(item.id for item in people))
    channel = ctx.first(Channel, col(Channel.direct_key) == key)
    created = channel is None
    if channel is None:
        channel = ctx.add(
            Channel(
                id=ctx.new_id("chn"),
                kind="direct",
                direct_key=key,
                created_by=user.id,
                created_at=ctx.now(),
            )
        )
        for person in people:
            enter(ctx, channel, person)
    return channel_view(ctx, user, channel) | {"created": created}


@tool
def update_channel(
    ctx: Context,
    channel_id: str,
    name: str | None = None,
    topic: str | None = None,
    purpose: str | None = None,
) -> Any:
    """Change a channel's name, topic or purpose."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_not_direct(ctx, channel)
    require_active(ctx, channel)
    place_of(ctx, user, channel)
    if name is None and topic is None and purpose is None:
        ctx.fail("invalid", "Give at least one of name, topic and purpose.")
    if name is not None and name != channel.name:
        require_manager(ctx, user, channel)
        _require_free_name(ctx, name)
        channel.name = name
    if channel.mandatory and not is_admin(user):
        ctx.fail("forbidden", f"Only workspace admins may change {label(channel)}.")
    if topic is not None:
        channel.topic = topic
    if purpose is not None:
        channel.purpose = purpose
    ctx.flush()
    return channel_view(ctx, user, channel)


@tool
def archive_channel(ctx: Context, channel_id: str) -> Any:
    """Make a channel read-only."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_not_direct(ctx, channel)
    require_manager(ctx, user, channel)
    require_active(ctx, channel)
    if channel.mandatory:
        ctx.fail("conflict", f"{label(channel)} is for everybody and cannot be archived.")
    waiting = ctx.list(
        ScheduledMessage,
        col(ScheduledMessage.channel_id) == channel.id,
        col(ScheduledMessage.status) == "scheduled",
    )
    for item in waiting:
        item.status = "cancelled"
    channel.status = "archived"
    ctx.flush()
    return channel_view(ctx, user, channel) | {"cancelled_scheduled_messages": len(waiting)}


@tool
def unarchive_channel(ctx: Context, channel_id: str) -> Any:
    """Make an archived channel active again."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_manager(ctx, user, channel)
    if channel.status == "active":
        ctx.fail("conflict", f"{label(channel)} is not archived.")
    channel.status = "active"
    ctx.flush()
    return channel_view(ctx, user, channel)
