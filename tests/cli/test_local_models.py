"""rollout run --agent transformers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.rl.local.models import model, tokenizer

pytestmark = pytest.mark.integration

TASK = "settle-brightwater-dispute"


def test_rollouts_with_weights_from_a_folder(cw: Program, tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    model().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    chosen = ("--agent", "transformers", "--policy", str(folder), "--option", "max_new_tokens=6")
    report = cw.json("rollout", "run", TASK, "-n", "2", *chosen)
    assert report["model"] == "tiny" and {item["status"] for item in report["rollouts"]} == {"finished"}
    assert {item["stop_reason"] for item in report["rollouts"]} <= {"cut_off", "malformed", "silent", "answered"}
    query = f"SELECT policy, count(*), sum(agent_tokens) FROM trajectories WHERE group_id = {report['id']} GROUP BY 1"
    ((policy, count, tokens),) = (tuple(row.values()) for row in cw.json("db", "psql", "-c", query))
    assert (policy, count) == ("tiny", 2) and 0 < tokens <= 2 * 3 * 6


def test_what_is_wrong_is_named(cw: Program) -> None:
    run = ("rollout", "run", TASK, "--agent")
    assert "there is no policy 'smoll'" in cw.refused(*run, "transformers", "--policy", "smoll")
    assert "there is no folder '/no/where'" in cw.refused(*run, "transformers", "--policy", "/no/where")
    assert "--policy goes with --agent transformers" in cw.refused(*run, "noisy", "--policy", "smollm2")
    assert "agent transformers: weights are needed" in cw.refused(*run, "transformers")
