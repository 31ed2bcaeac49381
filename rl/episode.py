"""What an agent works with during one rollout: the request, the meta-tools, and a place for its messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from engine.errors import CompoWorldError
from engine.metatools import MetaResult, MetaTools
from rl.errors import EnvironmentFault, Interrupted, LimitReached, RolloutStopped
from rl.limits import Limits
from rl.messages import Message, Usage
from rl.prompts import system_prompt
from rl.trajectories import Trajectory
from tasks.document import Task


class Episode:
    """One rollout as its agent sees it. Used by one thread at a time.

    Args:
        tools: the meta-tools over the rollout's branch.
        seed: for agents that draw lots; the same for every try of the same rollout.
        keep: takes each message as it comes.
        flush: writes the messages that are still held back.
        stopping: set when the program is asked to stop.

    Attributes:
        task: what the reference agents play; an agent that is to be measured looks at the instruction only.
        usage: tokens so far.
        steps: uses of a meta-tool so far.
        tokens: the agent's trajectory up to now, where it gave one.
        failure: the infrastructure's failure that this rollout met, if any. It counts even if the agent hides it.
    """

    def __init__(
        self,
        task: Task,
        tools: MetaTools,
        *,
        limits: Limits | None = None,
        seed: int = 0,
        keep: Callable[[Message], None] = lambda message: None,
        flush: Callable[[], None] = lambda: None,
        stopping: threading.Event | None = None,
    ) -> None:
        self.task = task
        self.limits = limits or Limits()
        self.seed = seed
        self.usage = Usage()
        self.steps = 0
        self.tokens: Trajectory | None = None
        self.failure: CompoWorldError | None = None
        self._tools = tools
        self._keep = keep
        self._flush = flush
        self._stopping = stopping or threading.Event()
        self._started = time.perf_counter()
        self._excused = 0.0
        self._excused_since: float | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._waiting = False
        self._answered = 0

    @property
    def system(self) -> str:
        """The system prompt: who the agent works for, what time it is, how the meta-tools are used."""
        snapshot = self._tools.branch.snapshot
        return system_prompt(snapshot.person, snapshot.start)

    @property
    def instruction(self) -> str:
        """What is asked for."""
        return self.task.instruction

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """The meta-tools as ``{"name", "description", "input_schema"}``."""
        return self._tools.definitions()

    @property
    def services(self) -> list[str]:
        """What ``list_services`` would name."""
        return list(self._tools.services)

    def run(self, name: str, arguments: Any) -> MetaResult:
        """Use a meta-tool. Whatever is wrong with the request is in the observation.

        Raises:
            RolloutStopped: the rollout ends here.
            CompoWorldError: the environment broke.
        """
        self.check()
        with self._lock:
            self._open()
            if self.limits.steps is not None and self.steps >= self.limits.steps:
                raise LimitReached("steps", self.limits.steps)
            self.steps += 1
            try:
                world_model = self._tools.waits_for_model(name, arguments)
                with self.excused() if world_model else nullcontext():
                    result = self._tools.run(name, arguments)
            except CompoWorldError as error:
                # MetaTools turns what the agent does wrong into observations: this is something else.
                self.failure = error
                raise
        if result.call is not None and result.call.outcome == "fault":
            self.failure = EnvironmentFault(f"event {result.call.event}: {result.call.detail}")
            raise self.failure
        return result

    def record(self, message: Message) -> None:
        """Keep a message.

        Raises:
            RolloutStopped: the rollout ends here; a message that reaches the limit of tokens is still kept.
        """
        with self._lock:
            self._open()
            if message.usage is not None:
                self.usage += message.usage
            self._guard(lambda: self._keep(message))
        self.check()

    def trajectory(self, trajectory: Trajectory) -> None:
        """Keep the tokens up to now, in the place of what was kept before; they are stored with the rollout's end.

        Raises:
            RolloutStopped: the rollout has ended.
        """
        with self._lock:
            self._open()
            self.tokens = trajectory

    def check(self) -> None:
        """Do nothing unless the rollout must end here.

        Raises:
            RolloutStopped: it must.
        """
        if self._stopping.is_set():
            raise Interrupted("the program was asked to stop")
        if self.limits.tokens is not None and self.usage.total >= self.limits.tokens:
            raise LimitReached("tokens", self.limits.tokens)
        if self.remaining() <= 0:
            raise LimitReached("seconds", self.limits.seconds or 0)

    def remaining(self) -> float:
        """Seconds that are left."""
        if self.limits.seconds is None:
            return float("inf")
        return self.limits.seconds - (time.perf_counter() - self.begun())

    def begun(self) -> float:
        """When its time began (``time.perf_counter``): later by what was not the agent's (``excused``)."""
        since = self._excused_since
        return self._started + self._excused + (0.0 if since is None else time.perf_counter() - since)

    @contextmanager
    def waiting_for_model(self) -> Iterator[None]:
        """The block asks a model: messages so far are written, and a wait that never ended is the model's."""
        self.check()
        with self._lock:
            self._open()
            self._guard(self._flush)
        self._waiting = True
        yield
        self._waiting = False
        self._answered += 1

    def unanswered(self) -> bool:
        """Whether the agent waits for a model that has not answered once in this rollout."""
        return self._waiting and self._answered == 0

    def close(self) -> None:
        """Refuse everything from here on; a call that is under way ends first."""
        with self._lock:
            self._closed = True

    @contextmanager
    def excused(self) -> Iterator[Callable[[], None]]:
        """The time of the block is not the agent's: up to where it calls what it is given, from whatever thread."""
        self._excused_since = time.perf_counter()
        try:
            yield self._end_excuse
        finally:
            self._end_excuse()

    def _end_excuse(self) -> None:
        since = self._excused_since
        if since is not None:
            # In this order: who looks in between sees more time left than there is, never less.
            self._excused += time.perf_counter() - since
            self._excused_since = None

    def _guard(self, write: Callable[[], None]) -> None:
        try:
            write()
        except CompoWorldError as error:
            self.failure = error
            raise

    def _open(self) -> None:
        if self._closed:
            raise RolloutStopped("the rollout has ended")
