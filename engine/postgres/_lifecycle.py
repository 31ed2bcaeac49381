"""Starting and stopping the server; whoever calls these holds the start lock."""

from __future__ import annotations

import os
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from ..errors import DatabaseUnavailable
from ._account import Account
from ._binaries import Binaries
from ._cluster import ensure_cluster
from ._layout import Layout, make_private, open_private, unusable
from ._locks import FileLock
from ._log import complaints, log_size
from ._postmaster import Answer, Postmaster, send

START_SECONDS = 60.0
RECOVERY_SECONDS = 600.0
ORPHAN_SECONDS = 5.0
STOP_SECONDS = 60.0
_POLL_SECONDS = 0.01
_OPEN_TRIES = 100


@dataclass(frozen=True)
class Lifecycle:
    """The life of one server's processes."""

    layout: Layout
    binaries: Binaries
    account: Account
    throwaway: bool

    @property
    def postmaster(self) -> Postmaster:
        """The server process."""
        return Postmaster(self.layout)

    def bring_up(self) -> None:
        """Start the server, or wait for one that is about to start or to end.

        Raises:
            DatabaseUnavailable: it cannot be started.
        """
        if self.throwaway and not self.layout.data.exists():
            os.close(self.open_file(self.layout.throwaway))
        ensure_cluster(self.layout, self.binaries, self.account, throwaway=self.throwaway)
        began = time.monotonic()
        busy = 0.0  # recovery after a crash takes as long as it takes: not counted as hanging
        started = quit_sent = False
        said_from = log_size(self.layout)
        while (answer := self.postmaster.ask()) is not Answer.READY:
            waited = time.monotonic() - began
            if answer is Answer.BUSY:
                busy = waited
            lock = FileLock(self.layout.server_lock, self.open_file)
            if lock.acquire(shared=False, timeout=None):
                if started:
                    lock.release()
                    raise self._failed("ended while it started", said_from)
                try:
                    self.postmaster.sweep()
                    self.postmaster.start(self.binaries, self.account, lock, throwaway=self.throwaway)
                finally:
                    lock.release()  # nothing is left to release once the server has it
                started = True
            elif not started and not quit_sent and waited > ORPHAN_SECONDS:
                # Processes of a killed server end by themselves, unless they are deep in a query.
                for orphan in self.postmaster.orphans():
                    send(orphan, signal.SIGQUIT)
                quit_sent = True
            if waited - busy > START_SECONDS or busy > RECOVERY_SECONDS:
                raise self._failed(f"does not answer after {waited:.0f} seconds", said_from)
            time.sleep(_POLL_SECONDS)

    def shut_down(self) -> bool:
        """Stop the server, and delete it if it is a throw-away.

        Returns:
            Whether it ran.

        Raises:
            DatabaseUnavailable: it does not stop.
        """
        ran = self.lives()
        if ran:
            first = signal.SIGQUIT if self.throwaway else signal.SIGINT  # immediate, or fast
            if not (self._end(first, STOP_SECONDS) or self._end(signal.SIGQUIT, ORPHAN_SECONDS)):
                raise DatabaseUnavailable(
                    f"the server in {self.layout.data} does not stop",
                    f"see {self.layout.log}; end its processes by hand, also in other containers",
                )
        if self.layout.root not in self.layout.socket.parents:
            _remove_if_empty(self.layout.socket)
        if self.throwaway:
            self._delete()
        return ran

    def lives(self) -> bool:
        """Whether any process of the server is left: they hold the server lock.

        Raises:
            DatabaseUnavailable: the lock cannot be read.
        """
        lock = FileLock(self.layout.server_lock, lambda path: os.open(path, os.O_RDWR | os.O_CLOEXEC))
        try:
            free = lock.acquire(shared=False, timeout=None)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise unusable(self.layout.server_lock, error) from error
        lock.release()
        return not free

    def open_file(self, path: Path) -> int:
        """Open one of the files in our folder, making both as needed.

        Raises:
            DatabaseUnavailable: it cannot be made.
        """
        for _ in range(_OPEN_TRIES):
            try:
                make_private(self.layout.home)
                make_private(self.layout.root, self.account)
                return open_private(path, self.account)
            except DatabaseUnavailable as error:
                # The last user of a throw-away server deletes it, perhaps between our two steps.
                if not (self.throwaway and isinstance(error.__cause__, FileNotFoundError)):
                    raise
        raise DatabaseUnavailable(f"{self.layout.root} vanishes again and again")

    def _end(self, number: signal.Signals, seconds: float) -> bool:
        """Signal what is left of the server and wait for its end; whether it ended in time."""
        pid = self.postmaster.pid()
        for process in [pid] if pid else self.postmaster.orphans():
            send(process, number)
        deadline = time.monotonic() + seconds
        while self.lives():
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def _delete(self) -> None:
        if self.layout.data.exists() and not self.layout.throwaway.exists():
            return  # a database to keep, which this object never could have started
        # Out of the way at once: whoever waits for the start lock must not find half of it.
        gone = self.layout.root.with_name(f"{self.layout.root.name}.gone-{os.getpid()}")
        try:
            self.layout.root.rename(gone)
        except FileNotFoundError:
            return
        except OSError as error:
            raise unusable(self.layout.root, error) from error
        for left_over in self.layout.home.glob(f"{self.layout.root.name}.gone-*"):
            shutil.rmtree(left_over, ignore_errors=True)
        _remove_if_empty(self.layout.home)

    def _failed(self, what: str, said_from: int) -> DatabaseUnavailable:
        said = complaints(self.layout, said_from)
        full = "No space left on device" in said
        return DatabaseUnavailable(
            f"the server in {self.layout.data} {what}" + (f": {said}" if said else ""),
            "free some space on that disk" if full else f"see {self.layout.log}",
        )


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        pass  # it holds other things, or is gone
