"""Tools that schedule and send campaigns, and what came of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.campaigns.audience import in_segment, is_suppressed, mailable
from services.campaigns.campaigns import campaign_views, check_parts
from services.campaigns.state import Audience, Campaign, Recipient, Segment, Subscriber

ALLOWED = {
    "scheduled": ("draft", "scheduled", "paused"),
    "paused": ("scheduled",),
    "draft": ("scheduled", "paused"),
    "cancelled": ("draft", "scheduled", "paused"),
}
"""From which states a campaign may get to each."""


@tool
def get_campaign(ctx: Context, campaign_id: str) -> Any:
    """One campaign with its results, or with what a sending would reach."""
    campaign = ctx.require(Campaign, campaign_id)
    view = campaign_views(ctx, [campaign])[0]
    if campaign.status != "sent":
        return view | {"expected_recipients": ctx.count(Subscriber, *_reached(ctx, campaign)), "results": None}
    return view | {"expected_recipients": None, "results": _results(ctx, campaign)}


def _segment(ctx: Context, campaign: Campaign) -> Segment | None:
    return ctx.require(Segment, campaign.segment_id) if campaign.segment_id is not None else None


def _reached(ctx: Context, campaign: Campaign) -> list[Any]:
    """Conditions for those whom a sending would reach now."""
    return [*mailable(campaign.audience_id), in_segment(_segment(ctx, campaign))]


def _results(ctx: Context, campaign: Campaign) -> dict[str, Any]:
    counted = ctx.rows(
        select(
            col(Recipient.variant),
            func.count(),
            func.count().filter(col(Recipient.bounced)),
            func.count(col(Recipient.opened_at)),
            func.count(col(Recipient.clicked_at)),
        )
        .where(col(Recipient.campaign_id) == campaign.id)
        .group_by(col(Recipient.variant))
        .order_by(col(Recipient.variant))
    )
    variants = [{"variant": row[0], **_rates(*row[1:])} for row in counted]
    whole = _rates(*(sum(row[place] for row in counted) for place in range(1, 5)))
    winner = None
    if len(variants) == 2:
        rates = [item["open_percent"] for item in variants]
        winner = None if rates[0] == rates[1] else "ab"[rates[1] > rates[0]]
    return whole | {"variants": variants, "winner": winner}


def _rates(recipients: int, bounces: int, opens: int, clicks: int) -> dict[str, Any]:
    delivered = recipients - bounces

    def percent(part: int) -> float:
        return round(100 * part / delivered, 1) if delivered else 0.0

    return {
        "recipients": recipients,
        "delivered": delivered,
        "bounces": bounces,
        "opens": opens,
        "clicks": clicks,
        "open_percent": percent(opens),
        "click_percent": percent(clicks),
    }


@tool
def set_campaign_status(
    ctx: Context, campaign_id: str, status: str, scheduled_at: Moment | None = None, reason: str = ""
) -> Any:
    """Schedule, pause, cancel or take back a campaign."""
    campaign = ctx.require(Campaign, campaign_id)
    if campaign.status not in ALLOWED[status]:
        before = " or ".join(ALLOWED[status])
        ctx.fail(
            "conflict", f"Campaign {campaign.id} is {campaign.status}; only one that is {before} becomes {status}."
        )
    if (status == "scheduled") != (scheduled_at is not None):
        ctx.fail("invalid", "Give scheduled_at with the status scheduled, and only with it.")
    if status == "cancelled" and not reason.strip():
        ctx.fail("invalid", "Give the reason for the cancellation.")
    if scheduled_at is not None:
        if scheduled_at <= ctx.now():
            ctx.fail("invalid", "scheduled_at must lie in the future; send_campaign sends at once.")
        check_parts(ctx, campaign)
        if not ctx.count(Subscriber, *_reached(ctx, campaign)):
            ctx.fail("conflict", f"Campaign {campaign.id} would reach nobody; check its audience and segment.")
    # A paused campaign remembers its time; a draft has none.
    campaign.scheduled_at = scheduled_at if status in ("scheduled", "draft") else campaign.scheduled_at
    campaign.status = status
    campaign.status_reason = reason
    campaign.updated_at = ctx.now()
    ctx.flush()
    return campaign_views(ctx, [campaign])[0]


@tool
def send_campaign(ctx: Context, campaign_id: str) -> Any:
    """Send a campaign now to those who may be mailed now."""
    campaign = ctx.require(Campaign, campaign_id)
    if campaign.status not in ("draft", "scheduled"):
        ctx.fail("conflict", f"Campaign {campaign.id} is {campaign.status}; only drafts and scheduled ones are sent.")
    check_parts(ctx, campaign)
    _require_quiet_days(ctx, campaign)
    reached = ctx.list(Subscriber, *_reached(ctx, campaign))
    if not reached:
        ctx.fail("conflict", f"Campaign {campaign.id} would reach nobody; check its audience and segment.")
    for number, subscriber in enumerate(reached):
        ctx.add(
            Recipient(
                id=ctx.new_id("rcp"),
                campaign_id=campaign.id,
                subscriber_id=subscriber.id,
                email=subscriber.email,
                variant=_variant(campaign, number),
            )
        )
    campaign.status = "sent"
    campaign.sent_at = campaign.updated_at = ctx.now()
    ctx.flush()
    left_out = _left_out(ctx, campaign)
    return campaign_views(ctx, [campaign])[0] | {"left_out": left_out}


def _require_quiet_days(ctx: Context, campaign: Campaign) -> None:
    audience = ctx.require(Audience, campaign.audience_id)
    earliest = ctx.now() - timedelta(days=audience.quiet_days)
    last = ctx.first(Campaign, col(Campaign.audience_id) == audience.id, col(Campaign.sent_at) > earliest)
    if last is not None:
        ctx.fail(
            "limit",
            f"{audience.name} gets at most one campaign in {audience.quiet_days} days, and {last.id} has just been "
            "sent to it; schedule this one for later.",
        )


def _variant(campaign: Campaign, number: int) -> str:
    """B for the share of recipients that it should get, evenly spread."""
    if campaign.subject_b is None:
        return "a"
    share = campaign.share_b
    return "b" if (number + 1) * share // 100 > number * share // 100 else "a"


def _left_out(ctx: Context, campaign: Campaign) -> dict[str, int]:
    of_segment = [col(Subscriber.audience_id) == campaign.audience_id, in_segment(_segment(ctx, campaign))]
    return {
        "unsubscribed": ctx.count(Subscriber, *of_segment, col(Subscriber.status) == "unsubscribed"),
        "bounced": ctx.count(Subscriber, *of_segment, col(Subscriber.status) == "bounced"),
        "suppressed": ctx.count(Subscriber, *of_segment, col(Subscriber.status) == "subscribed", is_suppressed()),
    }


@tool
def list_campaign_recipients(
    ctx: Context,
    campaign_id: str,
    variant: str | None = None,
    bounced: bool | None = None,
    opened: bool | None = None,
    clicked: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """To whom a campaign was sent, and what they did."""
    campaign = ctx.require(Campaign, campaign_id)
    where: list[Any] = [col(Recipient.campaign_id) == campaign.id]
    if variant is not None:
        where.append(col(Recipient.variant) == variant)
    if bounced is not None:
        where.append(col(Recipient.bounced).is_(bounced))
    for wanted, moment in ((opened, col(Recipient.opened_at)), (clicked, col(Recipient.clicked_at))):
        if wanted is not None:
            where.append(moment.is_not(None) if wanted else moment.is_(None))
    page = ctx.page(Recipient, *where, limit=limit, cursor=cursor)
    ids = {item.subscriber_id for item in page.items}
    people = {item.id: item for item in ctx.list(Subscriber, col(Subscriber.id).in_(ids))}
    items = [
        item.out()
        | {
            "name": people[item.subscriber_id].name,
            "company": people[item.subscriber_id].company,
            "opened": item.opened_at is not None,
            "clicked": item.clicked_at is not None,
        }
        for item in page.items
    ]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Recipient, *where)}
