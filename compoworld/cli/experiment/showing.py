"""``compoworld experiment list``, ``show`` and ``report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.eval.naming import Force, write_file
from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, note, say, table, titled
from compoworld.cli.output import number as numbers
from engine.errors import InputError

if TYPE_CHECKING:
    from rl.experiments.store import Experiment, Result, StepRow

Called = Annotated[
    str,
    typer.Argument(
        metavar="NAME", parser=words("an experiment"), help="Of an experiment that was begun.", show_default=False
    ),
]


def list_(json: Json = False) -> None:
    """List the experiments that there are, and those that were begun, newest first.

    Example: compoworld experiment list
    """
    from rl.experiments.config import KINDS, about
    from rl.experiments.store import experiments

    with opened() as world:
        begun = experiments(world)
    if json:
        emit({"experiments": {kind: about(kind) for kind in KINDS}, "begun": begun})
        return
    table([name("experiment"), Column("asks")], [(kind, about(kind)) for kind in KINDS])
    heading("begun")
    table(
        [Column("name"), name("experiment"), name("status"), numbers("steps"), numbers("time"), name("begun")],
        [
            (
                item.name,
                item.kind,
                item.status,
                item.steps_done,
                _span(item.seconds),
                f"{item.started_at:%Y-%m-%d %H:%M}",
            )
            for item in begun
        ],
        empty="none",
    )


def show(experiment: Called, json: Json = False) -> None:
    """Show how far an experiment is, and what it found, with 95 % confidence intervals.

    Example: compoworld experiment show NAME
    """
    from rl.experiments.store import find, results_of, steps_of

    with opened() as world:
        found = find(world, experiment)
        steps, results = steps_of(world, found.id), results_of(world, found.id)
    if json:
        emit({"experiment": found, "steps": steps, "results": results})
        return
    say(f"{found.name}: {found.status}, {_span(found.seconds)}", style="bold")
    if found.error:
        say(f"error: {found.error}", fold=True)
    _say_steps(steps)
    if results:
        say()
        say_results(found, results)


def report(
    experiment: Called,
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", parser=words("a folder", 4_000), help="Made if it is not there.")
    ] = ".",
    force: Force = False,
    json: Json = False,
) -> None:
    """Write what an experiment found: tables (Markdown), and plots (PNG) beside them.

    Example: compoworld experiment report NAME --out FOLDER
    """
    from rl.experiments.plots import images
    from rl.experiments.report import markdown
    from rl.experiments.store import find, results_of

    with opened() as world:
        found = find(world, experiment)
        results = results_of(world, found.id)
    if not results:
        raise InputError(
            f"the experiment {experiment!r} has no figures yet: it is {found.status}",
            hint="the command that began it goes on with it",
        )
    pictures = {f"{found.name}-{what}.png": content for what, content in images(found.kind, results).items()}
    page = markdown(found, results, list(pictures))
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {out!r} cannot be made: {error.strerror}") from None
    files = [write_file(str(Path(out) / f"{found.name}.md"), ".md", page.encode(), force=force)]
    files += [write_file(str(Path(out) / name), ".png", content, force=force) for name, content in pictures.items()]
    if json:
        emit({"files": [str(file) for file in files]})
        return
    for file in files:
        say(file)


def say_results(found: Experiment, results: Sequence[Result]) -> None:
    """Print what was found, as tables."""
    from rl.experiments.tables import tables_of

    for place, each in enumerate(tables_of(found.kind, results)):
        if place:
            say()
        say(each.title, style="bold")
        first, *others = each.columns
        table([name(first), *map(numbers, others)], each.rows)
    note(f"tables and plots as files: compoworld experiment report {found.name}")


def _say_steps(steps: Sequence[StepRow]) -> None:
    heading("steps")
    table(
        [Column("step", share=3), numbers("time")],
        [(titled(item.step, item.made or "not done"), _span(item.seconds)) for item in steps],
    )


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
