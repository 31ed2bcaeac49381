"""Harmless ways of an agent that talks and reads: more words, two messages for one, something marked as read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from engine.branches import Branch
from tasks.admission.arguments import is_free, replaced
from tasks.admission.ground import Ground, Step
from tasks.admission.occurrences import MONTHS, plain
from tasks.document import ReferenceCall
from tasks.parts import Path
from tasks.templates import PLACEHOLDER

MESSAGE = re.compile("message|comment|reply")
"""Tables whose rows are what somebody says to somebody."""

_MINUTES = (14, 17, 19, 23, 26)
_MARKED = 4
"""Records that are tried until one could be marked as read."""


def messages(ground: Ground) -> list[int]:
    """The calls of the reference (from 0) that say something to somebody."""
    return [
        number
        for number in ground.writes
        if any(change.op == "insert" and MESSAGE.search(change.table) for change in ground.events[number].changes)
    ]


def with_more_words(ground: Ground) -> tuple[list[Step], int, Any]:
    """What is said has a sentence more, with a day and a number: the calls, from which on, and the answer."""
    said = messages(ground)
    sentence = _harmless(ground)
    start = said[0] if said else len(ground.calls)
    steps = [
        Step(_changed(call, lambda text: f"{text} {sentence}") if number in said else call)
        for number, call in enumerate(ground.calls)
        if number >= start
    ]
    answer = ground.task.task.reference.answer
    if isinstance(answer, Mapping) and isinstance(answer.get("$text"), str):
        answer = {**answer, "$text": f"{answer['$text']} {sentence}"}
    elif isinstance(answer, str):
        answer = f"{answer} {sentence}"
    return steps, start, answer


def _harmless(ground: Ground) -> str:
    day = ground.task.task.start
    minutes = next((item for item in _MINUTES if plain(item) not in ground.seen.columns), _MINUTES[0])
    return f"I looked at this on {day.day} {MONTHS[day.month - 1]} {day.year}; it took me {minutes} minutes."


def in_two_parts(ground: Ground) -> tuple[list[Step], int] | None:
    """One message that gives several values is two; the calls, and from which on. ``None`` where there is none."""
    for number in messages(ground):
        call = ground.calls[number]
        names = [name for _, text in _texts(call.arguments) for name in PLACEHOLDER.findall(text)]
        if len(names) < 2:
            continue
        first = _changed(call, partial(_giving, names[: len(names) // 2]))
        second = _changed(call, partial(_giving, names[len(names) // 2 :]))
        more = Step(second.model_copy(update={"save": None}))
        return [Step(first), more, *ground.rest(number + 1)], number
    return None


def marked_read(ground: Ground) -> Iterator[tuple[str, Branch]]:
    """Of each service in which that can be said, its name and the end of the reference with a message marked read."""
    for service in ground.task.services:
        tool = ground.task.composition.services[service].offered(False).get("mark_read")
        required = tool.specification.required if tool else ()
        if tool is None or len(required) != 1:
            continue
        name = required[0]
        rows = ground.s0.get(f"{service}_{name.partition('_')[0]}", {})
        draw = ground.random(f"marked {service}")
        unread = sorted(key for key, row in rows.items() if row.get("is_read") is False) or sorted(rows)
        listed = tool.specification.input_schema["properties"][name].get("type") == "array"
        branch = ground.after(len(ground.calls))
        for key in draw.sample(unread, min(_MARKED, len(unread))):
            result = branch.call(service, "mark_read", {name: [key] if listed else key})
            if result.ok and result.changes:
                yield service, branch
                break


def _changed(call: ReferenceCall, change: Callable[[str], str]) -> ReferenceCall:
    """The call with each free text otherwise that gives values, or where none does, with the longest otherwise."""
    found = list(_texts(call.arguments))
    told = [(path, text) for path, text in found if PLACEHOLDER.search(text)] or found
    arguments: Any = call.arguments
    for path, text in sorted(told, key=lambda item: -len(item[1]))[:1]:
        arguments = replaced(arguments, (*path, "$text"), change(text))
    return call.model_copy(update={"arguments": arguments})


def _texts(template: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The free texts in arguments, and where they stand."""
    if isinstance(template, Mapping):
        if isinstance(template.get("$text"), str) and is_free(template["$text"]):
            yield path, template["$text"]
        elif "$from" not in template and "$calc" not in template:
            for name, item in template.items():
                yield from _texts(item, (*path, name))
    elif isinstance(template, list):
        for number, item in enumerate(template):
            yield from _texts(item, (*path, number))


def _giving(names: Collection[str], text: str) -> str:
    """Words of a message that gives only some of its values."""
    told = " and ".join(f"{{{name}}}" for name in PLACEHOLDER.findall(text) if name in names)
    return f"On this: {told}." if told else "More on this follows."
