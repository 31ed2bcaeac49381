"""Tools for claims against carriers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context, Money, tool
from services.shipping.state import Carrier, Claim, Shipment

ALLOWED = {
    "submitted": ("draft",),
    "accepted": ("submitted",),
    "rejected": ("submitted",),
    "withdrawn": ("draft", "submitted"),
}
"""From which states a claim may get to each."""
NEEDED = {"damage": ("photo", "invoice"), "loss": ("invoice",), "delay": ("statement",)}
"""Evidence without which a claim is not submitted."""
MAX_EVIDENCE = 20


def _views(ctx: Context, claims: Sequence[Claim]) -> list[dict[str, Any]]:
    ids = {claim.shipment_id for claim in claims}
    shipments = {item.id: item for item in ctx.list(Shipment, col(Shipment.id).in_(ids))}
    carriers = {item.id: item for item in ctx.list(Carrier)}
    out = []
    for claim in claims:
        shipment = shipments[claim.shipment_id]
        carrier = carriers[shipment.carrier_id or ""]
        out.append(
            claim.out()
            | {
                "shipment_number": shipment.number,
                "customer": shipment.customer,
                "carrier_id": carrier.id,
                "carrier_name": carrier.name,
                "claims_email": carrier.claims_email,
                "missing_evidence": _missing(claim) if claim.status == "draft" else [],
                "days_left": (claim.deadline - ctx.today()).days if claim.status == "draft" else None,
            }
        )
    return out


def _missing(claim: Claim) -> list[str]:
    there = {item["kind"] for item in claim.evidence}
    return [kind for kind in NEEDED[claim.kind] if kind not in there]


@tool
def create_claim(ctx: Context, shipment_id: str, kind: str, amount: Money, description: str) -> Any:
    """Draft a claim for a shipment."""
    shipment = ctx.require(Shipment, shipment_id)
    if shipment.carrier_id is None:
        ctx.fail("conflict", f"{shipment.number} has no label, so there is no carrier to claim from.")
    _require_ground(ctx, shipment, kind)
    if not 0 < amount <= shipment.declared_value:
        ctx.fail(
            "invalid",
            f"amount must be above 0 and at most the declared value, {shipment.declared_value} {shipment.currency}.",
        )
    same = col(Claim.shipment_id) == shipment.id, col(Claim.kind) == kind, col(Claim.status) != "withdrawn"
    known = ctx.first(Claim, *same)
    if known is not None:
        ctx.fail("conflict", f"{shipment.number} has the {kind} claim {known.id} ({known.status}) already.")
    days = ctx.require(Carrier, shipment.carrier_id).claim_days
    deadline = (shipment.delivered_on or ctx.today()) + timedelta(days=days)
    if deadline < ctx.today():
        ctx.fail("conflict", f"The carrier took claims for {shipment.number} until {deadline}; it is too late.")
    claim = ctx.add(
        Claim(
            id=ctx.new_id("clm"),
            shipment_id=shipment.id,
            kind=kind,
            amount=amount,
            currency=shipment.currency,
            description=description,
            evidence=[],
            deadline=deadline,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return _views(ctx, [claim])[0]


def _require_ground(ctx: Context, shipment: Shipment, kind: str) -> None:
    if shipment.status == "created":
        ctx.fail("conflict", f"{shipment.number} has not been picked up; void its label instead.")
    if kind == "damage" and shipment.status not in ("delivered", "exception", "returned"):
        ctx.fail("conflict", f"{shipment.number} is {shipment.status}; damage shows once it is delivered.")
    if kind == "loss" and shipment.status in ("delivered", "returned"):
        ctx.fail("conflict", f"{shipment.number} is {shipment.status} and not lost; claim damage for missing parts.")
    if kind == "delay":
        promised = shipment.promised_on
        if promised is None or (shipment.delivered_on or ctx.today()) <= promised:
            ctx.fail("conflict", f"{shipment.number} is not late; it was promised for {promised}.")


@tool
def list_claims(
    ctx: Context,
    status: str | None = None,
    kind: str | None = None,
    shipment_id: str | None = None,
    carrier_id: str | None = None,
    carrier_reference: str | None = None,
    customer: str | None = None,
    deadline_before: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Claims that meet every filter, the nearest deadline first."""
    equal = (
        (Claim.status, status),
        (Claim.kind, kind),
        (Claim.shipment_id, shipment_id),
        (Claim.carrier_reference, carrier_reference),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    for column, value in ((Shipment.carrier_id, carrier_id), (Shipment.customer, customer)):
        if value is not None:
            where.append(col(Claim.shipment_id).in_(select(col(Shipment.id)).where(col(column) == value)))
    if deadline_before is not None:
        where.append(col(Claim.deadline) < deadline_before)
    page = ctx.page(Claim, *where, order_by=[col(Claim.deadline)], limit=limit, cursor=cursor)
    return {
        "items": _views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Claim, *where),
    }


@tool
def add_claim_evidence(ctx: Context, claim_id: str, kind: str, name: str, note: str = "") -> Any:
    """Add a document to a claim that is not decided."""
    claim = ctx.require(Claim, claim_id)
    if claim.status not in ("draft", "submitted"):
        ctx.fail("conflict", f"Claim {claim.id} is {claim.status} and takes no more evidence.")
    if any(item["name"] == name for item in claim.evidence):
        ctx.fail("conflict", f"Claim {claim.id} has a document named {name!r} already.")
    if len(claim.evidence) >= MAX_EVIDENCE:
        ctx.fail("limit", f"Claim {claim.id} has {MAX_EVIDENCE} documents, the most allowed.")
    added = {"kind": kind, "name": name, "note": note, "added_on": ctx.today().isoformat()}
    claim.evidence = [*claim.evidence, added]
    ctx.flush()
    return _views(ctx, [claim])[0]


@tool
def set_claim_status(
    ctx: Context,
    claim_id: str,
    status: str,
    carrier_reference: str | None = None,
    approved_amount: Money | None = None,
    note: str = "",
) -> Any:
    """Submit a claim, record the carrier's decision, or withdraw it."""
    claim = ctx.require(Claim, claim_id)
    if claim.status not in ALLOWED[status]:
        before = " or ".join(ALLOWED[status])
        ctx.fail("conflict", f"Claim {claim.id} is {claim.status}; only one that is {before} becomes {status}.")
    if (status == "accepted") != (approved_amount is not None):
        ctx.fail("invalid", "Give approved_amount with the status accepted, and only with it.")
    if status == "submitted":
        missing = _missing(claim)
        if missing:
            ctx.fail("conflict", f"Claim {claim.id} lacks evidence: {' and '.join(missing)}; use add_claim_evidence.")
        if ctx.today() > claim.deadline:
            ctx.fail("conflict", f"The deadline of claim {claim.id} was {claim.deadline}; it is too late.")
        claim.submitted_at = ctx.now()
    else:
        claim.decided_at = ctx.now()
    if approved_amount is not None:
        if not 0 < approved_amount <= claim.amount:
            ctx.fail("invalid", f"approved_amount must be above 0 and at most {claim.amount} {claim.currency}.")
        claim.approved_amount = approved_amount
    if status == "rejected" and not note.strip():
        ctx.fail("invalid", "Say in note why the carrier rejects the claim.")
    claim.status, claim.decision_note = status, note
    claim.carrier_reference = carrier_reference or claim.carrier_reference
    ctx.flush()
    return _views(ctx, [claim])[0]
