"""A worker: takes groups from the queue and runs them, until it is stopped.

The queue is procrastinate's, which runs on asyncio; groups run in threads of this process. A worker that dies is
noticed by the others, each of which looks after the queue every few seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from engine.errors import DatabaseUnavailable, InputError
from engine.signals import SAME_SECONDS
from engine.world import World
from rl.agents import Agent, make_agent
from rl.errors import Interrupted, WorkerUnfit
from rl.jobs.one import Again, Done, Job
from rl.jobs.queue import TASK, connector, is_loss, retries
from rl.jobs.status import ALIVE_SECONDS
from rl.jobs.telling import Kind, Told, Watcher
from rl.jobs.tending import look_after
from rl.waiting import wait_for_database

_STOPPED_AT_ONCE = 130


@dataclass(frozen=True)
class Pace:
    """How often a worker does what, in seconds.

    Attributes:
        heartbeat: between two signs of life.
        gone: without one for so long, a worker's jobs are taken over.
        look: between two looks into the queue; new groups are announced, this is for what was not heard.
        tend: between two looks after jobs of workers that are gone, deadlines and limits.
        tries_after: the waits after failures of the infrastructure; after one more the group is final.
    """

    heartbeat: float = 5.0
    gone: float = ALIVE_SECONDS
    look: float = 2.0
    tend: float = 5.0
    tries_after: tuple[float, ...] = (15.0, 60.0, 240.0, 900.0)


class Worker:
    """Takes groups and runs them. On any machine that reaches the database; as many as one likes.

    Args:
        groups: how many at once.
        rollouts: how many of a group at once; by default all, at most 16.
        endpoints: take only groups that lean on these.
        until_idle: end when nothing is waiting or running any more, here or elsewhere.
        make: makes agents from name and options; one agent serves all groups that have the same.
        watch: told what happens, from several threads.

    Attributes:
        signalled: whether SIGINT or SIGTERM asked it to stop: it takes them for itself while it runs.

    Raises:
        InputError: an argument is wrong.
    """

    def __init__(
        self,
        world: World,
        *,
        groups: int = 1,
        rollouts: int | None = None,
        endpoints: Sequence[str] | None = None,
        until_idle: bool = False,
        make: Callable[..., Agent] = make_agent,
        watch: Watcher = lambda told: None,
        pace: Pace | None = None,
    ) -> None:
        for what, value in (("groups", groups), ("rollouts", rollouts)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise InputError(f"at least one of the {what} runs at a time, not {value!r}")
        self._world = world
        self._groups = groups
        self._rollouts = rollouts
        self._queues = list(endpoints) if endpoints is not None else None
        self._until_idle = until_idle
        self._make_agent = make
        self._watch = watch
        self._pace = pace or Pace()
        self.signalled = False
        self._agents: dict[str, Agent] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._lost = False
        self._jobs: dict[int, Job] = {}
        self._unfit: WorkerUnfit | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._session: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Work until ``stop``, SIGINT or SIGTERM: groups under way are left to be resumed, at once, by others.

        Raises:
            DatabaseUnavailable: the database was lost and did not come back.
            WorkerUnfit: a group needs what this worker does not have; it went back into the queue.
        """
        quiet = [logging.getLogger(name) for name in ("procrastinate", "psycopg.pool")]
        levels = [logger.level for logger in quiet]
        for logger in quiet:
            logger.setLevel(logging.CRITICAL)  # what matters is told to the watcher
        try:
            with ThreadPoolExecutor(self._groups, thread_name_prefix="group") as threads:
                asyncio.run(self._work(threads))
        finally:
            for logger, level in zip(quiet, levels, strict=True):
                logger.setLevel(level)
        if self._unfit is not None:
            raise self._unfit

    def stop(self) -> None:
        """Make ``run`` return soon; from any thread."""
        self._stopping.set()
        with self._lock:
            for job in self._jobs.values():
                job.stop.set()
            session, loop = self._session, self._loop
        if session is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(session.cancel)

    async def _work(self, threads: ThreadPoolExecutor) -> None:
        self._loop = asyncio.get_running_loop()
        with self._signals(self._loop):
            while not self._stopping.is_set():
                session = asyncio.create_task(self._one_session(threads))
                with self._lock:
                    self._session = session
                if self._stopping.is_set():
                    session.cancel()
                await asyncio.wait([session])
                lost = None if session.cancelled() else session.exception()
                if lost is not None and not is_loss(lost):
                    self.stop()
                    raise lost
                if self._stopping.is_set():
                    return
                await self._wait_for_database(str(lost) if lost else "the queue was lost")

    async def _wait_for_database(self, problem: str) -> None:
        self._lost = True
        self._tell("waiting", None, problem)
        with contextlib.suppress(Interrupted):
            await asyncio.to_thread(wait_for_database, self._world, stopping=self._stopping)
            self._tell("back")

    async def _one_session(self, threads: ThreadPoolExecutor) -> None:
        """Take jobs until cancelled, or until the database is lost."""
        from procrastinate import App

        pace = self._pace
        app = App(connector=connector(self._world.database.url))
        which: dict[str, Any] = {} if self._queues is None else {"queues": self._queues}

        @app.task(name=TASK, retry=retries())
        async def run(group: int) -> None:
            await self._job(group, threads)

        # First of all: it also brings a database back that is not there to be opened.
        tending = asyncio.create_task(self._tend())
        try:
            async with app.open_async():
                # Cancelled, it takes no more jobs and waits for those under way.
                await app.run_worker_async(
                    **which,
                    concurrency=self._groups,
                    fetch_job_polling_interval=pace.look,
                    abort_job_polling_interval=pace.look,
                    update_heartbeat_interval=pace.heartbeat,
                    stalled_worker_timeout=pace.gone,
                    install_signal_handlers=False,
                )
        finally:
            tending.cancel()
            # Cancelled while it opened, it is half open.
            await app.close_async()

    async def _job(self, group: int, threads: ThreadPoolExecutor) -> None:
        job = Job(
            self._world,
            group,
            self._made,
            rollouts=self._rollouts,
            tries_after=self._pace.tries_after,
            elsewhere=self._pace.look,
        )
        with self._lock:
            if group in self._jobs:
                # After an outage this worker was taken for dead, by itself or by another.
                raise Again("again", "this worker runs it already", self._pace.look)
            self._jobs[group] = job
            if self._stopping.is_set():
                job.stop.set()
        self._tell("started", group)
        running = asyncio.get_running_loop().run_in_executor(threads, job.run)
        try:
            done: Done = await asyncio.shield(running)
            self._tell(done.kind, group, done.detail)
        except asyncio.CancelledError:
            # Somebody cancelled the collection.
            job.stop.set()
            await asyncio.wait([running])
            running.exception()  # it was asked for
            self._tell("cancelled", group)
            raise
        except Interrupted:
            raise self._given_back(group, "the worker stops") from None
        except WorkerUnfit as unfit:
            self._unfit = unfit
            self.stop()
            raise self._given_back(group, str(unfit)) from unfit
        except Again as again:
            self._tell(again.kind, group, f"{again}; next try in {again.seconds:g} s")
            raise
        except Exception as error:
            self._tell("failed", group, str(error) or type(error).__name__)
            raise
        finally:
            with self._lock:
                self._jobs.pop(group, None)

    def _given_back(self, group: int, why: str) -> Again:
        self._tell("given back", group, why)
        return Again("given back", why)

    async def _tend(self) -> None:
        """Look after the queue: what other workers left, what is late, what may be let in."""
        if self._lost:
            # Nobody could show a sign of life: now everybody has time to.
            await asyncio.sleep(3 * self._pace.heartbeat)
        while True:
            try:
                found = await asyncio.to_thread(look_after, self._world, self._pace.gone, self._queues)
            except DatabaseUnavailable as error:
                # Noticed here first: the queue's own connections are tried for a while.
                await self._wait_for_database(str(error))
                continue
            for group in found.taken_over:
                self._tell("taken over", group, "its worker is gone")
            for group in found.late:
                self._tell("given up", group, "the deadline has passed")
            if self._until_idle and not found.busy and not self._jobs:
                self.stop()
            await asyncio.sleep(self._pace.tend)

    def _made(self, name: str, options: dict[str, Any]) -> Agent:
        key = json.dumps([name, options], sort_keys=True)
        with self._lock:
            if key not in self._agents:
                self._agents[key] = self._make_agent(name, **options)
            return self._agents[key]

    def _tell(self, kind: Kind, group: int | None = None, detail: str | None = None) -> None:
        self._watch(Told(kind, group, detail))

    @contextlib.contextmanager
    def _signals(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """SIGINT and SIGTERM stop the worker; a later one at once: the database frees what it held."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        asked: list[float] = []

        def stop(number: int) -> None:
            if number == signal.SIGTERM and asked and time.monotonic() - asked[0] < SAME_SECONDS:
                return
            if self._stopping.is_set():
                os._exit(_STOPPED_AT_ONCE)
            asked.append(time.monotonic())
            self.signalled = True
            self.stop()

        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        for number in before:
            loop.add_signal_handler(number, stop, number)
        try:
            yield
        finally:
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler or signal.SIG_DFL)
