"""Recruiting: openings, candidates, applications, interviews, scorecards and offers."""

from pathlib import Path

from engine.kit import Service
from services.recruiting import seed, state, tools

service = Service(
    name="recruiting",
    title="Recruiting",
    domain="people",
    summary="Applicant tracking: openings, candidates and referrals, applications moving through stages, interviews "
    "with scorecards, offers with approval, rejections and notes.",
    entities=[
        state.Staff,
        state.Opening,
        state.Candidate,
        state.Application,
        state.Interview,
        state.Scorecard,
        state.Offer,
        state.Note,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
