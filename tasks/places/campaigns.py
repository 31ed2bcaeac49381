"""E-mail marketing as a place of scenarios: audiences, subscribers, segments, campaigns and what came of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from engine.kit.cast import Person
from tasks.authoring.draft import Draft

TEMPLATES: tuple[str, ...] = ("tpl_issue", "tpl_offer", "tpl_notice", "tpl_welcome", "tpl_care", "tpl_sizes")
"""Templates of the seed data that are in use."""


def audience(d: Draft, name: str, *, description: str = "", quiet_days: int = 0) -> str:
    """Plant an audience; gives the id."""
    key = d.key("aud")
    d.plant(
        "campaigns_audience",
        id=key,
        name=name,
        description=description,
        quiet_days=quiet_days,
        created_at=d.ago(60, 9, d.rng.randrange(60)),
    )
    return key


def subscriber(
    d: Draft,
    audience_id: str,
    who: Person,
    *,
    company: str = "",
    country: str = "NL",
    status: str = "subscribed",
    source: str = "sales",
    tags: tuple[str, ...] = (),
    note: str = "",
    joined: int = -90,
) -> str:
    """Plant an address on an audience; gives the id."""
    key = d.key("sub")
    d.plant(
        "campaigns_subscriber",
        id=key,
        audience_id=audience_id,
        email=who.email,
        name=who.name,
        company=company or who.company,
        country=country,
        status=status,
        source=source,
        consent_note=note,
        tags=list(tags),
        joined_on=d.on(joined),
        updated_at=d.ago(9, 11),
    )
    return key


def segment(
    d: Draft, audience_id: str, name: str, conditions: Iterable[tuple[str, str, str]], match: str = "all"
) -> str:
    """Plant a segment of conditions (field, operator, value); gives the id."""
    key = d.key("seg")
    parts = [{"field": what, "operator": how, "value": value} for what, how, value in conditions]
    d.plant(
        "campaigns_segment",
        id=key,
        audience_id=audience_id,
        name=name,
        match=match,
        conditions=parts,
        created_at=d.ago(25, 10),
    )
    return key


def campaign(
    d: Draft,
    name: str,
    audience_id: str,
    *,
    template: str = "tpl_offer",
    subject: str,
    subject_b: str | None = None,
    segment_id: str | None = None,
    status: str = "draft",
    tags: tuple[str, ...] = (),
    at: datetime | None = None,
    reason: str = "",
    days_ago: int = 3,
    by: str = "oscar.delacroix@larkspur.example",
) -> str:
    """Plant a campaign; ``at`` is when it was sent, or when it is scheduled. Gives the id."""
    key, sent = d.key("cmp"), status == "sent"
    made = d.ago(days_ago, 13, d.rng.randrange(60))
    d.plant(
        "campaigns_campaign",
        id=key,
        name=name,
        audience_id=audience_id,
        segment_id=segment_id,
        template_id=template,
        subject=subject,
        subject_b=subject_b,
        from_name="Larkspur Outfitters",
        from_email="news@larkspur.example",
        tags=list(tags),
        status=status,
        status_reason=reason,
        scheduled_at=None if sent else at,
        sent_at=at if sent else None,
        created_by=by,
        created_at=made,
        updated_at=at if sent and at else made,
    )
    return key


def recipient(
    d: Draft,
    campaign_id: str,
    subscriber_id: str,
    who: Person,
    sent_at: datetime,
    *,
    variant: str = "a",
    opened: bool = False,
    clicked: bool = False,
    bounced: bool = False,
) -> None:
    """Plant somebody to whom a campaign was sent, and what they did."""
    row: dict[str, Any] = {"opened_at": sent_at if opened or clicked else None}
    d.plant(
        "campaigns_recipient",
        id=d.key("rcp"),
        campaign_id=campaign_id,
        subscriber_id=subscriber_id,
        email=who.email,
        variant=variant,
        bounced=bounced,
        clicked_at=sent_at if clicked else None,
        **row,
    )
