"""Figures and comparisons of results made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import InputError, Refused
from rl.evaluation import Counts, PriceList, compare, in_common, mcnemar_test, read_prices, sign_flip_test, summarise
from synth.models import Prices, Tokens
from tests.rl.evaluation.made import HALF, NOTHING, SOLVED, results, rollout

pytestmark = pytest.mark.unit


def test_by_hand() -> None:
    # Task 1: both solved; task 2: one of two; task 3: one rollout scored, one failed; task 4: none scored.
    found = results("a", [[SOLVED, SOLVED], [SOLVED, NOTHING], [HALF], []], failed=[0, 0, 1, 2])
    summary = summarise(found)
    assert (summary.tasks, summary.scored, summary.failed, summary.missing) == (3, 5, 3, 0)
    assert summary.unscored == ["task-4"]
    assert summary.success is not None and summary.criteria_passed is not None
    assert summary.success.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert summary.criteria_passed.value == pytest.approx((1 + 0.5 + 2 / 3) / 3)
    assert {item.kind: item.passed.value for item in summary.kinds} == pytest.approx(
        {"state": (1 + 0.5 + 0.5) / 3, "answer": (1 + 0.5 + 1) / 3}
    )
    assert [(part.name, part.success.value) for part in summary.slices["area"]] == [("finance", 0.5), ("sales", 0.5)]
    assert [(part.name, part.success.tasks) for part in summary.slices["k"]] == [("4", 1), ("5", 2)]
    assert [part.name for part in summary.slices["family"]] == ["(by hand)"]
    # Of 2 attempts: only tasks 1 and 2 have them.
    assert [(item.k, item.any.value, item.all.value, item.any.tasks) for item in summary.attempts] == [
        (1, pytest.approx(0.5), pytest.approx(0.5), 3),
        (2, 1.0, 0.5, 2),
    ]
    assert summary.effort is not None
    assert (summary.effort.calls.value, summary.effort.failed_calls.value) == (10, 2)
    assert (summary.effort.cost_usd, summary.effort.malformed) == (None, None)


def test_nothing_scored() -> None:
    summary = summarise(results("a", [[], []], failed=[2, 1]))
    assert (summary.success, summary.effort, summary.kinds, summary.attempts) == (None, None, [], [])
    assert (summary.scored, summary.failed, summary.missing) == (0, 3, 1)


def test_cost_only_where_every_price_is_known() -> None:
    tokens = Tokens(input=1_000_000, output=100_000, cached=400_000, written=100_000)
    paid = rollout(SOLVED, tokens=tokens, model="house-7b-v2", number=1)
    free = rollout(NOTHING, model="house-7b-v2", number=2)
    found = results("a", [[SOLVED]])
    found = replace(found, tasks=(replace(found.tasks[0], rollouts=(paid, free)),))
    prices = PriceList({"house": Prices(9, 9, 9, 9), "house-7b": Prices(2, 10, 0.5, 3)})
    effort = summarise(found, prices).effort
    # 500,000 plain at 2, 400,000 cached at 0.5, 100,000 written at 3, 100,000 output at 10 for a million.
    whole = 1.0 + 0.2 + 0.3 + 1.0
    assert effort is not None and effort.cost_usd is not None
    assert (effort.cost_in_all, effort.cost_of_success) == pytest.approx((whole, whole))
    assert effort.cost_usd.value == pytest.approx(whole / 2)
    unknown = summarise(found).effort
    assert unknown is not None and unknown.cost_usd is None is unknown.cost_in_all


def test_prices_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("house: {input: 1, output: 4}\nhouse-7b: {input: 2, output: 10, cached: 0.5}\n")
    listed = read_prices(file)
    assert listed.of("house-13b") == Prices.usual(1, 4)
    assert listed.of("house-7b-v2") == Prices(2, 10, 0.5, 2.5)
    assert listed.of(None) is None is listed.of("nobody-knows")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "gives no prices"),
        ("- 1", "gives no prices"),
        ("house: 3", "have input and output"),
        ("house: {input: 3}", "have input and output"),
        ("house: {input: 3, output: 1, extra: 2}", "have input and output"),
        ("house: {input: -3, output: 1}", "input is US dollars"),
        ("house: {input: true, output: 1}", "input is US dollars"),
        ("house: [", "not YAML"),
    ],
)
def test_prices_that_are_none(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        read_prices(file)


def test_no_prices_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_prices(tmp_path / "none.yaml")


def test_a_comparison_by_hand() -> None:
    worse = results("a", [[NOTHING, NOTHING], [SOLVED, NOTHING], [SOLVED, SOLVED], [HALF, HALF], [NOTHING, SOLVED]])
    better = results("b", [[SOLVED, NOTHING], [SOLVED, SOLVED], [SOLVED, SOLVED], [SOLVED, HALF], [SOLVED, SOLVED]])
    found = compare(worse, better)
    success, criteria = found.measures[:2]
    assert (success.name, success.first, success.second) == ("success", pytest.approx(0.4), pytest.approx(0.8))
    assert success.difference.value == pytest.approx(0.4)
    assert success.difference.low is not None and success.difference.high is not None
    assert 0 <= success.difference.low < 0.4 < success.difference.high
    # Four differences of 1/2 other than 0: 2 of 16 patterns.
    assert (success.p_value, success.test) == (pytest.approx(2 / 16), "sign flips")
    assert criteria.p_value == sign_flip_test([0.5, 0.5, 0, 1 / 6, 0.5])
    assert {item.name for item in found.measures} >= {"state", "answer", "calls", "output_tokens"}
    assert all(item.p_value is None for item in found.measures[2:])
    assert [part.name for part in found.slices["area"]] == ["finance", "sales"]


def test_a_comparison_is_the_same_from_the_other_side() -> None:
    one = results("a", [[NOTHING, SOLVED], [SOLVED, SOLVED], [HALF, SOLVED], [NOTHING, HALF], [HALF, HALF]] * 4)
    two = results("b", [[SOLVED, SOLVED], [NOTHING, SOLVED], [SOLVED, SOLVED], [HALF, SOLVED], [NOTHING, SOLVED]] * 4)
    there, back = compare(one, two), compare(two, one)
    for ahead, behind in zip(there.measures, back.measures, strict=True):
        turned = -behind.difference
        assert ahead.p_value == behind.p_value
        assert ahead.difference.value == pytest.approx(turned.value)
        if turned.low is not None:
            assert (ahead.difference.low, ahead.difference.high) == pytest.approx((turned.low, turned.high))


def test_one_rollout_of_each_task_is_mcnemars() -> None:
    one = results("a", [[NOTHING]] * 7 + [[SOLVED]] * 3, n=1)
    two = results("b", [[SOLVED]] * 6 + [[NOTHING]] * 2 + [[SOLVED]] * 2, n=1)
    success = compare(one, two).measures[0]
    assert success.test == "McNemar, exact"
    assert success.p_value == mcnemar_test(1, 6)


def test_an_evaluation_does_not_differ_from_itself() -> None:
    one = results("a", [[NOTHING, SOLVED], [SOLVED, SOLVED]] * 3)
    for item in compare(one, one).measures[:2]:
        assert (item.difference.value, item.p_value) == (0, 1)


def test_other_tasks_are_refused_unless_shared() -> None:
    one = results("a", [[SOLVED], [NOTHING], [SOLVED]])
    two = results("b", [[SOLVED], [SOLVED], [SOLVED]], first=2, finished=False)
    with pytest.raises(Refused, match=r"1 only in a \(task-1\); 1 only in b \(task-4; it is not finished\)") as refused:
        compare(one, two)
    assert refused.value.hint == "--shared compares the 2 that both have"
    found = compare(one, two, shared=True)
    assert ([task.task for task in found.tasks], found.only_first, found.only_second) == (
        ["task-2", "task-3"], ["task-1"], ["task-4"],
    )  # fmt: skip
    assert [[task.name for task in side.tasks] for side in in_common(one, two)] == [["task-2", "task-3"]] * 2
    with pytest.raises(Refused, match="not on the same tasks"):
        compare(one, results("c", [[SOLVED]], first=9), shared=True)


def test_tasks_that_one_has_no_score_for_are_left_out_and_named() -> None:
    one, two = results("a", [[SOLVED], [SOLVED]]), results("b", [[SOLVED], []], failed=[0, 2])
    found = compare(one, two)
    assert ([task.task for task in found.tasks], found.unscored) == (["task-1"], ["task-2"])
    assert found.first_counts == Counts(2, 0, 2, []) and found.second_counts == Counts(1, 2, 1, ["task-2"])
    with pytest.raises(Refused, match="no task has a scored rollout in both"):
        compare(one, results("c", [[], []], failed=[2, 2]))
