"""Tools for incidents, their timeline and the status page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.incidents.oncall import called, require_teammates
from services.incidents.state import Incident, Postmortem, Service, StatusUpdate, TimelineEntry

STEPS: dict[str, tuple[str, ...]] = {
    "triggered": ("acknowledged",),
    "acknowledged": ("mitigated", "resolved"),
    "mitigated": ("resolved", "acknowledged"),
    "resolved": ("triggered",),
}
"""From each state to those that may follow."""

REOPEN_WINDOW = timedelta(days=7)
"""How long after its end an incident may be triggered again."""


def record(ctx: Context, incident: Incident, kind: str, text: str) -> TimelineEntry:
    """Write a line into an incident's timeline."""
    mine = col(TimelineEntry.incident_id) == incident.id
    last = ctx.rows(select(func.max(TimelineEntry.number)).where(mine))[0][0]
    return ctx.add(
        TimelineEntry(
            id=ctx.new_id("tle"),
            incident_id=incident.id,
            number=(last or 0) + 1,
            kind=kind,
            text=text,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )


def _minutes(start: datetime, end: datetime | None) -> int | None:
    return None if end is None else int((end - start).total_seconds() // 60)


def _view(ctx: Context, incident: Incident) -> dict[str, Any]:
    timeline = ctx.list(
        TimelineEntry, col(TimelineEntry.incident_id) == incident.id, order_by=[col(TimelineEntry.number)]
    )
    updates = ctx.list(
        StatusUpdate, col(StatusUpdate.incident_id) == incident.id, order_by=[col(StatusUpdate.created_at)]
    )
    postmortem = ctx.first(Postmortem, col(Postmortem.incident_id) == incident.id)
    return incident.out() | {
        "service_name": ctx.require(Service, incident.service_id).name,
        "minutes_to_acknowledge": _minutes(incident.created_at, incident.acknowledged_at),
        "minutes_to_resolve": _minutes(incident.created_at, incident.resolved_at),
        "timeline": [item.out(without=("incident_id",)) for item in timeline],
        "status_updates": [item.out(without=("incident_id",)) for item in updates],
        "postmortem_id": postmortem.id if postmortem else None,
    }


@tool
def list_incidents(
    ctx: Context,
    service_id: str | None = None,
    severity: str | None = None,
    status: str | None = None,
    assignee_email: str | None = None,
    responder_email: str | None = None,
    reference: str | None = None,
    query: str | None = None,
    created_after: Moment | None = None,
    created_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Incidents that meet every filter."""
    equal = (
        (Incident.service_id, service_id),
        (Incident.severity, severity),
        (Incident.status, status),
        (Incident.assignee_email, assignee_email),
        (Incident.reference, reference),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if responder_email is not None:
        where.append(col(Incident.responder_emails).contains([responder_email]))
    if query is not None:
        where.append(contains(Incident.title, query) | contains(Incident.summary, query))
    if created_after is not None:
        where.append(col(Incident.created_at) >= created_after)
    if created_before is not None:
        where.append(col(Incident.created_at) < created_before)
    page = ctx.page(Incident, *where, order_by=[col(Incident.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Incident, *where)}


@tool
def get_incident(ctx: Context, incident_id: str) -> Any:
    """An incident with its timeline."""
    return _view(ctx, ctx.require(Incident, incident_id))


@tool
def create_incident(
    ctx: Context,
    service_id: str,
    title: str,
    severity: str,
    summary: str = "",
    reference: str | None = None,
    responder_emails: list[str] | None = None,
) -> Any:
    """Declare an incident and call the first step."""
    service = ctx.require(Service, service_id)
    require_teammates(ctx, responder_emails or [], "responder_emails")
    incident = ctx.add(
        Incident(
            id=ctx.new_id("inc"),
            service_id=service.id,
            title=title,
            summary=summary,
            severity=severity,
            reference=reference,
            assignee_email=called(ctx, service, 1),
            responder_emails=responder_emails or [],
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    record(ctx, incident, "status", f"Triggered; called {incident.assignee_email}.")
    return _view(ctx, incident)


@tool
def update_incident(
    ctx: Context,
    incident_id: str,
    title: str | None = None,
    summary: str | None = None,
    severity: str | None = None,
    reference: str | None = "",
    responder_emails: list[str] | None = None,
) -> Any:
    """Change an incident; an empty ``reference`` stands for none given."""
    incident = ctx.require(Incident, incident_id)
    running = title is not None or severity is not None or responder_emails is not None
    if not running and summary is None and reference == "":
        ctx.fail("invalid", "Give at least one of title, summary, severity, reference and responder_emails.")
    if running and incident.status == "resolved":
        ctx.fail("conflict", f"The incident {incident.id} is resolved; only summary and reference can change.")
    if title is not None:
        incident.title = title
    if summary is not None:
        incident.summary = summary
    if reference != "":
        incident.reference = reference
    if responder_emails is not None:
        require_teammates(ctx, responder_emails, "responder_emails")
        incident.responder_emails = responder_emails
    if severity is not None and severity != incident.severity:
        record(ctx, incident, "severity", f"Severity {incident.severity} became {severity}.")
        incident.severity = severity
    ctx.flush()
    return _view(ctx, incident)


def _concerned(ctx: Context, incident: Incident) -> bool:
    """Whether the user works on the incident or owns its service."""
    owner = ctx.require(Service, incident.service_id).owner_email
    return ctx.user.email in (incident.assignee_email, owner, *incident.responder_emails)


@tool
def set_incident_status(ctx: Context, incident_id: str, status: str, note: str = "") -> Any:
    """Take an incident a step on."""
    incident = ctx.require(Incident, incident_id)
    if status not in STEPS[incident.status]:
        ways = " or ".join(STEPS[incident.status])
        ctx.fail("conflict", f"The incident {incident.id} is {incident.status}; from there it can become {ways}.")
    now = ctx.now()
    if status == "resolved":
        if not _concerned(ctx, incident):
            ctx.fail("forbidden", f"Only the assignee, responders and the service's owner may resolve {incident.id}.")
        if not note.strip():
            ctx.fail("invalid", "note: say what was done.")
        incident.resolved_at = now
    elif status == "mitigated":
        incident.mitigated_at = now
    elif status == "acknowledged":
        incident.mitigated_at = None
        incident.acknowledged_at = incident.acknowledged_at or now
        incident.assignee_email = ctx.user.email
    else:
        if incident.resolved_at is not None and now > incident.resolved_at + REOPEN_WINDOW:
            ctx.fail(
                "conflict", f"{incident.id} was resolved over {REOPEN_WINDOW.days} days ago; declare a new incident."
            )
        incident.acknowledged_at = incident.mitigated_at = incident.resolved_at = None
        incident.reopened_count += 1
        incident.escalation_level = 1
        incident.assignee_email = called(ctx, ctx.require(Service, incident.service_id), 1)
    text = f"{incident.status} became {status}. {note}".strip()
    incident.status = status
    record(ctx, incident, "status", text)
    return _view(ctx, incident)


@tool
def escalate_incident(ctx: Context, incident_id: str, reason: str) -> Any:
    """Call the next step of the policy."""
    incident = ctx.require(Incident, incident_id)
    if incident.status not in ("triggered", "acknowledged"):
        ctx.fail("conflict", f"The incident {incident.id} is {incident.status}; there is nothing to escalate.")
    service = ctx.require(Service, incident.service_id)
    if incident.escalation_level >= len(service.escalation_steps):
        ctx.fail("conflict", f"The last step of {service.name} was called for {incident.id} already.")
    incident.escalation_level += 1
    incident.assignee_email = called(ctx, service, incident.escalation_level)
    record(ctx, incident, "escalation", f"Step {incident.escalation_level}: {incident.assignee_email}. {reason}")
    return _view(ctx, incident)


@tool
def create_note(ctx: Context, incident_id: str, text: str) -> Any:
    """Add a note to the timeline."""
    return record(ctx, ctx.require(Incident, incident_id), "note", text)


@tool
def create_status_update(ctx: Context, incident_id: str, state: str, message: str) -> Any:
    """Tell customers."""
    incident = ctx.require(Incident, incident_id)
    if incident.severity == "sev4":
        ctx.fail("forbidden", f"{incident.id} is sev4 and does not go to the status page; raise its severity first.")
    if not _concerned(ctx, incident):
        ctx.fail("forbidden", f"Only the assignee, responders and the service's owner may tell of {incident.id}.")
    if (state == "resolved") != (incident.status == "resolved"):
        ctx.fail("conflict", f"The incident {incident.id} is {incident.status}, so the page cannot say {state}.")
    update = ctx.add(
        StatusUpdate(
            id=ctx.new_id("upd"),
            incident_id=incident.id,
            state=state,
            message=message,
            author_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    record(ctx, incident, "status_update", f"Status page: {state}. {message}")
    return update
