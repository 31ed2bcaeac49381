"""Tools for what is said on a ticket: replies, notes, ratings."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.tickets import workflow
from services.tickets.access import changeable, me, record, require_group, require_not_closed
from services.tickets.state import Comment, Requester, Satisfaction, Ticket
from services.tickets.views import ticket_view


@tool
def reply_to_ticket(ctx: Context, ticket_id: str, body: str, then_status: str | None = None) -> Any:
    """Answer the requester, and perhaps move the ticket."""
    ticket, _ = changeable(ctx, ticket_id)
    added = workflow.comment(ctx, ticket, body, "public")
    also_solved: list[str] = []
    if then_status is not None and then_status != ticket.status:
        also_solved = workflow.move(ctx, ticket, then_status)
    return {"comment": added.out(), "ticket": ticket_view(ctx, ticket), "also_solved": also_solved}


@tool
def add_internal_note(ctx: Context, ticket_id: str, body: str) -> Any:
    """A note that only agents see."""
    me(ctx)
    ticket = ctx.require(Ticket, ticket_id)
    require_not_closed(ctx, ticket)
    return workflow.comment(ctx, ticket, body, "internal")


@tool
def log_requester_reply(ctx: Context, ticket_id: str, body: str) -> Any:
    """Record what the requester said, which wakes a waiting or solved ticket."""
    ticket, _ = changeable(ctx, ticket_id)
    requester = ctx.require(Requester, ticket.requester_id)
    reopened = ticket.status == "solved"
    if reopened:
        workflow.reopen(ctx, ticket)
    added = workflow.comment(ctx, ticket, body, "public", requester)
    if ticket.status == "pending":
        workflow.move(ctx, ticket, "open")
    return {"comment": added.out(), "ticket": ticket_view(ctx, ticket), "reopened": reopened}


@tool
def delete_internal_note(ctx: Context, comment_id: str) -> Any:
    """Remove one's own note."""
    me(ctx)
    found = ctx.require(Comment, comment_id)
    ticket = ctx.require(Ticket, found.ticket_id)
    require_not_closed(ctx, ticket)
    if found.visibility != "internal":
        ctx.fail("conflict", f"Comment {comment_id} is a public reply, which has been sent and stays.")
    if found.author_email != ctx.user.email:
        ctx.fail("forbidden", f"Note {comment_id} is by {found.author_name}; only its author may delete it.")
    ctx.delete(found)
    record(ctx, ticket, "note_deleted", comment_id, None)
    return {"comment_id": comment_id, "deleted": True}


@tool
def record_satisfaction(ctx: Context, ticket_id: str, score: str, comment: str = "") -> Any:
    """Record the requester's rating of the solution."""
    agent = me(ctx)
    ticket = ctx.require(Ticket, ticket_id)
    require_group(ctx, agent, ticket)
    if ticket.merged_into_id is not None:
        ctx.fail("conflict", f"Ticket {ticket.id} was merged; rate {ticket.merged_into_id} instead.")
    if ticket.status not in ("solved", "closed"):
        ctx.fail("conflict", f"Ticket {ticket.id} is {ticket.status}; it can be rated once it is solved.")
    rating = ctx.get(Satisfaction, ticket.id)
    if rating is not None and ticket.status == "closed":
        ctx.fail("conflict", f"Ticket {ticket.id} is closed and rated; its rating stays.")
    old = rating.score if rating else None
    if rating is None:
        rating = ctx.add(Satisfaction(ticket_id=ticket.id, score=score, comment=comment, rated_at=ctx.now()))
    else:
        rating.score, rating.comment, rating.rated_at = score, comment, ctx.now()
    record(ctx, ticket, "satisfaction", old, score)
    return rating


@tool
def list_satisfaction(ctx: Context, score: str | None = None, limit: int = 20, cursor: str | None = None) -> Any:
    """Ratings, latest first, and how many are good."""
    me(ctx)
    where = [] if score is None else [col(Satisfaction.score) == score]
    page = ctx.page(Satisfaction, *where, order_by=[col(Satisfaction.rated_at).desc()], limit=limit, cursor=cursor)
    good, total = ctx.count(Satisfaction, col(Satisfaction.score) == "good"), ctx.count(Satisfaction)
    percent = round(100 * good / total, 1) if total else None
    return page.out() | {"good_percent": percent, "total_ratings": total}
