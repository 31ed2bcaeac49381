"""Wiki: spaces with members, pages in a tree with versions, states, comments and restrictions."""

from pathlib import Path

from engine.kit import Service
from services.docs import seed, state, tools

service = Service(
    name="docs",
    title="Wiki",
    domain="productivity",
    summary="Company wiki: spaces with members and roles, pages in a tree with versions, drafts, archived pages, "
    "labels, comments, page restrictions and search; handbooks and policies stand here.",
    entities=[
        state.Person,
        state.Space,
        state.Member,
        state.Page,
        state.PageVersion,
        state.PagePermission,
        state.Comment,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
