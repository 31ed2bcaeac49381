"""Replay: make a branch's calls again from its base and compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine._requests import repeated
from engine.errors import Refused
from engine.events import Event, RowChange
from engine.kit.values import canonical_json

if TYPE_CHECKING:
    from engine.branches import Branch

_AT_ONCE = 50
"""Calls of a replay that share a transaction."""


@dataclass(frozen=True)
class Mismatch:
    """The first difference between the recorded run and its replay.

    Attributes:
        event: number of the event.
        place: what differs: ``outcome``, ``observation.<path>``, or ``row_change``.
        table: for a row change, with ``key`` and ``column`` (``None``: the row is there on one side only).
        recorded: the value in the log.
        replayed: the value now.
    """

    event: int
    call: str
    place: str
    recorded: Any
    replayed: Any
    table: str | None = None
    key: str | None = None
    column: str | None = None


@dataclass(frozen=True)
class ReplayReport:
    """What a replay found.

    Attributes:
        branch: the branch that was replayed.
        replayed_on: the fresh branch.
        events: how many calls were made again.
        mismatch: the first difference; ``None`` when all is the same.
    """

    branch: int
    replayed_on: int
    events: int
    mismatch: Mismatch | None

    @property
    def same(self) -> bool:
        """Whether everything was the same."""
        return self.mismatch is None


def replay(branch: Branch) -> ReplayReport:
    """Make the calls of a branch again on a fresh fork of its base; stop at the first event that differs.

    A recorded fault is compared by its outcome only: what broke may break differently. What a world
    model answered is taken from the log, rows and observation, never asked for again.

    Raises:
        NotFound: the branch is gone.
        Refused: somebody deleted from its log.
    """
    head, recorded = branch.head(), branch.events()
    if len(recorded) < head:
        raise Refused(f"the log of branch {branch.id} has {len(recorded)} of {head} events")
    fresh = branch.snapshot.fork(label=f"replay of {branch.id}")
    requests = [repeated(branch.composition.services, event) for event in recorded]
    calls = branch.composition.world.calls
    for start in range(0, len(requests), _AT_ONCE):
        calls.call_all(fresh.id, branch.snapshot.person, requests[start : start + _AT_ONCE])
    mismatch = next(
        (found for old, new in zip(recorded, fresh.events(), strict=True) if (found := _compare(old, new)) is not None),
        None,
    )
    return ReplayReport(branch.id, fresh.id, len(recorded), mismatch)


def _compare(old: Event, new: Event) -> Mismatch | None:
    call = f"{old.service}.{old.tool}"
    if old.outcome != new.outcome:
        return Mismatch(old.seq, call, "outcome", old.outcome, new.outcome)
    if old.outcome == "fault":
        return None
    found = first_difference(old.observation, new.observation)
    if found is not None:
        path, a, b = found
        return Mismatch(old.seq, call, f"observation{path}", a, b)
    return _compare_changes(old.seq, call, old.changes, new.changes)


def _compare_changes(seq: int, call: str, old: tuple[RowChange, ...], new: tuple[RowChange, ...]) -> Mismatch | None:
    before = {(item.table, item.key, place): item for place, item in _numbered(old)}
    after = {(item.table, item.key, place): item for place, item in _numbered(new)}
    for where in sorted(before.keys() | after.keys()):
        a, b = before.get(where), after.get(where)
        table, key, _ = where
        if a is None or b is None:
            return Mismatch(seq, call, "row_change", a and a.after, b and b.after, table, key)
        if a.op != b.op:
            return Mismatch(seq, call, "row_change", a.op, b.op, table, key)
        for side in ("before", "after"):
            x, y = getattr(a, side) or {}, getattr(b, side) or {}
            for column in sorted(x.keys() | y.keys()):
                if canonical_json(x.get(column)) != canonical_json(y.get(column)):
                    return Mismatch(seq, call, "row_change", x.get(column), y.get(column), table, key, column)
    return None


def _numbered(changes: tuple[RowChange, ...]) -> list[tuple[int, RowChange]]:
    """Each change with its number among those of the same row."""
    seen: dict[tuple[str, str], int] = {}
    numbered = []
    for item in changes:
        where = (item.table, item.key)
        seen[where] = seen.get(where, 0) + 1
        numbered.append((seen[where], item))
    return numbered


def first_difference(a: Any, b: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The first place at which two JSON values differ (by sorted keys), with both values; ``None`` if equal."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted(a.keys() | b.keys()):
            if name not in a or name not in b:
                return f"{path}.{name}", a.get(name), b.get(name)
            found = first_difference(a[name], b[name], f"{path}.{name}")
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for index, (x, y) in enumerate(zip(a, b, strict=False)):
            found = first_difference(x, y, f"{path}[{index}]")
            if found:
                return found
        return None if len(a) == len(b) else (f"{path}.length", len(a), len(b))
    return None if canonical_json(a) == canonical_json(b) else (path, a, b)
