"""What e-mail marketing remembers."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from engine.kit import Entity, field, key, ref

CONSENT = ("subscribed", "unsubscribed", "bounced")
CAMPAIGN_STATUSES = ("draft", "scheduled", "paused", "sent", "cancelled")
SOURCES = ("signup_form", "import", "sales", "event")


class CampaignsEntity(Entity):
    """Base of the service's entities."""

    __service__ = "campaigns"


class Audience(CampaignsEntity, table=True):
    """A mailing list with its own rules."""

    id: str = key("aud")
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=500)
    quiet_days: int = field("quantity", default=0, ge=0, description="days between two campaigns")
    created_at: datetime = field("datetime")


class Subscriber(CampaignsEntity, table=True):
    """An address on an audience and what its holder has agreed to."""

    id: str = key("sub")
    audience_id: str = ref("campaigns_audience.id")
    email: str = field("email", index=True, max_length=200)
    name: str = field("person", default="", max_length=120)
    company: str = field("company", default="", max_length=120)
    country: str = field("place", default="", max_length=2)
    status: str = field("status", choices=CONSENT, default="subscribed")
    source: str = field("category", choices=SOURCES)
    consent_note: str = field("text", default="", max_length=300)
    tags: list[str] = field("tags", default_factory=list)
    joined_on: date = field("date")
    updated_at: datetime = field("datetime")


class Suppression(CampaignsEntity, table=True):
    """An address that gets no campaign, whatever its audiences say."""

    email: str = field("email", key=True, max_length=200)
    reason: str = field("category", choices=("complaint", "legal", "dispute", "request"))
    note: str = field("text", default="", max_length=300)
    suppressed_at: datetime = field("datetime")


class Segment(CampaignsEntity, table=True):
    """A part of an audience, described by conditions."""

    id: str = key("seg")
    audience_id: str = ref("campaigns_audience.id")
    name: str = field("name", max_length=80)
    match: str = field("category", choices=("all", "any"), default="all")
    conditions: list[dict[str, Any]] = field("json")
    created_at: datetime = field("datetime")


class Template(CampaignsEntity, table=True):
    """A mail's text."""

    id: str = key("tpl")
    name: str = field("name", unique=True, max_length=80)
    subject: str = field("title", max_length=150)
    body: str = field("text", max_length=5000)
    archived: bool = field("flag", default=False)


class Campaign(CampaignsEntity, table=True):
    """One mailing to an audience or a segment of it."""

    id: str = key("cmp")
    name: str = field("name", max_length=120)
    audience_id: str = ref("campaigns_audience.id")
    segment_id: str | None = ref("campaigns_segment.id", default=None)
    template_id: str = ref("campaigns_template.id")
    subject: str = field("title", max_length=150)
    subject_b: str | None = field("title", default=None, max_length=150)
    share_b: int = field("quantity", default=50, ge=1, le=99, description="per cent of the recipients")
    from_name: str = field("name", max_length=80)
    from_email: str = field("email", max_length=200)
    tags: list[str] = field("tags", default_factory=list)
    status: str = field("status", choices=CAMPAIGN_STATUSES, default="draft", index=True)
    status_reason: str = field("text", default="", max_length=300)
    scheduled_at: datetime | None = field("datetime", default=None)
    sent_at: datetime | None = field("datetime", default=None)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class Recipient(CampaignsEntity, table=True):
    """Somebody to whom a campaign was sent, and what came of it."""

    id: str = key("rcp")
    campaign_id: str = ref("campaigns_campaign.id")
    subscriber_id: str = ref("campaigns_subscriber.id")
    email: str = field("email", max_length=200)
    variant: str = field("category", choices=("a", "b"), default="a")
    bounced: bool = field("flag", default=False)
    opened_at: datetime | None = field("datetime", default=None)
    clicked_at: datetime | None = field("datetime", default=None)


class Automation(CampaignsEntity, table=True):
    """A sequence of mails that starts by itself for each subscriber."""

    id: str = key("atm")
    name: str = field("name", unique=True, max_length=80)
    audience_id: str = ref("campaigns_audience.id")
    trigger: str = field("category", choices=("joined", "tagged"))
    trigger_tag: str | None = field("category", default=None, max_length=40)
    steps: list[dict[str, Any]] = field("json")
    status: str = field("status", choices=("draft", "active", "paused"), default="draft")
    active_since: date | None = field("date", default=None)
    updated_at: datetime = field("datetime")
