"""Configs, the division of a set, figures as tables and images: without a database."""

from __future__ import annotations

import random
import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from engine.errors import InputError
from rl.experiments.config import (
    KINDS,
    CompositionConfig,
    RewardsConfig,
    Scale,
    ScaleConfig,
    SolvableStudy,
    TaskPart,
    TaskSource,
    about,
    read_config,
)
from rl.experiments.division import divide, see_divided
from rl.experiments.measures import TRAINED, differences, figures
from rl.experiments.report import command
from rl.experiments.run import planned
from rl.experiments.solvable import expected_signal, sampled_signal
from rl.experiments.store import Result
from rl.experiments.tables import tables_of
from tasks.authoring import plans
from tasks.families.short.desk import DESKS
from tasks.sets.by_family import dials_of
from tasks.sets.document import composition_of
from tests.rl.evaluation.made import HALF, NOTHING, SOLVED
from tests.rl.evaluation.made import results as evaluation

pytestmark = pytest.mark.unit


def counted(counts: dict[str, int]) -> dict[int, tuple[str, ...]]:
    """Tasks over services of one letter each: so many for each set of them."""
    return dict(enumerate(tuple(name) for name, count in counts.items() for _ in range(count)))


def test_parts_that_a_set_has_are_looked_at() -> None:
    of = counted({"a": 2, "b": 1, "c": 1})
    see_divided(of, {0: "train", 1: "train", 2: "test"}, ["train", "test"], [("a",)], "mine")
    with pytest.raises(InputError, match="'mine' is divided, and has no part 'test'"):
        see_divided(of, {0: "train", 2: "validation"}, ["train", "test"], [], "mine")
    with pytest.raises(InputError, match="1 of 2 compositions in the part 'test' of the set 'mine' are trained on"):
        see_divided(of, {0: "train", 1: "test", 2: "test"}, ["train", "test"], [], "mine")
    with pytest.raises(InputError, match="such as b"):
        see_divided(of, {0: "train", 2: "test"}, ["train", "test"], [("b",)], "mine")
    # What is in a part that is not needed does not matter.
    see_divided(of, {0: "train", 1: "test"}, ["train"], [], "mine")
    with pytest.raises(InputError, match="1 of 1 compositions in the part 'test'"):
        see_divided(of, {0: "train", 1: "test"}, ["test"], [], "mine")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", ["cpu", "gpu"])
def test_the_command_of_a_report_makes_the_same_experiment(kind: str, scale: Scale) -> None:
    values = (
        ["seed=5", "profiles={steep: [0.5]}"] if kind == "rewards-solvable" else ["base=my policy", "sft.lora=null"]
    )
    config = read_config(kind, scale, values=values)
    shown = command(kind, "mine", config.model_dump(mode="json", by_alias=True))
    head, *given = shlex.split(shown)[3:-2]
    assert (head, shlex.split(shown)[-2:]) == (kind, ["--name", "mine"])
    again: Scale = "cpu"
    if given[:1] == ["--scale"]:
        again, given = "gpu", given[2:]
    assert set(given[::2]) == {"--set"} and len(given) <= 2 * len(values)
    assert read_config(kind, again, values=given[1::2]) == config
    plain = read_config(kind).model_dump(mode="json", by_alias=True)
    assert command(kind, kind, plain) == f"compoworld experiment run {kind}"


@pytest.mark.parametrize("value", ["grpo.reward=uniform", "grpo.split=all", "sft.policy=p", "sft.select.limit=3"])
def test_what_an_experiment_decides_is_not_set(value: str) -> None:
    part, _, name = value.partition("=")[0].partition(".")
    with pytest.raises(InputError, match=rf"{part}: {name} is decided by the experiment"):
        read_config("rewards", values=[value])


def test_parts_share_no_composition_and_come_evenly() -> None:
    of = counted({"a": 4, "b": 4, "c": 1, "d": 1, "e": 2, "f": 3})
    parts = {"train": TaskPart(tasks=6, compositions=2), "test": TaskPart(tasks=4, compositions=3)}
    splits = divide(of, parts, seed=1)
    assert splits == divide(dict(reversed(of.items())), parts, seed=1)
    train = Counter(of[ordinal] for ordinal, part in splits.items() if part == "train")
    test = Counter(of[ordinal] for ordinal, part in splits.items() if part == "test")
    assert sorted(train.values()) == [3, 3] and test.total() == 4 and len(test) == 3
    assert not train.keys() & test.keys()
    assert len({tuple(divide(of, parts, seed=seed)) for seed in range(9)}) > 1


