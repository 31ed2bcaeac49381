"""GRPO with tiny weights: what is trained, whole groups, failures, clipping, going on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InfrastructureError, InputError
from engine.world import World
from rl.errors import TrainingFailed
from rl.grpo import GrpoSettings, plan_of, sampling, train_grpo
from rl.grpo.plan import group_seed, in_order
from rl.grpo.sampling import whole_groups
from rl.grpo.trainer import see_reference
from rl.local.files import digest_of
from rl.policies import Weights
from rl.runner import rollout_seed
from rl.training.trainer import prepared
from tasks.store import StoredTask
from tests.rl.local.models import tokenizer
from tests.rl.training.lucky import OBSERVED, TURNS, Lucky
from tests.rl.training.runs import grpo_settings, interrupting, seeds_at, with_luck

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def luck(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import rl.grpo.trainer

    monkeypatch.setattr(rl.grpo.trainer, "agent_of", rl.grpo.trainer.agent_of)  # put back at the end
    monkeypatch.setattr(sampling, "PAUSES", sampling.PAUSES)
    with_luck()
    yield


def rows(world: World, sql: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(sql), values).all())


def test_a_run(world: World, toy: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    from trl import GRPOTrainer

    trained: list[dict[str, Any]] = []
    keep = GRPOTrainer._compute_loss

    def spy(self: Any, model: Any, inputs: Any) -> Any:
        trained.append(inputs)
        return keep(self, model, inputs)

    monkeypatch.setattr(GRPOTrainer, "_compute_loss", spy)
    done = train_grpo(world, weights, grpo_settings(), name="whole")
    assert (done.run.status, done.run.step, done.run.groups) == ("finished", 4, 2)
    assert str(done.policy) == done.run.made == "whole@1"

    # Groups begin at steps 1 and 3; each is used twice, and the second time the policy is another: clipping acts.
    steps = rows(world, "SELECT * FROM compoworld.grpo_steps WHERE run = 'whole' ORDER BY step")
    assert [(row.step, row.groups, row.rollouts, row.scored) for row in steps] == [
        (1, 1, 4, 4), (2, None, None, None), (3, 1, 4, 4), (4, None, None, None),
    ]  # fmt: skip
    assert steps[0].clipped == steps[2].clipped == 0
    assert max(steps[1].clipped, steps[3].clipped) > 0
    assert all(row.loss is not None and row.entropy > 0 for row in steps)

    # What is trained is what the policy sampled; an observation is context.
    end = tokenizer().eos_token
    for inputs in trained:
        for ids, real, mask in zip(
            inputs["completion_ids"], inputs["completion_mask"], inputs["tool_mask"], strict=True
        ):
            said = tokenizer().decode(ids[(real * mask).bool()])
            seen = tokenizer().decode(ids[(real * (1 - mask)).bool()])
            assert OBSERVED in seen and OBSERVED not in said
            assert said.count(end) <= TURNS
    sampled = rows(
        world,
        "SELECT t.token_ids, t.is_agent, t.prompt_tokens, t.policy, t.policy_version FROM compoworld.trajectory t"
        " JOIN compoworld.grpo_rollouts r ON r.rollout = t.rollout_id WHERE r.run = 'whole' ORDER BY r.rollout",
    )
    told = {tuple(ids[real.bool()].tolist()): (real * mask).sum().item() for inputs in trained
            for ids, real, mask in zip(inputs["completion_ids"], inputs["completion_mask"], inputs["tool_mask"],
                                       strict=True)}  # fmt: skip
    assert told == {tuple(row.token_ids[row.prompt_tokens :]): sum(row.is_agent) for row in sampled}
    # No registered policy is called so.
    named = [(row.policy, row.policy_version) for row in sampled]
    assert named == [("whole/step-0", None)] * 4 + [("whole/step-2", None)] * 4

    # The policy that is trained gives what was sampled the log-probabilities with which it was sampled.
    for inputs in trained:
        mask = (inputs["completion_mask"] * inputs["tool_mask"]).bool()
        apart = inputs["old_per_token_logps"][mask] - inputs["sampling_per_token_logps"][mask]
        assert apart.abs().max() < 1e-3

    # The advantage that SQL shows is the trainer's; the rewards are those of the view, the weights sum to 1.
    shown = rows(world, "SELECT * FROM compoworld.grpo_rollouts WHERE run = 'whole' ORDER BY rollout")
    given = {round(value, 3) for inputs in trained for value in inputs["advantages"].tolist()}
    assert {round(row.advantage, 3) for row in shown} == given
    assert len({row.reward for row in shown}) > 1
    for row in rows(
        world,
        "SELECT r.reward, w.completion_focused FROM compoworld.grpo_rollouts r"
        " JOIN compoworld.rewards w USING (rollout) WHERE r.run = 'whole'",
    ):
        assert row.reward == pytest.approx(row.completion_focused, abs=1e-12)
    for row in rows(
        world,
        "SELECT sum(c.weight) AS whole, max(abs(c.weight - p.weight)) AS apart FROM compoworld.grpo_criteria c"
        " JOIN compoworld.criterion_pass_rates p USING (group_id, ordinal) WHERE c.run = 'whole' GROUP BY group_id",
    ):
        assert row.whole == pytest.approx(1) and row.apart < 1e-12

    # A finished run is not trained again; another one of that name is refused.
    assert train_grpo(world, weights, grpo_settings(), name="whole") == done
    with pytest.raises(InputError, match=r"there is a run 'whole', and lambda is 0\.01 there"):
        train_grpo(world, weights, grpo_settings("lambda=0.5"), name="whole")


def test_mixed_precision(world: World, toy: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy in bfloat16 samples, and the first pass still begins where the trainer's own probabilities are."""
    from trl import GRPOTrainer

    apart: list[Any] = []
    keep = GRPOTrainer._compute_loss

    def spy(self: Any, model: Any, inputs: Any) -> Any:
        mask = (inputs["completion_mask"] * inputs["tool_mask"]).bool()
        apart.append((inputs["old_per_token_logps"] - inputs["sampling_per_token_logps"])[mask].abs().max())
        return keep(self, model, inputs)

    monkeypatch.setattr(GRPOTrainer, "_compute_loss", spy)
    values = ("dtype=bfloat16", "lora.rank=2", "per_device=1", "steps=2")
    done = train_grpo(world, weights, grpo_settings(*values), name="mixed")
    assert (done.run.status, done.run.step) == ("finished", 2)
    steps = rows(world, "SELECT clipped FROM compoworld.grpo_steps WHERE run = 'mixed' ORDER BY step")
    assert steps[0].clipped == 0 and 0 < max(apart) < 0.05


