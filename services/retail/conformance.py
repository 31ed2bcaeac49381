"""Check the service against recordings of the real system that it stands for.

A folder of recordings has ``state.json`` (the initial state as a document) and ``transcripts.jsonl``, on each
line ``{"id", "calls", "final_changes"}``. A call is ``{"tool", "arguments", "result" or "error"}``, a change
``{"collection", "key", "after"}``. How a call is made is the caller's business: it passes one function that
calls a tool and one that gives the state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from engine.errors import InputError

Call: TypeAlias = Callable[[str, dict[str, Any]], dict[str, Any]]
"""``call(tool, arguments)`` gives ``{"ok": true, "data"}`` or ``{"ok": false, "error": {"message"}}``."""

Document: TypeAlias = Callable[[], dict[str, Any]]
"""Gives the whole state as it stands, in document form."""

FreshWorld: TypeAlias = Callable[[], AbstractContextManager[tuple[Call, Document]]]
"""Opens the service in the initial state, for one transcript."""

_ABSENT = "(absent)"


@dataclass(frozen=True)
class Mismatch:
    """One difference from the recording.

    Attributes:
        transcript: id of the transcript.
        call: number of the call from 1, or ``None`` for the final state.
        tool: name of the tool called.
        place: path of the differing value, such as ``$.items[0].price``.
    """

    transcript: str
    call: int | None
    tool: str | None
    place: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        where = "final state" if self.call is None else f"call {self.call} ({self.tool})"
        values = f"expected {_shown(self.expected)}, got {_shown(self.got)}"
        return f"{self.transcript}, {where}, {self.place}: {values}"


@dataclass(frozen=True)
class Cases:
    """The recordings of one folder."""

    state: dict[str, Any]
    transcripts: tuple[dict[str, Any], ...]


@dataclass
class Report:
    """What a run found."""

    transcripts: int = 0
    calls: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether something ran and everything agreed."""
        return self.transcripts > 0 and not self.mismatches


def read_cases(folder: Path) -> Cases:
    """Read the recordings of a folder.

    Raises:
        InputError: a file is missing or is not of the expected form.
    """
    try:
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        lines = (folder / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()
        transcripts = tuple(json.loads(line) for line in lines if line.strip())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the recordings in {folder}: {error}") from error
    for number, transcript in enumerate(transcripts, start=1):
        if not isinstance(transcript, dict) or not transcript.keys() >= {"id", "calls", "final_changes"}:
            raise InputError(f"line {number} of {folder / 'transcripts.jsonl'} is no transcript")
    return Cases(state, transcripts)


def run(cases: Cases, fresh: FreshWorld, *, key_order: bool = False) -> Report:
    """Run every transcript, each from the initial state."""
    report = Report()
    for transcript in cases.transcripts:
        with fresh() as (call, document):
            report.mismatches += run_transcript(transcript, cases.state, call, document, key_order=key_order)
        report.transcripts += 1
        report.calls += len(transcript["calls"])
    return report


def run_transcript(
    transcript: Mapping[str, Any],
    state: Mapping[str, Any],
    call: Call,
    document: Document,
    *,
    key_order: bool = False,
) -> list[Mismatch]:
    """Run one transcript and compare every answer and the whole final state.

    Args:
        state: the initial state, which ``call`` and ``document`` are in.
        key_order: whether keys of results must also come in the recorded order.
    """
    name = transcript["id"]
    found: list[Mismatch] = []
    for number, recorded in enumerate(transcript["calls"], start=1):
        tool = recorded["tool"]
        answer = call(tool, recorded["arguments"])
        differing = differences(_recorded_answer(recorded), _given_answer(answer), key_order=key_order)
        found += [Mismatch(name, number, tool, *difference) for difference in differing]
    wanted = expected_state(state, transcript["final_changes"])
    found += [Mismatch(name, None, None, *difference) for difference in state_differences(wanted, document())]
    return found


def expected_state(state: Mapping[str, Any], changes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The initial state with the recorded changes; an entry whose ``after`` is null is gone."""
    wanted = {name: dict(collection) for name, collection in state.items()}
    for change in changes:
        if change["after"] is None:
            wanted[change["collection"]].pop(change["key"], None)
        else:
            wanted[change["collection"]][change["key"]] = change["after"]
    return wanted


def state_differences(expected: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Where two whole states differ, as ``differences`` says it; quick where most entries are equal."""
    left, right = dict(expected), dict(got)
    for name in left.keys() & right.keys():
        one, other = left[name], right[name]
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            same = {key for key in one.keys() & other.keys() if _text(one[key]) == _text(other[key])}
            left[name] = {key: entry for key, entry in one.items() if key not in same}
            right[name] = {key: entry for key, entry in other.items() if key not in same}
    yield from differences(left, right)


def differences(
    expected: Any, got: Any, place: str = "$", *, key_order: bool = False
) -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ: (path, expected, got). 1 and 1.0 are one number, 1 and true are not."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        if key_order and list(expected) != list(got) and expected.keys() == got.keys():
            yield f"{place} (order of keys)", list(expected), list(got)
        for key in [*expected, *(key for key in got if key not in expected)]:
            inner = f"{place}.{key}" if key.isidentifier() else f"{place}[{json.dumps(key)}]"
            if key not in got or key not in expected:
                yield inner, expected.get(key, _ABSENT), got.get(key, _ABSENT)
            else:
                yield from differences(expected[key], got[key], inner, key_order=key_order)
    elif isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            yield f"{place} (length)", expected, got
            return
        for index, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from differences(one, other, f"{place}[{index}]", key_order=key_order)
    elif _kind(expected) is not _kind(got) or expected != got:
        yield place, expected, got


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kind(value: Any) -> type:
    return float if isinstance(value, int | float) and not isinstance(value, bool) else type(value)


def _recorded_answer(recorded: Mapping[str, Any]) -> dict[str, Any]:
    return {"error": recorded["error"]} if "error" in recorded else {"result": recorded["result"]}


def _given_answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {"result": answer["data"]} if answer["ok"] else {"error": answer["error"]["message"]}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 300 else f"{text[:300]}..."
