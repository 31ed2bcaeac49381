"""Boxes and conditions: where a message stands now, and which messages a listing means."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlmodel import col

from engine.kit import Context, contains
from services.mail.state import Attachment, Label, Message, MessageLabel, Recipient

RECEIVED = ("inbox", "archive", "spam")


def norm(email: str) -> str:
    """An address as it is stored."""
    return email.strip().lower()


def me(ctx: Context) -> str:
    """The mailbox's address."""
    return norm(ctx.user.email)


def box_of(ctx: Context, message: Message) -> str:
    """Where the message stands: mail that was scheduled counts as sent from its time on."""
    if message.box == "scheduled" and message.scheduled_for is not None and message.scheduled_for <= ctx.now():
        return "sent"
    return message.box


def in_box(ctx: Context, *boxes: str) -> ColumnElement[bool]:
    """The condition for ``box_of``."""
    gone_out = and_(col(Message.box) == "scheduled", col(Message.scheduled_for) <= ctx.now())
    ways = [and_(col(Message.box).in_(boxes), ~gone_out)]
    if "sent" in boxes:
        ways.append(gone_out)
    return or_(*ways)


def find(
    ctx: Context,
    *,
    box: str | None = None,
    label_id: str | None = None,
    text: str | None = None,
    from_: str | None = None,
    to: str | None = None,
    subject: str | None = None,
    unread: bool | None = None,
    starred: bool | None = None,
    has_attachment: bool | None = None,
    after: datetime | None = None,
    before: datetime | None = None,
) -> list[ColumnElement[bool]]:
    """The conditions of a search; without a box, spam and trash are left out."""
    where = [~in_box(ctx, "spam", "trash") if box is None else in_box(ctx, box)]
    if label_id is not None:
        ctx.require(Label, label_id)
        where.append(_has(MessageLabel, MessageLabel.label_id == label_id))
    if text is not None:
        columns = (Message.subject, Message.body, Message.from_name, Message.from_email)
        named = _has(Attachment, contains(Attachment.filename, text))
        where.append(or_(*(contains(column, text) for column in columns), named))
    if from_ is not None:
        where.append(or_(contains(Message.from_email, from_), contains(Message.from_name, from_)))
    if to is not None:
        where.append(_has(Recipient, or_(contains(Recipient.email, to), contains(Recipient.name, to))))
    if subject is not None:
        where.append(contains(Message.subject, subject))
    if unread is not None:
        where.append(col(Message.is_read) == (not unread))
    if starred is not None:
        where.append(col(Message.is_starred) == starred)
    if has_attachment is not None:
        some = _has(Attachment, True)
        where.append(some if has_attachment else ~some)
    if after is not None:
        where.append(col(Message.at) >= after)
    if before is not None:
        where.append(col(Message.at) < before)
    if after is not None and before is not None and before <= after:
        ctx.fail("invalid", "before must be later than after.")
    return where


def _has(
    part: type[MessageLabel] | type[Recipient] | type[Attachment], condition: ColumnElement[bool] | bool
) -> ColumnElement[bool]:
    return exists(select(1).where(col(part.message_id) == col(Message.id), condition))  # type: ignore[arg-type, unused-ignore]


def all_of(ctx: Context, message_ids: Sequence[str]) -> list[Message]:
    """These messages in the order given; refused as a whole if one does not exist."""
    found = {item.id: item for item in ctx.list(Message, col(Message.id).in_(message_ids))}
    missing = [item for item in message_ids if item not in found]
    if missing:
        ctx.fail(
            "not_found",
            f"There is no message {', '.join(map(repr, missing))}; nothing was changed.",
            message_ids=missing,
        )
    return [found[item] for item in message_ids]


def settled(ctx: Context, message: Message) -> None:
    """Let a scheduled message whose time has come stand in Sent, before it is changed."""
    if message.box == "scheduled" and box_of(ctx, message) == "sent":
        message.box = "sent"
        message.at = message.scheduled_for or message.at
        message.scheduled_for = None
