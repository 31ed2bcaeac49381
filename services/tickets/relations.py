"""Tools that merge tickets and link them."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.tickets import workflow
from services.tickets.access import change, changeable, me, record
from services.tickets.state import Requester, Ticket, TicketLink
from services.tickets.views import UNSOLVED, ticket_view


@tool
def merge_tickets(ctx: Context, target_id: str, source_ids: list[str]) -> Any:
    """Close duplicates and carry what they say over to one ticket."""
    target, _ = changeable(ctx, target_id)
    if target.status not in UNSOLVED:
        ctx.fail("conflict", f"Ticket {target.id} is {target.status}; merge into one that is not solved.")
    for source_id in dict.fromkeys(source_ids):
        if source_id == target.id:
            ctx.fail("invalid", f"Ticket {target.id} cannot be merged into itself.")
        source, _ = changeable(ctx, source_id)
        _require_same_customer(ctx, source, target)
        if ctx.exists(TicketLink, col(TicketLink.to_id) == source.id, col(TicketLink.kind) == "incident_of"):
            ctx.fail("conflict", f"Ticket {source.id} is a problem with incidents; unlink them first.")
        _merge(ctx, source, target)
    return ticket_view(ctx, target) | {"merged": list(dict.fromkeys(source_ids))}


def _require_same_customer(ctx: Context, source: Ticket, target: Ticket) -> None:
    same = source.requester_id == target.requester_id or (
        source.organization_id is not None and source.organization_id == target.organization_id
    )
    if not same:
        ctx.fail(
            "conflict",
            f"Tickets {source.id} and {target.id} are from different customers; link them instead.",
        )


def _merge(ctx: Context, source: Ticket, target: Ticket) -> None:
    requester = ctx.require(Requester, source.requester_id)
    # Bounded, so that a long description still fits into a note.
    quote = f"Merged from {source.id}, {requester.name}: {source.subject}\n\n{source.description}"[:10_000]
    workflow.comment(ctx, target, quote, "internal")
    workflow.retag(ctx, target, list(source.tags), [])
    if workflow.rank(source.priority) > workflow.rank(target.priority):
        workflow.set_priority(ctx, target, source.priority)
    ctx.add(TicketLink(from_id=source.id, to_id=target.id, kind="duplicate_of", created_at=ctx.now()))
    source.merged_into_id = target.id
    source.paused_since = None
    source.closed_at = ctx.now()
    record(ctx, source, "merged_into", None, target.id)
    record(ctx, target, "merged_from", None, source.id)
    change(ctx, source, "status", "closed")


@tool
def link_tickets(ctx: Context, ticket_id: str, other_id: str, kind: str) -> Any:
    """Link an incident with its problem, or two related tickets."""
    ticket, _ = changeable(ctx, ticket_id)
    other = ctx.require(Ticket, other_id)
    if ticket.id == other.id:
        ctx.fail("invalid", f"Ticket {ticket.id} cannot be linked with itself.")
    first, second = (ticket.id, other.id) if kind == "incident_of" else sorted((ticket.id, other.id))
    if ctx.get(TicketLink, first, second, kind):
        ctx.fail("conflict", f"Tickets {ticket.id} and {other.id} are linked so already.")
    if kind == "incident_of":
        _require_incident(ctx, ticket, other)
    link = ctx.add(TicketLink(from_id=first, to_id=second, kind=kind, created_at=ctx.now()))
    record(ctx, ticket, "linked", None, f"{kind} {other.id}")
    return link


def _require_incident(ctx: Context, ticket: Ticket, problem: Ticket) -> None:
    if ticket.kind != "incident":
        ctx.fail("conflict", f"Ticket {ticket.id} is a {ticket.kind}; only an incident belongs to a problem.")
    if problem.kind != "problem":
        ctx.fail("conflict", f"Ticket {problem.id} is a {problem.kind}, not a problem.")
    if problem.status not in UNSOLVED:
        ctx.fail("conflict", f"Problem {problem.id} is {problem.status} and takes no more incidents.")
    earlier = ctx.first(TicketLink, col(TicketLink.from_id) == ticket.id, col(TicketLink.kind) == "incident_of")
    if earlier is not None:
        ctx.fail("conflict", f"Ticket {ticket.id} is an incident of {earlier.to_id} already; unlink it first.")


@tool
def unlink_tickets(ctx: Context, ticket_id: str, other_id: str, kind: str) -> Any:
    """Take a link away."""
    ticket, _ = changeable(ctx, ticket_id)
    first, second = (ticket_id, other_id) if kind == "incident_of" else sorted((ticket_id, other_id))
    link = ctx.get(TicketLink, first, second, kind)
    if link is None:
        ctx.fail("not_found", f"Ticket {ticket_id} is not linked as {kind} with {other_id}.")
    ctx.delete(link)
    record(ctx, ticket, "unlinked", f"{kind} {other_id}", None)
    return {"ticket_id": ticket_id, "other_id": other_id, "kind": kind, "unlinked": True}


@tool
def list_problems(ctx: Context, include_solved: bool = False) -> Any:
    """Problem tickets with how many incidents each has."""
    me(ctx)
    where = [col(Ticket.kind) == "problem"]
    if not include_solved:
        where.append(col(Ticket.status).in_(UNSOLVED))
    problems = ctx.list(Ticket, *where, order_by=[col(Ticket.created_at).desc()], limit=100)
    links = ctx.list(
        TicketLink,
        col(TicketLink.to_id).in_([item.id for item in problems]),
        col(TicketLink.kind) == "incident_of",
    )
    incidents: dict[str, list[str]] = {item.id: [] for item in problems}
    for link in links:
        incidents[link.to_id].append(link.from_id)
    return {
        "items": [
            item.out("id", "subject", "status", "priority", "group_id", "assignee_id", "created_at")
            | {"incident_count": len(incidents[item.id]), "incident_ids": incidents[item.id]}
            for item in problems
        ]
    }
