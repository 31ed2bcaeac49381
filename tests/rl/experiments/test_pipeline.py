"""Whole experiments with tiny random weights: what is made, what is kept, going on after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError, Refused
from engine.world import World
from rl.experiments import store
from rl.experiments.deletion import made_by
from rl.experiments.run import Moment, planned, run
from rl.experiments.tables import tables_of
from rl.training.history import runs
from tasks.sets import load_set
from tasks.sets.document import TaskSet, composition_of
from tests.rl.experiments.conftest import copied, tiny_config

pytest.importorskip("torch", reason="the extra 'train' is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")


def rows(world: World, sql: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(sql), values).all())


def trained_on(world: World, name: str) -> list[int]:
    return [
        row.rollout
        for row in rows(
            world, "SELECT rollout FROM compoworld.training_examples WHERE run = :run ORDER BY ordinal", run=name
        )
    ]


def compositions(found: TaskSet, split: str) -> set[tuple[str, ...]]:
    return {composition_of(member.task.services) for member in found.members if member.split == split}


def see_all_known(world: World, experiment: str) -> None:
    """What there is by an experiment's name is what is deleted with it."""
    tables = {"sets": "task_set", "collections": "collection", "evaluations": "evaluation", "runs": "training_run"}
    for kind, names in made_by(world, experiment).items():
        there = rows(world, f"SELECT name FROM compoworld.{tables[kind]} WHERE starts_with(name, '{experiment}-')")
        assert sorted(names) == sorted(row.name for row in there)


def test_scale_is_gone_on_with_after_an_interruption(world: World, short: TaskSet, tiny: Path) -> None:
    copied(world, short, "scale-short")
    config = tiny_config("sft-scale", tiny)

    def interrupting(moment: Moment) -> None:
        if (moment.step, moment.kind) == ("train sft-2", "on"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(world, "sft-scale", config, told=interrupting)
    left = store.find(world, "sft-scale")
    assert (left.status, left.results) == ("interrupted", 0)
    assert [(row.step, row.made is None) for row in store.steps_of(world, left.id)][-1] == ("train sft-2", True)

    moments: list[Moment] = []
    done = run(world, "sft-scale", config, told=moments.append)
    steps = planned("sft-scale", config)
    assert [moment.step for moment in moments if moment.kind in ("kept", "done")] == steps
    assert [moment.step for moment in moments if moment.kind == "begun"] == steps[steps.index("train sft-2") :]
    assert (done.status, done.steps_done) == ("finished", len(steps))
    again: list[Moment] = []
    assert run(world, "sft-scale", config, told=again.append) == done and again == []

    # The smaller arm's trajectories are among those of the larger one, and nothing of the test is trained on.
    one, two = trained_on(world, "sft-scale-sft-1"), trained_on(world, "sft-scale-sft-2")
    assert len(one) == 1 and len(two) == 2 and two[:1] == one
    found = load_set(world, "scale-short")
    assert not compositions(found, "train") & compositions(found, "test")
    taken = {item.name: item.step for item in runs(world)}
    assert (taken["sft-scale-sft-1"], taken["sft-scale-sft-2"]) == (1, 2), "as many epochs of each"

    results = store.results_of(world, done.id)
    assert {(item.arm, item.against) for item in results} == {
        ("0", None), ("1", None), ("2", None), ("1", "0"), ("2", "0")
    }  # fmt: skip
    assert {item.measure for item in results} == {"success", "criteria_passed", "malformed", "calls"}
    assert all(item.n == 1 and item.low is None for item in results), "one task gives no interval"
    see_all_known(world, "sft-scale")
    assert [table.title for table in tables_of("sft-scale", results)][:2] == ["success", "criteria passed"]

    with pytest.raises(InputError, match="'sizes' is different there"):
        run(world, "sft-scale", tiny_config("sft-scale", tiny, "sizes=[2]"))
    with pytest.raises(InputError, match="a run of sft-scale"):
        run(world, "composition", tiny_config("composition", tiny), name="sft-scale")


def test_composition_has_arms_of_the_same_size(world: World, short: TaskSet, tiny: Path) -> None:
    copied(world, short, "composed-short")
    done = run(world, "composition", tiny_config("composition", tiny))
    assert done.status == "finished"
    sizes = {arm: len(trained_on(world, f"composition-sft-{arm}")) for arm in ("composed", "single")}
    assert sizes == {"composed": 1, "single": 1}
    composed, single = load_set(world, "composed-short"), load_set(world, "composition-single")
    assert len(compositions(composed, "train")) == len(compositions(single, "train"))
    assert {len(services) for services in compositions(single, "train")} == {1}
    assert {len(services) for services in compositions(composed, "test")} == {2}
    assert not compositions(composed, "train") & compositions(composed, "test")
    results = store.results_of(world, done.id)
    assert {(item.arm, item.against) for item in results if item.against} == {
        ("composed", "single"), ("composed", "base"), ("single", "base")
    }  # fmt: skip
    see_all_known(world, "composition")


def test_rewards_begin_with_one_policy_and_the_same_prompts(world: World, short: TaskSet, tiny: Path) -> None:
    copied(world, short, "rewards-short")
    done = run(world, "rewards", tiny_config("rewards", tiny), name="try")
    assert done.status == "finished"
    begun = {item.name: item.started_from for item in runs(world) if item.name.startswith("try-grpo-")}
    assert begun == {"try-grpo-completion-focused": "try-start@1", "try-grpo-uniform": "try-start@1"}
    seeds = rows(
        world,
        "SELECT r.name, array_agg(g.seed ORDER BY x.place) AS seeds FROM compoworld.grpo_group x"
        " JOIN compoworld.training_run r ON r.id = x.run_id JOIN compoworld.rollout_group g ON g.id = x.group_id"
        " WHERE r.name LIKE 'try-grpo-%' GROUP BY r.name",
    )
    assert len(seeds) == 2 and seeds[0].seeds == seeds[1].seeds
    results = store.results_of(world, done.id)
    assert ("completion-focused", "uniform") in {(item.arm, item.against) for item in results}
    assert [item.at for item in results if item.measure == "criteria in training"] == [1, 1]
    assert tables_of("rewards", results)[-1].title == "groups in training"
    see_all_known(world, "try")


def test_what_cannot_be_is_refused_before_it_begins(world: World, short: TaskSet, tiny: Path) -> None:
    copied(world, short, "small-short")
    too_many = ("source.set=small-short", "source.train.tasks=9", "source.train.compositions=2")
    with pytest.raises(InputError, match=r"3 tasks over 3 compositions, which is too little for the part 'train'"):
        run(world, "sft-scale", tiny_config("sft-scale", tiny, *too_many), name="too-many")
    failed = store.find(world, "too-many")
    assert failed.status == "failed" and "too little" in (failed.error or "")
    # Nothing was made yet: the same name takes what mends it.
    run_of = tiny_config("sft-scale", tiny, "source.set=small-short", "sft.max_tokens=16")
    with pytest.raises(InputError, match="0 of 2 trajectories succeed and have at most 16 tokens"):
        run(world, "sft-scale", run_of, name="too-many")
    number = store.begin(world, "held", "sft-scale", {})
    with (
        store.running(world, number, "held"),
        pytest.raises(Refused, match="another process runs the experiment 'held'"),
        store.running(world, number, "held"),
    ):
        pass
