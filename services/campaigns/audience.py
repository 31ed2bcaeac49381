"""Audiences: who may be mailed, and which conditions describe a segment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import and_, false, func, or_, select
from sqlmodel import col

from engine.kit import Context
from services.campaigns.state import Campaign, Recipient, Segment, Subscriber, Suppression

_TEXT_FIELDS = {
    "company": Subscriber.company,
    "country": Subscriber.country,
    "source": Subscriber.source,
}
_RESULTS = {"opened": Recipient.opened_at, "clicked": Recipient.clicked_at}


def is_suppressed() -> Any:
    """The condition that a subscriber's address is suppressed."""
    return col(Subscriber.email).in_(select(col(Suppression.email)))


def mailable(audience_id: str) -> list[Any]:
    """Conditions for those of an audience who may be mailed."""
    return [col(Subscriber.audience_id) == audience_id, col(Subscriber.status) == "subscribed", ~is_suppressed()]


def in_segment(segment: Segment | None) -> Any:
    """The condition that a subscriber of the audience belongs to the segment; without one everybody does."""
    if segment is None:
        return ~false()
    parts = [_condition(item) for item in segment.conditions]
    return and_(*parts) if segment.match == "all" else or_(*parts)


def _condition(item: dict[str, Any]) -> Any:
    name, operator, value = item["field"], item["operator"], item["value"]
    if name == "joined_on":
        day = date.fromisoformat(value)
        return col(Subscriber.joined_on) < day if operator == "before" else col(Subscriber.joined_on) > day
    if name == "tag":
        found = col(Subscriber.tags).contains([value])
    elif name in _RESULTS:
        done = col(Recipient.campaign_id) == value, col(_RESULTS[name]).is_not(None)
        found = col(Subscriber.id).in_(select(col(Recipient.subscriber_id)).where(*done))
    else:
        found = col(_TEXT_FIELDS[name]) == value
    return found if operator == "is" else ~found


def check_conditions(ctx: Context, conditions: Sequence[dict[str, Any]]) -> None:
    """Refuse conditions whose operator or value does not suit their field."""
    for number, item in enumerate(conditions, 1):
        name, operator, value = item["field"], item["operator"], item["value"]
        fitting = ("before", "after") if name == "joined_on" else ("is", "is_not")
        if operator not in fitting:
            ctx.fail("invalid", f"Condition {number}: {name} takes the operators {' and '.join(fitting)}.")
        if name == "joined_on":
            try:
                date.fromisoformat(value)
            except ValueError:
                ctx.fail("invalid", f"Condition {number}: {value!r} is not a date; write YYYY-MM-DD.")
        if name in _RESULTS:
            campaign = ctx.require(Campaign, value)
            if campaign.status != "sent":
                ctx.fail("conflict", f"Condition {number}: campaign {value} has not been sent, so nobody {name} it.")


def sizes(ctx: Context, segments: Sequence[Segment]) -> dict[str, int]:
    """How many of each segment may be mailed now."""
    if not segments:
        return {}
    columns = [
        func.count().filter(*mailable(segment.audience_id), in_segment(segment)).label(f"s{number}")
        for number, segment in enumerate(segments)
    ]
    counts = ctx.rows(select(*columns).select_from(Subscriber))[0]
    return {segment.id: counts[number] for number, segment in enumerate(segments)}


def subscriber_views(ctx: Context, subscribers: Sequence[Subscriber]) -> list[dict[str, Any]]:
    """Subscribers for results, with whether they may be mailed."""
    held = {item.email for item in ctx.list(Suppression, col(Suppression.email).in_({s.email for s in subscribers}))}
    return [
        item.out()
        | {"suppressed": item.email in held, "mailable": item.status == "subscribed" and item.email not in held}
        for item in subscribers
    ]
