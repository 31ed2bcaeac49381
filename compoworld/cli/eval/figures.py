"""Summaries and comparisons of evaluations, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import TYPE_CHECKING

from compoworld.cli.output import Column, heading, many, name, say, table, titled
from compoworld.cli.output import number as numbers

if TYPE_CHECKING:
    from rl.evaluation import Comparison, Counts, Difference, Estimate, Evaluation, Summary

_NAMED = 5


def say_summary(summary: Summary, *, full: bool) -> None:
    """Print the figures of an evaluation.

    Args:
        full: by family, too.
    """
    from rl.evaluation.wording import KIND_NAMES, PARTITION_NAMES, effort_words

    say(about(summary.evaluation), fold=True)
    say_counts(summary.evaluation, summary)
    if summary.success is None or summary.criteria_passed is None or summary.effort is None:
        return
    heading("all tasks")
    _shares("", [("success", summary.success), ("criteria passed", summary.criteria_passed)])
    if len(summary.attempts) > 1:
        heading("in k attempts")
        table(
            [numbers("k"), numbers("at least once"), name("95 %"), numbers("every time"), name("95 %")],
            [(item.k, *_share(item.any), *_share(item.all)) for item in summary.attempts],
        )
    heading("criteria by kind")
    _shares("kind", [(KIND_NAMES.get(item.kind, item.kind), item.passed) for item in summary.kinds], tasks=True)
    for partition, parts in summary.slices.items():
        if partition != "family" or full:
            heading(f"by {PARTITION_NAMES[partition]}")
            table(
                [Column(""), numbers("tasks"), numbers("success"), name("95 %"), numbers("criteria"), name("95 %")],
                [(p.name, p.success.tasks, *_share(p.success), *_share(p.criteria_passed)) for p in parts],
            )
    heading("effort")
    table([name("of a rollout"), numbers("mean"), name("95 %")], list(effort_words(summary.effort)))
    say()
    ends = ", ".join(f"{count} {reason}" for reason, count in summary.stop_reasons.items())
    say(f"Rollouts ended: {ends}.", fold=True)
    if summary.criterion_errors:
        errors = many(summary.criterion_errors, "criterion that erred", "criteria that erred")
        say(f"{errors} count as not passed; compoworld.checks says why.", style="yellow", fold=True)


def about(evaluation: Evaluation) -> str:
    """What an evaluation is, in a line."""
    whose = evaluation.policy or evaluation.model
    which = f" of {evaluation.task_set}" if evaluation.task_set else ""
    which += f", split {evaluation.split}" if evaluation.split else ""
    return (
        f"{evaluation.name}: agent {evaluation.agent}{f' ({whose})' if whose else ''},"
        f" {many(evaluation.tasks, 'task')}{which}, {many(evaluation.n, 'rollout')} of each, seed {evaluation.seed}"
    )


def say_counts(evaluation: Evaluation, counts: Summary | Counts) -> None:
    """Print what counts, and what does not."""
    parts = [f"{counts.scored:,} of {many(evaluation.rollouts, 'rollout')} scored"]
    if counts.missing:
        parts.append(f"{counts.missing:,} still to be run")
    if counts.failed:
        parts.append(f"{counts.failed:,} failed for want of a server or a database, and do not count")
    if counts.unscored:
        parts.append(f"none of {_names(counts.unscored)}")
    say("; ".join(parts), fold=True, style="yellow" if len(parts) > 1 else None)


def say_comparison(comparison: Comparison, *, full: bool) -> None:
    """Print two evaluations beside each other.

    Args:
        full: every task, too.
    """
    from rl.evaluation.wording import PARTITION_NAMES, verdict

    for which, evaluation, counts in (
        ("A", comparison.first, comparison.first_counts),
        ("B", comparison.second, comparison.second_counts),
    ):
        say(f"{which}  {about(evaluation)}", fold=True)
        if not counts.complete:
            say_counts(evaluation, counts)
    say(f"over {many(len(comparison.tasks), 'task')} that both have{_left_out(comparison)}", fold=True)
    heading("B less A, task by task")
    _differences("", comparison.measures)
    for partition, parts in comparison.slices.items():
        heading(f"success by {PARTITION_NAMES[partition]}")
        _differences("", parts)
    if full:
        heading("tasks")
        table(
            [name("task"), numbers("A"), numbers("B"), numbers("criteria A"), numbers("criteria B")],
            [
                (
                    task.task,
                    *(f"{share:.0%}" for share in (task.first_success, task.second_success)),
                    *(f"{share:.0%}" for share in (task.first_criteria, task.second_criteria)),
                )
                for task in comparison.tasks
            ],
        )
    say()
    for item in comparison.measures:
        if item.p_value is not None:
            say(verdict(item), fold=True)


def _left_out(comparison: Comparison) -> str:
    parts = [
        f"{len(names)} only in {which} left out"
        for names, which in ((comparison.only_first, "A"), (comparison.only_second, "B"))
        if names
    ]
    if comparison.unscored:
        parts.append(f"not scored in both: {_names(comparison.unscored)}")
    return "".join(f"; {part}" for part in parts)


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _share(estimate: Estimate) -> tuple[str, str]:
    from rl.evaluation.wording import interval, percent

    return percent(estimate.value), interval(estimate)


def _shares(title: str, rows: Sequence[tuple[str, Estimate]], *, tasks: bool = False) -> None:
    columns = [name(title), *([numbers("tasks")] if tasks else []), numbers("mean"), name("95 %")]
    table(columns, [(label, *([each.tasks] if tasks else []), *_share(each)) for label, each in rows])


def _differences(title: str, items: Sequence[Difference]) -> None:
    from rl.evaluation.wording import difference_words

    table(
        [Column(title), numbers("tasks"), numbers("A"), numbers("B"), numbers("B - A"), name("95 %")],
        [astuple(words) for item in items if (words := difference_words(item)) is not None],
    )


def say_list(found: Sequence[Evaluation]) -> None:
    """Print evaluations, newest first."""
    from rl.evaluation.wording import percent

    table(
        [
            Column("evaluation", whole=True),
            numbers("tasks"),
            numbers("rollouts"),
            numbers("success"),
            numbers("criteria"),
        ],
        [
            (
                titled(item.name, _whose(item)),
                item.tasks,
                f"{item.scored + item.failed}/{item.rollouts}" + (f"\n{item.failed} failed" if item.failed else ""),
                "" if item.success is None else percent(item.success),
                "" if item.criteria_passed is None else percent(item.criteria_passed),
            )
            for item in found
        ],
        empty="there are no evaluations yet",
    )


def _whose(item: Evaluation) -> str:
    whose = item.policy or item.model
    which = [part for part in (item.task_set, item.split) if part]
    return item.agent + (f" ({whose})" if whose else "") + (f" on {' '.join(which)}" if which else "")
