"""What was found, as tables: the same on a terminal and in a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rl.evaluation.wording import amount, p_value, percent, points, signed
from rl.experiments.analytic import SAMPLED, SHARE, SIGNAL
from rl.experiments.measures import CALLS, CRITERIA, MALFORMED, SUCCESS, TRAINED
from rl.experiments.rewarding import NO_SIGNAL, TRAINED_CRITERIA, TRAINED_SUCCESS
from rl.experiments.store import Result

TITLES = {
    SUCCESS: "success",
    CRITERIA: "criteria passed",
    MALFORMED: "malformed turns of a rollout",
    CALLS: "calls of a rollout",
}
"""What measures are called."""

_SHOWN_RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class Table:
    """A table; the first column is of words, the others of numbers."""

    title: str
    columns: Sequence[str]
    rows: list[list[str]]


def tables_of(kind: str, results: Sequence[Result]) -> list[Table]:
    """The tables of an experiment, without those that would be empty."""
    found = (
        [*_solvable(results)]
        if kind == "rewards-solvable"
        else [*_arms(results), *_trained(results), *_training(results)]
    )
    return [table for table in found if table.rows]


def _arms(results: Sequence[Result]) -> Iterator[Table]:
    """A table for each measure: each arm, then the differences."""
    for measure, title in TITLES.items():
        rows = [item for item in results if item.measure == measure]
        count = measure in (MALFORMED, CALLS)
        yield Table(
            title,
            ("", "tasks", "mean", "95 %", "test"),
            [
                [
                    item.arm if item.against is None else f"{item.arm} less {item.against}",
                    str(item.n),
                    _how(count, item)(item.estimate),
                    interval(item, _how(count, item)),
                    "" if item.p_value is None else p_value(item.p_value),
                ]
                for item in rows
            ],
        )


def _how(count: bool, item: Result) -> Callable[[float], str]:
    if item.against is None:
        return amount if count else percent
    return signed if count else points


def _trained(results: Sequence[Result]) -> Iterator[Table]:
    """What arms were trained on; nothing where that is not known any more."""
    of = {(item.arm, item.measure): item for item in results if item.measure in TRAINED.values()}
    yield Table(
        "trained on",
        ("", *(name.replace("_", " ") for name in TRAINED)),
        [
            [arm, *(f"{of[arm, name].estimate:,.0f}" if (arm, name) in of else "" for name in TRAINED.values())]
            for arm in dict.fromkeys(arm for arm, _ in of)
        ],
    )


def _training(results: Sequence[Result]) -> Iterator[Table]:
    """How training itself went: groups that taught nothing, the first and the last third of its steps."""
    rows = []
    for silent in (item for item in results if item.measure == NO_SIGNAL):
        row = [silent.arm, f"{silent.estimate:.0%} of {silent.n}"]
        for measure in (TRAINED_SUCCESS, TRAINED_CRITERIA):
            values = [item.estimate for item in results if item.arm == silent.arm and item.measure == measure]
            third = max(1, len(values) // 3)
            row += [percent(sum(part) / third) for part in (values[:third], values[-third:])]
        rows.append(row)
    columns = ("", "no signal", "success, first third", "last third", "criteria, first third", "last third")
    yield Table("groups in training", columns, rows)


def _solvable(results: Sequence[Result]) -> Iterator[Table]:
    profiles = dict.fromkeys(item.arm.partition(": ")[0] for item in results if item.measure == SUCCESS)
    for profile in profiles:
        for measure in (SUCCESS, CRITERIA):
            yield _curves(
                f"{profile}: {TITLES[measure]}", profile, [item for item in results if item.measure == measure]
            )
    for measure, title in (
        (SIGNAL, "signal of one criterion, in a large group"),
        (SAMPLED, "the same in drawn groups of N"),
        (SHARE, "its share of the signal of all, in a large group"),
    ):
        some = [item for item in results if item.measure == measure]
        arms = list(dict.fromkeys(item.arm for item in some))
        at = {(item.arm, item.at): item for item in some}
        yield Table(
            title,
            ("pass rate", *arms),
            [[f"{rate:g}", *(f"{at[arm, rate].estimate:.3f}" for arm in arms)] for rate in _SHOWN_RATES]
            if some
            else [],
        )


def _curves(title: str, profile: str, results: Sequence[Result]) -> Table:
    """Means by step, and the first reward less the second with its interval."""
    own = [item for item in results if item.arm.startswith(f"{profile}: ")]
    means = {(item.arm, item.at): item for item in own if item.against is None}
    arms = list(dict.fromkeys(arm for arm, _ in means))
    second = arms[1] if len(arms) > 1 else None
    less = {item.at: item for item in own if item.against is not None and item.against == second}
    names = [arm.removeprefix(f"{profile}: ") for arm in arms]
    columns = ["step", *names, *([f"less {names[1]}", "95 %"] if less else [])]
    rows = []
    for step in dict.fromkeys(at for _, at in means):
        row = [f"{step:g}", *(percent(means[arm, step].estimate) for arm in arms)]
        if less:
            row += [points(less[step].estimate), interval(less[step], points)]
        rows.append(row)
    return Table(title, columns, rows)


def interval(item: Result, of: Callable[[float], str] = percent) -> str:
    """The ends of an interval; nothing where there is none."""
    return "" if item.low is None or item.high is None else f"{of(item.low)} to {of(item.high)}"
