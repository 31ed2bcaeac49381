"""A record that is filed on: each further place names the number of the record before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from tasks.authoring.terms import Template, text
from tasks.places.base import Entry

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

_TITLES = ("Filed for later", "So that it is found again", "Kept beside it")


class Trail(Entry):
    """A new record, and others that lead to it: whoever is given the last number finds them all.

    Args:
        first: where the record itself is made.
        others: where it is filed on, in this order.
    """

    def __init__(self, first: Entry, others: Sequence[Entry]) -> None:
        self.first = first
        self.dated = first.dated
        self.others = others

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        number = self.first.add(d, goal, title=title, words=words, day=day)
        for place, other in enumerate(self.others):
            number = other.add(
                d,
                f"{_ORDINALS[place]} record names the number of the one before it.",
                title=text(_TITLES[place]),
                words=text("See {entry}.", entry=number),
            )
        return number

    def what(self, d: Draft) -> str:
        what, further, before = self.first.what(d), [], self.first
        for other in self.others:
            further.append(f"{other.what(d)} that gives {before.reference(d)}")
            before = other
        d.file_on(what, ", and ".join(further))
        return what

    def reference(self, d: Draft) -> str:
        reference = self.others[-1].reference(d)
        d.filed_under.append(reference)
        return reference


_ORDINALS = ("A second", "A third", "A fourth")
