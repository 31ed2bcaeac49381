"""tasks make, sets, card, yield, split, export, import, list --set: on a set that comes with files."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compoworld.cli.tasks.making import Bar
from synth.shelf import world_with_shelf
from tasks.admission import CHECKS
from tasks.files import named
from tasks.sets.making import Progress, make
from tests.cli.conftest import Program
from tests.processes import eventually
from tests.tasks.sets.fake import FakeWorkshop

pytestmark = pytest.mark.integration

TASK = "move-halcyon-kickoff"


@pytest.fixture
def program(lonely: Program, tmp_path: Path) -> Program:
    """The program on a database with one set of six tasks, two of its candidates rejected."""
    workshop = FakeWorkshop(tmp_path / "diary", untold=frozenset({1}), unsound=frozenset({2}))
    with world_with_shelf(lonely.url) as world:
        make(world, 6, name="six", seed=4, workshop=workshop)
    return lonely


def test_a_set_from_making_to_another_database(program: Program, database_url: str, tmp_path: Path) -> None:
    stored = program.json("tasks", "sets")["stored"]
    assert [(item["name"], item["admitted"], item["rejected"]) for item in stored] == [("six", 6, 2)]
    assert "six" in program.text("tasks", "sets")

    found = program.json("tasks", "list", "--set", "six")
    assert [item["task"] for item in found] == [f"fake-4-{ordinal}" for ordinal in (0, 3, 4, 5, 6, 7)]
    assert "fake-4-3" in program.text("tasks", "list", "--set", "six")

    splits = program.json("tasks", "split", "six", "--test", "0.34")["splits"]
    assert (splits["train"]["tasks"], splits["test"]["tasks"]) == (4, 2)
    said = program.text("tasks", "split", "six", "--test", "0.34")
    assert "No composition is in more than one part." in said
    assert "2 families are in more than one part (--by family parts them)." in said
    apart = program.json("tasks", "split", "six", "--test", "0.34", "--by", "family")
    assert (apart["by"], apart["shared_families"]) == ("family", 0)
    assert program.json("tasks", "split", "six", "--test", "0.34")["shared_families"] == 2
    assert len(program.json("tasks", "list", "--set", "six", "--split", "test")) == 2

    card = program.json("tasks", "card", "six")
    assert (card["admitted"], card["splits"]) == (6, {"train": 4, "test": 2})
    assert program.text("tasks", "card", "six").startswith("# Tasks: six\n")

    stages = {item["stage"]: item for item in program.json("tasks", "yield", "six")}
    assert (stages["write"]["rejected"], stages["broken"]["rejected"]) == (1, 1)
    shown = program.text("tasks", "yield", "six", "--full")
    assert "criterion … is idle" in shown and "2, family-2" in shown

    about = program.json("tasks", "show", "fake-4-3")
    assert (about["set"], about["evidence"][0]["check"], about["origin"]["family"]) == ("six", "document", "family-0")
    text = program.text("tasks", "show", "fake-4-3")
    assert "evidence" in text and "the family family-0, support, seed 4" in text

    folder = tmp_path / "files"
    exported = program.json("tasks", "export", "six", str(folder))
    assert exported["tasks"] == 6 and set(exported["sha256"]) == {"tasks.jsonl", "evidence.jsonl", "README.md"}
    again = program.json("tasks", "import", str(folder))
    assert (again["new"], again["checksum"]) == (False, card["checksum"])
    assert "there already" in program.text("tasks", "import", str(folder))
    assert "another set" not in program.text("tasks", "import", str(folder), "--name", "copy")
    assert program.json("tasks", "card", "copy")["checksum"] == card["checksum"]

    before = (folder / "manifest.json").read_bytes()
    assert "another set of tasks, 'six'" in program.refused("tasks", "export", "copy", str(folder))
    assert (folder / "manifest.json").read_bytes() == before
    program.text("tasks", "export", "copy", str(folder), "--force")
    assert (folder / "manifest.json").read_bytes() != before
    program.text("tasks", "export", "six", str(folder), "--force")

    lines = (folder / "tasks.jsonl").read_text(encoding="utf-8").replace("Fake 4 3", "Fake 4 8")
    (folder / "tasks.jsonl").write_text(lines, encoding="utf-8")
    refused = program.refused("tasks", "import", str(folder), "--name", "third")
    assert "tasks.jsonl (fake-4-3)" in refused
    assert "third" not in program.text("tasks", "sets")


def test_what_is_refused(program: Program, tmp_path: Path) -> None:
    for arguments, words in (
        (("card", "none"), "no set of tasks 'none'"),
        (("yield", "none"), "no set of tasks 'none'"),
        (("split", "none"), "no set of tasks 'none'"),
        (("split", "six", "--test", "1"), "share"),
        (("split", "six", "--test", "x"), "share"),
        (("split", "six", "--test", "0.01"), "small enough"),
        (("export", "none", str(tmp_path / "x")), "no set of tasks 'none'"),
        (("import", str(tmp_path / "x")), "manifest.json"),
        (("list", "--split", "test"), "--set"),
        (("list", "--set", "six", "--stored"), "do not go together"),
        (("list", "--set", "none"), "no set of tasks"),
        (("list", "--set", "sixx"), "did you mean six?"),
        (("list", "--set", "six", "--split", "tset"), "did you mean test?"),
        (("split", "six", "--by", "famly"), "did you mean family?"),
        (("split", "starter"), "compoworld tasks import starter --name mine"),
        (("show", "none"), "no such task"),
        (("show", "fake-4-33"), "did you mean fake-4-3"),
        (("show", "held-stock"), "that is a scenario family: compoworld tasks draft held-stock"),
        (("show", "six"), "that is a set: compoworld tasks list --set six"),
        (("play", "move-halcyon-kickof"), "did you mean move-halcyon-kickoff?"),
        (("draft", "held-stok"), "did you mean held-stock?"),
        (("families", "held-stok"), "did you mean held-stock?"),
        (("show", "999999"), "no task 999999"),
        (("families", "none"), "no family 'none'"),
        (("make", "-n", "0"), "from 1 to"),
        (("make", "--family", "none"), "no family 'none'"),
        (("make", "--family", "held-stok"), "did you mean held-stock?"),
        (("make", "--level", "none"), "easy, medium, hard"),
        (("make", "--level", "hrad"), "did you mean hard?"),
        (("draft", "held-stock", "--level", "hrad"), "did you mean hard?"),
        (("make", "--dial", "alik=3"), "did you mean alike?"),
        (("make", "--dial", "alike"), "alike=5"),
        (("make", "--dial", "alike=99"), "the dial alike is a whole number from 3 to 8"),
        (("make", "--dial", "none=1"), "none"),
        (("make", "--dial", "services=[4,6"), "the dial services is two whole numbers"),
        (("make", "--dial", "domain=finances"), "finances"),
        (("make", "--name", "No Name"), "small letters"),
        (("make", "--name", "six", "--seed", "4"), "there is a set 'six'"),
    ):
        assert words in program.refused("tasks", *arguments), arguments


def readable(text: str) -> None:
    """Nothing is folded to a column of some letters: few lines hold one short word only, and none is too long."""
    lines = text.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert sum(0 < len(line.strip()) < 8 for line in lines) < len(lines) / 5


def test_tasks_of_a_set_are_run_by_name(lonely: Program, tmp_path: Path) -> None:
    workshop = replace(FakeWorkshop(tmp_path / "diary"), stored=True)
    with world_with_shelf(lonely.url) as world:
        made = make(world, 2, name="two", workshop=workshop)
        assert made.members[0].task_id is not None
    assert lonely.json("tasks", "show", str(made.members[0].task_id))["name"] == "fake-0-0"
    report = lonely.json("rollout", "run", "fake-0-1", "-n", "1", "--agent", "reference")
    assert report["task"] == "fake-0-1" and report["rollouts"][0]["success"]
    assert lonely.json("gc", "--set", "two")["counts"] == {
        "sets": 1,
        "snapshots": 1,
        "tasks": 2,
        "groups": 1,
        "rollouts": 1,
        "branches": 1,
    }
    assert "fake-0-1" in lonely.text("tasks", "list", "--stored")
    readable(lonely.text("tasks", "list", "--stored"))
    assert "1 set: two" in lonely.text("gc", "--set", "two", "--yes")
    assert lonely.json("tasks", "sets")["stored"] == lonely.json("tasks", "list", "--stored") == []
    assert "no set of tasks 'two'" in lonely.refused("gc", "--set", "two")


def test_the_set_that_comes_with_it(lonely: Program, tmp_path: Path) -> None:
    (about,) = lonely.json("tasks", "sets")["packaged"]
    rejected = sum(item["rejected"] for item in lonely.json("tasks", "yield", "starter"))
    assert rejected == about["rejected"] == about["candidates"] - 24
    assert "18 train" in lonely.text("tasks", "sets") and "6 test" in lonely.text("tasks", "sets")
    own, refused = (
        lonely.text("tasks", "list", "--set", "starter", "--split", "validation"),
        lonely.refused("tasks", "split", "starter"),
    )
    advice = "compoworld tasks import starter --name mine, then compoworld tasks split mine"
    assert advice in " ".join(own.split()) and advice in refused
    assert "such as" not in lonely.text("tasks", "yield", "starter", "--full")
    lonely.text("tasks", "import", "starter")
    assert lonely.text("tasks", "sets").count("starter") == 1
    # What is in the database goes before it.
    assert lonely.json("tasks", "split", "starter", "--test", "0.5")["splits"]["test"]["tasks"] == 12
    assert len(lonely.json("tasks", "list", "--set", "starter", "--split", "test")) == 12
    assert "12 test" in lonely.text("tasks", "sets")
    lonely.text("tasks", "import", "starter", "--name", "mine")
    assert "mine" in lonely.text("tasks", "sets")
    assert lonely.json("tasks", "split", "mine", "--by", "family")["shared_families"] == 0
    names = [item["task"] for item in lonely.json("tasks", "list", "--set", "starter")]
    assert [item["set"] for item in lonely.json("tasks", "show", names[0])["sets"]] == ["mine", "starter"]
    readable(lonely.text("tasks", "show", names[0]))
    shown = lonely.text("tasks", "list", "--set", "starter").splitlines()
    assert all(any(line.split()[:1] == [name] for line in shown) for name in names)
    lonely.text("tasks", "export", "starter", str(tmp_path / "out"))


def test_families(cw: Program) -> None:
    found = cw.json("tasks", "families")
    assert found and all(item["story"] and item["roles"] and item["patterns"] for item in found)
    first = found[0]["family"]
    assert "patterns" in cw.text("tasks", "families", first)
    (one,) = cw.json("tasks", "families", first)
    assert one == found[0]


def play(program: Program, *lines: str, arguments: tuple[str, ...] = (TASK,), code: int = 0) -> tuple[Any, str]:
    said = program("tasks", "play", *arguments, "--json", stdin="".join(f"{line}\n" for line in lines))
    assert said.code == code, said
    return (json.loads(said.out) if code == 0 else None), said.err


def test_a_person_plays(cw: Program) -> None:
    report, said = play(
        cw,
        "help",
        "",
        "dance",
        "services",
        "ls",
        "tools mail search",
        "describe calendar list_events",
        "t nowhere",
        'call mail search_messages {"text": "Halcyon"}',
        "mail.list_threads limit=2",
        "call mail search_messages text='two words' limit=1",
        "calendar.no_such_tool",
        "call mail",
        "mail.search_messages text=",
        "nowhere.list_contacts",
        "task",
        "answer I am at a loss.",
    )
    for words in (
        "there is no command 'dance'",
        "list_events",
        "search_messages",
        "unknown_service",
        "unknown_tool",
        "call SERVICE TOOL",
        "your task",
    ):
        assert words in said, words
    assert (report["status"], report["stop_reason"], report["answer"]) == ("finished", "answered", "I am at a loss.")
    assert report["calls"] == 6 and not report["success"]
    events = cw.json("events", str(report["branch"]))
    assert events[1]["arguments"] == {"limit": 2}
    assert events[2]["arguments"] == {"text": "two words", "limit": 1}
    shown = cw.json("rollout", "show", str(report["id"]))
    assert shown["agent"] == "person"
    assert shown["messages"][-1]["text"] == "I am at a loss."
    assert [item["role"] for item in shown["messages"][:3]] == ["system", "user", "assistant"]


def test_a_game_without_a_call_leaves_nothing(lonely: Program) -> None:
    for lines in ((), ("dance", "call mail"), ("services", "describe mail send_message", "quit")):
        report, said = play(lonely, *lines)
        assert report == {"group": None, "task": TASK, "status": "left"}
        assert all(f"> {line}" in said for line in lines)
    assert lonely.json("rollout", "list") == []
    assert lonely.json("gc")["counts"] == {}


def test_the_reference_solution_is_typed_in(cw: Program) -> None:
    """What the reference solution does, a person can do: every criterion holds then."""
    task = named(TASK)
    run = cw.json("rollout", "run", TASK, "-n", "1", "--agent", "reference")
    rollout = run["rollouts"][0]
    events = cw.json("events", str(rollout["branch"]))
    lines = [f"call {item['service']} {item['tool']} {json.dumps(item['arguments'])}" for item in events]
    said = cw("tasks", "play", TASK, stdin="\n".join([*lines, "answer", *rollout["answer"].splitlines(), "."]))
    assert said.code == 0, said
    assert f"{len(task.criteria)} of {len(task.criteria)} criteria hold" in " ".join(said.out.split())


def test_a_game_is_left_and_taken_up_again(cw: Program) -> None:
    left, _ = play(cw, "mail.list_threads limit=1", "quit")
    assert (left["status"], left["task"]) == ("left", TASK)
    group = str(left["group"])
    assert "tasks play --resume" in cw.refused("rollout", "resume", group)
    _, said = play(cw, "calendar.list_events limit=1", arguments=("--resume", group))
    assert "The 1 call that you have made is made again" in " ".join(said.split())
    report, said = play(cw, "answer Done.", arguments=("--resume", group))
    assert "The 2 calls" in " ".join(said.split())
    assert [item["tool"] for item in cw.json("events", str(report["branch"]))] == [
        "list_threads",
        "list_events",
    ]
    assert "has ended" in cw.refused("tasks", "play", "--resume", group)
    assert "name a task" in cw.refused("tasks", "play")
    other = cw.json("rollout", "run", TASK, "-n", "1", "--agent", "reference")["id"]
    assert "is played by reference" in cw.refused("tasks", "play", "--resume", str(other))


def test_leaving_says_whether_the_game_is_kept(lonely: Program) -> None:
    said = lonely("tasks", "play", TASK, stdin="dance\nservices\nquit\n")
    assert said.code == 0 and said.err == ""
    assert said.out.endswith("You leave before you have called a tool: the game is not kept.\n")
    lines = said.out.splitlines()
    # An error stands under the line that it is about.
    assert lines[lines.index("> dance") + 1].startswith("error: there is no command 'dance'")
    said = lonely("tasks", "play", TASK, stdin="mail.list_threads limit=1\n")
    assert said.code == 0
    assert said.out.endswith("The game is kept, as group 2; go on with: compoworld tasks play --resume 2\n")


def test_the_example_of_the_page(cw: Program) -> None:
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    block = page.split("```")[1].strip()
    report, said = play(cw, *(line.split(" #")[0].rstrip() for line in block.splitlines()))
    assert "error" not in said and "unknown_" not in said
    assert [item["error_code"] for item in cw.json("events", str(report["branch"]))] == [None, None, None]
    assert report["answer"] == "Done. EUR 48 remain open."


def test_opened_worlds_find_sets(program: Program) -> None:
    import compoworld

    with compoworld.open(program.url) as world:
        assert world.task_set("six").tasks[0].name == "fake-4-0"
        with pytest.raises(compoworld.InputError, match="no set"):
            world.task_set("none")
        with pytest.raises(compoworld.InputError, match="number of tasks"):
            world.make_tasks(0, "none")


@pytest.mark.acceptance
def test_tasks_are_made_of_families_and_admitted_by_the_gate(lonely: Program) -> None:
    arguments = ("tasks", "make", "-n", "1", "--seed", "3", "--name", "one", "--family", "held-stock", "--jobs", "1")
    said = lonely(*arguments, "--json")
    assert said.code == 0, said
    about = json.loads(said.out.splitlines()[-1])
    keys = {"admitted", "compositions", "services", "tools", "families", "rejected", "seconds"}
    assert keys <= set(about)
    assert (about["set"], about["admitted"], about["finished"]) == ("one", 1, True)
    assert sum(about["rejected"].values()) == about["candidates"] - 1
    (task,) = lonely.json("tasks", "list", "--set", "one")
    shown = lonely.json("tasks", "show", task["task"])
    assert [item["check"] for item in shown["evidence"]] == list(CHECKS)
    assert all(item["passed"] for item in shown["evidence"])
    again = lonely.json(*arguments)
    assert again["checksum"] == about["checksum"] and again["seconds"] < about["seconds"]
    assert "1 task over 1 composition of" in lonely.text(*arguments)
    report = lonely.json("rollout", "run", task["task"], "-n", "1", "--agent", "reference")
    assert report["rollouts"][0]["success"]


def test_too_low_a_yield_is_said(lonely: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    workshop = FakeWorkshop(tmp_path / "diary", unsound=frozenset(range(1, 50)))
    monkeypatch.setattr("tasks.sets.by_family.FamilyWorkshop", lambda: workshop)
    said = lonely("tasks", "make", "-n", "2", "--candidates", "5", "--jobs", "1")
    assert said.code == 1
    assert "4 broken: criterion … is idle" in " ".join(said.out.split())
    assert re.search(r"^checksum [0-9a-f]{64}$", said.out, re.MULTILINE)
    assert (
        "1 of 2 tasks after 5 candidates" in said.err
        and "4 were rejected; why: compoworld tasks yield set-0" in said.err
    )
    assert "--candidates above 5" in said.err and "-n 1" in said.err
    assert lonely("tasks", "make", "-n", "1", "--jobs", "1").code == 0
    assert lonely.json("tasks", "sets")["stored"][0]["finished"]


def test_progress_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("compoworld.cli.tasks.making._EVERY", 0.01)
    with Bar(3) as bar:
        eventually(lambda: "no candidate is decided on yet" in capsys.readouterr().err, "it begins")
        bar(Progress(3, 1, 1, 2, 2, 25.0))
        line = "1 of 3 admitted, 1 rejected, 12.5 s per candidate, about 50 s left"
        eventually(lambda: line in capsys.readouterr().err, "it goes on")


def test_a_ctrl_c_is_answered_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), Bar(3):
        signal.raise_signal(signal.SIGINT)
    assert "finishing what is begun ..." in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is before


def test_a_set_that_balance_keeps_small_says_so(
    lonely: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    workshop = FakeWorkshop(tmp_path / "diary", pairs=1)
    monkeypatch.setattr("tasks.sets.by_family.FamilyWorkshop", lambda: workshop)
    said = lonely("tasks", "make", "-n", "5", "--candidates", "9", "--jobs", "1")
    assert said.code == 1
    assert "2 of 5 tasks after 9 candidates" in said.err and "7 found their services or their family taken" in said.err
    assert "--per-composition" in said.err


def test_an_interrupted_make_says_the_whole_command(
    lonely: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tasks.sets.by_family.FamilyWorkshop", lambda: FakeWorkshop(tmp_path / "diary"))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("compoworld.cli.tasks.making.Bar.__call__", interrupted)
    arguments = ("tasks", "make", "-n", "3", "--seed", "2", "--per-composition", "1", "--family", "a", "--jobs", "1")
    said = lonely(*arguments)
    assert said.code == 130
    command = "compoworld tasks make -n 3 --seed 2 --family a --per-composition 1 --jobs 1"
    assert said.err == f"interrupted; go on with: {command}\n"
    monkeypatch.undo()
    monkeypatch.setattr("tasks.sets.by_family.FamilyWorkshop", lambda: FakeWorkshop(tmp_path / "diary"))
    about = lonely.json(*arguments)
    assert about["admitted"] == 3 and about["seconds"] < about["seconds_in_all"]
