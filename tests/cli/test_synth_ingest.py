"""``compoworld synth ingest``."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Program

TOOLS = [
    {"name": "create-note", "inputSchema": {"type": "object", "properties": {"text": {"type": "str"}}}},
    {"name": "get_note", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
    {"name": "delete_note", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
]


@pytest.fixture
def program(database_url: str) -> Program:
    return Program(database_url)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "all.jsonl"
    lines = [
        {"server": "scribble", "tools": [*TOOLS, {"name": ""}]},
        {"server": "lookup", "tools": [{"name": "find_word", "inputSchema": {}}], "class": "read_only"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + "spoiled\n")
    return str(path)


def test_figures(program: Program, file: str) -> None:
    figures: dict[str, Any] = program.json("synth", "ingest", file)
    assert {key: figures[key] for key in ("servers", "applications", "tools", "usable", "refused")} == {
        "servers": 2,
        "applications": 1,
        "tools": 5,
        "usable": 4,
        "refused": 1,
    }
    assert figures["stored"] == {"new": 2}
    assert figures["notes"]["name"] == 1 and figures["notes"]["type-name"] == 1
    assert figures["agreement"]["given"] == 1 and figures["agreement"]["rate"] == 1.0
    assert [item["place"] for item in figures["rejected"]] == [f"{file}, line 3"]
    assert figures["refused_tools"] == [{"server": "scribble", "tool": "tool 4", "reason": "it has no name"}]
    assert sum(item["servers"] for item in figures["domains"].values()) == 2
    assert program.json("synth", "ingest", file)["stored"] == {"unchanged": 2}


def test_text(program: Program, file: str) -> None:
    text = program.text("synth", "ingest", file)
    assert text.startswith("2 servers, 1 of them applications; 5 tools, 4 usable, 1 refused\n")
    assert "keeps note: 2 of 3 tools write, 1 read" in " ".join(text.split())
    assert "it has no name" in text and "line 3" in text


def test_looking_opens_no_database(file: str) -> None:
    nowhere = Program("postgresql://nobody@127.0.0.1:9/nothing")
    assert nowhere.json("synth", "ingest", file, "--check")["stored"] is None
    assert nowhere("synth", "ingest", file).code == 3


def test_several_sources(program: Program, file: str, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"tools": TOOLS}))
    server = Path(__file__).parents[1] / "synth" / "ingest" / "mcp_server.py"
    command = shlex.join([sys.executable, str(server), "pages"])
    figures = program.json("synth", "ingest", file, str(other), "--command", command)
    assert [item["name"] for item in figures["listing"]] == ["scribble", "lookup", "other", "pages"]
    assert figures["near"] == [["other", "scribble"]]


def test_standard_input(program: Program) -> None:
    said = program("synth", "ingest", "-", "--json", stdin=json.dumps(TOOLS))
    assert said.code == 0 and json.loads(said.out)["listing"][0]["name"] == "stdin"


def test_our_own_judgement(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"name": "a", "tools": TOOLS, "class": "other"}))
    assert program.json("synth", "ingest", str(path), "--check")["applications"] == 0
    assert program.json("synth", "ingest", str(path), "--check", "--classify")["applications"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is nothing to read"),
        (["no-such-file.json"], "cannot be read: No such file"),
        (["--command", "no-such-program"], "there is no such program"),
        (["http://127.0.0.1:9/mcp"], "does not work as an MCP server"),
        (["http://127.0.0.1:9/mcp", "--header", "nonsense"], "'Name: value'"),
        (["--command", "true", "--env", "NO_SUCH_VARIABLE"], "no such variable"),
        (["--command", "true", "--timeout", "0"], "not a number of seconds"),
    ],
)
def test_refused(program: Program, arguments: list[str], message: str) -> None:
    assert message in program.refused("synth", "ingest", *arguments)


def test_bad_files_are_refused_before_anything_is_stored(program: Program, file: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"tools": [')
    assert f"{bad}: not JSON" in program.refused("synth", "ingest", file, str(bad))
    assert program.json("synth", "ingest", file)["stored"] == {"new": 2}


def test_what_a_server_says_does_not_reach_the_terminal_as_control(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    hostile = {
        "name": "\x1b[2J[red]x",
        "title": "\x1b]0;x\x07",
        "tools": [{"name": "\x1b[31m", "inputSchema": 5}, *TOOLS],
    }
    path.write_text(json.dumps(hostile))
    text = program.text("synth", "ingest", str(path))
    assert "\x1b" not in text and "\\x1b" in text
