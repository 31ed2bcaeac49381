"""What stays of a run of GRPO when its rollouts go, and which may not go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import text

from compoworld.retention import Named, survey, sweep
from engine.errors import InputError, Refused
from engine.world import World
from rl.errors import TrainingFailed
from rl.grpo import sampling, train_grpo
from rl.grpo.plan import group_seed
from rl.policies import Weights
from rl.runner import rollout_seed
from rl.sft import survey as selected
from rl.sft.settings import Select
from rl.training.progress import TrainingProgress
from tasks.store import StoredTask
from tests.rl.training.runs import grpo_settings, interrupting, with_luck

pytestmark = pytest.mark.filterwarnings("ignore")

VIEWS = {
    "grpo_rollouts": "place, ordinal, task, status, stop_reason, criteria, passed, success, reward, advantage",
    "grpo_criteria": "place, ordinal, task, criterion, kind, rollouts, passed, pass_rate, weight",
    # Sums may be rounded differently in another order of the rows.
    "grpo_groups": "place, step, task, rollouts, scored, failed, solved, round(reward_deviation::numeric, 9)",
    "grpo_steps": "step, groups, rollouts, scored, failed, solved, round(reward::numeric, 9), without_signal",
}


@pytest.fixture(autouse=True)
def luck(monkeypatch: pytest.MonkeyPatch) -> None:
    import rl.grpo.trainer

    monkeypatch.setattr(rl.grpo.trainer, "agent_of", rl.grpo.trainer.agent_of)  # put back at the end
    monkeypatch.setattr(sampling, "PAUSES", sampling.PAUSES)
    with_luck()


def execute(world: World, sql: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        done = connection.execute(text(sql), values)
        return list(done.all()) if done.returns_rows else []


def kept(world: World, run: str) -> dict[str, list[Any]]:
    """All that the views say of a run, without the numbers of rollouts and groups."""
    return {
        view: execute(world, f"SELECT {columns} FROM compoworld.{view} WHERE run = :run ORDER BY 1, 2", run=run)
        for view, columns in VIEWS.items()
    }


def rollouts(world: World, run: str) -> list[int]:
    found = execute(world, "SELECT rollout FROM compoworld.grpo_rollouts WHERE run = :r ORDER BY place, ordinal", r=run)
    return [row.rollout for row in found]


def groups(world: World, run: str) -> list[int]:
    found = execute(world, "SELECT group_id FROM compoworld.grpo_groups WHERE run = :run ORDER BY place", run=run)
    return [row.group_id for row in found]


def cut(world: World, weights: Weights, name: str, *values: str, after: int = 1) -> None:
    """A run that is interrupted after a step."""
    with pytest.raises(KeyboardInterrupt):
        train_grpo(world, weights, grpo_settings(*values), name=name, told=interrupting("step", after))


@pytest.mark.parametrize("reward", ["completion_focused", "uniform", "binary"])
def test_deletion_and_another_judgement_change_nothing(
    world: World, toy: StoredTask, weights: Weights, reward: str
) -> None:
    name = f"stays-{reward}"
    with_luck(frozenset({rollout_seed(group_seed(0, 0), 2)}))
    train_grpo(world, weights, grpo_settings("steps=2", f"reward={reward}"), name=name)
    before = kept(world, name)
    assert [row.status for row in before["grpo_rollouts"]] == ["finished", "failed", "finished", "finished"]
    assert before["grpo_steps"][0].failed == 1
    shares = [row.weight for row in before["grpo_criteria"]]
    assert (set(shares) == {None}) if reward == "binary" else (sum(shares) == pytest.approx(1))

    numbers = rollouts(world, name)
    execute(
        world,
        "UPDATE compoworld.criterion_check SET passed = NOT passed WHERE rollout_id = ANY (:numbers)",
        numbers=numbers,
    )
    assert kept(world, name) == before
    delete(world, Named(rollouts=numbers[:1]))
    assert kept(world, name) == before and rollouts(world, name) == [None, *numbers[1:]]
    delete(world, Named(groups=groups(world, name)))
    assert kept(world, name) == before and groups(world, name) == [None]
    # It goes with the run.
    delete(world, Named(runs=[name]))
    assert not any(kept(world, name).values())


def test_what_an_unfinished_run_needs_is_not_deleted(world: World, toy: StoredTask, weights: Weights) -> None:
    cut(world, weights, "needy", "steps=2")
    number, group = rollouts(world, "needy")[0], groups(world, "needy")[0]
    for named in (Named(rollouts=[number]), Named(groups=[group]), Named(tasks=[toy.id])):
        with pytest.raises(Refused, match=r"rollout \d+ is one of those that the run '[a-z-]+' trains on") as refused:
            survey(world, named)
        assert refused.value.hint is not None and "--run" in refused.value.hint
    # By age it is left out; with its run it goes.
    execute(world, "UPDATE compoworld.rollout_group SET finished_at = now() - interval '9 days' WHERE id = :g", g=group)
    execute(
        world,
        "UPDATE compoworld.rollout SET finished_at = now() - interval '9 days', started_at = now() - interval '9 days'"
        " WHERE group_id = :g",
        g=group,
    )
    from datetime import timedelta

    assert group not in survey(world, Named(), timedelta(days=7)).groups
    assert group in survey(world, Named(runs=["needy"])).groups
    train_grpo(world, weights, grpo_settings("steps=2"), name="needy")
    assert group in survey(world, Named(groups=[group])).groups
    execute(world, "UPDATE compoworld.rollout SET finished_at = started_at WHERE group_id = :g", g=group)
    assert group in survey(world, Named(), timedelta(days=7)).groups


def test_a_group_that_is_not_whole_is_refused(world: World, toy: StoredTask, weights: Weights) -> None:
    cut(world, weights, "not-whole", "steps=2")
    execute(world, "DELETE FROM compoworld.rollout WHERE id = :number", number=rollouts(world, "not-whole")[1])
    with pytest.raises(TrainingFailed, match=r"group \d+ has 3 of its 4 rollouts, the others were deleted") as failed:
        train_grpo(world, weights, grpo_settings("steps=2"), name="not-whole")
    assert failed.value.hint is not None and "gc --run not-whole" in failed.value.hint
    # Where all of it is gone it is sampled again: from the same weights with the same seed.
    execute(world, "DELETE FROM compoworld.rollout_group WHERE id = :group", group=groups(world, "not-whole")[0])
    done = train_grpo(world, weights, grpo_settings("steps=2"), name="not-whole")
    assert (done.run.status, done.run.groups) == ("finished", 1) and None not in rollouts(world, "not-whole")


def test_what_the_trainer_was_given_is_given_again(world: World, toy: StoredTask, weights: Weights) -> None:
    """A step that is made anew has the rewards it had: a failed rollout stays out, another judgement does not count."""
    with_luck(frozenset({rollout_seed(group_seed(0, 0), 2)}))
    cut(world, weights, "anew", "steps=2")
    before = kept(world, "anew")
    numbers = rollouts(world, "anew")
    execute(world, "UPDATE compoworld.criterion_check SET passed = true WHERE rollout_id = ANY (:n)", n=numbers)
    with_luck()
    train_grpo(world, weights, grpo_settings("steps=2"), name="anew")
    assert kept(world, "anew")["grpo_rollouts"] == before["grpo_rollouts"]
    assert rollouts(world, "anew") == numbers


def test_who_lost_the_run_while_it_sampled_gives_nothing_to_its_trainer(
    world: World, toy: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    import rl.grpo.trainer

    def lose(*_: Any) -> None:
        execute(world, "UPDATE compoworld.training_run SET status = 'failed' WHERE name = 'lost-run'")

    with monkeypatch.context() as patched, pytest.raises(Refused, match="another process has just ended the run"):
        patched.setattr(rl.grpo.trainer, "see_trainable", lose)
        train_grpo(world, weights, grpo_settings("steps=1"), name="lost-run")
    assert [
        row.reward for row in execute(world, "SELECT reward FROM compoworld.grpo_rollouts WHERE run = 'lost-run'")
    ] == [None] * 4
    assert train_grpo(world, weights, grpo_settings("steps=1"), name="lost-run").run.status == "finished"


def test_what_failed_before_the_trainer_was_given_it_is_begun_again(
    world: World, toy: StoredTask, weights: Weights
) -> None:
    """Interrupted when all rollouts have ended, one of them failed, and the trainer has none of them yet."""
    with_luck(frozenset({rollout_seed(group_seed(0, 0), 2)}))

    def told(progress: TrainingProgress) -> None:
        if progress.kind == "rollouts" and progress.count == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_grpo(world, weights, grpo_settings("steps=2"), name="early", told=told)
    with_luck()
    train_grpo(world, weights, grpo_settings("steps=2"), name="early")
    assert {row.status for row in kept(world, "early")["grpo_rollouts"]} == {"finished"}


def test_sampled_rollouts_are_no_registered_policy(world: World, toy: StoredTask, weights: Weights) -> None:
    train_grpo(world, weights, grpo_settings("steps=3", "iterations=1"), name="named")

    def fitting(*policies: str) -> int:
        chosen = Select(split="all", policies=policies, ended=("answered", "silent"), malformed=None, duplicates="keep")
        return selected(world, chosen).fitting

    everything = execute(
        world,
        "SELECT step, count(*) FILTER (WHERE success) AS n FROM compoworld.grpo_rollouts WHERE run = 'named'"
        " GROUP BY 1 ORDER BY 1",
    )
    assert sum(row.n for row in everything) > 0
    assert fitting("named@1") == fitting("named") == 0
    assert [fitting(f"named/step-{row.step - 1}") for row in everything] == [row.n for row in everything]
    models = execute(
        world,
        "SELECT DISTINCT q.model FROM compoworld.rollout_group q JOIN compoworld.grpo_groups g ON g.group_id = q.id"
        " WHERE g.run = 'named' ORDER BY 1",
    )
    assert [row.model for row in models] == ["named/step-0", "named/step-1", "named/step-2"]
    with pytest.raises(InputError, match="there is no folder 'named/step-1'"):
        from rl.policies import weights_of

        weights_of(world, "named/step-1")


def test_no_room_to_write(world: World, toy: StoredTask, weights: Weights) -> None:
    with pytest.raises(InputError, match=r"sampling\.max_context: the prompt of the task 'toy' takes \d+ tokens") as no:
        train_grpo(world, weights, grpo_settings("sampling.max_context=64"), name="tight")
    assert no.value.hint == "raise it"
    assert not execute(world, "SELECT FROM compoworld.policies WHERE name = 'tight'")
    assert not execute(world, "SELECT FROM compoworld.grpo_group g JOIN compoworld.training_run r ON r.id = g.run_id"
                       " WHERE r.name = 'tight'")  # fmt: skip


def delete(world: World, named: Named) -> Sequence[int]:
    return sweep(world, survey(world, named)).rollouts
