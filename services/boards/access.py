"""Who may do what, and how cards are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Integer, case, cast, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from engine.kit import Context
from services.boards.state import ROLES, Blocker, Card, ChecklistItem, Column, Member, Project


def my_roles(ctx: Context) -> dict[str, str]:
    """The user's role in every project that they see."""
    return {item.project_id: item.role for item in ctx.list(Member, col(Member.email) == ctx.user.email)}


def visible_project(ctx: Context, project_id: str, least: str = "viewer") -> Project:
    """A project that the user can see and, perhaps, change."""
    project = ctx.get(Project, project_id)
    role = my_roles(ctx).get(project_id)
    if project is None or role is None:
        ctx.fail("not_found", f"There is no project {project_id!r} that you can see; list_projects shows them.")
    if ROLES.index(role) < ROLES.index(least):
        ctx.fail("forbidden", f"You are {role} of the project {project.code}; this needs {least}.")
    return project


def visible_card(ctx: Context, card_id: str, least: str = "viewer", *, archived: bool = False) -> Card:
    """A card that the user can see, an archived one only where that is said."""
    card = ctx.get(Card, card_id)
    if card is None or card.project_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no card {card_id!r} that you can see; list_cards finds cards.")
    visible_project(ctx, card.project_id, least)
    if card.archived and not archived:
        ctx.fail("conflict", f"Card {card.code} is archived; move_card puts it back on the board.")
    return card


def unfinished_blockers(ctx: Context, card_id: str) -> list[Card]:
    """The cards for which a card still waits."""
    ids = [item.blocked_by_id for item in ctx.list(Blocker, col(Blocker.card_id) == card_id)]
    return ctx.list(Card, col(Card.id).in_(ids), is_unfinished(Card), order_by=[col(Card.code)])


def is_unfinished(card: Any) -> ColumnElement[bool]:
    """The condition for cards that are neither done nor archived."""
    return card.completed_at.is_(None) & card.archived.is_(False)  # type: ignore[no-any-return]


def is_blocked() -> ColumnElement[bool]:
    """The condition for cards that wait for an unfinished one."""
    other = aliased(Card)
    waiting = select(col(Blocker.card_id)).join(other, other.id == col(Blocker.blocked_by_id))  # type: ignore[arg-type]
    return col(Card.id).in_(waiting.where(is_unfinished(other)))


def card_views(ctx: Context, cards: Sequence[Card]) -> list[dict[str, Any]]:
    """Cards for a list: without description, with what is derived of them."""
    ids = [card.id for card in cards]
    columns = {
        item.id: item for item in ctx.list(Column, col(Column.id).in_(sorted({card.column_id for card in cards})))
    }
    blocked = {row.id for row in ctx.rows(select(col(Card.id)).where(col(Card.id).in_(ids), is_blocked()))}
    done = func.sum(case((col(ChecklistItem.done).is_(True), 1), else_=0))
    steps = {
        row[0]: (row[1], row[2])
        for row in ctx.rows(
            select(col(ChecklistItem.card_id), func.count(), cast(done, Integer))
            .where(col(ChecklistItem.card_id).in_(ids))
            .group_by(col(ChecklistItem.card_id))
            .order_by(col(ChecklistItem.card_id))
        )
    }
    return [
        card.out(without=("description",))
        | {
            "column_name": columns[card.column_id].name,
            "blocked": card.id in blocked,
            "overdue": bool(card.due_date and card.completed_at is None and card.due_date < ctx.today()),
            "checklist_total": steps.get(card.id, (0, 0))[0],
            "checklist_done": steps.get(card.id, (0, 0))[1],
        }
        for card in cards
    ]


def card_view(ctx: Context, card: Card) -> dict[str, Any]:
    """One card in full."""
    before = [item.blocked_by_id for item in ctx.list(Blocker, col(Blocker.card_id) == card.id)]
    after = [item.card_id for item in ctx.list(Blocker, col(Blocker.blocked_by_id) == card.id)]
    others = {item.id: item for item in ctx.list(Card, col(Card.id).in_([*before, *after]))}
    steps = ctx.list(ChecklistItem, col(ChecklistItem.card_id) == card.id, order_by=[col(ChecklistItem.position)])
    return card_views(ctx, [card])[0] | {
        "description": card.description,
        "checklist": [step.out("id", "text", "done") for step in steps],
        "blocked_by_ids": sorted(before),
        "blocked_by": [_short(others[one]) for one in sorted(before)],
        "blocks": [_short(others[one]) for one in sorted(after)],
    }


def _short(card: Card) -> dict[str, Any]:
    return {"id": card.id, "code": card.code, "title": card.title, "done": card.completed_at is not None}
