"""Estimates against values worked by hand, brute force, and a simulation."""

from __future__ import annotations

import itertools
import random
from statistics import fmean

import pytest

from engine.errors import InputError
from rl.evaluation import mcnemar_test, mean_estimate, pass_at_k, pass_hat_k, sign_flip_test
from rl.evaluation.estimates import student_quantile

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(("attempts", "solved"), [(n, c) for n in (1, 3, 6) for c in range(n + 1)])
def test_pass_k_against_every_choice(attempts: int, solved: int) -> None:
    outcomes = [True] * solved + [False] * (attempts - solved)
    for k in range(1, attempts + 1):
        choices = list(itertools.combinations(outcomes, k))
        assert pass_at_k(attempts, solved, k) == pytest.approx(fmean(any(choice) for choice in choices))
        assert pass_hat_k(attempts, solved, k) == pytest.approx(fmean(all(choice) for choice in choices))


def test_pass_k_by_hand() -> None:
    # Of 4 attempts 1 solved: 2 of them hold it in 3 of 6 choices.
    assert pass_at_k(4, 1, 2) == 0.5
    assert pass_hat_k(4, 3, 2) == 0.5
    assert pass_at_k(5, 2, 1) == pytest.approx(pass_hat_k(5, 2, 1)) == pytest.approx(0.4)


def test_pass_k_is_unbiased() -> None:
    """The mean of the estimates of 2 from 5 attempts is the chance itself."""
    chance = 0.3
    weights = {
        solved: sum(1 for flips in itertools.product((0, 1), repeat=5) if sum(flips) == solved) for solved in range(6)
    }
    for estimator, true in ((pass_at_k, 1 - (1 - chance) ** 2), (pass_hat_k, chance**2)):
        mean = sum(
            count * chance**solved * (1 - chance) ** (5 - solved) * estimator(5, solved, 2)
            for solved, count in weights.items()
        )
        assert mean == pytest.approx(true)


@pytest.mark.parametrize("wrong", [(4, 5, 1), (4, -1, 1), (4, 2, 0), (4, 2, 5)])
def test_pass_k_of_nonsense(wrong: tuple[int, int, int]) -> None:
    for estimator in (pass_at_k, pass_hat_k):
        with pytest.raises(InputError):
            estimator(*wrong)


