"""``compoworld synth ingest``: read specifications of all forms, normalise them, judge them, keep them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import MAX_FILE, Json
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, console, emit, heading, name, note, say, table
from compoworld.cli.output import number as numbers
from engine.errors import InputError

if TYPE_CHECKING:
    from synth.ingest import Found, Ingestion

_FEW = 20
"""Servers that are listed one by one without being asked."""

_MOST_REFUSED = 30


def _seconds(text: str | float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value <= 3_600:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a number of seconds up to 3600")
    return value


def ingest(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...",
            help="Files, URLs of running MCP servers, or - for standard input.",
            show_default=False,
        ),
    ] = None,
    commands: Annotated[
        list[str] | None,
        typer.Option("--command", metavar="COMMAND", help="Start this MCP server and ask it for its tools."),
    ] = None,
    environment: Annotated[
        list[str] | None,
        typer.Option("--env", metavar="NAME", help="A variable of the environment that the started server gets."),
    ] = None,
    headers: Annotated[
        list[str] | None,
        typer.Option("--header", metavar="'NAME: VALUE'", help="A header of requests to URLs; it is not stored."),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", parser=_seconds, help="Limit for each running server.")
    ] = 60.0,
    classify: Annotated[
        bool,
        typer.Option("--classify", help="Judge by ourselves also where a source says what is an application."),
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only look: store nothing, open no database.")] = False,
    full: Annotated[bool, typer.Option("--full", help="List every server.")] = False,
    json: Json = False,
) -> None:
    """Read tool specifications, normalise them, find the applications among them, and store them.

    A file is an MCP tools/list result, a list of tools or functions (MCP, OpenAI, Anthropic), or JSON Lines with a
    server on each line. What is there already stays as it is.

    Example: compoworld synth ingest specifications.jsonl

    Example: compoworld synth ingest --command 'python server.py'
    """
    from synth.ingest import ingest as normalise
    from synth.ingest.summary import summary

    started = time.perf_counter()
    found = list(_found(sources or [], commands or [], environment or [], headers or [], timeout))
    with _shown(len(found)) as step:
        ingestion = normalise(found, classify=classify, progress=step)
    changes: dict[str, str] | None = None
    if not check:
        ingestion, changes = _store(ingestion)
    figures = summary(ingestion, time.perf_counter() - started, changes)
    if json:
        emit(figures)
    else:
        _say(figures, full=full)


def _found(
    sources: list[str], commands: list[str], environment: list[str], headers: list[str], timeout: float
) -> Iterator[Found]:
    from synth.ingest import only_rejected, read_file, read_stream
    from synth.ingest.live import read_command, read_url

    if not sources and not commands:
        raise InputError("there is nothing to read", hint="name files or URLs, or give --command")
    given = dict(_header(item) for item in headers)
    for source in sources:
        if source.startswith(("http://", "https://")):
            with _waiting(f"asking {source.split('?')[0]}"):
                yield read_url(source, headers=given, seconds=timeout)
            continue
        called = "standard input" if source == "-" else source
        with _waiting(f"reading {called}"):
            stream = read_stream(BytesIO(_standard_input()), "stdin", called) if source == "-" else None
            found = list(stream if stream is not None else read_file(Path(source)))
        if error := only_rejected(found, called):
            raise error
        yield from found
    for command in commands:
        with _waiting(f"asking {command}"):
            yield read_command(command, environment=environment, seconds=timeout)


def _standard_input() -> bytes:
    content = sys.stdin.buffer.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise InputError(f"standard input has more than {MAX_FILE} bytes", hint="give it as a file")
    return content


def _header(text: str) -> tuple[str, str]:
    field, colon, value = text.partition(":")
    if not colon or not field.strip() or not text.isascii() or not text.isprintable():
        raise InputError("a header is written as 'Name: value'")
    return field.strip(), value.strip()


@contextmanager
def _waiting(text: str) -> Iterator[None]:
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        yield
        return
    from rich.text import Text

    from compoworld.cli.output import short

    with terminal.status(Text(short(text, 100))):
        yield


@contextmanager
def _shown(total: int) -> Iterator[Any]:
    """A bar on a terminal; what is yielded is called with each server."""
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=terminal, transient=True) as progress:
        task = progress.add_task("servers", total=total)
        yield lambda server: progress.update(task, advance=1, description=server.name)


def _store(ingestion: Ingestion) -> tuple[Ingestion, dict[str, str]]:
    from dataclasses import replace

    from synth.ingest import store

    with opened() as world:
        stored = store.put(world.database, ingestion.servers)
    servers = tuple(item.spec for item in stored)
    return replace(ingestion, servers=servers), {item.spec.name: item.change for item in stored}


def _say(figures: dict[str, Any], *, full: bool) -> None:
    say(
        f"{figures['servers']} servers, {figures['applications']} of them applications; {figures['tools']} tools,"
        f" {figures['usable']} usable, {figures['refused']} refused",
        style="bold",
        fold=True,
    )
    if full or figures["servers"] <= _FEW:
        heading("servers")
        table(
            [name("name"), name("domain"), numbers("tools"), name("app"), Column("why, or why not")],
            [
                (item["name"], item["domain"], item["tools"], item["application"], item["reason"])
                for item in figures["listing"]
            ],
        )
    heading("domains")
    table(
        [Column("domain"), numbers("servers"), numbers("applications"), numbers("tools")],
        [(domain, *item.values()) for domain, item in figures["domains"].items()],
    )
    if figures["notes"]:
        heading("repaired, or unusual")
        table([Column("kind"), numbers("tools' notes")], list(figures["notes"].items()))
    _say_exceptions(figures)
    if figures["agreement"]:
        found = figures["agreement"]
        say(
            f"our judgement agrees with {found['same']} of the {found['given']} decisions that the sources give"
            f" ({found['rate']:.0%}), and finds {found['found']} of their {found['applications']} applications",
            fold=True,
        )
    stored = figures["stored"]
    done = "nothing was stored" if stored is None else ", ".join(f"{count} {kind}" for kind, count in stored.items())
    note(f"{done}; {figures['seconds']:.1f} s")


def _say_exceptions(figures: dict[str, Any]) -> None:
    refused = figures["refused_tools"]
    if refused:
        heading("refused tools")
        table(
            [Column("server and tool"), Column("reason", share=2)],
            [(f"{item['server']} {item['tool']}", item["reason"]) for item in refused[:_MOST_REFUSED]],
        )
        if len(refused) > _MOST_REFUSED:
            say(f"({len(refused) - _MOST_REFUSED} more with --json)")
    if figures["near"]:
        heading("much the same")
        table([name("one"), name("other")], figures["near"])
    if figures["rejected"]:
        heading("not read")
        table([Column("place"), Column("reason", share=2)], [tuple(item.values()) for item in figures["rejected"]])
