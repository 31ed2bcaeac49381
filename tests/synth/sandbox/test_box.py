"""A generated service at work: loaded, described, seeded, called, tested; and what is said of one that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.ddl import service_ddl
from engine.errors import ServiceDefinitionError
from engine.library import Library, describe_fields
from engine.world import World
from synth.errors import GeneratedCodeInvalid, SandboxStopped, SandboxUnavailable
from synth.sandbox import bubblewrap
from synth.sandbox.box import Box
from synth.sandbox.description import make_entities, read_description
from synth.sandbox.inside.describe import described
from synth.sandbox.target import SandboxTarget
from synth.sandbox.testing import run_tests
from tests.synth.sandbox import notebook
from tests.synth.sandbox.conftest import LIMITS, left_behind

MakeBox = Callable[..., Box]


def test_tools_answer_as_anywhere(box: MakeBox) -> None:
    opened = box()
    branch = opened.snapshot().fork()
    page = notebook.call(branch, "list_notes", {"limit": 2}).data
    assert [note["id"] for note in page["items"]] == ["note_1", "note_2"]
    assert [page["items"][0][name] for name in ("budget", "tags", "extra", "changed_at")] == [
        12.34,
        ["a", "b"],
        {"n": 1},
        "2026-03-01T14:30:00Z",
    ]
    rest = notebook.call(branch, "list_notes", {"limit": 2, "cursor": page["next_cursor"]}).data
    assert [note["id"] for note in rest["items"]] == ["note_3"]
    added = notebook.call(branch, "add_note", {"title": "Depot"})
    assert (added.event, added.changes, added.outcome) == (3, 1, "ok")
    assert notebook.call(branch, "get_note", {"note_id": "lost"}).outcome == "error"
    assert notebook.call(branch, "get_note", {}).outcome == "invalid"
    assert notebook.call(branch, "nonsense", {}).outcome == "unknown"
    assert notebook.call(branch, "add_note", {"title": "\x00"}).outcome == "invalid"
    assert notebook.call(branch, "add_note", {"title": "x" * 300}).outcome == "error"
    gone = notebook.call(branch, "drop_folder", {"folder_id": "fld_1"})
    assert gone.changes == 5
    assert notebook.call(branch, "list_notes", {}).data["items"] == []
    assert [event.seq for event in branch.events()] == list(range(1, 11))


def test_the_same_call_on_the_same_state_gives_the_same(box: MakeBox) -> None:
    opened = box()
    snapshot = opened.snapshot()
    one, two = snapshot.fork(), snapshot.fork()
    for branch in (one, two):
        notebook.call(branch, "add_note", {"title": "Depot"})
    assert one.digest() == two.digest()
    fork = one.fork(at=0)
    assert notebook.call(fork, "add_note", {"title": "Depot"}).observation == one.events()[0].observation


def test_a_fault_of_the_code_is_told_with_its_line(box: MakeBox) -> None:
    opened = box("return 1 / 0")
    result = notebook.call(opened.snapshot().fork(), "probe", {})
    assert result.outcome == "fault"
    assert "ZeroDivisionError" in str(result.detail)
    assert "return 1 / 0" in str(result.detail)


def test_the_tables_outside_are_those_inside(box: MakeBox) -> None:
    ddl = service_ddl(box().service)
    assert "CHECK (state IN ('draft', 'shared'))" in ddl
    assert "budget NUMERIC(14, 2)" in ddl
    assert "notebook_note_folder_id_fkey" in ddl
    assert "DELETE FROM @schema@.notebook_note v" in ddl


@pytest.mark.parametrize("name", ["billing", "calendar", "chat", "contacts", "mail", "retail", "tickets"])
def test_a_description_holds_all_of_a_service(name: str) -> None:
    service = Library().get(name)
    found = read_description(json.loads(json.dumps(described(service))), name, service.tools)
    entities = make_entities(found)
    same = SimpleNamespace(entities=entities)
    assert service_ddl(same) == service_ddl(service)  # type: ignore[arg-type]
    assert [describe_fields(entity) for entity in entities] == [describe_fields(entity) for entity in service.entities]


def test_generated_tests(box: MakeBox) -> None:
    report = run_tests(box(test_it=notebook.TESTS))
    assert report.ok, report
    assert len(report.passed) == 3


def test_a_test_that_fails_says_why(box: MakeBox) -> None:
    tests = """
def test_one(play):
    assert play.ok("get_note", note_id="note_1")["title"] == "Note 2"

def test_two(play):
    play.ok("get_note", note_id="lost")

def test_three(play):
    play.fails("get_note", note_id="note_1")

def test_four(play):
    play.ok("probe")

def test_five(play):
    assert play.ok("list_notes")["items"]
