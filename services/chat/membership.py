"""Tools for who is in a channel."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.chat.access import (
    active_members,
    channel_seen,
    label,
    me,
    place_of,
    require_active,
    require_manager,
)
from services.chat.state import Channel, ChannelMember, Member
from services.chat.views import channel_view

MAX_MEMBERS = 200
"""Members that a channel may have."""


def enter(ctx: Context, channel: Channel, member: Member, role: str = "member") -> None:
    """Put a member into a channel."""
    # What was said before somebody came counts as read.
    now = ctx.now()
    ctx.add(ChannelMember(channel_id=channel.id, member_id=member.id, role=role, joined_at=now, last_read_at=now))


def require_not_direct(ctx: Context, channel: Channel) -> None:
    """Refuse a direct conversation, whose people never change."""
    if channel.kind == "direct":
        ctx.fail("invalid", f"{channel.id} is a direct conversation; this works for public and private channels.")


@tool
def join_channel(ctx: Context, channel_id: str) -> Any:
    """Enter a public channel."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_active(ctx, channel)
    if ctx.get(ChannelMember, channel.id, user.id):
        ctx.fail("conflict", f"You are already a member of {label(channel)}.")
    _require_room(ctx, channel, 1)
    enter(ctx, channel, user)
    return channel_view(ctx, user, channel)


def _require_room(ctx: Context, channel: Channel, more: int) -> None:
    if ctx.count(ChannelMember, col(ChannelMember.channel_id) == channel.id) + more > MAX_MEMBERS:
        ctx.fail("limit", f"{label(channel)} would have more than {MAX_MEMBERS} members.")


@tool
def leave_channel(ctx: Context, channel_id: str) -> Any:
    """Leave a channel."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_not_direct(ctx, channel)
    place = place_of(ctx, user, channel)
    if channel.mandatory:
        ctx.fail("conflict", f"{label(channel)} is for everybody and cannot be left.")
    _require_other_manager(ctx, channel, place)
    ctx.delete(place)
    return {"channel_id": channel.id, "left": True}


def _require_other_manager(ctx: Context, channel: Channel, leaving: ChannelMember) -> None:
    if leaving.role != "manager":
        return
    left = ctx.list(
        ChannelMember,
        col(ChannelMember.channel_id) == channel.id,
        col(ChannelMember.member_id) != leaving.member_id,
    )
    if left and not any(item.role == "manager" for item in left):
        ctx.fail(
            "conflict",
            f"{label(channel)} would be without a manager; set_channel_manager names another.",
        )


@tool
def list_channel_members(ctx: Context, channel_id: str, limit: int = 50, cursor: str | None = None) -> Any:
    """Who is in a channel."""
    channel = channel_seen(ctx, me(ctx), channel_id)
    where = col(ChannelMember.channel_id) == channel.id
    page = ctx.page(ChannelMember, where, order_by=[col(ChannelMember.joined_at)], limit=limit, cursor=cursor)
    people = {item.id: item for item in ctx.list(Member, col(Member.id).in_([place.member_id for place in page.items]))}
    items = [
        people[place.member_id].out("id", "handle", "name", "email", "title", "role", "presence")
        | {"channel_role": place.role, "joined_at": place.joined_at}
        for place in page.items
    ]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(ChannelMember, where)}


@tool
def add_channel_members(ctx: Context, channel_id: str, member_ids: list[str]) -> Any:
    """Bring members into a channel."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_not_direct(ctx, channel)
    require_active(ctx, channel)
    place_of(ctx, user, channel)
    people = active_members(ctx, member_ids)
    inside = {place.member_id for place in ctx.list(ChannelMember, col(ChannelMember.channel_id) == channel.id)}
    new = [item for item in people if item.id not in inside]
    if any(item.role == "guest" for item in new):
        require_manager(ctx, user, channel)
    _require_room(ctx, channel, len(new))
    for item in new:
        enter(ctx, channel, item)
    return {
        "channel_id": channel.id,
        "added": [item.id for item in new],
        "already_members": [item.id for item in people if item.id in inside],
        "member_count": len(inside) + len(new),
    }


@tool
def remove_channel_member(ctx: Context, channel_id: str, member_id: str) -> Any:
    """Take a member out of a channel."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_not_direct(ctx, channel)
    require_active(ctx, channel)
    require_manager(ctx, user, channel)
    if member_id == user.id:
        ctx.fail("invalid", "To take yourself out of a channel, use leave_channel.")
    place = ctx.get(ChannelMember, channel.id, member_id)
    if place is None:
        ctx.fail("not_found", f"{member_id} is not a member of {label(channel)}.")
    if channel.mandatory:
        ctx.fail("conflict", f"{label(channel)} is for everybody; nobody can be removed.")
    ctx.delete(place)
    return {"channel_id": channel.id, "removed": member_id}


@tool
def set_channel_manager(ctx: Context, channel_id: str, member_id: str, manager: bool) -> Any:
    """Make a member of a channel its manager, or no longer."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    require_not_direct(ctx, channel)
    require_active(ctx, channel)
    require_manager(ctx, user, channel)
    place = ctx.get(ChannelMember, channel.id, member_id)
    if place is None:
        ctx.fail("not_found", f"{member_id} is not a member of {label(channel)}.")
    if manager:
        person = ctx.require(Member, member_id)
        if person.role == "guest":
            ctx.fail("conflict", f"{person.name} is a guest, and guests cannot manage channels.")
    else:
        _require_other_manager(ctx, channel, place)
    place.role = "manager" if manager else "member"
    ctx.flush()
    return place.out("channel_id", "member_id", "role")