def test_compositions_with_more_tasks_make_up_for_those_with_few() -> None:
    of = counted({"a": 1, "b": 1, "c": 1, "d": 3, "e": 2})
    for seed in range(9):
        splits = divide(of, {"train": TaskPart(tasks=5, compositions=2)}, seed=seed)
        assert len(splits) == 5 and {of[ordinal] for ordinal in splits} == {("d",), ("e",)}


def test_parts_within_services_train_on_all_of_them_equally_often() -> None:
    pairs = {f"{one}{two}": 2 for one, two in combinations("abcdef", 2)}
    of = counted(pairs)
    parts = {"train": TaskPart(tasks=8, compositions=4), "test": TaskPart(tasks=2, compositions=2)}
    for seed in range(5):
        splits = divide(of, parts, seed, within="abcd")
        assert splits == divide(dict(reversed(of.items())), parts, seed, within="abcd")
        trained = Counter(name for ordinal, part in splits.items() if part == "train" for name in of[ordinal])
        assert trained == dict.fromkeys("abcd", 4)
        assert all(set(of[ordinal]) <= set("abcd") for ordinal in splits)
    with pytest.raises(InputError, match=r"12 tasks over 6 compositions of a, b, c, d are too few for the part 'test'"):
        divide(of, {**parts, "test": TaskPart(tasks=3, compositions=3)}, within="abcd")
    with pytest.raises(InputError, match="'train' has all services that are to be trained on: a, b, c, d"):
        divide(of, {"train": TaskPart(tasks=2, compositions=1)}, within="abcd")


def test_a_draw_that_does_not_fit_refuses_nothing() -> None:
    # No test of eleven tasks over three of these is left where the training part is over ab and cd.
    of = counted({"ab": 5, "ac": 3, "ad": 3, "bc": 3, "bd": 3, "cd": 5})
    parts = {"train": TaskPart(tasks=6, compositions=2), "test": TaskPart(tasks=11, compositions=3)}
    for within in (None, "abcd"):
        for seed in range(20):
            splits = divide(of, parts, seed, within=within)
            assert Counter(splits.values()) == {"train": 6, "test": 11}
            trained = {of[ordinal] for ordinal in splits if splits[ordinal] == "train"}
            assert not trained & {of[ordinal] for ordinal in splits if splits[ordinal] == "test"}
            assert within is None or {name for key in trained for name in key} == set(within)


def test_a_less_even_draw_with_all_services_goes_before_one_without() -> None:
    # Five tasks over a, b and c are the most even that there are, and lack a service.
    of = counted({"a": 3, "b": 1, "c": 1, "ab": 2, "ac": 2, "ad": 1})
    for seed in range(5):
        splits = divide(of, {"train": TaskPart(tasks=5, compositions=3)}, seed, within="abcd")
        assert {of[ordinal] for ordinal in splits} == {("a", "b"), ("a", "c"), ("a", "d")}


def test_what_was_seen_is_trained_on_and_not_tested() -> None:
    of = counted({"a": 2, "b": 2, "c": 2, "d": 2})
    parts = {"train": TaskPart(tasks=4, compositions=2), "test": TaskPart(tasks=2, compositions=2)}
    seen = {("a",), ("c",)}
    for seed in range(5):
        splits = divide(of, parts, seed, seen=seen)
        assert {of[ordinal] for ordinal, part in splits.items() if part == "train"} == seen
        assert {of[ordinal] for ordinal, part in splits.items() if part == "test"} == {("b",), ("d",)}
    with pytest.raises(InputError, match=r"'test'.*trained on 3 of the compositions before \(.*another policy\)"):
        divide(of, parts, seen={*seen, ("b",), ("z",)})


def candidates(source: TaskSource, families: Sequence[str] = (), lost: float = 0.1) -> dict[int, tuple[str, ...]]:
    """The set of a source as it would be made if the gate refused some at random, and what its novelty check would."""
    lots, compositions, stories = random.Random(1), Counter[Any](), Counter[Any]()
    found: dict[int, tuple[str, ...]] = {}
    for plan in islice(plans(source.seed, dials_of(source.dials), families or None), 2000):
        key, story = composition_of(plan.services), (plan.family, plan.walk)
        if compositions[key] < source.per_composition and stories[story] < 2 and lots.random() >= lost:
            compositions[key] += 1
            stories[story] += 1
            found[plan.ordinal] = key
        if len(found) == source.tasks:
            return found
    raise AssertionError(f"{len(found)} tasks of {source.tasks}")


