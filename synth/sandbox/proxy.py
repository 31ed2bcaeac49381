"""The socket that the sandbox finds, and what it leads to: the database, as the sandbox's own role, and nothing else.

The server's own socket is not given to the sandbox: an embedded server knows its user by the process (``peer``), so
generated code could log in as anybody. Here the trusted side logs in with the sandbox's role; whatever name the code
gives is not looked at. So a server over TCP serves as well.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from synth.sandbox.statements import refusal

SOCKET = ".s.PGSQL.5432"

_ENCRYPT = (80877103, 80877104)
_PROTOCOL_3 = 3
_MAX_FRAME = 64 << 20
_CHUNK = 64 * 1024
_PARAMETERS = (
    "server_version",
    "server_encoding",
    "client_encoding",
    "DateStyle",
    "IntervalStyle",
    "TimeZone",
    "integer_datetimes",
    "standard_conforming_strings",
)
# What a client of ours sends: parse, bind, describe, execute, close, flush, sync, simple query, terminate.
_PASSED = frozenset(b"PBDECHSQX")


class Proxy:
    """Listens in a folder; each connection becomes one of the sandbox's role.

    Args:
        folder: of the socket.
        login: opens a connection to the database in the sandbox's role.
        most: connections at once.

    Attributes:
        refused: why statements were not passed on, the last ones.
    """

    def __init__(self, folder: Path, login: Callable[[], psycopg.Connection[Any]], most: int) -> None:
        self.refused: list[str] = []
        self._login = login
        self._most = most
        self._open: list[tuple[socket.socket, socket.socket, psycopg.Connection[Any]]] = []
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen(8)
        threading.Thread(target=self._accept, name="compoworld-sandbox-proxy", daemon=True).start()

    def drop(self) -> None:
        """End every connection."""
        with self._lock:
            pairs, self._open = self._open, []
        for inside, server, connection in pairs:
            for end in (inside, server):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            connection.close()

    def close(self) -> None:
        """Stop listening and end every connection."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.drop()

    def _accept(self) -> None:
        while True:
            try:
                inside, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(inside,), name="compoworld-sandbox-proxy", daemon=True).start()

    def _serve(self, inside: socket.socket) -> None:
        with inside:
            try:
                self._connect(inside)
            except (OSError, ValueError, struct.error):
                pass  # whatever it said was no client of ours

    def _connect(self, inside: socket.socket) -> None:
        inside.settimeout(20)
        stream = inside.makefile("rb")
        while True:
            length, code = struct.unpack("!ii", _exactly(stream, 8))
            if not 8 <= length <= 10_000:
                raise ValueError(length)
            _exactly(stream, length - 8)
            if code not in _ENCRYPT:
                break
            inside.sendall(b"N")
        if code >> 16 != _PROTOCOL_3:
            return
        with self._lock:
            full = len(self._open) >= self._most
        if full:
            inside.sendall(_failure("53300", "the sandbox has its connections already"))
            return
        try:
            connection = self._login()
        except (psycopg.Error, RuntimeError) as error:
            inside.sendall(_failure("57P03", f"the sandbox's role cannot log in: {error}"))
            return
        inside.settimeout(None)
        with connection, socket.socket(fileno=os.dup(connection.fileno())) as server:
            server.setblocking(True)
            entry = (inside, server, connection)
            with self._lock:
                self._open.append(entry)
            try:
                inside.sendall(_welcome(connection))
                back = threading.Thread(target=_pour, args=(server, inside), daemon=True)
                back.start()
                self._forward(stream, server)
            finally:
                for end in (server, inside):
                    with contextlib.suppress(OSError):
                        end.shutdown(socket.SHUT_RDWR)
                with self._lock:
                    if entry in self._open:
                        self._open.remove(entry)

    def _forward(self, stream: Any, server: socket.socket) -> None:
        while True:
            kind, length = struct.unpack("!ci", _exactly(stream, 5))
            if kind[0] not in _PASSED or not 4 <= length <= _MAX_FRAME:
                return
            body = _exactly(stream, length - 4)
            if kind in b"QP":
                body = self._looked_at(kind, body)
            server.sendall(kind + struct.pack("!i", len(body) + 4) + body)
            if kind == b"X":
                return

    def _looked_at(self, kind: bytes, body: bytes) -> bytes:
        """The body of a query, or of one that fails on the server in its place: so the two stay in step."""
        name, rest = (b"", body) if kind == b"Q" else body.split(b"\0", 1)
        statement, more = rest.split(b"\0", 1)
        reason = refusal(statement.decode("utf-8"))
        if reason is None:
            return body
        del self.refused[:-50]
        self.refused.append(reason)
        shown = "".join(char if char.isascii() and char.isprintable() and char != '"' else " " for char in reason)
        statement = f'SELECT compoworld_door."refused: {shown[:50]}"()'.encode()
        return (b"" if kind == b"Q" else name + b"\0") + statement + b"\0" + more


def _exactly(stream: Any, size: int) -> bytes:
    data: bytes = stream.read(size)
    if len(data) < size:
        raise ValueError("the other side has hung up")
    return data


def _frame(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def _welcome(connection: psycopg.Connection[Any]) -> bytes:
    said = _frame(b"R", struct.pack("!i", 0))
    for name in _PARAMETERS:
        value = connection.pgconn.parameter_status(name.encode())
        if value is not None:
            said += _frame(b"S", name.encode() + b"\0" + value + b"\0")
    return said + _frame(b"K", struct.pack("!ii", connection.info.backend_pid, 0)) + _frame(b"Z", b"I")


def _failure(state: str, message: str) -> bytes:
    fields = b"".join(kind + text.encode() + b"\0" for kind, text in ((b"S", "FATAL"), (b"C", state), (b"M", message)))
    return _frame(b"E", fields + b"\0")


def _pour(source: socket.socket, target: socket.socket) -> None:
    try:
        while chunk := source.recv(_CHUNK):
            target.sendall(chunk)
    except OSError:
        pass
    finally:
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
