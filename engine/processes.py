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
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_PR_SET_PDEATHSIG = 1


@contextmanager
def process_pool(
    jobs: int, setup: Callable[..., object] | None = None, arguments: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes. At an error, what has not begun is dropped, and what is under way is not waited for.

    Args:
        setup: called with the arguments in each process before its first work.

    A Ctrl-C at a terminal reaches the processes too; they heed it within ``interruptible`` only.
    """
    # Not forked: a process with open connections must not be copied.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _begin, (os.getpid(), setup, arguments)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def interruptible(function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
    """Do work in a process of a pool that a Ctrl-C ends at once, by a ``KeyboardInterrupt`` within it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return function(*arguments, **named)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _begin(parent: int, setup: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    _end_with(parent)
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
