"""Running an evaluation: one group of rollouts for each task, in the order of the tasks, taken up where it was left."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from sqlalchemy import text

from engine.errors import InputError
from engine.world import World
from rl.agents import Agent
from rl.evaluation.store import BegunGroup, Evaluation, begin, find, groups_of
from rl.groups import check_size_and_seed, insert_group, resume
from rl.limits import Limits
from rl.progress import Progress
from tasks.document import Task
from tasks.sets.document import content_checksum
from tasks.store import StoredTask, put

AT_ONCE = 16
"""How many rollouts run at once, unless it is said otherwise."""

_PATIENCE = 0.5

# What was deleted of a group is run again: with the seeds that it had, which come from its places.
_WHOLE = """
WITH missing AS (
    INSERT INTO compoworld.rollout (group_id, ordinal)
    SELECT g.id, n FROM compoworld.rollout_group g, generate_series(1, g.size) n WHERE g.id = :group
    ON CONFLICT DO NOTHING RETURNING group_id
)
UPDATE compoworld.rollout_group SET finished_at = NULL WHERE id IN (SELECT group_id FROM missing)
"""


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
        concurrency: how many rollouts at once, of one task or of several; by default 16.
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
    check_size_and_seed(n, seed)
    if concurrency is not None and (isinstance(concurrency, bool) or concurrency < 1):
        raise InputError(f"at least one rollout runs at a time, not {concurrency!r}")
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
    run = _Run(world, agent, n, concurrency or AT_ONCE, retry_failed, limits or Limits(), progress)
    run.all(number, seed, tasks, documents)
    return find(world, name)


class _Run:
    """One run of an evaluation in this process; several tasks at once, as far as their rollouts may run at once."""

    def __init__(
        self,
        world: World,
        agent: Agent,
        n: int,
        concurrency: int,
        retry_failed: bool,
        limits: Limits,
        progress: Callable[[Moment], None],
    ) -> None:
        self._world = world
        self._agent = agent
        self._n = n
        self._concurrency = concurrency
        self._retry_failed = retry_failed
        self._limits = limits
        self._progress = progress
        self._telling = threading.Lock()
        self._stop = threading.Event()

    def all(self, number: int, seed: int, tasks: Sequence[Task | StoredTask], documents: Sequence[Task]) -> None:
        """Run what is missing; when one task cannot be run, or the program is interrupted, the others are stopped."""
        begun = groups_of(self._world, number)
        at_once = max(1, self._concurrency // self._n)
        with ThreadPoolExecutor(at_once, thread_name_prefix="evaluation") as pool:
            running: set[Future[None]] = set()
            try:
                for place, (task, document) in enumerate(zip(tasks, documents, strict=True), 1):
                    # Stored here, one after the other: the groups are in the order of the tasks.
                    known = begun.get(place) or self._begin(number, place, task, task_seed(seed, document))
                    first = Moment(place, len(tasks), document.name, known.id)
                    if known.finished and not (self._retry_failed and known.failed):
                        self._tell(self._ended(first))
                        continue
                    while len(running) >= at_once:
                        running = _raising(*wait(running, timeout=_PATIENCE, return_when=FIRST_COMPLETED))
                    running.add(pool.submit(self._task, first))
                while running:
                    running = _raising(*wait(running, timeout=_PATIENCE, return_when=FIRST_COMPLETED))
            except BaseException:
                self._stop.set()
                raise

    def _task(self, first: Moment) -> None:
        with self._world.database.transaction() as connection:
            connection.execute(text(_WHOLE), {"group": first.group})
        resume(
            self._world,
            first.group,
            agent=self._agent,
            concurrency=self._concurrency,
            progress=lambda event: self._tell(replace(first, rollout=event)),
            retry_failed=self._retry_failed,
            stop=self._stop,
        )
        self._tell(self._ended(first))

    def _tell(self, moment: Moment) -> None:
        with self._telling:
            self._progress(moment)

    def _begin(self, evaluation: int, place: int, task: Task | StoredTask, seed: int) -> BegunGroup:
        """The group of the task at that place, made if there is none."""
        stored = task if isinstance(task, StoredTask) else put(self._world, task)
        key = {"evaluation": evaluation, "place": place}
        with self._world.database.transaction() as connection:
            # Locked: of several processes that run the evaluation, one makes the group.
            connection.execute(text("SELECT FROM compoworld.evaluation WHERE id = :evaluation FOR UPDATE"), key)
            found = connection.execute(
                text(
                    "SELECT group_id FROM compoworld.evaluation_group WHERE evaluation_id = :evaluation"
                    " AND ordinal = :place"
                ),
                key,
            ).scalar()
            if found is not None:
                return BegunGroup(found)
            group = insert_group(
                connection, self._world, stored, self._agent, size=self._n, seed=seed, limits=self._limits
            )
            connection.execute(
                text(
                    "INSERT INTO compoworld.evaluation_group (evaluation_id, ordinal, group_id)"
                    " VALUES (:evaluation, :place, :group)"
                ),
                {**key, "group": group},
            )
        return BegunGroup(group)

    def _ended(self, first: Moment) -> Moment:
        """How a task fared whose rollouts have ended."""
        with self._world.database.transaction() as connection:
            solved, scored = connection.execute(
                text(
                    "SELECT count(*) FILTER (WHERE success), count(*) FILTER (WHERE status = 'finished')"
                    " FROM compoworld.rollouts WHERE group_id = :group"
                ),
                {"group": first.group},
            ).one()
        return replace(first, solved=solved, scored=scored)


def _raising(done: set[Future[None]], running: set[Future[None]]) -> set[Future[None]]:
    """What still runs, after the errors of what has ended were raised."""
    for future in done:
        future.result()
    return running


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
