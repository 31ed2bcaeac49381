"""Tools for what comes later: scheduled messages and reminders."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.chat.access import channel_seen, me, message_seen, require_posting, thread_root
from services.chat.messages import post
from services.chat.state import Member, Reminder, ScheduledMessage

MAX_SCHEDULED = 30
"""Messages that one member may have waiting."""

MAX_AHEAD = timedelta(days=120)
"""How far ahead a message may be scheduled."""


def _require_time(ctx: Context, post_at: Moment) -> None:
    if post_at <= ctx.now():
        ctx.fail("invalid", "post_at must lie in the future; post_message posts now.")
    if post_at > ctx.now() + MAX_AHEAD:
        ctx.fail("invalid", f"post_at may lie at most {MAX_AHEAD.days} days ahead.")


@tool
def schedule_message(ctx: Context, channel_id: str, text: str, post_at: Moment, thread_id: str | None = None) -> Any:
    """Have a message posted later."""
    user = me(ctx)
    channel = channel_seen(ctx, user, channel_id)
    root = thread_root(ctx, channel, thread_id) if thread_id is not None else None
    require_posting(ctx, user, channel, in_thread=root is not None)
    if not text.strip():
        ctx.fail("invalid", "text: a message needs at least one visible character.")
    _require_time(ctx, post_at)
    waiting = ctx.count(
        ScheduledMessage,
        col(ScheduledMessage.author_id) == user.id,
        col(ScheduledMessage.status) == "scheduled",
    )
    if waiting >= MAX_SCHEDULED:
        ctx.fail("limit", f"You have {waiting} messages waiting, the most allowed; cancel one first.")
    return ctx.add(
        ScheduledMessage(
            id=ctx.new_id("sch"),
            channel_id=channel.id,
            author_id=user.id,
            thread_id=root.id if root else None,
            text=text,
            post_at=post_at,
            created_at=ctx.now(),
        )
    )


@tool
def list_scheduled_messages(
    ctx: Context,
    status: str = "scheduled",
    channel_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The user's scheduled messages, the next one first."""
    user = me(ctx)
    where: list[Any] = [col(ScheduledMessage.author_id) == user.id]
    if status != "any":
        where.append(col(ScheduledMessage.status) == status)
    if channel_id is not None:
        where.append(col(ScheduledMessage.channel_id) == channel_seen(ctx, user, channel_id).id)
    return ctx.page(
        ScheduledMessage, *where, order_by=[col(ScheduledMessage.post_at)], limit=limit, cursor=cursor
    ).out()


def _waiting(ctx: Context, user: Member, scheduled_id: str) -> ScheduledMessage:
    found = ctx.get(ScheduledMessage, scheduled_id)
    if found is None or found.author_id != user.id:
        ctx.fail("not_found", f"You have no scheduled message {scheduled_id!r}.")
    if found.status != "scheduled":
        ctx.fail("conflict", f"Scheduled message {scheduled_id} is {found.status} already.")
    return found


@tool
def update_scheduled_message(
    ctx: Context, scheduled_id: str, text: str | None = None, post_at: Moment | None = None
) -> Any:
    """Change the text or time of a waiting message."""
    item = _waiting(ctx, me(ctx), scheduled_id)
    if text is None and post_at is None:
        ctx.fail("invalid", "Give text, post_at or both.")
    if text is not None:
        if not text.strip():
            ctx.fail("invalid", "text: a message needs at least one visible character.")
        item.text = text
    if post_at is not None:
        _require_time(ctx, post_at)
        item.post_at = post_at
    return item


@tool
def cancel_scheduled_message(ctx: Context, scheduled_id: str) -> Any:
    """Keep a waiting message from being posted."""
    item = _waiting(ctx, me(ctx), scheduled_id)
    item.status = "cancelled"
    return item


@tool
def send_scheduled_message(ctx: Context, scheduled_id: str) -> Any:
    """Post a waiting message at once."""
    user = me(ctx)
    item = _waiting(ctx, user, scheduled_id)
    channel = channel_seen(ctx, user, item.channel_id)
    message = post(ctx, user, channel, item.text, item.thread_id)
    item.status = "sent"
    item.message_id = message["id"]
    ctx.flush()
    return {"scheduled_message": item.out(), "message": message}


@tool
def create_reminder(ctx: Context, text: str, remind_at: Moment, message_id: str | None = None) -> Any:
    """A reminder for the user."""
    user = me(ctx)
    if not text.strip():
        ctx.fail("invalid", "text: a reminder needs at least one visible character.")
    if remind_at <= ctx.now():
        ctx.fail("invalid", "remind_at must lie in the future.")
    if message_id is not None:
        message, _ = message_seen(ctx, user, message_id)
        if message.deleted:
            ctx.fail("conflict", f"Message {message_id} is deleted.")
    return ctx.add(
        Reminder(
            id=ctx.new_id("rem"),
            member_id=user.id,
            text=text,
            remind_at=remind_at,
            message_id=message_id,
            created_at=ctx.now(),
        )
    )


@tool
def list_reminders(
    ctx: Context, status: str = "pending", due: bool | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """The user's reminders by time."""
    user = me(ctx)
    where: list[Any] = [col(Reminder.member_id) == user.id]
    if status != "any":
        where.append(col(Reminder.status) == status)
    if due is not None:
        where.append(col(Reminder.remind_at) <= ctx.now() if due else col(Reminder.remind_at) > ctx.now())
    page = ctx.page(Reminder, *where, order_by=[col(Reminder.remind_at)], limit=limit, cursor=cursor)
    items = [item.out() | {"due": item.status == "pending" and item.remind_at <= ctx.now()} for item in page.items]
    return {"items": items, "next_cursor": page.next_cursor}


def _own_reminder(ctx: Context, reminder_id: str) -> Reminder:
    found = ctx.get(Reminder, reminder_id)
    if found is None or found.member_id != me(ctx).id:
        ctx.fail("not_found", f"You have no reminder {reminder_id!r}.")
    return found


@tool
def complete_reminder(ctx: Context, reminder_id: str) -> Any:
    """Mark a reminder done."""
    item = _own_reminder(ctx, reminder_id)
    if item.status == "done":
        ctx.fail("conflict", f"Reminder {reminder_id} is done already.")
    item.status = "done"
    item.completed_at = ctx.now()
    return item


@tool
def delete_reminder(ctx: Context, reminder_id: str) -> Any:
    """Remove a reminder."""
    ctx.delete(_own_reminder(ctx, reminder_id))
    return {"reminder_id": reminder_id, "deleted": True}
