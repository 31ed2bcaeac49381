"""Tools that write and send mail."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.kit import Context, Moment, tool
from services.mail import boxes
from services.mail.compose import (
    People,
    check_send_at,
    chosen_of,
    copy_files,
    new_draft,
    people,
    prefixed,
    put_recipients,
    send_out,
    signed,
    touch,
)
from services.mail.state import Attachment, Message, Thread
from services.mail.views import message_out, recipients_of

MAX_BODY = 60_000
MAX_FILES = 20


def draft(ctx: Context, draft_id: str) -> Message:
    """A draft; what was sent or scheduled is refused."""
    message = ctx.require(Message, draft_id)
    if message.box != "drafts":
        ctx.fail("conflict", f"Message {draft_id!r} is no draft, it is in {boxes.box_of(ctx, message)}.")
    return message


def _attach(ctx: Context, message: Message, attachment_ids: list[str] | None) -> None:
    for attachment_id in attachment_ids or []:
        values = ctx.require(Attachment, attachment_id).values()
        ctx.add(Attachment(**(values | {"id": ctx.new_id("att"), "message_id": message.id})))


def _fits(ctx: Context, body: str) -> str:
    if len(body) > MAX_BODY:
        ctx.fail("limit", f"The text with what is added to it is longer than {MAX_BODY} characters; shorten it.")
    return body


@tool
def send_message(
    ctx: Context,
    to: list[str],
    subject: str,
    body: str,
    cc: list[str] | None = None,
    bcc: list[str] | None = None,
    attachment_ids: list[str] | None = None,
    send_at: Moment | None = None,
) -> Any:
    message = new_draft(ctx, people(to, cc, bcc), subject, _fits(ctx, signed(ctx, body)))
    _attach(ctx, message, attachment_ids)
    return message_out(ctx, send_out(ctx, message, send_at))


def _to_answer(ctx: Context, message_id: str) -> Message:
    message = ctx.require(Message, message_id)
    box = boxes.box_of(ctx, message)
    if box in ("drafts", "scheduled"):
        ctx.fail("conflict", f"Message {message_id!r} has not been sent yet; change or send it instead.")
    if box == "trash":
        ctx.fail("conflict", f"Message {message_id!r} is in the trash; restore it first.")
    return message


def _answer_to(ctx: Context, message: Message) -> list[str]:
    if message.from_email != boxes.me(ctx):
        return [message.from_email]
    return chosen_of(ctx, message)["to"]


def _answer(
    ctx: Context,
    message: Message,
    chosen: People,
    body: str,
    attachment_ids: list[str] | None,
    send_at: datetime | None,
) -> dict[str, Any]:
    reply_text = _fits(ctx, signed(ctx, body))
    answer = new_draft(ctx, chosen, prefixed("Re", message.subject), reply_text, answers=message)
    _attach(ctx, answer, attachment_ids)
    return message_out(ctx, send_out(ctx, answer, send_at))


@tool
def reply(
    ctx: Context,
    message_id: str,
    body: str,
    cc: list[str] | None = None,
    attachment_ids: list[str] | None = None,
    send_at: Moment | None = None,
) -> Any:
    message = _to_answer(ctx, message_id)
    chosen = people(_answer_to(ctx, message), cc, None)
    return _answer(ctx, message, chosen, body, attachment_ids, send_at)


@tool
def reply_all(
    ctx: Context,
    message_id: str,
    body: str,
    attachment_ids: list[str] | None = None,
    send_at: Moment | None = None,
) -> Any:
    message = _to_answer(ctx, message_id)
    to = _answer_to(ctx, message)
    others = [item.email for item in recipients_of(ctx, [message.id])[message.id] if item.kind != "bcc"]
    chosen = people(to, [item for item in others if item != boxes.me(ctx)], None)
    return _answer(ctx, message, chosen, body, attachment_ids, send_at)


@tool
def forward(
    ctx: Context,
    message_id: str,
    to: list[str],
    note: str = "",
    cc: list[str] | None = None,
    bcc: list[str] | None = None,
    include_attachments: bool = True,
    send_at: Moment | None = None,
) -> Any:
    message = _to_answer(ctx, message_id)
    readers = ", ".join(item.email for item in recipients_of(ctx, [message.id])[message.id] if item.kind != "bcc")
    quoted = "\n".join(
        (
            "---------- Forwarded message ----------",
            f"From: {message.from_name} <{message.from_email}>",
            f"Date: {message.at:%Y-%m-%d %H:%M} UTC",
            f"Subject: {message.subject}",
            f"To: {readers}",
            "",
            message.body,
        )
    )
    body = _fits(ctx, f"{signed(ctx, note)}\n\n{quoted}".lstrip())
    sent = new_draft(ctx, people(to, cc, bcc), prefixed("Fwd", message.subject), body, thread=message.thread_id)
    if include_attachments:
        copy_files(ctx, message, sent)
    return message_out(ctx, send_out(ctx, sent, send_at))


@tool
def create_draft(
    ctx: Context,
    to: list[str] | None = None,
    subject: str | None = None,
    body: str = "",
    cc: list[str] | None = None,
    bcc: list[str] | None = None,
    in_reply_to: str | None = None,
    attachment_ids: list[str] | None = None,
) -> Any:
    answers = _to_answer(ctx, in_reply_to) if in_reply_to is not None else None
    if answers is not None:
        to = _answer_to(ctx, answers) if to is None else to
        subject = prefixed("Re", answers.subject) if subject is None else subject
    message = new_draft(ctx, people(to or [], cc, bcc), subject or "", body, answers=answers)
    _attach(ctx, message, attachment_ids)
    return message_out(ctx, message)


@tool
def update_draft(
    ctx: Context,
    draft_id: str,
    to: list[str] | None = None,
    cc: list[str] | None = None,
    bcc: list[str] | None = None,
    subject: str | None = None,
    body: str | None = None,
) -> Any:
    message = draft(ctx, draft_id)
    if all(item is None for item in (to, cc, bcc, subject, body)):
        ctx.fail("invalid", "Say what to change: to, cc, bcc, subject or body.")
    if not (to is None and cc is None and bcc is None):
        old = chosen_of(ctx, message)
        put_recipients(
            ctx,
            message,
            people(
                old["to"] if to is None else to,
                old["cc"] if cc is None else cc,
                old["bcc"] if bcc is None else bcc,
            ),
        )
    if subject is not None:
        message.subject = subject
        thread = ctx.require(Thread, message.thread_id)
        if not ctx.exists(Message, Message.thread_id == thread.id, Message.id != message.id):
            thread.subject = subject
    if body is not None:
        message.body = body
    message.at = ctx.now()
    touch(ctx, message.thread_id)
    return message_out(ctx, message)


@tool
def delete_draft(ctx: Context, draft_id: str) -> Any:
    message = draft(ctx, draft_id)
    ctx.delete(message)
    touch(ctx, message.thread_id)
    return {"deleted": draft_id}


@tool
def send_draft(ctx: Context, draft_id: str, send_at: Moment | None = None) -> Any:
    message = draft(ctx, draft_id)
    message.body = _fits(ctx, signed(ctx, message.body))
    return message_out(ctx, send_out(ctx, message, send_at))


def _scheduled(ctx: Context, message_id: str) -> Message:
    message = ctx.require(Message, message_id)
    if message.box != "scheduled":
        ctx.fail("conflict", f"Message {message_id!r} is not scheduled, it is in {message.box}.")
    if boxes.box_of(ctx, message) == "sent":
        ctx.fail("conflict", f"Message {message_id!r} has gone out already and cannot be called back.")
    return message


@tool
def reschedule_send(ctx: Context, message_id: str, send_at: Moment) -> Any:
    message = _scheduled(ctx, message_id)
    check_send_at(ctx, send_at)
    message.scheduled_for = send_at
    return message_out(ctx, message)


@tool
def cancel_scheduled_send(ctx: Context, message_id: str) -> Any:
    message = _scheduled(ctx, message_id)
    message.box, message.scheduled_for, message.at = "drafts", None, ctx.now()
    touch(ctx, message.thread_id)
    return message_out(ctx, message)


@tool
def add_attachment(ctx: Context, draft_id: str, filename: str, text: str, media_type: str = "text/plain") -> Any:
    message = draft(ctx, draft_id)
    name = filename.strip()
    if not name or "/" in name or "\\" in name:
        ctx.fail("invalid", "filename must be a plain name without slashes.")
    held = ctx.list(Attachment, Attachment.message_id == message.id)
    if any(item.filename.lower() == name.lower() for item in held):
        ctx.fail("conflict", f"The draft already has an attachment named {name!r}; choose another name.")
    if len(held) >= MAX_FILES:
        ctx.fail("limit", f"A message has at most {MAX_FILES} attachments.")
    ctx.add(
        Attachment(
            id=ctx.new_id("att"),
            message_id=message.id,
            filename=name,
            media_type=media_type,
            size_bytes=len(text.encode(errors="replace")),
            text=text,
        )
    )
    message.at = ctx.now()
    touch(ctx, message.thread_id)
    return message_out(ctx, message)


@tool
def remove_attachment(ctx: Context, attachment_id: str) -> Any:
    attachment = ctx.require(Attachment, attachment_id)
    message = draft(ctx, attachment.message_id)
    ctx.delete(attachment)
    message.at = ctx.now()
    touch(ctx, message.thread_id)
    return message_out(ctx, message)
