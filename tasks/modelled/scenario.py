"""The scenario as it is designed, and the task that comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pydantic import ValidationError

from engine.compositions import Composition
from engine.errors import EntityInvalid
from engine.kit import Entity
from engine.kit.values import canonical_json
from engine.snapshots import Snapshot
from synth.dialogue.tools import problems
from tasks.document import InitialState, Task
from tasks.initial import drafted_rows
from tasks.modelled.commission import Commission
from tasks.modelled.probe import Probe
from tasks.modelled.tools import Changes, Criterion, Design, Point

MOST_ROWS = 400
_SHOWN = 12


class DesignRefused(Exception):
    """Something designed does not hold; the message says what, where and how to mend it."""


@dataclass(frozen=True)
class Scenario:
    """What is designed so far; ``None`` where nothing is said yet."""

    name: str | None = None
    title: str | None = None
    family: str | None = None
    area: str | None = None
    scenario: str | None = None
    instruction: str | None = None
    s0: Changes = field(default_factory=Changes)
    rubric: list[Point] | None = None

    def with_(self, design: Design) -> Scenario:
        """With what a design says."""
        said = {item.name: getattr(design, item.name) for item in fields(self)}
        return replace(self, **{name: value for name, value in said.items() if value is not None})

    def missing(self) -> list[str]:
        """What is not said yet."""
        return [item.name for item in fields(self) if getattr(self, item.name) is None]


def state_of(changes: Changes, seed: int) -> InitialState:
    """Changes as a task has them."""
    return InitialState(seed=seed, delete=changes.delete, update=changes.update, insert=changes.insert)


def frozen(
    composition: Composition, seed: int, s0: Changes, change: Changes | None = None, *, name: str
) -> tuple[Snapshot, list[Entity]]:
    """The initial state as a snapshot, and its rows.

    Args:
        change: applied after ``s0`` (a counterfactual).
        name: of the snapshot, if there is none with these rows yet.

    Raises:
        DesignRefused: rows, keys or fields do not fit; everything that is wrong is named.
    """
    if (count := _size(s0) + _size(change or Changes())) > MOST_ROWS:
        raise DesignRefused(f"{count} rows are changed; at most {MOST_ROWS} can be")
    further = state_of(change, seed) if change is not None else None
    rows, wrong = drafted_rows(composition, state_of(s0, seed), further)
    if wrong:
        shown = [f"- {error.shown_place}: {error.problem}" + _hint(error.hint) for error in wrong[:_SHOWN]]
        more = [f"and {len(wrong) - _SHOWN} more"] if len(wrong) > _SHOWN else []
        raise DesignRefused("\n".join([f"{len(wrong)} changes do not fit:", *shown, *more]))
    try:
        return composition.snapshot(rows, name=name), rows
    except EntityInvalid as error:
        raise DesignRefused(f"the rows of s0 do not fit together: {error}") from None


def task_of(
    commission: Commission,
    scenario: Scenario,
    probe: Probe,
    criteria: Iterable[Criterion],
    counterfactuals: Mapping[str, Changes],
    model: str,
) -> Task:
    """The task as it is submitted.

    Raises:
        DesignRefused: it is none.
    """
    document: dict[str, Any] = {
        "name": scenario.name,
        "title": scenario.title,
        "instruction": scenario.instruction,
        "services": list(commission.services),
        "distractors": list(commission.distractors),
        "s0": _plain(scenario.s0, commission.seed),
        "walk": list(commission.walk),
        "reference": {"calls": [call.model_dump() for call in probe.calls], "answer": probe.answer},
        "criteria": [item.model_dump() for item in criteria],
        "counterfactuals": [
            {"fact": fact, "change": _plain(change, commission.seed)} for fact, change in counterfactuals.items()
        ],
        "origin": {
            "author": "model",
            "family": scenario.family,
            "area": scenario.area,
            "seed": commission.seed,
            "model": model,
        },
    }
    try:
        task = Task.model_validate_json(canonical_json(document), strict=True)
        task.document()
    except ValidationError as error:
        raise DesignRefused(problems(error)) from None
    except ValueError as error:
        raise DesignRefused(str(error)) from None
    return task


def _plain(changes: Changes, seed: int) -> dict[str, Any]:
    return {"seed": seed, **changes.model_dump()}


def _size(changes: Changes) -> int:
    parts: tuple[Mapping[str, Any], ...] = (changes.delete, changes.update, changes.insert)
    return sum(len(rows) for part in parts for rows in part.values())


def _hint(hint: str | None) -> str:
    return f" ({hint})" if hint else ""
