"""``compoworld experiment``: the one that takes no model, from its first step to files."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from compoworld.cli.experiment.running import _Watch
from rl.experiments.lab import Heard
from rl.experiments.run import Moment
from tests.cli.conftest import Program

pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")

SHORT = ("simulation.seeds=6", "simulation.steps=20", "shown=[0, 20]", "groups=50")


def test_run_show_report(cw: Program, tmp_path: Path) -> None:
    run = ("experiment", "run", "rewards-solvable", *(word for item in SHORT for word in ("--set", item)))
    said = cw(*run)
    assert said.code == 0 and "graded: success" in said.out and "less uniform" in said.out
    assert "step 1 of 1, figures: " in said.err
    assert cw.text(*run) == said.out, "it was finished"
    assert "'simulation' is different there" in cw.refused(*run, "--set", "simulation.seeds=7")

    listed = cw.text("experiment", "list")
    assert "sft-scale" in listed and "finished" in listed
    shown = cw.text("experiment", "show", "rewards-solvable")
    assert "rewards-solvable: finished" in shown and "figures" in shown
    found = cw.json("experiment", "show", "rewards-solvable")
    assert len(found["results"]) == found["experiment"]["results"] > 100
    with psycopg.connect(cw.url) as connection:
        row = connection.execute(
            "SELECT estimate, low, high, n FROM compoworld.experiment_results WHERE experiment = 'rewards-solvable'"
            " AND arm = 'graded: uniform' AND against IS NULL AND measure = 'criteria_passed' AND at = 20"
        ).fetchone()
    assert row is not None and row[1] < row[0] < row[2] and row[3] == 6

    files = cw.json("experiment", "report", "rewards-solvable", "--out", str(tmp_path / "new"))["files"]
    assert [Path(file).name for file in files] == [
        "rewards-solvable.md", "rewards-solvable-curves.png", "rewards-solvable-signal.png"
    ]  # fmt: skip
    page = Path(files[0]).read_text(encoding="utf-8")
    assert page.startswith("# rewards-solvable\n") and "\ncompoworld experiment run rewards-solvable --set " in page
    assert "| step | completion-focused | uniform |" in page and "![rewards-solvable-curves](" in page
    assert "is there already" in cw.refused("experiment", "report", "rewards-solvable", "--out", str(tmp_path / "new"))


def test_a_step_tells_how_far_it_is_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not with a line for each task: in a log there are hundreds."""
    now = 0.0
    monkeypatch.setattr("compoworld.cli.experiment.running.time.monotonic", lambda: now)
    with _Watch() as watch:
        watch(Moment("begun", "tasks", 1, 2))
        for done in range(1, 101):
            now += 1.0
            watch(Moment("on", "tasks", 1, 2, heard=Heard(done, 100, "tasks")))
        watch(Moment("done", "tasks", 1, 2, "made"))
    assert capsys.readouterr().err.splitlines() == [
        *(f"tasks: {done}/100 tasks" for done in (31, 62, 93)),
        "step 1 of 2, tasks: made",
    ]


def test_what_is_wrong_is_said(cw: Program) -> None:
    assert "did you mean rewards?" in cw.refused("experiment", "run", "reward")
    assert "there is no scale 'tpu' (use cpu or gpu)" in cw.refused("experiment", "run", "rewards", "--scale", "tpu")
    assert "cannot be the name" in cw.refused("experiment", "run", "rewards-solvable", "--name", "No")
    assert "there is no experiment 'nothing' in this database" in cw.refused("experiment", "show", "nothing")
