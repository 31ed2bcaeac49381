"""Can everything that the solution gives be known? What the rubric asks for has to be said somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from engine.kit.cast import COLLEAGUES, CONTACTS
from tasks.admission.arguments import is_free, schema_at
from tasks.admission.evidence import Evidence, concluded, counted
from tasks.admission.ground import Ground
from tasks.admission.knowledge import base_telling
from tasks.admission.occurrences import DAYS, as_moment, as_number, mentions, mentions_time, occurs, plain
from tasks.parts import Part

_SPAN = re.compile(r"\b(days?|weeks?|fortnight|months?)\b", re.IGNORECASE)
_CLOCK = re.compile(r"(?<!\d)([01]\d|2[0-3]):([0-5]\d)")
_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def examine(ground: Ground) -> Evidence:
    """Every literal that a write call of the reference gives is in the instruction or was seen before.

    A text of a closed set is left to the reader: words such as "high" rarely stand there as the tool wants them. So is
    a value of s0 that names a record (a list, a board, an account): it can be looked up by what people call it.
    """
    told = base_telling(ground).observations
    findings = []
    looked_at = 0
    for number in ground.writes:
        call = ground.calls[number]
        known = "\n".join(told[:number])
        times = [f"{match[0]}" for words in _composed(call.arguments) for match in _CLOCK.finditer(words)]
        for part in ground.parts[number]:
            if part.names or _is_choice(ground, number, part):
                continue
            looked_at += 1
            if not _is_told(ground, part.value, known):
                findings.append(
                    f"{part.place} of {call.service}.{call.tool} is {plain(part.value)!r}, which neither the"
                    " instruction nor anything seen before says: say it there, or leave it out"
                )
        for clock in times:
            if not _says_time(ground.task.task.instruction, clock):
                findings.append(
                    f"{call.service}.{call.tool} is given the time {clock}, which the instruction does not say"
                )
    are = "is" if looked_at == 1 else "are"
    shown_by = f"{counted(looked_at, 'fixed value')} that the solution gives {are} in the instruction or seen before"
    return concluded("sources", shown_by, findings, {"literals": looked_at})


def _is_choice(ground: Ground, number: int, part: Part) -> bool:
    schema = schema_at(ground.specification(ground.calls[number]).input_schema, part.path)
    return isinstance(part.value, bool) or "enum" in schema or not isinstance(part.value, str | int | float)


def _is_told(ground: Ground, value: Any, known: str) -> bool:
    instruction = ground.task.task.instruction
    if mentions(instruction, value) or occurs(known, plain(value)):
        return True
    moment = as_moment(value)
    if moment is not None:
        return _tells_moment(instruction, known, moment, ground.task.task.start.date())
    if as_number(value) is not None:
        return False
    text = str(value)
    if "@" in text:
        people = [person for person in (*COLLEAGUES, *CONTACTS) if person.email == text]
        return any(mentions(instruction, person.name.split()[0]) for person in people) or text in ground.seen.columns
    return text in ground.seen.columns


def _tells_moment(instruction: str, known: str, moment: date | datetime, start: date) -> bool:
    day = moment.date() if isinstance(moment, datetime) else moment
    words = {start: "today", start + timedelta(days=1): "tomorrow"}.get(day, DAYS[day.weekday()])
    told = (
        mentions(instruction, day.isoformat())
        or occurs(known, day.isoformat())
        or re.search(rf"\b{words}\b", instruction, re.IGNORECASE) is not None
        or _SPAN.search(instruction) is not None
    )
    if not told or not isinstance(moment, datetime) or (moment.hour, moment.minute) == (0, 0):
        return told
    return _says_time(instruction, f"{moment:%H:%M}") or f"{moment:%H:%M}" in known


def _says_time(instruction: str, clock: str) -> bool:
    moment = datetime.strptime(clock, "%H:%M")
    if mentions_time(instruction, moment):
        return True
    names = [f"{_HOURS[moment.hour % 12]}"] + ["noon", "midday"] * (moment.hour == 12)
    return moment.minute == 0 and any(re.search(rf"\b{name}\b", instruction, re.IGNORECASE) for name in names)


def _composed(template: Any) -> Iterator[str]:
    """The fixed characters of texts that compose a value, such as ``{day}T09:00:00Z``."""
    if isinstance(template, Mapping):
        if isinstance(template.get("$text"), str) and not is_free(template["$text"]):
            yield template["$text"]
        for name, item in template.items():
            if name != "$text":
                yield from _composed(item)
    elif isinstance(template, list):
        for item in template:
            yield from _composed(item)
