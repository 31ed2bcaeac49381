"""What recruiting remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

TEAMS = ("operations", "sales", "finance", "support", "engineering", "people", "marketing")
STAGES = ("applied", "screening", "interview", "offer", "hired")
SOURCES = ("careers_page", "referral", "agency", "event", "sourced")
RECOMMENDATIONS = ("strong_no", "no", "yes", "strong_yes")
REJECTION_REASONS = (
    "skills",
    "experience",
    "salary_expectation",
    "work_permit",
    "location",
    "position_filled",
    "no_response",
    "candidate_withdrew",
    "other",
)
OFFER_STATES = ("draft", "approved", "sent", "accepted", "declined", "withdrawn")
LIVE_OFFERS = ("draft", "approved", "sent")


class RecruitingEntity(Entity):
    """Base of this service's entities."""

    __service__ = "recruiting"


class Staff(RecruitingEntity, table=True):
    """A colleague with a part in recruiting; recruiters see and do everything but approve offers above the range."""

    id: str = key("stf")
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    role: str = field("category", choices=("recruiter", "finance_approver", "interviewer"), default="interviewer")


class Opening(RecruitingEntity, table=True):
    """A position to be filled; how many of its places are filled follows from accepted offers."""

    id: str = key("opn")
    code: str = field("code", max_length=20, unique=True)
    title: str = field("title", max_length=120)
    team: str = field("category", choices=TEAMS)
    location: str = field("place", max_length=80)
    description: str = field("text", max_length=2000)
    hiring_manager_id: str = ref("recruiting_staff.id")
    recruiter_id: str = ref("recruiting_staff.id")
    headcount: int = field("quantity", ge=1)
    salary_min: Decimal = field("money", ge=0)
    salary_max: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    status: str = field("status", choices=("open", "on_hold", "filled", "closed"), default="open")
    opened_on: date = field("date")
    target_start_date: date = field("date")


class Candidate(RecruitingEntity, table=True):
    """Somebody who might join."""

    id: str = key("cnd")
    name: str = field("person", min_length=1, max_length=120)
    email: str = field("email", max_length=200, unique=True)
    phone: str = field("phone", max_length=40, default="")
    location: str = field("place", max_length=80, default="")
    current_company: str = field("company", max_length=120, default="")
    source: str = field("category", choices=SOURCES)
    referred_by_id: str | None = ref("recruiting_staff.id", default=None)
    created_at: datetime = field("datetime")


class Application(RecruitingEntity, table=True):
    """A candidate's way through one opening."""

    id: str = key("apl")
    opening_id: str = ref("recruiting_opening.id")
    candidate_id: str = ref("recruiting_candidate.id")
    stage: str = field("status", choices=STAGES, default="applied")
    status: str = field("status", choices=("active", "rejected", "withdrawn", "hired"), default="active")
    rejection_reason: str | None = field("category", choices=REJECTION_REASONS, default=None)
    rejection_note: str = field("text", max_length=1000, default="")
    applied_at: datetime = field("datetime", index=True)
    stage_changed_at: datetime = field("datetime")
    closed_at: datetime | None = field("datetime", default=None)


class Interview(RecruitingEntity, table=True):
    """A conversation with a candidate."""

    id: str = key("itv")
    application_id: str = ref("recruiting_application.id")
    kind: str = field("category", choices=("phone_screen", "technical", "panel", "final"))
    starts_at: datetime = field("datetime", index=True)
    ends_at: datetime = field("datetime")
    place: str = field("place", max_length=120, default="")
    interviewer_ids: list[str] = field("tags", description="staff ids")
    status: str = field("status", choices=("scheduled", "cancelled"), default="scheduled")
    cancel_reason: str = field("text", max_length=500, default="")
    created_by_id: str = ref("recruiting_staff.id")


class Scorecard(RecruitingEntity, table=True):
    """What one interviewer thought."""

    id: str = key("scd")
    interview_id: str = ref("recruiting_interview.id")
    interviewer_id: str = ref("recruiting_staff.id")
    recommendation: str = field("category", choices=RECOMMENDATIONS)
    score: int = field("quantity", ge=1, le=5)
    strengths: str = field("text", max_length=2000, default="")
    concerns: str = field("text", max_length=2000, default="")
    submitted_at: datetime = field("datetime")


class Offer(RecruitingEntity, table=True):
    """Terms offered to a candidate."""

    id: str = key("ofr")
    number: str = field("code", max_length=20, unique=True)
    application_id: str = ref("recruiting_application.id")
    salary: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    start_date: date = field("date")
    expires_on: date = field("date")
    status: str = field("status", choices=OFFER_STATES, default="draft")
    above_range: bool = field("flag", default=False)
    note: str = field("text", max_length=1000, default="")
    answer_note: str = field("text", max_length=1000, default="")
    created_by_id: str = ref("recruiting_staff.id")
    approved_by_id: str | None = ref("recruiting_staff.id", default=None)
    created_at: datetime = field("datetime")
    approved_at: datetime | None = field("datetime", default=None)
    sent_at: datetime | None = field("datetime", default=None)
    closed_at: datetime | None = field("datetime", default=None)


class Note(RecruitingEntity, table=True):
    """A remark on an application."""

    id: str = key("nte")
    application_id: str = ref("recruiting_application.id")
    author_id: str = ref("recruiting_staff.id")
    body: str = field("text", min_length=1, max_length=4000)
    created_at: datetime = field("datetime")
