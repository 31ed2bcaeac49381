"""Tools for postmortems and their action items."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import and_
from sqlmodel import col

from engine.kit import Context, tool
from services.incidents.oncall import require_teammates
from services.incidents.state import ActionItem, Incident, Postmortem, Service


def _view(ctx: Context, postmortem: Postmortem) -> dict[str, Any]:
    items = ctx.list(ActionItem, col(ActionItem.postmortem_id) == postmortem.id, order_by=[col(ActionItem.due_on)])
    return postmortem.out() | {"action_items": items}


@tool
def create_postmortem(
    ctx: Context, incident_id: str, summary: str, root_cause: str = "", owner_email: str | None = None
) -> Any:
    """Start the postmortem of a resolved incident."""
    incident = ctx.require(Incident, incident_id)
    if incident.status != "resolved":
        ctx.fail("conflict", f"The incident {incident.id} is {incident.status}; resolve it before its postmortem.")
    there = ctx.first(Postmortem, col(Postmortem.incident_id) == incident.id)
    if there is not None:
        ctx.fail("conflict", f"The incident {incident.id} has the postmortem {there.id} already.")
    owner = owner_email or ctx.user.email
    require_teammates(ctx, [owner], "owner_email")
    made = ctx.add(
        Postmortem(
            id=ctx.new_id("pmo"),
            incident_id=incident.id,
            summary=summary,
            root_cause=root_cause,
            owner_email=owner,
            created_at=ctx.now(),
        )
    )
    return _view(ctx, made)


@tool
def get_postmortem(ctx: Context, postmortem_id: str) -> Any:
    """A postmortem with its action items."""
    return _view(ctx, ctx.require(Postmortem, postmortem_id))


@tool
def list_action_items(
    ctx: Context,
    postmortem_id: str | None = None,
    owner_email: str | None = None,
    status: str | None = None,
    overdue: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Action items by due date."""
    equal = (
        (ActionItem.postmortem_id, postmortem_id),
        (ActionItem.owner_email, owner_email),
        (ActionItem.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if overdue is not None:
        late = and_(col(ActionItem.status) == "open", col(ActionItem.due_on) < ctx.today())
        where.append(late if overdue else ~late)
    page = ctx.page(ActionItem, *where, order_by=[col(ActionItem.due_on)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(ActionItem, *where)}


def _require_ahead(ctx: Context, due_on: date) -> None:
    if due_on < ctx.today():
        ctx.fail("invalid", f"due_on: {due_on} is over; give today or a later day.")


@tool
def create_action_item(ctx: Context, postmortem_id: str, title: str, owner_email: str, due_on: date) -> Any:
    """Add something to be done."""
    postmortem = ctx.require(Postmortem, postmortem_id)
    require_teammates(ctx, [owner_email], "owner_email")
    _require_ahead(ctx, due_on)
    return ctx.add(
        ActionItem(
            id=ctx.new_id("act"),
            postmortem_id=postmortem.id,
            title=title,
            owner_email=owner_email,
            due_on=due_on,
            created_at=ctx.now(),
        )
    )


@tool
def update_action_item(
    ctx: Context,
    action_item_id: str,
    title: str | None = None,
    owner_email: str | None = None,
    due_on: date | None = None,
    status: str | None = None,
) -> Any:
    """Change an action item."""
    item = ctx.require(ActionItem, action_item_id)
    if title is None and owner_email is None and due_on is None and status is None:
        ctx.fail("invalid", "Give at least one of title, owner_email, due_on and status.")
    postmortem = ctx.require(Postmortem, item.postmortem_id)
    service = ctx.require(Service, ctx.require(Incident, postmortem.incident_id).service_id)
    allowed = (item.owner_email, postmortem.owner_email, service.owner_email)
    if ctx.user.email not in allowed:
        ctx.fail("forbidden", f"{item.id} is for {', '.join(dict.fromkeys(allowed))} to change.")
    if title is not None:
        item.title = title
    if owner_email is not None:
        require_teammates(ctx, [owner_email], "owner_email")
        item.owner_email = owner_email
    if due_on is not None and due_on != item.due_on:
        _require_ahead(ctx, due_on)
        item.due_on = due_on
    if status is not None and status != item.status:
        item.status = status
        item.done_at = ctx.now() if status == "done" else None
    ctx.flush()
    return item
