"""Which Postgres CompoWorld talks to, and the embedded server that is the default.

``database_url()`` is the one entry point of the rest of the system: the server named by
``COMPOWORLD_DATABASE_URL`` where that is set, else the embedded server, started on demand.
"""

from __future__ import annotations

from ._binaries import find_binaries
from ._layout import default_home
from ._url import URL_VARIABLE, DatabaseUrl, database_url, normalise_url
from .server import EmbeddedServer, ServerStatus

__all__ = [
    "URL_VARIABLE",
    "DatabaseUrl",
    "EmbeddedServer",
    "ServerStatus",
    "database_url",
    "default_home",
    "find_binaries",
    "normalise_url",
]
