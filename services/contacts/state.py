"""Entities of the contacts service."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

LIFECYCLES = ("prospect", "customer", "former", "partner")
TIERS = ("none", "bronze", "silver", "gold")
ROLES = ("primary", "billing", "technical", "decision_maker", "legal")
SINGLE_ROLES = ("primary", "billing")
"""Roles that one person at a time holds in a company."""
LOST_REASONS = ("price", "competitor", "no_budget", "timing", "no_response", "other")
MAX_TAGS = 30


class ContactsEntity(Entity):
    """Base of this service's entities."""

    __service__ = "contacts"


class Member(ContactsEntity, table=True):
    """A colleague with access to the book."""

    id: str = key("mem")
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    team: str = field("category", max_length=60)
    role: str = field("category", choices=("admin", "member", "viewer"))
    manager_id: str | None = ref("contacts_member.id", default=None)
    active: bool = field("flag", default=True)


class Company(ContactsEntity, table=True):
    """An organisation: a customer, a prospect, a partner."""

    id: str = key("cmp")
    name: str = field("company", max_length=160, index=True)
    domain: str | None = field("url", max_length=120, default=None)
    industry: str = field("category", max_length=60, default="")
    city: str = field("place", max_length=80, default="")
    country: str = field("code", max_length=2, default="")
    currency: str = field("currency", max_length=3, default="USD")
    phone: str = field("phone", max_length=40, default="")
    tier: str = field("category", choices=TIERS, default="none")
    lifecycle: str = field("status", choices=LIFECYCLES, default="prospect")
    parent_id: str | None = ref("contacts_company.id", default=None)
    owner_id: str = ref("contacts_member.id")
    tags: list[str] = field("tags", default_factory=list)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class Person(ContactsEntity, table=True):
    """Somebody at a company, or on their own."""

    id: str = key("per")
    name: str = field("person", max_length=120, index=True)
    email: str | None = field("email", max_length=200, default=None, index=True)
    other_emails: list[str] = field("json", default_factory=list)
    phone: str = field("phone", max_length=40, default="")
    title: str = field("title", max_length=120, default="")
    company_id: str | None = ref("contacts_company.id", default=None)
    owner_id: str = ref("contacts_member.id")
    status: str = field("status", choices=("active", "left"), default="active")
    do_not_contact: bool = field("flag", default=False)
    tags: list[str] = field("tags", default_factory=list)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class ContactRole(ContactsEntity, table=True):
    """What a person is for their company: billing contact, decision maker."""

    company_id: str = ref("contacts_company.id", key=True, on_delete="cascade")
    person_id: str = ref("contacts_person.id", key=True, on_delete="cascade")
    role: str = field("category", choices=ROLES, key=True)
    since: date = field("date")


class Stage(ContactsEntity, table=True):
    """A stage of the pipeline."""

    id: str = key()
    name: str = field("name", max_length=60)
    position: int = field("quantity", ge=1)
    probability: Decimal = field("percent", ge=0, le=100)
    kind: str = field("category", choices=("open", "won", "lost"))


class StageMove(ContactsEntity, table=True):
    """A move between stages that the pipeline allows."""

    from_id: str = ref("contacts_stage.id", key=True)
    to_id: str = ref("contacts_stage.id", key=True)


class Deal(ContactsEntity, table=True):
    """A sale in the making."""

    id: str = key("deal")
    name: str = field("title", max_length=160, index=True)
    company_id: str = ref("contacts_company.id")
    person_id: str | None = ref("contacts_person.id", default=None)
    owner_id: str = ref("contacts_member.id")
    stage_id: str = ref("contacts_stage.id")
    amount: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    close_date: date = field("date")
    probability: Decimal | None = field("percent", ge=0, le=100, default=None)
    next_step: str = field("text", max_length=500, default="")
    lost_reason: str | None = field("category", choices=LOST_REASONS, default=None)
    close_comment: str = field("text", max_length=1000, default="")
    closed_at: datetime | None = field("datetime", default=None)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class StageChange(ContactsEntity, table=True):
    """A step that a deal took."""

    id: str = key("chg")
    deal_id: str = ref("contacts_deal.id", on_delete="cascade")
    from_id: str | None = ref("contacts_stage.id", default=None)
    to_id: str = ref("contacts_stage.id")
    changed_by: str = ref("contacts_member.id")
    changed_at: datetime = field("datetime")


class Activity(ContactsEntity, table=True):
    """A call, meeting or mail that took place, or a task that is due."""

    id: str = key("act")
    kind: str = field("category", choices=("call", "meeting", "email", "task"))
    subject: str = field("title", max_length=200)
    body: str = field("text", max_length=5000, default="")
    at: datetime = field("datetime", index=True, description="when it took place, or when the task is due")
    status: str = field("status", choices=("open", "done", "cancelled"))
    outcome: str = field("text", max_length=2000, default="")
    minutes: int | None = field("minutes", ge=0, default=None)
    company_id: str | None = ref("contacts_company.id", default=None, on_delete="cascade")
    person_id: str | None = ref("contacts_person.id", default=None, on_delete="set null")
    deal_id: str | None = ref("contacts_deal.id", default=None, on_delete="cascade")
    assignee_id: str = ref("contacts_member.id")
    created_by: str = ref("contacts_member.id")
    created_at: datetime = field("datetime")
    completed_at: datetime | None = field("datetime", default=None)


class Note(ContactsEntity, table=True):
    """Free text on a company, person or deal (exactly one of them)."""

    id: str = key("note")
    body: str = field("text", min_length=1, max_length=5000)
    company_id: str | None = ref("contacts_company.id", default=None, on_delete="cascade")
    person_id: str | None = ref("contacts_person.id", default=None, on_delete="cascade")
    deal_id: str | None = ref("contacts_deal.id", default=None, on_delete="cascade")
    pinned: bool = field("flag", default=False)
    author_id: str = ref("contacts_member.id")
    created_at: datetime = field("datetime")


class Segment(ContactsEntity, table=True):
    """A named list of people, for campaigns and invitations."""

    id: str = key("seg")
    name: str = field("name", max_length=80, unique=True)
    description: str = field("text", max_length=500, default="")
    owner_id: str = ref("contacts_member.id")
    created_at: datetime = field("datetime")


class SegmentPerson(ContactsEntity, table=True):
    """A person's place in a segment."""

    segment_id: str = ref("contacts_segment.id", key=True, on_delete="cascade")
    person_id: str = ref("contacts_person.id", key=True, on_delete="cascade")
    added_at: datetime = field("datetime")
