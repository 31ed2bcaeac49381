"""Finding calls that succeed: candidates for each place, and what refusals say about them."""

from __future__ import annotations

import re
from typing import Any

from engine.calls import CallResult
from engine.kit.values import canonical_json
from synth.attack.arguments import Maker, Path, Plan
from synth.attack.places import places_of, put, put_at, required_paths, value_at
from synth.attack.reading import normal, singular, words
from synth.attack.session import Session, Success
from synth.attack.shapes import leaves, rows_of

_ANYTHING = frozenset("record item object entity resource target".split())
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
        arguments = _together(session, branch, maker, maker.make(plan))
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
        plan = _heeded(session, maker, plan, arguments, result)
    return None


def more(session: Session, tool: str, branch: int, most: int = 4) -> None:
    """Ask a tool that reads about other things too, so that things in other states are known."""
    maker = session.makers[tool]
    success = session.notes[tool].success
    if success is None or not maker.specification.required:
        return
    maker.forget()
    for number in range(1, most + 1):
        maker.make(Plan())
        plan = Plan(picks=dict.fromkeys(maker.candidates, number))
        arguments = maker.make(plan)
        if maker.valid(arguments):
            result = session.call(session.fork(branch), tool, arguments)
            session.learn(tool, arguments, result)
            rows, most_rows = rows_of(result.data), rows_of(success.result.data)
            if rows is not None and most_rows is not None and len(rows) > len(most_rows):
                # A longer listing says more about pages, order and filters.
                success = session.notes[tool].success = Success(branch, arguments, result)


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


def _heeded(session: Session, maker: Maker, plan: Plan, arguments: dict[str, Any], result: CallResult) -> Plan:
    """The next plan, by what the refusal names: a value that was given, a name that was not, a kind of thing."""
    made = plan.copy()
    error = result.error or {}
    message = f"{error.get('message', '')} {_texts(error.get('details'))}"
    spoken = set(re.findall(r"\w+", message.lower()))
    named: list[Path] = []
    for path, value in leaves(arguments):
        place = _place(path)
        if isinstance(value, str) and len(value) > 1 and value in message:
            named.append(place)
            _retarget(session, maker, place, message)
        elif isinstance(value, int | float) and not isinstance(value, bool) and str(value) in message.split():
            named.append(place)
    _told_keys(maker, made, arguments, message)
    for place in maker.optional:
        name = str(place[-1])
        if place not in made.given and (name.lower() in spoken or " ".join(words(name)) in message.lower()):
            made.given.add(place)
            return made
    if not named:
        for path, _ in leaves(arguments):
            name = str(next((part for part in reversed(path) if isinstance(part, str)), ""))
            if name.lower() in spoken or " ".join(words(name)) in message.lower():
                named.append(_place(path))
    references = [place for place in maker.references if place in maker.candidates]
    if not named:
        own = session.readings[maker.specification.name].noun
        named = [place for place in references if maker.references[place] == own] or references
        if not named or session.rng.random() < 0.3:
            named = list(maker.candidates)
            if maker.optional and session.rng.random() < 0.5:
                made.given ^= {session.rng.choice(maker.optional)}
    for place in named if session.rng.random() < 0.7 else named[:1]:
        made.picks[place] = made.picks.get(place, 0) + 1
    if session.rng.random() < 0.25:
        others = list(maker.candidates)
        if others:
            made.picks[session.rng.choice(others)] = session.rng.randrange(40)
    return made


_NEEDED = re.compile(r"(?:^|[.;] ?)['\"]?([A-Za-z][\w ]{0,40}?)['\"]?:? (?:a value )?(?:is|are) (?:required|missing)")
_CHOICES = re.compile(r"\b(?:[Tt]he \w+ are|one of|options|choices)[: ]+(.+)$")


