"""Groups: N rollouts of one task, run at once in one process, each on its own fork; interrupted ones are resumed."""

from __future__ import annotations

import threading

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from engine.errors import InputError, NotFound
from engine.world import World
from rl.agents import Agent, make_agent
from rl.errors import WorldModelDiffers
from rl.limits import Limits
from rl.progress import Watcher
from rl.reports import GroupReport, group_report
from rl.runner import Runner
from tasks.document import Task
from tasks.store import StoredTask, load, put

LARGEST_GROUP = 10_000


def run_group(
    world: World,
    task: Task | StoredTask,
    agent: Agent,
    *,
    size: int = 8,
    seed: int = 0,
    limits: Limits | None = None,
    concurrency: int | None = None,
    progress: Watcher | None = None,
) -> GroupReport:
    """Run a group of rollouts and judge each when it ends.

    A crash of the agent is data and judged as it stands. A rollout that the infrastructure fails is begun again on a
    fresh fork, at most ``TRIES`` times in all, and is then ``failed``: never judged, never scored.

    Args:
        size: how many rollouts, N.
        seed: agents that draw lots derive one for each rollout from it.
        concurrency: how many at once; by default all, at most 16.
        progress: called from several threads, one call at a time.

    Raises:
        TaskError: the task does not fit the library.
        InputError: a size, seed or limit is wrong.
        DatabaseUnavailable: the database was lost and did not come back; resume the group.
    """
    number = create_group(world, task, agent, size=size, seed=seed, limits=limits)
    return resume(world, number, agent=agent, concurrency=concurrency, progress=progress)


def create_group(
    world: World,
    task: Task | StoredTask,
    agent: Agent,
    *,
    size: int = 8,
    seed: int = 0,
    limits: Limits | None = None,
) -> int:
    """Write down a group without running it; its number. ``resume`` runs it.

    Raises:
        TaskError: the task does not fit the library.
        InputError: a size or seed is wrong.
    """
    check_size_and_seed(size, seed)
    stored = task if isinstance(task, StoredTask) else put(world, task)
    with world.database.transaction() as connection:
        return insert_group(connection, world, stored, agent, size=size, seed=seed, limits=limits or Limits())


def check_size_and_seed(size: int, seed: int) -> None:
    """Refuse what is no size or no seed of a group.

    Raises:
        InputError: one of them is wrong.
    """
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= LARGEST_GROUP:
        raise InputError(f"a group has 1 to {LARGEST_GROUP} rollouts, not {size!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not -(2**63) <= seed < 2**63:
        raise InputError(f"a seed is a whole number of 64 bits, not {seed!r}")


def insert_group(
    connection: Connection, world: World, task: StoredTask, agent: Agent, *, size: int, seed: int, limits: Limits
) -> int:
    """Write down a group in a transaction of the caller's; its number. Size and seed were checked."""
    model = world.world_model.name if world.world_model is not None and _has_simulated(task) else None
    number = connection.execute(
        text(
            "INSERT INTO compoworld.rollout_group (task_id, agent, model, size, seed, options, limits, world_model)"
            " VALUES (:task, :agent, :model, :size, :seed, :options, :limits, :world_model) RETURNING id"
        ),
        {
            "task": task.id,
            "agent": agent.name,
            "model": agent.model,
            "size": size,
            "seed": seed,
            "options": Jsonb(agent.options()),
            "limits": Jsonb(limits.as_json()),
            "world_model": model,
        },
    ).scalar_one()
    connection.execute(
        text(
            "INSERT INTO compoworld.rollout (group_id, ordinal)"
            " SELECT :group, n FROM generate_series(1, CAST(:size AS int)) n"
        ),
        {"group": number, "size": size},
    )
    return int(number)


def resume(
    world: World,
    group: int,
    *,
    agent: Agent | None = None,
    concurrency: int | None = None,
    progress: Watcher | None = None,
    retry_failed: bool = False,
    open_with_failures: bool = False,
    stop: threading.Event | None = None,
) -> GroupReport:
    """Run what is missing of a group: rollouts not begun, and those whose process died. Finished ones stay.

    Several processes may resume the same group; each rollout is run by one of them.

    Args:
        agent: by default made again from what the group says.
        retry_failed: also run again what the infrastructure failed.
        open_with_failures: leave the group unfinished while the infrastructure has failed some of its rollouts: they
            will be tried again.
        stop: set from another thread to end the run; what is under way is left to be resumed.

    Returns:
        The report; it is not ``finished`` where other processes still run some of the rollouts.

    Raises:
        NotFound: there is no such group.
        InputError: another agent is given than the group's.
        Refused: a service has changed since the task was stored, or the group's world model is another.
        DatabaseUnavailable: the database was lost and did not come back.
        Interrupted: it was stopped by ``stop``.
        KeyboardInterrupt: passed on; what was under way is left to be resumed.
    """
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                "SELECT task_id, agent, size, seed, options, limits, world_model FROM compoworld.rollout_group"
                " WHERE id = :id"
            ),
            {"id": group},
        ).first()
    if row is None:
        raise NotFound(f"there is no group {group}")
    if agent is not None and agent.name != row.agent:
        raise InputError(f"group {group} is one of agent {row.agent!r}, not {agent.name!r}")
    if concurrency is not None and (isinstance(concurrency, bool) or concurrency < 1):
        raise InputError(f"at least one rollout runs at a time, not {concurrency!r}")
    task = load(world, row.task_id)
    _same_world_model(world, task, group, row.world_model)
    runner = Runner(
        world,
        task,
        group,
        agent or make_agent(row.agent, **row.options),
        Limits(**row.limits),
        row.seed,
        progress,
        stop=stop,
        open_with_failures=open_with_failures,
    )
    if retry_failed:
        runner.revive()
    runner.run(min(row.size, concurrency or 16))
    return group_report(world, group)


def _has_simulated(task: StoredTask) -> bool:
    """Whether the agent of a task would be offered tools that a world model answers."""
    services = task.composition.services
    return any(tool.simulated for name in task.services for tool in services[name].tools.values())


def _same_world_model(world: World, task: StoredTask, group: int, wanted: str | None) -> None:
    """All rollouts of a group meet the same tools, answered by the same model.

    Raises:
        WorldModelDiffers: they would not.
    """
    given = world.world_model.name if world.world_model is not None else None
    if given != wanted and _has_simulated(task):
        with_what = f"with the world model {wanted!r}" if wanted else "without a world model"
        raise WorldModelDiffers(f"group {group} was begun {with_what}", hint="go on with the same")
