"""GRPO with TRL's trainer; rollouts come from ``rl.grpo.sampling`` through its ``rollout_func``.

Imported only where a run is trained: it imports torch.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any

from accelerate.utils import gather_object
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from engine.errors import InputError
from engine.metatools import MetaTools
from engine.world import World
from rl.agents import Agent
from rl.agents.transformers import TransformersAgent
from rl.grpo.lengths import OwnLengths
from rl.grpo.plan import Plan, in_order, policy_at
from rl.grpo.record import Row
from rl.grpo.rewards import summable
from rl.grpo.sampling import Groups, see_trainable, whole_groups
from rl.grpo.settings import GrpoSettings
from rl.grpo.writing import copy_of, refresh
from rl.local.engine import Generator
from rl.local.loading import Loaded
from rl.policies import Weights
from rl.prompts import system_prompt
from rl.training.progress import TrainingWatcher
from rl.training.runs import Run
from rl.training.trainer import adapter, arguments, finish, mixed, prepared, quiet, train, warmup_steps
from tasks.store import StoredTask


@quiet()
def optimise(
    world: World,
    run: Run,
    weights: Weights,
    settings: GrpoSettings,
    plan: Plan,
    tasks: Sequence[StoredTask],
    told: TrainingWatcher,
) -> None:
    """Train a run to its end, and register the policy."""
    loaded = prepared(weights, settings)
    see_room(tasks, settings, loaded)
    see_reference(weights, settings, loaded)
    config = make_config(settings, run, plan)
    groups = Groups(world, run, settings, config.process_index, told)
    trainer = make_trainer(config, settings, plan, loaded, tasks, groups, run.name)
    train(trainer, world, run, told)
    finish(trainer, loaded, world, run, settings, weights, told)


def make_config(settings: GrpoSettings, run: Run, plan: Plan) -> GRPOConfig:
    """The settings as TRL takes them."""
    return GRPOConfig(
        **arguments(settings, run, accumulate=plan.accumulate, save_steps=settings.save_every * plan.updates),
        max_steps=settings.steps,
        warmup_steps=warmup_steps(settings, settings.steps),
        num_generations=settings.rollouts,
        steps_per_generation=plan.passes,
        num_iterations=settings.iterations,
        # The mean over each trajectory's own tokens, then over trajectories.
        loss_type="grpo",
        scale_rewards="group",
        epsilon=settings.clip_low,
        epsilon_high=settings.clip_high,
        beta=settings.beta,
        disable_dropout=True,
        temperature=settings.sampling.temperature,
        max_completion_length=settings.sampling.max_context,
        # The order is ours: places in the run are counted along it.
        shuffle_dataset=False,
    )


def make_trainer(
    config: GRPOConfig,
    settings: GrpoSettings,
    plan: Plan,
    loaded: Loaded,
    tasks: Sequence[StoredTask],
    groups: Groups,
    name: str,
) -> GRPOTrainer:
    """TRL's trainer, whose rollouts are groups on forks.

    Args:
        groups: samples them; rewards come with them.
        name: the run's, after which the policy that samples is called.
    """
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"  # that rollout_func may change: the version of TRL is pinned
    # It prints every prompt of which a rollout is unscorable; those are in the database.
    logging.getLogger("trl").setLevel(logging.ERROR)
    writers: list[tuple[Any, Generator]] = []

    def rollouts(prompts: list[Any], trainer: GRPOTrainer) -> dict[str, Any]:
        asked = whole_groups(prompts, settings.rollouts)
        policy = trainer.accelerator.unwrap_model(trainer.model)
        if not writers:
            model = copy_of(policy) if mixed(settings) else policy
            writers.append((model, generator_of(model, settings, loaded)))
        model, generator = writers[0]
        if model is not policy:
            refresh(model, policy)
        done = trainer.state.global_step
        agent = agent_of(generator, settings, name, done)
        try:
            sampled = groups.sample(asked, agent, done + 1)
        finally:
            generator.forget()
        see_trainable(gather_object([sampled]), done + 1)
        return columns(groups.rows(sampled.groups), settings.rollouts, loaded.tokenizer.eos_token_id)

    return OwnLengths(
        model=loaded.model,
        reward_funcs=_reward,
        args=config,
        train_dataset=prompts_of(tasks, settings, plan),
        processing_class=loaded.tokenizer,
        peft_config=adapter(settings.lora),
        rollout_func=rollouts,
    )


def generator_of(model: Any, settings: GrpoSettings, loaded: Loaded) -> Generator:
    """What generates with a model as it is."""
    return Generator(
        model,
        loaded.tokenizer,
        batch=settings.sampling.batch,
        max_new_tokens=settings.sampling.max_new_tokens,
        temperature=settings.sampling.temperature,
    )


def agent_of(generator: Generator, settings: GrpoSettings, name: str, step: int) -> Agent:
    """The policy as an agent.

    Args:
        name: of the run.
        step: how many steps are done.
    """
    return TransformersAgent.around(
        generator,
        policy=policy_at(name, step),
        max_observation=settings.sampling.max_observation,
        max_context=settings.sampling.max_context,
    )


def see_room(tasks: Sequence[StoredTask], settings: GrpoSettings, loaded: Loaded) -> None:
    """See that the policy can write something on each task.

    Raises:
        InputError: a prompt alone is as long as a rollout may be.
    """
    generator = generator_of(loaded.model, settings, loaded)
    room = min(settings.sampling.max_context, generator.context)
    for task in tasks:
        system = system_prompt(task.snapshot.person, task.snapshot.start)
        taken = len(generator.format.prompt(system, task.task.instruction, MetaTools.definitions()))
        if taken >= room:
            raise InputError(
                f"sampling.max_context: the prompt of the task {task.task.name!r} takes {taken} tokens, and a whole"
                f" rollout may have {room}: nothing could be written",
                hint="raise it" if room < generator.context else "these weights take no more: leave the task out",
            )


def see_reference(weights: Weights, settings: GrpoSettings, loaded: Loaded) -> None:
    """See that TRL finds what the KL term refers to: with adapters the model without them, else it reads a folder.

    Raises:
        InputError: what is begun with does not stand in a folder as it is.
    """
    if settings.beta and settings.lora is None and loaded.model.config._name_or_path != weights.source:
        raise InputError(
            f"beta: the KL term needs what the run begins with as a folder of whole weights, which {weights} is not",
            hint="beta: 0, or train an adapter (lora)",
        )


def prompts_of(tasks: Sequence[StoredTask], settings: GrpoSettings, plan: Plan) -> Dataset:
    """A prompt for each group of the run, which carries the group's place and its task.

    Its text is for logs: what the policy really reads is in the trajectories.
    """
    count = plan.batches * settings.prompts
    return Dataset.from_list(
        [
            {"prompt": [{"role": "user", "content": task.task.instruction, "place": place, "task": task.id}]}
            for place, task in enumerate(in_order(tasks, count, settings.seed))
        ]
    )


def columns(rows: Sequence[Row], size: int, filler: int) -> dict[str, Any]:
    """Rollouts as TRL takes them: lists with one item for each.

    Args:
        size: of a group.
        filler: the token that stands for a rollout without tokens; it is never trained.
    """
    found: dict[str, Any] = {"prompt_ids": [], "completion_ids": [], "logprobs": [], "env_mask": [], "reward": []}
    for row in rows:
        trajectory = row.trajectory
        begun = trajectory.prompt_tokens if trajectory is not None else 0
        if trajectory is None or begun == len(trajectory.token_ids):
            prompt, completion, mask, logprobs = [filler], [filler], [0], [0.0]
        else:
            prompt, completion = trajectory.token_ids[:begun], trajectory.token_ids[begun:]
            mask = [int(agent) for agent in trajectory.is_agent[begun:]]
            logprobs = (trajectory.logprobs or [0.0] * len(trajectory.token_ids))[begun:]
        found["prompt_ids"].append(prompt)
        found["completion_ids"].append(completion)
        found["env_mask"].append(mask)
        found["logprobs"].append(logprobs)
        found["reward"].append(None if row.reward is None else summable(row.reward, size))
    return found


def _reward(reward: list[float | None], **_: Any) -> list[float | None]:
    """The rewards that came with the rollouts."""
    return reward
