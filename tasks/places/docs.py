"""The wiki: texts on pages, new pages."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from engine.kit.cast import Person
from tasks.authoring.terms import Passage, Template
from tasks.places.base import Entry, Note, with_day

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

_SPACES = {
    "finance": ("spc_finance", "Finance"),
    "operations": ("spc_operations", "Operations"),
    "support": ("spc_operations", "Operations"),
    "sales": ("spc_finance", "Finance"),
    "marketing": ("spc_handbook", "Company handbook"),
    "people": ("spc_handbook", "Company handbook"),
    "private life": ("spc_handbook", "Company handbook"),
}
"""The space for an area in which the user can write: its key and its name."""


class DocsNote(Note):
    """Published pages."""

    service = "docs"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        space, _ = _SPACES[d.plan.area]
        at, page = d.ago(days_ago, 15, 5), d.key("doc")
        # Titles are unique in a space, whatever else stands in it.
        name = title if d.once(f"{space}/{title}") else f"{title} ({at:%B %Y})"
        d.plant(
            "docs_page",
            id=page,
            space_id=space,
            title=name,
            body=text,
            status="published",
            owner_name=by.name,
            owner_email=by.email,
            created_at=at,
            updated_at=at,
            published_at=at,
        )
        d.plant(
            "docs_page_version",
            page_id=page,
            number=1,
            title=name,
            body=text,
            author_name=by.name,
            author_email=by.email,
            note="Created",
            created_at=at,
        )

    def find(self, d: Draft, word: Template) -> Passage:
        found = d.call("docs", "search_pages", query=word, status="published")
        return Passage(d.call("docs", "get_page", page_id=found.at("data.items.0.id")), "data.body")

    def where(self, d: Draft) -> str:
        return d.either("in Docs", "among our pages in Docs", "among the pages in Docs")


class DocsEntry(Entry):
    """New pages, as drafts."""

    service = "docs"
    dated = False

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        space, name = _SPACES[d.plan.area]
        words = with_day(words, day)
        spaces = d.call("docs", "list_spaces", query=name)
        page = d.act(
            goal, "docs", "create_page", space_id=spaces.at(f"data.items.[id={space}].id"), title=title, body=words
        )
        return page.at("data.id")

    def what(self, d: Draft) -> str:
        _, name = _SPACES[d.plan.area]
        return d.either(f"a draft page in the {name} space of Docs", f"a new draft page in our {name} space in Docs")

    def reference(self, d: Draft) -> str:
        return d.either("the id of the page", "the page's id")


NOTE = DocsNote()
ENTRY = DocsEntry()
