"""Trying the laws of creations."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from synth.attack.arguments import Plan
from synth.attack.laws_things import named
from synth.attack.places import CURSORS, LIMITS, Place, drop, named_place, places_of, put, required_paths, value_at
from synth.attack.probing_updates import related
from synth.attack.probing_values import accepted, rounds
from synth.attack.reading import normal
from synth.attack.scene import Lister, Scene, whole_listing
from synth.attack.session import Session, Success
from synth.attack.shapes import identifier, record_of, rows_of, same, shown

_FEW_ROWS = 10
"""No listing without a limit stops short of so many."""
_MAY_FIND = re.compile(r"\b(idempoten\w*|exist\w*|already|upsert|unless|find or create|same)\b", re.IGNORECASE)


def creation(session: Session, scene: Scene, tool: str, success: Success) -> None:
    noun = session.readings[tool].noun
    known = [str(item) for item in session.pool.identifiers(noun)]
    fresh_record = record_of(success.result.data, noun)
    own = identifier(fresh_record, noun) if fresh_record is not None else None
    about: dict[str, Any] = {"noun": noun, "skip": []}
    branch = session.fork(success.branch)
    session.call(branch, tool, success.arguments)
    session.judge("created_kept", tool, branch, 1, about)
    before = [item for item in known if item != str(own)]
    session.judge("id_new", tool, branch, 1, {"noun": noun, "known": before if len(before) < 60 else []})
    getter = scene.getter(noun)
    question = (
        getter.call(own, fresh_record, named(success.arguments)) if getter is not None and own is not None else None
    )
    if getter is not None and getter.path is not None and question is not None:
        session.call(branch, getter.tool, question)
        session.judge("created_got", tool, branch, 2, about)
    if own is not None and fresh_record is not None:
        _listed(session, scene, tool, success, noun, fresh_record)
    _each_optional(session, scene, tool, success, about)
    _easily_lost(session, scene, tool, success, noun)
    _second(session, tool, success, noun)
    _again(session, tool, success, noun)


def _listed(session: Session, scene: Scene, tool: str, success: Success, noun: str, record: dict[str, Any]) -> None:
    given = named(success.arguments)
    for lister in scene.listers_of(noun)[:1]:
        arguments = lister.arguments
        for place in lister.scope:
            there, value = shown(record, place.key)
            value = value if there else given.get(place.key)
            if value is None:
                break
            arguments = put(arguments, place.path, value)
        else:
            branch = session.fork(success.branch)
            session.call(branch, tool, success.arguments)
            calls = whole_listing(session, branch, Lister(lister.tool, noun, arguments, ()))
            found = session.judge("created_listed", tool, branch, 1 + calls, {"noun": noun})
            branch = session.fork(success.branch)
            session.call(branch, lister.tool, arguments)
            session.call(branch, tool, success.arguments)
            session.call(branch, lister.tool, arguments)
            session.judge("created_one", tool, branch, 3, {"noun": noun})
            if found is None:
                _several(session, tool, success, Lister(lister.tool, noun, arguments, ()))


def _several(session: Session, tool: str, success: Success, lister: Lister) -> None:
    """Some more, and the listing without a limit: it holds them all, or says that there are more."""
    maker = session.makers[lister.tool]
    limit = named_place(maker, LIMITS, ("integer", "number"))
    branch, made = session.fork(success.branch), 0
    for _ in range(3):
        made += session.call(branch, tool, _fresh(session, tool, success)).ok
        if made and not session.log(branch)[-1].result.ok:
            return
    if made < 3:
        return
    bare = replace(lister, arguments=drop(lister.arguments, limit.path)) if limit is not None else lister
    calls = whole_listing(session, branch, bare)
    rows = rows_of(session.log(branch)[-1].data) or []
    default = limit.schema.get("default", _FEW_ROWS) if limit is not None else len(rows) + 1
    if named_place(maker, CURSORS, ("string", "integer")) is not None or len(rows) < min(default, _FEW_ROWS):
        session.judge("created_listed", tool, branch, made + calls, {"noun": lister.noun, "made": made})


def _each_optional(session: Session, scene: Scene, tool: str, success: Success, about: dict[str, Any]) -> None:
    """Each optional value given as well, and all of those that are taken together: none may be dropped."""
    maker = session.makers[tool]
    noun = about["noun"]
    record = record_of(success.result.data, noun) or {}
    maker.forget()
    full = maker.make(Plan(given=set(maker.optional)))
    everything, tried = success.arguments, 0
    for place in places_of(maker):
        if value_at(success.arguments, place.path) is not None or value_at(full, place.path) is None or tried > 12:
            continue
        tried += 1
        arguments = _taken(session, tool, success, place, full, record)
        if arguments is None:
            continue
        branch = session.fork(success.branch)
        session.call(branch, tool, arguments)
        session.judge("created_kept", tool, branch, 1, about)
        more = put(everything, place.path, value_at(arguments, place.path))
        everything = more if maker.valid(more) else everything
    if everything != success.arguments:
        branch = session.fork(success.branch)
        result = session.call(branch, tool, everything)
        session.judge("created_kept", tool, branch, 1, about)
        made = record_of(result.data, noun) if result.ok else None
        own = identifier(made, noun) if made is not None else None
        getter = scene.getter(noun)
        question = (
            getter.call(own, made, named(everything))
            if getter is not None and getter.path is not None and own is not None
            else None
        )
        if getter is not None and question is not None:
            session.call(branch, getter.tool, question)
            session.judge("created_got", tool, branch, 2, about)


def _taken(
    session: Session, tool: str, success: Success, place: Place, full: dict[str, Any], record: dict[str, Any]
) -> dict[str, Any] | None:
    """The arguments with one more value, of those that are not refused and differ from what stands there by itself."""
    maker = session.makers[tool]
    listed = place.path not in maker.candidates
    path = (*place.path, 0) if listed else place.path
    offers = maker.candidates.get(path, [])
    noun = maker.references.get(path)
    if noun is not None:
        offers = related(session, noun, offers, record)
    options = [[offer] if listed else offer for offer in offers] or [value_at(full, place.path)]
    there, default = shown(record, place.key)
    options = [item for item in options if not there or not same(item, default)] or options
    branch = session.fork(success.branch)
    for value in options[:4]:
        arguments = put(success.arguments, place.path, value)
        if maker.valid(arguments) and session.call(branch, tool, arguments).ok:
            result = session.call(session.fork(success.branch), tool, arguments)
            session.notes[tool].others.append(Success(success.branch, arguments, result))
            return arguments
    return None


def _second(session: Session, tool: str, success: Success, noun: str) -> None:
    """Two of them, one after the other: each has an identifier of its own."""
    branch = session.fork(success.branch)
    session.call(branch, tool, success.arguments)
    arguments = _fresh(session, tool, success)
    if arguments != success.arguments:
        session.call(branch, tool, arguments)
        session.judge("id_new", tool, branch, 2, {"noun": noun})


def _again(session: Session, tool: str, success: Success, noun: str) -> None:
    """The very same once more, where nothing is said of things that are there already."""
    said = session.target.specifications[tool]
    keyed = any("idempot" in place.name for place in places_of(session.makers[tool]))
    if keyed or said.annotations.get("idempotentHint") or _MAY_FIND.search(said.description):
        return
    branch = session.fork(success.branch)
    session.call(branch, tool, success.arguments)
    session.call(branch, tool, success.arguments)
    session.judge("created_anew", tool, branch, 2, {"noun": noun})


def _easily_lost(session: Session, scene: Scene, tool: str, success: Success, noun: str) -> None:
    getter = scene.getter(noun)
    shows: set[str] = set()

    def taken(arguments: dict[str, Any]) -> bool:
        branch = session.fork(success.branch)
        result = session.call(branch, tool, arguments)
        if not result.ok:
            return False
        session.judge("created_kept", tool, branch, 1, {"noun": noun, "skip": [], "shows": sorted(shows)})
        record = record_of(result.data, noun) or {}
        shows.update(normal(name) for name in record)
        own = identifier(record, noun)
        question = getter.call(own, record, named(arguments)) if getter is not None and own is not None else None
        if getter is not None and getter.path is not None and question is not None:
            session.call(branch, getter.tool, question)
            session.judge("created_got", tool, branch, 2, {"noun": noun, "skip": []})
        return True

    for given in rounds(session.makers[tool], success.arguments):
        accepted(success.arguments, given, taken)


def _fresh(session: Session, tool: str, success: Success) -> dict[str, Any]:
    """The arguments with other texts where texts are needed."""
    maker = session.makers[tool]
    maker.forget()
    required = required_paths(maker)
    fresh = maker.make(Plan())
    arguments = success.arguments
    for place in places_of(maker):
        new = value_at(fresh, place.path)
        if place.path in required and place.path not in maker.references and isinstance(new, str):
            arguments = put(arguments, place.path, new)
    return arguments if maker.valid(arguments) else success.arguments
