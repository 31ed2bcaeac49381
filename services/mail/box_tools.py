"""Tools that sort messages: read, starred, boxes, trash, labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, tool
from services.mail import boxes
from services.mail.compose import run_filters, touch
from services.mail.state import BOXES, FilterRule, Label, Message, MessageLabel
from services.mail.views import messages_out

_RESERVED = {*BOXES, "starred", "unread"}


def _done(messages: list[Message], changed: list[Message]) -> dict[str, Any]:
    ids = {item.id for item in changed}
    return {
        "changed": [item.id for item in messages if item.id in ids],
        "unchanged": [item.id for item in messages if item.id not in ids],
    }


def _flag(ctx: Context, message_ids: list[str], name: str, value: bool) -> dict[str, Any]:
    messages = boxes.all_of(ctx, message_ids)
    changed = [item for item in messages if getattr(item, name) != value]
    for item in changed:
        setattr(item, name, value)
    return _done(messages, changed)


@tool
def mark_read(ctx: Context, message_ids: list[str]) -> Any:
    return _flag(ctx, message_ids, "is_read", True)


@tool
def mark_unread(ctx: Context, message_ids: list[str]) -> Any:
    messages = boxes.all_of(ctx, message_ids)
    for item in messages:
        if item.box in ("drafts", "scheduled"):
            ctx.fail("conflict", f"Message {item.id!r} is your own and not sent yet; it cannot be unread.")
    return _flag(ctx, message_ids, "is_read", False)


@tool
def star(ctx: Context, message_ids: list[str]) -> Any:
    return _flag(ctx, message_ids, "is_starred", True)


@tool
def unstar(ctx: Context, message_ids: list[str]) -> Any:
    return _flag(ctx, message_ids, "is_starred", False)


@tool
def move_messages(ctx: Context, message_ids: list[str], box: str) -> Any:
    messages = boxes.all_of(ctx, message_ids)
    for item in messages:
        where = boxes.box_of(ctx, item)
        if where == "trash":
            ctx.fail("conflict", f"Message {item.id!r} is in the trash; take it out with restore_messages.")
        if where not in boxes.RECEIVED:
            ctx.fail("conflict", f"Message {item.id!r} is in {where}; only received mail moves between boxes.")
    changed = [item for item in messages if item.box != box]
    for item in changed:
        rescued = item.box == "spam" and box == "inbox"
        item.box = box
        if rescued:
            run_filters(ctx, item)
    return _done(messages, changed) | {"items": messages_out(ctx, messages, bodies=False)}


@tool
def trash_messages(ctx: Context, message_ids: list[str]) -> Any:
    messages = boxes.all_of(ctx, message_ids)
    changed = [item for item in messages if item.box != "trash"]
    for item in changed:
        if boxes.box_of(ctx, item) == "scheduled":
            ctx.fail("conflict", f"Message {item.id!r} is scheduled; cancel that with cancel_scheduled_send first.")
        boxes.settled(ctx, item)
        item.box, item.trashed_from = "trash", item.box
    return _done(messages, changed)


@tool
def restore_messages(ctx: Context, message_ids: list[str]) -> Any:
    messages = boxes.all_of(ctx, message_ids)
    for item in messages:
        if item.box != "trash":
            ctx.fail("conflict", f"Message {item.id!r} is not in the trash, it is in {boxes.box_of(ctx, item)}.")
        item.box, item.trashed_from = item.trashed_from or "inbox", None
    return _done(messages, messages) | {"items": messages_out(ctx, messages, bodies=False)}


@tool
def delete_forever(ctx: Context, message_ids: list[str]) -> Any:
    messages = boxes.all_of(ctx, message_ids)
    for item in messages:
        if item.box != "trash":
            ctx.fail(
                "conflict",
                f"Message {item.id!r} is not in the trash; move it there with trash_messages first.",
            )
    threads = sorted({item.thread_id for item in messages})
    for item in messages:
        ctx.delete(item)
    for thread_id in threads:
        touch(ctx, thread_id)
    return {"deleted": message_ids}


def _counts(ctx: Context, name: Callable[[Message], str]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for item in ctx.list(Message):
        counted = out.setdefault(name(item), [0, 0])
        counted[0] += 1
        counted[1] += not item.is_read
    return out


@tool
def list_labels(ctx: Context) -> Any:
    found = _counts(ctx, lambda item: boxes.box_of(ctx, item))
    statement: Any = (
        select(
            col(MessageLabel.label_id),
            func.count(),
            func.count().filter(col(Message.is_read).is_(False)),
        )
        .join(Message, col(Message.id) == col(MessageLabel.message_id))
        .where(col(Message.box) != "trash")
        .group_by(col(MessageLabel.label_id))
    )
    counted: Any = ctx.rows(statement)
    labelled = {label_id: (total, unread) for label_id, total, unread in counted}
    labels = sorted(ctx.list(Label), key=lambda item: item.name.lower())
    return {
        "boxes": [
            {"box": box, "total": found.get(box, [0, 0])[0], "unread": found.get(box, [0, 0])[1]} for box in BOXES
        ],
        "items": [
            item.out() | {"total": labelled.get(item.id, (0, 0))[0], "unread": labelled.get(item.id, (0, 0))[1]}
            for item in labels
        ],
    }


def _label_name(ctx: Context, name: str, besides: str = "") -> str:
    clean = name.strip()
    if not clean:
        ctx.fail("invalid", "The name of a label cannot be blank.")
    if clean.lower() in _RESERVED:
        ctx.fail("conflict", f"{clean!r} is the name of a box and cannot be a label.")
    if any(item.name.lower() == clean.lower() and item.id != besides for item in ctx.list(Label)):
        ctx.fail("conflict", f"There is already a label named {clean!r}.")
    return clean


@tool
def create_label(ctx: Context, name: str, color: str = "grey") -> Any:
    return ctx.add(Label(id=ctx.new_id("lbl"), name=_label_name(ctx, name), color=color))


@tool
def update_label(ctx: Context, label_id: str, name: str | None = None, color: str | None = None) -> Any:
    label = ctx.require(Label, label_id)
    if name is None and color is None:
        ctx.fail("invalid", "Say what to change: name or color.")
    if name is not None:
        label.name = _label_name(ctx, name, label.id)
    if color is not None:
        label.color = color
    return label


@tool
def delete_label(ctx: Context, label_id: str) -> Any:
    label = ctx.require(Label, label_id)
    rule = ctx.first(FilterRule, FilterRule.add_label_id == label.id)
    if rule is not None:
        ctx.fail(
            "conflict",
            f"The filter {rule.name!r} puts this label on mail; change or delete the filter first.",
        )
    ctx.delete(label)
    return {"deleted": label_id}


@tool
def label_messages(
    ctx: Context, message_ids: list[str], add: list[str] | None = None, remove: list[str] | None = None
) -> Any:
    adding = [ctx.require(Label, item) for item in add or []]
    removing = [ctx.require(Label, item) for item in remove or []]
    if not adding and not removing:
        ctx.fail("invalid", "Name at least one label to add or remove.")
    if {item.id for item in adding} & {item.id for item in removing}:
        ctx.fail("invalid", "A label cannot be both added and removed.")
    messages = boxes.all_of(ctx, message_ids)
    links = {
        (item.message_id, item.label_id): item
        for item in ctx.list(MessageLabel, col(MessageLabel.message_id).in_(message_ids))
    }
    changed = []
    for message in messages:
        fresh = [item.id for item in adding if (message.id, item.id) not in links]
        stale = [links[message.id, item.id] for item in removing if (message.id, item.id) in links]
        for label_id in fresh:
            ctx.add(MessageLabel(message_id=message.id, label_id=label_id))
        for link in stale:
            ctx.delete(link)
        if fresh or stale:
            changed.append(message)
    return _done(messages, changed) | {"items": messages_out(ctx, messages, bodies=False)}
