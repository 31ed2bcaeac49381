"""Tools that draft, change and list campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.campaigns.state import Audience, Campaign, Recipient, Segment, Template

HOME = "@larkspur.example"


def campaign_views(ctx: Context, campaigns: Sequence[Campaign]) -> list[dict[str, Any]]:
    """Campaigns for a list, with the names of what they use and the number of recipients."""

    def names(entity: Any, ids: set[str]) -> dict[str, str]:
        return {item.id: item.name for item in ctx.list(entity, col(entity.id).in_(ids))}

    audiences = names(Audience, {item.audience_id for item in campaigns})
    segments = names(Segment, {item.segment_id for item in campaigns if item.segment_id})
    templates = names(Template, {item.template_id for item in campaigns})
    counted = ctx.rows(
        select(col(Recipient.campaign_id), func.count())
        .where(col(Recipient.campaign_id).in_({item.id for item in campaigns}))
        .group_by(col(Recipient.campaign_id))
    )
    counts: dict[str, int] = {row[0]: row[1] for row in counted}
    return [
        item.out()
        | {
            "audience_name": audiences[item.audience_id],
            "segment_name": segments.get(item.segment_id or ""),
            "template_name": templates[item.template_id],
            "recipient_count": counts.get(item.id, 0),
        }
        for item in campaigns
    ]


def check_parts(ctx: Context, campaign: Campaign) -> None:
    """Refuse a campaign whose parts do not fit together."""
    ctx.require(Audience, campaign.audience_id)
    if campaign.segment_id is not None:
        segment = ctx.require(Segment, campaign.segment_id)
        if segment.audience_id != campaign.audience_id:
            ctx.fail("conflict", f"Segment {segment.id} belongs to audience {segment.audience_id}, not to this one.")
    if ctx.require(Template, campaign.template_id).archived:
        ctx.fail("conflict", f"Template {campaign.template_id} is archived; choose one in use.")
    if campaign.subject_b is not None and campaign.subject_b == campaign.subject:
        ctx.fail("invalid", "subject_b must differ from subject, or there is nothing to compare.")
    if not campaign.from_email.endswith(HOME):
        ctx.fail("forbidden", f"Campaigns are sent from addresses of ours only; {campaign.from_email} is not one.")


@tool
def create_campaign(
    ctx: Context,
    name: str,
    audience_id: str,
    template_id: str,
    subject: str | None = None,
    subject_b: str | None = None,
    share_b: int = 50,
    segment_id: str | None = None,
    from_name: str = "Larkspur Outfitters",
    from_email: str = "news@larkspur.example",
    tags: list[str] | None = None,
) -> Any:
    """A new draft."""
    template = ctx.require(Template, template_id)
    campaign = Campaign(
        id=ctx.new_id("cmp"),
        name=name,
        audience_id=audience_id,
        segment_id=segment_id,
        template_id=template.id,
        subject=subject or template.subject,
        subject_b=subject_b,
        share_b=share_b,
        from_name=from_name,
        from_email=from_email,
        tags=list(tags or []),
        created_by=ctx.user.email,
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    check_parts(ctx, campaign)
    return campaign_views(ctx, [ctx.add(campaign)])[0]


@tool
def update_campaign(
    ctx: Context,
    campaign_id: str,
    name: str | None = None,
    audience_id: str | None = None,
    segment_id: str | None = "",
    template_id: str | None = None,
    subject: str | None = None,
    subject_b: str | None = "",
    share_b: int | None = None,
    from_name: str | None = None,
    from_email: str | None = None,
    tags: list[str] | None = None,
) -> Any:
    """Change a campaign that is not on its way."""
    campaign = ctx.require(Campaign, campaign_id)
    if campaign.status == "scheduled":
        ctx.fail("conflict", f"Campaign {campaign.id} is scheduled; pause it before you change it.")
    if campaign.status not in ("draft", "paused"):
        ctx.fail("conflict", f"Campaign {campaign.id} is {campaign.status} and can no longer be changed.")
    changes: dict[str, Any] = {
        "name": name,
        "audience_id": audience_id,
        "template_id": template_id,
        "subject": subject,
        "share_b": share_b,
        "from_name": from_name,
        "from_email": from_email,
        "tags": tags,
    }
    changes = {key: value for key, value in changes.items() if value is not None}
    # Here None is a value of its own: no segment, no second subject.
    changes |= {key: value for key, value in (("segment_id", segment_id), ("subject_b", subject_b)) if value != ""}
    if not changes:
        ctx.fail("invalid", "Nothing to change: give at least one field.")
    check_parts(ctx, Campaign(**(campaign.values() | changes)))
    for key, value in changes.items():
        setattr(campaign, key, value)
    campaign.updated_at = ctx.now()
    ctx.flush()
    return campaign_views(ctx, [campaign])[0]


@tool
def list_campaigns(
    ctx: Context,
    status: str | None = None,
    audience_id: str | None = None,
    template_id: str | None = None,
    tag: str | None = None,
    query: str | None = None,
    sent_after: Moment | None = None,
    sent_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Campaigns that meet every filter, newest first."""
    equal = ((Campaign.status, status), (Campaign.audience_id, audience_id), (Campaign.template_id, template_id))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if tag is not None:
        where.append(col(Campaign.tags).contains([tag]))
    if query is not None:
        where.append(contains(Campaign.name, query) | contains(Campaign.subject, query))
    if sent_after is not None:
        where.append(col(Campaign.sent_at) >= sent_after)
    if sent_before is not None:
        where.append(col(Campaign.sent_at) < sent_before)
    page = ctx.page(Campaign, *where, order_by=[col(Campaign.created_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": campaign_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Campaign, *where),
    }
