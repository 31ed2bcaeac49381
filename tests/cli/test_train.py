"""``compoworld train`` and ``policies``: what they say; the training itself has its tests in tests/rl/training."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import Program


@pytest.fixture
def trained(lonely: Program) -> Program:
    """A run of each kind, and the policy of the first."""
    assert lonely.json("train", "list") == []
    with psycopg.connect(lonely.url) as connection:
        connection.execute(
            """
            INSERT INTO compoworld.training_run (name, kind, config, seed, weights, folder, status, step, steps,
                left_out, finished_at)
            VALUES ('tuned', 'sft', '{"epochs": 3}', 0, 'smollm2', '/w/tuned', 'finished', 3, 3,
                 '{"too_long": 2}', now()),
                ('better', 'grpo', '{"reward": "uniform", "lambda": 0.01}', 0, 'tuned@1', '/w/better', 'running', 2, 40,
                 '{}', NULL);
            INSERT INTO compoworld.policy (name, version, base, path, made_by, digest)
            VALUES ('tuned', 1, 'smollm2', '/w/tuned/policy', 1, repeat('ab', 32));
            INSERT INTO compoworld.training_example (run_id, ordinal, task, digest, tokens, agent_tokens)
            SELECT 1, n, 'a-task', 'd', 100, 40 FROM generate_series(1, 5) n;
            INSERT INTO compoworld.training_step (run_id, step, loss, learning_rate, grad_norm, metrics)
            SELECT 1, n, 2.0 / n, 1e-4, 0.5, '{}' FROM generate_series(1, 3) n;
            INSERT INTO compoworld.training_step (run_id, step, loss, learning_rate, clipped, entropy, metrics)
            SELECT 2, n, -0.01, 1e-5, 0.031 * (n - 1), 1.25, '{}' FROM generate_series(1, 2) n;
            """
        )
    return lonely


def test_list(trained: Program) -> None:
    listed = trained.text("train", "list")
    assert "tuned@1" in listed and "3/3" in listed and "finished" in listed
    # Nobody trains it any more.
    assert "interrupted" in listed and "running" not in listed
    found = trained.json("train", "list")
    assert [(run["name"], run["status"], run["examples"]) for run in found] == [
        ("better", "interrupted", None),
        ("tuned", "finished", 5),
    ]


def test_show(trained: Program) -> None:
    shown = trained.text("train", "show", "tuned")
    assert "sft run tuned: finished, step 3 of 3" in shown
    assert "on       5 trajectories; left out 2 too long" in shown
    assert "1.0000" in shown and "epochs" not in shown
    assert '"epochs": 3' in trained.text("train", "show", "tuned", "--full")
    assert "3.1%" in trained.text("train", "show", "better")
    found = trained.json("train", "show", "tuned")
    assert [step["loss"] for step in found["steps"]] == [2.0, 1.0, pytest.approx(2 / 3)]
    assert "did you mean tuned?" in trained.refused("train", "show", "tune")


def test_policies(trained: Program) -> None:
    assert "tuned@1" in trained.text("policies") and "abababababab" in trained.text("policies")
    assert trained.json("policies", "another") == []
    found = trained.json("policies")[0]
    assert (found["name"], found["version"], found["made_by"], found["base"]) == ("tuned", 1, "tuned", "smollm2")


def test_select_counts(cw: Program) -> None:
    found = cw.json("train", "select", "--set", "select.agents=[anthropic]")
    assert found["fitting"] == found["chosen"] == 0
    assert "there is no agent 'antropic' (did you mean anthropic?)" in cw.refused(
        "train", "select", "--set", "select.agents=[antropic]"
    )
    assert "every criterion holds" in cw.text("train", "select")


def test_what_is_wrong_is_said(cw: Program, tmp_path: Path) -> None:
    sft = ("train", "sft", "--name", "x", "--policy")
    assert "there is no policy 'nothing'" in cw.refused(*sft, "nothing")
    assert "there is no folder '/no/such'" in cw.refused(*sft, "/no/such")
    assert "there is no setting 'lerning_rate' (did you mean learning_rate?)" in cw.refused(
        *sft, "smollm2", "--set", "lerning_rate=1"
    )
    own = tmp_path / "own.yaml"
    own.write_text("batch: 33\nper_device: 2\n")
    assert "own.yaml: batch: 33 trajectories are no multiple of per_device, 2" in cw.refused(
        *sft, "smollm2", "--config", str(own)
    )
    own.write_text("- batch\n")
    assert "holds names with values" in cw.refused(*sft, "smollm2", "--config", str(own))
    assert "cannot be read" in cw.refused(*sft, "smollm2", "--config", str(tmp_path / "none.yaml"))
    assert "select.agents is a list, such as [noisy]" in cw.refused(*sft, "smollm2", "--set", "select.agents=noisy")
    assert "there is no scale 'tpu' (use cpu or gpu)" in cw.refused(*sft, "smollm2", "--scale", "tpu")
    grpo = ("train", "grpo", "--name", "x", "--policy", "smollm2")
    assert "there is no task to train on (name a set, or tasks)" in cw.refused(*grpo)
    assert "no multiple of 3" in cw.refused(*grpo, "--set", "per_device=3")
    assert cw.json("train", "list") == []
