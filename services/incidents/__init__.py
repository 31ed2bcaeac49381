"""Incidents and on-call: services, schedules, escalation, incidents, the status page and postmortems."""

from pathlib import Path

from engine.kit import Service
from services.incidents import seed, state, tools

service = Service(
    name="incidents",
    title="Incidents and on-call",
    domain="operations",
    summary="Incidents with severities, states and timelines, on-call schedules with overrides and escalation, "
    "status page updates, postmortems and their action items.",
    entities=[
        state.Teammate,
        state.Schedule,
        state.Override,
        state.Service,
        state.Incident,
        state.TimelineEntry,
        state.StatusUpdate,
        state.Postmortem,
        state.ActionItem,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
