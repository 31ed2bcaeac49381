"""The command line. One module for each command or group of commands; ``main`` is the program ``compoworld``."""

from __future__ import annotations

from typing import Annotated

import typer

from compoworld import __version__
from compoworld.cli import (
    bench,
    collect,
    compose,
    db,
    demo,
    eval,
    events,
    experiment,
    gc,
    jobs,
    policies,
    replay,
    rollout,
    services,
    state,
    synth,
    tasks,
    train,
    verify,
    worker,
)
from compoworld.cli.program import Program

app = typer.Typer(
    name="compoworld",
    cls=Program,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="CompoWorld: training data and training environments for agents that work across applications.",
    epilog="The database is the embedded PostgreSQL, or the one that COMPOWORLD_DATABASE_URL names.",
)

_BEGIN, _WORLD, _TASKS, _UPKEEP = "Begin here", "Worlds and branches", "Tasks and rollouts", "Upkeep"
_MAKING, _TRAINING = "Services from specifications", "Training"

app.command(rich_help_panel=_BEGIN)(demo.demo)
app.add_typer(services.app, name="services", rich_help_panel=_WORLD)
app.command(rich_help_panel=_WORLD)(compose.compose)
app.command(rich_help_panel=_WORLD)(compose.fork)
app.command(rich_help_panel=_WORLD)(events.events)
app.command(rich_help_panel=_WORLD)(state.state)
app.command(rich_help_panel=_WORLD)(replay.replay)
app.command(rich_help_panel=_WORLD)(verify.verify)
app.add_typer(tasks.app, name="tasks", rich_help_panel=_TASKS)
app.add_typer(rollout.app, name="rollout", rich_help_panel=_TASKS)
app.command(rich_help_panel=_TASKS)(collect.collect)
app.command(rich_help_panel=_TASKS)(worker.worker)
app.add_typer(jobs.app, name="jobs", rich_help_panel=_TASKS)
app.add_typer(eval.app, name="eval", rich_help_panel=_TASKS)
app.add_typer(train.app, name="train", rich_help_panel=_TRAINING)
app.command(rich_help_panel=_TRAINING)(policies.policies)
app.add_typer(experiment.app, name="experiment", rich_help_panel=_TRAINING)
app.add_typer(synth.app, name="synth", rich_help_panel=_MAKING)
app.add_typer(db.app, name="db", rich_help_panel=_UPKEEP)
app.command(rich_help_panel=_UPKEEP)(gc.gc)
app.command(rich_help_panel=_UPKEEP)(bench.bench)


def _version(asked: bool) -> None:
    if asked:
        print(f"compoworld {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the program."""
    app()
