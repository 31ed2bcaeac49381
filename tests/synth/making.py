"""Small specifications of our own invention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.specs import ServerSpec, ToolSpec

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
FLAG = {"type": "boolean"}
TEXTS = {"type": "array", "items": TEXT}


def things(**properties: Any) -> dict[str, Any]:
    """The schema of an object."""
    return {"type": "object", "properties": properties}


def tool(
    name: str,
    properties: dict[str, Any] | None = None,
    required: Sequence[str] = (),
    *,
    said: str = "",
    output: dict[str, Any] | None = None,
    original: str | None = None,
    **annotations: Any,
) -> ToolSpec:
    """A tool; ``annotations`` are its hints."""
    return ToolSpec(
        name=name,
        original_name=original or name,
        description=said,
        input_schema={"type": "object", "properties": properties or {}, "required": list(required)},
        output_schema=output,
        annotations=annotations,
    )


def server(name: str, *tools: ToolSpec, title: str | None = None, description: str = "") -> ServerSpec:
    """A server with these tools."""
    return ServerSpec(
        name=name,
        original_name=name,
        title=name.title() if title is None else title,
        description=description,
        domain="productivity",
        tools=tools,
    )


SHELF = {"type": "string", "enum": ["ground", "upper", "cellar"]}

READING_ROOM = server(
    "reading_room",
    tool("create_author", {"name": TEXT, "email": TEXT}, ["name"], said="Add an author."),
    tool("get_author", {"author_id": TEXT}, ["author_id"]),
    tool("list_authors", {"limit": NUMBER, "offset": NUMBER}),
    tool(
        "create_book",
        {
            "title": TEXT,
            "author_id": TEXT,
            "pages": NUMBER,
            "shelf": SHELF,
            "bought_on": {"type": "string", "format": "date"},
            "details": {"type": "object"},
        },
        ["title", "author_id"],
        said="Add a book.",
    ),
    tool("get_book", {"book_id": TEXT}, ["book_id"]),
    tool("batch_get_books", {"book_ids": TEXTS}, ["book_ids"]),
    tool(
        "list_books",
        {
            "author_id": TEXT,
            "shelf": SHELF,
            "query": TEXT,
            "bought_before": {"type": "string", "format": "date"},
            "include_readers": FLAG,
            "limit": {"type": "integer", "default": 3},
            "cursor": TEXT,
        },
    ),
    tool("count_books", {"shelf": SHELF}),
    tool(
        "update_book",
        {"book_id": TEXT, "title": TEXT, "pages": NUMBER, "shelf": SHELF, "details": {"type": "object"}},
        ["book_id"],
    ),
    tool("replace_book", {"book_id": TEXT, "details": {"type": "object"}}, ["book_id", "details"]),
    tool("archive_book", {"book_id": TEXT}, ["book_id"]),
    tool("duplicate_book", {"book_id": TEXT, "title": TEXT}, ["book_id"]),
    tool("delete_book", {"book_id": TEXT}, ["book_id"]),
    tool("bulk_delete_books", {"book_ids": TEXTS}, ["book_ids"]),
    tool(
        "bulk_create_authors",
        {"authors": {"type": "array", "items": {**things(name=TEXT, email=TEXT), "required": ["name"]}}},
        ["authors"],
    ),
    tool(
        "bulk_update_books",
        {"books": {"type": "array", "items": {**things(id=TEXT, title=TEXT), "required": ["id"]}}},
        ["books"],
    ),
    tool("add_book_readers", {"book_id": TEXT, "readers": TEXTS}, ["book_id", "readers"]),
    tool("remove_book_readers", {"book_id": TEXT, "readers": TEXTS}, ["book_id", "readers"]),
    tool("list_book_readers", {"book_id": TEXT}, ["book_id"]),
    tool("get_reading_statistics", {"year": NUMBER}, said="Figures."),
    tool("recommend", {"mood": TEXT}, ["mood"], said="What to read next."),
    title="Reading room",
    description="A small library. Books, their authors, and who reads them.",
)
"""Every kind of tool once."""

_PATTERNED = {"type": "string", "pattern": "^[^0-9]{3}-[A-Z]+$"}

FORMS = server(
    "forms",
    tool("create_loan", {"code": {"type": "string", "pattern": "^[a-f]{2}[^x]$"}, "due": NUMBER}, ["code"]),
    tool("get_loan", {"loan_id": _PATTERNED}, ["loan_id"]),
    tool("mark_loan_lost", {"loan_id": _PATTERNED, "lost": FLAG}, ["loan_id"]),
)
"""Identifiers and values of patterns, of which sets are made."""
