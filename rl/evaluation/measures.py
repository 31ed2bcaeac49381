"""The figures of an evaluation. Everything is a mean over tasks, each of the same weight, over its scored rollouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rl.evaluation.estimates import Estimate, mean_estimate, pass_at_k, pass_hat_k
from rl.evaluation.prices import PriceList
from rl.evaluation.results import KINDS, Results, RolloutResult, TaskResult
from rl.evaluation.store import Evaluation

BY_HAND = "(by hand)"
"""The area and the family of a task that no family told."""

PARTITIONS: Mapping[str, Callable[[TaskResult], str | int]] = {
    "area": lambda task: task.area or BY_HAND,
    "k": lambda task: task.k,
    "l": lambda task: task.l,
    "family": lambda task: task.family or BY_HAND,
}
"""By what tasks are told apart: business function, services that are needed, visits of the walk, scenario family."""


@dataclass(frozen=True)
class Slice:
    """The figures of some of the tasks."""

    name: str
    success: Estimate
    criteria_passed: Estimate


@dataclass(frozen=True)
class KindOfCriteria:
    """How criteria of one kind fare, over the tasks that have some."""

    kind: str
    passed: Estimate


@dataclass(frozen=True)
class Attempts:
    """The chance to solve a task in k attempts: at least once, and every time; over tasks with k scored rollouts."""

    k: int
    any: Estimate
    all: Estimate


@dataclass(frozen=True)
class Effort:
    """What a rollout takes, on average.

    Attributes:
        calls: of tools; ``failed_calls`` of them did not give what was asked for.
        malformed: what the agent wrote that is no call; ``None`` where it is not known of every rollout.
        cost_usd: of one rollout; this and the next two ``None`` where a price is not known, or nothing was to be paid.
        cost_in_all: of all scored rollouts.
        cost_of_success: of all scored rollouts, for each that solved its task; ``None`` where none did.
    """

    calls: Estimate
    failed_calls: Estimate
    malformed: Estimate | None
    input_tokens: Estimate
    output_tokens: Estimate
    cached_tokens: Estimate
    seconds: Estimate
    cost_usd: Estimate | None
    cost_in_all: float | None
    cost_of_success: float | None


@dataclass(frozen=True)
class Summary:
    """The figures of an evaluation.

    Attributes:
        tasks: with a scored rollout; all figures are over these.
        unscored: names of tasks that were begun and have none.
        scored, failed, missing: rollouts that were judged, that the infrastructure failed, that have not ended yet.
            Only the first count.
        success, criteria_passed: ``None`` where nothing was scored, like ``effort``.
        slices: for each of ``PARTITIONS``, the figures of its parts.
        stop_reasons: why scored rollouts ended, and how many.
        criterion_errors: how often the SQL of a criterion erred, which counts as not passed.
    """

    evaluation: Evaluation
    tasks: int
    unscored: list[str]
    scored: int
    failed: int
    missing: int
    success: Estimate | None
    criteria_passed: Estimate | None
    kinds: list[KindOfCriteria]
    slices: dict[str, list[Slice]]
    attempts: list[Attempts]
    effort: Effort | None
    stop_reasons: dict[str, int]
    criterion_errors: int


def summarise(results: Results, prices: PriceList | None = None) -> Summary:
    """The figures of an evaluation, with 95 % confidence intervals."""
    tasks, evaluation = results.scored, results.evaluation
    rollouts = [rollout for task in tasks for rollout in task.rollouts]
    counts = results.counts
    return Summary(
        evaluation=evaluation,
        tasks=len(tasks),
        unscored=counts.unscored,
        scored=counts.scored,
        failed=counts.failed,
        missing=counts.missing,
        success=mean_estimate([success_of(task) for task in tasks]),
        criteria_passed=mean_estimate([criteria_of(task) for task in tasks]),
        kinds=list(_kinds(tasks)),
        slices={name: list(_slices(tasks, part_of)) for name, part_of in PARTITIONS.items()},
        attempts=list(_attempts(tasks, evaluation.n)),
        effort=_effort(tasks, prices or PriceList()) if tasks else None,
        stop_reasons=dict(Counter(rollout.stop_reason for rollout in rollouts).most_common()),
        criterion_errors=sum(criterion.errors for criterion in results.criteria),
    )


def success_of(task: TaskResult) -> float:
    """The share of a task's scored rollouts that solved it."""
    return task.solved / len(task.rollouts)


