"""What the company's travel policy says about offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.travel.state import Offer, PolicyRule

RANK = {"economy": 0, "premium": 1, "business": 2, "standard": 0, "first": 1}


def breaches(ctx: Context, offer: Offer) -> list[dict[str, Any]]:
    """The rules that an offer breaks, with a sentence each."""
    return breaches_of(ctx, [offer])[offer.id]


def breaches_of(ctx: Context, offers: Sequence[Offer]) -> dict[str, list[dict[str, Any]]]:
    """The rules that each of some offers breaks, by offer."""
    rules = ctx.list(PolicyRule)
    routes = {(item.origin, item.destination) for item in offers if item.kind == "flight"}
    trains = ctx.list(
        Offer,
        Offer.kind == "train",
        col(Offer.origin).in_({origin for origin, _ in routes}),
        order_by=col(Offer.minutes),
    )
    out: dict[str, list[dict[str, Any]]] = {}
    for offer in offers:
        found = [(rule, _problem(rule, offer, trains)) for rule in _applying(rules, offer)]
        out[offer.id] = [{"rule_id": rule.id, "kind": rule.kind, "problem": text} for rule, text in found if text]
    return out


def _applying(rules: Sequence[PolicyRule], offer: Offer) -> list[PolicyRule]:
    """The rules for an offer's kind; of those on flight classes only the one for its length."""
    if offer.kind == "hotel":
        return [rule for rule in rules if rule.kind == "night_cap" and rule.city == offer.destination]
    if offer.kind == "train":
        return [rule for rule in rules if rule.kind == "train_class"]
    by_length = [rule for rule in rules if rule.kind == "flight_class" and (rule.from_minutes or 0) <= offer.minutes]
    longest = sorted(by_length, key=lambda rule: (rule.from_minutes or 0, rule.id))[-1:]
    return longest + [rule for rule in rules if rule.kind == "rail_first"]


def _problem(rule: PolicyRule, offer: Offer, trains: Sequence[Offer]) -> str | None:
    if rule.kind == "night_cap":
        if rule.cap is not None and rule.currency == offer.currency and offer.price > rule.cap:
            return f"{offer.price} {offer.currency} a night is above the cap of {rule.cap} in {rule.city}."
    elif rule.kind == "rail_first":
        for train in trains:
            same = (train.origin, train.destination) == (offer.origin, offer.destination)
            if same and train.minutes < (rule.from_minutes or 0):
                return f"From {offer.origin} to {offer.destination} a train takes {train.minutes} minutes."
    elif RANK[offer.travel_class or "economy"] > RANK[rule.travel_class or "economy"]:
        return f"{offer.travel_class} on a {offer.kind} of {offer.minutes} minutes; {rule.travel_class} is the highest."
    return None
