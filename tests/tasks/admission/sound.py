"""A sound task over the toys, and ways to spoil it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tasks.document import Counterfactual, CriterionText, InitialState, Reference, Task
from tasks.files import read_task


def sound() -> Task:
    """The task in ``sound.yaml``, which the gate admits."""
    return read_task(Path(__file__).with_name("sound.yaml"))


def spoilt(task: Task | None = None, **changes: Any) -> Task:
    """The sound task with fields otherwise; validated as it would be in a file."""
    task = task or sound()
    return Task.model_validate_json(
        task.model_copy(update={"name": "planted", **changes}).model_dump_json(), strict=True
    )


def told(old: str, new: str) -> Task:
    """With other words in the instruction."""
    instruction = sound().instruction
    assert old in instruction
    return spoilt(instruction=instruction.replace(old, new))


def judged(name: str, sql: str) -> Task:
    """With another SQL for one criterion."""
    criteria = [item.model_copy(update={"sql": sql}) if item.name == name else item for item in sound().criteria]
    assert criteria != sound().criteria
    return spoilt(criteria=criteria)


def judged_too(name: str, kind: Any, sql: str) -> Task:
    """With one criterion more."""
    return spoilt(criteria=[*sound().criteria, CriterionText(name=name, kind=kind, description="Planted.", sql=sql)])


def called(number: int, answer: Any = None, **changes: Any) -> Task:
    """With a call of the reference otherwise, and perhaps another answer."""
    reference = sound().reference
    calls = [call.model_copy(update=changes) if place == number else call for place, call in enumerate(reference.calls)]
    return spoilt(reference=Reference.model_construct(calls=calls, answer=answer or reference.answer))


def with_facts(*changes: dict[str, Any]) -> Task:
    """With other counterfactuals, each an update of rows of notes."""
    return spoilt(
        counterfactuals=[
            Counterfactual(fact=f"fact-{number}", change=InitialState(update={"notes_note": change}))
            for number, change in enumerate(changes)
        ]
    )
