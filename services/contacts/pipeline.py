"""Tools on the pipeline as a whole: its members, stages and forecast."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.contacts.access import reader
from services.contacts.deals import all_stages, deals_where, weighted
from services.contacts.state import Deal, Member, Stage, StageMove


@tool
def list_members(ctx: Context, include_inactive: bool = False) -> Any:
    """List the colleagues who have access to the book."""
    me = reader(ctx)
    where = [] if include_inactive else [col(Member.active).is_(True)]
    return {"items": [member.out() for member in ctx.list(Member, *where, order_by=Member.name)], "me": me.id}


@tool
def list_pipeline_stages(ctx: Context) -> Any:
    """List the stages in order, each with the stages that a deal may move to from it."""
    reader(ctx)
    moves: dict[str, list[str]] = {}
    for move in ctx.list(StageMove):
        moves.setdefault(move.from_id, []).append(move.to_id)
    return {"items": [{**stage.out(), "moves_to": moves.get(stage.id, [])} for stage in all_stages(ctx).values()]}


@tool
def get_pipeline_summary(
    ctx: Context,
    owner_id: str | None = None,
    closes_from: date | None = None,
    closes_to: date | None = None,
    currency: str | None = None,
) -> Any:
    """Sums of deals per currency and stage, with the forecast weighted by probability."""
    reader(ctx)
    if owner_id is not None:
        ctx.require(Member, owner_id)
    if closes_from is not None and closes_to is not None and closes_to < closes_from:
        ctx.fail("invalid", "closes_to lies before closes_from.")
    stages = all_stages(ctx)
    sums: dict[str, dict[str, list[Any]]] = {}
    for deal in ctx.list(Deal, *deals_where(closes_from, closes_to, owner_id, currency), order_by=Deal.currency):
        cell = sums.setdefault(deal.currency, {}).setdefault(deal.stage_id, [0, Decimal(0), Decimal(0)])
        cell[0] += 1
        cell[1] += deal.amount
        cell[2] += weighted(deal, stages[deal.stage_id])
    return {
        "currencies": [_currency(code, cells, stages) for code, cells in sums.items()],
        "deals": sum(cell[0] for cells in sums.values() for cell in cells.values()),
    }


def _currency(code: str, cells: dict[str, list[Any]], stages: dict[str, Stage]) -> dict[str, Any]:
    def total(place: int, kind: str) -> Any:
        return sum((cell[place] for key, cell in cells.items() if stages[key].kind == kind), Decimal(0))

    return {
        "currency": code,
        "open_amount": total(1, "open"),
        "forecast_amount": total(2, "open"),
        "won_amount": total(1, "won"),
        "lost_amount": total(1, "lost"),
        "stages": [
            {
                "stage_id": key,
                "deals": cells[key][0],
                "amount": cells[key][1],
                "weighted_amount": cells[key][2],
            }
            for key in stages
            if key in cells
        ],
    }
