"""Running MCP servers: asked for their tools, and ended whatever they do."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import InputError
from synth.ingest import ingest
from synth.ingest.live import public_url, read_command, read_url

SERVER = Path(__file__).with_name("mcp_server.py")


def command(kind: str) -> str:
    return shlex.join([sys.executable, str(SERVER), kind])


def test_a_server_of_the_official_library() -> None:
    given = read_command(command("stdio"))
    (server,) = ingest([given]).servers
    assert (server.name, server.original_name, server.description) == (
        "toy_shelf",
        "Toy Shelf",
        "Keeps things on a shelf.",
    )
    assert server.source == command("stdio")
    assert [tool.name for tool in server.tools] == ["create_thing", "get_thing"]
    assert server.tools[0].input_schema["properties"]["tags"]["anyOf"][1] == {"type": "null"}
    assert server.tools[0].description == "Put a thing on the shelf."


def test_all_pages_are_read() -> None:
    given = read_command(command("pages"))
    assert [tool["name"] for tool in given.tools] == ["get_page_0", "get_page_1", "get_page_2"]
    assert given.name == "pages"


def test_a_server_that_also_prints() -> None:
    assert len(read_command(command("noisy")).tools) == 3


def test_the_environment_is_not_passed_on_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_NAME", "secret")
    assert read_command(command("pages")).name == "pages"
    assert read_command(command("pages"), environment=["TOY_NAME"]).name == "secret"
    with pytest.raises(InputError, match="NO_SUCH_VARIABLE"):
        read_command(command("pages"), environment=["NO_SUCH_VARIABLE"])


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (command("circle"), "in a circle"),
        (command("empty"), "lists no tools"),
        (command("broken"), "breaks the protocol"),
        (command("dies"), "it said: the key is missing"),
        ("no-such-program-anywhere", "there is no such program"),
        (str(SERVER), "cannot be started"),
        ("true", "does not work as an MCP server"),
        ("", "is no command"),
        ("'", "cannot be read"),
        ("a\x00b", "is no command"),
    ],
)
def test_what_goes_wrong_is_said(wanted: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_command(wanted, seconds=20)
    assert message in str(caught.value)


def test_a_server_that_does_not_answer_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(InputError, match="did not answer within 1 seconds"):
        read_command(command("silent"), seconds=1)
    assert time.monotonic() - began < 15
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert f"{SERVER} silent" not in running


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(SERVER), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(20)


def test_a_server_over_http(address: str) -> None:
    given = read_url(f"{address}?key=secret", headers={"Authorization": "Bearer x"})
    assert given.source == address
    assert [tool["name"] for tool in given.tools] == ["create_thing", "get_thing"]


def test_no_mcp_at_that_address(address: str) -> None:
    with pytest.raises(InputError, match="does not work as an MCP server"):
        read_url(address.replace("/mcp", "/other"), seconds=20)
    with pytest.raises(InputError, match="does not work as an MCP server"):
        read_url("http://127.0.0.1:9/mcp", seconds=20)


def test_urls_are_kept_without_secrets() -> None:
    assert public_url("https://me:pw@[::1]:8080/mcp?key=1#x") == "https://[::1]:8080/mcp"
    for wrong in ("ftp://host/", "http://", "http://[bad", "http://host:port/", "http://a\x00b/"):
        with pytest.raises(InputError):
            public_url(wrong)
