"""Run a function with a deadline, in a thread that can be given up."""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class DeadlinePassed(Exception):
    """The function did not return in time."""


class GivenUp(BaseException):
    """Raised inside the thread that is given up. A BaseException, so that the function cannot swallow it by mistake."""


class _Job(Generic[T]):
    def __init__(self, function: Callable[[], T]) -> None:
        self.function = function
        self.outcome: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def run(self) -> None:
        try:
            self.outcome.put((True, self.function()))
        except BaseException as error:
            self.outcome.put((False, error))


class Workers:
    """Daemon threads, kept for reuse: a thread that is given up never keeps the program from ending."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def run(self, function: Callable[[], T], seconds: float) -> T:
        """The function's result, or its exception.

        Raises:
            DeadlinePassed: after ``seconds``; its thread is told to stop at its next Python instruction.
        """
        with self._lock:
            worker = self._idle.pop() if self._idle else _Worker()
        job = _Job(function)
        worker.jobs.put(job)
        try:
            done, value = job.outcome.get(timeout=seconds)
        except queue.Empty:
            worker.give_up()
            raise DeadlinePassed from None
        with self._lock:
            self._idle.append(worker)
        if done:
            return value  # type: ignore[no-any-return]
        raise value


class _Worker:
    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, name="compoworld-tool", daemon=True)
        self._thread.start()

    def _loop(self) -> None:
        while (job := self.jobs.get()) is not None:
            job.run()

    def give_up(self) -> None:
        self.jobs.put(None)
        if self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(GivenUp))
