"""``docs/sql.md`` as a program: its queries, and what psql prints for them.

``python -m tests.docs.sql_page`` writes the answers anew, from the demonstration on an empty database.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.postgres import find_binaries

PAGE = Path(__file__).parents[2] / "docs" / "sql.md"

_BLOCK = re.compile(r"(?P<varies><!-- varies -->\n+)?```sql\n(?P<sql>.*?)```\n\n```text\n(?P<answer>.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Query:
    """One query of the page.

    Attributes:
        line: where it begins.
        answer: what the page says that psql prints.
        varies: only the names of the columns are the same each time.
    """

    line: int
    sql: str
    answer: str
    varies: bool


def queries(page: str) -> Iterator[Query]:
    """The queries of the page, in order."""
    for found in _BLOCK.finditer(page):
        line = page.count("\n", 0, found.start("sql")) + 1
        yield Query(line, found["sql"], found["answer"], found["varies"] is not None)


def ask(url: str, sql: str) -> str:
    """What psql prints, in a session of its own."""
    done = subprocess.run(
        [_psql(), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--pset=pager=off", url],
        input=sql,
        env={**os.environ, "PGOPTIONS": "-c timezone=UTC", "PGCLIENTENCODING": "UTF8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{sql}\n{done.stderr}"
    return tidy(done.stdout)


def _psql() -> str:
    """The program: of the system, else of the embedded PostgreSQL."""
    return shutil.which("psql") or str(find_binaries().folder / "psql")


def tidy(text: str) -> str:
    """Without spaces at the ends of lines and empty lines at the end."""
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"


def refreshed(page: str, url: str) -> str:
    """The page with the answers that the database gives."""

    def answered(found: re.Match[str]) -> str:
        start = found.start("answer") - found.start()
        return f"{found[0][:start]}{ask(url, found['sql'])}```"

    return _BLOCK.sub(answered, page)


def _main() -> None:
    from compoworld.cli import app
    from engine.postgres import URL_VARIABLE, EmbeddedServer

    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder) / "postgres", throwaway=True) as server,
    ):
        os.environ[URL_VARIABLE] = server.url
        try:
            app(["demo"])
        except SystemExit as done:
            assert not done.code, "the demonstration failed"
        PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8"), server.url), encoding="utf-8")


if __name__ == "__main__":
    _main()
