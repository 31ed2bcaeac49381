"""What the help desk remembers."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from engine.kit import Entity, field, key, ref

STATUSES = ("open", "pending", "on_hold", "solved", "closed")
PRIORITIES = ("low", "normal", "high", "urgent")
TIERS = ("gold", "silver", "bronze")


class TicketsEntity(Entity):
    """Base of the help desk's entities."""

    __service__ = "tickets"


class Organization(TicketsEntity, table=True):
    """A customer company; its tier decides how fast it is served."""

    id: str = key("org")
    name: str = field("company", unique=True, max_length=120)
    domain: str = field("url", unique=True, max_length=120, description="domain of its mail addresses")
    tier: str = field("category", choices=TIERS)


class Requester(TicketsEntity, table=True):
    """Somebody who asks for help."""

    id: str = key("req")
    name: str = field("person", max_length=120)
    email: str = field("email", unique=True, max_length=200)
    phone: str = field("phone", default="", max_length=40)
    organization_id: str | None = ref("tickets_organization.id", default=None)


class Agent(TicketsEntity, table=True):
    """Somebody who answers tickets."""

    id: str = key("agt")
    name: str = field("person", max_length=120)
    email: str = field("email", unique=True, max_length=200)
    status: str = field("status", choices=("active", "absent"), default="active")


class AgentGroup(TicketsEntity, table=True):
    """A team that tickets are given to."""

    id: str = key("grp")
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=300)


class GroupMembership(TicketsEntity, table=True):
    """An agent's place in a group; leads may escalate and reassign."""

    group_id: str = ref("tickets_agent_group.id", key=True)
    agent_id: str = ref("tickets_agent.id", key=True)
    role: str = field("category", choices=("agent", "lead"), default="agent")


class SlaPolicy(TicketsEntity, table=True):
    """Promised times for a customer tier and a priority, in business minutes."""

    tier: str = field("category", choices=TIERS, key=True)
    priority: str = field("category", choices=PRIORITIES, key=True)
    response_minutes: int = field("minutes", ge=1)
    resolution_minutes: int = field("minutes", ge=1)


class Holiday(TicketsEntity, table=True):
    """A weekday on which nobody works."""

    day: date = field("date", key=True)
    name: str = field("name", max_length=80)


class Ticket(TicketsEntity, table=True):
    """A request for help. Due times are derived: see ``sla.py``."""

    id: str = key("tkt")
    subject: str = field("title", min_length=1, max_length=200)
    description: str = field("text", min_length=1, max_length=10_000)
    kind: str = field("category", choices=("question", "incident", "problem", "task"), default="question")
    status: str = field("status", choices=STATUSES, default="open", index=True)
    priority: str = field("category", choices=PRIORITIES, default="normal")
    source: str = field("category", choices=("email", "phone", "chat", "web", "agent"), default="agent")
    reference: str | None = field("code", default=None, max_length=40, description="order, shipment or invoice")
    requester_id: str = ref("tickets_requester.id")
    organization_id: str | None = ref("tickets_organization.id", default=None)
    group_id: str = ref("tickets_agent_group.id")
    assignee_id: str | None = ref("tickets_agent.id", default=None)
    tags: list[str] = field("tags", default_factory=list)
    escalated: bool = field("flag", default=False)
    merged_into_id: str | None = ref("tickets_ticket.id", default=None)
    created_at: datetime = field("datetime", index=True)
    updated_at: datetime = field("datetime")
    first_response_due_at: datetime = field("datetime")
    first_responded_at: datetime | None = field("datetime", default=None)
    resolution_due_at: datetime = field("datetime")
    resolution_started_at: datetime = field("datetime", description="creation or last reopening")
    paused_minutes: int = field("minutes", default=0, ge=0, description="business minutes spent waiting")
    paused_since: datetime | None = field("datetime", default=None)
    solved_at: datetime | None = field("datetime", default=None)
    closed_at: datetime | None = field("datetime", default=None)
    reopened_count: int = field("quantity", default=0, ge=0)


class Comment(TicketsEntity, table=True):
    """A public reply or an internal note."""

    id: str = key("cmt")
    ticket_id: str = ref("tickets_ticket.id", on_delete="cascade")
    author_kind: str = field("category", choices=("agent", "requester"))
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    visibility: str = field("category", choices=("public", "internal"))
    body: str = field("text", min_length=1, max_length=10_000)
    created_at: datetime = field("datetime")


class TicketLink(TicketsEntity, table=True):
    """A relation of two tickets: an incident of a problem, a duplicate of its target, or related ones."""

    from_id: str = ref("tickets_ticket.id", key=True, on_delete="cascade")
    to_id: str = ref("tickets_ticket.id", key=True, on_delete="cascade")
    kind: str = field("category", key=True, choices=("incident_of", "duplicate_of", "related"))
    created_at: datetime = field("datetime")


class Satisfaction(TicketsEntity, table=True):
    """What the requester thought of the solution."""

    ticket_id: str = ref("tickets_ticket.id", key=True, on_delete="cascade")
    score: str = field("category", choices=("good", "bad"))
    comment: str = field("text", default="", max_length=2000)
    rated_at: datetime = field("datetime")


class Macro(TicketsEntity, table=True):
    """A prepared set of changes with a reply; ``None`` leaves a thing as it is."""

    id: str = key("mac")
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=300)
    reply: str | None = field("text", default=None, max_length=4000)
    visibility: str = field("category", choices=("public", "internal"), default="public")
    set_status: str | None = field("status", choices=STATUSES, default=None)
    set_priority: str | None = field("category", choices=PRIORITIES, default=None)
    add_tags: list[str] = field("tags", default_factory=list)
    active: bool = field("flag", default=True)


class View(TicketsEntity, table=True):
    """A saved filter over tickets: a queue."""

    id: str = key("viw")
    name: str = field("name", unique=True, max_length=80)
    filters: dict[str, Any] = field("json")
    owner_id: str | None = ref("tickets_agent.id", default=None)
    created_at: datetime = field("datetime")


class AuditEvent(TicketsEntity, table=True):
    """One change of one field of a ticket: who, when, from what to what."""

    id: str = key("aud")
    ticket_id: str = ref("tickets_ticket.id", on_delete="cascade")
    number: int = field("quantity", ge=1, description="position in the ticket's trail")
    actor_name: str = field("person", max_length=120)
    actor_email: str = field("email", max_length=200)
    action: str = field("category", max_length=40)
    old_value: str | None = field("text", default=None, max_length=500)
    new_value: str | None = field("text", default=None, max_length=500)
    at: datetime = field("datetime")
