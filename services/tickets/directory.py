"""Tools for people, groups, customers and promised times."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.tickets import sla
from services.tickets.access import me
from services.tickets.state import (
    PRIORITIES,
    TIERS,
    Agent,
    AgentGroup,
    GroupMembership,
    Holiday,
    Organization,
    Requester,
    SlaPolicy,
    Ticket,
)
from services.tickets.views import UNSOLVED, is_overdue


def _unsolved_by(ctx: Context, column: Any, *where: Any) -> dict[str, int]:
    statement: Any = select(column, func.count())
    statement = statement.where(col(Ticket.status).in_(UNSOLVED), *where).group_by(column).order_by(column)
    return {row[0]: row[1] for row in ctx.rows(statement) if row[0] is not None}


@tool
def list_agents(ctx: Context, query: str | None = None, group_id: str | None = None, status: str | None = None) -> Any:
    """Agents with their groups and how many tickets they hold."""
    me(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Agent.name, query), contains(Agent.email, query)))
    if group_id is not None:
        inside = select(col(GroupMembership.agent_id)).where(col(GroupMembership.group_id) == group_id)
        where.append(col(Agent.id).in_(inside))
    if status is not None:
        where.append(col(Agent.status) == status)
    agents = ctx.list(Agent, *where, order_by=[col(Agent.name)])
    groups: dict[str, list[dict[str, str]]] = {item.id: [] for item in agents}
    for place in ctx.list(GroupMembership, col(GroupMembership.agent_id).in_(groups)):
        groups[place.agent_id].append({"group_id": place.group_id, "role": place.role})
    held = _unsolved_by(ctx, col(Ticket.assignee_id), col(Ticket.assignee_id).in_(groups))
    return {
        "items": [item.out() | {"groups": groups[item.id], "unsolved_tickets": held.get(item.id, 0)} for item in agents]
    }


@tool
def list_groups(ctx: Context) -> Any:
    """Groups with their members and queues."""
    agent = me(ctx)
    places = ctx.list(GroupMembership)
    queues = _unsolved_by(ctx, col(Ticket.group_id))
    free = _unsolved_by(ctx, col(Ticket.group_id), col(Ticket.assignee_id).is_(None))
    items = []
    for group in ctx.list(AgentGroup, order_by=[col(AgentGroup.name)]):
        members = [place for place in places if place.group_id == group.id]
        items.append(
            group.out()
            | {
                "members": [{"agent_id": place.agent_id, "role": place.role} for place in members],
                "my_role": next((place.role for place in members if place.agent_id == agent.id), None),
                "unsolved_tickets": queues.get(group.id, 0),
                "unassigned_tickets": free.get(group.id, 0),
            }
        )
    return {"items": items}


@tool
def get_group_workload(ctx: Context, group_id: str) -> Any:
    """How a group's unsolved tickets are spread."""
    me(ctx)
    group = ctx.require(AgentGroup, group_id)
    tickets = ctx.list(Ticket, col(Ticket.group_id) == group.id, col(Ticket.status).in_(UNSOLVED))
    agents = ctx.list(
        Agent,
        col(Agent.id).in_(select(col(GroupMembership.agent_id)).where(col(GroupMembership.group_id) == group.id)),
    )

    def counts(held: list[Ticket]) -> dict[str, int]:
        return {
            "unsolved": len(held),
            "urgent": sum(item.priority == "urgent" for item in held),
            "overdue": sum(is_overdue(ctx, item) for item in held),
        }

    items = [
        {"agent_id": agent.id, "name": agent.name, "status": agent.status}
        | counts([item for item in tickets if item.assignee_id == agent.id])
        for agent in agents
    ]
    unassigned = counts([item for item in tickets if item.assignee_id is None])
    return {"group_id": group.id, "name": group.name, "items": items, "unassigned": unassigned}


@tool
def set_availability(ctx: Context, status: str) -> Any:
    """Whether the user takes tickets."""
    agent = me(ctx)
    agent.status = status
    ctx.flush()
    held = ctx.count(Ticket, col(Ticket.assignee_id) == agent.id, col(Ticket.status).in_(UNSOLVED))
    return agent.out() | {"unsolved_tickets": held}


@tool
def list_requesters(
    ctx: Context,
    query: str | None = None,
    email: str | None = None,
    organization_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Requesters by name."""
    me(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Requester.name, query), contains(Requester.email, query)))
    if email is not None:
        where.append(col(Requester.email) == email.strip().lower())
    if organization_id is not None:
        where.append(col(Requester.organization_id) == organization_id)
    page = ctx.page(Requester, *where, order_by=[col(Requester.name)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Requester, *where)}


@tool
def create_requester(ctx: Context, name: str, email: str, phone: str = "", organization_id: str | None = None) -> Any:
    """A new requester."""
    me(ctx)
    address = email.strip().lower()
    if not name.strip():
        ctx.fail("invalid", "name needs visible characters.")
    local, _, domain = address.partition("@")
    if not local or "." not in domain or "@" in domain or any(char.isspace() for char in address):
        ctx.fail("invalid", f"email: {email!r} is not an address.")
    if ctx.exists(Requester, col(Requester.email) == address):
        ctx.fail("conflict", f"There is a requester with the address {address} already.")
    if organization_id is None:
        known = ctx.first(Organization, col(Organization.domain) == domain)
        organization_id = known.id if known else None
    else:
        ctx.require(Organization, organization_id)
    return ctx.add(
        Requester(
            id=ctx.new_id("req"),
            name=name.strip(),
            email=address,
            phone=phone,
            organization_id=organization_id,
        )
    )


@tool
def list_organizations(
    ctx: Context,
    query: str | None = None,
    tier: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Organisations by name, with their unsolved tickets."""
    me(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Organization.name, query), contains(Organization.domain, query)))
    if tier is not None:
        where.append(col(Organization.tier) == tier)
    page = ctx.page(Organization, *where, order_by=[col(Organization.name)], limit=limit, cursor=cursor)
    ids = [item.id for item in page.items]
    held = _unsolved_by(ctx, col(Ticket.organization_id), col(Ticket.organization_id).in_(ids))
    return {
        "items": [item.out() | {"unsolved_tickets": held.get(item.id, 0)} for item in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def list_sla_policies(ctx: Context, tier: str | None = None) -> Any:
    """What is promised to whom, and the business hours in which it is counted."""
    me(ctx)
    found = ctx.list(SlaPolicy, *([] if tier is None else [col(SlaPolicy.tier) == tier]))
    found.sort(key=lambda item: (TIERS.index(item.tier), -PRIORITIES.index(item.priority)))
    return {
        "items": found,
        "business_hours": {
            "days": ["monday", "tuesday", "wednesday", "thursday", "friday"],
            "opens": f"{sla.OPENS:02d}:00",
            "closes": f"{sla.CLOSES:02d}:00",
            "time_zone": "UTC",
        },
        "holidays": ctx.list(Holiday, order_by=[col(Holiday.day)]),
    }
