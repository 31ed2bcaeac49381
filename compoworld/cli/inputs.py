"""What commands take: numbers, JSON, files and durations, each refused with one clear sentence."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from compoworld.cli.output import clean, short
from engine.errors import InputError

MAX_ID = 2**63 - 1
MAX_EVENT = 2**31 - 1
MAX_FILE = 200_000_000
"""Bytes of a file that is read as JSON."""


def number(what: str, lowest: int = 1, highest: int = MAX_ID) -> Callable[[str | int], int]:
    """A reader of whole numbers in a range; plain digits only."""

    def read(text: str | int) -> int:
        if isinstance(text, int):
            return text
        if not re.fullmatch(r"-?[0-9]{1,19}", text.strip()):
            raise typer.BadParameter(f"{short(repr(text))} is not {what}, a whole number")
        value = int(text)
        if not lowest <= value <= highest:
            raise typer.BadParameter(f"{value} is not {what}, a number from {lowest} to {highest}")
        return value

    return read


def words(what: str, most: int = 200) -> Callable[[str], str]:
    """A reader of names: not empty, of bounded length, and text that a database can hold."""

    def read(text: str) -> str:
        if not text.strip() or len(text) > most:
            raise typer.BadParameter(f"{what} has 1 to {most} characters")
        if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
            raise typer.BadParameter(f"{what} is not valid UTF-8 text")
        return text

    return read


def json_object(text: str) -> dict[str, Any]:
    """A JSON object: as it stands, from a file (``@file``) or from standard input (``-``)."""
    source = text
    if text == "-":
        source = sys.stdin.read(MAX_FILE)
    elif text.startswith("@"):
        source = read_text(Path(text[1:]))
    value = parse_json(source, "the arguments")
    if not isinstance(value, dict):
        raise InputError(f"a JSON object such as '{{\"id\": 1}}' is needed, not {short(repr(text))}")
    return value


def parse_json(text: str, what: str) -> Any:
    """A JSON value.

    Raises:
        InputError: it is not JSON; the message says where.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{what}: not JSON: {error.msg} at {place}") from None
    except RecursionError:
        raise InputError(f"{what}: nested too deeply") from None
    except ValueError as error:  # a number with thousands of digits
        raise InputError(f"{what}: {short(error)}") from None


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        InputError: it cannot be read, is too large or is not UTF-8.
    """
    shown = short(repr(str(path)), 200)
    try:
        size = path.stat().st_size
        if size > MAX_FILE:
            raise InputError(f"{shown} has {size} bytes; at most {MAX_FILE} are read")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown} is not UTF-8: {error.reason} at byte {error.start}") from None
    except OSError as error:
        raise InputError(f"{shown} cannot be read: {error.strerror}") from None
    except ValueError:
        raise InputError(f"{shown} is no file name") from None


def duration(text: str | timedelta) -> timedelta:
    """A length of time: ``90m``, ``12h``, ``30d``, ``4w``."""
    if isinstance(text, timedelta):
        return text
    found = re.fullmatch(r"([0-9]{1,6})([mhdw])", text.strip())
    if found is None:
        raise typer.BadParameter(f"{short(repr(text))} is not a length of time such as 90m, 12h, 30d or 4w")
    unit = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}[found[2]]
    return timedelta(**{unit: int(found[1])})


def confirmed(question: str) -> bool:
    """Ask on stderr, read the answer from stdin; anything but yes is no."""
    # Not typer.confirm: that writes to stdout even where it asks on stderr.
    print(f"{clean(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer or not sys.stdin.isatty():  # nobody ended the line by pressing Enter
        print(file=sys.stderr)
    return answer.strip().lower() in ("y", "yes")


Json = Annotated[bool, typer.Option("--json", help="Print one JSON value instead of text.")]
BranchNumber = Annotated[
    int,
    typer.Argument(metavar="BRANCH", parser=number("a branch"), help="Number of the branch.", show_default=False),
]
At = Annotated[
    int | None,
    typer.Option(
        "--at",
        metavar="EVENT",
        parser=number("an event", 0, MAX_EVENT),
        help="As it was after this event (0: at the start).",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="NUMBER", parser=number("a seed", 0, MAX_EVENT), help="Seed of what is random."),
]
Split = Annotated[
    str | None,
    typer.Option(
        "--split", metavar="SPLIT", parser=words("a split"), help="Of a set only this part: train, validation or test."
    ),
]
WorldModel = Annotated[
    str | None,
    typer.Option(
        "--world-model",
        metavar="MODEL",
        envvar="COMPOWORLD_WORLD_MODEL",
        show_envvar=False,
        parser=words("a model"),
        help="Answers the tools without code; by default the model in COMPOWORLD_WORLD_MODEL.",
    ),
]
