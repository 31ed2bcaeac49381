"""Tools for reactions, pins and search."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.chat.access import channel_seen, label, live_message, me, require_one_line, visible
from services.chat.state import Channel, Mention, Message, Pin, Reaction
from services.chat.views import message_view, message_views

MAX_PINS = 10
"""Messages that may be pinned in one channel."""

MAX_REACTIONS = 20
"""Different emoji that one message takes."""


@tool
def add_reaction(ctx: Context, message_id: str, emoji: str) -> Any:
    """Put the user's emoji on a message."""
    user = me(ctx)
    require_one_line(ctx, "emoji", emoji)
    message, _ = live_message(ctx, user, message_id)
    if ctx.get(Reaction, message.id, emoji, user.id):
        ctx.fail("conflict", f"You have put :{emoji}: on message {message_id} already.")
    used = {row[0] for row in ctx.rows(select(col(Reaction.emoji)).where(col(Reaction.message_id) == message.id))}
    if emoji not in used and len(used) >= MAX_REACTIONS:
        ctx.fail("limit", f"A message takes at most {MAX_REACTIONS} different emoji; use one that is there.")
    ctx.add(Reaction(message_id=message.id, emoji=emoji, member_id=user.id, reacted_at=ctx.now()))
    return message_view(ctx, message)


@tool
def remove_reaction(ctx: Context, message_id: str, emoji: str) -> Any:
    """Take the user's own emoji off a message."""
    user = me(ctx)
    message, _ = live_message(ctx, user, message_id)
    reaction = ctx.get(Reaction, message.id, emoji, user.id)
    if reaction is None:
        ctx.fail("not_found", f"You have not put :{emoji}: on message {message_id}.")
    ctx.delete(reaction)
    return message_view(ctx, message)


@tool
def pin_message(ctx: Context, message_id: str) -> Any:
    """Pin a message to its channel."""
    user = me(ctx)
    message, channel = live_message(ctx, user, message_id)
    if ctx.get(Pin, message.id):
        ctx.fail("conflict", f"Message {message_id} is pinned already.")
    if ctx.count(Pin, col(Pin.channel_id) == channel.id) >= MAX_PINS:
        ctx.fail("limit", f"{label(channel)} has {MAX_PINS} pins, the most it can have; unpin one first.")
    ctx.add(Pin(message_id=message.id, channel_id=channel.id, pinned_by=user.id, pinned_at=ctx.now()))
    return message_view(ctx, message)


@tool
def unpin_message(ctx: Context, message_id: str) -> Any:
    """Take a message's pin away."""
    user = me(ctx)
    message, _ = live_message(ctx, user, message_id)
    pin = ctx.get(Pin, message.id)
    if pin is None:
        ctx.fail("conflict", f"Message {message_id} is not pinned.")
    ctx.delete(pin)
    return message_view(ctx, message)


@tool
def list_pins(ctx: Context, channel_id: str) -> Any:
    """The pinned messages of a channel, the latest pin first."""
    channel = channel_seen(ctx, me(ctx), channel_id)
    pinned_at = col(Pin.pinned_at)
    pins = ctx.list(Pin, col(Pin.channel_id) == channel.id, order_by=[pinned_at.desc()])
    messages = ctx.list(Message, col(Message.id).in_([item.message_id for item in pins]))
    views = {item["id"]: item for item in message_views(ctx, messages)}
    return {
        "items": [
            {"pinned_by": pin.pinned_by, "pinned_at": pin.pinned_at, "message": views[pin.message_id]} for pin in pins
        ]
    }


@tool
def search_messages(
    ctx: Context,
    query: str | None = None,
    channel_id: str | None = None,
    author_id: str | None = None,
    after: Moment | None = None,
    before: Moment | None = None,
    mentions_me: bool = False,
    has_reaction: str | None = None,
    pinned: bool | None = None,
    in_thread_of: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Messages that meet every filter, newest first."""
    user = me(ctx)
    if after is not None and before is not None and after >= before:
        ctx.fail("invalid", "after must be earlier than before.")
    sees = select(col(Channel.id)).where(visible(user))
    where: list[Any] = [col(Message.channel_id).in_(sees), col(Message.deleted).is_(False)]
    if query is not None:
        # Every word must occur, in any order: what people expect of a search box.
        where += [contains(col(Message.text), word) for word in query.split()]
    if channel_id is not None:
        where.append(col(Message.channel_id) == channel_seen(ctx, user, channel_id).id)
    if author_id is not None:
        where.append(col(Message.author_id) == author_id)
    if after is not None:
        where.append(col(Message.posted_at) >= after)
    if before is not None:
        where.append(col(Message.posted_at) < before)
    if in_thread_of is not None:
        where.append((col(Message.thread_id) == in_thread_of) | (col(Message.id) == in_thread_of))
    where += _marked(user.id, mentions_me, has_reaction, pinned)
    posted_at = col(Message.posted_at)
    page = ctx.page(Message, *where, order_by=[posted_at.desc()], limit=limit, cursor=cursor)
    return {
        "items": message_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Message, *where),
    }


def _marked(user_id: str, mentions_me: bool, has_reaction: str | None, pinned: bool | None) -> list[Any]:
    key = col(Message.id)
    where = []
    if mentions_me:
        where.append(key.in_(select(col(Mention.message_id)).where(col(Mention.member_id) == user_id)))
    if has_reaction is not None:
        where.append(key.in_(select(col(Reaction.message_id)).where(col(Reaction.emoji) == has_reaction)))
    if pinned is not None:
        pins = select(col(Pin.message_id))
        where.append(key.in_(pins) if pinned else key.not_in(pins))
    return where


@tool
def list_reactions(ctx: Context, emoji: str | None = None, limit: int = 20, cursor: str | None = None) -> Any:
    """Reactions that others put on the user's messages, latest first."""
    user = me(ctx)
    mine = select(col(Message.id)).where(col(Message.author_id) == user.id)
    where: list[Any] = [col(Reaction.message_id).in_(mine), col(Reaction.member_id) != user.id]
    if emoji is not None:
        where.append(col(Reaction.emoji) == emoji)
    reacted_at = col(Reaction.reacted_at)
    return ctx.page(Reaction, *where, order_by=[reacted_at.desc()], limit=limit, cursor=cursor).out()
