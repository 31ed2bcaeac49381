"""Project boards: columns with limits, cards with checklists and blockers, milestones."""

from pathlib import Path

from engine.kit import Service
from services.boards import seed, state, tools

service = Service(
    name="boards",
    title="Boards",
    domain="productivity",
    summary="Project boards: columns with work-in-progress limits, cards with assignees, due dates, checklists, "
    "blockers, labels and comments, and milestones.",
    entities=[
        state.Person,
        state.Project,
        state.Member,
        state.Column,
        state.Milestone,
        state.Card,
        state.ChecklistItem,
        state.Blocker,
        state.Comment,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
