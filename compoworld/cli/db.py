"""``compoworld db``: the database itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, confirmed
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, clean, emit, name, note, plain, say, size, table
from compoworld.cli.output import number as numbers
from compoworld.cli.psql import psql
from engine.errors import InputError

if TYPE_CHECKING:
    from engine.postgres import EmbeddedServer

app = typer.Typer(no_args_is_help=True, help="The database: where it is, how full it is, a SQL prompt.")
app.command()(psql)


@app.command()
def url(json: Json = False) -> None:
    """Print the database's URL, as other programs take it (with its password, if it has one).

    Example: psql "$(compoworld db url)"
    """
    place, embedded = _place()
    if json:
        emit({"url": place, "embedded": embedded})
        return
    print(clean(place))  # in one piece, however narrow the terminal
    if embedded and not _server().status().running:
        note("the embedded server does not run now; start it with: compoworld db start")


@app.command()
def status(json: Json = False) -> None:
    """Show where the database is, whether it runs and what it holds; starts nothing.

    Example: compoworld db status
    """
    place, embedded = _place()
    found: dict[str, Any] = {"url": _without_password(place), "embedded": embedded}
    if embedded:
        found |= plain(_server().status()) | {"url": place}
    if not embedded or found["running"]:
        found |= _look(place)
    if json:
        emit(found)
        return
    for title, value in found.items():
        if value is not None:
            text = size(value) if title in ("size", "bytes") else value
            text = {True: "yes", False: "no"}.get(text, text) if isinstance(text, bool) else text
            say(f"{title.replace('_', ' '):13} {text}")


@app.command()
def start(json: Json = False) -> None:
    """Start the embedded server and keep it running until `compoworld db stop`.

    Example: compoworld db start
    """
    server = _own_server()
    place = server.ensure_running()
    server.keep()
    if json:
        emit({"running": True, "url": place})
    else:
        say(f"running and kept: {place}")


@app.command()
def stop(json: Json = False) -> None:
    """Stop the embedded server now, whoever uses it.

    Example: compoworld db stop
    """
    ran = _own_server().stop()
    if json:
        emit({"running": False, "stopped": ran})
    else:
        say("stopped" if ran else "it did not run")


@app.command()
def census(json: Json = False) -> None:
    """Count the relations by kind, and show what each composition takes.

    Example: compoworld db census
    """
    from compoworld import catalog

    with opened() as world:
        found: dict[str, Any] = {
            "totals": catalog.totals(world.database),
            "relations": catalog.relations(world.database),
            "compositions": catalog.compositions(world.database),
        }
    if json:
        emit(found)
        return
    table(
        [name("kind"), numbers("catalog"), numbers("compositions"), numbers("others"), numbers("total")],
        [tuple(row.values()) for row in found["relations"]],
    )
    say()
    table(
        [
            numbers("composition"),
            Column("services"),
            name("state"),
            numbers("relations"),
            numbers("size"),
            numbers("branches"),
        ],
        [
            (
                row["composition"],
                ", ".join(row["services"]),
                "materialised" if row["materialised"] else "parked",
                row["relations"],
                size(row["bytes"]),
                row["branches"],
            )
            for row in found["compositions"]
        ],
        empty="no compositions yet",
    )
    say()
    totals = found["totals"]
    say(", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in totals.items() if kind != "bytes"), fold=True)
    say(f"{size(totals['bytes'])} in all")


@app.command()
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Delete everything CompoWorld keeps in the database and begin anew; asks first.

    Example: compoworld db reset --yes
    """
    from engine.database import Database
    from engine.postgres import database_url
    from engine.retention import reset as lay_anew

    if not yes:
        if json:
            raise InputError("--json does not ask: give --yes too")
        if not confirmed(f"Delete every branch, task and rollout in {_without_password(_place()[0])}?"):
            raise typer.Abort
    database = Database(database_url().url)
    try:
        dropped = lay_anew(database)
    finally:
        database.close()
    if json:
        emit({"reset": True, "schemas_dropped": dropped})
    else:
        say(f"all is new; {dropped} schema{'' if dropped == 1 else 's'} dropped")


def _server() -> EmbeddedServer:
    from engine.postgres import EmbeddedServer

    return EmbeddedServer()


def _own_server() -> EmbeddedServer:
    from engine.errors import Refused
    from engine.postgres import URL_VARIABLE

    if os.environ.get(URL_VARIABLE, "").strip():
        raise Refused(f"{URL_VARIABLE} names a server that is not ours to start or stop", hint=f"unset {URL_VARIABLE}")
    return _server()


def _place() -> tuple[str, bool]:
    """The URL, and whether it is the embedded server's; starts nothing."""
    from engine.postgres import URL_VARIABLE, normalise_url

    given = os.environ.get(URL_VARIABLE, "").strip()
    return (normalise_url(given, URL_VARIABLE), False) if given else (_server().url, True)


def _without_password(place: str) -> str:
    from engine.postgres import DatabaseUrl

    return str(DatabaseUrl(place, embedded=False))


def _look(place: str) -> dict[str, Any]:
    import psycopg

    from engine.database import translated

    with translated(), psycopg.connect(place, connect_timeout=10) as connection:
        row = connection.execute(
            "SELECT current_setting('server_version'), pg_database_size(current_database()),"
            " to_regclass('compoworld.rollout') IS NOT NULL"
        ).fetchone()
        assert row is not None
        found: dict[str, Any] = {"running": True, "server": row[0], "bytes": row[1], "catalog": row[2]}
        if row[2]:
            counts = connection.execute(
                "SELECT (SELECT count(*) FROM compoworld.composition),"
                " (SELECT count(*) FROM compoworld.branch), (SELECT count(*) FROM compoworld.rollout)"
            ).fetchone()
            assert counts is not None
            found |= dict(zip(("compositions", "branches", "rollouts"), counts, strict=True))
        return found
