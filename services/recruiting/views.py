"""How applications look in results."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.recruiting.state import Application, Candidate, Opening


def application_views(ctx: Context, applications: list[Application]) -> list[dict[str, Any]]:
    """Applications with the names of candidate and opening."""
    candidates = {
        item.id: item for item in ctx.list(Candidate, col(Candidate.id).in_({a.candidate_id for a in applications}))
    }
    openings = {item.id: item for item in ctx.list(Opening, col(Opening.id).in_({a.opening_id for a in applications}))}
    return [
        item.out()
        | {
            "candidate_name": candidates[item.candidate_id].name,
            "candidate_email": candidates[item.candidate_id].email,
            "opening_title": openings[item.opening_id].title,
            "opening_code": openings[item.opening_id].code,
        }
        for item in applications
    ]
