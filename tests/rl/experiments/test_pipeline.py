"""Whole experiments with tiny random weights: what is made, what is kept, going on after an interruption."""

from __future__ import annotations

import os
import signal
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError, Refused
from engine.world import World
from rl import make_agent, run_group
from rl.experiments import store
from rl.experiments.config import CompositionConfig
from rl.experiments.deletion import made_by
from rl.experiments.lineage import Seen, seen_by
from rl.experiments.run import Moment, planned, run
from rl.experiments.tables import tables_of
from rl.local.loading import SMOLLM2
from rl.policies import weights_of
from rl.sft import SftSettings, train_sft
from rl.training.history import runs
from rl.training.settings import read
from tasks.authoring import plans
from tasks.families.short.desk import DESKS
from tasks.sets import keep_splits, load_set
from tasks.sets.by_family import dials_of
from tasks.sets.document import TaskSet, composition_of
from tasks.store import put
from tests.rl.experiments.conftest import copied, tiny_config, written

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


_EXAMPLES = """
SELECT t.services, x.agent_tokens, (SELECT count(*) FROM compoworld.events v WHERE v.rollout = x.rollout) AS calls
FROM compoworld.training_examples x JOIN compoworld.rollouts r ON r.rollout = x.rollout
JOIN compoworld.rollout_group g ON g.id = r.group_id JOIN compoworld.task t ON t.id = g.task_id WHERE x.run = :run
"""
_TESTED = """
SELECT DISTINCT t.services FROM compoworld.evaluation e JOIN compoworld.evaluation_group m ON m.evaluation_id = e.id
JOIN compoworld.rollout_group g ON g.id = m.group_id JOIN compoworld.task t ON t.id = g.task_id WHERE e.name = :name
"""


def test_composition_has_arms_that_differ_in_composition_alone(world: World, tiny: Path) -> None:
    config = tiny_config("composition", tiny)
    assert isinstance(config, CompositionConfig)
    candidates = plans(config.single.seed, dials_of(config.single.dials), config.families)
    alone = dict.fromkeys(plan.services for plan in islice(candidates, 20))
    written(world, "composed-short", [name for (name,) in islice(alone, 4)])
    done = run(world, "composition", config)
    assert done.status == "finished"
    arms = {arm: rows(world, _EXAMPLES, run=f"composition-sft-{arm}") for arm in ("composed", "single")}
    of = {arm: [composition_of(row.services) for row in found] for arm, found in arms.items()}
    # As many trajectories and environments; the same services in both, as often; one of them against two.
    assert {arm: (len(found), len(set(found))) for arm, found in of.items()} == {"composed": (4, 4), "single": (4, 4)}
    taught = {arm: Counter(name for composition in found for name in composition) for arm, found in of.items()}
    assert taught["composed"].keys() == taught["single"].keys() and len(taught["single"]) == 4
    assert set(taught["single"].values()) == {1} and set(taught["composed"].values()) == {2}
    for arm in ("base", "composed", "single"):
        tested = {composition_of(row.services) for row in rows(world, _TESTED, name=f"composition-test-{arm}")}
        assert len(tested) == 2 and {len(item) for item in tested} == {2}
        assert {name for item in tested for name in item} <= taught["single"].keys(), "a service that no arm saw"
        assert not tested & {*of["composed"], *of["single"]}, "a composition that an arm saw"
    results = store.results_of(world, done.id)
    assert {(item.arm, item.against) for item in results if item.against} == {
        ("composed", "single"), ("composed", "base"), ("single", "base")
    }  # fmt: skip
    # How much each arm was taught is said beside what came of it.
    for arm, found in arms.items():
        told = {item.measure: item.estimate for item in results if item.arm == arm}
        assert told["trained agent tokens"] == sum(row.agent_tokens for row in found)
        assert told["trained calls"] == sum(row.calls for row in found) > 0
        assert (told["trained trajectories"], told["trained compositions"], told["trained services"]) == (4, 4, 4)
    table = tables_of("composition", results)[-1]
    assert table.title == "trained on" and [row[:4] for row in table.rows] == [
        ["composed", "4", "4", "4"],
        ["single", "4", "4", "4"],
    ]
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