def test_students_quantiles() -> None:
    # From any table of Student's t, two-sided 95 %.
    for freedom, value in ((1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (29, 2.045), (120, 1.980)):
        assert student_quantile(freedom) == pytest.approx(value, abs=6e-4)


def test_no_interval_where_there_is_none_to_give() -> None:
    assert mean_estimate([]) is None
    few = mean_estimate([0.0, 1.0, 1.0, 0.5])
    assert few is not None and (few.value, few.low, few.high, few.tasks) == (0.625, None, None, 4)
    alike = mean_estimate([7.0] * 9, share=False)
    assert alike is not None and (alike.low, alike.high) == (None, None)
    halves = mean_estimate([0.5] * 9)
    assert halves is not None and (halves.low, halves.high) == (None, None)


def test_all_or_nothing_is_not_certainty() -> None:
    none, every = mean_estimate([0.0] * 24), mean_estimate([1.0] * 24)
    assert none is not None and every is not None
    # Clopper and Pearson: 1 - 0.025^(1/24) = 0.1425.
    assert (none.low, every.high) == (0, 1)
    assert none.high == pytest.approx(0.1425, abs=1e-4)
    assert every.low == pytest.approx(1 - 0.1425, abs=1e-4)


def test_an_interval_is_the_same_each_time_and_from_either_side() -> None:
    lots = random.Random(4)
    values = [lots.random() for _ in range(30)]
    one, two = mean_estimate(values, seed=1), mean_estimate([-value for value in values], share=False, seed=1)
    assert one is not None and two is not None and one.low is not None and one.high is not None
    assert mean_estimate(values, seed=1) == one != mean_estimate(values, seed=2)
    turned = -two
    assert (turned.value, turned.low, turned.high) == pytest.approx((one.value, one.low, one.high))
    # As wide as Student's interval, to within a tenth.
    spread = (sum((value - one.value) ** 2 for value in values) / 29 / 30) ** 0.5
    assert one.high - one.low == pytest.approx(2 * 2.045 * spread, rel=0.1)


@pytest.mark.parametrize(("tasks", "n", "chance"), [(24, 4, 0.5), (24, 1, 0.2), (12, 4, 0.7)])
def test_intervals_cover_the_truth(monkeypatch: pytest.MonkeyPatch, tasks: int, n: int, chance: float) -> None:
    """Tasks differ in how hard they are; about 95 of 100 intervals hold the mean chance."""
    monkeypatch.setattr("rl.evaluation.estimates.RESAMPLES", 400)
    lots = random.Random(11)
    rounds, held = 150, 0
    for place in range(rounds):
        hard = [lots.betavariate(2 * chance, 2 * (1 - chance)) for _ in range(tasks)]
        found = mean_estimate([sum(lots.random() < p for _ in range(n)) / n for p in hard], seed=place)
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= chance <= found.high
    assert 0.89 <= held / rounds <= 1


def test_rollouts_of_one_task_are_not_taken_for_independent() -> None:
    """Tasks that are solved always or never: four rollouts of each say no more than one."""
    once = [float(place % 2) for place in range(20)]
    for n in (1, 4):
        found = mean_estimate([fmean([value] * n) for value in once])
        assert found is not None and found.low is not None and found.high is not None
        assert found.high - found.low > 0.4


def test_sign_flips_by_hand() -> None:
    # 4 tasks, all better by as much: 2 of 16 patterns are as far from 0.
    assert sign_flip_test([0.5] * 4) == pytest.approx(2 / 16)
    assert sign_flip_test([0.5, 0.5, 0.5, -0.5]) == pytest.approx(10 / 16)
    assert sign_flip_test([]) == sign_flip_test([0.0, 0.0]) == 1
    assert sign_flip_test([0.0, 0.0, 0.5, 0.5, 0.5, 0.5]) == sign_flip_test([0.5] * 4)


def test_sign_flips_against_every_pattern() -> None:
    lots = random.Random(2)
    values = [lots.choice((-0.75, -0.25, 0.25, 0.5, 0.1)) for _ in range(9)]
    patterns = list(itertools.product((1, -1), repeat=9))
    far = sum(
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= abs(sum(values)) - 1e-9 for signs in patterns
    )
    assert sign_flip_test(values) == far / len(patterns)


def test_sign_flips_are_symmetric_drawn_or_not() -> None:
    lots = random.Random(5)
    for count in (10, 40):
        values = [lots.gauss(0.1, 0.3) for _ in range(count)]
        assert sign_flip_test(values) == sign_flip_test([-value for value in values])
        assert 0 < sign_flip_test(values) <= 1


def test_drawn_sign_flips_agree_with_exact_ones() -> None:
    # 20 differences of one size: the exact p-value is McNemar's.
    values = [1.0] * 14 + [-1.0] * 6
    assert sign_flip_test(values) == pytest.approx(mcnemar_test(6, 14), abs=0.01)


def test_mcnemar_by_hand() -> None:
    # Of 6 tasks that one alone solved, all 6 by the second: 2 * (1/2)^6.
    assert mcnemar_test(0, 6) == mcnemar_test(6, 0) == pytest.approx(2 / 64)
    assert mcnemar_test(1, 6) == pytest.approx(2 * (1 + 7) / 128)
    assert mcnemar_test(0, 0) == mcnemar_test(3, 3) == 1


@pytest.mark.parametrize(("first", "second"), [(0, 3), (2, 5), (4, 4), (7, 1), (0, 0)])
def test_mcnemar_is_the_sign_flip_of_ones(first: int, second: int) -> None:
    assert mcnemar_test(first, second) == pytest.approx(sign_flip_test([-1.0] * first + [1.0] * second))


def test_sign_flips_hold_their_level() -> None:
    lots = random.Random(8)
    rejected = sum(sign_flip_test([lots.choice((-1, -0.5, 0, 0.5, 1)) for _ in range(12)]) <= 0.05 for _ in range(200))
    assert rejected / 200 <= 0.09
