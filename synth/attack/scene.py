"""Which tools show the things of a noun, and how they are called: the attack's eyes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from synth.attack.arguments import Path
from synth.attack.places import CURSORS, LIMITS, Place, drop, named_place, places_of, put, required_paths, value_at
from synth.attack.reading import words
from synth.attack.session import Session
from synth.attack.shapes import cursor_path, object_in, rows_of, shown

_ID_WORDS = frozenset(["id", "uuid", "guid", "sid", "key", "number"])


@dataclass(frozen=True)
class Lister:
    """A tool that lists things.

    Attributes:
        arguments: for the whole listing: what is required, and the greatest limit.
        scope: parameters that are required: the listing is of the parts of something.
    """

    tool: str
    noun: str
    arguments: dict[str, Any]
    scope: tuple[Place, ...]


@dataclass(frozen=True)
class Getter:
    """A tool that shows one thing.

    Attributes:
        path: where what names the thing goes; ``None``: there is but one such thing.
        by: the key of a thing's record that names it; ``None``: its identifier.
        others: what else must be given, such as the account that the thing is of.
    """

    tool: str
    noun: str
    arguments: dict[str, Any]
    path: Path | None
    by: str | None = None
    others: tuple[Place, ...] = ()

    def call(
        self, own: Any, record: dict[str, Any] | None = None, given: dict[str, Any] | None = None
    ) -> dict[str, Any] | None:
        """Arguments that ask for a thing; ``None`` where what is known of it does not name it.

        Args:
            record: what is known of the thing.
            given: what it was created with.
        """
        if self.path is None:
            return self.arguments
        if self.by is not None:
            there, own = shown(record or {}, self.by)
            if not there or not isinstance(own, str | int) or own == "":
                return None
        arguments = put(self.arguments, self.path, own)
        for place in self.others:
            there, value = shown(record or {}, place.key)
            value = value if there else (given or {}).get(place.key)
            if isinstance(value, str | int) and value != "":
                arguments = put(arguments, place.path, value)
        return arguments


@dataclass(frozen=True)
class Look:
    """A call whose result shows a thing."""

    tool: str
    arguments: dict[str, Any]


class Scene:
    """The getters and listers of a service, found by names and proved by calls that succeeded."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.listers: list[Lister] = []
        self.getters: list[Getter] = []
        for tool, reading in session.readings.items():
            success = session.notes[tool].success
            if success is None or not reading.promises_nothing_changes:
                continue
            if rows_of(success.result.data) is not None:
                if (lister := self._lister(tool, success.arguments)) is not None:
                    self.listers.append(lister)
                continue
            single = reading.kind in ("get", "read") and isinstance(success.result.data, dict)
            if single and (getter := self._getter(tool, success.arguments)) is not None:
                self.getters.append(getter)

    def _lister(self, tool: str, arguments: dict[str, Any]) -> Lister | None:
        session = self._session
        required = required_paths(session.makers[tool])
        scope = []
        for place in places_of(session.makers[tool]):
            if place.path in required:
                scope.append(place)
            elif value_at(arguments, place.path) is not None:
                arguments = drop(arguments, place.path)
        whole = widest(session, tool, arguments)
        if not session.makers[tool].valid(whole):
            whole = arguments
        return Lister(tool, session.readings[tool].noun, whole, tuple(scope))

    def _getter(self, tool: str, arguments: dict[str, Any]) -> Getter | None:
        session = self._session
        maker = session.makers[tool]
        required = [place for place in places_of(session.makers[tool]) if place.path in required_paths(maker)]
        for place in places_of(session.makers[tool]):
            if place.path not in {item.path for item in required} and value_at(arguments, place.path) is not None:
                arguments = drop(arguments, place.path)
        noun = session.readings[tool].noun
        if not required:
            return Getter(tool, noun, arguments, None)
        own = [place for place in required if maker.references.get(place.path) == noun]
        if len(required) == 1 or len(own) == 1:
            place = own[0] if own else required[0]
            last = words(place.key)[-1:]
            names_it = (last and last[0] in _ID_WORDS) or place.name == noun.split("_")[-1]
            head = place.name.rsplit("_", 1)[0]
            if names_it and "_" in place.name and not own and head.split("_")[-1] != noun.split("_")[-1]:
                return None  # what a thing of another noun has of this one
            others = tuple(item for item in required if item != place)
            return Getter(tool, noun, arguments, place.path, None if names_it else place.key, others)
        return None

    def getter(self, noun: str) -> Getter | None:
        """The tool that shows one thing of this noun."""
        exact = [item for item in self.getters if item.noun == noun]
        return exact[0] if exact else None

    def listers_of(self, noun: str) -> list[Lister]:
        """The tools that list things of this noun."""
        return [item for item in self.listers if item.noun == noun]

    def look(self, noun: str, own: Any) -> Look | None:
        """How to see one thing: by the tool that gets it, else by any reading that showed it."""
        getter = self.getter(noun)
        question = getter.call(own, self._session.pool.rows(noun).get(own)) if getter is not None else None
        if getter is not None and question is not None:
            return Look(getter.tool, question)
        for tool, arguments, data in self._session.reads:
            if object_in(data, noun, own) is not None:
                return Look(tool, arguments)
        return None

    def overview(self, noun: str = "", most: int = 8) -> list[Lister]:
        """One listing for each noun: that of this noun first, then those that need not be told of what."""
        found: dict[str, Lister] = {}
        for lister in sorted(self.listers, key=lambda item: (item.noun != noun, bool(item.scope))):
            if lister.noun and lister.noun not in found:
                found[lister.noun] = lister
        return list(found.values())[:most]

    def parts(self, most: int = 4) -> list[Lister]:
        """Listings of the parts of several things each: what goes with a thing that is deleted, and what must not."""
        found: list[Lister] = []
        for lister in self.listers:
            if len(lister.scope) != 1:
                continue
            place = lister.scope[0]
            noun = self._session.makers[lister.tool].references.get(place.path)
            known = sorted(map(str, self._session.pool.identifiers(noun))) if noun else []
            for own in known[:most]:
                found.append(replace(lister, arguments=put(lister.arguments, place.path, own)))
        return found

    def belonging(self, noun: str) -> list[str]:
        """Nouns whose things are parts of things of this one: their tools are told of which."""
        keys = {noun, f"{noun}_id", f"{noun}_key", f"{noun}_sid"}
        found = {
            reading.noun
            for tool, reading in self._session.readings.items()
            if reading.noun != noun and any(place.name in keys for place in places_of(self._session.makers[tool]))
        }
        return sorted(found)

    def settable(self) -> dict[str, list[str]]:
        """For each noun the names of what its tools can set."""
        out: dict[str, list[str]] = {}
        for tool, reading in self._session.readings.items():
            if reading.kind in ("create", "update") and reading.noun:
                names = [place.key for place in places_of(self._session.makers[tool]) if place.name != "id"]
                out[reading.noun] = list(dict.fromkeys([*out.get(reading.noun, []), *names]))
        return out


