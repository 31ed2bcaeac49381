"""Tools for settings and filters."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.mail.boxes import in_box
from services.mail.compose import apply_rule, meets, settings_of
from services.mail.state import FilterRule, Label, Message, Settings

_ATTACHMENTS = {"any": None, "with": True, "without": False}
MAX_FILTERS = 100


def _settings(ctx: Context, settings: Settings) -> dict[str, Any]:
    first, last = settings.vacation_first_day, settings.vacation_last_day
    begun = first is None or first <= ctx.today()
    active = settings.vacation_on and begun and (last is None or last >= ctx.today())
    return settings.out(without=("id",)) | {"vacation_active_today": active}


@tool
def get_settings(ctx: Context) -> Any:
    return _settings(ctx, settings_of(ctx))


@tool
def set_signature(ctx: Context, signature: str | None = None, enabled: bool | None = None) -> Any:
    settings = settings_of(ctx)
    if signature is None and enabled is None:
        ctx.fail("invalid", "Give a signature, or say with enabled whether to use it.")
    if signature is not None:
        settings.signature = signature.strip()
    if enabled is not None:
        settings.signature_on = enabled
    if settings.signature_on and not settings.signature:
        ctx.fail("invalid", "An empty signature cannot be used; write one or set enabled to false.")
    return _settings(ctx, settings)


@tool
def set_vacation_responder(
    ctx: Context,
    enabled: bool,
    subject: str | None = None,
    body: str | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    known_senders_only: bool | None = None,
) -> Any:
    settings = settings_of(ctx)
    settings.vacation_on = enabled
    if subject is not None:
        settings.vacation_subject = subject
    if body is not None:
        settings.vacation_body = body
    if known_senders_only is not None:
        settings.vacation_known_senders_only = known_senders_only
    if enabled:
        settings.vacation_first_day = first_day or ctx.today()
        settings.vacation_last_day = last_day
        if not settings.vacation_body.strip():
            ctx.fail("invalid", "An automatic reply needs a text; give body.")
        if last_day is not None and last_day < settings.vacation_first_day:
            ctx.fail("invalid", "last_day must not be before first_day.")
        if last_day is not None and last_day < ctx.today():
            ctx.fail("invalid", "last_day is in the past; the reply would never be sent.")
    elif first_day is not None or last_day is not None:
        ctx.fail("invalid", "Days make sense only when enabled is true.")
    return _settings(ctx, settings)


def _filters(ctx: Context) -> list[FilterRule]:
    return ctx.list(FilterRule, order_by=[col(FilterRule.position)])


def _place(ctx: Context, rule: FilterRule, position: int | None) -> None:
    """Put a filter at its place and number all of them from 1."""
    others = [item for item in _filters(ctx) if item.id != rule.id]
    index = len(others) if position is None else min(position - 1, len(others))
    others.insert(index, rule)
    for number, item in enumerate(others, start=1):
        if item.position != number:
            item.position = number


def _filter_name(ctx: Context, name: str, besides: str = "") -> str:
    clean = name.strip()
    if not clean:
        ctx.fail("invalid", "The name of a filter cannot be blank.")
    if any(item.name.lower() == clean.lower() and item.id != besides for item in _filters(ctx)):
        ctx.fail("conflict", f"There is already a filter named {clean!r}.")
    return clean


def _sound(ctx: Context, rule: FilterRule) -> FilterRule:
    """Refuse a filter without a condition or without an action."""
    texts = (rule.from_contains, rule.to_contains, rule.subject_contains, rule.text_contains)
    if rule.has_attachment is None and not any(texts):
        ctx.fail("invalid", "A filter needs at least one condition, otherwise it would meet all mail.")
    if not (rule.add_label_id or rule.move_to or rule.mark_read or rule.star):
        ctx.fail("invalid", "A filter needs at least one action: add_label_id, move_to, mark_read or star.")
    if rule.add_label_id is not None:
        ctx.require(Label, rule.add_label_id)
    return rule


@tool
def list_filters(ctx: Context, enabled: bool | None = None) -> Any:
    return {"items": [item for item in _filters(ctx) if enabled is None or item.enabled == enabled]}


@tool
def create_filter(
    ctx: Context,
    name: str,
    from_contains: str | None = None,
    to_contains: str | None = None,
    subject_contains: str | None = None,
    text_contains: str | None = None,
    attachments: str = "any",
    add_label_id: str | None = None,
    move_to: str | None = None,
    mark_read: bool = False,
    star: bool = False,
    position: int | None = None,
) -> Any:
    if len(_filters(ctx)) >= MAX_FILTERS:
        ctx.fail("limit", f"There are at most {MAX_FILTERS} filters; delete one first.")
    rule = FilterRule(
        id=ctx.new_id("flt"),
        name=_filter_name(ctx, name),
        position=len(_filters(ctx)) + 1,
        from_contains=from_contains,
        to_contains=to_contains,
        subject_contains=subject_contains,
        text_contains=text_contains,
        has_attachment=_ATTACHMENTS[attachments],
        add_label_id=add_label_id,
        move_to=move_to,
        mark_read=mark_read,
        star=star,
    )
    ctx.add(_sound(ctx, rule))
    _place(ctx, rule, position)
    return rule


@tool
def update_filter(
    ctx: Context,
    filter_id: str,
    name: str | None = None,
    enabled: bool | None = None,
    from_contains: str | None = None,
    to_contains: str | None = None,
    subject_contains: str | None = None,
    text_contains: str | None = None,
    attachments: str | None = None,
    add_label_id: str | None = None,
    move_to: str | None = None,
    mark_read: bool | None = None,
    star: bool | None = None,
    position: int | None = None,
) -> Any:
    rule = ctx.require(FilterRule, filter_id)
    changes: dict[str, Any] = {
        "enabled": enabled,
        "mark_read": mark_read,
        "star": star,
        "name": None if name is None else _filter_name(ctx, name, rule.id),
    }
    changes = {key: value for key, value in changes.items() if value is not None}
    clearable = {
        "from_contains": from_contains,
        "to_contains": to_contains,
        "subject_contains": subject_contains,
        "text_contains": text_contains,
        "add_label_id": add_label_id,
    }
    changes |= {key: value or None for key, value in clearable.items() if value is not None}
    if move_to is not None:
        changes["move_to"] = None if move_to == "inbox" else move_to
    if attachments is not None:
        changes["has_attachment"] = _ATTACHMENTS[attachments]
    if not changes and position is None:
        ctx.fail("invalid", "Say what to change; nothing was given.")
    for key, value in changes.items():
        setattr(rule, key, value)
    _sound(ctx, rule)
    if position is not None:
        _place(ctx, rule, position)
    return rule


@tool
def delete_filter(ctx: Context, filter_id: str) -> Any:
    ctx.delete(ctx.require(FilterRule, filter_id))
    for number, item in enumerate(_filters(ctx), start=1):
        if item.position != number:
            item.position = number
    return {"deleted": filter_id}


@tool
def apply_filter(ctx: Context, filter_id: str) -> Any:
    rule = ctx.require(FilterRule, filter_id)
    met = [
        item for item in ctx.list(Message, in_box(ctx, "inbox"), order_by=[col(Message.at)]) if meets(ctx, rule, item)
    ]
    for item in met:
        apply_rule(ctx, rule, item)
    return {"filter_id": rule.id, "applied_to": [item.id for item in met], "total": len(met)}
