"""``docs/services.md``: the service that it shows, built from its blocks, and its test, run as a reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.postgres import URL_VARIABLE
from tests.docs.pages import ROOT

_FILE = re.compile(r"^`(?P<path>(?:services|tests)/[\w/.]+)`\n\n```\w+\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_FINDS_IT = "import services\n\nservices.__path__.append({folder!r})\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, and a conftest that adds its services to those of the library."""
    made = tmp_path_factory.mktemp("page")
    for found in _FILE.finditer((ROOT / "docs" / "services.md").read_text(encoding="utf-8")):
        path = made / found["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["body"], encoding="utf-8")
    (made / "sitecustomize.py").write_text(_FINDS_IT.format(folder=str(made / "services")), encoding="utf-8")
    return made


def _python(folder: Path, url: str, *arguments: str) -> str:
    """A process of its own: other tests have a service of the same name."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env={**os.environ, URL_VARIABLE: url, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_service_is_whole(folder: Path) -> None:
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*") if path.name != "sitecustomize.py") == [
        "services/notes/__init__.py",
        "services/notes/seed.py",
        "services/notes/state.py",
        "services/notes/tools.json",
        "services/notes/tools.py",
        "tests/services/test_notes.py",
    ]


def test_the_test_of_the_page_passes(folder: Path, server_url: str) -> None:
    plugins = ("-p", "tests.conftest", "-p", "tests.services.conftest", "-p", "no:cacheprovider", "-p", "no:xdist")
    place = ("-c", os.devnull, "--rootdir", str(folder), "--import-mode=importlib", "-q")
    printed = _python(folder, server_url, "pytest", *plugins, *place, str(folder / "tests"))
    assert "1 passed" in printed


def test_the_tools_of_the_page_are_called(folder: Path, database_url: str) -> None:
    shown = _python(folder, database_url, "compoworld", "services", "show", "notes")
    assert "share_note" in shown
    called = _python(
        folder, database_url, "compoworld", "services", "call", "notes", "share_note", '{"note_id": "note_1"}'
    )
    assert "shared" in called
