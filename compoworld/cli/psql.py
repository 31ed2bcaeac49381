"""``compoworld db psql``: a SQL prompt, or the rows of one query."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from compoworld.cli.opening import opened
from compoworld.cli.output import emit
from engine.errors import InputError

_OPTIONS = "-c search_path=compoworld,public -c timezone=UTC"


def psql(
    query: Annotated[
        str | None,
        typer.Option("--command", "-c", metavar="SQL", help="Run this and leave, instead of a prompt."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="With -c: print the rows as JSON; needs no psql.")] = False,
) -> None:
    """Open a SQL prompt; the views and functions of compoworld are on its search path.

    Example: compoworld db psql -c "select * from rollouts"
    """
    if query is not None and "\x00" in query:
        raise InputError("SQL cannot contain a NUL character")
    if json:
        if query is None:
            raise InputError("--json needs -c")
        with opened() as world:
            emit(_query(world.database.url, query))
        return
    with opened() as world:
        code = _run_psql(world.database.url, query)
    if code != 0:
        raise typer.Exit(code)


def _query(place: str, query: str) -> list[dict[str, Any]]:
    import psycopg
    from psycopg.rows import dict_row

    from engine.database import translate

    try:
        with psycopg.connect(place, options=_OPTIONS, row_factory=dict_row) as connection:
            cursor = connection.execute(query.encode("utf-8", "surrogateescape"))
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []
    except psycopg.OperationalError as error:
        raise translate(error) from error
    except psycopg.Error as error:
        raise InputError(f"SQL: {error.diag.message_primary or error}", error.diag.message_hint) from error


def _run_psql(place: str, query: str | None) -> int:
    command = [_find_psql(), "--no-psqlrc" if query is not None else "--quiet", place]
    if query is not None:
        command += ["--command", query]
    environment = {**os.environ, "PGOPTIONS": f"{os.environ.get('PGOPTIONS', '')} {_OPTIONS}".strip()}
    sys.stdout.flush()
    # A process of its own, not in place of this one: the embedded server stays up as long as we do.
    with _left_to_psql():
        try:
            return subprocess.run(command, env=environment, check=False).returncode
        except OSError as error:
            from engine.errors import InfrastructureError

            raise InfrastructureError(f"psql does not run: {error.strerror}") from error


def _find_psql() -> str:
    import shutil

    from engine.errors import CompoWorldError, InfrastructureError
    from engine.postgres import find_binaries

    found = shutil.which("psql")
    if found is None:
        try:
            found = shutil.which("psql", path=str(find_binaries().folder))
        except CompoWorldError:
            found = None
    if found is None:
        raise InfrastructureError("psql is not installed", hint="install a PostgreSQL client, or use: -c SQL --json")
    return found


@contextmanager
def _left_to_psql() -> Iterator[None]:
    """Ctrl-C belongs to psql, which cancels its query."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
