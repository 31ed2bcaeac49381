"""The operating-system account that the server runs as.

PostgreSQL refuses to run as root. As root we run it as another user, who often cannot enter the
folders on the way to the data or to the programs (``/root`` is 0700). Those folders are not ours, so
their permissions stay as they are. Instead the server gets one Linux capability: to pass through
directories. Default containers do not grant ``dac_read_search``, but they grant ``dac_override``.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from ..errors import DatabaseUnavailable
from ._binaries import CLEAN_ENVIRONMENT, Binaries

_CAPABILITIES = ("dac_read_search", "dac_override")
_MEND = "run compoworld as an ordinary user, or set COMPOWORLD_DATABASE_URL to a server"


@dataclass(frozen=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int


class Identity(TypedDict, total=False):
    """The arguments of ``subprocess`` that change the user."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True)
class Runner:
    """How to start a program as the account.

    Attributes:
        prefix: goes before the command.
        identity: further arguments for ``subprocess``.
    """

    prefix: tuple[str, ...]
    identity: Identity


def choose_account(*folders: Path) -> Account:
    """Choose whom the server runs as: ourselves, or as root another user.

    Args:
        folders: the data folder, then those around it. The owner of the first one that exists and
            does not belong to root decides, so that a user's database stays the user's.

    Raises:
        DatabaseUnavailable: there is no such user, or the user has no name.
    """
    if os.geteuid() != 0:
        return _by_uid(os.geteuid())
    for folder in folders:
        try:
            owner = folder.stat().st_uid
        except OSError:
            continue
        # A home that is, say, a mounted volume may belong to a number without a name: that is no
        # account to run as, but existing data cannot be run as any other.
        if owner != 0 and (folder != folders[-1] or _has_name(owner)):
            return _by_uid(owner)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise DatabaseUnavailable("PostgreSQL does not run as root, and there is no user postgres or nobody", _MEND)


def choose_runner(account: Account, binaries: Binaries, folder: Path) -> Runner:
    """Find a way to run the programs as the account that reaches both them and the folder.

    Each way is tried for real: access lists and security modules decide too, not only mode bits.

    Raises:
        DatabaseUnavailable: as root, when no way works.
    """
    if os.geteuid() != 0:
        return Runner((), {})
    identity: Identity = {"user": account.uid, "group": account.gid, "extra_groups": []}
    ways = [Runner((), identity)]
    setpriv = shutil.which("setpriv") or shutil.which("setpriv", path=os.defpath)
    if setpriv:
        who = (f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups")
        for capability in _CAPABILITIES:
            grant = (f"--inh-caps=-all,+{capability}", f"--ambient-caps=-all,+{capability}")
            # Without this bit access(2), by which initdb looks for its fellow programs, ignores capabilities.
            ways.append(Runner((setpriv, *who, *grant, "--securebits=+no_setuid_fixup"), {}))
    for way in ways:
        if _works(way, binaries, folder):
            return way
    raise DatabaseUnavailable(
        f"PostgreSQL does not run as root, and the user {account.name!r} can reach {folder} or "
        f"{binaries.folder} neither by itself nor with the capability {' or '.join(_CAPABILITIES)} "
        f"({'setpriv was refused' if setpriv else 'setpriv of util-linux is not installed'})",
        f"{_MEND}; else set COMPOWORLD_HOME to a folder that {account.name!r} can enter",
    )


def _works(way: Runner, binaries: Binaries, folder: Path) -> bool:
    """Whether the account can, this way, use the folder, and initdb find all that it needs."""
    script = 'cd "$1" && test -w . && exec "$2" --show -D "$1"'
    try:
        probe = subprocess.run(
            [*way.prefix, "/bin/sh", "-c", script, "sh", str(folder), binaries.initdb],
            env=CLEAN_ENVIRONMENT,
            check=False,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            **way.identity,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return probe.returncode == 0


def _has_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _by_uid(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise DatabaseUnavailable(
            f"the user id {uid} has no name on this machine, which PostgreSQL needs",
            "add it to /etc/passwd, or set COMPOWORLD_DATABASE_URL to a server",
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
