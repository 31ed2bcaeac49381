"""The server process: started, asked, found and signalled."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import quote

import psycopg

from ..errors import DatabaseUnavailable
from ._account import Account, choose_runner
from ._binaries import CLEAN_ENVIRONMENT, Binaries
from ._cluster import SUPERUSER, settings
from ._layout import SOCKET_PORT, Layout, make_private
from ._locks import FileLock
from ._log import open_log

DATABASE = "compoworld"
_PID_LINE, _SOCKET_LINE = 0, 4  # of postmaster.pid


class Answer(Enum):
    """What came of asking the server."""

    READY = "ready"
    BUSY = "busy"  # it starts, recovers or shuts down
    SILENT = "silent"


@dataclass(frozen=True)
class Postmaster:
    """The server process of one layout."""

    layout: Layout

    def pid(self) -> int | None:
        """The process, if it lives and is really this server (numbers are used again)."""
        line = self._pid_file_line(_PID_LINE)
        if line is None or not line.isdigit():
            return None
        pid = int(line)
        return pid if _belongs_to(pid, self.layout.data) else None

    def socket(self) -> Path:
        """The socket's folder. A running server says where it is: TMPDIR may have changed since."""
        return Path(self._pid_file_line(_SOCKET_LINE) or self.layout.socket)

    def url(self, database: str = DATABASE) -> str:
        """Where to connect."""
        folder = quote(str(self.socket()), safe="")
        return f"postgresql://{SUPERUSER}@/{database}?host={folder}&port={SOCKET_PORT}"

    def ask(self, database: str = DATABASE) -> Answer:
        """Connect once; make the database if the server has none yet.

        Raises:
            DatabaseUnavailable: it refuses us.
        """
        try:
            psycopg.connect(self.url(database), connect_timeout=10).close()
        except psycopg.OperationalError as error:
            text = str(error)
            if f'database "{DATABASE}" does not exist' in text:
                return self._make_database()
            if "FATAL:" not in text:
                return Answer.SILENT
            if any(sign in text for sign in ("starting up", "shutting down", "recovery", "not yet accepting")):
                return Answer.BUSY
            if "too many clients" in text or "remaining connection slots" in text:
                return Answer.READY
            raise DatabaseUnavailable(
                f"the server in {self.layout.data} refuses us: {text.partition('FATAL:')[2].strip()}",
                f"see {self.layout.log}",
            ) from error
        return Answer.READY

    def start(self, binaries: Binaries, account: Account, server_lock: FileLock, *, throwaway: bool) -> None:
        """Start the server; return at once.

        It is put behind a shell, which ends, so that it is not our child: nobody need wait for it.
        It has its own session (Ctrl-C here does not reach it), the log for its output, and of our
        open files only the server lock, which its processes hold until the last of them ends.

        Raises:
            DatabaseUnavailable: its account cannot run it.
        """
        runner = choose_runner(account, binaries, self.layout.data)
        socket = self.layout.socket
        make_private(socket, account)
        command = [
            binaries.postgres,
            "-D",
            str(self.layout.data),
            *settings(socket, _name_of(self.layout.data), throwaway=throwaway),
        ]
        log = open_log(self.layout, account)
        try:
            subprocess.run(
                ["/bin/sh", "-c", '"$@" &', "sh", *runner.prefix, *command],
                env=CLEAN_ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(server_lock.fileno(),),
                start_new_session=True,
                check=True,
                **runner.identity,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise DatabaseUnavailable(f"cannot run {binaries.postgres}: {error}", f"see {self.layout.log}") from error
        finally:
            os.close(log)
        server_lock.leave()

    def sweep(self) -> None:
        """Remove what a killed server left; the caller holds the server lock, so none of it lives.

        PostgreSQL does so itself, except where another process got the number of the dead one.
        """
        if self.pid() is None and Path("/proc/self").exists():
            socket = self.layout.socket_file
            for left_over in (
                self.layout.data / "postmaster.pid",
                socket,
                socket.with_name(f"{socket.name}.lock"),
            ):
                left_over.unlink(missing_ok=True)

    def orphans(self) -> list[int]:
        """Server processes that outlived the server; empty where the system cannot tell."""
        pids = (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))
        return [pid for pid in pids if _belongs_to(pid, self.layout.data)] if self.pid() is None else []

    def _make_database(self) -> Answer:
        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=10, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.errors.DuplicateDatabase:
            pass  # another process was faster
        except psycopg.errors.UniqueViolation:
            pass  # the same, in the same instant
        except psycopg.OperationalError:
            return Answer.SILENT
        return Answer.READY

    def _pid_file_line(self, number: int) -> str | None:
        try:
            lines = (self.layout.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return None
        return lines[number].strip() or None if len(lines) > number else None


def send(pid: int, number: signal.Signals) -> None:
    """Signal a process that may have ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def _name_of(data: Path) -> str:
    """The server's name, in the command line of each of its processes; the same for every spelling of the path.

    Anyone may read a command line. The working folder would tell too, but in a container with the
    default capabilities not even root may read that of another user's process.
    """
    found = data.stat()
    return f"compoworld-{found.st_dev:x}-{found.st_ino:x}"


def _belongs_to(pid: int, data: Path) -> bool:
    """Whether a living process is a server process of this data folder."""
    if not Path("/proc/self").exists():
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        return True
    try:
        program = Path(f"/proc/{pid}/comm").read_text().strip()
        command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        # Followed by what cannot be a part of the number: the end, or a separator.
        return program == "postgres" and re.search(rf"{_name_of(data)}(?![0-9a-f])", command) is not None
    except OSError:  # there is none, or no data folder
        return False
