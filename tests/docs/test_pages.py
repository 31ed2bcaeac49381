"""What the pages say is so: links, commands, their output, the Python snippet, the task file."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from compoworld.cli import app
from engine.postgres import URL_VARIABLE
from tests.cli.conftest import Program
from tests.docs.conftest import Demonstration
from tests.docs.pages import PAGES, ROOT, anchors, commands, fences, links, missing, name_of, shown

README = ROOT / "README.md"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in links(page):
        if "://" in target:
            continue
        place, _, anchor = target.partition("#")
        other = (page.parent / place).resolve() if place else page
        assert other.exists(), f"{target}: there is no {place}"
        if anchor:
            assert anchor in anchors(other), f"{target}: no heading of {place or 'the page'} is called so"


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target in links(index)}
    assert set(PAGES) - linked == {README, ROOT / "CHANGELOG.md", index}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_parse(page: Path) -> None:
    for arguments in commands(page):
        command: Any = typer.main.get_command(app)
        rest = list(arguments)
        while rest and not rest[0].startswith("-") and getattr(command, "commands", None) is not None:
            assert rest[0] in command.commands, f"compoworld {' '.join(arguments)}: there is no {rest[0]}"
            command = command.commands[rest.pop(0)]
        known = {flag: item for item in command.params for flag in (*item.opts, *item.secondary_opts)} if rest else {}
        places = [item for item in command.params if item.param_type_name == "argument"] if rest else []
        given = 0
        while rest:
            word = rest.pop(0)
            if not word.startswith("-") or word == "-":
                given += 1
                continue
            assert word in known or word == "--help", f"compoworld {' '.join(arguments)}: there is no {word}"
            if word in known and not known[word].is_flag:
                del rest[: known[word].nargs]
        if not any(item.nargs == -1 for item in places):
            assert given <= len(places), f"compoworld {' '.join(arguments)}: too many words"


@pytest.mark.parametrize("page", [page for page in PAGES if any(shown(page))], ids=name_of)
def test_commands_print_what_the_page_shows(page: Path, demonstration: Demonstration, demo_copy: str) -> None:
    program = Program(demo_copy)
    for item in shown(page):
        real = demonstration.output if item.arguments == ["demo"] else program(*item.arguments).out
        lacking = missing(item.output, real)
        assert lacking is None, f"compoworld {' '.join(item.arguments)} does not print: {lacking}\n{real}"


def test_the_snippet_runs(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (snippet,) = fences(README, "python")
    assert len(snippet.splitlines()) <= 15
    monkeypatch.setenv(URL_VARIABLE, database_url)
    exec(compile(snippet, "README.md", "exec"), {})
    assert capsys.readouterr().out == next(fences(README, "text"))


def test_every_snippet_is_python() -> None:
    for page in PAGES:
        for body in fences(page, "python"):
            ast.parse(body)


def test_files_named_in_the_readme_exist() -> None:
    named = re.findall(
        r"`((?:engine|migrations|rl|tasks|services|compoworld|synth|tests|docs)/[\w/.]*)`", README.read_text()
    )
    assert named
    for name in named:
        assert (ROOT / name).exists(), name


def test_the_task_file_shown_is_that_of_the_library() -> None:
    (body,) = fences(ROOT / "docs" / "tasks.md", "yaml")
    library = (ROOT / "tasks" / "library" / "settle-brightwater-dispute.yaml").read_text(encoding="utf-8")
    rest = [line.rstrip() for line in library.splitlines()]
    for line in body.splitlines():
        text = re.sub(r"\s+# .*$|^# .*$", "", line).rstrip()
        if text:
            assert text in rest, f"the task has no such line from here on: {text}"
            rest = rest[rest.index(text) + 1 :]
