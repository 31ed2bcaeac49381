"""Run a function with a deadline, in a thread that can be given up."""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds that a call waits for its branch: for other calls on it, or for a parked composition to come back."""


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

    def run(self, function: Callable[[], T], seconds: float, begun: Callable[[], float | None] | None = None) -> T:
        """The function's result, or its exception.

        Args:
            begun: when the part that has the time limit began (``time.perf_counter``), ``None`` before; by default
                that is now.

        Raises:
            DeadlinePassed: after ``seconds`` of that part, or when it has not begun after ``PATIENCE``; the thread
                is told to stop at its next Python instruction.
        """
        now = time.perf_counter()
        given_up_at = now + PATIENCE
        with self._lock:
            worker = self._idle.pop() if self._idle else _Worker()
        job = _Job(function)
        worker.jobs.put(job)
        while True:
            start = now if begun is None else begun()
            end = given_up_at if start is None else start + seconds
            try:
                # Before the start the end is not known yet: look again after at most the limit.
                done, value = job.outcome.get(timeout=max(0.0, min(end - time.perf_counter(), seconds)))
                break
            except queue.Empty:
                if time.perf_counter() < end or (begun is not None and begun() != start):
                    continue
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
        try:
            while (job := self.jobs.get()) is not None:
                job.run()
        except GivenUp:
            pass  # it was told to stop just after it had ended

    def give_up(self) -> None:
        self.jobs.put(None)
        if self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(GivenUp))
