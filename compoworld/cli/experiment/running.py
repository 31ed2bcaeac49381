"""``compoworld experiment run``; repeated, it goes on where it was left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from compoworld.cli.inputs import Json, WorldModel, words
from compoworld.cli.opening import opened
from compoworld.cli.output import console, emit, note
from compoworld.cli.train.naming import Config, Settings, scale_of

if TYPE_CHECKING:
    from rl.experiments.run import Moment

_EVERY = 30.0
"""Seconds between the lines about a step where there is no terminal."""


def run(
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT",
            parser=words("an experiment"),
            help="compoworld experiment list names them.",
            show_default=False,
        ),
    ],
    scale: Annotated[
        str, typer.Option("--scale", metavar="SCALE", help="cpu: for two cores; gpu: for a machine with one.")
    ] = "cpu",
    called: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", parser=words("a name", 40), help="By default that of the experiment."),
    ] = None,
    config: Config = None,
    settings: Settings = None,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Run an experiment and show what it found; the same command again goes on where it was left.

    Example: compoworld experiment run rewards-solvable

    Example: compoworld experiment run sft-scale --set sft.epochs=2 --name two-epochs
    """
    from compoworld.cli.experiment.showing import say_results
    from rl.experiments.config import read_config
    from rl.experiments.run import run as run_experiment
    from rl.experiments.store import results_of

    read = read_config(experiment, scale_of(scale), config, settings or ())
    with opened(world_model) as world, _Watch() as watch:
        try:
            done = run_experiment(world, experiment, read, name=called, told=watch)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("the same command again") from None
        found = results_of(world, done.id)
    if json:
        emit({"experiment": done, "results": found})
        return
    say_results(done, found)


class _Watch:
    """An experiment as it runs, on stderr: a bar for the step on a terminal; elsewhere a line now and then."""

    def __init__(self) -> None:
        self._live: Any = None
        self._said = time.monotonic()

    def __enter__(self) -> Self:
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._live = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                TextColumn("{task.fields[detail]}", markup=False),
                TimeRemainingColumn(),
                console=terminal,
                transient=True,
            )
            self._live.start()
            self._bar = self._live.add_task("", total=None, detail="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, moment: Moment) -> None:
        where = f"step {moment.place} of {moment.steps}, {moment.step}"
        if moment.kind == "on":
            self._on(moment)
        elif moment.kind == "begun":
            if self._live is not None:
                self._live.reset(self._bar, total=None, description=where, detail="")
        else:
            note(f"{where}: {moment.made}{' (from before)' if moment.kind == 'kept' else ''}")

    def _on(self, moment: Moment) -> None:
        heard = moment.heard
        if heard is None:
            return
        detail = f"{heard.done:,}/{heard.total:,} {heard.what}"
        if self._live is not None:
            self._live.update(self._bar, total=heard.total or None, completed=heard.done, detail=detail)
        elif time.monotonic() - self._said > _EVERY:
            self._said = time.monotonic()
            note(f"{moment.step}: {detail}")
