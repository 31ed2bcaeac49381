"""Contacts: the customer relationship book of the sales and operations teams."""

from pathlib import Path

from engine.kit import Service
from services.contacts import seed, state, tools

service = Service(
    name="contacts",
    title="Contacts",
    domain="sales and crm",
    summary="Companies, people, deals in a pipeline, activities and notes, with owners, tags and segments.",
    entities=[
        state.Member,
        state.Company,
        state.Person,
        state.ContactRole,
        state.Stage,
        state.StageMove,
        state.Deal,
        state.StageChange,
        state.Activity,
        state.Note,
        state.Segment,
        state.SegmentPerson,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
