"""The shapes of results."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.mail.boxes import box_of
from services.mail.state import Attachment, Label, Message, MessageLabel, Recipient

_SNIPPET = 140


def recipients_of(ctx: Context, message_ids: list[str]) -> dict[str, list[Recipient]]:
    """Recipients by message, in the order in which they were given."""
    found: dict[str, list[Recipient]] = defaultdict(list)
    if message_ids:
        for item in ctx.list(Recipient, col(Recipient.message_id).in_(message_ids), order_by=[col(Recipient.position)]):
            found[item.message_id].append(item)
    return found


def attachments_of(ctx: Context, message_ids: list[str]) -> dict[str, list[Attachment]]:
    """Attachments by message, by name."""
    found: dict[str, list[Attachment]] = defaultdict(list)
    if message_ids:
        for item in ctx.list(
            Attachment, col(Attachment.message_id).in_(message_ids), order_by=[col(Attachment.filename)]
        ):
            found[item.message_id].append(item)
    return found


def labels_of(ctx: Context, message_ids: list[str]) -> dict[str, list[Label]]:
    """Labels by message, by name."""
    found: dict[str, list[Label]] = defaultdict(list)
    links = ctx.list(MessageLabel, col(MessageLabel.message_id).in_(message_ids)) if message_ids else []
    if links:
        labels = {item.id: item for item in ctx.list(Label)}
        for link in links:
            found[link.message_id].append(labels[link.label_id])
    for group in found.values():
        group.sort(key=lambda item: item.name.lower())
    return found


def _person(email: str, name: str) -> dict[str, str]:
    return {"email": email, "name": name}


def attachment_out(item: Attachment) -> dict[str, Any]:
    """An attachment without its content."""
    return item.out("id", "message_id", "filename", "media_type", "size_bytes")


def _snippet(body: str) -> str:
    line = " ".join(body.split())
    return line if len(line) <= _SNIPPET else line[: _SNIPPET - 1].rstrip() + "…"


def messages_out(ctx: Context, messages: list[Message], *, bodies: bool) -> list[dict[str, Any]]:
    """Messages for a tool's result, with what they need read at once."""
    ids = [item.id for item in messages]
    recipients, attachments, labels = recipients_of(ctx, ids), attachments_of(ctx, ids), labels_of(ctx, ids)
    out = []
    for item in messages:
        people = recipients.get(item.id, [])
        files = attachments.get(item.id, [])
        box = box_of(ctx, item)
        shown: dict[str, Any] = {
            "id": item.id,
            "thread_id": item.thread_id,
            "box": box,
            "from": _person(item.from_email, item.from_name),
            "to": [_person(one.email, one.name) for one in people if one.kind == "to"],
            "cc": [_person(one.email, one.name) for one in people if one.kind == "cc"],
            "subject": item.subject,
            "at": item.scheduled_for if item.scheduled_for and box == "sent" else item.at,
            "is_read": item.is_read,
            "is_starred": item.is_starred,
            "labels": [{"id": one.id, "name": one.name} for one in labels.get(item.id, [])],
        }
        if bodies:
            shown |= {
                "bcc": [_person(one.email, one.name) for one in people if one.kind == "bcc"],
                "body": item.body,
                "in_reply_to": item.in_reply_to,
                "scheduled_for": item.scheduled_for,
                "attachments": [attachment_out(one) for one in files],
            }
        else:
            shown |= {"snippet": _snippet(item.body), "attachment_count": len(files)}
        out.append(shown)
    return out


def message_out(ctx: Context, message: Message) -> dict[str, Any]:
    """One message with its body."""
    return messages_out(ctx, [message], bodies=True)[0]
