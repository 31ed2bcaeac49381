"""What a refusal says: which value, which name, which kind of thing to try otherwise."""

from __future__ import annotations

import re
from typing import Any

from engine.calls import CallResult
from synth.attack.arguments import Maker, Path, Plan
from synth.attack.places import places_of, put, value_at
from synth.attack.reading import singular, words
from synth.attack.session import Session
from synth.attack.shapes import leaves

_NEEDED = re.compile(r"(?:^|[.;] ?)['\"]?([A-Za-z][\w ]{0,40}?)['\"]?:? (?:a value )?(?:is|are) (?:required|missing)")
_CHOICES = re.compile(r"\b(?:[Tt]he \w+ are|one of|options|choices)[: ]+(.+)$")


def heeded(session: Session, maker: Maker, plan: Plan, arguments: dict[str, Any], result: CallResult) -> Plan:
    """The next plan, by what the refusal names: a value that was given, a name that was not, a kind of thing."""
    made = plan.copy()
    error = result.error or {}
    message = f"{error.get('message', '')} {_texts(error.get('details'))}"
    spoken = set(re.findall(r"\w+", message.lower()))
    named: list[Path] = []
    for path, value in leaves(arguments):
        place = place_of(path)
        if isinstance(value, str) and len(value) > 1 and value in message:
            named.append(place)
            known = maker.references.get(place)
            if known is None or value not in session.pool.rows(known):
                _retarget(session, maker, place, message)
        elif isinstance(value, int | float) and not isinstance(value, bool) and str(value) in message.split():
            named.append(place)
    for place in made.once:
        made.fixed.pop(place, None)
    made.once.clear()
    _told_keys(maker, made, arguments, message)
    _told_items(session, maker, made, arguments, message)
    if made.once:
        return made
    for place in maker.optional:
        name = str(place[-1])
        if place not in made.given and (name.lower() in spoken or " ".join(words(name)) in message.lower()):
            made.given.add(place)
            return made
    if not named:
        for path, _ in leaves(arguments):
            name = str(next((part for part in reversed(path) if isinstance(part, str)), ""))
            if name.lower() in spoken or " ".join(words(name)) in message.lower():
                named.append(place_of(path))
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


def _told_items(session: Session, maker: Maker, plan: Plan, arguments: dict[str, Any], message: str) -> None:
    """Lists get an item for each thing that the refusal names: all of them were asked for."""
    for place, noun in maker.references.items():
        if 0 not in place:
            continue
        whole = place[: place.index(0)]
        given = value_at(arguments, whole)
        missing = [own for own in session.pool.identifiers(noun) if re.search(rf"\b{re.escape(str(own))}\b", message)]
        inner = place[place.index(0) + 1 :]
        if not isinstance(given, list) or not given or 0 in inner:
            continue
        told = [own for own in missing if own not in [value_at(item, inner) for item in given]]
        if len(told) > 0:
            more = [put(given[0], inner, own) if inner else own for own in told]
            plan.fixed[whole] = [*given, *more]
            plan.once.add(whole)


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


def place_of(path: tuple[str | int, ...]) -> Path:
    return tuple(0 if isinstance(part, int) else part for part in path)


def _texts(value: Any) -> str:
    return " ".join(str(item) for _, item in leaves(value)) if isinstance(value, dict | list) else ""
