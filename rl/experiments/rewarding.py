"""Which reward GRPO gains more from, from the same policy, on the same prompts in the same order."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import text

from rl.evaluation import mean_estimate
from rl.experiments import measures
from rl.experiments.config import RewardsConfig
from rl.experiments.lab import Lab
from rl.experiments.steps import (
    Step,
    evaluation_of,
    outcome_words,
    own,
    references_step,
    tasks_step,
    tested_step,
    tuned_step,
)
from rl.experiments.store import Result
from rl.grpo import GrpoSettings
from rl.grpo.rewards import RewardKind
from rl.training.settings import read

TASKS, START = "tasks", "start"
TRAINED_SUCCESS, TRAINED_CRITERIA, NO_SIGNAL = "success in training", "criteria in training", "groups without signal"

_GROUPS = """
SELECT step, solved::float8 / scored AS success, criteria_passed, coalesce(reward_deviation, 0) < 1e-8 AS silent
FROM compoworld.grpo_groups WHERE run = :run AND scored > 0 ORDER BY step, place
"""


def steps(config: RewardsConfig) -> Iterator[Step]:
    """The tasks; the policy to start from, where none is given; then each reward is trained with and tested."""

    def task_set(lab: Lab) -> str:
        return lab.set_of(config.source, TASKS)

    def start(lab: Lab) -> str:
        return config.start or lab.named(START)

    yield tasks_step(config.source, TASKS, config)
    if config.start is None:
        yield references_step(config.source, TASKS, config, config.trajectories)
        yield tuned_step(START, config, TASKS, config.trajectories)
    yield tested_step(START, start, config, task_set)
    for reward in config.rewards:

        def train(lab: Lab, reward: RewardKind = reward) -> str:
            given = {**config.grpo, "sets": [task_set(lab)], "split": "train", "reward": reward}
            return outcome_words(lab.improved(policy_of(reward), start(lab), read(GrpoSettings, "grpo", given=given)))

        yield Step(f"train {policy_of(reward)}", train, ("runs", policy_of(reward)))
        yield tested_step(arm_of(reward), own(policy_of(reward)), config, task_set)


def results(config: RewardsConfig, lab: Lab) -> Iterator[Result]:
    """The figures of each arm, what it gained, the first against the others; and how training went."""
    found = {arm: lab.results(evaluation_of(arm)) for arm in (START, *map(arm_of, config.rewards))}
    for arm, each in found.items():
        yield from measures.figures(arm, each)
    first, *others = map(arm_of, config.rewards)
    for arm, against in ((arm, START) for arm in (first, *others)):
        yield from measures.differences(arm, found[arm], against, found[against])
    for other in others:
        yield from measures.differences(first, found[first], other, found[other])
    for reward in config.rewards:
        yield from _training(lab, reward)


def _training(lab: Lab, reward: RewardKind) -> Iterator[Result]:
    """How the groups of a run went, step by step, and how many of them taught nothing."""
    with lab.world.database.transaction() as connection:
        groups = connection.execute(text(_GROUPS), {"run": lab.named(policy_of(reward))}).all()
    arm = arm_of(reward)
    silent = mean_estimate([float(group.silent) for group in groups])
    if silent is not None:
        yield measures.result(arm, NO_SIGNAL, silent)
    for step in sorted({group.step for group in groups}):
        some = [group for group in groups if group.step == step]
        for measure, values in (
            (TRAINED_SUCCESS, [group.success for group in some]),
            (TRAINED_CRITERIA, [group.criteria_passed for group in some]),
        ):
            yield Result(arm, measure, sum(values) / len(values), None, None, len(values), at=step)


def arm_of(reward: str) -> str:
    """What the arm of a reward is called."""
    return reward.replace("_", "-")


def policy_of(reward: str) -> str:
    """What the policy of a reward is called."""
    return f"grpo-{arm_of(reward)}"
