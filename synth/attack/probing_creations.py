"""Trying the laws of creations."""

from __future__ import annotations

from typing import Any

from synth.attack.arguments import Plan
from synth.attack.laws_things import named
from synth.attack.places import Place, places_of, put, required_paths, value_at
from synth.attack.probing_updates import related
from synth.attack.scene import Lister, Scene, whole_listing
from synth.attack.session import Session, Success
from synth.attack.shapes import identifier, record_of, same, shown


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
    _second(session, tool, success, noun)


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
            session.judge("created_listed", tool, branch, 1 + calls, {"noun": noun})


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
    maker = session.makers[tool]
    branch = session.fork(success.branch)
    session.call(branch, tool, success.arguments)
    maker.forget()
    required = required_paths(maker)
    fresh = maker.make(Plan())
    arguments = success.arguments
    for place in places_of(maker):
        new = value_at(fresh, place.path)
        if place.path in required and place.path not in maker.references and isinstance(new, str):
            arguments = put(arguments, place.path, new)
    if maker.valid(arguments) and arguments != success.arguments:  # the same again may be given the same thing
        session.call(branch, tool, arguments)
        session.judge("id_new", tool, branch, 2, {"noun": noun})
