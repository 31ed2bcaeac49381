"""Files of specifications: JSON documents and JSON Lines, told apart by their content."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engine.errors import InputError
from synth.ingest.document import parse
from synth.ingest.forms import FORMS, Found, GivenServer, Rejected, servers_in, together

MAX_DOCUMENT = 200_000_000
"""Bytes of a file that is read as one JSON document."""

MAX_LINE = 50_000_000
"""Bytes of a line of JSON Lines."""

_HINT = f"{FORMS} is needed"


def read_file(path: Path, source: str | None = None) -> Iterator[Found]:
    """The servers of a file, and what in it holds none.

    Args:
        source: what the file is called; by default its path.

    Raises:
        InputError: the file cannot be read, or nothing in it is JSON.
    """
    called = source or str(path)
    try:
        if path.is_dir():
            raise InputError(f"{called} is a folder", hint="name its files")
        with path.open("rb") as file:
            yield from read_stream(file, path.stem, called)
    except OSError as error:
        raise InputError(f"{called} cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in its name
        raise InputError(f"{called!r} is no file name: {error}") from None


def read_stream(file: BinaryIO, name: str, source: str) -> Iterator[Found]:
    """The servers that an open file holds, from its beginning; it can be rewound.

    Args:
        name: for a list of tools that does not say whose they are.
        source: what the file is called.

    Raises:
        InputError: nothing in it is JSON.
    """
    lines = _first_line_is_whole(file)
    file.seek(0)
    yield from _lines(file, name, source) if lines else _document(file, name, source)


def _first_line_is_whole(file: BinaryIO) -> bool:
    """Whether these are JSON Lines: the first line is an object of its own, and something comes after it."""
    line = b""
    while not line.strip():
        line = file.readline(MAX_LINE)
        if not line:
            return False
    return _is_object(line) and bool(file.readline(MAX_LINE).strip() or file.read(MAX_LINE).strip())


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(parse(_decoded(line)), dict)
    except ValueError:
        return False


def _document(file: BinaryIO, name: str, source: str) -> Iterator[Found]:
    content = file.read(MAX_DOCUMENT + 1)
    if len(content) > MAX_DOCUMENT:
        raise InputError(f"{source} has more than {MAX_DOCUMENT} bytes", hint="as JSON Lines it can be of any size")
    if not content.strip():
        raise InputError(f"{source} is empty", hint=_HINT)
    try:
        value = parse(_decoded(content))
    except ValueError as error:
        if any(_is_object(line) for line in content.splitlines()):  # its first line is spoiled
            file.seek(0)
            yield from _lines(file, name, source)
            return
        raise InputError(f"{source}: {error}", hint=_HINT) from None
    yield from servers_in(value, name, source, source)


def _lines(file: BinaryIO, name: str, source: str) -> Iterator[Found]:
    found: list[Found] = []
    readable = 0
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        place = f"{source}, line {number}"
        if len(line) > MAX_LINE:
            found.append(Rejected(place, f"it has more than {MAX_LINE} bytes"))
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
            continue
        if not line.strip():
            continue
        try:
            value = parse(_decoded(line))
        except ValueError as error:
            found.append(Rejected(place, str(error)))
            continue
        readable += 1
        found.extend(servers_in(value, name, source, place))
    if not readable:
        raise InputError(f"{source}: no line is JSON: {_first_reason(found)}", hint=_HINT)
    yield from together(found, name, source)


def _first_reason(found: list[Found]) -> str:
    return next((f"{item.place}: {item.reason}" for item in found if isinstance(item, Rejected)), "it is empty")


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from None


def only_rejected(found: list[Found], source: str) -> InputError | None:
    """The error of a source that holds no server at all."""
    if any(isinstance(item, GivenServer) for item in found):
        return None
    reasons = [item for item in found if isinstance(item, Rejected)]
    first = f"{reasons[0].place}: {reasons[0].reason}" if reasons else f"{source}: it holds no server"
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return InputError(first + more, hint=None if FORMS in first else _HINT)
