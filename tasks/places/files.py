"""The file storage as a place of scenarios: files with texts, in folders that the user sees."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit.cast import Person
from tasks.authoring.draft import Draft
from tasks.authoring.terms import Passage, Template
from tasks.places.base import Entry, Note, with_day

OPERATIONS = "itm_0001"
"""The user's own folder of the seed data."""

PRIVATE = "itm_private"
"""The user's folder for family and friends, in scenarios of private life."""


def item(
    d: Draft,
    name: str,
    *,
    owner: Person | None = None,
    kind: str = "file",
    parent: str | None = OPERATIONS,
    content: str = "",
    description: str = "",
    at: datetime | None = None,
    key: str | None = None,
) -> str:
    """Plant a file or folder; gives the id."""
    key, who, made = key or d.key("itm"), owner or d.user, at or d.ago(8, 10)
    folder = kind == "folder"
    d.plant(
        "files_item",
        id=key,
        kind=kind,
        parent_id=parent,
        name=name,
        description=description,
        media_type=None if folder else "text/markdown",
        content=content,
        size_bytes=len(content.encode()),
        version=0 if folder else 1,
        owner_name=who.name,
        owner_email=who.email,
        created_at=made,
        updated_at=made,
    )
    if not folder:
        d.plant(
            "files_version",
            item_id=key,
            number=1,
            content=content,
            size_bytes=len(content.encode()),
            author_name=who.name,
            author_email=who.email,
            note="Created",
            created_at=made,
        )
    return key


def link(d: Draft, item_id: str, days_ago: int, *, role: str = "viewer") -> None:
    """Plant a link to an item that does not expire."""
    key = d.key("lnk")
    d.plant(
        "files_link",
        id=key,
        item_id=item_id,
        url=f"https://files.larkspur.example/s/{key}",
        role=role,
        created_by_email=d.user.email,
        created_at=d.ago(days_ago, 11),
    )


def _folder(d: Draft) -> tuple[str, str]:
    """The folder in which the user and others keep what belongs to the task's area: its id and its name."""
    if d.plan.area != "private life":
        return OPERATIONS, "Operations"
    if d.once(f"files/{PRIVATE}"):
        item(d, "Private", key=PRIVATE, kind="folder", parent=None, at=d.ago(300, 10))
    return PRIVATE, "Private"


def _whose(name: str) -> str:
    return f"my {name}" if name == "Private" else f"our {name}"


class FilesNote(Note):
    """Files in the folder of the task's area."""

    service = "files"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        at = d.ago(days_ago, 8, 52)
        # Names are unique in a folder, whatever else stands in it.
        name = title if d.once(f"files/{title}") else f"{title} ({at:%d %B %Y})"
        item(d, f"{name}.md", owner=by, parent=_folder(d)[0], content=text, at=at)

    def find(self, d: Draft, word: Template) -> Passage:
        found = d.call("files", "list_items", query=word, kind="file", sort="recently_updated")
        return Passage(d.call("files", "get_item", item_id=found.at("data.items.0.id")), "data.content")

    def where(self, d: Draft) -> str:
        name = _folder(d)[1]
        return d.either(f"in {_whose(name)} folder in Files", f"among the files under {name}", "in Files")


class FilesEntry(Entry):
    """Short files in the folder of the task's area."""

    service = "files"
    dated = False

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        words = with_day(words, day)
        folder = d.call("files", "list_items", name=_folder(d)[1], kind="folder")
        made = d.act(
            goal,
            "files",
            "create_item",
            kind="file",
            name=title,
            content=words,
            parent_id=folder.at("data.items.0.id"),
        )
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        name = _folder(d)[1]
        return d.either(f"a short file in {_whose(name)} folder", f"a text file in {_whose(name)} folder")

    def reference(self, d: Draft) -> str:
        return d.either("the id of the file", "the file's id")


NOTE = FilesNote()
ENTRY = FilesEntry()