def test_an_interrupted_run_goes_on(world: World, toy: StoredTask, weights: Weights) -> None:
    """It comes to the same weights as one that was not interrupted, and no group is sampled twice."""

    with pytest.raises(KeyboardInterrupt):
        train_grpo(world, weights, grpo_settings(), name="cut", told=interrupting("step", 3))
    cut = rows(world, "SELECT status, step FROM compoworld.training_runs WHERE run = 'cut'")
    assert [tuple(row) for row in cut] == [("interrupted", 3)]
    before = rows(world, "SELECT group_id FROM compoworld.grpo_groups WHERE run = 'cut' ORDER BY place")

    begun: list[int] = []
    done = train_grpo(
        world, weights, grpo_settings(), name="cut", told=lambda p: begun.append(p.step) if p.kind == "begun" else None
    )
    assert begun == [2]  # the last checkpoint: the batch of groups before
    assert (done.run.status, done.run.step) == ("finished", 4)
    assert rows(world, "SELECT group_id FROM compoworld.grpo_groups WHERE run = 'cut' ORDER BY place") == before
    assert len(rows(world, "SELECT step FROM compoworld.training_steps WHERE run = 'cut'")) == 4
    # The same steps as a run without a break: same groups, same rollouts, same weights.
    whole = train_grpo(world, weights, grpo_settings(), name="uncut")
    assert whole.policy.digest == done.policy.digest


