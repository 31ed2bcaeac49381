"""What the commands over many services share: processes, a bar, and how much memory was used."""

from __future__ import annotations

import os
import resource
import sys
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from compoworld.cli.inputs import number
from compoworld.cli.output import console, note, short

if TYPE_CHECKING:
    from synth.pipeline import Outcome

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=number("a number of processes"),
        help="How many processes work at once; by default one for each core.",
        show_default=False,
    ),
]


def cores() -> int:
    """How many processes are of use here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def peak_megabytes() -> int:
    """The most memory that this process and the largest of its children held, in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    used = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return int(used * unit / 1_000_000)


class Bar:
    """Progress over services on stderr: a bar on a terminal, else a line for each failure."""

    def __init__(self, verb: str, total: int) -> None:
        self._verb, self._total = verb, total
        self._live: Any = None

    def __enter__(self) -> Self:
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._live = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=terminal,
                transient=True,
            )
            self._live.start()
            self._task = self._live.add_task(self._verb, total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, outcome: Outcome) -> None:
        if self._live is not None:
            self._live.update(self._task, advance=1, description=f"{self._verb} {outcome.name}")
        elif outcome.status == "failed":
            note(f"{outcome.name}: {short(outcome.detail, 300)}")