def test_what_a_policy_was_trained_on_is_not_in_its_test(
    world: World, short: TaskSet, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(world, short, "known-short")
    first, second, third = (item.task for item in short.members)
    for number, task in enumerate((first, second), 1):
        run_group(world, put(world, task), make_agent("reference"), size=1)
        settings = read(
            SftSettings,
            "sft",
            values=(f"select.tasks=[{task.name}]", "epochs=1", "batch=1", "device=cpu", "lora={rank: 2}"),
        )
        begun = str(tiny) if number == 1 else "knows-1@1"
        train_sft(world, weights_of(world, begun), settings, name=f"knows-{number}")
    one, two = (composition_of(task.services) for task in (first, second))
    # Its own run, and those of the policies that it came from; it began with weights of whose past nothing is known.
    assert seen_by(world, "knows-1") == Seen(frozenset({one}), complete=False)
    assert seen_by(world, "knows-2") == Seen(frozenset({one, two}), complete=False)
    assert seen_by(world, str(tiny)) == Seen(complete=False) and seen_by(world, SMOLLM2) == Seen()

    config = tiny_config("rewards", tiny, "start=knows-2", "source.set=known-short")

    def stopping(moment: Moment) -> None:
        if moment.kind == "done":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(world, "rewards", config, name="knowing", told=stopping)
    assert compositions(load_set(world, "known-short"), "test") == {composition_of(third.services)}
    said = store.steps_of(world, store.find(world, "knowing").id)[0].made or ""
    assert "not tested on 2 compositions that knows-2 was trained on; what else knows-2 was" in said

    copied(world, short, "wide-short")
    wide = ("start=knows-2", "source.set=wide-short", "source.test.tasks=2", "source.test.compositions=2")
    with pytest.raises(InputError, match=r"the part 'test'.*; what is begun with was trained on 2 of the compositions"):
        run(world, "rewards", tiny_config("rewards", tiny, *wide), name="too-wide")
    # Before anything is made, where that can be known.
    alone = "source.dials={level: short, services: [1, 1], length: [1, 1], distractors: [0, 0]}"
    made = ("start=knows-2", "source.set=null", "source.tasks=3", alone)
    monkeypatch.setattr("rl.experiments.steps.seen_by", lambda *_: Seen(frozenset((name,) for name in DESKS)))
    with pytest.raises(InputError, match=r"the part 'test'.*trained on 6 of the compositions"):
        run(world, "rewards", tiny_config("rewards", tiny, *made), name="never-made")
    assert not rows(world, "SELECT FROM compoworld.task_set WHERE name = 'never-made-tasks'")
    # The tasks of a rollout that was deleted are still known by name.
    with world.database.transaction() as connection:
        connection.execute(text("DELETE FROM compoworld.rollout_group g USING compoworld.task t"
                                " WHERE t.id = g.task_id AND t.name = :name"), {"name": second.name})  # fmt: skip
    assert seen_by(world, "knows-2").compositions == {one, two}
    # Nobody knows what a policy saw from which it came, when that is gone.
    with world.database.transaction() as connection:
        connection.execute(text("DELETE FROM compoworld.policy WHERE name = 'knows-1'"))
    assert seen_by(world, "knows-2") == Seen(frozenset({two}), complete=False)


def test_a_signal_after_the_last_trajectory_is_heeded(world: World, short: TaskSet, tiny: Path) -> None:
    """A worker that collects takes signals for itself, also while it looks whether there is more to do."""
    copied(world, short, "late-short")

    def told(moment: Moment) -> None:
        heard = moment.heard
        if heard is not None and heard.what == "trajectories" and heard.done == heard.total:
            os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt):
        run(world, "sft-scale", tiny_config("sft-scale", tiny, "source.set=late-short"), name="late", told=told)
    assert [row.made is None for row in store.steps_of(world, store.find(world, "late").id)] == [False, True]


def test_a_set_that_is_divided_keeps_its_parts(world: World, short: TaskSet, tiny: Path) -> None:
    copied(world, short, "parted")
    one, two, three = (member.ordinal for member in short.members)
    parted = load_set(world, "parted")
    assert parted.id is not None
    keep_splits(world, parted.id, {one: "train", two: "train", three: "test"})

    def stopping(moment: Moment) -> None:
        if moment.kind == "done":
            raise KeyboardInterrupt

    config = tiny_config("rewards", tiny, "source.set=parted", "start=null")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(world, "rewards", config, name="parted", told=stopping)
    assert {item.ordinal: item.split for item in load_set(world, "parted").members} == {
        one: "train", two: "train", three: "test"
    }  # fmt: skip
    assert "train 2 over 2 compositions; test 1 over 1" in (
        store.steps_of(world, store.find(world, "parted").id)[0].made or ""
    )


@pytest.mark.parametrize(("kind", "value"), [("rewards", "start"), ("sft-scale", "base"), ("composition", "base")])
def test_what_is_begun_with_is_looked_at_before_any_work(world: World, tiny: Path, kind: str, value: str) -> None:
    moments: list[Moment] = []
    with pytest.raises(InputError, match="there is no policy 'no-such-policy'"):
        run(world, kind, tiny_config(kind, tiny, f"{value}=no-such-policy"), name="no-start", told=moments.append)
    assert moments == []
    made = rows(world, "SELECT FROM compoworld.task_set WHERE starts_with(name, 'no-start-')")
    assert not made and "no-start" not in [item.name for item in store.experiments(world)]


def test_what_cannot_be_is_refused_before_it_begins(world: World, short: TaskSet, tiny: Path) -> None:
    copied(world, short, "small-short")
    too_many = ("source.set=small-short", "source.train.tasks=9", "source.train.compositions=2")
    with pytest.raises(InputError, match=r"3 tasks over 3 compositions are too few for the part 'train'"):
        run(world, "sft-scale", tiny_config("sft-scale", tiny, *too_many), name="too-many")
    failed = store.find(world, "too-many")
    assert failed.status == "failed" and "too few" in (failed.error or "")
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