"""
    report = run_tests(box("return 1 / 0", test_it=tests))
    assert not report.ok
    assert [name.rpartition("::")[2] for name in report.passed] == ["test_five"]
    texts = {name.rpartition("::")[2]: text for name, text in report.failed}
    assert "'Note 1' == 'Note 2'" in texts["test_one"]
    assert "get_note said no: {'code': 'not_found'" in texts["test_two"]
    assert "get_note did it" in texts["test_three"]
    assert "ZeroDivisionError" in texts["test_four"]


def test_a_test_file_that_cannot_be_read(box: MakeBox) -> None:
    report = run_tests(box(test_it="import nothing_of_that_name"))
    assert not report.ok
    assert "nothing_of_that_name" in report.failed[0][1]


def test_a_test_that_loops_is_named(box: MakeBox) -> None:
    opened = box(test_it="def test_long(play):\n    while True: pass")
    report = run_tests(opened)
    assert "test_long" in str(report.stopped)
    assert "in time" in str(report.stopped)
    assert notebook.call(opened.snapshot().fork(), "list_notes", {}).ok


def test_a_service_without_tests_is_not_tested(box: MakeBox) -> None:
    assert not run_tests(box()).ok


def test_a_test_takes_no_branch_of_others(box: MakeBox) -> None:
    opened = box(test_it="def test_x(play):\n    play._branch = 1\n    play.ok('list_notes')")
    other = opened.snapshot().fork()
    tests = f"def test_x(play):\n    play._branch = {other.id}\n    play.ok('list_notes')"
    report = run_tests(box(test_it=tests))
    assert "none of this test" in report.failed[0][1]
    assert other.events() == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("__init__", "", "does not define `service`"),
        ("__init__", "1 / 0", "ZeroDivisionError"),
        ("__init__", "def", "SyntaxError"),
        ("__init__", "raise SystemExit(0)", "SystemExit"),
        ("state", "", "cannot import name"),
        ("tools", "from .state import Note", "stand only in the specification or only in the code"),
        ("seed", "import os\nos.fork()", "PermissionError"),
    ],
)
def test_files_that_make_no_service(world: World, name: str, text: str, said: str) -> None:
    with pytest.raises((GeneratedCodeInvalid, ServiceDefinitionError), match=said) as wrong:
        Box(world.database, notebook.NAME, notebook.files(**{name: text}), LIMITS)
    assert "/box/" not in str(wrong.value)
    assert left_behind(world) == []


@pytest.mark.parametrize("text", ["while True: pass", "import os\nos._exit(1)", "x = [0]\nwhile True: x += x"])
def test_an_import_that_does_not_end(world: World, text: str) -> None:
    with pytest.raises((SandboxStopped, GeneratedCodeInvalid), match=r"its import|MemoryError"):
        Box(world.database, notebook.NAME, notebook.files(state=text), replace(LIMITS, start_seconds=4))


FOLDER, NOTE = "from .state import Folder\ndef rows(seed):\n  ", "from .state import Note\ndef rows(seed):\n  "


@pytest.mark.parametrize(
    ("seed", "said"),
    [
        ("def rows(seed): yield 1", "seed"),
        ("def rows(seed): 1 / 0", "ZeroDivisionError"),
        (FOLDER + "while True: yield Folder(id='x', name='x')", "more than"),
        (FOLDER + "yield Folder(id='x', name='x' * 99)", "at most 80"),
        (FOLDER + "yield Folder(id='a', name='x')\n  yield Folder(id='b', name='x')", "twice"),
        (NOTE + "yield Note(id='x', folder_id='y', title='', changed_at=seed.start)", "no such"),
        ("def rows(seed):\n  while True: pass", "in time"),
    ],
)
def test_seeds_that_are_wrong(box: MakeBox, seed: str, said: str) -> None:
    opened = box(seed=seed, limits=replace(LIMITS, rows=50))
    with pytest.raises((GeneratedCodeInvalid, SandboxStopped), match=said):
        opened.snapshot()


STATE = notebook.files()["state.py"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('key("note")', 'key("note"); __tablename__ = "x; DROP SCHEMA compoworld"', "String should match|named"),
        ("    title:", "    _x1: str = ''\n    title_é: str = field('text')\n    title:", "title_é"),
        ('field("title", max_length=200)', '__import__("sqlmodel").Field()', "semantic"),
    ],
)
def test_entities_that_are_none(world: World, old: str, new: str, said: str) -> None:
    with pytest.raises((GeneratedCodeInvalid, ServiceDefinitionError), match=said):
        Box(world.database, notebook.NAME, notebook.files(state=STATE.replace(old, new)), LIMITS)


def test_texts_are_quoted(box: MakeBox) -> None:
    state = STATE.replace('"shared")', '"shared", "\'); DROP SCHEMA compoworld; --", "$trigger$")')
    opened = box(state=state)
    assert notebook.call(opened.snapshot().fork(), "list_notes", {}).ok


@pytest.mark.parametrize("path", ["../x.py", "/etc/x.py", "a/../../x.py", ".x.py", "x.sh", "", "a//b.py", "x\ny.py"])
def test_files_stay_in_their_folder(world: World, path: str) -> None:
    with pytest.raises(GeneratedCodeInvalid, match=r"no path|made of"):
        Box(world.database, notebook.NAME, {**notebook.files(), path: ""}, LIMITS)


def test_without_bubblewrap_nothing_runs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_problem", lambda: ("there is no bwrap (bubblewrap)", "install it"))
    with pytest.raises(SandboxUnavailable, match="there is no bwrap"):
        Box(world.database, notebook.NAME, notebook.files(), LIMITS)


def test_where_bwrap_refuses_it_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no user namespaces' >&2; exit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap._problem.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="no user namespaces"):
            bubblewrap.check()
    finally:
        bubblewrap._problem.cache_clear()


def test_a_target(world: World) -> None:
    with SandboxTarget(world, notebook.NAME, notebook.files(), limits=LIMITS) as target:
        branch = target.fork()
        before = target.digest(branch)
        assert target.call(branch, "add_note", {"title": "Depot"}).ok
        assert target.digest(branch) != before
        assert target.digest(target.fork()) == before
        assert target.digest(target.fork(branch)) == target.digest(branch)
        assert set(target.specifications) == {"list_notes", "get_note", "add_note", "drop_folder", "probe"}
    assert left_behind(world) == []
