"""Tools for projects, columns and milestones."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.boards.access import is_unfinished, my_roles, visible_project
from services.boards.state import Card, Column, Member, Milestone, Project

MAX_MILESTONES = 100


@tool
def list_projects(ctx: Context, query: str | None = None, limit: int = 20, cursor: str | None = None) -> Any:
    """Projects that the user sees, by name."""
    roles = my_roles(ctx)
    where: list[Any] = [col(Project.id).in_(sorted(roles))]
    if query is not None:
        where.append(
            contains(Project.name, query) | contains(Project.code, query) | contains(Project.description, query)
        )
    page = ctx.page(Project, *where, order_by=[col(Project.name)], limit=limit, cursor=cursor)
    return {
        "items": [item.out(without=("last_number",)) | {"my_role": roles[item.id]} for item in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def get_project(ctx: Context, project_id: str) -> Any:
    """A project with its columns, members and milestones."""
    project = visible_project(ctx, project_id)
    columns = ctx.list(Column, col(Column.project_id) == project.id, order_by=[col(Column.position)])
    members = ctx.list(Member, col(Member.project_id) == project.id, order_by=[col(Member.name)])
    milestones = ctx.list(Milestone, col(Milestone.project_id) == project.id, order_by=[col(Milestone.due_date)])
    return project.out(without=("last_number",)) | {
        "my_role": my_roles(ctx)[project.id],
        "columns": _column_views(ctx, columns),
        "members": [member.out("email", "name", "role") for member in members],
        "milestones": _milestone_views(ctx, milestones),
        "archived_cards": ctx.count(Card, col(Card.project_id) == project.id, col(Card.archived).is_(True)),
    }


def _column_views(ctx: Context, columns: list[Column]) -> list[dict[str, Any]]:
    ids = [column.id for column in columns]
    counted = dict(
        tuple(row)
        for row in ctx.rows(
            select(col(Card.column_id), func.count())
            .where(col(Card.column_id).in_(ids), col(Card.archived).is_(False))
            .group_by(col(Card.column_id))
            .order_by(col(Card.column_id))
        )
    )
    return [column.out() | {"card_count": counted.get(column.id, 0)} for column in columns]


def _milestone_views(ctx: Context, milestones: list[Milestone]) -> list[dict[str, Any]]:
    ids = [item.id for item in milestones]
    cards = ctx.rows(
        select(col(Card.milestone_id), col(Card.completed_at))
        .where(col(Card.milestone_id).in_(ids), col(Card.archived).is_(False))
        .order_by(col(Card.id))
    )
    views = []
    for item in milestones:
        own = [card for card in cards if card.milestone_id == item.id]
        done = sum(card.completed_at is not None for card in own)
        overdue = item.status == "open" and item.due_date < ctx.today()
        views.append(item.out() | {"cards_total": len(own), "cards_done": done, "overdue": overdue})
    return views


@tool
def update_column(ctx: Context, column_id: str, name: str | None = None, wip_limit: int | None = 0) -> Any:
    """Rename a column or change how many cards it holds."""
    column = ctx.get(Column, column_id)
    if column is None or column.project_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no column {column_id!r} that you can see; get_project shows columns.")
    visible_project(ctx, column.project_id, "lead")
    if name is None and wip_limit == 0:
        ctx.fail("invalid", "Give name or wip_limit.")
    if name is not None and name != column.name:
        if ctx.exists(Column, col(Column.project_id) == column.project_id, col(Column.name) == name):
            ctx.fail("conflict", f"The board has a column {name!r} already; choose another name.")
        column.name = name
    if wip_limit != 0:
        held = ctx.count(Card, col(Card.column_id) == column.id, col(Card.archived).is_(False))
        if wip_limit is not None and held > wip_limit:
            ctx.fail("conflict", f"{column.name!r} holds {held} cards, more than {wip_limit}; move some first.")
        column.wip_limit = wip_limit
    ctx.flush()
    return _column_views(ctx, [column])[0]


@tool
def list_milestones(
    ctx: Context,
    project_id: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Milestones of the user's projects, the earliest first."""
    where: list[Any] = [col(Milestone.project_id).in_(sorted(my_roles(ctx)))]
    if project_id is not None:
        where.append(col(Milestone.project_id) == project_id)
    if status is not None:
        where.append(col(Milestone.status) == status)
    page = ctx.page(Milestone, *where, order_by=[col(Milestone.due_date)], limit=limit, cursor=cursor)
    return {"items": _milestone_views(ctx, page.items), "next_cursor": page.next_cursor}


def _require_free_name(ctx: Context, project_id: str, name: str) -> None:
    if ctx.exists(Milestone, col(Milestone.project_id) == project_id, col(Milestone.name) == name):
        ctx.fail("conflict", f"The project has a milestone {name!r} already; choose another name.")


@tool
def create_milestone(ctx: Context, project_id: str, name: str, due_date: date) -> Any:
    """A new open milestone."""
    project = visible_project(ctx, project_id, "lead")
    _require_free_name(ctx, project.id, name)
    if due_date < ctx.today():
        ctx.fail("invalid", f"due_date {due_date} is past; a new milestone lies ahead.")
    if ctx.count(Milestone, col(Milestone.project_id) == project.id) >= MAX_MILESTONES:
        ctx.fail("limit", f"The project {project.code} has {MAX_MILESTONES} milestones, the most allowed.")
    milestone = ctx.add(
        Milestone(id=ctx.new_id("mil"), project_id=project.id, name=name, due_date=due_date, created_at=ctx.now())
    )
    return _milestone_views(ctx, [milestone])[0]


@tool
def update_milestone(
    ctx: Context,
    milestone_id: str,
    name: str | None = None,
    due_date: date | None = None,
    status: str | None = None,
) -> Any:
    """Rename, move, close or open a milestone."""
    milestone = ctx.get(Milestone, milestone_id)
    if milestone is None or milestone.project_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no milestone {milestone_id!r} that you can see; list_milestones shows them.")
    visible_project(ctx, milestone.project_id, "lead")
    if name is None and due_date is None and status is None:
        ctx.fail("invalid", "Give at least one of name, due_date and status.")
    if name is not None and name != milestone.name:
        _require_free_name(ctx, milestone.project_id, name)
        milestone.name = name
    if due_date is not None:
        milestone.due_date = due_date
    if status == "closed" and milestone.status == "open":
        left = ctx.list(Card, col(Card.milestone_id) == milestone.id, is_unfinished(Card), order_by=[col(Card.code)])
        if left:
            ctx.fail("conflict", f"{len(left)} cards of {milestone.name!r} are not done, such as {left[0].code}.")
    if status is not None:
        milestone.status = status
    ctx.flush()
    return _milestone_views(ctx, [milestone])[0]