def test_packaged_composition_has_the_services_of_both_arms() -> None:
    config = read_config("composition")
    assert isinstance(config, CompositionConfig) and config.composed.train and config.composed.test
    single = candidates(config.single, config.families)
    assert Counter(single.values()) == dict.fromkeys(((name,) for name in sorted(DESKS)), 6)
    of = candidates(config.composed, config.families)
    parts = {"train": config.composed.train, "test": config.composed.test}
    splits = divide(of, parts, config.composed.seed, within=DESKS)
    trained, tested = ([of[ordinal] for ordinal in splits if splits[ordinal] == part] for part in ("train", "test"))
    assert len(trained) == len(single) == 36 and len(set(trained)) == 6
    assert Counter(name for key in trained for name in key) == dict.fromkeys(DESKS, 12)
    assert len(tested) == 36 and len(set(tested)) == 9 and {name for key in tested for name in key} == set(DESKS)
    assert not set(trained) & set(tested)


def test_packaged_rewards_can_begin_with_a_policy_that_has_seen_some() -> None:
    config = read_config("rewards")
    assert isinstance(config, RewardsConfig) and config.source.train and config.source.test
    of = candidates(config.source)
    parts = {"train": config.source.train, "test": config.source.test}
    # About what a policy has seen that was trained on a hundred of all short tasks.
    seen = set(random.Random(2).sample(sorted(set(of.values())), 12))
    for known in (set[Any](), seen):
        splits = divide(of, parts, config.source.seed, seen=known)
        assert not {of[ordinal] for ordinal, part in splits.items() if part == "test"} & known


def test_what_arms_were_trained_on_is_a_table() -> None:
    found = [Result(arm, measure, 1234, None, None, 4) for arm in ("a", "b") for measure in TRAINED.values()]
    (table,) = tables_of("composition", found)
    assert table.title == "trained on" and [row[:2] for row in table.rows] == [["a", "1,234"], ["b", "1,234"]]


def test_a_set_that_is_too_small() -> None:
    with pytest.raises(InputError, match=r"'train': it found 6 tasks over 2 compositions of 9 over 3 \(make more"):
        divide(counted({"a": 3, "b": 3, "c": 2}), {"train": TaskPart(tasks=9, compositions=3)})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", ["cpu", "gpu"])
