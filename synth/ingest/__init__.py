"""Ingest: tool specifications of all forms, normalised into one, judged, and kept."""

from __future__ import annotations

from pathlib import Path

from synth.ingest.files import only_rejected, read_file, read_stream
from synth.ingest.forms import Found, GivenServer, Rejected
from synth.ingest.names import original_names
from synth.ingest.servers import Agreement, Ingestion, ingest
from synth.specs import ServerSpec

__all__ = [
    "Agreement",
    "Found",
    "GivenServer",
    "Ingestion",
    "Rejected",
    "ingest",
    "only_rejected",
    "original_names",
    "read_file",
    "read_servers",
    "read_stream",
]


def read_servers(path: Path | str, *, classify: bool = False) -> list[ServerSpec]:
    """The servers of one file.

    Args:
        classify: judge by ourselves also where the file says whether a server is an application.

    Raises:
        InputError: the file cannot be read, or holds no server.
    """
    found = list(read_file(Path(path)))
    if error := only_rejected(found, str(path)):
        raise error
    return list(ingest(found, classify=classify).servers)
