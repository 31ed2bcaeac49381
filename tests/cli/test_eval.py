"""eval run, list, show, compare, plot, report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from synth.shelf import world_with_shelf
from tasks.files import named
from tasks.sets import insert_set
from tasks.sets.document import Member, TaskSet
from tests.cli.conftest import Program
from tests.conftest import fresh_database

pytestmark = pytest.mark.integration

TASKS = ("move-halcyon-kickoff", "dovetail-billing-contact")


@pytest.fixture(scope="module")
def program(server_url: str) -> Iterator[Program]:
    """The program on a database with a set of two tasks of the library, on which two agents were evaluated."""
    members = tuple(Member(place, named(task), "train") for place, task in enumerate(TASKS))
    two = TaskSet("two", 0, {}, 2, members, drafts=2)
    with fresh_database(server_url) as url:
        with world_with_shelf(url) as world:
            insert_set(world, two)
        made = Program(url)
        made.text("eval", "run", "two", "--agent", "noisy", "-n", "2", "--seed", "1")
        made.text("eval", "run", "two", "--agent", "reference", "-n", "1", "--name", "best")
        yield made


def test_run_show_and_list(program: Program) -> None:
    said = program("eval", "run", "two", "--agent", "noisy", "-n", "2", "--seed", "1")
    assert said.code == 0 and "2 of 2 tasks" in said.err
    assert "two-noisy: agent noisy, 2 tasks of two, 2 rollouts of each, seed 1" in said.out
    assert "4 of 4 rollouts scored" in said.out
    assert program.text("eval", "show", "two-noisy").split() == said.out.split()
    found = program.json("eval", "show", "two-noisy")
    assert found["evaluation"]["finished"] and found["scored"] == 4
    assert found["success"]["low"] is None, "two tasks give no interval"
    assert program.json("eval", "run", "two", "--agent", "noisy", "-n", "2", "--seed", "1") == found
    assert [item["name"] for item in program.json("eval", "list")] == ["best", "two-noisy"]
    listed = program.text("eval", "list")
    assert "two-noisy" in listed and "reference on two" in listed
    assert program.json("eval", "show", "best")["success"]["value"] == 1
    assert "by family" in program.text("eval", "show", "best", "--full")


def test_compare(program: Program) -> None:
    found = program.json("eval", "compare", "two-noisy", "best")
    measure = found["measures"][0]
    assert (measure["name"], measure["second"], len(found["tasks"])) == ("success", 1, 2)
    assert measure["p_value"] is not None and found["measures"][2]["p_value"] is None
    text = program.text("eval", "compare", "two-noisy", "best", "--full")
    assert "over 2 tasks that both have" in text and TASKS[0] in text and "sign flips: p =" in text


def test_compare_says_what_is_not_finished(program: Program) -> None:
    program.text("eval", "run", "two", "--agent", "noisy", "-n", "2", "--seed", "2", "--name", "cut")
    assert "rollouts scored" not in program.text("eval", "compare", "two-noisy", "cut")
    with psycopg.connect(program.url) as connection:
        connection.execute(
            "DELETE FROM compoworld.rollout WHERE id = (SELECT min(rollout) FROM compoworld.evaluation_rollouts"
            " WHERE evaluation = 'cut')"
        )
    shown = program.text("eval", "show", "cut").splitlines()[1]
    assert shown == "3 of 4 rollouts scored; 1 still to be run"
    lines = program.text("eval", "compare", "two-noisy", "cut").splitlines()
    assert lines[2] == shown and lines[1].startswith("B  cut: ") and lines[3].startswith("over 2 tasks")
    assert program.text("eval", "compare", "cut", "best").splitlines()[1] == shown
    found = program.json("eval", "compare", "two-noisy", "cut")
    assert found["first_counts"] == {"scored": 4, "failed": 0, "missing": 0, "unscored": []}
    assert found["second_counts"] == {"scored": 3, "failed": 0, "missing": 1, "unscored": []}


def test_plot_and_report(program: Program, tmp_path: Path) -> None:
    image, page = tmp_path / "one.png", tmp_path / "two.html"
    assert program.json("eval", "plot", "two-noisy", "--out", str(image))["bytes"] == image.stat().st_size
    assert image.read_bytes().startswith(b"\x89PNG")
    assert "two.html" in program.text("eval", "report", "two-noisy", "best", "--out", str(page)).replace("\n", "")
    assert TASKS[0] in page.read_text(encoding="utf-8")
    assert "is there already" in program.refused("eval", "report", "best", "--out", str(page))
    program.text("eval", "report", "best", "--out", str(page), "--force")
    assert "does not end in .html" in program.refused("eval", "report", "best", "--out", str(image), "--force")


def test_what_is_refused(program: Program, tmp_path: Path) -> None:
    run = ("eval", "run", "two")
    for arguments, words in (
        ((*run, "--agent", "reference", "--name", "two-noisy"), "its agent is"),
        ((*run, "--split", "tset"), "no split 'tset'"),
        ((*run, "--split", "test"), "no task in the split 'test'"),
        ((*run, "--agent", "nobody"), "no agent 'nobody'"),
        ((*run, "--model", "m"), "takes no model"),
        ((*run, "--option", "temperature"), "is no option"),
        ((*run, "--option", "rte=0.5"), "agent noisy has no option 'rte'; it has rate (did you mean rate?)"),
        ((*run, "--option", "name=x"), "agent noisy has no option 'name'"),
        ((*run, "--option", "rate=often"), "agent noisy: rate is a number between 0 and 1, not 'often'"),
        ((*run, "--name", "a b"), "called by"),
        ((*run, "--prices", str(tmp_path / "none.yaml")), "cannot be read"),
        (("eval", "run", "tow"), "no set of tasks 'tow'"),
        (("eval", "show", "two-nosy"), "did you mean two-noisy"),
        (("eval", "compare", "two-noisy", "none"), "no evaluation 'none'"),
    ):
        refused = program.refused(*arguments)
        assert words in refused, refused
