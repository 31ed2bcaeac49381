"""The words of a reference solution: what an earlier observation gave, texts around values, computed values.

Each function gives a template as in ``tasks.templates``; a template is a JSON value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Template = Any
"""A JSON value in which ``$from``, ``$text`` and ``$calc`` objects stand for values of the run."""


@dataclass(frozen=True)
class Seen:
    """The observation of a call of the reference solution.

    Attributes:
        name: under which it is kept.
        call: the number of the call, from 0.
    """

    name: str
    call: int

    def at(self, path: str) -> Template:
        """What stands at a path of the observation, such as ``data.items.0.id``."""
        return {"$from": self.name, "path": path}

    def part(self, path: str, pattern: str, *, number: bool = False) -> Template:
        """The group of a regular expression in the text at a path; as a number where asked."""
        found = {"$from": self.name, "path": path, "match": pattern}
        return found | {"as": "number"} if number else found


@dataclass(frozen=True)
class Passage:
    """A text that was found, as a person reads it.

    Attributes:
        seen: the observation that holds it.
        path: where in it.
    """

    seen: Seen
    path: str

    @property
    def all(self) -> Template:
        """The whole text."""
        return self.seen.at(self.path)

    def part(self, pattern: str, *, number: bool = False) -> Template:
        """The group of a regular expression in it; as a number where asked."""
        return self.seen.part(self.path, pattern, number=number)


def text(words: str, **values: Template) -> Template:
    """Free words around values: ``text("Order {number} is placed.", number=...)``."""
    return {"$text": words, **values}


def calc(expression: str, **values: Template) -> Template:
    """A computed value: ``calc("round(amount * rate, 2)", amount=..., rate=...)``; see ``tasks.calculation``."""
    return {"$calc": expression, **values}
