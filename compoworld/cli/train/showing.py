"""``compoworld train list`` and ``show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, many, name, pretty, say, shown, table, titled
from compoworld.cli.output import number as numbers

if TYPE_CHECKING:
    from rl.training.history import RunSummary, Step

MOST_STEPS = 20


def list_(json: Json = False) -> None:
    """List the runs of training, newest first.

    Example: compoworld train list
    """
    from rl.training.history import runs

    with opened() as world:
        found = runs(world)
    if json:
        emit(found)
        return
    table(
        [Column("run"), name("kind"), name("status"), numbers("step"), name("policy"), name("begun")],
        [
            (
                titled(run.name, f"from {run.started_from}"),
                run.kind,
                run.status,
                f"{run.step}/{run.steps}" if run.steps else run.step,
                run.made,
                f"{run.started_at:%Y-%m-%d %H:%M}",
            )
            for run in found
        ],
        empty="no runs yet",
    )


def show(
    run: Annotated[
        str, typer.Argument(metavar="RUN", parser=words("a run"), help="The name of the run.", show_default=False)
    ],
    full: Annotated[bool, typer.Option("--full", help="Every step, and all settings.")] = False,
    json: Json = False,
) -> None:
    """Show a run: what it was trained on, what came of it, its steps.

    Example: compoworld train show RUN
    """
    from rl.training.history import settings_of, steps, summary

    with opened() as world:
        found = summary(world, run)
        config, left_out, folder = settings_of(world, found.id)
        taken = steps(world, found.id)
    if json:
        emit({"run": found, "settings": config, "left_out": left_out, "folder": folder, "steps": taken})
        return
    _say_run(found, left_out, folder)
    if full:
        heading("settings")
        say(pretty(config))
    if taken:
        heading("steps")
        _say_steps(found, taken, full)


def _say_run(run: RunSummary, left_out: dict[str, int], folder: str) -> None:
    say(
        f"{run.kind} run {run.name}: {run.status}, step {run.step}{f' of {run.steps}' if run.steps else ''}",
        style="bold",
    )
    say(f"from     {run.started_from}")
    say(f"policy   {shown(run.made) or 'none yet'}")
    if run.examples is not None:
        rest = "".join(f", {count} {reason.replace('_', ' ')}" for reason, count in sorted(left_out.items()))
        say(f"on       {many(run.examples, 'trajectory', 'trajectories')}{f'; left out{rest[1:]}' if rest else ''}")
    if run.groups is not None:
        say(f"on       {many(run.groups, 'group')}")
    say(f"folder   {folder}")
    if run.error:
        say(f"error    {run.error}", fold=True)


def _say_steps(run: RunSummary, steps: list[Step], full: bool) -> None:
    """The steps as a table: all of them, or some, evenly."""
    every = 1 if full else -(-len(steps) // MOST_STEPS)
    picked = [step for place, step in enumerate(steps) if place % every == 0 or place == len(steps) - 1]
    columns = [numbers("step"), numbers("loss"), numbers("norm"), numbers("rate")]
    if run.kind == "grpo":
        columns += [numbers("reward"), numbers("solved"), numbers("failed"), numbers("clipped"), numbers("entropy")]
    table(columns, [_line(run, step) for step in picked])


def _line(run: RunSummary, step: Step) -> list[Any]:
    line = [step.step, _figure(step.loss, ".4f"), _figure(step.grad_norm, ".3f"), _figure(step.learning_rate, ".1e")]
    if run.kind == "grpo":
        line += [
            _figure(step.reward, ".3f"),
            "" if step.scored is None else f"{step.solved}/{step.scored}",
            step.failed,
            _figure(step.clipped, ".1%"),
            _figure(step.entropy, ".3f"),
        ]
    return line


def _figure(value: float | None, shape: str) -> str:
    return "" if value is None else format(value, shape)
