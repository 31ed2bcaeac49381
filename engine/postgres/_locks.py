"""File locks between processes, safe under fork, and safe when the locked file is deleted.

All are ``flock`` locks: they belong to an open file, so the kernel frees them however a process
ends, ``kill -9`` included, and they hold across containers that share the folder.
"""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import DatabaseUnavailable

Opener = Callable[[Path], int]

_open_locks: weakref.WeakSet[FileLock] = weakref.WeakSet()


class FileLock:
    """A lock on one file, held by this process until ``release``.

    Args:
        path: the file.
        opener: opens it for reading and writing, creating it privately.
    """

    def __init__(self, path: Path, opener: Opener) -> None:
        self.path = path
        self._opener = opener
        self._fd: int | None = None
        self._mode = fcntl.LOCK_SH

    @property
    def held(self) -> bool:
        """Whether this object holds its lock."""
        return self._fd is not None

    @property
    def stale(self) -> bool:
        """Whether the locked file was deleted meanwhile, so that others lock another file."""
        return self._fd is not None and not _is_still(self._fd, self.path)

    def acquire(self, *, shared: bool, timeout: float | None) -> bool:
        """Take the lock; ``timeout=None`` tries once.

        Returns:
            Whether it was got.
        """
        mode = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        deadline = time.monotonic() + (timeout or 0)
        while True:
            fd = self._opener(self.path)
            if _try(fd, mode):
                if _is_still(fd, self.path):
                    self._fd, self._mode = fd, mode
                    _open_locks.add(self)
                    return True
                os.close(fd)  # deleted while we waited: lock the file that took its place
                continue
            os.close(fd)
            if timeout is None or time.monotonic() > deadline:
                return False
            time.sleep(0.01)

    def release(self) -> None:
        """Free this process's hold; harmless when it has none.

        A child forked meanwhile shares the open file. It goes on sharing a shared lock, which is
        freed when the last of them closes; it has no part in an exclusive one, which is unlocked here.
        """
        if self._fd is not None and self._mode == fcntl.LOCK_EX:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        self.leave()

    def fileno(self) -> int:
        """The locked file, to be passed on to another process, which then holds the lock too."""
        assert self._fd is not None
        return self._fd

    def leave(self) -> None:
        """Close the file without unlocking it: the lock stays with the process that it was passed to."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
        _open_locks.discard(self)

    def _after_fork_in_child(self) -> None:
        """In a forked child: an exclusive lock is the parent's business."""
        if self._mode == fcntl.LOCK_EX:
            self.leave()


@contextmanager
def exclusive(path: Path, opener: Opener, timeout: float) -> Iterator[None]:
    """Hold a file's lock alone.

    Raises:
        DatabaseUnavailable: another process holds it beyond the timeout.
    """
    lock = FileLock(path, opener)
    if not lock.acquire(shared=False, timeout=timeout):
        raise DatabaseUnavailable(
            f"another process has been starting or stopping the database for {timeout:.0f} seconds (it holds {path})",
            "look for a hanging compoworld process and end it",
        )
    try:
        yield
    finally:
        lock.release()


def count_holders(path: Path) -> int | None:
    """How many open files hold a shared lock on a file; None where the kernel does not tell."""
    try:
        inode = path.stat().st_ino
        lines = Path("/proc/locks").read_text().splitlines()
    except FileNotFoundError:
        return 0 if Path("/proc/locks").exists() else None
    except OSError:
        return None
    # "1: FLOCK  ADVISORY  READ 4242 08:01:131 0 EOF"; the device differs from stat's on some file
    # systems, the inode does not.
    fields = (line.split() for line in lines)
    return sum(1 for f in fields if f[1] == "FLOCK" and f[3] == "READ" and f[5].endswith(f":{inode}"))


def _try(fd: int, mode: int) -> bool:
    try:
        fcntl.flock(fd, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(fd: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(fd), there)


def _after_fork_in_child() -> None:
    for lock in list(_open_locks):
        lock._after_fork_in_child()


os.register_at_fork(after_in_child=_after_fork_in_child)