def widest(session: Session, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the greatest limit that the tool takes."""
    limit = named_place(session.makers[tool], LIMITS, ("integer", "number"))
    if limit is None:
        return arguments
    most = limit.schema.get("maximum")
    return put(arguments, limit.path, int(most) if isinstance(most, int | float) and most < 10_000 else 100)


def whole_listing(session: Session, branch: int, lister: Lister, most: int = 3) -> int:
    """Call a listing and its further pages; how many calls that took."""
    arguments, calls = lister.arguments, 0
    cursor = named_place(session.makers[lister.tool], CURSORS, ("string", "integer"))
    while calls < most:
        result = session.call(branch, lister.tool, arguments)
        session.learn(lister.tool, arguments, result)
        calls += 1
        path = cursor_path(result.data) if result.ok else None
        if path is None or cursor is None:
            break
        value = result.data
        for part in path:
            value = value[part]
        arguments = put(lister.arguments, cursor.path, value)
    return calls


def target_of(session: Session, tool: str, scene: Scene, arguments: dict[str, Any]) -> tuple[str, Path, Any] | None:
    """What a call is about: noun, place and identifier of the thing; the first that can be looked at."""
    maker = session.makers[tool]
    noun = session.readings[tool].noun
    given = [(path, other) for path, other in maker.references.items() if value_at(arguments, path) is not None]
    ranked = sorted(given, key=lambda item: (item[1] != noun, item[1].split("_")[-1] != noun.split("_")[-1]))
    for path, other in ranked:
        if 0 not in path and scene.look(other, value_at(arguments, path)) is not None:
            return other, path, value_at(arguments, path)
    return None
