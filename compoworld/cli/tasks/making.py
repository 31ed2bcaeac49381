"""``compoworld tasks make``: a set of tasks, without a model."""

from __future__ import annotations

import signal
import threading
import time
from json import loads as json_value
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from compoworld.cli.inputs import Json, Seed, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, console, emit, heading, many, note, say, table
from compoworld.cli.output import number as numbers
from compoworld.cli.program import DOES_NOT_HOLD
from compoworld.cli.tasks.naming import Level
from compoworld.cli.working import Jobs, cores, peak_megabytes
from engine.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tasks.sets import Progress, TaskSet

_EVERY = 20.0
"""Seconds between the lines of progress where there is no terminal."""

_STOPPING = "finishing what is begun ..."


def make(
    size: Annotated[
        int,
        typer.Option("-n", "--size", metavar="NUMBER", parser=number("a number of tasks", 1, 100_000), help="Tasks."),
    ] = 24,
    seed: Seed = 0,
    called: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", parser=words("a name"), help="Of the set; by default set-<seed>."),
    ] = None,
    level: Level = None,
    dial: Annotated[
        list[str] | None,
        typer.Option("--dial", metavar="NAME=VALUE", help="One dial of difficulty, such as alike=5 or services=[4,6]."),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", metavar="FAMILY", help="Only this scenario family; may be given several times."),
    ] = None,
    per_composition: Annotated[
        int,
        typer.Option(
            "--per-composition",
            metavar="NUMBER",
            parser=number("a number of tasks", 1, 100_000),
            help="Tasks at most that need the same services.",
        ),
    ] = 2,
    per_family: Annotated[
        int | None,
        typer.Option(
            "--per-family",
            metavar="NUMBER",
            parser=number("a number of tasks", 1, 100_000),
            help="Tasks at most of one scenario family.",
        ),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            metavar="NUMBER",
            parser=number("a number of candidates", 1, 10_000_000),
            help="Candidates at most; by default ten for each task.",
        ),
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Make a set of tasks from scenario families; the gate admits those that are proven sound.

    The same seed and settings make the same tasks. Interrupted, the same command goes on where it stood; exit code 1
    if the candidates gave too few tasks.

    Example: compoworld tasks make -n 300 --seed 7
    """
    from tasks.sets import Rules, make
    from tasks.sets.by_family import LEVEL, FamilyWorkshop

    dials = {**({} if level is None else {LEVEL: level}), **dict(map(_dial, dial or ()))}
    name = called or f"set-{seed}"
    with opened() as world, Bar(size) as bar:
        try:
            made = make(
                world,
                size,
                name=name,
                seed=seed,
                workshop=FamilyWorkshop(),
                dials=dials,
                families=family,
                rules=Rules(per_composition, per_family),
                jobs=jobs or cores(),
                most=most,
                progress=bar,
            )
        except KeyboardInterrupt:
            again = {
                "-n": size,
                "--seed": seed,
                "--name": called,
                "--level": level,
                "--dial": dial,
                "--family": family,
                "--per-composition": per_composition if per_composition != Rules.per_composition else None,
                "--per-family": per_family,
                "--candidates": most,
                "--jobs": jobs,
            }
            raise KeyboardInterrupt(_command(again)) from None
    about = _figures(made)
    if json:
        emit(about)
    else:
        _say(about)
    if not made.finished:
        note(_shortfall(made))
        raise typer.Exit(DOES_NOT_HOLD)


def _shortfall(made: TaskSet) -> str:
    """How many tasks a set lacks, why, and what can be done."""
    from tasks.sets.rules import BALANCE

    name, admitted = made.name, len(made.members)
    balanced = sum(made.rejected.get(BALANCE, {}).values())
    rejected = made.drafts - admitted
    words = [
        f"{admitted} of {many(made.wanted, 'task')} after {many(made.drafts, 'candidate')}, as many as were tried:"
    ]
    if 2 * balanced > rejected:
        words.append(
            f"{balanced:,} found their services or their family taken. A set keeps --per-composition and --per-family;"
            " with larger ones, or more --family, make another by --name."
        )
    else:
        words.append(f"{rejected:,} were rejected; why: compoworld tasks yield {name}.")
    words.append(f"To go on: the same with --candidates above {made.drafts:,}.")
    if admitted:
        words.append(f"To keep it as it is: the same with -n {admitted}")
    return " ".join(words)


class Bar:
    """How far the making of a set is, on stderr: a bar on a terminal, else a line every 20 seconds.

    Within it, a Ctrl-C is answered at once: what ends the work then takes a while.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._live: Any = None
        self._progress: Progress | None = None
        self._over = threading.Event()
        self._telling = threading.Thread(target=self._tell, name="progress", daemon=True)
        self._before: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupted)
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._live = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TextColumn("{task.fields[detail]}", markup=False),
                console=terminal,
                transient=True,
            )
            self._live.start()
            self._task = self._live.add_task("admitted", total=self._size, detail="")
        else:
            self._telling.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._live is not None:
            self._live.stop()
        else:
            self._telling.join()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def __call__(self, progress: Progress) -> None:
        self._progress = progress
        if self._live is not None:
            self._live.update(self._task, completed=progress.admitted, detail=_rest(progress))

    def _tell(self) -> None:
        begun = time.perf_counter()
        while not self._over.wait(_EVERY):
            if (progress := self._progress) is None:
                note(f"no candidate is decided on yet, after {_span(time.perf_counter() - begun)}")
            else:
                note(f"{progress.admitted} of {progress.wanted} admitted, {_rest(progress)}")

    def _interrupted(self, *_: object) -> None:
        self._over.set()
        if self._live is not None:
            self._live.stop()
        note(_STOPPING)
        raise KeyboardInterrupt


