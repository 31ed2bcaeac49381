"""Tools that find and read tickets."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.tickets.access import me
from services.tickets.state import AuditEvent, Comment, Ticket, TicketLink
from services.tickets.views import conditions, ticket_page, ticket_view, ticket_views


@tool
def list_tickets(
    ctx: Context,
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
    sort: str = "newest",
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Tickets that meet every filter."""
    where = conditions(
        ctx,
        me(ctx),
        status=status,
        priority=priority,
        kind=kind,
        group_id=group_id,
        assignee=assignee,
        requester_id=requester_id,
        organization_id=organization_id,
        tag=tag,
        reference=reference,
        escalated=escalated,
        overdue=overdue,
        created_after=created_after,
        created_before=created_before,
    )
    return ticket_page(ctx, where, sort, limit, cursor)


@tool
def search_tickets(
    ctx: Context, query: str, status: list[str] | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Tickets in which every word occurs, in subject, description, reference or a comment."""
    where = conditions(ctx, me(ctx), status=status)
    for word in query.split():
        said = select(col(Comment.ticket_id)).where(contains(Comment.body, word))
        where.append(
            or_(
                contains(Ticket.subject, word),
                contains(Ticket.description, word),
                contains(Ticket.reference, word),
                col(Ticket.id).in_(said),
            )
        )
    return ticket_page(ctx, where, limit=limit, cursor=cursor)


@tool
def get_ticket(ctx: Context, ticket_id: str) -> Any:
    """One ticket in full."""
    me(ctx)
    ticket = ctx.require(Ticket, ticket_id)
    comments = ctx.count(Comment, col(Comment.ticket_id) == ticket.id)
    return ticket_view(ctx, ticket) | {"comment_count": comments}


@tool
def list_comments(
    ctx: Context, ticket_id: str, visibility: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Replies and notes of a ticket, oldest first."""
    me(ctx)
    where = [col(Comment.ticket_id) == ctx.require(Ticket, ticket_id).id]
    if visibility is not None:
        where.append(col(Comment.visibility) == visibility)
    order = [col(Comment.created_at)]
    return ctx.page(Comment, *where, order_by=order, limit=limit, cursor=cursor).out() | {
        "total": ctx.count(Comment, *where)
    }


@tool
def get_audit_trail(
    ctx: Context, ticket_id: str, action: str | None = None, limit: int = 50, cursor: str | None = None
) -> Any:
    """What was changed on a ticket, in order."""
    me(ctx)
    where = [col(AuditEvent.ticket_id) == ctx.require(Ticket, ticket_id).id]
    if action is not None:
        where.append(col(AuditEvent.action) == action)
    return ctx.page(AuditEvent, *where, order_by=[col(AuditEvent.number)], limit=limit, cursor=cursor).out()


@tool
def list_linked_tickets(ctx: Context, ticket_id: str) -> Any:
    """The tickets linked with one, and how."""
    me(ctx)
    ticket = ctx.require(Ticket, ticket_id)
    links = ctx.list(TicketLink, or_(col(TicketLink.from_id) == ticket.id, col(TicketLink.to_id) == ticket.id))
    others = {link.to_id if link.from_id == ticket.id else link.from_id for link in links}
    views = {item["id"]: item for item in ticket_views(ctx, ctx.list(Ticket, col(Ticket.id).in_(others)))}
    relation = {
        ("incident_of", True): "problem",
        ("incident_of", False): "incident",
        ("duplicate_of", True): "merged_into",
        ("duplicate_of", False): "duplicate",
    }
    items = []
    for link in links:
        outgoing = link.from_id == ticket.id
        items.append(
            {
                "relation": relation.get((link.kind, outgoing), "related"),
                "ticket": views[link.to_id if outgoing else link.from_id],
            }
        )
    return {"items": items}
