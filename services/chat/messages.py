"""Tools for messages: write, read, change, mark read."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.chat.access import (
    channel_seen,
    is_admin,
    label,
    live_message,
    me,
    message_seen,
    place_of,
    require_active,
    require_posting,
    thread_root,
)
from services.chat.state import Channel, Member, Mention, Message, Pin, Reaction, ScheduledMessage
from services.chat.views import message_view, message_views, record_mentions, unread_counts


def post(ctx: Context, author: Member, channel: Channel, text: str, thread_id: str | None) -> dict[str, Any]:
    """Write a message for a member who may, and who thereby has read the channel so far."""
    root = thread_root(ctx, channel, thread_id) if thread_id is not None else None
    require_posting(ctx, author, channel, in_thread=root is not None)
    if not text.strip():
        ctx.fail("invalid", "text: a message needs at least one visible character.")
    message = ctx.add(
        Message(
            id=ctx.new_id("msg"),
            channel_id=channel.id,
            author_id=author.id,
            thread_id=root.id if root else None,
            text=text,
            posted_at=ctx.now(),
        )
    )
    unreached = record_mentions(ctx, message, channel)
    return message_view(ctx, message) | {"mentioned_without_access": unreached}


@tool
def post_message(ctx: Context, channel_id: str, text: str, thread_id: str | None = None) -> Any:
    """Post in a channel or reply in a thread."""
    user = me(ctx)
    return post(ctx, user, channel_seen(ctx, user, channel_id), text, thread_id)


@tool
def edit_message(ctx: Context, message_id: str, text: str) -> Any:
    """Change the text of one's own message."""
    user = me(ctx)
    message, channel = live_message(ctx, user, message_id)
    if message.author_id != user.id:
        ctx.fail("forbidden", f"Message {message_id} is not yours; only its author may edit it.")
    if not text.strip():
        ctx.fail("invalid", "text: a message needs at least one visible character; delete_message removes it.")
    unreached: list[str] = []
    if text != message.text:
        message.text = text
        message.edited_at = ctx.now()
        ctx.flush()
        unreached = record_mentions(ctx, message, channel)
    return message_view(ctx, message) | {"mentioned_without_access": unreached}


@tool
def delete_message(ctx: Context, message_id: str) -> Any:
    """Delete a message; one with replies stays as an empty place."""
    user = me(ctx)
    message, channel = message_seen(ctx, user, message_id)
    if message.deleted:
        ctx.fail("conflict", f"Message {message_id} is deleted already.")
    require_active(ctx, channel)
    if message.author_id != user.id and not is_admin(user):
        ctx.fail("forbidden", f"Message {message_id} is not yours; only its author or an admin may delete it.")
    cancelled = [
        item
        for item in ctx.list(ScheduledMessage, col(ScheduledMessage.thread_id) == message.id)
        if item.status == "scheduled"
    ]
    for item in cancelled:
        item.status = "cancelled"
    ctx.flush()
    kept = ctx.exists(Message, col(Message.thread_id) == message.id)
    root_id = message.thread_id
    _remove(ctx, message, keep_place=kept)
    if root_id is not None:
        root = ctx.require(Message, root_id)
        if root.deleted and not ctx.exists(Message, col(Message.thread_id) == root_id):
            ctx.delete(root)
    return {
        "message_id": message_id,
        "deleted": True,
        "replies_kept": kept,
        "cancelled_scheduled_replies": len(cancelled),
    }


def _remove(ctx: Context, message: Message, *, keep_place: bool) -> None:
    if not keep_place:
        ctx.delete(message)
        return
    for entity in (Mention, Reaction, Pin):
        for row in ctx.list(entity, entity.message_id == message.id):
            ctx.delete(row)
    message.text = ""
    message.deleted = True
    ctx.flush()


@tool
def get_message(ctx: Context, message_id: str) -> Any:
    """One message."""
    user = me(ctx)
    message, channel = message_seen(ctx, user, message_id)
    return message_view(ctx, message) | {"channel_name": channel.name}


