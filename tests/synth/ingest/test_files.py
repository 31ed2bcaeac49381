"""Files: the form told by the content; what is wrong said with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import InputError
from synth.ingest import GivenServer, Rejected, ingest, read_file, read_servers
from tests.synth.ingest.given import arguments, tool

TOOLS = [tool(arguments(title={"type": "string"}), "make_thing"), tool(arguments(id={}), "get_thing")]
FUNCTIONS = [
    {"type": "function", "function": {"name": item["name"], "parameters": item["inputSchema"]}} for item in TOOLS
]


def written(folder: Path, content: Any, name: str = "things.json") -> Path:
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "content",
    [
        {"tools": TOOLS},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}},
        TOOLS,
        FUNCTIONS,
        {"functions": [item["function"] for item in FUNCTIONS]},
        {"tools": {item["name"]: {"inputSchema": item["inputSchema"]} for item in TOOLS}},
        "\n".join(map(json.dumps, TOOLS)),
        "\ufeff" + json.dumps({"tools": TOOLS}),
        json.dumps({"tools": TOOLS}, indent=2),
        json.dumps({"name": "things", "tools": TOOLS}) + "\n",
        {"servers": [{"name": "things", "tools": TOOLS}]},
        [{"server": "things", "tools": TOOLS}],
    ],
)
def test_forms(tmp_path: Path, content: Any) -> None:
    (server,) = read_servers(written(tmp_path, content))
    assert server.original_name.startswith("things")
    assert [item.name for item in server.tools] == ["make_thing", "get_thing"]


def test_what_a_server_says_about_itself(tmp_path: Path) -> None:
    about = {"serverInfo": {"name": "inner", "title": "Inner"}, "instructions": "Keeps things.", "tools": TOOLS}
    (server,) = read_servers(written(tmp_path, about))
    assert (server.original_name, server.title, server.description) == ("inner", "Inner", "Keeps things.")
    assert server.source.endswith("things.json")


def test_a_spoiled_line_among_good_ones(tmp_path: Path) -> None:
    good = json.dumps({"server": "a", "tools": TOOLS})
    other = json.dumps({"server": "b", "tools": TOOLS})
    lines = [good, '{"server": "x", "tools": [', "", "[]", '{"server": "y"}', b"\xff\xfe".decode("latin-1"), "7", other]
    found = list(read_file(written(tmp_path, "\n".join(lines), "all.jsonl")))
    assert [item.name for item in found if isinstance(item, GivenServer)] == ["a", "b"]
    places = {item.place.rsplit(", ", 1)[-1]: item.reason for item in found if isinstance(item, Rejected)}
    assert set(places) == {"line 2", "line 4", "line 5", "line 6", "line 7"}
    assert "not JSON" in places["line 2"] and "no tools" in places["line 4"] and "no tools" in places["line 5"]


def test_the_first_line_may_be_the_spoiled_one(tmp_path: Path) -> None:
    content = '{"server": "x", \n' + json.dumps({"server": "a", "tools": TOOLS}) + "\n"
    first, second = read_file(written(tmp_path, content))
    assert isinstance(first, Rejected) and isinstance(second, GivenServer)


def test_a_line_that_is_not_utf8(tmp_path: Path) -> None:
    content = json.dumps({"server": "a", "tools": TOOLS}).encode() + b'\n{"server": "\xff"}\n'
    _, rejected = read_file(written(tmp_path, content))
    assert isinstance(rejected, Rejected) and "not UTF-8" in rejected.reason


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ('{"tools": [}', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\x00", "not UTF-8"),
        ("{}", "it holds no tools"),
        ("[]", "it lists no tools"),
        ("7", "neither an object nor a list"),
        ("null", "neither an object nor a list"),
        ({"tools": []}, "it lists no tools"),
        ({"tools": 5}, "its tools are no list"),
        ("{]\n{]\n", "not JSON"),
        ({"tools": [tool({}, f"t{number}") for number in range(5_001)]}, "at most 5000 are read"),
    ],
)
def test_files_that_hold_no_server(tmp_path: Path, content: Any, message: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as caught:
        read_servers(path)
    assert message in str(caught.value) and str(path) in str(caught.value)
    assert "tools/list result" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, Path("a\x00b")):
        with pytest.raises(InputError):
            read_servers(path)


def test_numbers_that_json_does_not_have(tmp_path: Path) -> None:
    content = (
        '[{"name": "make", "inputSchema": {"type": "object", "properties":'
        ' {"a": {"type": "number", "default": NaN, "maximum": 1e999, "minimum": -' + "9" * 5_000 + "}}}}]"
    )
    (server,) = read_servers(written(tmp_path, content))
    assert server.tools[0].input_schema["properties"]["a"] == {"type": "number"}


def test_a_server_read_twice_is_one(tmp_path: Path) -> None:
    path = written(tmp_path, {"name": "things", "tools": TOOLS})
    result = ingest([*read_file(path), *read_file(path)])
    assert len(result.servers) == 1
    assert [item.reason for item in result.rejected] == ["the server things with the same tools was read before"]


def test_servers_of_one_name_with_other_tools(tmp_path: Path) -> None:
    lines = [json.dumps({"server": "things", "tools": [item]}) for item in TOOLS]
    servers = read_servers(written(tmp_path, "\n".join(lines), "all.jsonl"))
    assert [server.name for server in servers] == ["things", "things_2"]
