"""How tickets look in results, and the filters that lists and views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col

from engine.kit import Context, Moment
from services.tickets.sla import DEFAULT_TIER
from services.tickets.state import (
    Agent,
    AgentGroup,
    Organization,
    Requester,
    Satisfaction,
    Ticket,
    TicketLink,
)

UNSOLVED = ("open", "pending", "on_hold")


def ticket_views(ctx: Context, tickets: Sequence[Ticket]) -> list[dict[str, Any]]:
    """Tickets for a list: without description, with the names of those concerned."""
    requesters = {
        item.id: item for item in ctx.list(Requester, col(Requester.id).in_({t.requester_id for t in tickets}))
    }
    wanted = {t.organization_id for t in tickets if t.organization_id}
    organizations = {item.id: item for item in ctx.list(Organization, col(Organization.id).in_(wanted))}
    groups = {
        item.id: item.name for item in ctx.list(AgentGroup, col(AgentGroup.id).in_({t.group_id for t in tickets}))
    }
    holders = {t.assignee_id for t in tickets if t.assignee_id}
    agents = {item.id: item.name for item in ctx.list(Agent, col(Agent.id).in_(holders))}
    out = []
    for ticket in tickets:
        requester = requesters[ticket.requester_id]
        organization = organizations.get(ticket.organization_id or "")
        out.append(
            ticket.out(without=("description", "resolution_started_at", "paused_since"))
            | {
                "requester_name": requester.name,
                "requester_email": requester.email,
                "organization_name": organization.name if organization else None,
                "tier": organization.tier if organization else DEFAULT_TIER,
                "group_name": groups[ticket.group_id],
                "assignee_name": agents.get(ticket.assignee_id or ""),
                "overdue": is_overdue(ctx, ticket),
            }
        )
    return out


def ticket_view(ctx: Context, ticket: Ticket) -> dict[str, Any]:
    """One ticket in full."""
    view = ticket_views(ctx, [ticket])[0]
    links = ctx.list(TicketLink, or_(col(TicketLink.from_id) == ticket.id, col(TicketLink.to_id) == ticket.id))
    rating = ctx.get(Satisfaction, ticket.id)
    answered = ticket.first_responded_at
    return view | {
        "description": ticket.description,
        "first_response_missed": (answered or ctx.now()) > ticket.first_response_due_at,
        "links": [link.out("from_id", "to_id", "kind") for link in links],
        "satisfaction": rating.out("score", "comment", "rated_at") if rating else None,
    }


def is_overdue(ctx: Context, ticket: Ticket) -> bool:
    """Whether the promised time of an open ticket is over; waiting tickets are not late."""
    return ticket.status == "open" and ticket.resolution_due_at < ctx.now()


def conditions(
    ctx: Context,
    agent: Agent,
    *,
    status: list[str] | None = None,
    priority: list[str] | None = None,
    kind: str | None = None,
    group_id: str | None = None,
    assignee: str | None = None,
    requester_id: str | None = None,
    organization_id: str | None = None,
    tag: str | None = None,
    reference: str | None = None,
    escalated: bool | None = None,
    overdue: bool | None = None,
    created_after: Moment | None = None,
    created_before: Moment | None = None,
) -> list[Any]:
    """Conditions on ``Ticket``; ``assignee`` is an agent's id, ``me`` or ``none``."""
    if created_after is not None and created_before is not None and created_after >= created_before:
        ctx.fail("invalid", "created_after must be earlier than created_before.")
    where: list[Any] = []
    if status:
        where.append(col(Ticket.status).in_(status))
    if priority:
        where.append(col(Ticket.priority).in_(priority))
    equal = (
        (Ticket.kind, kind),
        (Ticket.group_id, group_id),
        (Ticket.requester_id, requester_id),
        (Ticket.organization_id, organization_id),
        (Ticket.reference, reference),
        (Ticket.escalated, escalated),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if assignee == "none":
        where.append(col(Ticket.assignee_id).is_(None))
    elif assignee is not None:
        where.append(col(Ticket.assignee_id) == (agent.id if assignee == "me" else assignee))
    if tag is not None:
        where.append(col(Ticket.tags).contains([tag]))
    if overdue is not None:
        late = and_(col(Ticket.status) == "open", col(Ticket.resolution_due_at) < ctx.now())
        where.append(late if overdue else ~late)
    if created_after is not None:
        where.append(col(Ticket.created_at) >= created_after)
    if created_before is not None:
        where.append(col(Ticket.created_at) < created_before)
    return where


def ticket_page(
    ctx: Context, where: list[Any], sort: str = "newest", limit: int = 20, cursor: str | None = None
) -> dict[str, Any]:
    """A page of tickets in one of the orders that lists offer."""
    created, updated, due = col(Ticket.created_at), col(Ticket.updated_at), col(Ticket.resolution_due_at)
    order = {"newest": created.desc(), "oldest": created, "recently_updated": updated.desc(), "due": due}[sort]
    page = ctx.page(Ticket, *where, order_by=[order], limit=limit, cursor=cursor)
    return {
        "items": ticket_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Ticket, *where),
    }
