"""Tables: a register of a scenario with its rows; a row of remarks as a note, a new row as a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring.terms import Passage, Seen, Template
from tasks.places.base import Entry, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

_BASE = "bas_operations"
_NOTES, _LOG = "Desk notes", "Follow-ups"


def table(d: Draft, name: str, description: str, columns: Sequence[tuple[str, str] | tuple[str, str, Any]]) -> str:
    """Plant a table in the base Operations, which Mara owns; gives its id.

    Args:
        columns: name and type of each, with the options of a select or the currency of money.
    """
    key = d.key("tbl")
    d.plant(
        "tables_table", id=key, base_id=_BASE, name=name, description=description, last_number=60, created_at=d.ago(150)
    )
    for position, (title, kind, *more) in enumerate(columns, 1):
        d.plant(
            "tables_column",
            id=f"{key}_{position}",
            table_id=key,
            name=title,
            type=kind,
            position=position,
            required=position == 1,
            options=more[0] if kind == "select" else [],
            currency=more[0] if kind == "money" else None,
        )
    return key


def row(d: Draft, table_id: str, cells: Mapping[str, Any], *, at: datetime, by: Person = COLLEAGUES[0]) -> str:
    """Plant a row with cells by column name; gives its id."""
    columns = {one["name"]: one["id"] for one in d.s0().insert["tables_column"] if one["table_id"] == table_id}
    number = 1 + sum(one["table_id"] == table_id for one in d.s0().insert.get("tables_row", []))
    key = d.key("row")
    d.plant(
        "tables_row",
        id=key,
        table_id=table_id,
        number=number,
        cells={columns[name]: value for name, value in cells.items() if value is not None},
        created_at=at,
        updated_at=at,
        updated_by_email=by.email,
    )
    return key


def find_table(d: Draft, name: str) -> Template:
    """Look a table up by its name; gives its id."""
    return d.call("tables", "list_tables", query=name).at("data.items.0.id")


def rows(d: Draft, table_id: Template, word: Template) -> Seen:
    """The rows of a table in which a word occurs."""
    return d.call("tables", "list_rows", table_id=table_id, query=word)


class TablesNote(Note):
    """A row of the table Desk notes."""

    service = "tables"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        """Plant a row that says it."""
        known = {one["name"]: one["id"] for one in d.s0().insert.get("tables_table", [])}
        columns = (("Subject", "text"), ("Note", "text"), ("On", "date"), ("By", "email"))
        key = known.get(_NOTES) or table(d, _NOTES, "What the desk has to know, one remark a row.", columns)
        at = d.ago(days_ago, 11, d.rng.randint(1, 50))
        row(d, key, {"Subject": title, "Note": text, "On": at.date().isoformat(), "By": by.email}, at=at, by=by)

    def find(self, d: Draft, word: Template) -> Passage:
        """Search the rows and take the newest with the word."""
        found = d.call("tables", "list_rows", table_id=find_table(d, _NOTES), query=word, sort_by="On", descending=True)
        return Passage(found, "data.items.0.cells.Note")

    def where(self, d: Draft) -> str:
        """Where it is, for the instruction."""
        return d.either("in the Desk notes table", "in our table of desk notes", "among the Desk notes in Tables")


class TablesEntry(Entry):
    """A new row of the table Follow-ups, which numbers its rows from its own count."""

    service = "tables"

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        """Add a row; gives its id."""
        if d.once(_LOG):
            columns = (("What", "text"), ("Details", "text"), ("Due", "date"))
            key = table(d, _LOG, "Open ends of operations.", columns)
            row(d, key, {"What": "Spare printer for each hall", "Details": "Offers are in."}, at=d.ago(12))
        cells = {"What": title, "Details": words} | ({} if day is None else {"Due": day})
        made = d.act(goal, "tables", "create_row", table_id=find_table(d, _LOG), cells=cells)
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        """What is added, for the instruction."""
        return d.either("a row in the Follow-ups table", "a line in our Follow-ups table")

    def reference(self, d: Draft) -> str:
        """What people call its number."""
        return d.either("the id of the row", "the row's id")


NOTE = TablesNote()
ENTRY = TablesEntry()
