"""Small things that families of several areas share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from engine.kit.cast import COLLEAGUES
from tasks.places import ENTRIES, NOTES
from tasks.places.rules import leave_rules

if TYPE_CHECKING:
    from engine.kit.cast import Person
    from tasks.authoring import Draft

T = TypeVar("T")


def but(names: Iterable[str], *others: str) -> tuple[str, ...]:
    """Services without others: a role is not played by the one that the visits beside it are about."""
    return tuple(name for name in names if name not in others)


TEAM = tuple(one for one in COLLEAGUES[1:] if one.name not in ("Sofia Almeida", "Kenji Watanabe"))
"""Colleagues of the user who write in every place."""

DESK_NOTES = but(NOTES, "home", "incidents", "code", "calendar")
"""Where people of operations and support leave word."""

DESK_ENTRIES = but(ENTRIES, "home", "incidents", "analytics")
"""Where they write down what has to be done or known."""


def called(person: Person) -> str:
    """What colleagues call somebody."""
    return person.name.split()[0]


def sentence(words: str) -> str:
    """Words with a capital letter at the beginning."""
    return words[:1].upper() + words[1:]


def strangers(d: Draft, count: int, unlike: str) -> list[str]:
    """Companies none of whose words stands in a text, so that no search for a word of it finds them."""
    return _unlike(count, unlike, d.draw.company, str)


def people(d: Draft, count: int, unlike: str) -> list[Person]:
    """People outside the cast who share no name with somebody."""
    return _unlike(count, unlike, d.draw.person, lambda person: person.name)


def _unlike(count: int, unlike: str, make: Callable[[], T], words: Callable[[T], str]) -> list[T]:
    found: list[T] = []
    while len(found) < count:
        one = make()
        if not set(words(one).split()) & set(unlike.split()):
            found.append(one)
    return found


def leave_each(
    d: Draft,
    role: str,
    *,
    title: str,
    by: Person,
    wordings: Sequence[str],
    words: Sequence[str],
    values: Mapping[str, Sequence[object]],
    older: Mapping[str, object],
    turns: Sequence[int] | None = None,
) -> None:
    """Leave a note for each word, all in one of the wordings: what tells them apart are word and values alone.

    Args:
        words: the first is the one that is looked for.
        values: for each placeholder what the note of each word says.
        older: what an older note of the first word says.
        turns: how old each is, as for ``leave_rules``.
    """
    rules = {word: {name: given[n] for name, given in values.items()} for n, word in enumerate(words)}
    told = [d.rng.choice(wordings)]
    leave_rules(d, d.note(role), title=title, by=by, wordings=told, rules=rules, older=older, of=words[0], turns=turns)


def brands(d: Draft, count: int) -> list[str]:
    """Single words, all different, for things that are called after somebody: the first words of companies."""
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault(d.draw.company().split()[0])
    return list(found)
