"""What a part of the arguments could have been instead: values of the same kind that are not the right one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from engine.kit.cast import COLLEAGUES, CONTACTS
from tasks.admission.arguments import schema_at
from tasks.admission.ground import Ground
from tasks.admission.occurrences import as_moment, as_number, plain
from tasks.parts import Part

TRIES = 3
"""How many values are tried for a part before it is said that the service takes no other."""

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PERSON = re.compile(r"[^\W\d_]+ [^\W\d_]+")
_PEOPLE = (*COLLEAGUES, *CONTACTS)


def alterations(ground: Ground, call: int, part: Part) -> list[Any]:
    """Values to put in place of a part of a call's arguments, the best first; at most ``TRIES``."""
    schema = schema_at(ground.specification(ground.calls[call]).input_schema, part.path)
    if not part.in_text and isinstance(choices := schema.get("enum"), list):
        others = [item for item in choices if item != part.value]
        return ground.random(f"{call} {part.place}").sample(others, min(TRIES, len(others)))
    service = None if part.in_text else ground.calls[call].service
    return _first_of(_other(ground, part.value, service, f"{call} {part.place}"), part.value)


def answers(ground: Ground, part: Part) -> list[Any]:
    """Values to put in place of a part of the answer, the best first."""
    return _first_of(_other(ground, part.value, None, f"answer {part.place}"), part.value)


def further(ground: Ground, call: int, part: Part) -> list[Any]:
    """More values for a number or a date, beside those of ``alterations``: they lie on its other side, or farther off.

    The first is one less, or a day earlier: with one more, that shows a comparison that is open to one side. Of the
    others, one is drawn: half, double, a little more, another of s0. A moment is also an hour later, and that first; a
    day is also the same of another month.
    """
    value = part.value
    draw = ground.random(f"further {call} {part.place}")
    if (moment := as_moment(value)) is not None:
        earlier = shifted(value, moment, timedelta(days=-1))
        if isinstance(moment, datetime):
            return [shifted(value, moment, timedelta(hours=1)), earlier]
        return [earlier, shifted(value, moment, _to_the_same_day(moment))]
    number = as_number(value)
    if number is None:
        return []
    near = [number - 1] if number >= 1 else []
    far = [number * 2, *_stood(ground, value, number)]
    far += [number / 2] if number % 2 == 0 or not number.is_integer() else [number // 2]
    far += [number + 0.1] if not number.is_integer() else []
    chosen = [*near, draw.choice([item for item in far if item not in (number, number + 1, number - 1)] or near)]
    return [_in_the_form_of(value, item) for item in dict.fromkeys(chosen)]


def _stood(ground: Ground, value: Any, number: float) -> list[float]:
    """Other numbers of the columns of s0 in which a number stands; a few."""
    columns = sorted(ground.seen.columns.get(plain(value), ()))
    known = {as_number(item) for column in columns for item in ground.seen.values(*column)}
    others = sorted(item for item in known if item is not None and item != number and item >= 0)
    return ground.random(f"stood {plain(value)}").sample(others, min(1, len(others)))


def _in_the_form_of(value: Any, number: float) -> Any:
    if isinstance(value, str):
        return _written(number, value)
    return int(number) if isinstance(value, int) and number.is_integer() else round(number, 2)


def longer(part: Part) -> str | None:
    """For a number in a text: another number that contains it, which a loose comparison takes for the same."""
    told = plain(part.value)
    return f"1{told}" if part.in_text and _FIGURES.fullmatch(told) else None


def _first_of(values: Iterator[Any], right: Any) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value != right and value not in found:
            found.append(value)
        if len(found) == TRIES:
            break
    return found


def _other(ground: Ground, value: Any, service: str | None, purpose: str) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, value * 2)
    elif isinstance(value, list):
        if len(value) > 1:
            yield value[1:]
        for item in _other(ground, value[0], service, purpose) if value else ():
            yield [item, *value[1:]]
    elif isinstance(value, dict):
        for name, held in value.items():
            for item in _other(ground, held, service, purpose):
                yield {**value, name: item}
    elif isinstance(value, str):
        yield from _other_text(ground, value, service, purpose)


def _other_text(ground: Ground, value: str, service: str | None, purpose: str) -> Iterator[str]:
    moment = as_moment(value)
    if moment is not None:
        yield from (shifted(value, moment, timedelta(days=days)) for days in (1, -1, 7))
        return
    if match := _TIME.fullmatch(value):
        yield f"{(int(match[1]) + 1) % 24:02d}:{match[2]}"
    elif _FIGURES.fullmatch(value):
        yield _written(float(value.replace(",", "")) + 1, value)
    yield from siblings(ground, value, service, purpose) or siblings(ground, value, None, purpose)
    if "@" in value:
        yield from (person.email for person in _PEOPLE if person.email != value)
    if _PERSON.fullmatch(value):
        yield from (person.name for person in _PEOPLE if value != person.name)
    elif any(value == person.name.split()[0] for person in _PEOPLE):
        yield from (person.name.split()[0] for person in _PEOPLE if value not in person.name)
    if figures := list(re.finditer(r"\d+", value)):
        last = figures[-1]
        number = str(int(last[0]) + 1).zfill(len(last[0]))
        yield value[: last.start()] + number + value[last.end() :]
    yield "Something else"


def siblings(ground: Ground, value: str, service: str | None, purpose: str) -> list[str]:
    """Other values of the column of s0 (of a service, or of any) in which a value stands; a key's column first.

    For the key of a row that the reference made they are the keys of s0 in its table.
    """
    if value in ground.made:
        columns = [(ground.made[value][0], "")]
    else:
        columns = sorted(
            column
            for column in ground.seen.columns.get(value, ())
            if service is None or column[0] in ground.tables(service)
        )
        columns.sort(key=lambda column: ground.semantic(*column) not in ("id", "email"))
    for table, column in columns:
        known = ground.seen.values(table, column) if column else list(ground.s0.get(table, {}))
        others = [item for item in known if isinstance(item, str) and value not in item and item != ""]
        if others:
            return ground.random(f"sibling {purpose}").sample(others, min(TRIES, len(others)))
    return []


def _to_the_same_day(moment: date) -> timedelta:
    """How far it is to the same day of the next month that has it."""
    other = moment + timedelta(days=28)
    while other.day != moment.day:
        other += timedelta(days=1)
    return other - moment


def shifted(value: str, moment: date | datetime, by: timedelta) -> str:
    """An ISO date or instant so much later, in the form that it has."""
    other = (moment + by).isoformat()
    return other.replace("+00:00", "Z") if value.endswith("Z") else other[: len(value)]


def _written(number: float, like: str) -> str:
    """A number with as many decimals as a text that is one, and grouped where that is."""
    places = len(like.partition(".")[2])
    return f"{number:,.{places}f}" if "," in like else f"{number:.{places}f}"
