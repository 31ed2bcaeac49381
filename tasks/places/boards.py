"""Boards: cards of a scenario; a card on Operations as a note, a new one as a record."""

from __future__ import annotations

from datetime import date, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring.terms import Passage, Seen, Template
from tasks.places.base import Entry, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

OPERATIONS = "prj_ops"
"""The board that Mara leads."""

_LAST = 10
"""How many cards the seed data have there."""


def card(
    d: Draft,
    title: str,
    description: str,
    *,
    created: datetime,
    by: Person = COLLEAGUES[0],
    column: int = 1,
    holder: Person | None = None,
    due: date | None = None,
    priority: str = "normal",
    labels: tuple[str, ...] = (),
    milestone: str | None = None,
) -> tuple[str, str]:
    """Plant a card; gives its id and its code. Column 1 is what is to do, 4 on Operations what is done."""
    number = next(number for number in count(_LAST + 1) if d.once(f"OPS-{number}"))
    key = d.key("crd")
    d.plant(
        "boards_card",
        id=key,
        code=f"OPS-{number}",
        number=number,
        project_id=OPERATIONS,
        column_id=f"col_ops_{column}",
        position=20 + number,
        title=title,
        description=description,
        priority=priority,
        assignee_name=holder.name if holder else None,
        assignee_email=holder.email if holder else None,
        due_date=due,
        labels=list(labels),
        milestone_id=milestone,
        created_by_email=by.email,
        created_at=created,
        updated_at=created,
        completed_at=created if column == 4 else None,
    )
    d.change("boards_project", OPERATIONS, last_number=number)
    return key, f"OPS-{number}"


def find(d: Draft, word: Template) -> Seen:
    """The cards in which a word occurs, the newest first."""
    return d.call("boards", "list_cards", query=word, sort="newest")


class BoardsNote(Note):
    """What a card on the Operations board says."""

    service = "boards"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        """Plant a card that says it."""
        created = d.ago(days_ago, 10, d.rng.randint(1, 50))
        card(d, title, text, created=created, by=by)

    def find(self, d: Draft, word: Template) -> Passage:
        """Search the cards and open the newest with the word."""
        first = find(d, word).at("data.items.0.id")
        return Passage(d.call("boards", "get_card", card_id=first), "data.description")

    def where(self, d: Draft) -> str:
        """Where it is, for the instruction."""
        return d.either(
            "on the Operations board", "among the cards of the Operations board", "among the Operations cards in Boards"
        )


class BoardsEntry(Entry):
    """A new card on the Operations board."""

    service = "boards"

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        """Add a card to what is to do; gives its code."""
        boards = d.call("boards", "list_projects", query="Operations")
        due: dict[str, Any] = {} if day is None else {"due_date": day}
        made = d.act(
            goal,
            "boards",
            "create_card",
            project_id=boards.at("data.items.0.id"),
            title=title,
            description=words,
            **due,
        )
        return made.at("data.code")

    def what(self, d: Draft) -> str:
        """What is added, for the instruction."""
        return d.either("a card on the Operations board", "a card on our Operations board")

    def reference(self, d: Draft) -> str:
        """What people call its number."""
        return d.either("the new card's code", "the code of the new card")


NOTE = BoardsNote()
ENTRY = BoardsEntry()
