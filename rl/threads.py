"""Threads that are ended by the first error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from engine.errors import DatabaseUnavailable


def at_once(
    actions: Sequence[Callable[[], None]],
    stop: threading.Event,
    *,
    called: str,
    grace: float,
    look: Callable[[], None] = lambda: None,
) -> None:
    """Do all of it in threads; the first error stops the others, and is raised when they have ended.

    Args:
        stop: set when they are to end, which each does soon after.
        called: the threads' names, before their number.
        grace: seconds that they are waited for after an interruption.
        look: called several times a second meanwhile; an error of it is an interruption, too.
    """
    errors: list[BaseException] = []

    def guarded(action: Callable[[], None], ended: threading.Event) -> None:
        try:
            action()
        except BaseException as error:
            # Whatever it is, it is raised by the thread that waits.
            errors.append(error)
            stop.set()
        finally:
            ended.set()

    ends = [threading.Event() for _ in actions]
    # Daemons: an agent that waits for a model must not keep an interrupted program from ending.
    for number, (action, end) in enumerate(zip(actions, ends, strict=True)):
        threading.Thread(target=guarded, args=(action, end), name=f"{called}-{number}", daemon=True).start()
    # Events, not join: up to Python 3.12 a Ctrl-C during Thread.join takes a running thread for ended.
    try:
        for end in ends:
            while not end.wait(0.2):
                look()
    except BaseException:
        stop.set()
        deadline = time.monotonic() + grace
        for end in ends:
            end.wait(max(0, deadline - time.monotonic()))
        raise
    if errors:
        # The first is the cause; a lost database is told as such whoever saw it first.
        raise next((error for error in errors if isinstance(error, DatabaseUnavailable)), errors[0])
