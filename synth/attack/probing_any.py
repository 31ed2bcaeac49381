"""Trying the laws of every tool: wrong arguments, odd ones, the same call twice."""

from __future__ import annotations

import re
from typing import Any

from synth.attack import hostile, wrong
from synth.attack.arguments import Plan
from synth.attack.places import places_of, put, required_paths, value_at
from synth.attack.scene import Scene, target_of
from synth.attack.session import Session
from synth.attack.shapes import rows_of
from synth.attack.vocabulary import vocabulary


def wrong_arguments(session: Session, tool: str, most: int = 25) -> None:
    """Arguments that the schema does not allow, one defect each, all on one branch: they change nothing."""
    maker = session.makers[tool]
    notes = session.notes[tool]
    if notes.success is not None:
        branch, valid = session.fork(notes.success.branch), notes.success.arguments
    else:
        branch = session.fork(session.stage)
        valid = maker.make(Plan())
    full = maker.make(Plan(given=set(maker.optional)))
    defects = wrong.defects(maker, valid, full if maker.valid(full) else valid)
    chosen = wrong.chosen(defects, session.rng, most)
    before = session.target.digest(branch)
    for defect in chosen:
        session.call(branch, tool, defect.arguments)
        law = "required_needed" if defect.kind == "missing" else "invalid_refused"
        session.judge(law, tool, branch, 1, {"defect": defect.text})
    if chosen and session.target.digest(branch) != before:
        # Whichever it was: once more, each with a look at the state.
        for defect in chosen:
            again = session.fork(notes.success.branch if notes.success else session.stage)
            session.call(again, tool, defect.arguments, watch=True)
            session.judge("invalid_refused", tool, again, 1, {"defect": defect.text})


def odd_arguments(session: Session, tool: str, most: int = 10) -> None:
    """Boundary values and hostile texts that the schema allows: any answer will do, but a failure."""
    notes = session.notes[tool]
    maker = session.makers[tool]
    if notes.success is not None:
        source, valid = notes.success.branch, notes.success.arguments
    else:
        source, valid = session.stage, maker.make(Plan())
    branch = session.fork(source)
    for arguments in hostile.chosen(maker, valid, session.rng, most):
        result = session.call(branch, tool, arguments)
        if result.ok and not session.readings[tool].promises_nothing_changes:
            law = "created_kept" if session.readings[tool].kind == "create" else None
            if law is not None:
                session.judge(law, tool, branch, 1, {"noun": session.readings[tool].noun, "skip": []})
            branch = session.fork(source)


def twice(session: Session, tool: str) -> None:
    """The same call on two forks, and the output schema."""
    success = session.notes[tool].success
    if success is None:
        return
    branch = session.fork(success.branch)
    session.twice(branch, tool, success.arguments)
    schema = session.target.specifications[tool].output_schema
    if schema is not None:
        session.judge("answer_conforms", tool, branch, 1, {"schema": schema})


def later(session: Session, tool: str, most: int = 4) -> None:
    """Calls once more, at the end of the attack: clocks and counters of the machine have moved on by now."""
    notes = session.notes[tool]
    for made in [*([notes.success] if notes.success else []), *notes.others][:most]:
        if made.result.ok:
            session.as_before(session.fork(made.branch), tool, made.arguments, made.result)


_HOLDERS = vocabulary("holders")
_TAILS = ("", "_id", "_key", "_uuid", "_sid")


def unknown_things(session: Session, tool: str, scene: Scene) -> None:
    """Identifiers that look like known ones and are none."""
    success = session.notes[tool].success
    maker = session.makers[tool]
    if success is None:
        return
    branch = session.fork(success.branch)
    required = required_paths(maker)
    for place in places_of(maker):
        noun = maker.references.get(place.path)
        own = value_at(success.arguments, place.path)
        if noun is None or own is None or place.path not in required:
            continue
        if not isinstance(own, str) or own not in map(str, session.pool.identifiers(noun)):
            continue
        reading = session.readings[tool]
        ends = (noun, noun.split("_")[-1])
        named = {f"{end}{tail}" for end in ends for tail in _TAILS} | ({"id"} if noun == reading.noun else set())
        if place.name not in named:
            continue  # it may be of another place
        listing = reading.kind in ("list", "read") or rows_of(success.result.data) is not None
        if listing and noun != reading.noun:
            continue  # a listing of the parts of nothing may be empty
        if " " in own or any(str(item).lower() not in _HOLDERS for item in place.path[:-1]):
            continue  # a text, or something that is only mentioned
        if scene.look(noun, own) is None:
            continue
        odd = lookalike(own)
        arguments = put(success.arguments, place.path, odd)
        if odd in session.pool.everything or not maker.valid(arguments):
            continue
        result = session.call(branch, tool, arguments)
        session.judge("unknown_refused", tool, branch, 1, {"noun": noun, "value": odd})
        if result.ok:
            branch = session.fork(success.branch)