@tool
def list_messages(
    ctx: Context,
    channel_id: str,
    after: Moment | None = None,
    before: Moment | None = None,
    include_replies: bool = False,
    order: str = "newest",
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Messages of a channel by time."""
    channel = channel_seen(ctx, me(ctx), channel_id)
    if after is not None and before is not None and after >= before:
        ctx.fail("invalid", "after must be earlier than before.")
    where: list[Any] = [col(Message.channel_id) == channel.id]
    if not include_replies:
        where.append(col(Message.thread_id).is_(None))
    if after is not None:
        where.append(col(Message.posted_at) >= after)
    if before is not None:
        where.append(col(Message.posted_at) < before)
    by_time, by_key = col(Message.posted_at), col(Message.id)
    order_by = [by_time.desc(), by_key.desc()] if order == "newest" else [by_time, by_key]
    page = ctx.page(Message, *where, order_by=order_by, limit=limit, cursor=cursor)
    return {"items": message_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_thread(ctx: Context, message_id: str, limit: int = 50, cursor: str | None = None) -> Any:
    """A thread: its first message and the replies, oldest first."""
    user = me(ctx)
    message, _ = message_seen(ctx, user, message_id)
    root = message if message.thread_id is None else ctx.require(Message, message.thread_id)
    page = ctx.page(
        Message,
        col(Message.thread_id) == root.id,
        order_by=[col(Message.posted_at)],
        limit=limit,
        cursor=cursor,
    )
    return {
        "root": message_view(ctx, root),
        "items": message_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Message, col(Message.thread_id) == root.id),
    }


@tool
def mark_read(ctx: Context, channel_id: str, up_to_message_id: str | None = None) -> Any:
    """Move the user's reading mark of a channel."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    place = place_of(ctx, user, channel)
    if up_to_message_id is None:
        place.last_read_at = ctx.now()
    else:
        message = ctx.get(Message, up_to_message_id)
        if message is None or message.channel_id != channel.id:
            ctx.fail("not_found", f"There is no message {up_to_message_id!r} in {label(channel)}.")
        place.last_read_at = message.posted_at
    ctx.flush()
    unread = unread_counts(ctx, user).get(channel.id)
    return {
        "channel_id": channel.id,
        "last_read_at": place.last_read_at,
        "unread_count": unread[0] if unread else 0,
        "mention_count": unread[1] if unread else 0,
    }


@tool
def list_unread(ctx: Context, mentions_only: bool = False) -> Any:
    """Channels in which the user has something to read."""
    user = me(ctx)
    unread = unread_counts(ctx, user)
    channels = {item.id: item for item in ctx.list(Channel, col(Channel.id).in_(unread))}
    items: list[dict[str, Any]] = [
        {
            "channel_id": channel_id,
            "channel_name": channels[channel_id].name,
            "kind": channels[channel_id].kind,
            "unread_count": count,
            "mention_count": mentions,
            "first_unread_at": first,
        }
        for channel_id, (count, mentions, first) in unread.items()
        if channels[channel_id].status == "active" and (mentions or not mentions_only)
    ]
    items.sort(key=lambda item: (-item["mention_count"], -item["unread_count"], item["channel_id"]))
    return {
        "items": items,
        "total_unread": sum(item["unread_count"] for item in items),
        "total_mentions": sum(item["mention_count"] for item in items),
    }


@tool
def get_channel_activity(ctx: Context, channel_id: str, after: Moment, before: Moment | None = None) -> Any:
    """Who wrote how much in a channel in a span of time."""
    channel = channel_seen(ctx, me(ctx), channel_id)
    if before is not None and after >= before:
        ctx.fail("invalid", "after must be earlier than before.")
    where: list[Any] = [
        col(Message.channel_id) == channel.id,
        col(Message.posted_at) >= after,
        col(Message.posted_at) < (before or ctx.now()),
        col(Message.deleted).is_(False),
    ]
    counted = func.count(col(Message.id))
    found = ctx.rows(
        select(col(Member.id), col(Member.name), counted)
        .join(Message, col(Message.author_id) == col(Member.id))
        .where(*where)
        .group_by(col(Member.id), col(Member.name))
        .order_by(counted.desc(), col(Member.id))
    )
    return {
        "channel_id": channel.id,
        "message_count": sum(row[2] for row in found),
        "items": [{"member_id": row[0], "name": row[1], "message_count": row[2]} for row in found],
    }