def _rest(progress: Progress) -> str:
    parts = [f"{progress.rejected} rejected"]
    if progress.here > 0 and progress.seconds > 0:
        each = progress.seconds / progress.here
        parts.append(f"{each:.1f} s per candidate")
        if 0 < progress.admitted < progress.wanted:
            candidates = (progress.wanted - progress.admitted) * progress.candidates / progress.admitted
            parts.append(f"about {_span(candidates * each)} left")
    return ", ".join(parts)


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _dial(given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not equals or not name.strip():
        raise InputError(f"{given!r} is no dial", hint="write it as alike=5")
    try:
        return name.strip(), json_value(value)
    except ValueError:  # a word, such as a domain
        return name.strip(), value.strip()


def _command(options: Mapping[str, Any]) -> str:
    """The command that goes on with a set."""
    import shlex

    given = ((option, value if isinstance(value, list) else [value]) for option, value in options.items())
    words = [str(word) for option, values in given for value in values if value is not None for word in (option, value)]
    return shlex.join(["compoworld", "tasks", "make", *words])


def _figures(made: TaskSet) -> dict[str, Any]:
    from tasks.sets import figures

    return {
        **figures(made),
        "set_id": made.id,
        "seconds": round(made.seconds_here, 2),
        "seconds_in_all": round(made.seconds, 2),
        "peak_mb": peak_megabytes(),
    }


def _say(about: dict[str, Any]) -> None:
    say(
        f"{about['set']}: {many(about['admitted'], 'task')} over {many(about['compositions'], 'composition')} of"
        f" {many(about['services'], 'service')}, with {many(about['tools'], 'tool')}, of"
        f" {many(about['families'], 'family', 'families')}",
        style="bold",
        fold=True,
    )
    for title, values in (("areas", about["areas"]), ("services", about["K"]), ("visits", about["L"])):
        say(f"{title:9} {', '.join(f'{key}: {count}' for key, count in values.items())}", fold=True)
    if about["rejected"]:
        heading("rejected")
        table(
            [numbers("drafts"), Column("stage and reason")],
            [(count, reason) for reason, count in about["rejected"].items()],
        )
    say()
    say(
        f"{many(about['candidates'], 'candidate')}; {about['seconds']:.1f} s in this run,"
        f" {about['seconds_in_all']:.1f} s in all; {about['peak_mb']} MB",
        fold=True,
    )
    say(f"checksum {about['checksum']}")