def test_a_failed_rollout_is_left_out(world: World, toy: StoredTask, weights: Weights) -> None:
    gone = rollout_seed(group_seed(0, 0), 2)
    with_luck(frozenset({gone}))
    done = train_grpo(world, weights, grpo_settings("steps=1", "reward=uniform", "lora={rank: 2}"), name="gap")
    found = rows(world, "SELECT * FROM compoworld.grpo_rollouts WHERE run = 'gap' ORDER BY ordinal")
    # Adapters are merged: the policy is whole weights, and other ones.
    assert done.policy.digest != digest_of(Path(weights.source))
    assert [row.status for row in found] == ["finished", "failed", "finished", "finished"]
    assert found[1].reward is None and found[1].advantage is None
    scored = [row.reward for row in found if row.reward is not None]
    mean = sum(scored) / 3
    assert [row.advantage for row in found if row.reward is not None] == pytest.approx(
        [(reward - mean) / (stdev(scored) + 1e-4) for reward in scored]
    )
    assert sum(row.advantage for row in found if row.reward is not None) == pytest.approx(0, abs=1e-6)
    step = rows(world, "SELECT scored, failed, reward FROM compoworld.grpo_steps WHERE run = 'gap'")[0]
    assert (step.scored, step.failed) == (3, 1)
    assert step.reward == pytest.approx(mean)


def test_nothing_is_trained_on_failures_alone(world: World, toy: StoredTask, weights: Weights) -> None:
    with_luck(seeds_at(0))
    with pytest.raises(InfrastructureError, match="nothing to train on for step 1: every rollout failed: gone"):
        train_grpo(world, weights, grpo_settings(), name="down")
    run = rows(world, "SELECT status, error FROM compoworld.training_runs WHERE run = 'down'")[0]
    assert run.status == "failed" and "gone" in run.error
    tries = rows(world, "SELECT attempts FROM compoworld.rollout r JOIN compoworld.grpo_rollouts g ON g.rollout = r.id"
                 " WHERE g.run = 'down'")  # fmt: skip
    assert [row.attempts for row in tries] == [1 + len(sampling.PAUSES)] * 4

    # Once it is mended the same rollouts are begun again.
    with_luck()
    done = train_grpo(world, weights, grpo_settings(), name="down")
    assert (done.run.status, done.run.groups) == ("finished", 2)
    assert [row.scored for row in rows(world, "SELECT scored FROM compoworld.grpo_groups WHERE run = 'down'")] == [4, 4]
    # Nothing is different from a run that never stopped.
    assert train_grpo(world, weights, grpo_settings(), name="up").policy.digest == done.policy.digest


def test_nothing_is_trained_where_nothing_was_written(
    world: World, toy: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: Lucky, episode: Any) -> Any:
        raise RuntimeError("out of luck")

    with monkeypatch.context() as patched, pytest.raises(InfrastructureError, match="the policy wrote nothing"):
        patched.setattr(Lucky, "run", crash)
        train_grpo(world, weights, grpo_settings("steps=1"), name="mute")
    assert not rows(world, "SELECT FROM compoworld.policies WHERE name = 'mute'")
    assert train_grpo(world, weights, grpo_settings("steps=1"), name="mute").run.status == "finished"


