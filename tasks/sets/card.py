"""The card of a set: what is in it, counted, for people and as one object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.document import Task
from tasks.sets.document import TaskSet, composition_of, family_of, tools_of
from tasks.sets.yields import rejected_by_stage, rejections

_MOST_TOOLS = 20


def figures(found: TaskSet) -> dict[str, Any]:
    """The numbers of a set, small enough for one line."""
    tasks = found.tasks
    return {
        "set": found.name,
        "wanted": found.wanted,
        "admitted": len(tasks),
        "candidates": found.drafts,
        "compositions": len({composition_of(task.services) for task in tasks}),
        "services": len({name for task in tasks for name in task.services}),
        "tools": len(tools_of(tasks)),
        "families": len({family_of(task) for task in tasks}),
        "areas": _counted(_area(task) for task in tasks),
        "K": _numbers(len(task.services) for task in tasks),
        "L": _numbers(len(task.walk) for task in tasks),
        "rejected": rejections(found),
        "seed": found.seed,
        "finished": found.finished,
        "checksum": found.checksum,
    }


def card(found: TaskSet) -> dict[str, Any]:
    """All distributions of a set: each a value and how many tasks (or criteria, or calls) have it."""
    tasks = found.tasks
    criteria = [item for task in tasks for item in task.criteria]
    return {
        **figures(found),
        "settings": dict(found.settings),
        "rejected_by_stage": dict(rejected_by_stage(found)),
        "splits": _counted(member.split or "none" for member in found.members),
        "distractors": _numbers(len(task.distractors) for task in tasks),
        "services_used": _counted(name for task in tasks for name in task.services),
        "tools_used": _counted_already(tools_of(tasks)),
        "families_used": _counted(family_of(task) for task in tasks),
        "criteria": _numbers(len(task.criteria) for task in tasks),
        "criteria_kinds": _counted(item.kind for item in criteria),
        "reference_calls": _numbers(len(task.reference.calls) for task in tasks),
        "facts": _numbers(len(task.counterfactuals) for task in tasks),
        "answers": _counted(answer_kind(task) for task in tasks),
        "instruction_words": _spread(len(task.instruction.split()) for task in tasks),
        "authors": _counted(task.origin.author if task.origin else "a person" for task in tasks),
    }


def answer_kind(task: Task) -> str:
    """What the agent is to say at the end: ``none``, ``free words``, ``one value``, ``several values``."""
    answer = task.reference.answer
    if answer is None:
        return "none"
    values = len(answer) - 1 if isinstance(answer, Mapping) else 0
    return ("free words", "one value")[values] if values < 2 else "several values"


def markdown(found: TaskSet) -> str:
    """The card as a page."""
    made = card(found)
    splits = made["splits"] if set(made["splits"]) != {"none"} else {}
    lines = [
        f"# Tasks: {found.name}",
        "",
        f"{made['admitted']} tasks over {made['compositions']} compositions of {made['services']} services, with"
        f" {made['tools']} tools and {made['families']} scenario families. Each has an instruction, an initial state, a"
        " reference solution that works, and criteria in SQL that judge the end.",
        "",
        "Read and run them with CompoWorld: `compoworld tasks import` and `compoworld rollout run`.",
        "",
        *_table("the set", {"seed": made["seed"], "SHA-256 of its tasks": f"`{made['checksum']}`", **splits}),
        *_table("services that a task needs (K)", made["K"]),
        *_table("visits of its walk (L)", made["L"]),
        *_table("distractors", made["distractors"]),
        *_table("areas", made["areas"]),
        *_table("calls of the reference solution", made["reference_calls"]),
        *_table("facts that must be found", made["facts"]),
        *_table("criteria of a task", made["criteria"]),
        *_table("kinds of criteria", made["criteria_kinds"]),
        *_table("what is answered at the end", made["answers"]),
        *_table("words of an instruction", made["instruction_words"]),
        *_table("services", made["services_used"]),
        *_table("families", made["families_used"]),
        *_table(f"tools (the {_MOST_TOOLS} most used)", dict(list(made["tools_used"].items())[:_MOST_TOOLS])),
    ]
    if made["rejected_by_stage"]:
        lines += _table(f"drafts that were rejected, of {made['candidates']}", made["rejected_by_stage"])
    return "\n".join(lines)


def _table(title: str, values: Mapping[str, Any]) -> list[str]:
    rows = [f"| {name} | {value} |" for name, value in values.items()]
    return [f"## {title[0].upper()}{title[1:]}", "", "| | |", "|---|---|", *rows, ""]


def _area(task: Task) -> str:
    return task.origin.area if task.origin else "by hand"


def _counted(values: Iterable[str]) -> dict[str, int]:
    return _counted_already(Counter(values))


def _counted_already(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _numbers(values: Iterable[int]) -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(values).items())}


def _spread(values: Iterable[int]) -> dict[str, int]:
    ordered = sorted(values)
    if not ordered:
        return {}
    return {"fewest": ordered[0], "median": ordered[len(ordered) // 2], "most": ordered[-1]}
