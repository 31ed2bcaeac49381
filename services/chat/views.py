"""How channels and messages look in results, and the parsing of mentions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, func, select
from sqlmodel import col

from engine.kit import Context
from services.chat.state import (
    Channel,
    ChannelMember,
    GroupMember,
    Member,
    Mention,
    Message,
    Pin,
    Reaction,
    UserGroup,
)

MENTION = re.compile(r"(?<![\w@./+-])@([a-z0-9]+(?:[._-][a-z0-9]+)*)", re.IGNORECASE)
"""``@handle`` in a text, but not the inside of an address."""


def message_views(ctx: Context, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages for a result, with author, replies, reactions, mentions and pin."""
    ids = [item.id for item in messages]
    if not ids:
        return []
    authors = dict(
        (row[0], row[1])
        for row in ctx.rows(
            select(col(Member.id), col(Member.name)).where(col(Member.id).in_({item.author_id for item in messages}))
        )
    )
    replies = {
        row[0]: (row[1], row[2])
        for row in ctx.rows(
            select(col(Message.thread_id), func.count(), func.max(col(Message.posted_at)))
            .where(col(Message.thread_id).in_(ids))
            .group_by(col(Message.thread_id))
        )
    }
    reactions: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    order = [col(Reaction.reacted_at), col(Reaction.emoji), col(Reaction.member_id)]
    for reaction in ctx.list(Reaction, col(Reaction.message_id).in_(ids), order_by=order):
        reactions[reaction.message_id][reaction.emoji].append(reaction.member_id)
    mentions: dict[str, list[str]] = defaultdict(list)
    for mention in ctx.list(Mention, col(Mention.message_id).in_(ids)):
        mentions[mention.message_id].append(mention.member_id)
    pinned = {pin.message_id for pin in ctx.list(Pin, col(Pin.message_id).in_(ids))}
    return [
        {
            "id": item.id,
            "channel_id": item.channel_id,
            "thread_id": item.thread_id,
            "author_id": item.author_id,
            "author_name": authors[item.author_id],
            "text": item.text,
            "posted_at": item.posted_at,
            "edited_at": item.edited_at,
            "deleted": item.deleted,
            "reply_count": replies.get(item.id, (0, None))[0],
            "last_reply_at": replies.get(item.id, (0, None))[1],
            "reactions": [
                {"emoji": emoji, "count": len(who), "member_ids": who} for emoji, who in reactions[item.id].items()
            ],
            "mentions": mentions[item.id],
            "pinned": item.id in pinned,
        }
        for item in messages
    ]


def message_view(ctx: Context, message: Message) -> dict[str, Any]:
    """One message for a result."""
    return message_views(ctx, [message])[0]


def unread_counts(ctx: Context, member: Member) -> dict[str, tuple[int, int, datetime]]:
    """By channel: unread messages of others, how many mention the member, the time of the oldest."""
    statement = (
        select(
            col(Message.channel_id),
            func.count(),
            func.count(col(Mention.member_id)),
            func.min(col(Message.posted_at)),
        )
        .join(
            ChannelMember,
            and_(
                col(ChannelMember.channel_id) == col(Message.channel_id),
                col(ChannelMember.member_id) == member.id,
            ),
        )
        .outerjoin(Mention, and_(col(Mention.message_id) == col(Message.id), col(Mention.member_id) == member.id))
        .where(
            col(Message.posted_at) > col(ChannelMember.last_read_at),
            col(Message.author_id) != member.id,
            col(Message.deleted).is_(False),
        )
        .group_by(col(Message.channel_id))
        .order_by(col(Message.channel_id))
    )
    return {row[0]: (row[1], row[2], row[3]) for row in ctx.rows(statement)}


def channel_views(ctx: Context, member: Member, channels: Sequence[Channel]) -> list[dict[str, Any]]:
    """Channels for a result, with who is in them and what is unread."""
    ids = [item.id for item in channels]
    sizes: dict[str, int] = {
        row[0]: row[1]
        for row in ctx.rows(
            select(col(ChannelMember.channel_id), func.count())
            .where(col(ChannelMember.channel_id).in_(ids))
            .group_by(col(ChannelMember.channel_id))
        )
    }
    own = ctx.list(ChannelMember, col(ChannelMember.member_id) == member.id, col(ChannelMember.channel_id).in_(ids))
    places = {item.channel_id: item for item in own}
    people: dict[str, list[dict[str, str]]] = defaultdict(list)
    directs = [item.id for item in channels if item.kind == "direct"]
    if directs:
        for channel_id, member_id, name in ctx.rows(
            select(col(ChannelMember.channel_id), col(Member.id), col(Member.name))
            .join(Member, col(Member.id) == col(ChannelMember.member_id))
            .where(col(ChannelMember.channel_id).in_(directs))
            .order_by(col(ChannelMember.channel_id), col(Member.id))
        ):
            people[channel_id].append({"member_id": member_id, "name": name})
    unread = unread_counts(ctx, member)
    out = []
    for item in channels:
        place = places.get(item.id)
        view = item.out(without=("direct_key",)) | {
            "member_count": sizes.get(item.id, 0),
            "joined": place is not None,
            "my_role": place.role if place else None,
            "unread_count": unread[item.id][0] if item.id in unread else 0,
            "mention_count": unread[item.id][1] if item.id in unread else 0,
        }
        if item.kind == "direct":
            view["participants"] = people[item.id]
        out.append(view)
    return out


def channel_view(ctx: Context, member: Member, channel: Channel) -> dict[str, Any]:
    """One channel for a result."""
    return channel_views(ctx, member, [channel])[0]


def record_mentions(ctx: Context, message: Message, channel: Channel) -> list[str]:
    """Store whom the message's text calls; the handles of members called who cannot see the channel."""
    for old in ctx.list(Mention, col(Mention.message_id) == message.id):
        ctx.delete(old)
    handles = {match.lower() for match in MENTION.findall(message.text)}
    if not handles:
        return []
    inside = {place.member_id: place for place in ctx.list(ChannelMember, col(ChannelMember.channel_id) == channel.id)}
    named = ctx.list(Member, col(Member.handle).in_(handles))
    grouped = [
        row[0]
        for row in ctx.rows(
            select(Member)
            .join(GroupMember, col(GroupMember.member_id) == col(Member.id))
            .join(UserGroup, col(UserGroup.id) == col(GroupMember.group_id))
            .where(col(UserGroup.handle).in_(handles))
            .order_by(col(Member.id))
        )
    ]
    everyone = ctx.list(Member, col(Member.id).in_(inside)) if "channel" in handles else []
    called: dict[str, str] = {}
    unreached: set[str] = set()
    for via, members in (("name", named), ("group", grouped), ("channel", everyone)):
        for member in members:
            sees = member.id in inside or (channel.kind == "public" and member.role != "guest")
            if member.account != "active" or not sees:
                unreached.add(member.handle)
            elif via == "name" or member.id != message.author_id:
                called.setdefault(member.id, via)
    for member_id, via in sorted(called.items()):
        ctx.add(Mention(message_id=message.id, member_id=member_id, via=via))
    return sorted(unreached)
