"""Trying the laws of updates: all values at once, each alone, two together, and values that are easily lost."""

from __future__ import annotations

from typing import Any

from synth.attack.arguments import Path, Plan
from synth.attack.laws_things import record_in, references
from synth.attack.places import Place, drop, places_of, put, required_paths, value_at
from synth.attack.probing_values import accepted, rounds
from synth.attack.reading import normal, words
from synth.attack.scene import Look, Scene
from synth.attack.session import Session, Success
from synth.attack.shapes import same, shown

_MOST_PLACES = 8
_MOST_OFFERS = 5


def update(session: Session, scene: Scene, tool: str, success: Success, target: tuple[str, Path, Any] | None) -> None:
    """All laws of one update."""
    if target is not None:
        noun, path, own = target
        look = scene.look(noun, own)
    else:
        noun, path, own = session.readings[tool].noun, (), None
        getter = scene.getter(noun)
        look = Look(getter.tool, getter.arguments) if getter is not None and getter.path is None else None
    if look is None:
        return
    about = _about(session, tool, noun, path, own)
    _try(session, tool, success, look, success.arguments, about)
    bare = success.arguments
    required = required_paths(session.makers[tool])
    for place in places_of(session.makers[tool]):
        if place.path not in required and place.path != path:
            bare = drop(bare, place.path)
    now = record_in(session.call(session.fork(success.branch), look.tool, look.arguments).data, noun, own) or {}
    maker = session.makers[tool]
    maker.forget()
    maker.make(Plan(given=set(maker.optional)))
    tried = 0
    alone: list[tuple[Path, Any]] = []
    for place in places_of(maker):
        if place.path == path or tried >= _MOST_PLACES:
            continue
        arguments = _another_value(session, tool, success, place, bare, now)
        if arguments is None:  # perhaps it is taken together with others only
            arguments = _another_value(session, tool, success, place, success.arguments, now)
        if arguments is not None:
            tried += 1
            _try(session, tool, success, look, arguments, about)
            alone.append((place.path, value_at(arguments, place.path)))
    for (first, one), (second, other) in {0: alone[:2], 1: alone[-2:]}.values() if len(alone) > 2 else []:
        _try(session, tool, success, look, put(put(bare, first, one), second, other), about)
    _easily_lost(session, tool, success, look, bare, path, about)


def _easily_lost(
    session: Session,
    tool: str,
    success: Success,
    look: Look,
    bare: dict[str, Any],
    path: Path,
    about: dict[str, Any],
) -> None:
    """Rounds of values, one after the other on one thing: the last takes away what the first gave."""
    noun, own = about["noun"], about["own"]
    at = session.fork(success.branch)
    session.call(at, look.tool, look.arguments)
    shows: set[str] = set()

    def taken(arguments: dict[str, Any]) -> bool:
        nonlocal at
        branch = session.fork(at)
        if not session.call(branch, tool, arguments).ok:
            return False
        after = session.call(branch, look.tool, look.arguments)
        session.judge("update_shows", tool, branch, 3, {**about, "shows": sorted(shows)})
        shows.update(normal(name) for name in record_in(after.data, noun, own) or {})
        at = branch
        return True

    for given in rounds(session.makers[tool], bare, path):
        accepted(bare, given, taken)


def _about(session: Session, tool: str, noun: str, path: Path, own: Any) -> dict[str, Any]:
    found = places_of(session.makers[tool])
    settable = [place.key for place in found if place.path != path]
    spoken = {place.name: {*words(str(place.schema.get("description") or "")), *words(place.key)} for place in found}
    follows = {name: [key for key in settable if set(words(key)) <= said] for name, said in spoken.items()}
    skip = [normal(str(path[-1]))] if path else []
    about_part = session.readings[tool].noun
    part = [word for word in about_part.split("_") if word not in noun.split("_")] if about_part != noun else []
    return {"noun": noun, "own": own, "part": part, "settable": settable, "follows": follows, "skip": skip}


def _try(
    session: Session, tool: str, success: Success, look: Look, arguments: dict[str, Any], about: dict[str, Any]
) -> None:
    branch = session.fork(success.branch)
    session.call(branch, look.tool, look.arguments)
    if session.call(branch, tool, arguments).ok:
        session.call(branch, look.tool, look.arguments)
        session.judge("update_shows", tool, branch, 3, about)
        session.judge("update_keeps", tool, branch, 3, about)


def related(session: Session, noun: str, offers: list[Any], record: dict[str, Any]) -> list[Any]:
    """Things first that belong where the record belongs: they show the same identifiers of other things."""
    own = references(record)
    known = session.pool.rows(noun)
    return sorted(offers, key=lambda offer: not own & references({**known.get(offer, {}), "id": None}))


def _another_value(
    session: Session, tool: str, success: Success, place: Place, bare: dict[str, Any], now: dict[str, Any]
) -> dict[str, Any] | None:
    """Arguments that change this one value to something else than what is there, and are not refused."""
    maker = session.makers[tool]
    there, value = shown(now, place.key)
    listed = place.path not in maker.candidates
    offers = maker.candidates.get((*place.path, 0) if listed else place.path, [])
    noun = maker.references.get((*place.path, 0) if listed else place.path)
    if noun is not None:
        offers = related(session, noun, offers, now)
    tries = 0
    for offer in offers:
        new = [offer] if listed else offer
        arguments = put(bare, place.path, new)
        if (there and same(new, value)) or not maker.valid(arguments):
            continue
        result = session.call(session.fork(success.branch), tool, arguments)
        if result.ok:
            session.notes[tool].others.append(Success(success.branch, arguments, result))
            return arguments
        tries += 1
        if tries == _MOST_OFFERS:
            break
    return None
