"""What a service offers to scenarios, whatever it is about: a place for texts, for messages, for new records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from engine.kit.cast import Person
from tasks.authoring.terms import Passage, Seen, Template

if TYPE_CHECKING:
    from datetime import date

    from tasks.authoring.draft import Draft


def with_day(words: Template, day: date | Template | None) -> Template:
    """Words that say the day, for records without a date of their own; unchanged where there is none."""
    return words if day is None else {"$text": "{words} Due on {day}.", "words": words, "day": day}


class Note(ABC):
    """A place where people leave texts, which are found by a word in them."""

    service: ClassVar[str]

    @abstractmethod
    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        """Plant a text of some sentences; a place without titles leaves the title out.

        Args:
            by: a colleague who can write there.
            days_ago: how long ago, as ``Draft.ago`` counts; 0 is this morning. The newest is found first.
        """

    @abstractmethod
    def find(self, d: Draft, word: Template) -> Passage:
        """Find the newest text with a word (a phrase without line breaks) and read it whole."""

    @abstractmethod
    def where(self, d: Draft) -> str:
        """Where that is, for the instruction: ``in Docs``, ``in the ops channel``."""


class Message(ABC):
    """A way to tell somebody something."""

    service: ClassVar[str]

    @abstractmethod
    def send(
        self, d: Draft, goal: str, to: Person, words: Template, *, about: str = "", found: Template | None = None
    ) -> Seen:
        """Tell somebody.

        Args:
            goal: what must hold, a sentence for people: ``Elena is told the number and the amount.``
            about: free words for a subject, where there is one.
            found: the person's e-mail address as it was found, where the instruction does not say who it is.
        """

    @abstractmethod
    def how(self, d: Draft, to: str) -> str:
        """How to ask for it in the instruction, without what is to be said: ``mail Elena``."""


class Entry(ABC):
    """A place for new records that others find: a card, a ticket, an event, a row, a page."""

    service: ClassVar[str]
    dated: bool = True
    """Whether a record has a day of its own; else the day stands in its words."""

    @abstractmethod
    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        """Make a record; gives the number or id by which people refer to it.

        Args:
            goal: what must hold, a sentence for people.
            title: what it is called; only values matter in it where it is a text.
            words: what stands in it.
            day: when it is due or takes place; a place without dates says it in its words.
        """

    @abstractmethod
    def what(self, d: Draft) -> str:
        """What it is, for the instruction: ``a card on the operations board``, ``a page in Docs``."""

    @abstractmethod
    def reference(self, d: Draft) -> str:
        """What people call its number: ``the card's key``, ``the ticket number``, ``the page's id``."""