def test_a_rollout_in_which_nothing_was_written_is_left_out(
    world: World, toy: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute, plain = rollout_seed(group_seed(0, 0), 2), Lucky.run

    def run(self: Lucky, episode: Any) -> Any:
        if episode.seed == mute:
            raise RuntimeError("out of luck")
        return plain(self, episode)

    monkeypatch.setattr(Lucky, "run", run)
    train_grpo(world, weights, grpo_settings("steps=1", "reward=uniform"), name="one-mute")
    found = rows(world, "SELECT * FROM compoworld.grpo_rollouts WHERE run = 'one-mute' ORDER BY ordinal")
    assert [(row.status, row.reward is None, row.criteria is None) for row in found] == [
        ("finished", index == 1, index == 1) for index in range(4)
    ]
    assert sum(row.advantage for row in found if row.reward is not None) == pytest.approx(0, abs=1e-6)
    assert rows(world, "SELECT scored FROM compoworld.grpo_groups WHERE run = 'one-mute'")[0].scored == 3


MISFITS = {
    "prompts=3": "3 groups cannot be shared by 2 processes",
    "per_device=3": "samples 4 rollouts at a time, which is no multiple of 3",
    "minibatches=3": "in 2 passes, which cannot be shared by 3 optimizer steps",
}


@pytest.mark.unit
@pytest.mark.parametrize("value", MISFITS)
def test_a_misfit_is_refused(value: str) -> None:
    with pytest.raises(InputError, match=MISFITS[value]):
        plan_of(grpo_settings("prompts=2", value), 2)


def test_what_the_kl_term_refers_to_is_a_folder(world: World, toy: StoredTask, weights: Weights) -> None:
    assert train_grpo(world, weights, grpo_settings("steps=1", "beta=0.1"), name="close").run.status == "finished"
    settings = grpo_settings("beta=0.1")
    loaded = prepared(weights, settings)
    loaded.model.config._name_or_path = "elsewhere"  # as that of an adapter's base
    with pytest.raises(InputError, match="beta: the KL term needs what the run begins with as a folder"):
        see_reference(weights, settings, loaded)
    see_reference(weights, grpo_settings("beta=0.1", "lora={rank: 2}"), loaded)
    see_reference(weights, grpo_settings(), loaded)


def test_a_misfit_is_refused_before_anything_runs(
    world: World, toy: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    before = rows(world, "SELECT count(*) FROM compoworld.rollout_group")
    with pytest.raises(InputError, match="1 groups cannot be shared by 2 processes"):
        train_grpo(world, weights, grpo_settings(), name="misfit")
    assert rows(world, "SELECT count(*) FROM compoworld.rollout_group") == before
    assert not rows(world, "SELECT FROM compoworld.training_run WHERE name = 'misfit'")


@pytest.mark.unit
def test_plans() -> None:
    plan = plan_of(grpo_settings("prompts=4", "rollouts=8", "per_device=4", "minibatches=2", "steps=9"), 2)
    assert (plan.passes, plan.accumulate, plan.updates, plan.batches) == (4, 2, 4, 3)
    assert sorted(in_order("abc", 3, 0)) == ["a", "b", "c"]
    assert list(in_order("abc", 7, 0))[:3] == list(in_order("abc", 3, 0))
    assert len(list(in_order("abc", 7, 0))) == 7


@pytest.mark.unit
def test_parts_of_groups_are_refused() -> None:
    def prompt(place: int) -> list[dict[str, Any]]:
        return [{"role": "user", "content": "", "place": place, "task": 7}]

    assert [item.place for item in whole_groups([prompt(3), prompt(3), prompt(4), prompt(4)], 2)] == [3, 4]
    for places in ([3, 3, 4], [3, 4, 3, 4], [3, 3, 3, 3]):
        with pytest.raises(TrainingFailed, match="not whole groups of 2"):
            whole_groups([prompt(place) for place in places], 2)


@pytest.mark.unit
@pytest.mark.parametrize("value", ["lambda=0", "clip_low=1", "clip_high=.inf", "limits.seconds=.inf", "rollouts=1",
                                   "rewards=uniform", "sampling.temp=1", "lora={dropout: 0.1}"])  # fmt: skip
def test_wrong_settings(value: str) -> None:
    with pytest.raises(InputError, match="the settings: "):
        grpo_settings(value)


@pytest.mark.unit
def test_the_settings_of_the_paper() -> None:
    from rl.training.settings import read

    found = read(GrpoSettings, "grpo")
    assert (found.rollouts, found.lambda_, found.clip_low, found.clip_high, found.beta) == (8, 0.01, 0.2, 0.28, 0)
    assert (found.learning_rate, found.reward) == (1e-5, "completion_focused")
    assert plan_of(found, 1).updates > 1
