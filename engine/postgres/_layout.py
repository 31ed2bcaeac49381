"""Where the embedded server's files are, and how they are made private.

::

    <home>/                 COMPOWORLD_HOME, else the user's data folder
        pg18/               one per major version; owned by the server's account, mode 0700
            data/           PostgreSQL's data folder
            socket/         the Unix socket (elsewhere when the path would be too long)
            server.log      what the server said; server.log.1 the part before
            start.lock      held while the server is started or stopped
            users.lock      shared by every process that uses the server
            server.lock     held by the server's own processes: free means that none is left
            keep            exists when the server shall outlive its last user
            throwaway       exists when the data may be deleted
"""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from ..errors import DatabaseUnavailable
from ._account import Account

HOME_VARIABLE = "COMPOWORLD_HOME"
SOCKET_PORT = 5432
_SOCKET_PATH_LIMIT = 107  # bytes, Linux; macOS allows 103
_MACOS_SOCKET_PATH_LIMIT = 103


def default_home() -> Path:
    """``COMPOWORLD_HOME``, else the user's data folder for compoworld."""
    given = os.environ.get(HOME_VARIABLE, "").strip()
    return Path(given).expanduser().absolute() if given else user_data_path("compoworld")


@dataclass(frozen=True)
class Layout:
    """The paths of one server."""

    home: Path
    major: int

    @property
    def root(self) -> Path:
        """The folder of this major version."""
        return self.home / f"pg{self.major}"

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder."""
        return self.root / "data"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.root / "server.log"

    @property
    def start_lock(self) -> Path:
        """Held while the server is started or stopped."""
        return self.root / "start.lock"

    @property
    def users_lock(self) -> Path:
        """Shared by every process that uses the server."""
        return self.root / "users.lock"

    @property
    def server_lock(self) -> Path:
        """Held by the server's own processes."""
        return self.root / "server.lock"

    @property
    def keep(self) -> Path:
        """The marker of a server that outlives its last user."""
        return self.root / "keep"

    @property
    def throwaway(self) -> Path:
        """The marker of data that may be deleted."""
        return self.root / "throwaway"

    @property
    def socket(self) -> Path:
        """The folder of the Unix socket, with a path short enough for a socket."""
        inside = self.root / "socket"
        if _fits(inside):
            return inside
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        name = f"compoworld-{digest}"
        outside = Path(tempfile.gettempdir()) / name
        return outside if _fits(outside) else Path("/tmp") / name

    @property
    def socket_file(self) -> Path:
        """The Unix socket itself."""
        return self.socket / f".s.PGSQL.{SOCKET_PORT}"


def _fits(folder: Path) -> bool:
    limit = _MACOS_SOCKET_PATH_LIMIT if os.uname().sysname == "Darwin" else _SOCKET_PATH_LIMIT
    # A comma in unix_socket_directories separates two folders.
    path = os.fsencode(folder / f".s.PGSQL.{SOCKET_PORT}")
    return len(path) <= limit and b"," not in path and b'"' not in path


def make_private(folder: Path, account: Account | None = None) -> None:
    """Make a folder with mode 0700, and the missing ones above it; leave existing ones alone.

    Args:
        folder: the folder.
        account: its owner, when we are root.

    Raises:
        DatabaseUnavailable: it cannot be made, is no folder, or is another user's.
    """
    try:
        if not folder.parent.exists():
            make_private(folder.parent)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            if account is None:
                _check_is_folder(folder)
                return
        if account is not None:
            _give_to(folder, account)
    except OSError as error:
        raise unusable(folder, error) from error


def _check_is_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise DatabaseUnavailable(
            f"{folder} is a file, not a folder", f"move it away, or set {HOME_VARIABLE} to another folder"
        )


def _give_to(folder: Path, account: Account) -> None:
    """Make a folder of ours the account's, or see that it is, and private.

    Root's own is given away whoever made it: a process killed, or not yet done, after making it.
    """
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except NotADirectoryError:
        raise DatabaseUnavailable(
            f"{folder} is a file or a link, not a folder",
            f"move it away, or set {HOME_VARIABLE} to another folder",
        ) from None
    try:
        found = os.fstat(fd)
        if os.geteuid() == 0 and found.st_uid == 0 and account.uid != 0:
            os.fchown(fd, account.uid, account.gid)
            found = os.fstat(fd)
    finally:
        os.close(fd)
    if found.st_uid != account.uid or found.st_mode & 0o077:
        raise DatabaseUnavailable(
            f"{folder} is not a private folder of the user {account.name!r}",
            f"remove it, give it to that user with mode 0700, or set {HOME_VARIABLE} to another folder",
        )


def open_private(path: Path, account: Account, flags: int = os.O_RDWR) -> int:
    """Open a file of ours, creating it with mode 0600 and the account as its owner.

    Never follows a link: the folder belongs to the account, and we may be root.

    Raises:
        DatabaseUnavailable: it cannot be opened.
    """
    try:
        fd = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        if os.geteuid() == 0 and os.fstat(fd).st_uid == 0:
            os.fchown(fd, account.uid, account.gid)
    except OSError as error:
        raise unusable(path, error) from error
    return fd


def unusable(path: Path, error: OSError) -> DatabaseUnavailable:
    """The error for a place that cannot be written: what, where, and how to mend it."""
    mends = {
        errno.ENOSPC: "free some space on that disk",
        errno.EDQUOT: "free some of your quota on that disk",
        errno.EROFS: "the file system is read-only",
        errno.EPERM: "this root may not give files to another user, so run compoworld as an ordinary one",
        errno.ENOTDIR: "a part of that path is a file",
    }
    mend = mends.get(error.errno or 0)
    elsewhere = f"set {HOME_VARIABLE} to a folder that you can write"
    return DatabaseUnavailable(
        f"cannot use {path} for the database: {error.strerror or error}",
        f"{mend}; or {elsewhere}" if mend else elsewhere,
    )