def criteria_of(task: TaskResult) -> float:
    """The mean share of its criteria that hold, over a task's scored rollouts."""
    return fmean(rollout.passed / rollout.criteria for rollout in task.rollouts)


def kind_of(task: TaskResult, kind: str) -> float | None:
    """The share of a task's criteria of one kind that hold, over its scored rollouts; ``None`` where it has none."""
    parts = [rollout.kinds[kind] for rollout in task.rollouts if kind in rollout.kinds]
    return sum(passed for passed, _ in parts) / sum(count for _, count in parts) if parts else None


def mean_of(task: TaskResult, part: Callable[[RolloutResult], float]) -> float:
    """The mean of something over a task's scored rollouts."""
    return fmean(part(rollout) for rollout in task.rollouts)


def parts_of(tasks: Iterable[TaskResult], part_of: Callable[[TaskResult], str | int]) -> dict[str, list[TaskResult]]:
    """The tasks by their part, in the order of the parts."""
    found: dict[str | int, list[TaskResult]] = {}
    for task in tasks:
        found.setdefault(part_of(task), []).append(task)
    return {str(name): found[name] for name in sorted(found, key=lambda name: (isinstance(name, str), name))}


def _slices(tasks: Sequence[TaskResult], part_of: Callable[[TaskResult], str | int]) -> Iterator[Slice]:
    for name, some in parts_of(tasks, part_of).items():
        success, criteria = (mean_estimate([of(task) for task in some]) for of in (success_of, criteria_of))
        assert success is not None and criteria is not None
        yield Slice(name, success, criteria)


def _kinds(tasks: Sequence[TaskResult]) -> Iterator[KindOfCriteria]:
    for kind in KINDS:
        passed = mean_estimate([share for task in tasks if (share := kind_of(task, kind)) is not None])
        if passed is not None:
            yield KindOfCriteria(kind, passed)


def _attempts(tasks: Sequence[TaskResult], n: int) -> Iterator[Attempts]:
    powers = [2**power for power in range(n.bit_length())]
    for k in sorted({*powers, n}):
        counts = [(len(task.rollouts), task.solved) for task in tasks if len(task.rollouts) >= k]
        once = mean_estimate([pass_at_k(*count, k) for count in counts])
        always = mean_estimate([pass_hat_k(*count, k) for count in counts])
        if once is not None and always is not None:
            yield Attempts(k, once, always)


def _effort(tasks: Sequence[TaskResult], prices: PriceList) -> Effort:
    def mean(part: Callable[[RolloutResult], float]) -> Estimate:
        found = mean_estimate([mean_of(task, part) for task in tasks], share=False)
        assert found is not None
        return found

    rollouts = [rollout for task in tasks for rollout in task.rollouts]
    costs = {rollout.rollout: _cost(rollout, prices) for rollout in rollouts}
    known = [cost for cost in costs.values() if cost is not None]
    paid = len(known) == len(costs) and any(rollout.tokens.input for rollout in rollouts)
    solved = sum(rollout.solved for rollout in rollouts)
    told = all(rollout.malformed is not None for rollout in rollouts)
    return Effort(
        calls=mean(lambda rollout: rollout.calls),
        failed_calls=mean(lambda rollout: rollout.failed_calls),
        malformed=mean(lambda rollout: rollout.malformed or 0) if told else None,
        input_tokens=mean(lambda rollout: rollout.tokens.input),
        output_tokens=mean(lambda rollout: rollout.tokens.output),
        cached_tokens=mean(lambda rollout: rollout.tokens.cached),
        seconds=mean(lambda rollout: rollout.seconds),
        cost_usd=mean(lambda rollout: costs[rollout.rollout] or 0.0) if paid else None,
        cost_in_all=sum(known) if paid else None,
        cost_of_success=sum(known) / solved if paid and solved else None,
    )


def _cost(rollout: RolloutResult, prices: PriceList) -> float | None:
    found = prices.of(rollout.model)
    return None if found is None else found.cost(rollout.tokens)
