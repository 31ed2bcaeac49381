"""Finding calls that succeed: candidates for each place, and what refusals say about them."""

from __future__ import annotations

from typing import Any

from engine.kit.values import canonical_json
from synth.attack.arguments import Maker, Plan
from synth.attack.heeding import heeded
from synth.attack.places import places_of, put, required_paths, value_at
from synth.attack.reading import singular, words
from synth.attack.session import Session, Success
from synth.attack.shapes import leaves, rows_of
from synth.attack.vocabulary import vocabulary

_ANYTHING = vocabulary("anything")
TRIES = 28
"""Calls spent on finding one that succeeds, on each stage."""


def find(session: Session, tool: str, branch: int, tries: int = TRIES, plan: Plan | None = None) -> Success | None:
    """Try arguments until one call succeeds.

    Returns:
        The call and the branch before it, on which nothing else may be called; or ``None``.
    """
    maker = session.makers[tool]
    quiet = session.readings[tool].promises_nothing_changes
    maker.forget()
    place = session.fork(branch)
    plan = plan.copy() if plan is not None else Plan()
    tried: set[str] = set()
    misses = 0
    while tries > 0 and misses < 40:
        arguments = together(session, branch, maker, maker.make(plan))
        text = canonical_json(arguments)
        if text in tried or not maker.valid(arguments):
            misses += 1
            plan = _shaken(session, maker, plan, misses)
            continue
        tried.add(text)
        tries -= 1
        result = session.call(place, tool, arguments)
        if result.ok:
            if quiet:  # what a call on a fork made is there only on that fork
                session.learn(tool, arguments, result)
            if session.log(place)[:-1] == session.log(branch):
                return Success(branch, arguments, result)
            # Once more without the refused calls before it: numbers of events are part of identifiers.
            again = session.call(session.fork(branch), tool, arguments)
            return Success(branch, arguments, again) if again.ok else None
        error = result.error or {}
        session.notes[tool].refusals[f"{error.get('code')}: {error.get('message')}"[:300]] += 1
        if result.outcome == "fault":
            misses += 10
        plan = heeded(session, maker, plan, arguments, result)
    return None


ENOUGH_ROWS = 4


def more(session: Session, tool: str, branch: int, most: int = 4) -> None:
    """Ask a tool that reads about other things too, so that things in other states are known.

    Of a listing of the parts of a thing, one with several rows is kept: it says more about pages, order and filters.
    """
    maker = session.makers[tool]
    success = session.notes[tool].success
    if success is None or not maker.specification.required:
        return
    maker.forget()
    maker.make(Plan())
    rows = rows_of(success.result.data)
    for place, noun in maker.references.items():
        if rows is not None and place in maker.candidates:
            maker.candidates[place] = _fuller(session, noun, session.readings[tool].noun, maker.candidates[place])
    short = rows is not None and len(rows) < ENOUGH_ROWS
    aside, answered = session.fork(branch), 0
    for number in range(3 * most):
        if answered >= most and not short:
            break
        arguments = maker.make(Plan(picks=dict.fromkeys(maker.candidates, number)))
        if arguments == success.arguments or not maker.valid(arguments):
            continue
        result = session.call(aside, tool, arguments)
        session.learn(tool, arguments, result)
        answered += result.ok
        found = rows_of(result.data)
        if rows is not None and found is not None and len(found) > len(rows):
            rows = found
            again = session.call(session.fork(branch), tool, arguments)
            success = session.notes[tool].success = Success(branch, arguments, again)
        if short and rows is not None and len(rows) >= ENOUGH_ROWS and number >= most:
            break


def _fuller(session: Session, noun: str, parts: str, candidates: list[Any]) -> list[Any]:
    """Things first that say of themselves that they have many parts: ``comment_count: 3``."""
    known = session.pool.rows(noun)

    def count(own: Any) -> int:
        numbers = [
            len(value) if isinstance(value, list) else value
            for name, value in known.get(own, {}).items()
            if words(name)
            and singular(words(name)[0]) == parts.rsplit("_", maxsplit=1)[-1]
            and isinstance(value, int | list)
        ]
        return -max((number for number in numbers if not isinstance(number, bool)), default=0)

    return sorted(candidates, key=count)