def lookalike(own: str) -> str:
    """An identifier of the same form that nothing has."""
    start = max(own.rfind("_"), own.rfind("-"), len(own) - 7) + 1
    swapped = re.sub(r"[0-9]|(?<=[0-9])[a-f]", lambda match: "9" if match[0] != "9" else "8", own[start:])
    return own[:start] + swapped if swapped != own[start:] else own + "9"


_WHEN = re.compile(r"\b[Rr]efused,? (?:when|if|for|once)\b(?P<states>[^.;:]*)")
_CANNOT = re.compile(r"\b[Aa]n? (?P<states>[a-z_ ]+?) (?:\w+ )?cannot be (?P<done>\w+)")
_UNLESS = re.compile(
    r"\b(unless|except|without|only|until|after|before|not|no|than|above|below|over|has|have)\b", re.IGNORECASE
)


def stated(description: str, verb: str) -> list[tuple[str, str]]:
    """Clauses that say in which states a tool refuses: the part with the states, and the clause."""
    found = []
    for match in _WHEN.finditer(description):
        if not _UNLESS.search(match["states"]):
            found.append((match["states"], match[0].strip()))
    for match in _CANNOT.finditer(description):
        done = match["done"].lower()
        if done.startswith(verb[:4]) or (verb in ("update", "edit") and done in ("changed", "edited")):
            found.append((match["states"], match[0].strip()))
    return found


def refusals(session: Session, tool: str, most: int = 5) -> None:
    """Values that lead nowhere, where such as were shown stood: what is refused then must leave nothing behind."""
    success = session.notes[tool].success
    if success is None or session.readings[tool].promises_nothing_changes:
        return
    maker = session.makers[tool]
    branch, tried = session.fork(success.branch), 0
    for place in places_of(maker):
        own = value_at(success.arguments, place.path)
        if not isinstance(own, str) or place.schema.get("enum") or tried >= most:
            continue
        odd = "ghost@nowhere.example" if "@" in own else lookalike(own) if len(own) > 3 else own + "x"
        for value in (odd, " "):
            arguments = put(success.arguments, place.path, value)
            if maker.valid(arguments) and tried < most:
                tried += 1
                if session.call(branch, tool, arguments).ok:
                    branch = session.fork(success.branch)


def stated_refusals(session: Session, tool: str, scene: Scene) -> None:
    """``Refused when closed``: on a thing that is closed the call must be refused."""
    success = session.notes[tool].success
    if success is None or session.readings[tool].promises_nothing_changes:
        return
    clauses = stated(session.target.specifications[tool].description, session.readings[tool].verb)
    if not clauses:
        return
    target = _target(session, tool, scene, success.arguments)
    if target is None:
        return
    noun, path = target
    tried = 0
    for own, row in session.pool.rows(noun).items():
        state = next((row[name] for name in ("status", "state") if isinstance(row.get(name), str)), None)
        if state is None or tried >= 3 or str(own) == value_at(success.arguments, path):
            continue
        spelled = state.replace("_", " ").lower()
        for states, sentence in clauses:
            if re.search(rf"\b{re.escape(spelled)}\b", states.replace("_", " ").lower()):
                branch = session.fork(success.branch)
                tried += 1
                session.call(branch, tool, put(success.arguments, path, own))
                session.judge("stated_refusal", tool, branch, 1, {"sentence": f"{own} is {state}: {sentence}"})
                break


def _target(session: Session, tool: str, scene: Scene, arguments: dict[str, Any]) -> tuple[str, Any] | None:
    found = target_of(session, tool, scene, arguments)
    return (found[0], found[1]) if found is not None else None
