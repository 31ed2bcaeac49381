"""Groups and rollouts, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compoworld.cli.output import Column, heading, say, shown, table, titled
from compoworld.cli.output import number as numbers
from compoworld.cli.verify import say_checks

if TYPE_CHECKING:
    from rl import GroupReport, RolloutReport

_RESULT = 400
"""Characters of a tool's result that are shown."""


def say_group(report: GroupReport) -> None:
    """Print a group: criteria with pass rates and weights, then the rollouts with their rewards."""
    model = f" ({report.model})" if report.model else ""
    say(
        f"group {report.id}: {report.size} rollouts of {report.task}, agent {report.agent}{model}, seed {report.seed}",
        fold=True,
    )
    if not report.finished:
        ended = sum(item.status in ("finished", "failed") for item in report.rollouts)
        say(f"not finished: {ended} of {report.size} rollouts have ended", style="yellow")
    if report.criteria:
        heading("criteria")
        table(
            [Column("criterion"), numbers("passed"), numbers("rate"), numbers("weight")],
            [
                (
                    titled(item.name, item.description + (f" ({item.errors} errors)" if item.errors else "")),
                    f"{item.passed}/{item.rollouts}",
                    f"{item.pass_rate:.0%}",
                    f"{item.weight:.3f}",
                )
                for item in report.criteria
            ],
        )
    heading("rollouts")
    table(
        [
            numbers("rollout"),
            numbers("branch"),
            Column("end"),
            numbers("calls"),
            numbers("criteria"),
            numbers("reward"),
            numbers("uniform"),
            numbers("binary"),
        ],
        [_line(item) for item in report.rollouts],
    )
    if report.criteria:
        rewards = [item.reward.completion_focused for item in report.rollouts if item.reward]
        solved = sum(item.success for item in report.rollouts)
        say(f"{solved} of {len(rewards)} succeed; mean reward {sum(rewards) / len(rewards):.3f} (completion-focused)")
    failed = sum(item.status == "failed" for item in report.rollouts)
    if report.finished and failed:
        unscored = ", none is scored" if failed == report.size else " and are not scored"
        say(f"{failed} of {report.size} failed{unscored}; run again:", style="yellow")
        say(f"  compoworld rollout resume {report.id} --retry-failed")


def _line(item: RolloutReport) -> tuple[Any, ...]:
    passed = f"{sum(check.passed for check in item.checks)}/{len(item.checks)}" if item.checks else ""
    reward = item.reward
    return (
        item.id,
        item.branch,
        item.status if item.status != "finished" else item.stop_reason,
        item.calls,
        passed,
        f"{reward.completion_focused:.3f}" if reward else "",
        f"{reward.uniform:.3f}" if reward else "",
        f"{reward.binary:.0f}" if reward else "",
    )


def say_rollout(group: GroupReport, item: RolloutReport, messages: list[dict[str, Any]], *, full: bool) -> None:
    """Print a rollout: what was said and called, how it was judged, its rewards.

    Args:
        full: tool results in full length.
    """
    say(
        f"rollout {item.id} ({item.ordinal} of {group.size} in group {group.id}) of {group.task}",
        style="bold",
        fold=True,
    )
    say(f"agent    {group.agent}{f', {group.model}' if group.model else ''}")
    say(f"branch   {shown(item.branch)}, {shown(item.calls)} calls, {item.steps} steps")
    say(f"end      {item.status}{f', {item.stop_reason}' if item.stop_reason else ''}")
    if item.input_tokens or item.output_tokens:
        say(f"tokens   {item.input_tokens} in, of these {item.cached_tokens} from the cache, {item.output_tokens} out")
    if item.error:
        say(f"error    {item.error}", fold=True)
    heading("messages")
    for message in messages:
        event = f", event {message['event']}" if message["event"] else ""
        if message["produced_by"] == "world_model":
            event += ", by the world model"
        say(f"[{message['ordinal']}] {message['role']}{event}", style="cyan")
        text = message["text"] or ""
        rest = 0 if full or message["role"] != "tool" else len(text) - _RESULT
        say(text if rest <= 0 else f"{text[:_RESULT]}…", fold=True)
        if rest > 0:
            say(f"({rest} more characters with --full)")
    if item.checks:
        heading("checks")
        say_checks([vars(check) for check in item.checks])
    if item.reward:
        heading("rewards")
        reward = item.reward
        say(f"completion-focused {reward.completion_focused:.3f}")
        say(f"uniform            {reward.uniform:.3f}")
        say(f"binary             {reward.binary:.0f}")
