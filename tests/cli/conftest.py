"""The program, on a database of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from typer.testing import CliRunner

from compoworld.cli import app
from engine.postgres import URL_VARIABLE
from tests.conftest import fresh_database


@dataclass(frozen=True)
class Said:
    """What a command said."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """``compoworld`` in this process."""

    url: str

    def __call__(self, *arguments: str, stdin: str | None = None, columns: int = 80) -> Said:
        """Run a command, however it ends."""
        environment = {URL_VARIABLE: self.url, "COLUMNS": str(columns), "COMPOWORLD_DEBUG": None}
        result = CliRunner().invoke(app, list(arguments), input=stdin, env=environment)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        said = Said(result.exit_code, result.stdout, result.stderr)
        assert "Traceback" not in said.out + said.err
        return said

    def text(self, *arguments: str, code: int = 0) -> str:
        """The text that a command prints on stdout; it ends with that exit code."""
        said = self(*arguments)
        assert said.code == code, said
        return said.out

    def json(self, *arguments: str, code: int = 0) -> Any:
        """The value that a command prints with ``--json``, and nothing else on stdout."""
        said = self(*arguments, "--json")
        assert said.code == code, said
        return json.loads(said.out)

    def refused(self, *arguments: str, stdin: str | None = None) -> str:
        """The one line with which bad input is refused."""
        said = self(*arguments, stdin=stdin)
        assert said.code == 2, said
        assert said.out == ""
        assert said.err.startswith("error: ") and said.err.count("\n") == 1, said.err
        return said.err


@pytest.fixture(scope="session")
def cli_database(server_url: str) -> Iterator[str]:
    """One database for the tests that only add to it."""
    with fresh_database(server_url) as url:
        yield url


@pytest.fixture
def cw(cli_database: str) -> Program:
    """The program on the shared database."""
    return Program(cli_database)


@pytest.fixture
def lonely(database_url: str) -> Program:
    """The program on an empty database of its own."""
    return Program(database_url)


@pytest.fixture
def branch(cw: Program) -> int:
    """A fresh branch of chat and contacts, with four events: a read, two posts and an unknown tool."""
    made = int(cw.json("compose", "chat", "contacts")["branch"])
    for tool, arguments, code in (
        ("list_channels", '{"limit": 1}', 0),
        (
            "post_message",
            '{"channel_id": "chn_general", "text": "one [red]two[/red] [/] \\u001b[31mthree"}',
            0,
        ),
        ("post_message", '{"channel_id": "chn_general", "text": "four"}', 0),
        ("no_such_tool", "{}", 1),
    ):
        assert cw("services", "call", "chat", tool, arguments, "--branch", str(made)).code == code
    return made
