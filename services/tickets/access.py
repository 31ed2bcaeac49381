"""Who the acting agent is, what they may do to a ticket, and the trail that it leaves."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.tickets.state import Agent, AgentGroup, AuditEvent, GroupMembership, Ticket


def me(ctx: Context) -> Agent:
    """The agent whose assistant is calling."""
    found = ctx.first(Agent, col(Agent.email) == ctx.user.email)
    if found is None:
        ctx.fail("forbidden", f"{ctx.user.name} is not an agent of this help desk.")
    return found


def role_in(ctx: Context, agent: Agent, group_id: str) -> str | None:
    """``agent``, ``lead`` or ``None`` for somebody outside the group."""
    place = ctx.get(GroupMembership, group_id, agent.id)
    return place.role if place else None


def _group_name(ctx: Context, group_id: str) -> str:
    return ctx.require(AgentGroup, group_id).name


def require_group(ctx: Context, agent: Agent, ticket: Ticket) -> None:
    """Refuse whoever does not belong to the ticket's group."""
    if role_in(ctx, agent, ticket.group_id) is None:
        ctx.fail(
            "forbidden",
            f"Ticket {ticket.id} belongs to {_group_name(ctx, ticket.group_id)}, of which you are no member; "
            "add_internal_note still works.",
        )


def require_lead(ctx: Context, agent: Agent, ticket: Ticket) -> None:
    """Refuse whoever does not lead the ticket's group."""
    if role_in(ctx, agent, ticket.group_id) != "lead":
        ctx.fail("forbidden", f"Only a lead of {_group_name(ctx, ticket.group_id)} may do this to {ticket.id}.")


def require_not_closed(ctx: Context, ticket: Ticket) -> None:
    """Refuse changes of a closed ticket."""
    if ticket.status == "closed":
        where = f"it was merged into {ticket.merged_into_id}" if ticket.merged_into_id else "open a new ticket"
        ctx.fail("conflict", f"Ticket {ticket.id} is closed for good; {where}.")


def changeable(ctx: Context, ticket_id: str) -> tuple[Ticket, Agent]:
    """A ticket that the acting agent may change now, and that agent."""
    agent = me(ctx)
    ticket = ctx.require(Ticket, ticket_id)
    require_group(ctx, agent, ticket)
    require_not_closed(ctx, ticket)
    return ticket, agent


def record(ctx: Context, ticket: Ticket, action: str, old: Any = None, new: Any = None) -> None:
    """Write one change into the ticket's trail and touch the ticket."""
    last = ctx.rows(select(func.max(AuditEvent.number)).where(col(AuditEvent.ticket_id) == ticket.id))[0][0]
    ctx.add(
        AuditEvent(
            id=ctx.new_id("aud"),
            ticket_id=ticket.id,
            number=(last or 0) + 1,
            actor_name=ctx.user.name,
            actor_email=ctx.user.email,
            action=action,
            old_value=_text(old),
            new_value=_text(new),
            at=ctx.now(),
        )
    )
    ticket.updated_at = ctx.now()


def _text(value: Any) -> str | None:
    if isinstance(value, list):
        return ", ".join(value)[:500]
    return None if value is None else str(value)[:500]


def change(ctx: Context, ticket: Ticket, name: str, value: Any) -> bool:
    """Set a field and record it; whether it was another value before."""
    old = getattr(ticket, name)
    if old == value:
        return False
    setattr(ticket, name, value)
    record(ctx, ticket, name, old, value)
    return True
