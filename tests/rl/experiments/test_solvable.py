"""The solvable policy: its closed forms against sampling, its rewards against those of groups."""

from __future__ import annotations

import pytest

from rl import rewards
from rl.experiments.solvable import RewardName, SolvableConfig, expected_signal, group_rewards, simulate

np = pytest.importorskip("numpy", reason="the extra 'train' or 'plots' is not installed")

pytestmark = pytest.mark.unit

REWARDS: tuple[RewardName, ...] = ("completion_focused", "uniform", "binary")
RATES = (0.9, 0.6, 0.3, 0.1)


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_are_those_of_groups(reward: RewardName) -> None:
    passed = np.random.default_rng(1).random((20, 5, 3)) < 0.6
    found = group_rewards(passed.astype(float), reward)
    for group, values in zip(passed, found, strict=True):
        assert values == pytest.approx(getattr(rewards, reward)(group.tolist()))


@pytest.mark.parametrize("reward", REWARDS)
def test_the_signal_is_the_covariance_of_advantage_and_score(reward: RewardName) -> None:
    passed = (np.random.default_rng(2).random((400_000, 4)) < np.array(RATES)).astype(float)
    values = group_rewards(passed, reward)
    advantages = (values - values.mean()) / values.std()
    sampled = (advantages[:, None] * (passed - np.array(RATES))).mean(axis=0)
    assert expected_signal(RATES, reward) == pytest.approx(sampled, abs=0.01)


def test_completion_focused_moves_signal_to_what_is_rarely_fulfilled() -> None:
    focused, uniform = expected_signal(RATES, "completion_focused"), expected_signal(RATES, "uniform")
    shares = [a / sum(focused) - b / sum(uniform) for a, b in zip(focused, uniform, strict=True)]
    assert shares[0] < 0 < shares[3]


@pytest.mark.parametrize("reward", REWARDS)
def test_nothing_varies_nothing_is_learnt(reward: RewardName) -> None:
    assert expected_signal((1.0, 1.0), reward) == [0.0, 0.0]
    assert expected_signal((0.0, 0.0), reward) == [0.0, 0.0]


def test_a_simulation_repeats_and_learns() -> None:
    config = SolvableConfig(pass_rates=RATES, steps=40, seeds=6, rate=0.2)
    first, again = (simulate(config, "completion_focused", seed=3) for _ in range(2))
    assert np.array_equal(first.success, again.success)
    assert first.success.shape == (6, 41)
    assert first.criteria[:, 0] == pytest.approx(np.mean(RATES))
    assert first.success[:, 0] == pytest.approx(np.prod(RATES))
    assert first.criteria[:, -1].min() > np.mean(RATES) + 0.2
