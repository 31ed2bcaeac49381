"""Tools that create tickets and change their fields, state and holder."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, tool
from services.tickets import sla, workflow
from services.tickets.access import change, changeable, me, record, require_lead, role_in
from services.tickets.state import (
    PRIORITIES,
    Agent,
    AgentGroup,
    GroupMembership,
    Requester,
    Ticket,
    TicketLink,
)
from services.tickets.views import ticket_view


@tool
def create_ticket(
    ctx: Context,
    requester_id: str,
    subject: str,
    description: str,
    group_id: str,
    kind: str = "question",
    priority: str = "normal",
    source: str = "agent",
    reference: str | None = None,
    assignee_id: str | None = None,
    tags: list[str] | None = None,
    follow_up_of: str | None = None,
) -> Any:
    """A new open ticket."""
    agent = me(ctx)
    requester = ctx.require(Requester, requester_id)
    group = ctx.require(AgentGroup, group_id)
    if not subject.strip() or not description.strip():
        ctx.fail("invalid", "subject and description need visible characters.")
    workflow.require_tags(ctx, tags or [])
    earlier = ctx.require(Ticket, follow_up_of) if follow_up_of is not None else None
    if earlier is not None and earlier.status != "closed":
        ctx.fail("conflict", f"Ticket {earlier.id} is {earlier.status}, not closed; continue it instead.")
    if assignee_id is not None:
        require_assignable(ctx, assignee_id, group)
        if assignee_id != agent.id and role_in(ctx, agent, group.id) != "lead":
            ctx.fail("forbidden", f"Only a lead of {group.name} may assign its tickets to others.")
    now = ctx.now()
    ticket = Ticket(
        id=ctx.new_id("tkt"),
        subject=subject.strip(),
        description=description,
        kind=kind,
        priority=priority,
        source=source,
        reference=reference,
        requester_id=requester.id,
        organization_id=requester.organization_id,
        group_id=group.id,
        assignee_id=assignee_id,
        tags=sorted(set(tags or [])),
        created_at=now,
        updated_at=now,
        first_response_due_at=now,
        resolution_due_at=now,
        resolution_started_at=now,
    )
    sla.refresh(ctx, ticket)
    ctx.add(ticket)
    record(ctx, ticket, "created", None, ticket.subject)
    if earlier is not None:
        first, second = sorted((earlier.id, ticket.id))
        ctx.add(TicketLink(from_id=first, to_id=second, kind="related", created_at=now))
    return ticket_view(ctx, ticket)


def require_assignable(ctx: Context, agent_id: str, group: AgentGroup) -> Agent:
    """The agent, if tickets of the group can be given to them now."""
    agent = ctx.require(Agent, agent_id)
    if role_in(ctx, agent, group.id) is None:
        ctx.fail("conflict", f"{agent.name} ({agent.id}) is not in {group.name}; list_agents shows who is.")
    if agent.status == "absent":
        ctx.fail("conflict", f"{agent.name} ({agent.id}) is absent and takes no tickets.")
    return agent


@tool
def update_ticket(
    ctx: Context,
    ticket_id: str,
    subject: str = "",
    kind: str = "",
    priority: str = "",
    reference: str | None = "",
    requester_id: str = "",
) -> Any:
    """Change what a ticket is about."""
    ticket, agent = changeable(ctx, ticket_id)
    if not (subject or kind or priority or requester_id or reference is None or reference):
        ctx.fail("invalid", "Give at least one of subject, kind, priority, reference and requester_id.")
    if subject:
        if not subject.strip():
            ctx.fail("invalid", "subject needs visible characters.")
        change(ctx, ticket, "subject", subject.strip())
    if kind and kind != ticket.kind:
        linked = or_(col(TicketLink.from_id) == ticket.id, col(TicketLink.to_id) == ticket.id)
        if ctx.exists(TicketLink, linked, col(TicketLink.kind) == "incident_of"):
            ctx.fail("conflict", f"Ticket {ticket.id} is linked as problem or incident; unlink it first.")
        change(ctx, ticket, "kind", kind)
    if reference is None or reference:
        change(ctx, ticket, "reference", reference)
    if requester_id and requester_id != ticket.requester_id:
        requester = ctx.require(Requester, requester_id)
        change(ctx, ticket, "requester_id", requester.id)
        change(ctx, ticket, "organization_id", requester.organization_id)
        sla.refresh(ctx, ticket)
    if priority:
        lower_priority(ctx, ticket, agent, priority)
        workflow.set_priority(ctx, ticket, priority)
    ctx.flush()
    return ticket_view(ctx, ticket)


def lower_priority(ctx: Context, ticket: Ticket, agent: Agent, priority: str) -> None:
    """Refuse who lowers an escalated ticket without leading its group."""
    if ticket.escalated and workflow.rank(priority) < workflow.rank(ticket.priority):
        require_lead(ctx, agent, ticket)


@tool
def update_tags(ctx: Context, ticket_id: str, add: list[str] | None = None, remove: list[str] | None = None) -> Any:
    """Add tags to a ticket and remove others."""
    ticket, _ = changeable(ctx, ticket_id)
    if not add and not remove:
        ctx.fail("invalid", "Give tags to add or to remove.")
    missing = sorted(set(remove or []) - set(ticket.tags))
    if missing:
        ctx.fail("not_found", f"Ticket {ticket.id} does not carry the tag {missing[0]!r}.")
    both = sorted(set(add or []) & set(remove or []))
    if both:
        ctx.fail("invalid", f"The tag {both[0]!r} is both to be added and removed.")
    workflow.retag(ctx, ticket, add or [], remove or [])
    return ticket_view(ctx, ticket)


@tool
def set_ticket_status(ctx: Context, ticket_id: str, status: str, reason: str = "") -> Any:
    """Take a ticket to another state."""
    ticket, _ = changeable(ctx, ticket_id)
    also_solved = workflow.move(ctx, ticket, status, reason)
    return ticket_view(ctx, ticket) | {"also_solved": also_solved}


@tool
def reopen_ticket(ctx: Context, ticket_id: str, reason: str) -> Any:
    """Make a solved ticket open again."""
    ticket, _ = changeable(ctx, ticket_id)
    workflow.reopen(ctx, ticket)
    workflow.comment(ctx, ticket, reason, "internal")
    return ticket_view(ctx, ticket)


@tool
def assign_ticket(ctx: Context, ticket_id: str, agent_id: str) -> Any:
    """Give a ticket to an agent of its group."""
    ticket, agent = changeable(ctx, ticket_id)
    assign(ctx, ticket, agent, agent_id)
    return ticket_view(ctx, ticket)


def assign(ctx: Context, ticket: Ticket, agent: Agent, agent_id: str) -> None:
    """Change a ticket's holder as far as the acting agent may."""
    group = ctx.require(AgentGroup, ticket.group_id)
    require_assignable(ctx, agent_id, group)
    if ticket.status == "solved":
        ctx.fail("conflict", f"Ticket {ticket.id} is solved; reopen it before it changes hands.")
    if ticket.assignee_id == agent_id:
        ctx.fail("conflict", f"Ticket {ticket.id} is assigned to {agent_id} already.")
    takes_free = ticket.assignee_id is None and agent_id == agent.id
    if not takes_free and ticket.assignee_id != agent.id and role_in(ctx, agent, group.id) != "lead":
        ctx.fail(
            "forbidden",
            f"You may take free tickets of {group.name} and hand over your own; ask one of its leads.",
        )
    change(ctx, ticket, "assignee_id", agent_id)


