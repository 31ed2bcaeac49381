"""Two evaluations on the same tasks, compared task by task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from engine.errors import Refused
from rl.evaluation.estimates import Estimate, mean_estimate
from rl.evaluation.measures import PARTITIONS, criteria_of, kind_of, mean_of, parts_of, success_of
from rl.evaluation.paired import mcnemar_test, sign_flip_test
from rl.evaluation.results import KINDS, Counts, Results, RolloutResult, TaskResult
from rl.evaluation.store import Evaluation

_NAMED = 3
_Pair = tuple[TaskResult, TaskResult]
_EFFORT: dict[str, Callable[[RolloutResult], float]] = {
    "calls": lambda rollout: rollout.calls,
    "failed_calls": lambda rollout: rollout.failed_calls,
    "input_tokens": lambda rollout: rollout.tokens.input,
    "output_tokens": lambda rollout: rollout.tokens.output,
}


@dataclass(frozen=True)
class Difference:
    """One figure of both.

    Attributes:
        first, second: the means over the tasks.
        difference: second less first, with the interval of the mean of the tasks' differences.
        p_value: of no difference; only for ``success`` and ``criteria_passed``. The other figures are many: among so
            many tests some would come out by chance.
        test: what gave it.
    """

    name: str
    first: float
    second: float
    difference: Estimate
    p_value: float | None = None
    test: str | None = None


@dataclass(frozen=True)
class TaskPair:
    """One task in both: the share of scored rollouts that solved it, and the mean share of criteria that hold."""

    task: str
    first_success: float
    second_success: float
    first_criteria: float
    second_criteria: float


@dataclass(frozen=True)
class Comparison:
    """Two evaluations on the same tasks.

    Attributes:
        first_counts, second_counts: how much of each counts, of all its tasks.
        tasks: those with a scored rollout in both; all figures are over these.
        only_first, only_second: names of tasks that are in one of them.
        unscored: names of common tasks without a scored rollout in one of them.
        measures: ``success``, ``criteria_passed``, then kinds of criteria, calls and tokens.
        slices: differences of success, for each part of area, k and l.
    """

    first: Evaluation
    second: Evaluation
    first_counts: Counts
    second_counts: Counts
    tasks: list[TaskPair]
    only_first: list[str]
    only_second: list[str]
    unscored: list[str]
    measures: list[Difference]
    slices: dict[str, list[Difference]]


def compare(first: Results, second: Results, *, shared: bool = False) -> Comparison:
    """Compare two evaluations, task by task.

    Args:
        shared: compare the tasks that both have, where they have others, too.

    Raises:
        Refused: they are not on the same tasks, or have none in common that was scored in both.
    """
    ours, theirs = ({task.task_id: task for task in results.tasks} for results in (first, second))
    only_first = [task.name for number, task in ours.items() if number not in theirs]
    only_second = [task.name for number, task in theirs.items() if number not in ours]
    common = sorted(ours.keys() & theirs.keys())
    if (only_first or only_second) and not (shared and common):
        raise _other_tasks(first, second, only_first, only_second, len(common))
    pairs = [(ours[number], theirs[number]) for number in common]
    scored = [pair for pair in pairs if pair[0].rollouts and pair[1].rollouts]
    if not scored:
        raise Refused(
            f"no task has a scored rollout in both {first.evaluation.name!r} and {second.evaluation.name!r}",
            hint="run what is missing: compoworld eval run with the same name, and --retry-failed for what failed",
        )
    return Comparison(
        first=first.evaluation,
        second=second.evaluation,
        first_counts=first.counts,
        second_counts=second.counts,
        tasks=[
            TaskPair(one.name, success_of(one), success_of(two), criteria_of(one), criteria_of(two))
            for one, two in scored
        ],
        only_first=only_first,
        only_second=only_second,
        unscored=[one.name for one, two in pairs if not (one.rollouts and two.rollouts)],
        measures=list(_measures(scored)),
        slices={name: list(_slices(scored, name)) for name in ("area", "k", "l")},
    )


def in_common(first: Results, second: Results) -> tuple[Results, Results]:
    """Both, with only the tasks that have a scored rollout in each: what a comparison is over."""
    kept = {task.task_id for task in first.scored} & {task.task_id for task in second.scored}
    one, two = (
        replace(results, tasks=tuple(task for task in results.tasks if task.task_id in kept))
        for results in (first, second)
    )
    return one, two


def _other_tasks(
    first: Results, second: Results, only_first: list[str], only_second: list[str], common: int
) -> Refused:
    parts = [
        f"{len(names)} only in {results.evaluation.name} ({', '.join(names[:_NAMED])}{', …' * (len(names) > _NAMED)}"
        f"{'' if results.evaluation.finished else '; it is not finished'})"
        for results, names in ((first, only_first), (second, only_second))
        if names
    ]
    for results, names in ((first, only_second), (second, only_first)):
        if names and not results.evaluation.finished:
            parts.append(f"{results.evaluation.name} is not finished")
    again = sorted({*only_first} & {*only_second})
    if again:
        parts.append(f"{len(again)} of the same name but other content, such as {again[0]}")
    return Refused(
        f"the two are not on the same tasks: {'; '.join(parts)}",
        hint=f"--shared compares the {common} that both have" if common else "they have none in common",
    )


def _measures(pairs: Sequence[_Pair]) -> Iterator[Difference]:
    once = all(len(task.rollouts) == 1 for pair in pairs for task in pair)
    for name, of in (("success", success_of), ("criteria_passed", criteria_of)):
        values = [(of(one), of(two)) for one, two in pairs]
        if once and name == "success":
            p_value, test = mcnemar_test(values.count((1, 0)), values.count((0, 1))), "McNemar, exact"
        else:
            p_value, test = sign_flip_test([two - one for one, two in values]), "sign flips"
        yield replace(_difference(name, values), p_value=p_value, test=test)
    for kind in KINDS:
        shares = [(kind_of(one, kind), kind_of(two, kind)) for one, two in pairs]
        both = [(one, two) for one, two in shares if one is not None and two is not None]
        if both:
            yield _difference(kind, both)
    for name, part in _EFFORT.items():
        yield _difference(name, [(mean_of(one, part), mean_of(two, part)) for one, two in pairs])


def _slices(pairs: Sequence[_Pair], partition: str) -> Iterator[Difference]:
    seconds = {one.task_id: two for one, two in pairs}
    for name, tasks in parts_of([one for one, _ in pairs], PARTITIONS[partition]).items():
        yield _difference(name, [(success_of(task), success_of(seconds[task.task_id])) for task in tasks])


def _difference(name: str, values: Sequence[tuple[float, float]]) -> Difference:
    difference = mean_estimate([two - one for one, two in values], share=False)
    assert difference is not None
    return Difference(name, fmean(one for one, _ in values), fmean(two for _, two in values), difference)
