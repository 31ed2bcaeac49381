"""Tools that move cards between columns, off the board and away."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.boards.access import (
    card_view,
    is_unfinished,
    my_roles,
    unfinished_blockers,
    visible_card,
)
from services.boards.state import Blocker, Card, ChecklistItem, Column


def cards_in(ctx: Context, column_id: str) -> list[Card]:
    """The cards of a column from the top."""
    standing = (col(Card.column_id) == column_id, col(Card.archived).is_(False))
    return ctx.list(Card, *standing, order_by=[col(Card.position)])


def place_at_end(ctx: Context, column_id: str) -> int:
    """The position below the last card of a column."""
    standing = cards_in(ctx, column_id)
    return standing[-1].position + 1 if standing else 1


def require_room(ctx: Context, column: Column) -> None:
    """Refuse a column that holds as many cards as its limit allows."""
    if column.wip_limit is not None and len(cards_in(ctx, column.id)) >= column.wip_limit:
        ctx.fail("limit", f"{column.name!r} holds {column.wip_limit} cards, its limit; move one out of it first.")


@tool
def move_card(ctx: Context, card_id: str, column_id: str, position: int | None = None) -> Any:
    """Put a card into a column, or elsewhere in its column; takes an archived one back."""
    card = visible_card(ctx, card_id, "member", archived=True)
    column = ctx.get(Column, column_id)
    if column is None or column.project_id != card.project_id:
        ctx.fail("not_found", f"The board of {card.code} has no column {column_id!r}; get_project shows them.")
    moved = card.archived or column.id != card.column_id
    if moved:
        require_room(ctx, column)
        _require_ready(ctx, card, column)
    elif position is None:
        ctx.fail("conflict", f"Card {card.code} stands in {column.name!r} already; give position to move it there.")
    left = None if card.archived or not moved else card.column_id
    others = [one for one in cards_in(ctx, column.id) if one.id != card.id]
    others.insert(len(others) if position is None else min(position - 1, len(others)), card)
    freed = _enter(ctx, card, column) if moved else []
    for number, one in enumerate(others, 1):
        one.position = number
    card.updated_at = ctx.now()
    ctx.flush()
    if left is not None:
        _close_gaps(ctx, left)
    return card_view(ctx, card) | {"unblocked_ids": freed}


def _require_ready(ctx: Context, card: Card, column: Column) -> None:
    if column.kind == "todo":
        return
    waiting = unfinished_blockers(ctx, card.id)
    if waiting:
        codes = ", ".join(one.code for one in waiting)
        ctx.fail(
            "conflict", f"Card {card.code} waits for {codes} and cannot enter {column.name!r} before that is done."
        )
    if column.kind == "done":
        steps = ctx.count(ChecklistItem, col(ChecklistItem.card_id) == card.id, col(ChecklistItem.done).is_(False))
        if steps:
            ctx.fail("conflict", f"{steps} checklist items of {card.code} are open; tick them first.")


def _enter(ctx: Context, card: Card, column: Column) -> list[str]:
    """The ids of the cards that wait for nothing any more."""
    waiting = [item.card_id for item in ctx.list(Blocker, col(Blocker.blocked_by_id) == card.id)]
    was_done = card.completed_at is not None
    card.column_id = column.id
    card.archived = False
    if column.kind != "done":
        card.completed_at = None
        if was_done:
            _require_nobody_started(ctx, card, waiting)
        return []
    if was_done:
        return []
    card.completed_at = ctx.now()
    ctx.flush()
    visible = my_roles(ctx)
    found = ctx.list(Card, col(Card.id).in_(waiting), is_unfinished(Card), col(Card.project_id).in_(sorted(visible)))
    return [one.id for one in found if not unfinished_blockers(ctx, one.id)]


def _require_nobody_started(ctx: Context, card: Card, waiting: list[str]) -> None:
    started = ctx.list(Card, col(Card.id).in_(waiting), col(Card.archived).is_(False), order_by=[col(Card.code)])
    kinds = {one.id: one.kind for one in ctx.list(Column, col(Column.id).in_({item.column_id for item in started}))}
    for one in started:
        if kinds[one.column_id] != "todo":
            ctx.fail("conflict", f"{one.code} waited for {card.code} and has been started; move it back first.")


def _close_gaps(ctx: Context, column_id: str) -> None:
    for number, one in enumerate(cards_in(ctx, column_id), 1):
        one.position = number
    ctx.flush()


@tool
def archive_card(ctx: Context, card_id: str) -> Any:
    """Take a card off the board."""
    card = visible_card(ctx, card_id, "member")
    waiting = [item.card_id for item in ctx.list(Blocker, col(Blocker.blocked_by_id) == card.id)]
    first = ctx.first(Card, col(Card.id).in_(waiting), is_unfinished(Card), order_by=[col(Card.code)])
    if card.completed_at is None and first is not None:
        ctx.fail("conflict", f"{first.code} waits for {card.code}; finish it or change those blockers first.")
    card.archived = True
    card.updated_at = ctx.now()
    ctx.flush()
    _close_gaps(ctx, card.column_id)
    return card_view(ctx, card)


@tool
def delete_card(ctx: Context, card_id: str) -> Any:
    """Remove an archived card for good."""
    card = visible_card(ctx, card_id, "member", archived=True)
    if my_roles(ctx)[card.project_id] != "lead" and card.created_by_email != ctx.user.email:
        ctx.fail("forbidden", f"Only a lead of the project or {card.created_by_email} may delete {card.code}.")
    if not card.archived:
        ctx.fail("conflict", f"Card {card.code} is on the board; archive_card comes before its deletion.")
    ctx.delete(card)
    return {"card_id": card_id, "deleted": True}