@tool
def unassign_ticket(ctx: Context, ticket_id: str) -> Any:
    """Put a ticket back into its group's queue."""
    ticket, agent = changeable(ctx, ticket_id)
    if ticket.assignee_id is None:
        ctx.fail("conflict", f"Ticket {ticket.id} has no assignee.")
    if ticket.status == "solved":
        ctx.fail("conflict", f"Ticket {ticket.id} is solved and keeps who solved it.")
    if ticket.assignee_id != agent.id:
        require_lead(ctx, agent, ticket)
    change(ctx, ticket, "assignee_id", None)
    return ticket_view(ctx, ticket)


@tool
def transfer_ticket(ctx: Context, ticket_id: str, group_id: str, note: str = "") -> Any:
    """Hand a ticket to another group."""
    ticket, _ = changeable(ctx, ticket_id)
    if note.strip():
        workflow.comment(ctx, ticket, note, "internal")
    transfer(ctx, ticket, group_id)
    return ticket_view(ctx, ticket)


def transfer(ctx: Context, ticket: Ticket, group_id: str) -> None:
    """Change a ticket's group; a holder who is not in the new one loses it."""
    group = ctx.require(AgentGroup, group_id)
    if ticket.status == "solved":
        ctx.fail("conflict", f"Ticket {ticket.id} is solved; reopen it before it changes hands.")
    if not change(ctx, ticket, "group_id", group.id):
        ctx.fail("conflict", f"Ticket {ticket.id} is with {group.name} already.")
    if ticket.assignee_id and ctx.get(GroupMembership, group.id, ticket.assignee_id) is None:
        change(ctx, ticket, "assignee_id", None)


@tool
def escalate_ticket(ctx: Context, ticket_id: str, reason: str, group_id: str | None = None) -> Any:
    """Raise a ticket's priority by one step and mark it escalated."""
    ticket, agent = changeable(ctx, ticket_id)
    require_lead(ctx, agent, ticket)
    if ticket.status == "solved":
        ctx.fail("conflict", f"Ticket {ticket.id} is solved; reopen it before it is escalated.")
    if ticket.escalated:
        ctx.fail("conflict", f"Ticket {ticket.id} is escalated already.")
    workflow.comment(ctx, ticket, reason, "internal")
    change(ctx, ticket, "escalated", True)
    workflow.set_priority(ctx, ticket, PRIORITIES[min(workflow.rank(ticket.priority) + 1, len(PRIORITIES) - 1)])
    if group_id is not None:
        transfer(ctx, ticket, group_id)
    return ticket_view(ctx, ticket)
