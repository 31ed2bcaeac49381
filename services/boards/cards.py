"""Tools that find cards and change what they say."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.boards.access import (
    card_view,
    card_views,
    is_blocked,
    my_roles,
    visible_card,
    visible_project,
)
from services.boards.moves import place_at_end, require_room
from services.boards.state import Blocker, Card, ChecklistItem, Column, Comment, Member, Milestone

MAX_CARDS = 1000
MAX_STEPS = 50
MAX_COMMENTS = 500


@tool
def list_cards(
    ctx: Context,
    project_id: str | None = None,
    column_id: str | None = None,
    query: str | None = None,
    code: str | None = None,
    assignee_email: str | None = None,
    unassigned: bool | None = None,
    priority: str | None = None,
    label: str | None = None,
    milestone_id: str | None = None,
    due_from: date | None = None,
    due_to: date | None = None,
    done: bool | None = None,
    blocked: bool | None = None,
    overdue: bool | None = None,
    archived: bool = False,
    sort: str = "board",
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Cards that meet every filter."""
    where: list[Any] = [col(Card.project_id).in_(sorted(my_roles(ctx))), col(Card.archived).is_(archived)]
    for word in (query or "").split():
        where.append(contains(Card.title, word) | contains(Card.description, word) | contains(Card.code, word))
    equal = (
        (Card.project_id, project_id),
        (Card.column_id, column_id),
        (Card.code, code),
        (Card.assignee_email, assignee_email),
        (Card.priority, priority),
        (Card.milestone_id, milestone_id),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if label is not None:
        where.append(col(Card.labels).contains([label]))
    if due_from is not None:
        where.append(col(Card.due_date) >= due_from)
    if due_to is not None:
        where.append(col(Card.due_date) <= due_to)
    late = col(Card.completed_at).is_(None) & (func.coalesce(col(Card.due_date), date.max) < ctx.today())
    flags = (
        (col(Card.assignee_email).is_(None), unassigned),
        (col(Card.completed_at).is_not(None), done),
        (is_blocked(), blocked),
        (late, overdue),
    )
    where += [condition if wanted else ~condition for condition, wanted in flags if wanted is not None]
    order: dict[str, list[Any]] = {
        "board": [col(Card.column_id), col(Card.position)],
        "newest": [col(Card.created_at).desc()],
        "recently_updated": [col(Card.updated_at).desc()],
    }
    page = ctx.page(Card, *where, order_by=order[sort], limit=limit, cursor=cursor)
    return {"items": card_views(ctx, page.items), "next_cursor": page.next_cursor, "total": ctx.count(Card, *where)}


@tool
def get_card(ctx: Context, card_id: str) -> Any:
    """One card in full."""
    return card_view(ctx, visible_card(ctx, card_id, archived=True))


def _assignee(ctx: Context, project_id: str, email: str) -> Member:
    member = ctx.get(Member, project_id, email)
    if member is None or member.role == "viewer":
        ctx.fail("conflict", f"{email} does not work on this project; get_project shows its members and leads.")
    return member


def _milestone(ctx: Context, project_id: str, milestone_id: str) -> Milestone:
    milestone = ctx.require(Milestone, milestone_id)
    if milestone.project_id != project_id:
        ctx.fail("conflict", f"The milestone {milestone_id} belongs to another project.")
    if milestone.status == "closed":
        ctx.fail("conflict", f"The milestone {milestone.name!r} is closed and takes no more cards.")
    return milestone


@tool
def create_card(
    ctx: Context,
    project_id: str,
    title: str,
    column_id: str | None = None,
    description: str = "",
    priority: str = "normal",
    assignee_email: str | None = None,
    due_date: date | None = None,
    labels: list[str] | None = None,
    milestone_id: str | None = None,
) -> Any:
    """A new card at the end of a column."""
    project = visible_project(ctx, project_id, "member")
    columns = ctx.list(Column, col(Column.project_id) == project.id, order_by=[col(Column.position)])
    column = next((one for one in columns if column_id in (None, one.id)), None)
    if column is None:
        ctx.fail("not_found", f"The project {project.code} has no column {column_id!r}; get_project shows them.")
    if column.kind == "done":
        ctx.fail("conflict", f"A new card cannot start in {column.name!r}, where things are done.")
    if ctx.count(Card, col(Card.project_id) == project.id) >= MAX_CARDS:
        ctx.fail("limit", f"The project {project.code} has {MAX_CARDS} cards, the most allowed; delete archived ones.")
    require_room(ctx, column)
    holder = _assignee(ctx, project.id, assignee_email) if assignee_email is not None else None
    if milestone_id is not None:
        _milestone(ctx, project.id, milestone_id)
    project.last_number += 1
    card = ctx.add(
        Card(
            id=ctx.new_id("crd"),
            code=f"{project.code}-{project.last_number}",
            number=project.last_number,
            project_id=project.id,
            column_id=column.id,
            position=place_at_end(ctx, column.id),
            title=title,
            description=description,
            priority=priority,
            assignee_name=holder.name if holder else None,
            assignee_email=assignee_email,
            due_date=due_date,
            labels=labels or [],
            milestone_id=milestone_id,
            created_by_email=ctx.user.email,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )
    return card_view(ctx, card)


@tool
def update_card(
    ctx: Context,
    card_id: str,
    title: str | None = None,
    description: str | None = None,
    priority: str | None = None,
    assignee_email: str | None = "",
    due_date: date | Literal[""] | None = "",
    labels: list[str] | None = None,
    milestone_id: str | None = "",
) -> Any:
    """Change what a card says; an empty text stands for a field that was left out."""
    card = visible_card(ctx, card_id, "member")
    plain = {"title": title, "description": description, "priority": priority, "labels": labels}
    changes: dict[str, Any] = {name: value for name, value in plain.items() if value is not None}
    if assignee_email != "":
        holder = _assignee(ctx, card.project_id, assignee_email) if assignee_email else None
        changes |= {"assignee_email": assignee_email, "assignee_name": holder.name if holder else None}
    if due_date != "":
        changes["due_date"] = due_date
    if milestone_id != "":
        if milestone_id is not None and milestone_id != card.milestone_id:
            _milestone(ctx, card.project_id, milestone_id)
        changes["milestone_id"] = milestone_id
    if not changes:
        ctx.fail("invalid", "Give at least one field to change.")
    for name, value in changes.items():
        setattr(card, name, value)
    card.updated_at = ctx.now()
    ctx.flush()
    return card_view(ctx, card)


@tool
def set_card_blockers(ctx: Context, card_id: str, blocked_by_ids: list[str]) -> Any:
    """Say for which cards a card waits."""
    card = visible_card(ctx, card_id, "member")
    if card.completed_at is not None and blocked_by_ids:
        ctx.fail("conflict", f"Card {card.code} is done and waits for nothing.")
    known = {item.blocked_by_id: item for item in ctx.list(Blocker, col(Blocker.card_id) == card.id)}
    for one in blocked_by_ids:
        other = visible_card(ctx, one, archived=one in known)
        if other.id == card.id or card.id in _waits_for(ctx, other.id):
            ctx.fail("conflict", f"{other.code} waits for {card.code} itself, so {card.code} cannot wait for it.")
    for one, item in known.items():
        if one not in blocked_by_ids:
            ctx.delete(item)
    for one in blocked_by_ids:
        if one not in known:
            ctx.add(Blocker(card_id=card.id, blocked_by_id=one))
    card.updated_at = ctx.now()
    ctx.flush()
    return card_view(ctx, card)


def _waits_for(ctx: Context, card_id: str) -> set[str]:
    """Every card for which a card waits, at once or through others."""
    found: set[str] = set()
    ids = [card_id]
    while ids:
        before = ctx.rows(
            select(col(Blocker.blocked_by_id)).where(col(Blocker.card_id).in_(ids)).order_by(col(Blocker.blocked_by_id))
        )
        ids = sorted({row.blocked_by_id for row in before} - found)
        found.update(ids)
    return found


@tool
def create_checklist_item(ctx: Context, card_id: str, text: str) -> Any:
    """A further step at the end of a card's checklist."""
    card = visible_card(ctx, card_id, "member")
    if card.completed_at is not None:
        ctx.fail("conflict", f"Card {card.code} is done; move it back before you add steps.")
    steps = ctx.list(ChecklistItem, col(ChecklistItem.card_id) == card.id, order_by=[col(ChecklistItem.position)])
    if len(steps) >= MAX_STEPS:
        ctx.fail("limit", f"The checklist of {card.code} has {MAX_STEPS} items, the most allowed.")
    position = steps[-1].position + 1 if steps else 1
    return ctx.add(ChecklistItem(id=ctx.new_id("chk"), card_id=card.id, position=position, text=text))


@tool
def update_checklist_item(
    ctx: Context, checklist_item_id: str, text: str | None = None, done: bool | None = None
) -> Any:
    """Tick, untick or reword a step."""
    item = ctx.require(ChecklistItem, checklist_item_id)
    card = visible_card(ctx, item.card_id, "member")
    if text is None and done is None:
        ctx.fail("invalid", "Give text or done.")
    if done is False and card.completed_at is not None:
        ctx.fail("conflict", f"Card {card.code} is done; move it back before you untick steps.")
    if text is not None:
        item.text = text
    if done is not None:
        item.done = done
    ctx.flush()
    return item


@tool
def create_comment(ctx: Context, card_id: str, body: str) -> Any:
    """Comment on a card; whoever sees it may."""
    card = visible_card(ctx, card_id)
    if ctx.count(Comment, col(Comment.card_id) == card.id) >= MAX_COMMENTS:
        ctx.fail("limit", f"Card {card.code} has {MAX_COMMENTS} comments, the most allowed.")
    return ctx.add(
        Comment(
            id=ctx.new_id("cmt"),
            card_id=card.id,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            body=body,
            created_at=ctx.now(),
        )
    )


@tool
def list_comments(
    ctx: Context, card_id: str, author_email: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Comments on a card, oldest first."""
    card = visible_card(ctx, card_id, archived=True)
    where: list[Any] = [col(Comment.card_id) == card.id]
    if author_email is not None:
        where.append(col(Comment.author_email) == author_email)
    return ctx.page(Comment, *where, order_by=[col(Comment.created_at)], limit=limit, cursor=cursor).out()
