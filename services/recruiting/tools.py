"""Recruiting's tools."""

from services.recruiting.candidates import create_candidate, get_candidate, list_candidates
from services.recruiting.interviews import (
    cancel_interview,
    create_interview,
    create_scorecard,
    get_interview,
    list_interviews,
)
from services.recruiting.offers import create_offer, get_offer, update_offer_status
from services.recruiting.pipeline import (
    create_application,
    create_note,
    get_application,
    list_applications,
    list_openings,
    move_application,
    reject_application,
)

__all__ = [
    "cancel_interview",
    "create_application",
    "create_candidate",
    "create_interview",
    "create_note",
    "create_offer",
    "create_scorecard",
    "get_application",
    "get_candidate",
    "get_interview",
    "get_offer",
    "list_applications",
    "list_candidates",
    "list_interviews",
    "list_openings",
    "move_application",
    "reject_application",
    "update_offer_status",
]
