"""The states of a ticket and the steps between them, for every tool that moves one."""

from __future__ import annotations

import re
from datetime import timedelta

from sqlmodel import col

from engine.kit import Context
from services.tickets import sla
from services.tickets.access import change, record
from services.tickets.state import PRIORITIES, Comment, Requester, Satisfaction, Ticket, TicketLink

STEPS: dict[str, tuple[str, ...]] = {
    "open": ("pending", "on_hold", "solved"),
    "pending": ("open", "on_hold", "solved"),
    "on_hold": ("open", "pending", "solved"),
    "solved": ("closed",),
    "closed": (),
}
"""From each state to those that may follow; a solved ticket gets open again by ``reopen`` alone."""

REOPEN_WINDOW = timedelta(days=14)
"""How long after its solution a ticket may be reopened."""

MAX_TAGS = 20
"""Tags of one ticket."""

_TAG = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def move(ctx: Context, ticket: Ticket, status: str, reason: str = "") -> list[str]:
    """Take a ticket to another state; the ids of incidents that were solved with it."""
    if status == ticket.status:
        ctx.fail("conflict", f"Ticket {ticket.id} is {status} already.")
    if ticket.status == "solved" and status == "open":
        ctx.fail("conflict", f"Ticket {ticket.id} is solved; reopen_ticket makes it open again.")
    if status not in STEPS[ticket.status]:
        allowed = ", ".join(STEPS[ticket.status]) or "nothing"
        ctx.fail("conflict", f"Ticket {ticket.id} is {ticket.status}; from there it can become: {allowed}.")
    if status == "pending" and not _answered(ctx, ticket):
        ctx.fail(
            "conflict",
            f"Ticket {ticket.id} has no public reply that its requester could answer; reply first.",
        )
    if status == "on_hold" and not reason.strip():
        ctx.fail("invalid", "reason: say what the ticket waits for.")
    if status == "solved" and ticket.assignee_id is None:
        ctx.fail("conflict", f"Ticket {ticket.id} has no assignee; assign it before it is solved.")
    if reason.strip():
        comment(ctx, ticket, reason, "internal")
    _enter(ctx, ticket, status)
    return _solve_incidents(ctx, ticket) if status == "solved" and ticket.kind == "problem" else []


def _answered(ctx: Context, ticket: Ticket) -> bool:
    return ctx.exists(
        Comment,
        col(Comment.ticket_id) == ticket.id,
        col(Comment.author_kind) == "agent",
        col(Comment.visibility) == "public",
    )


def _enter(ctx: Context, ticket: Ticket, status: str) -> None:
    if status in sla.PAUSING:
        sla.pause(ctx, ticket)
    else:
        sla.resume(ctx, ticket)
    if status == "solved":
        ticket.solved_at = ctx.now()
    if status == "closed":
        ticket.closed_at = ctx.now()
    change(ctx, ticket, "status", status)


def _solve_incidents(ctx: Context, problem: Ticket) -> list[str]:
    links = ctx.list(TicketLink, col(TicketLink.to_id) == problem.id, col(TicketLink.kind) == "incident_of")
    waiting = ctx.list(
        Ticket,
        col(Ticket.id).in_([item.from_id for item in links]),
        col(Ticket.status).in_(("open", "pending", "on_hold")),
    )
    for incident in waiting:
        _enter(ctx, incident, "solved")
    return [incident.id for incident in waiting]


def reopen(ctx: Context, ticket: Ticket) -> None:
    """Make a solved ticket open again; its resolution clock starts anew and its rating is void."""
    if ticket.status != "solved" or ticket.solved_at is None:
        ctx.fail("conflict", f"Ticket {ticket.id} is {ticket.status}; only a solved ticket can be reopened.")
    if ctx.now() > ticket.solved_at + REOPEN_WINDOW:
        ctx.fail(
            "conflict",
            f"Ticket {ticket.id} was solved over {REOPEN_WINDOW.days} days ago; create a new ticket.",
        )
    rating = ctx.get(Satisfaction, ticket.id)
    if rating is not None:
        ctx.delete(rating)
    ticket.solved_at = None
    ticket.reopened_count += 1
    ticket.resolution_started_at = ctx.now()
    ticket.paused_minutes = 0
    change(ctx, ticket, "status", "open")
    sla.refresh(ctx, ticket)
    ctx.flush()


def set_priority(ctx: Context, ticket: Ticket, priority: str) -> bool:
    """Change the priority and what was promised with it; whether it was another before."""
    if not change(ctx, ticket, "priority", priority):
        return False
    sla.refresh(ctx, ticket)
    ctx.flush()
    return True


def rank(priority: str) -> int:
    """0 for the lowest priority."""
    return PRIORITIES.index(priority)


def retag(ctx: Context, ticket: Ticket, add: list[str], remove: list[str]) -> bool:
    """Change a ticket's tags, which stay sorted; whether any changed."""
    require_tags(ctx, add)
    tags = sorted((set(ticket.tags) | set(add)) - set(remove))
    if len(tags) > MAX_TAGS:
        ctx.fail("limit", f"Ticket {ticket.id} would have more than {MAX_TAGS} tags.")
    return change(ctx, ticket, "tags", tags)


def require_tags(ctx: Context, tags: list[str]) -> None:
    """Refuse what is no tag."""
    for tag in tags:
        if not _TAG.fullmatch(tag):
            ctx.fail("invalid", f"{tag!r} is no tag: use lower-case letters, digits, dashes and underscores.")


def comment(ctx: Context, ticket: Ticket, body: str, visibility: str, requester: Requester | None = None) -> Comment:
    """Add a reply or note by the acting agent, or by the requester."""
    if not body.strip():
        ctx.fail("invalid", "body: write at least one visible character.")
    public_answer = requester is None and visibility == "public"
    if public_answer and ticket.first_responded_at is None:
        ticket.first_responded_at = ctx.now()
    added = ctx.add(
        Comment(
            id=ctx.new_id("cmt"),
            ticket_id=ticket.id,
            author_kind="requester" if requester else "agent",
            author_name=requester.name if requester else ctx.user.name,
            author_email=requester.email if requester else ctx.user.email,
            visibility=visibility,
            body=body,
            created_at=ctx.now(),
        )
    )
    record(ctx, ticket, "public_reply" if visibility == "public" else "internal_note", None, added.id)
    return added