def _shaken(session: Session, maker: Maker, plan: Plan, misses: int) -> Plan:
    """Another plan at random, where the one at hand gives nothing new."""
    made = plan.copy()
    places = list(maker.candidates)
    for place in session.rng.sample(places, min(len(places), 1 + misses // 4)):
        made.picks[place] = session.rng.randrange(40)
    if maker.optional and misses % 2:
        place = session.rng.choice(maker.optional)
        made.given ^= {place}
    if misses % 5 == 4:
        made.given = set(maker.optional) if misses % 2 else set()
        made.picks[("?",)] = misses
        for place in list(maker.optional):
            made.picks[(*place, "?")] = misses
    return made


def together(session: Session, branch: int, maker: Maker, arguments: dict[str, Any]) -> dict[str, Any]:
    """Identifiers of parts are those of the thing that is named beside them: the lines of this invoice."""
    arguments = _of_kind(session, maker, arguments)
    if session.rng.random() < 0.4:
        return _side_by_side(session, maker, arguments)
    given = [(path, noun) for path, noun in maker.references.items() if value_at(arguments, path) is not None]
    if len(given) < 2 or session.rng.random() < 0.3:
        return arguments
    for path, noun in given:
        own = value_at(arguments, path)
        if 0 in path or not isinstance(own, str | int):
            continue
        for other, parts in given:
            if other == path or parts == noun:
                continue
            shown = [value for _, value in leaves(_known(session, branch, noun, own)) if value != own]
            fitting = [value for value in session.pool.identifiers(parts) if value in shown]
            if fitting and value_at(arguments, other) not in fitting:
                arguments = put(arguments, other, session.rng.choice(fitting))
    return arguments


def _side_by_side(session: Session, maker: Maker, arguments: dict[str, Any]) -> dict[str, Any]:
    """Values that were seen in one row: a page and one of its versions."""
    required = required_paths(maker)
    wanted = {place.name: place for place in places_of(maker) if place.path in required}
    rows = [row for row in session.together if len(wanted.keys() & row.keys()) > 1]
    if not rows:
        return arguments
    row = session.rng.choice(rows)
    for name in wanted.keys() & row.keys():
        arguments = put(arguments, wanted[name].path, row[name])
    return arguments


def _of_kind(session: Session, maker: Maker, arguments: dict[str, Any]) -> dict[str, Any]:
    """``kind: person, record_id: ...``: the identifiers are of the kind that is named beside them."""
    kinds = [singular(value) for _, value in leaves(arguments) if isinstance(value, str) and len(value) < 40]
    kind = next((item for item in kinds if item in session.pool.nouns()), None)
    vague = {path for path, noun in maker.references.items() if noun.split("_")[-1] in _ANYTHING}
    places = [path for path in sorted(maker.unclear | vague, key=str) if value_at(arguments, path) is not None]
    if kind is None or not places:
        return arguments
    known = session.pool.identifiers(kind)
    mine = [own for own in known if own in session.pool.made]
    first = mine if mine and session.rng.random() < 0.5 else known
    some = session.rng.sample(first, min(len(first), len(places)))
    rest = [own for own in known if own not in some]
    some += session.rng.sample(rest, min(len(rest), len(places) - len(some)))
    for path, own in zip(places, some, strict=False):
        arguments = put(arguments, path, own)
    return arguments


def _known(session: Session, branch: int, noun: str, own: str | int) -> Any:
    """What is shown of one thing: by the tool that gets it, asked once."""
    row = session.pool.rows(noun).get(own, {})
    if own in session.pool.asked:
        return row
    session.pool.asked.add(own)
    for tool, notes in session.notes.items():
        reading, maker = session.readings[tool], session.makers[tool]
        if reading.kind != "get" or notes.success is None or len(maker.references) != 1:
            continue
        ((path, other),) = maker.references.items()
        if other == noun and 0 not in path:
            arguments = put(notes.success.arguments, path, own)
            result = session.call(session.fork(branch), tool, arguments)
            session.learn(tool, arguments, result)
            if result.ok and isinstance(result.data, dict):
                session.pool.own(noun, own, result.data)
                return result.data
    return row
