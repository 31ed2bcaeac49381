"""``docs/building.md``: its specification built as a reader would, and what the commands and the files say."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.database import Database
from synth.builds import current_build
from tests.cli.conftest import Program
from tests.docs.pages import ROOT, fences, missing
from tests.docs.sql_page import ask

PAGE = ROOT / "docs" / "building.md"


def steps() -> Iterator[tuple[list[str], list[str]]]:
    """The commands of the page's sessions, with their output."""
    for body in fences(PAGE, "shellsession"):
        for part in body.split("$ compoworld ")[1:]:
            command, _, output = part.partition("\n")
            yield shlex.split(command), [line.rstrip() for line in output.splitlines()]


def test_the_page(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (specification,) = fences(PAGE, "json")
    (tmp_path / "lending-desk.json").write_text(specification, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    program = Program(database_url)
    shown = list(steps())
    assert [arguments[:2] for arguments, _ in shown[:4]] == [
        ["synth", word] for word in ("ingest", "build", "attack", "report")
    ]
    for arguments, output in shown:
        real = program(*arguments).out
        lacking = missing(output, real)
        assert lacking is None, f"compoworld {' '.join(arguments)} does not print: {lacking}\n{real}"
    query, answer = next(fences(PAGE, "sql")), next(fences(PAGE, "text"))
    assert missing([line.rstrip() for line in answer.splitlines()], ask(database_url, query)) is None
    database = Database(database_url).open()
    build = current_build(database, "lending_desk")
    database.close()
    assert build is not None
    page = PAGE.read_text(encoding="utf-8")
    for file in ("state.py", "tools.py"):
        body = page.split(f"<!-- from {file} -->\n\n```python\n")[1].split("```")[0]
        # On pages the formatter writes quotes in its own way.
        assert body.replace('"', "'") in build.files[file].replace('"', "'")
