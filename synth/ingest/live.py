"""Running MCP servers: their tools asked for by the official client, over standard input and output or over HTTP.

The server is a foreign program. It gets a few variables of the environment and a time limit, and it is ended in any
case; what it says is data.
"""

from __future__ import annotations

import logging
import os
import shlex
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from engine.errors import InputError
from synth.ingest.document import plain_text
from synth.ingest.forms import MAX_DESCRIPTION, MAX_TITLE, MOST_TOOLS, GivenServer

if TYPE_CHECKING:
    from mcp import Client

TIMEOUT = 60.0
"""Seconds that a server has for everything."""

_MOST_PAGES = 1_000
_SAID = 300
"""Characters of what a server wrote to its standard error that an error shows."""

_HINT = "its tools can be given as a file, too: the result of tools/list"


def read_command(command: str, *, environment: Sequence[str] = (), seconds: float = TIMEOUT) -> GivenServer:
    """The tools of a server that is started for this, and ended after it.

    Args:
        command: as a shell would read it; no shell is involved.
        environment: names of variables that the server gets beside ``PATH``, ``HOME`` and the like.
        seconds: time limit.

    Raises:
        InputError: the command cannot be run, the server breaks the protocol, lists no tools or takes too long.
    """
    try:
        program, *arguments = shlex.split(command) or [""]
    except ValueError as error:
        raise InputError(f"the command {command!r} cannot be read: {error}") from None
    if not program or "\x00" in command:
        raise InputError(f"{command!r} is no command")
    _client_is_there()
    missing = [name for name in environment if name not in os.environ]
    if missing:
        raise InputError(f"{', '.join(missing)}: no such variable in the environment")

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        from mcp import StdioServerParameters, stdio_client

        server = StdioServerParameters(
            command=program,
            args=arguments,
            env={name: os.environ[name] for name in environment},
            encoding_error_handler="replace",
        )
        try:
            return _read(lambda: stdio_client(server, errlog=said), command, os.path.basename(program), seconds)
        except InputError as error:
            raise InputError(f"{error.message}{_last_words(said)}", error.hint) from error.__cause__


def read_url(url: str, *, headers: Mapping[str, str] | None = None, seconds: float = TIMEOUT) -> GivenServer:
    """The tools of a server that runs somewhere (streamable HTTP).

    Args:
        headers: of every request; they are not stored.
        seconds: time limit.

    Raises:
        InputError: there is no MCP server, it breaks the protocol, lists no tools or takes too long.
    """
    shown = public_url(url)
    _client_is_there()
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    @asynccontextmanager
    async def connect() -> AsyncIterator[Any]:
        async with (
            httpx2.AsyncClient(headers=dict(headers or {}), timeout=seconds) as client,
            streamable_http_client(url, http_client=client) as streams,
        ):
            yield streams

    return _read(connect, shown, urlsplit(shown).hostname or shown, seconds)


def _client_is_there() -> None:
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise InputError(
            "the MCP client is not installed", hint="pip install 'compoworld[synth]'; or give the tools as a file"
        ) from None


def public_url(url: str) -> str:
    """The URL without what may be secret: user, password, query.

    Raises:
        InputError: it is no HTTP URL.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = parts.port
    except ValueError as error:
        raise InputError(f"the URL cannot be read: {error}") from None
    if parts.scheme not in ("http", "https") or not host or any(char < " " for char in url):
        raise InputError("a URL of an MCP server begins with http:// or https://")
    place = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, f"{place}:{port}" if port else place, parts.path, "", ""))


def _read(connect: Any, source: str, name: str, seconds: float) -> GivenServer:
    import anyio

    # Without a handler the client's log would be printed.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    try:
        return anyio.run(_list, connect, source, name, seconds)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{source}: {_explained(error, seconds)}", hint=_HINT) from error


async def _list(connect: Any, source: str, name: str, seconds: float) -> GivenServer:
    import anyio
    from mcp import Client

    with anyio.fail_after(seconds):
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(Client(connect(), read_timeout_seconds=seconds, cache=None))
            tools = await _all_tools(client, source)
            about = client.server_info
            return GivenServer(
                name=plain_text(about.name if about else "", MAX_TITLE) or name,
                source=source,
                place=source,
                tools=tools,
                title=plain_text(about.title if about and about.title else "", MAX_TITLE),
                description=plain_text(client.instructions or "", MAX_DESCRIPTION),
            )


async def _all_tools(client: Client, source: str) -> list[Any]:
    tools: list[Any] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
        cursor = page.next_cursor
        if len(tools) > MOST_TOOLS:
            raise InputError(f"{source}: it lists more than {MOST_TOOLS} tools")
        if not cursor:
            break
        if cursor in seen:
            raise InputError(f"{source}: its pages of tools go round in a circle", hint=_HINT)
        seen.add(cursor)
    else:
        raise InputError(f"{source}: it has more than {_MOST_PAGES} pages of tools", hint=_HINT)
    if not tools:
        raise InputError(f"{source}: it lists no tools")
    return tools


def _explained(error: BaseException, seconds: float) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, InputError):
        return error.message
    if isinstance(error, TimeoutError):
        return f"it did not answer within {seconds:g} seconds"
    if isinstance(error, FileNotFoundError):
        return "there is no such program"
    if isinstance(error, OSError):
        return f"it cannot be started: {error.strerror or error}"
    from mcp import MCPError
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"its answer breaks the protocol: {'.'.join(map(str, first['loc']))}: {first['msg']}"
    text = plain_text(error.error.message if isinstance(error, MCPError) else str(error), 300)
    return f"it does not work as an MCP server: {text or type(error).__name__}"


def _last_words(said: IO[str]) -> str:
    """What the server wrote to its standard error at last, for a message."""
    said.seek(0, os.SEEK_END)
    said.seek(max(0, said.tell() - 4 * _SAID))
    lines = [line for line in plain_text(said.read(), 4 * _SAID).splitlines() if line.strip()]
    return f"; it said: {lines[-1].strip()[:_SAID]}" if lines else ""
