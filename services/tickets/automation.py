"""Tools for macros, views and changes of many tickets at once."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, ToolError, contains, tool
from services.tickets import workflow
from services.tickets.access import changeable, me
from services.tickets.changes import assign, lower_priority, transfer
from services.tickets.state import Agent, Macro, Requester, Ticket, View
from services.tickets.views import conditions, ticket_page, ticket_view

MAX_VIEWS = 20
"""Views of one agent's own."""


@tool
def list_macros(ctx: Context, query: str | None = None, include_inactive: bool = False) -> Any:
    """Macros by name."""
    me(ctx)
    where: list[Any] = [] if include_inactive else [col(Macro.active).is_(True)]
    if query is not None:
        where.append(contains(Macro.name, query) | contains(Macro.description, query))
    return {"items": ctx.list(Macro, *where, order_by=[col(Macro.name)], limit=200)}


@tool
def apply_macro(ctx: Context, ticket_id: str, macro_id: str) -> Any:
    """Do to a ticket what a macro says, all or nothing."""
    ticket, agent = changeable(ctx, ticket_id)
    macro = ctx.require(Macro, macro_id)
    if not macro.active:
        ctx.fail("conflict", f"The macro {macro.name!r} is out of use; list_macros shows the others.")
    if macro.add_tags:
        workflow.retag(ctx, ticket, list(macro.add_tags), [])
    if macro.set_priority is not None:
        lower_priority(ctx, ticket, agent, macro.set_priority)
        workflow.set_priority(ctx, ticket, macro.set_priority)
    added = None
    if macro.reply is not None:
        added = workflow.comment(ctx, ticket, _render(ctx, macro.reply, ticket, agent), macro.visibility)
    also_solved: list[str] = []
    if macro.set_status is not None and macro.set_status != ticket.status:
        also_solved = workflow.move(ctx, ticket, macro.set_status, f"Macro: {macro.name}")
    return {
        "ticket": ticket_view(ctx, ticket),
        "comment": added.out() if added else None,
        "also_solved": also_solved,
    }


def _render(ctx: Context, text: str, ticket: Ticket, agent: Agent) -> str:
    requester = ctx.require(Requester, ticket.requester_id)
    values = {
        "requester.name": requester.name,
        "requester.first_name": requester.name.split()[0] if requester.name.split() else requester.name,
        "ticket.id": ticket.id,
        "ticket.subject": ticket.subject,
        "ticket.reference": ticket.reference or ticket.id,
        "agent.name": agent.name,
    }
    for name, value in values.items():
        text = text.replace("{{" + name + "}}", value)
    return text


@tool
def list_views(ctx: Context) -> Any:
    """Shared views and the user's own."""
    agent = me(ctx)
    mine = col(View.owner_id).is_(None) | (col(View.owner_id) == agent.id)
    return {"items": ctx.list(View, mine, order_by=[col(View.name)])}


def _view(ctx: Context, agent: Agent, view_id: str) -> View:
    found = ctx.get(View, view_id)
    if found is None or found.owner_id not in (None, agent.id):
        ctx.fail("not_found", f"There is no view {view_id!r} that you can see; list_views shows them.")
    return found


@tool
def run_view(ctx: Context, view_id: str, sort: str = "due", limit: int = 20, cursor: str | None = None) -> Any:
    """The tickets that a view holds now."""
    agent = me(ctx)
    view = _view(ctx, agent, view_id)
    page = ticket_page(ctx, conditions(ctx, agent, **view.filters), sort, limit, cursor)
    return {"view_id": view.id, "name": view.name} | page


@tool
def create_view(ctx: Context, name: str, filters: dict[str, Any]) -> Any:
    """Save a filter as a view of one's own."""
    agent = me(ctx)
    if not name.strip():
        ctx.fail("invalid", "name needs visible characters.")
    if ctx.exists(View, col(View.name) == name.strip()):
        ctx.fail("conflict", f"A view is named {name.strip()!r} already; choose another name.")
    if ctx.count(View, col(View.owner_id) == agent.id) >= MAX_VIEWS:
        ctx.fail("limit", f"You have {MAX_VIEWS} views, the most allowed; delete one first.")
    return ctx.add(
        View(
            id=ctx.new_id("viw"),
            name=name.strip(),
            filters=filters,
            owner_id=agent.id,
            created_at=ctx.now(),
        )
    )


@tool
def delete_view(ctx: Context, view_id: str) -> Any:
    """Remove a view of one's own; tickets stay."""
    view = _view(ctx, me(ctx), view_id)
    if view.owner_id is None:
        ctx.fail("forbidden", f"The view {view.name!r} is shared by all agents and stays.")
    ctx.delete(view)
    return {"view_id": view_id, "deleted": True}


@tool
def bulk_update_tickets(
    ctx: Context,
    ticket_ids: list[str],
    status: str | None = None,
    priority: str | None = None,
    group_id: str | None = None,
    assignee_id: str | None = None,
    add_tags: list[str] | None = None,
    remove_tags: list[str] | None = None,
    reason: str = "",
) -> Any:
    """The same change for many tickets, all or none."""
    if not (status or priority or group_id or assignee_id or add_tags or remove_tags):
        ctx.fail("invalid", "Give at least one change: status, priority, group, assignee or tags.")
    wanted = list(dict.fromkeys(ticket_ids))
    failed: list[dict[str, str]] = []
    also_solved: list[str] = []
    for ticket_id in wanted:
        try:
            ticket, agent = changeable(ctx, ticket_id)
            if group_id is not None and group_id != ticket.group_id:
                transfer(ctx, ticket, group_id)
            if assignee_id is not None and assignee_id != ticket.assignee_id:
                assign(ctx, ticket, agent, assignee_id)
            if priority is not None:
                lower_priority(ctx, ticket, agent, priority)
                workflow.set_priority(ctx, ticket, priority)
            if add_tags or remove_tags:
                workflow.retag(ctx, ticket, add_tags or [], remove_tags or [])
            if status is not None and status != ticket.status:
                also_solved += workflow.move(ctx, ticket, status, reason)
        except ToolError as error:
            failed.append({"ticket_id": ticket_id, "code": error.code, "message": error.message})
    if failed:
        first = failed[0]
        ctx.fail(
            first["code"],
            f"Nothing was changed: {len(failed)} of {len(wanted)} tickets refuse it. {first['message']}",
            failed=failed,
        )
    return {
        "updated": wanted,
        "count": len(wanted),
        "also_solved": [item for item in also_solved if item not in wanted],
    }
