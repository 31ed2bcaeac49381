"""``compoworld eval run``: an agent on the tasks of a set; repeated, it goes on where it was left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from compoworld.cli.agents import (
    AgentName,
    Concurrency,
    Model,
    Options,
    Policy,
    Seconds,
    Steps,
    Tokens,
    agent_of,
    limits_of,
)
from compoworld.cli.eval.naming import Prices, price_list
from compoworld.cli.inputs import Json, Seed, Split, WorldModel, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import console, emit, note, say, short
from compoworld.cli.program import FAILURE
from compoworld.cli.tasks.naming import SetName
from engine.errors import InputError

if TYPE_CHECKING:
    from rl.evaluation import Moment
    from tasks.document import Task


def run(
    task_set: SetName,
    agent: AgentName = "noisy",
    model: Model = None,
    policy: Policy = None,
    option: Options = None,
    size: Annotated[
        int,
        typer.Option(
            "-n",
            "--size",
            metavar="NUMBER",
            parser=number("a number of rollouts", 1, 10_000),
            help="Rollouts of each task.",
        ),
    ] = 4,
    split: Split = None,
    called: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", parser=words("a name"), help="By default the set, split and agent."),
    ] = None,
    seed: Seed = 0,
    steps: Steps = None,
    tokens: Tokens = None,
    seconds: Seconds = None,
    concurrency: Concurrency = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Also run again what the infrastructure failed.")
    ] = False,
    prices: Prices = None,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Run an agent on each task of a set and show its figures; the same command again goes on where it was left.

    Example: compoworld eval run starter --agent noisy -n 4

    Example: compoworld eval run SET --split test --agent transformers --policy POLICY --name after-sft
    """
    from compoworld.cli.eval.figures import say_summary
    from rl.evaluation import evaluate, results_of, summarise

    listed = price_list(prices)
    made, limits = agent_of(agent, model, policy, option), limits_of(steps, tokens, seconds)
    name = called or _usual_name(task_set, split, policy or model or agent)
    with opened(world_model) as world:
        tasks = _tasks(world, task_set, split)
        with _Watch(len(tasks) * size) as watch:
            try:
                evaluate(
                    world,
                    tasks,
                    made,
                    n=size,
                    name=name,
                    seed=seed,
                    limits=limits,
                    task_set=task_set,
                    split=split,
                    concurrency=concurrency,
                    retry_failed=retry_failed,
                    progress=watch,
                )
            except KeyboardInterrupt:
                raise KeyboardInterrupt("the same command again") from None
        summary = summarise(results_of(world, name), listed)
    if json:
        emit(summary)
    else:
        say_summary(summary, full=False)
        say()
        if summary.failed:
            note("run again what failed: the same command with --retry-failed")
    if not summary.scored:
        raise typer.Exit(FAILURE)


def _usual_name(*parts: str | None) -> str:
    """The parts of a command in one name: policies may be folders."""
    return re.sub(r"[^A-Za-z0-9_.@]+", "-", "-".join(part for part in parts if part)).strip("-")[:120]


def _tasks(world: Any, task_set: str, split: str | None) -> list[Task]:
    """The tasks of a set, or of one split of it.

    Raises:
        InputError: there is no such set, or it has no task in that split.
    """
    from tasks.sets.document import SPLITS
    from tasks.sets.finding import find_set

    found = find_set(world, task_set)
    if split is not None and split not in SPLITS:
        raise InputError(f"there is no split {split!r}", hint=f"there are {', '.join(SPLITS)}")
    tasks = [member.task for member in found.members if split in (None, member.split)]
    if not tasks:
        whole = found.members and f"the set {task_set!r} has no task in the split {split!r}"
        raise InputError(
            whole or f"the set {task_set!r} has no tasks", hint=f"compoworld tasks split {task_set} divides it"
        )
    return tasks


class _Watch:
    """An evaluation as it runs, on stderr: a bar on a terminal, a line for each task elsewhere.

    Args:
        rollouts: how many it has.
    """

    def __init__(self, rollouts: int) -> None:
        self._rollouts = rollouts
        self._live: Any = None
        self._ended: dict[int, int] = {}
        self._tasks = 0
        self._solved = 0
        self._scored = 0

    def __enter__(self) -> Self:
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._live = Progress(
                TextColumn("rollouts"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[detail]}", markup=False),
                console=terminal,
                transient=True,
            )
            self._live.start()
            self._bar = self._live.add_task("", total=self._rollouts, detail="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, moment: Moment) -> None:
        event = moment.rollout
        if event is None:
            self._tasks += 1
            self._solved += moment.solved
            self._scored += moment.scored
            self._ended[moment.place] = self._rollouts // moment.tasks
            if self._live is None:
                solved = f"{moment.solved} of {moment.scored} solved" if moment.scored else "none scored"
                note(f"{self._tasks} of {moment.tasks} tasks: {short(moment.task)}, {solved}")
        elif event.kind in ("finished", "failed"):
            self._ended[moment.place] = self._ended.get(moment.place, 0) + 1
        if self._live is not None:
            solved = f"{self._tasks}/{moment.tasks} tasks, {self._solved} of {self._scored} solved"
            self._live.update(self._bar, completed=sum(self._ended.values()), detail=solved)
