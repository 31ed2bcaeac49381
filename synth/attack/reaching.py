"""Reaching the state in which a tool succeeds: other tools' calls move a thing there first."""

from __future__ import annotations

import re
from typing import Any

from synth.attack.arguments import Path, Plan
from synth.attack.finding import find, together
from synth.attack.heeding import place_of
from synth.attack.places import places_of, put, put_at, required_paths, value_at
from synth.attack.reading import normal, singular, words
from synth.attack.session import Session, Success
from synth.attack.shapes import leaves


def reach(session: Session, tool: str, tries: int = 90) -> Success | None:
    """Move a thing through other tools' calls first, where the tool refuses it in every state that is at hand."""
    maker = session.makers[tool]
    maker.forget()
    maker.make(Plan(given=set(maker.optional)))
    nouns = set(list(dict.fromkeys([*maker.references.values(), session.readings[tool].noun]))[:3])
    spent = 0
    for mover in _movers(session, tool):
        moved = session.notes[mover].success
        other = session.makers[mover]
        if moved is None or spent >= tries:
            continue
        where = [place for place, noun in other.references.items() if noun in nouns]
        if session.readings[mover].noun not in nouns and not where:
            continue
        for given in _variants(session, tool, mover, moved.arguments):
            branch = session.fork(moved.branch)
            result = session.call(branch, mover, given)
            spent += 1
            if not result.ok:
                continue
            found = _carried(session, tool, branch, given, result.data)
            if found is None:
                target = [value for path, value in leaves(given) if place_of(path) in where]
                made = [value for path, value in leaves(result.data) if path and path[-1] == "id"][:1]
                creates = session.readings[mover].kind == "create"
                found = find(
                    session, tool, branch, 5, _aimed(session, tool, made + target if creates else target + made)
                )
                spent += 6
            if found is not None:
                return found
    return None


def walk(session: Session, tool: str, most: int = 4) -> Success | None:
    """Take one thing through several tools, one after the other, and try the tool after each of them."""
    maker = session.makers[tool]
    maker.forget()
    maker.make(Plan())
    aims = [(place, noun) for place, noun in maker.references.items() if 0 not in place]
    if not aims:
        return None
    place, noun = aims[0]
    for own in maker.candidates.get(place, [])[:most]:
        branch = session.fork(session.stage)
        for mover in _movers(session, tool)[:8]:
            other = session.makers[mover]
            other.forget()
            other.make(Plan())
            where = next((item for item, what in other.references.items() if what == noun and 0 not in item), None)
            if where is None:
                continue
            arguments = together(session, branch, other, other.make(Plan(fixed={where: own})))
            for given in _variants(session, tool, mover, arguments):
                if not other.valid(given) or not session.call(branch, mover, given).ok:
                    continue
                found = find(session, tool, branch, 3, Plan(fixed={place: own}))
                if found is not None:
                    return found
    return None


def every(session: Session, tool: str) -> Success | None:
    """The tool on every thing that is known of the kind that it names first."""
    maker = session.makers[tool]
    maker.forget()
    maker.make(Plan())
    aims = [(place, noun) for place, noun in maker.references.items() if 0 not in place]
    for place, noun in aims[:1]:
        for own in session.pool.identifiers(noun):
            plan = Plan(picks={other: session.rng.randrange(8) for other in maker.candidates}, fixed={place: own})
            found = find(session, tool, session.stage, 3, plan)
            if found is not None:
                return found
    return None


def _variants(session: Session, tool: str, mover: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments as they were; with the choices of which the tool's refusals speak; with much greater numbers.

    ``move it to offer first``: the mover takes ``offer``. Some tools are for great amounts only.
    """
    maker = session.makers[mover]
    found = [given]
    said = set(re.findall(r"[a-z]+", " ".join(session.notes[tool].refusals).lower()))
    for place in places_of(maker):
        for choice in place.schema.get("enum") or []:
            if isinstance(choice, str) and set(words(choice)) <= said and value_at(given, place.path) is not None:
                found.append(put(given, place.path, choice))
    if session.readings[mover].kind == "create":
        great = given
        for path, value in leaves(given):
            if isinstance(value, int | float) and not isinstance(value, bool):
                bigger = put_at(great, path, value * 50)
                great = bigger if maker.valid(bigger) else great
        found.append(great)
    return [item for number, item in enumerate(found) if item not in found[:number]][:5]


def _movers(session: Session, tool: str) -> list[str]:
    """Other tools that write, those first of which the tool's refusals and description speak."""
    said = " ".join([*session.notes[tool].refusals, session.target.specifications[tool].description]).lower()
    spoken = {singular(item) for item in words(said.replace("_", " "))}

    def rank(name: str) -> tuple[int, int]:
        own = {singular(item) for item in words(name)}
        return (-int(name.lower() in said), -len(own & spoken) - len(own & set(words(tool))))

    found = session.tools(lambda item: not item.promises_nothing_changes and item.kind != "delete")
    return sorted((name for name in found if name != tool), key=rank)


def _carried(session: Session, tool: str, branch: int, given: dict[str, Any], data: Any) -> Success | None:
    """The values that the other tool was given and gave, under the same names: unlink what was linked just now."""
    maker = session.makers[tool]
    known: dict[str, Any] = {}
    for source in (data, given):
        for path, value in leaves(source):
            if path and isinstance(path[-1], str):
                known[normal(path[-1])] = value
    known |= {normal(name): value for name, value in given.items()}
    fixed: dict[Path, Any] = {}
    for place in places_of(maker):
        if place.name in known and maker.schemas.accepts(place.schema, known[place.name]):
            fixed[place.path] = known[place.name]
    if not fixed:
        return None
    arguments = maker.make(Plan(fixed={path: value for path, value in fixed.items() if path in required_paths(maker)}))
    if not maker.valid(arguments):
        return None
    result = session.call(session.fork(branch), tool, arguments)
    return Success(branch, arguments, result) if result.ok else None


def _aimed(session: Session, tool: str, target: list[Any]) -> Plan:
    """A plan that begins with the thing that was moved."""
    maker = session.makers[tool]
    maker.forget()
    maker.make(Plan(given=set(maker.optional)))
    plan = Plan()
    own = session.readings[tool].noun
    for place in maker.references:
        offered = maker.candidates.get(place, [])
        first = next((value for value in target if value in offered), None)
        if first is not None:
            plan.picks[place] = offered.index(first)
        elif target and 0 not in place and (maker.references[place] == own or len(maker.references) == 1):
            plan.fixed[place] = target[0]
    return plan
