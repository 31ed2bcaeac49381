"""Laws that hold for every tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jsonschema_rs

from synth.attack.laws import Finding, Seen, brief, law, told
from synth.attack.shapes import at, same


@law("no_fault", "A call never ends in a failure of the service, whatever its arguments.")
def _no_fault(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    result = seen[-1].result
    if result.outcome in ("fault", "unknown"):
        return Finding("an answer", f"{result.outcome}: {brief((result.detail or '').strip()[-600:], 700)}")
    return None


@law("refusal_changes_nothing", "A call that is refused changes nothing.")
def _refusal_changes_nothing(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if not last.result.ok and (last.result.changes or last.before != last.after):
        return Finding("no change of state", f"{told(last.result)}, and {last.result.changes} rows changed")
    return None


@law("read_changes_nothing", "A tool that reads changes nothing.")
def _read_changes_nothing(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.changes or (last.before != last.after):
        return Finding("no change of state", f"{last.result.changes} rows changed")
    return None


@law("invalid_refused", "Arguments that the schema does not allow are refused, and nothing changes.")
def _invalid_refused(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.outcome not in ("invalid", "error") or last.result.changes or last.before != last.after:
        return Finding(f"a refusal without any change ({about.get('defect')})", told(last.result))
    return None


@law("required_needed", "An argument that the schema requires is required.")
def _required_needed(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.outcome not in ("invalid", "error") or last.result.changes:
        return Finding(f"a refusal ({about.get('defect')})", told(last.result))
    return None


@law("repeatable", "The same call on the same state gives the same result and the same state.")
def _repeatable(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.again is None:
        return None
    if last.again.observation != last.result.observation:
        return Finding(told(last.again), told(last.result))
    if last.after is not None and last.again_after is not None and last.after != last.again_after:
        return Finding("the same state after the same call on the same state", "two different states")
    return None


@law("answer_conforms", "A result is of the output schema, where there is one.")
def _answer_conforms(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if not last.result.ok:
        return None
    try:
        jsonschema_rs.validate(about["schema"], last.data)
    except jsonschema_rs.ValidationError as error:
        return Finding("a result of the output schema", error.message[:300])
    except ValueError:
        return None  # the output schema itself is none
    return None


@law("unknown_refused", "A call on a thing that does not exist is refused.")
def _unknown_refused(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.ok:
        return Finding(f"a refusal: there is no {about.get('noun')} {about.get('value')!r}", told(last.result))
    return None


@law("stated_refusal", "What the description says is refused in a state is refused in that state.")
def _stated_refusal(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.ok:
        return Finding(f"a refusal: {about.get('sentence')}", told(last.result))
    return None


@law("promise_kept", "What the specification promises of a sequence of calls comes true.")
def _promise_kept(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    for number, (item, expected) in enumerate(zip(seen, about["expect"], strict=True)):
        if item.result.outcome == "fault":
            return Finding("an answer", f"step {number}: {told(item.result)}")
        wanted = expected["outcome"]
        if wanted != "any" and (wanted == "ok") != item.result.ok:
            return Finding(f"step {number} is {wanted}: {brief(expected['passage'])}", told(item.result))
        for part in expected["shows"] if item.result.ok else ():
            try:
                value, found = resolved(part["equals"], seen), at(item.data, part["path"])
            except KeyError:
                continue  # the model does not know the form of results
            if not same(value, found):
                place = ".".join(map(str, part["path"]))
                return Finding(
                    f"step {number} shows {place} {brief(value)}: {brief(expected['passage'])}", brief(found)
                )
    return None


def resolved(value: Any, seen: Sequence[Seen]) -> Any:
    """A value with ``{"$from": [step, *path]}`` replaced by what that step gave.

    Raises:
        KeyError: there is no such step, or it gave nothing there (a cursor behind the last page).
    """
    if isinstance(value, dict):
        if value.keys() == {"$from"} and isinstance(value["$from"], list) and value["$from"]:
            place, *path = value["$from"]
            if not isinstance(place, int) or not 0 <= place < len(seen):
                raise KeyError(place)
            found = at(seen[place].data, path)
            if found is None:
                raise KeyError(place)
            return found
        return {name: resolved(item, seen) for name, item in value.items()}
    if isinstance(value, list):
        return [resolved(item, seen) for item in value]
    return value
