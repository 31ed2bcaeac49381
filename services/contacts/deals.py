"""Tools on deals and the pipeline."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.contacts.access import assignable, named, reader, something, stated, writer
from services.contacts.state import Company, Deal, Member, Note, Person, Stage, StageChange, StageMove

CENT = Decimal("0.01")


def all_stages(ctx: Context) -> dict[str, Stage]:
    return {stage.id: stage for stage in ctx.list(Stage, order_by=Stage.position)}


def probability_of(deal: Deal, stage: Stage) -> Decimal:
    """A deal's own estimate counts only while the deal is open."""
    if stage.kind == "open" and deal.probability is not None:
        return deal.probability
    return stage.probability


def weighted(deal: Deal, stage: Stage) -> Decimal:
    share = probability_of(deal, stage) / 100
    return (deal.amount * share).quantize(CENT, ROUND_HALF_UP)


def _shown(deal: Deal, stage: Stage) -> dict[str, Any]:
    return {
        **deal.out(),
        "stage": stage.name,
        "state": stage.kind,
        "probability": probability_of(deal, stage),
        "weighted_amount": weighted(deal, stage),
    }


@tool
def list_deals(
    ctx: Context,
    query: str | None = None,
    company_id: str | None = None,
    person_id: str | None = None,
    owner_id: str | None = None,
    stage_id: str | None = None,
    state: str | None = None,
    closes_from: date | None = None,
    closes_to: date | None = None,
    currency: str | None = None,
    min_amount: Money | None = None,
    max_amount: Money | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List deals by close date."""
    reader(ctx)
    stages = all_stages(ctx)
    where = deals_where(closes_from, closes_to, owner_id, currency)
    if query is not None:
        where.append(contains(Deal.name, query))
    for column, value in (
        (Deal.company_id, company_id),
        (Deal.person_id, person_id),
        (Deal.stage_id, stage_id),
    ):
        if value is not None:
            where.append(column == value)
    if stage_id is not None:
        ctx.require(Stage, stage_id)
    if state is not None:
        where.append(col(Deal.stage_id).in_([stage.id for stage in stages.values() if stage.kind == state]))
    if min_amount is not None:
        where.append(Deal.amount >= min_amount)
    if max_amount is not None:
        where.append(Deal.amount <= max_amount)
    page = ctx.page(Deal, *where, order_by=Deal.close_date, limit=limit, cursor=cursor)
    companies = named(ctx, Company, (deal.company_id for deal in page.items))
    return {
        "items": [
            {**_shown(deal, stages[deal.stage_id]), "company_name": companies[deal.company_id]} for deal in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Deal, *where),
    }


def deals_where(
    closes_from: date | None, closes_to: date | None, owner_id: str | None, currency: str | None
) -> list[Any]:
    where: list[Any] = []
    if closes_from is not None:
        where.append(Deal.close_date >= closes_from)
    if closes_to is not None:
        where.append(Deal.close_date <= closes_to)
    if owner_id is not None:
        where.append(Deal.owner_id == owner_id)
    if currency is not None:
        where.append(Deal.currency == currency)
    return where


@tool
def get_deal(ctx: Context, deal_id: str) -> Any:
    """One deal with company, contact, owner and the way it took through the stages."""
    reader(ctx)
    deal = ctx.require(Deal, deal_id)
    history = ctx.list(StageChange, StageChange.deal_id == deal_id, order_by=StageChange.changed_at)
    contact = ctx.get(Person, deal.person_id) if deal.person_id is not None else None
    moves = ctx.list(StageMove, StageMove.from_id == deal.stage_id)
    return {
        **_shown(deal, ctx.require(Stage, deal.stage_id)),
        "company_name": ctx.require(Company, deal.company_id).name,
        "contact": contact.out("id", "name", "email") if contact else None,
        "owner": ctx.require(Member, deal.owner_id).out("id", "name", "email"),
        "moves_to": [move.to_id for move in moves],
        "history": [step.out("from_id", "to_id", "changed_by", "changed_at") for step in history],
        "notes": ctx.count(Note, Note.deal_id == deal_id),
    }


@tool
def create_deal(
    ctx: Context,
    name: str,
    company_id: str,
    amount: Money,
    close_date: date,
    currency: str | None = None,
    person_id: str | None = None,
    stage_id: str = "lead",
    owner_id: str | None = None,
    next_step: str = "",
) -> Any:
    """Open a deal in one of the open stages."""
    me = writer(ctx)
    name = stated(ctx, "The name", name)
    company = ctx.require(Company, company_id)
    stage = ctx.require(Stage, stage_id)
    if stage.kind != "open":
        ctx.fail("invalid", f"A deal starts in an open stage; use move_deal to bring it to {stage.name!r}.")
    _not_past(ctx, close_date)
    deal = ctx.add(
        Deal(
            id=ctx.new_id("deal"),
            name=name,
            company_id=company_id,
            person_id=_contact(ctx, company, person_id),
            owner_id=assignable(ctx, owner_id).id if owner_id is not None else me.id,
            stage_id=stage.id,
            amount=amount,
            currency=currency or company.currency,
            close_date=close_date,
            next_step=next_step,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )
    _step(ctx, deal, None, me)
    return _shown(deal, stage)


@tool
def update_deal(
    ctx: Context,
    deal_id: str,
    name: str | None = None,
    amount: Money | None = None,
    currency: str | None = None,
    close_date: date | None = None,
    person_id: str | None = None,
    probability: Money | None = None,
    use_stage_probability: bool = False,
    next_step: str | None = None,
) -> Any:
    """Change an open deal."""
    writer(ctx)
    something(
        ctx,
        name,
        amount,
        currency,
        close_date,
        person_id,
        probability,
        use_stage_probability or None,
        next_step,
    )
    deal = ctx.require(Deal, deal_id)
    stage = ctx.require(Stage, deal.stage_id)
    if stage.kind != "open":
        ctx.fail("conflict", f"The deal {deal.name!r} is {stage.kind}; only open deals can be changed.")
    if probability is not None and use_stage_probability:
        ctx.fail("invalid", "Give either probability or use_stage_probability, not both.")
    if name is not None:
        deal.name = stated(ctx, "The name", name)
    if close_date is not None:
        _not_past(ctx, close_date)
        deal.close_date = close_date
    if person_id is not None:
        deal.person_id = _contact(ctx, ctx.require(Company, deal.company_id), person_id or None)
    if probability is not None:
        deal.probability = probability
    if use_stage_probability:
        deal.probability = None
    if amount is not None:
        deal.amount = amount
    if currency is not None:
        deal.currency = currency
    if next_step is not None:
        deal.next_step = next_step
    deal.updated_at = ctx.now()
    return _shown(deal, stage)


@tool
def move_deal(ctx: Context, deal_id: str, stage_id: str, lost_reason: str | None = None, comment: str = "") -> Any:
    """Move a deal to another stage, where the pipeline allows the step."""
    me = writer(ctx)
    deal = ctx.require(Deal, deal_id)
    before, after = ctx.require(Stage, deal.stage_id), ctx.require(Stage, stage_id)
    if ctx.get(StageMove, before.id, after.id) is None:
        allowed = ", ".join(move.to_id for move in ctx.list(StageMove, StageMove.from_id == before.id))
        ctx.fail(
            "conflict",
            f"A deal in {before.id!r} cannot move to {after.id!r}; possible: {allowed or 'none'}.",
        )
    if (after.kind == "lost") != (lost_reason is not None):
        need = "needs" if after.kind == "lost" else "takes no"
        ctx.fail("invalid", f"The stage {after.id!r} {need} lost_reason.")
    if after.kind == "won":
        if deal.amount <= 0:
            ctx.fail("invalid", "A deal is won only with an amount above zero; set it with update_deal first.")
        company = ctx.require(Company, deal.company_id)
        company.lifecycle = "customer"
        company.updated_at = ctx.now()
    closing = after.kind != "open"
    deal.stage_id = after.id
    deal.lost_reason = lost_reason
    deal.close_comment = comment if closing else ""
    deal.closed_at = ctx.now() if closing else None
    deal.close_date = ctx.today() if closing else max(deal.close_date, ctx.today())
    deal.updated_at = ctx.now()
    ctx.flush()
    _step(ctx, deal, before.id, me)
    return _shown(deal, after)


def _contact(ctx: Context, company: Company, person_id: str | None) -> str | None:
    if person_id is None:
        return None
    person = ctx.require(Person, person_id)
    if person.company_id != company.id or person.status == "left":
        ctx.fail("invalid", f"{person.name} does not work at {company.name}, so cannot be the contact of its deal.")
    return person.id


def _not_past(ctx: Context, close_date: date) -> None:
    if close_date < ctx.today():
        ctx.fail("invalid", f"The close date of an open deal cannot lie in the past (today is {ctx.today()}).")


def _step(ctx: Context, deal: Deal, from_id: str | None, me: Member) -> None:
    ctx.add(
        StageChange(
            id=ctx.new_id("chg"),
            deal_id=deal.id,
            from_id=from_id,
            to_id=deal.stage_id,
            changed_by=me.id,
            changed_at=ctx.now(),
        )
    )
