"""The server's log: opened, bounded and quoted."""

from __future__ import annotations

import os

from ._account import Account
from ._layout import Layout, open_private

_LIMIT = 16 * 1024 * 1024
_KEPT = 4 * 1024 * 1024


def open_log(layout: Layout, account: Account) -> int:
    """Open the log for the server, which inherits it and appends to it."""
    return open_private(layout.log, account, os.O_WRONLY | os.O_APPEND)


def bound_log(layout: Layout, account: Account) -> None:
    """Cut a log that grew beyond 16 MiB; its last 4 MiB go to ``server.log.1``.

    The file is emptied in place: the running server has it open, and appends.
    """
    try:
        size = layout.log.lstat().st_size
    except FileNotFoundError:
        return
    if size <= _LIMIT:
        return
    log = open_private(layout.log, account)
    older = open_private(layout.log.with_name("server.log.1"), account, os.O_WRONLY | os.O_TRUNC)
    with open(log, "r+b") as source, open(older, "wb") as target:
        source.seek(size - _KEPT)
        target.write(source.read(_KEPT))
        source.truncate(0)


def log_size(layout: Layout) -> int:
    """Its size in bytes: where what the server will say begins."""
    try:
        return layout.log.stat().st_size
    except FileNotFoundError:
        return 0


def complaints(layout: Layout, since: int) -> str:
    """What the server complained about since the log had a size; if anything."""
    try:
        with layout.log.open("rb") as file:
            file.seek(since)
            lines = file.read(_KEPT).decode(errors="replace").splitlines()
    except OSError:
        return ""
    return worst(lines)


def worst(lines: list[str]) -> str:
    """The lines that say what went wrong; the last ones if none stands out."""
    signs = ("FATAL:", "PANIC:", "ERROR:", "HINT:", "error:", "No space left")
    loud = [line for line in lines if any(sign in line for sign in signs)]
    return " / ".join(line.strip() for line in (loud[:4] or lines[-4:]))
