"""Running an evaluation: one group of rollouts for each task, in the order of the tasks, taken up where it was left."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import text

from engine.errors import InputError
from engine.world import World
from rl.agents import Agent
from rl.evaluation.store import BegunGroup, Evaluation, begin, find, groups_of
from rl.groups import create_group, resume
from rl.limits import Limits
from rl.progress import Progress
from tasks.document import Task
from tasks.sets.document import content_checksum
from tasks.store import StoredTask


@dataclass(frozen=True)
class Moment:
    """What happened in an evaluation.

    Attributes:
        place: of the task, from 1.
        tasks: how many there are.
        task: its name.
        group: its group.
        rollout: what happened to one of its rollouts; ``None`` once all of them have ended.
        solved, scored: so far, of the task's; only where all have ended.
    """

    place: int
    tasks: int
    task: str
    group: int
    rollout: Progress | None = None
    solved: int = 0
    scored: int = 0


def evaluate(
    world: World,
    tasks: Sequence[Task | StoredTask],
    agent: Agent,
    *,
    n: int = 4,
    name: str,
    seed: int = 0,
    limits: Limits | None = None,
    task_set: str | None = None,
    split: str | None = None,
    concurrency: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[Moment], None] = lambda _: None,
) -> Evaluation:
    """Run an agent n times on each task, under a name; called again, it goes on with what is missing.

    Several processes may run the same evaluation: no rollout is run twice.

    Args:
        n: rollouts of each task.
        name: of the evaluation; one name has one agent, one list of tasks and one way to run them.
        seed: each task derives the seed of its group from it, so that chance is not the same in all tasks.
        limits: of each rollout.
        task_set, split: where the tasks come from, to be kept with it.
        concurrency: how many rollouts of a task at once; by default all, at most 16.
        retry_failed: also run again what the infrastructure failed.
        progress: called from several threads, one call at a time.

    Returns:
        The evaluation; it is not ``finished`` where other processes still run some of its rollouts.

    Raises:
        InputError: no task, a task twice, a wrong name, number or limit.
        Refused: there is an evaluation of that name with another agent, other tasks or other settings.
        TaskError: a task does not fit the library.
        DatabaseUnavailable: the database was lost and did not come back; call again.
        KeyboardInterrupt: passed on; call again.
    """
    documents = [task.task if isinstance(task, StoredTask) else task for task in tasks]
    _see_tasks(documents)
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"at least one rollout of each task is needed, not {n!r}")
    number = begin(
        world,
        name,
        agent,
        n=n,
        seed=seed,
        limits=limits or Limits(),
        task_set=task_set,
        split=split,
        tasks=len(documents),
        checksum=content_checksum(documents),
    )
    begun = groups_of(world, number)
    for place, task in enumerate(tasks, 1):
        document = documents[place - 1]
        known = begun.get(place) or BegunGroup(
            _begin_group(world, number, place, task, agent, n, task_seed(seed, document), limits)
        )
        group = known.id

        def tell(event: Progress, place: int = place, task: str = document.name, group: int = group) -> None:
            progress(Moment(place, len(tasks), task, group, event))

        if not known.finished or (retry_failed and known.failed):
            resume(world, group, agent=agent, concurrency=concurrency, progress=tell, retry_failed=retry_failed)
        solved, scored = _score(world, group)
        progress(Moment(place, len(tasks), document.name, group, None, solved, scored))
    return find(world, name)


def task_seed(seed: int, task: Task) -> int:
    """The seed of a task's group, from that of the evaluation: the same wherever the task stands among others."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{task.fingerprint()}".encode()).digest()[:7], "big")


def _see_tasks(tasks: Sequence[Task]) -> None:
    if not tasks:
        raise InputError("there is no task to evaluate on")
    prints: set[str] = set()
    for task in tasks:
        if task.fingerprint() in prints:
            raise InputError(f"the task {task.name!r} is there twice", hint="more rollouts of each task are n")
        prints.add(task.fingerprint())


def _begin_group(
    world: World,
    evaluation: int,
    place: int,
    task: Task | StoredTask,
    agent: Agent,
    n: int,
    seed: int,
    limits: Limits | None,
) -> int:
    """The group of the task at that place, made if there is none."""
    with world.database.transaction() as connection:
        # Locked: of several processes that run the evaluation, one makes the group.
        key = {"evaluation": evaluation, "place": place}
        connection.execute(text("SELECT FROM compoworld.evaluation WHERE id = :evaluation FOR UPDATE"), key)
        found = connection.execute(
            text(
                "SELECT group_id FROM compoworld.evaluation_group WHERE evaluation_id = :evaluation"
                " AND ordinal = :place"
            ),
            key,
        ).scalar()
        if found is not None:
            return int(found)
        group = create_group(world, task, agent, size=n, seed=seed, limits=limits)
        connection.execute(
            text(
                "INSERT INTO compoworld.evaluation_group (evaluation_id, ordinal, group_id)"
                " VALUES (:evaluation, :place, :group)"
            ),
            {**key, "group": group},
        )
    return group


def _score(world: World, group: int) -> tuple[int, int]:
    """How many rollouts of a group solved the task, and how many were scored."""
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                "SELECT count(*) FILTER (WHERE success), count(*) FILTER (WHERE status = 'finished')"
                " FROM compoworld.rollouts WHERE group_id = :group"
            ),
            {"group": group},
        ).one()
    return int(row[0]), int(row[1])