def test_packaged_configs(kind: str, scale: Any) -> None:
    config = read_config(kind, scale)
    steps = planned(kind, config)
    assert steps[-1] == "figures" and len(steps) == len(set(steps))
    assert about(kind).endswith(".")


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("sft-scal", "x=1", "did you mean sft-scale"),
        ("sft-scale", "sft.epocs=1", r"^the settings: there is no setting 'sft.epocs' \(did you mean sft.epochs\?\)$"),
        ("sft-scale", "epochs=1", r"no setting 'epochs' \(did you mean sft.epochs\?\)"),
        ("sft-scale", "sft.lora.ranks=1", r"no setting 'sft.lora.ranks' \(did you mean sft.lora.rank\?\)"),
        ("sft-scale", "sft.epochs=0", "^the settings: sft.epochs: input should be greater than 0, not 0$"),
        ("sft-scale", "sft.per_device=3", "^the settings: sft: batch: 2 trajectories are no multiple"),
        ("sft-scale", "source.train.task=1", r"no setting 'source.train.task' \(did you mean source.train.tasks\?\)"),
        ("rewards", "learning_rate=1", r"\(did you mean sft.learning_rate or grpo.learning_rate\?\)"),
        ("rewards", "grpo.batch=1", r"no setting 'grpo.batch' \(did you mean grpo.sampling.batch\?\)"),
        (
            "rewards",
            "grpo.per_device=3",
            r"^the settings: grpo: per_device: .* 8 rollouts .* no multiple of 3 \(such as",
        ),
        ("rewards", "trajectories=101", "^the settings: trajectories: 101 cannot come of 100 tasks$"),
        ("rewards-solvable", "simulation.seed=1", r"\(did you mean simulation.seeds\?\)"),
        ("sft-scale", "sizes=[3, 1]", "sizes: they go up from 1"),
        ("sft-scale", "sizes=[301]", "301 trajectories cannot come of 300 tasks"),
        ("sft-scale", "source.test=null", "source: test is missing"),
        ("sft-scale", "source.train.compositions=301", "300 tasks cannot be over 301 compositions"),
        (
            "sft-scale",
            "source.tasks=331",
            r"source: tasks: 331 .* than train.tasks \(300\) and test.tasks \(32\)",
        ),
        ("sft-scale", "source.train.compositions=149", r"source: train: 300 tasks over 149 .* per_composition \(2\)"),
        ("composition", "composed.tasks=71", r"composed: tasks: 71 .* train.tasks \(36\) and test.tasks \(36\)"),
        (
            "composition",
            "single.tasks=35",
            r"single: tasks: 35 that are made are fewer than train.tasks \(36\)",
        ),
        ("composition", "single.train.tasks=12", "as many tasks and compositions"),
        ("rewards", "rewards=[best]", "rewards"),
        ("rewards", "rewards=[uniform, uniform]", "rewards: each reward is named once"),
        ("rewards-solvable", "rewards=[binary, uniform, binary]", "rewards: each reward is named once"),
        ("rewards-solvable", "rewards=[]", "rewards: "),
        ("rewards-solvable", "shown=[999]", "steps are from 0 to 300"),
    ],
)
def test_what_is_wrong_in_a_config_is_said(kind: str, value: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_config(kind, values=(value,))


def test_a_set_that_is_there_is_not_counted_in_advance() -> None:
    config = read_config("sft-scale", values=("source.set=mine", "source.tasks=1"))
    assert isinstance(config, ScaleConfig) and config.source.tasks == 1


def test_arms_as_figures_and_tables() -> None:
    base = evaluation("base", [[NOTHING], [HALF]] * 3, n=1)
    tuned = evaluation("tuned", [[HALF], [SOLVED]] * 3, n=1)
    found = [*figures("0", base, 0), *figures("30", tuned, 30), *differences("30", tuned, "0", base, 30)]
    success = {(item.arm, item.against): item for item in found if item.measure == "success"}
    assert [round(success[key].estimate, 2) for key in (("0", None), ("30", None), ("30", "0"))] == [0, 0.5, 0.5]
    assert success["30", "0"].p_value == 0.25  # McNemar: three tasks, all in one direction
    assert not any(item.measure == "malformed" for item in found), "the tokens of these were not kept"
    table = tables_of("sft-scale", found)[0]
    assert table.title == "success" and [row[0] for row in table.rows] == ["0", "30", "30 less 0"]
    assert table.rows[2][2] == "+50.0" and table.rows[2][4] == "p = 0.25"


def test_signal_in_groups_comes_near_to_that_of_a_large_one() -> None:
    pytest.importorskip("numpy", reason="the extra 'plots' is not installed")
    rates = (0.3, 0.8, 0.8)
    exact = expected_signal(rates, "uniform")[0]
    small, large = (sampled_signal(rates, "uniform", size, 4000) for size in (4, 200))
    assert small < large == pytest.approx(exact, abs=0.02)


def test_solvable_in_tables_and_images() -> None:
    pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")
    from rl.experiments.analytic import results
    from rl.experiments.lab import Lab
    from rl.experiments.plots import images

    study = read_config(
        "rewards-solvable", values=("simulation.seeds=6", "simulation.steps=20", "shown=[0, 20]", "groups=50")
    )
    assert isinstance(study, SolvableStudy)
    found = list(results(study, Lab(None, "none")))
    tables = tables_of("rewards-solvable", found)
    assert [table.title for table in tables[:2]] == ["graded: success", "graded: criteria passed"]
    assert tables[0].columns == ["step", "completion-focused", "uniform", "binary", "less uniform", "95 %"]
    assert len(tables) == 2 * 3 + 3
    pictures = images("rewards-solvable", found)
    assert set(pictures) == {"curves", "signal"}
    assert all(content.startswith(b"\x89PNG") for content in pictures.values())


def test_arms_and_training_as_images() -> None:
    pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")
    from rl.experiments.plots import images

    found = [
        Result("start", "success", 0.1, 0.0, 0.3, 9),
        Result("uniform", "criteria in training", 0.5, None, None, 1, at=1),
        Result("uniform", "success in training", 0.2, None, None, 1, at=1),
        Result("uniform", "success in training", 0.3, None, None, 1, at=3),
    ]
    assert set(images("rewards", found)) == {"arms", "training"}
    assert set(images("sft-scale", found[:1])) == {"arms"}


def test_the_packaged_files_are_all_there() -> None:
    folder = Path(__file__).parents[3] / "rl" / "configs" / "experiments"
    assert {path.stem for path in folder.glob("*.yaml")} == set(KINDS) == {
        path.stem for path in folder.glob("gpu/*.yaml")
    }  # fmt: skip