def _told_keys(maker: Maker, plan: Plan, arguments: dict[str, Any], message: str) -> None:
    """Objects of free form get the keys that the refusal asks for, or names as the only ones there are."""
    names = [item.strip() for item in _NEEDED.findall(message)]
    listed = _CHOICES.search(message)
    if listed:
        names += [item.strip(" '\"`.") for item in re.split(r",| and ", listed[1])][:3]
    names = [name for name in names if 0 < len(name) <= 60]
    for place in places_of(maker):
        value = value_at(arguments, place.path)
        if names and place.schema.get("type") == "object" and isinstance(value, dict):
            plan.fixed[place.path] = {**value, **{name: "alder" for name in names if name not in value}}
        elif listed and isinstance(value, str) and value in message and place.path in maker.candidates:
            known = maker.candidates[place.path]
            fitting = [name for name in names if maker.schemas.accepts(place.schema, name)]
            maker.candidates[place.path] = [*fitting, *(item for item in known if item not in fitting)]
            plan.picks[place.path] = -1  # the next one is the first


def _retarget(session: Session, maker: Maker, place: Path, message: str) -> None:
    """Identifiers of the thing that the refusal misses come next: ``There is no member 'x'``."""
    if place not in maker.candidates:
        return
    for word in re.findall(r"[a-z]+", message.lower()):
        noun = next((item for item in session.pool.nouns() if item.endswith(f"_{singular(word)}")), singular(word))
        noun = singular(word) if singular(word) in session.pool.nouns() else noun
        if session.pool.identifiers(noun):
            if maker.references.get(place) != noun:
                maker.references[place] = noun
                known = [item for item in maker.candidates[place] if item not in session.pool.identifiers(noun)]
                maker.candidates[place] = [*session.pool.identifiers(noun), *known]
            return


def _together(session: Session, branch: int, maker: Maker, arguments: dict[str, Any]) -> dict[str, Any]:
    """Identifiers of parts are those of the thing that is named beside them: the lines of this invoice."""
    arguments = _of_kind(session, maker, arguments)
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
        (path, other), = maker.references.items()
        if other == noun and 0 not in path:
            arguments = put(notes.success.arguments, path, own)
            result = session.call(session.fork(branch), tool, arguments)
            session.learn(tool, arguments, result)
            if result.ok and isinstance(result.data, dict):
                session.pool.own(noun, own, result.data)
                return result.data
    return row


def _place(path: tuple[str | int, ...]) -> Path:
    return tuple(0 if isinstance(part, int) else part for part in path)


def _texts(value: Any) -> str:
    return " ".join(str(item) for _, item in leaves(value)) if isinstance(value, dict | list) else ""


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
        for given in _variants(session, mover, moved.arguments):
            branch = session.fork(moved.branch)
            result = session.call(branch, mover, given)
            spent += 1
            if not result.ok:
                continue
            found = _carried(session, tool, branch, given, result.data)
            if found is None:
                target = [value for path, value in leaves(given) if _place(path) in where]
                made = [value for path, value in leaves(result.data) if path and path[-1] == "id"][:1]
                creates = session.readings[mover].kind == "create"
                found = find(session, tool, branch, 5, _aimed(session, tool, made + target if creates else target + made))
                spent += 6
            if found is not None:
                return found
    return None


def _variants(session: Session, mover: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments as they were, and for a creation those with much greater numbers: some tools are for great ones."""
    if session.readings[mover].kind != "create":
        return [given]
    great = given
    for path, value in leaves(given):
        if isinstance(value, int | float) and not isinstance(value, bool):
            bigger = put_at(great, path, value * 50)
            great = bigger if session.makers[mover].valid(bigger) else great
    return [given] if great == given else [given, great]


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
    for place in maker.references:
        offered = maker.candidates.get(place, [])
        first = next((value for value in target if value in offered), None)
        if first is not None:
            plan.picks[place] = offered.index(first)
        elif target and maker.references[place] == session.readings[tool].noun and 0 not in place:
            plan.fixed[place] = target[0]
    return plan
