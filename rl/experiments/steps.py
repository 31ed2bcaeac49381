"""Steps of experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rl.experiments.config import TaskSource, WithModel
from rl.experiments.lab import Lab
from rl.experiments.lineage import Seen, seen_by
from rl.training.history import Outcome
from tasks.sets import TaskSet
from tasks.sets.document import composition_of

MadeKind = Literal["sets", "collections", "evaluations", "runs"]


@dataclass(frozen=True)
class Step:
    """One step: what it makes has a name in the database, so that it goes on where it was left.

    Attributes:
        run: makes it; what came of it, in words.
        makes: what that is, and how it is called after the experiment's name; ``None`` where nothing is made.
    """

    name: str
    run: Callable[[Lab], str]
    makes: tuple[MadeKind, str] | None = None


def tasks_step(
    source: TaskSource,
    called: str,
    config: WithModel,
    step: str = "tasks",
    *,
    families: Sequence[str] = (),
    within: Callable[[Lab], Collection[str] | None] = lambda lab: None,
) -> Step:
    """The tasks of a source. What the arms begin with is looked at first: it has to be there, and is not tested on what
    it knows.

    Args:
        families: the stories that are told.
        within: gives the only services of all parts.
    """

    def run(lab: Lab) -> str:
        seen = seen_by(lab.world, config.begins_with)
        found = lab.tasks(source, called, config.jobs, families=families, within=within(lab), seen=seen.compositions)
        return "; ".join([_parts(found), *(_seen(config.begins_with, seen) if source.test is not None else ())])

    makes: tuple[MadeKind, str] | None = ("sets", called) if source.set is None else None
    return Step(step, run, makes)


def references_step(
    source: TaskSource, called: str, config: WithModel, wanted: int, step: str = "trajectories"
) -> Step:
    """Reference trajectories of the training part of a source; they are called like the set, and that."""
    return Step(
        step,
        lambda lab: lab.references(lab.set_of(source, called), references_of(called), config, wanted),
        ("collections", references_of(called)),
    )


def own(called: str) -> Callable[[Lab], str]:
    """The whole name of something of the experiment."""
    return lambda lab: lab.named(called)


def references_of(called: str) -> str:
    """What the collection of a set's reference trajectories is called."""
    return f"{called}-references"


def tuned_step(called: str, config: WithModel, tasks: str, trajectories: int) -> Step:
    """A policy, from reference trajectories.

    Args:
        tasks: what the set is called.
    """
    return Step(
        f"train {called}",
        lambda lab: outcome_words(lab.tuned(called, config, references_of(tasks), trajectories)),
        ("runs", called),
    )


def tested_step(arm: str, policy: Callable[[Lab], str], config: WithModel, task_set: Callable[[Lab], str]) -> Step:
    """An arm's policy on the test.

    Args:
        policy: gives what names its weights; ``task_set`` the name of the set.
    """

    def run(lab: Lab) -> str:
        found = lab.tested(evaluation_of(arm), policy(lab), task_set(lab), config.test)
        assert found.success is not None and found.criteria_passed is not None
        failed = f", {found.failed} failed" if found.failed else ""
        return (
            f"{found.scored} rollouts{failed}: success {found.success:.1%}, criteria passed {found.criteria_passed:.1%}"
        )

    return Step(f"test {arm}", run, ("evaluations", evaluation_of(arm)))


def evaluation_of(arm: str) -> str:
    """What the evaluation of an arm is called."""
    return f"test-{arm}"


def outcome_words(done: Outcome) -> str:
    """What came of a run of training."""
    return f"{done.policy}, {done.run.step} steps"


def _seen(name: str, seen: Seen) -> Iterator[str]:
    if seen.compositions:
        yield f"not tested on {len(seen.compositions)} compositions that {name} was trained on"
    if not seen.complete:
        yield f"{'what else' if seen.compositions else 'what'} {name} was trained on is not known"


def _parts(found: TaskSet) -> str:
    parts: dict[str, list[tuple[str, ...]]] = {}
    for member in found.members:
        if member.split is not None:
            parts.setdefault(member.split, []).append(composition_of(member.task.services))
    told = [f"{name} {len(items)} over {len(Counter(items))} compositions" for name, items in sorted(parts.items())]
    return f"{found.name}: {'; '.join(reversed(told))}"
