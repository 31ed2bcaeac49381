"""Values that a service showed: what references are filled in with, so that they lead somewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from synth.attack.reading import normal, words
from synth.attack.shapes import LISTS, identifier, leaves, record_of, rows_of
from synth.attack.vocabulary import vocabulary

_WHOSE = vocabulary("whose")
_MOST = 60
"""Values kept for one key."""


class Pool:
    """Values by key, and identifiers by the noun of the thing that has them; in the order in which they were seen."""

    def __init__(self) -> None:
        self._values: dict[str, dict[Any, None]] = {}
        self._identifiers: dict[str, dict[str | int, dict[str, Any]]] = {}
        self.everything: set[str] = set()
        """Every text that was seen: what is new must be none of them."""
        self.made: set[str | int] = set()
        """Identifiers of things that the attack created itself: nobody else has a say in them."""
        self.me: set[str] = set()
        """Whose things the attack may change: what creations show as their owner without having been told."""
        self.asked: set[str | int] = set()
        """Identifiers of things that were read one by one."""

    def learn(self, noun: str, data: Any) -> None:
        """Keep what a result shows; ``noun`` is that of the tool that gave it."""
        if isinstance(data, str):
            parsed = _parsed(data)
            if parsed is not None:
                self.learn(noun, parsed)
                return
            if noun and 0 < len(data) <= 200:
                self.own(noun, data, {})
        for path, value in leaves(data):
            if isinstance(value, str):
                self.everything.add(value)
            if value is None or isinstance(value, bool) or value == "":
                continue
            names = [part for part in path if isinstance(part, str)]
            if not names:
                continue
            self._keep(normal(names[-1]), value)
            head, _, last = normal(names[-1]).rpartition("_")
            if head and last == "id" and isinstance(value, str | int):
                self.own(head, value, {})
            if len(path) > 1 and isinstance(path[-1], int) and isinstance(path[-2], str) and isinstance(value, str):
                self.own(normal(names[-1]).removesuffix("_id"), value, {})  # "orders": ["W1", "W2"]
            if len(names) > 1:
                self._keep(f"{normal(names[-2])}_{normal(names[-1])}", value)
                if normal(names[-1]) == "id" and isinstance(value, str | int) and names[-2] not in LISTS:
                    holder = names[-3] if names[-2] == value and len(names) > 2 else names[-2]
                    self.own(normal(holder), value, {})
        if noun and _maps_names(data, noun):
            for value in data.values():
                self.own(noun, value, {})
        rows = rows_of(data)
        if rows is None:
            record = record_of(data, noun)
            rows = [record] if record is not None else []
        for row in rows:
            own = identifier(row, noun)
            if own is not None and noun:
                self.own(noun, own, row)

    def _keep(self, key: str, value: Any) -> None:
        kept = self._values.setdefault(key, {})
        if len(kept) < _MOST:
            kept.setdefault(value, None)

    def own(self, noun: str, value: str | int, row: dict[str, Any]) -> None:
        """Keep the identifier of a thing, with what was shown of it."""
        kept = self._identifiers.setdefault(noun, {})
        if value in kept:
            kept[value] = kept[value] | row
        elif len(kept) < _MOST:
            kept[value] = row

    def nouns(self) -> list[str]:
        """Nouns of which identifiers are known."""
        return list(self._identifiers)

    def rows(self, noun: str) -> dict[str | int, dict[str, Any]]:
        """Identifiers of a noun, with what was shown of each thing."""
        return self._identifiers.get(noun, {})

    def identifiers(self, noun: str) -> list[str | int]:
        """Identifiers of a noun; of those that differ in state the first ones stand at the front."""
        rows = self._identifiers.get(noun, {})
        groups: dict[str, list[str | int]] = {}
        for own, row in rows.items():
            state = "/".join(
                f"{row[name]}"
                for name in sorted(row)
                if words(name)[-1:] and words(name)[-1] in ("status", "state", "stage", "kind", "type", "archived")
            )
            groups.setdefault(state, []).append(own)
        ordered: list[str | int] = []
        for items in groups.values():
            items.sort(key=lambda own: own not in self.made and not self._mine(rows[own]))
        for place in range(max((len(items) for items in groups.values()), default=0)):
            ordered += [items[place] for items in groups.values() if place < len(items)]
        return ordered

    def _mine(self, row: dict[str, Any]) -> bool:
        return any(_WHOSE & set(words(name)) and str(value) in self.me for name, value in row.items())

    def created(self, noun: str, record: dict[str, Any], given: set[str]) -> None:
        """Keep what a creation on the stage shows: the new thing, and who "I" am."""
        own = identifier(record, noun)
        if own is not None:
            self.made.add(own)
        for name, value in record.items():
            if _WHOSE & set(words(name)) and isinstance(value, str) and value and value not in given:
                self.me.add(value)

    def values(self, key: str) -> list[Any]:
        """Values shown under a key of this name."""
        return list(self._values.get(normal(key), {}))

    def like(self, start: str) -> list[str]:
        """Identifiers that begin as this text does, up to its first underscore or dash."""
        return [
            own for rows in self._identifiers.values() for own in rows if isinstance(own, str) and own.startswith(start)
        ]

    def noun_for(self, key_words: list[str]) -> str | None:
        """The noun of which a key of these words holds an identifier: the whole of it, else its last words."""
        for start in range(len(key_words)):
            wanted = "_".join(key_words[start:])
            if wanted in self._identifiers:
                return wanted
        for noun in self._identifiers:
            if key_words and key_words[-1] == noun.split("_")[-1]:
                return noun
        for noun in self._identifiers:
            first, *more = noun.split("_")
            if key_words and key_words[-1] == first and more in (["type"], ["name"], ["summary"], ["index"]):
                return noun
        return None

    def know(self, known: Mapping[str, Iterable[Any]]) -> None:
        """Keep values that are known from elsewhere, by key."""
        for key, values in known.items():
            for value in values:
                self._keep(normal(key), value)


def _maps_names(data: Any, noun: str) -> bool:
    """Whether an object maps names to identifiers, and is no record itself."""
    return (
        isinstance(data, dict)
        and len(data) > 4
        and all(isinstance(item, str | int) for item in data.values())
        and not any(normal(key) in ("id", f"{noun}_id") for key in data)
    )


def _parsed(text: str) -> Any:
    """The object or list that a text is in JSON, or ``None``."""
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
