"""``compoworld collect``: put groups of rollouts of many tasks into the queue, for workers."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.agents import AgentName, Model, Options, Policy, Seconds, Steps, Tokens, agent_of, limits_of
from compoworld.cli.inputs import MAX_EVENT, Json, Seed, Split, WorldModel, duration, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, many, note, plain, say
from compoworld.cli.program import FAILURE

if TYPE_CHECKING:
    from compoworld.world import World


def collect(
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="SET|TASK...", parser=words("a set or a task", 4_000), help="Sets, tasks.", show_default=False
        ),
    ],
    agent: AgentName = "noisy",
    model: Model = None,
    policy: Policy = None,
    option: Options = None,
    size: Annotated[
        int,
        typer.Option(
            "-n", "--size", metavar="NUMBER", parser=number("a group size", 1, 10_000), help="Rollouts in a group."
        ),
    ] = 8,
    times: Annotated[
        int,
        typer.Option(
            "--times", metavar="NUMBER", parser=number("a number of groups", 1, 100_000), help="Groups of each task."
        ),
    ] = 1,
    split: Split = None,
    seed: Seed = 0,
    called: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", parser=words("a name"), help="By default the set, agent and seed."),
    ] = None,
    priority: Annotated[
        int | None,
        typer.Option(
            "--priority",
            metavar="NUMBER",
            parser=number("a priority", -MAX_EVENT, MAX_EVENT),
            help="Groups of a higher one are run first; else it is 0.",
        ),
    ] = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            "--endpoint",
            metavar="NAME",
            parser=words("an endpoint", 100),
            help="What its groups lean on, for the limit; by default the model, or the agent.",
        ),
    ] = None,
    at_once: Annotated[
        int | None,
        typer.Option(
            "--at-once",
            metavar="NUMBER",
            parser=number("a number of groups", 1, MAX_EVENT),
            help="Groups at a time against the endpoint, over all workers.",
        ),
    ] = None,
    deadline: Annotated[
        timedelta | None,
        typer.Option(
            "--deadline", metavar="TIME", parser=duration, help="From now: what is missing then is failed: 90m, 12h."
        ),
    ] = None,
    group_time: Annotated[
        timedelta | None,
        typer.Option(
            "--group-time", metavar="TIME", parser=duration, help="The same for each group, from its first start."
        ),
    ] = None,
    steps: Steps = None,
    tokens: Tokens = None,
    seconds: Seconds = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until workers have run it, and show how it stands.")
    ] = False,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Put groups of rollouts of sets and tasks into the queue: workers run them. The same command goes on with it.

    Example: compoworld collect starter --agent noisy -n 8

    Example: compoworld collect SET --split train --agent anthropic --model MODEL --at-once 4 --wait
    """
    from compoworld.cli.jobs import say_collections
    from rl.jobs import collect as write_down
    from rl.jobs import collections, workers

    made, limits = agent_of(agent, model, policy, option), limits_of(steps, tokens, seconds)
    with opened(world_model) as world:
        with _Making() as making:
            try:
                found = write_down(
                    world,
                    tasks,
                    made,
                    n=size,
                    times=times,
                    split=split,
                    seed=seed,
                    name=called,
                    priority=priority,
                    limits=limits,
                    endpoint=endpoint,
                    at_once=at_once,
                    deadline=None if deadline is None else datetime.now(UTC) + deadline,
                    group_seconds=None if group_time is None else group_time.total_seconds(),
                    progress=making,
                )
            except KeyboardInterrupt:
                raise KeyboardInterrupt("the same command again") from None
        if wait:
            _wait(world, found.name)
        status, alive = collections(world, found.name)[0], workers(world)
    if json:
        emit({**plain(status), "added": found.added, "workers": alive})
    else:
        there = "" if found.added == found.groups else f" ({found.groups - found.added} of them were there)"
        say(f"collection {found.name}: {many(found.groups, 'group')} of {many(size, 'rollout')}{there}")
        if wait:
            say()
            say_collections([status])
    if not wait:
        note("run it: compoworld worker" if alive == 0 else f"{many(alive, 'worker')} at work: compoworld jobs --watch")
    if wait and status.finished == 0:
        raise typer.Exit(FAILURE)


class _Making:
    """Shows how many groups are written down, on a terminal."""

    def __init__(self) -> None:
        self._live: Any = None

    def __enter__(self) -> _Making:
        from compoworld.cli.output import console

        terminal = console(stderr=True)
        if terminal.is_terminal:
            self._live = terminal.status("writing down groups")
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, made: int, wanted: int) -> None:
        if self._live is not None:
            self._live.update(f"writing down groups: {made} of {wanted}")


def _wait(world: World, name: str) -> None:
    """Wait until nothing of the collection is waiting or running; show it on a terminal."""
    from compoworld.cli.jobs import EVERY, Screen
    from rl.jobs import collections, workers

    if workers(world) == 0:
        note("no worker is at work: compoworld worker, here or on another machine")
    with Screen(world, name) as screen:
        try:
            while collections(world, name)[0].state in ("waiting", "running"):
                screen.show()
                time.sleep(EVERY)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("compoworld jobs --watch (the workers go on)") from None
