"""The choice of the database: the user's URL, else the embedded server."""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from ..errors import InputError
from ._layout import default_home
from .server import EmbeddedServer

URL_VARIABLE = "COMPOWORLD_DATABASE_URL"
_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_EXAMPLE = "a valid one is postgresql://user:password@host:5432/database"

_servers: dict[Path, EmbeddedServer] = {}
_servers_lock = threading.Lock()


@dataclass(frozen=True)
class DatabaseUrl:
    """Where the database is.

    Attributes:
        url: a libpq URL (``postgresql://...``), for psycopg.
        embedded: whether it is the server that we run ourselves.
    """

    url: str
    embedded: bool

    def __str__(self) -> str:
        """The URL without its password, for people and logs."""
        return _without_password(self.url)


def database_url(home: Path | None = None) -> DatabaseUrl:
    """Return the database to use; start the embedded server where no URL is set.

    Cheap when the server runs already (one connection), so a long-running process may call it
    again whenever the server was lost.

    Args:
        home: the embedded server's home; by default ``COMPOWORLD_HOME`` or the user's data folder.

    Raises:
        InputError: ``COMPOWORLD_DATABASE_URL`` is malformed.
        DatabaseUnavailable: the embedded server cannot be started.
    """
    given = os.environ.get(URL_VARIABLE, "").strip()
    if given:
        return DatabaseUrl(normalise_url(given, URL_VARIABLE), embedded=False)
    place = (home or default_home()).absolute()
    with _servers_lock:
        server = _servers.setdefault(place, EmbeddedServer(place))
    return DatabaseUrl(server.ensure_running(), embedded=True)


def normalise_url(text: str, source: str = "the database URL") -> str:
    """Check a database URL and return it in libpq's spelling.

    Args:
        text: ``postgresql://``, ``postgres://`` or ``postgresql+psycopg://``.
        source: how the error names where the URL came from.

    Raises:
        InputError: another kind of URL, a malformed one, or one that names no database.
    """
    scheme, separator, rest = text.strip().partition("://")
    if not separator or scheme.lower() not in _SCHEMES:
        kind = f"starts with {scheme!r}://" if separator else "is not a URL"
        raise InputError(f"{source} {kind}; it must start with postgresql://", _EXAMPLE)
    url = f"postgresql://{rest}"
    try:
        parameters = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        # libpq quotes the offending text, which may be a part of the password: keep what precedes it.
        reason = str(error).partition(': "')[0].strip()
        raise InputError(f"{source} is malformed: {reason}", _EXAMPLE) from None
    for port in str(parameters.get("port") or "").split(","):
        if port and not (port.isdigit() and 0 < int(port) < 65536):
            raise InputError(f"{source} has the port {port!r}, not a number from 1 to 65535", _EXAMPLE)
    if not parameters.get("dbname"):
        # libpq would fall back to a database named like the user: never what is meant here.
        raise InputError(f"{source} names no database", _EXAMPLE)
    return url


def _without_password(url: str) -> str:
    """Hide the password in a URL, in its authority part and in its query."""
    hidden = re.sub(r"^(\w+://[^:/?@]*):[^/?]*@", r"\1:***@", url)
    return re.sub(r"([?&]password=)[^&]*", r"\1***", hidden)
