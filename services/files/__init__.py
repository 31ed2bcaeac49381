"""File storage: folders, files with versions, shares and links, trash, quota."""

from pathlib import Path

from engine.kit import Service
from services.files import seed, state, tools

service = Service(
    name="files",
    title="Files",
    domain="productivity",
    summary="File storage with folders, file versions, shares by role, links that expire, comments, stars, "
    "a trash and a quota.",
    entities=[
        state.Person,
        state.Item,
        state.Version,
        state.Share,
        state.Link,
        state.Comment,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
