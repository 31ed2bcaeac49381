"""What is remembered of incidents and of who is on call."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from engine.kit import Entity, field, key, ref

SEVERITIES = ("sev1", "sev2", "sev3", "sev4")
STATUSES = ("triggered", "acknowledged", "mitigated", "resolved")


class IncidentsEntity(Entity):
    """Base of the entities of incidents."""

    __service__ = "incidents"


class Teammate(IncidentsEntity, table=True):
    """A colleague who can be called."""

    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    team: str = field("category", max_length=40)
    phone: str = field("phone", default="", max_length=40)


class Schedule(IncidentsEntity, table=True):
    """Who is on call: the rotation's members one after the other, a shift each, from ``starts_at`` on."""

    id: str = key("sch")
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=300)
    rotation: list[str] = field("tags", description="addresses in the order of the shifts")
    shift_days: int = field("quantity", ge=1, le=28)
    starts_at: datetime = field("datetime")
    manager_email: str = ref("incidents_teammate.email")


class Override(IncidentsEntity, table=True):
    """Somebody takes over a schedule for a time."""

    id: str = key("ovr")
    schedule_id: str = ref("incidents_schedule.id", on_delete="cascade")
    person_email: str = ref("incidents_teammate.email")
    starts_at: datetime = field("datetime")
    ends_at: datetime = field("datetime")
    reason: str = field("text", default="", max_length=300)
    created_by: str = field("email", max_length=200)


class Service(IncidentsEntity, table=True):
    """Something that must work.

    A step of its escalation policy is ``{"after_minutes"}`` with ``schedule_id`` or ``person_email``.
    """

    id: str = key("svc")
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=300)
    team: str = field("category", max_length=40)
    owner_email: str = ref("incidents_teammate.email")
    tier: str = field("category", choices=("tier1", "tier2", "tier3"))
    escalation_steps: list[dict[str, Any]] = field("json")


class Incident(IncidentsEntity, table=True):
    """Something that does not work."""

    id: str = key("inc")
    service_id: str = ref("incidents_service.id")
    title: str = field("title", min_length=1, max_length=200)
    summary: str = field("text", default="", max_length=5_000)
    severity: str = field("category", choices=SEVERITIES)
    status: str = field("status", choices=STATUSES, default="triggered", index=True)
    reference: str | None = field("code", default=None, max_length=40)
    assignee_email: str = ref("incidents_teammate.email")
    responder_emails: list[str] = field("tags", default_factory=list)
    escalation_level: int = field("quantity", default=1, ge=1, description="step of the policy that was called last")
    reopened_count: int = field("quantity", default=0, ge=0)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime", index=True)
    acknowledged_at: datetime | None = field("datetime", default=None)
    mitigated_at: datetime | None = field("datetime", default=None)
    resolved_at: datetime | None = field("datetime", default=None)


class TimelineEntry(IncidentsEntity, table=True):
    """Something that happened in an incident."""

    id: str = key("tle")
    incident_id: str = ref("incidents_incident.id", on_delete="cascade")
    number: int = field("quantity", ge=1)
    kind: str = field("category", choices=("status", "severity", "escalation", "note", "status_update"))
    text: str = field("text", max_length=2_200)
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class StatusUpdate(IncidentsEntity, table=True):
    """What customers read on the status page."""

    id: str = key("upd")
    incident_id: str = ref("incidents_incident.id", on_delete="cascade")
    state: str = field("status", choices=("investigating", "identified", "monitoring", "resolved"))
    message: str = field("text", min_length=1, max_length=1_000)
    author_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Postmortem(IncidentsEntity, table=True):
    """What was learned from an incident."""

    id: str = key("pmo")
    incident_id: str = ref("incidents_incident.id", on_delete="cascade")
    summary: str = field("text", min_length=1, max_length=5_000)
    root_cause: str = field("text", default="", max_length=5_000)
    owner_email: str = ref("incidents_teammate.email")
    created_at: datetime = field("datetime")


class ActionItem(IncidentsEntity, table=True):
    """Something to be done, so that it does not happen again."""

    id: str = key("act")
    postmortem_id: str = ref("incidents_postmortem.id", on_delete="cascade")
    title: str = field("title", min_length=1, max_length=200)
    owner_email: str = ref("incidents_teammate.email")
    due_on: date = field("date", index=True)
    status: str = field("status", choices=("open", "done", "dropped"), default="open")
    created_at: datetime = field("datetime")
    done_at: datetime | None = field("datetime", default=None)
