"""Tools that read messages, threads and attachments."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.mail import boxes
from services.mail.state import Attachment, Correspondent, Message, Thread
from services.mail.views import attachment_out, message_out, messages_out


@tool
def search_messages(
    ctx: Context,
    text: str | None = None,
    from_: str | None = None,
    to: str | None = None,
    subject: str | None = None,
    box: str | None = None,
    label_id: str | None = None,
    unread: bool | None = None,
    starred: bool | None = None,
    has_attachment: bool | None = None,
    after: Moment | None = None,
    before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    where = boxes.find(
        ctx,
        text=text,
        from_=from_,
        to=to,
        subject=subject,
        box=box,
        label_id=label_id,
        unread=unread,
        starred=starred,
        has_attachment=has_attachment,
        after=after,
        before=before,
    )
    page = ctx.page(Message, *where, order_by=[col(Message.at).desc()], limit=limit, cursor=cursor)
    return {
        "items": messages_out(ctx, page.items, bodies=False),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Message, *where),
    }


@tool
def get_message(ctx: Context, message_id: str) -> Any:
    return message_out(ctx, ctx.require(Message, message_id))


@tool
def list_threads(
    ctx: Context,
    box: str | None = None,
    label_id: str | None = None,
    unread: bool | None = None,
    participant: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    where = boxes.find(ctx, box=box, label_id=label_id, unread=unread)
    if participant is not None:
        sent_to = boxes.find(ctx, box=box, to=participant)[-1]
        name = or_(contains(Message.from_email, participant), contains(Message.from_name, participant))
        where.append(or_(name, sent_to))
    meant = col(Thread.id).in_(select(col(Message.thread_id)).where(*where))
    page = ctx.page(Thread, meant, order_by=[col(Thread.last_message_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": _threads_out(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Thread, meant),
    }


def _threads_out(ctx: Context, threads: list[Thread]) -> list[dict[str, Any]]:
    ids = [item.id for item in threads]
    found = ctx.list(Message, col(Message.thread_id).in_(ids), order_by=[col(Message.at)])
    by_thread: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for shown in messages_out(ctx, found, bodies=False):
        by_thread[shown["thread_id"]].append(shown)
    out = []
    for thread in threads:
        messages = by_thread[thread.id]
        people = {item["from"]["email"]: item["from"] for item in messages}
        people |= {one["email"]: one for item in messages for one in (*item["to"], *item["cc"])}
        out.append(
            {
                "id": thread.id,
                "subject": thread.subject,
                "last_message_at": thread.last_message_at,
                "message_count": len(messages),
                "unread_count": sum(not item["is_read"] for item in messages),
                "boxes": sorted({item["box"] for item in messages}),
                "participants": list(people.values()),
                "last_message_id": messages[-1]["id"],
                "snippet": messages[-1]["snippet"],
            }
        )
    return out


@tool
def get_thread(ctx: Context, thread_id: str, include_trash: bool = False) -> Any:
    thread = ctx.require(Thread, thread_id)
    where = [col(Message.thread_id) == thread.id]
    if not include_trash:
        where.append(col(Message.box) != "trash")
    messages = ctx.list(Message, *where, order_by=[col(Message.at)])
    return {
        "id": thread.id,
        "subject": thread.subject,
        "last_message_at": thread.last_message_at,
        "messages": messages_out(ctx, messages, bodies=True),
    }


@tool
def list_attachments(
    ctx: Context,
    message_id: str | None = None,
    thread_id: str | None = None,
    filename: str | None = None,
    media_type: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    where = []
    if message_id is not None:
        where.append(col(Attachment.message_id) == ctx.require(Message, message_id).id)
    if thread_id is not None:
        ctx.require(Thread, thread_id)
        inside = select(col(Message.id)).where(col(Message.thread_id) == thread_id)
        where.append(col(Attachment.message_id).in_(inside))
    if filename is not None:
        where.append(contains(Attachment.filename, filename))
    if media_type is not None:
        where.append(contains(Attachment.media_type, media_type))
    page = ctx.page(Attachment, *where, order_by=[col(Attachment.filename)], limit=limit, cursor=cursor)
    mails = ctx.list(Message, col(Message.id).in_([item.message_id for item in page.items]))
    by_id = {item.id: item for item in mails}
    return {
        "items": [attachment_out(item) | _from(by_id[item.message_id]) for item in page.items],
        "next_cursor": page.next_cursor,
    }


def _from(message: Message) -> dict[str, str | datetime]:
    return {"message_subject": message.subject, "from_email": message.from_email, "message_at": message.at}


@tool
def get_attachment(ctx: Context, attachment_id: str) -> Any:
    return ctx.require(Attachment, attachment_id)


@tool
def suggest_contacts(ctx: Context, text: str, limit: int = 10) -> Any:
    matches = or_(*(contains(item, text) for item in (Correspondent.name, Correspondent.email, Correspondent.company)))
    found = ctx.list(
        Correspondent,
        matches,
        order_by=[col(Correspondent.times_written_to).desc(), col(Correspondent.name)],
        limit=limit,
    )
    return {"items": found}
