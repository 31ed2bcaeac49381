"""The rewards on the solvable policy: what becomes of it over many seeds, and how much signal each criterion gets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rl.evaluation import mean_estimate
from rl.experiments.config import SolvableStudy
from rl.experiments.lab import Heard, Lab
from rl.experiments.measures import CRITERIA, SUCCESS, result
from rl.experiments.solvable import Curves, RewardName, expected_signal, sampled_signal, simulate
from rl.experiments.steps import Step
from rl.experiments.store import Result

SIGNAL, SHARE, SAMPLED = "signal", "share of the signal", "signal in groups"
GRID = tuple(step / 20 for step in range(21))
"""Pass rates at which the signal is computed."""


def steps(config: SolvableStudy) -> Iterator[Step]:
    """Nothing is kept between: it takes seconds."""
    return iter(())


def results(config: SolvableStudy, lab: Lab) -> Iterator[Result]:
    """For each profile how the rewards fare and how they differ, then the signal as a pass rate goes from 0 to 1."""
    total = len(config.profiles) * len(config.rewards)
    done = 0
    for profile, rates in config.profiles.items():
        settings = config.simulation.model_copy(update={"pass_rates": rates})
        curves = {}
        for reward in config.rewards:
            curves[reward] = simulate(settings, reward, config.seed)
            done += 1
            lab.told(Heard(done, total, "simulations"))
        yield from _fared(config, profile, curves)
    for reward in config.rewards:
        yield from _signal(config, reward)


def arm_of(profile: str, reward: str) -> str:
    """What an arm is called: ``graded: completion-focused``."""
    return f"{profile}: {reward.replace('_', '-')}"


def _fared(config: SolvableStudy, profile: str, curves: dict[RewardName, Curves]) -> Iterator[Result]:
    values = {reward: {SUCCESS: found.success, CRITERIA: found.criteria} for reward, found in curves.items()}
    for measure in (SUCCESS, CRITERIA):
        for reward in config.rewards:
            for step in config.shown:
                found = mean_estimate(values[reward][measure][:, step].tolist())
                assert found is not None
                yield result(arm_of(profile, reward), measure, found, at=step)
    first, *others = config.rewards
    for other in others:
        for measure in (SUCCESS, CRITERIA):
            for step in config.shown:
                # The same seed draws the same numbers for every reward.
                paired: Sequence[float] = (values[first][measure][:, step] - values[other][measure][:, step]).tolist()
                found = mean_estimate(paired, share=False)
                assert found is not None
                yield result(
                    arm_of(profile, first),
                    measure,
                    found,
                    against=arm_of(profile, other),
                    at=step,
                )


def _signal(config: SolvableStudy, reward: RewardName) -> Iterator[Result]:
    """The signal of one criterion among others that all hold equally often."""
    arm = reward.replace("_", "-")
    size, lam = config.simulation.group_size, config.simulation.lam
    for rate in GRID:
        rates = (rate, *[config.others] * (config.criteria - 1))
        exact = expected_signal(rates, reward, lam)
        yield Result(arm, SIGNAL, exact[0], None, None, 1, at=rate)
        yield Result(arm, SHARE, exact[0] / sum(exact) if sum(exact) else 0.0, None, None, 1, at=rate)
        drawn = sampled_signal(rates, reward, size, config.groups, lam=lam, seed=config.seed)
        yield Result(arm, SAMPLED, drawn, None, None, config.groups, at=rate)
