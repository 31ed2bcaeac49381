"""Work in several processes: begun afresh, ended with the process that began them."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.synchronize import Event
from typing import Any, ParamSpec, TypeVar

from engine.errors import InputError

P = ParamSpec("P")
T = TypeVar("T")

_PR_SET_PDEATHSIG = 1
_UNGUARDED = 86
"""The exit status of a worker that found itself doing the work of the program."""

_CLEARING_SECONDS = 10.0
"""How long processes that were interrupted may take to clear away what they were at."""

_DYING_SECONDS = 2.0
"""How long after its last word a process may take to be gone."""


@contextmanager
def process_pool(
    jobs: int, setup: Callable[..., object] | None = None, arguments: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes. At an error, what has not begun is dropped, and what is under way is not waited for.

    Args:
        setup: called with the arguments in each process before its first work.

    A Ctrl-C at a terminal reaches the processes too; they heed it within ``interruptible`` only.

    Raises:
        InputError: the program that opens the pool has no main guard.
    """
    see_main_guard()
    # Not forked: a process with open connections must not be copied.
    context = _Spawning()
    stopping = context.Event()
    with ProcessPoolExecutor(jobs, context, _begin, (os.getpid(), stopping, setup, arguments)) as pool:
        try:
            yield pool
        except BaseException as error:
            stopping.set()  # a process takes the next work before it has done with the last: that cannot be cancelled
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):
                context.interrupt()
                # What they clear away needs a database, which may end with this process.
                context.join(_CLEARING_SECONDS)
            if isinstance(error, BrokenProcessPool) and context.unguarded():
                raise InputError(
                    "the worker processes read the program's file again, and it begins its work there anew",
                    hint='put what it does under: if __name__ == "__main__":',
                ) from None
            raise


def see_main_guard() -> None:
    """End this process where it is a worker that still reads the program's file: that does its work without a guard.

    The process that began it says so; this one would only repeat what was done before.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(_UNGUARDED)


class _Spawning(SpawnContext):
    """Begins processes afresh, and knows those that it began."""

    def __init__(self) -> None:
        super().__init__()
        self._begun: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]
        """A process."""
        process = SpawnProcess(*arguments, **named)
        self._begun.append(process)
        return process

    def interrupt(self) -> None:
        """Interrupt what is under way in them: not every Ctrl-C reaches them, such as one by ``kill``."""
        for process in self._begun:
            if process.pid is not None and process.is_alive():
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGINT)

    def join(self, seconds: float) -> None:
        """Wait until all of them have ended, but no longer than that."""
        last = time.monotonic() + seconds
        for process in self._begun:
            process.join(max(0.0, last - time.monotonic()))

    def unguarded(self) -> bool:
        """Whether one of them found itself doing the work of the program; for a pool that is broken."""
        self.join(_DYING_SECONDS)
        return any(process.exitcode == _UNGUARDED for process in self._begun)


def interruptible(function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
    """Do work in a process of a pool that a Ctrl-C ends at once, by a ``KeyboardInterrupt`` within it.

    Work that begins after an error in the process that opened the pool ends so too.
    """
    if any(stopping.is_set() for stopping in _stopping):
        raise KeyboardInterrupt
    signal.signal(signal.SIGINT, _interrupt_once)
    try:
        return function(*arguments, **named)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt_once(*_: object) -> None:
    """What is cleared away after a Ctrl-C is not interrupted by another one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


_stopping: list[Event] = []
"""In a process of a pool: set once there is no need for more work."""


def _begin(parent: int, stopping: Event, setup: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    _end_with(parent)
    _stopping.append(stopping)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if setup is not None:
        setup(*arguments)


def _end_with(parent: int) -> None:
    """See to it that this process ends when its parent does, however that ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it has ended before it was said
            os._exit(1)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
