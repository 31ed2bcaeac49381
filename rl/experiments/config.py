"""Configs of experiments: files that come with CompoWorld, for a machine with two cores and for one with a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from engine.errors import InputError
from engine.near import did_you_mean
from rl.experiments.solvable import Share, SolvableConfig
from rl.experiments.values import Grpo, Sft
from rl.grpo.rewards import RewardKind
from rl.grpo.settings import RolloutLimits
from rl.local.loading import SMOLLM2, DType
from rl.sft.settings import SftSettings
from rl.training.settings import Part, read

Scale = Literal["cpu", "gpu"]


class TaskPart(Part):
    """One part of a set: so many tasks, over so many different sets of services. No part shares one with another."""

    tasks: int = Field(ge=1)
    compositions: int = Field(ge=1)

    @model_validator(mode="after")
    def _fits(self) -> TaskPart:
        if self.compositions > self.tasks:
            raise ValueError(f"{self.tasks} tasks cannot be over {self.compositions} compositions")
        return self


class TaskSource(Part):
    """A set of tasks that is made, or one that is there, and its parts.

    Attributes:
        set: the name of a set that is there; by default one is made.
        tasks: how many are made; more than the parts need, so that compositions can be chosen.
        dials: of difficulty, as ``compoworld tasks make --dial`` takes them.
        per_composition: tasks at most that need the same services.
        candidates: at most.
    """

    set: str | None = None
    tasks: int = Field(1, ge=1)
    seed: int = Field(0, ge=0)
    dials: dict[str, Any] = Field(default_factory=dict)
    per_composition: int = Field(1, ge=1)
    candidates: int = Field(10_000, ge=1)
    train: TaskPart | None = None
    test: TaskPart | None = None

    @model_validator(mode="after")
    def _enough(self) -> TaskSource:
        """Of a set that is made: what it can never give is refused before an hour of making."""
        if self.set is not None:
            return self
        parts = {name: part for name, part in (("train", self.train), ("test", self.test)) if part is not None}
        if self.tasks < sum(part.tasks for part in parts.values()):
            asked = " and ".join(f"{name}.tasks ({part.tasks})" for name, part in parts.items())
            raise ValueError(f"tasks: {self.tasks} that are made are fewer than {asked} ask for")
        for name, part in parts.items():
            if part.tasks > part.compositions * self.per_composition:
                raise ValueError(
                    f"{name}: {part.tasks} tasks over {part.compositions} compositions are more than per_composition"
                    f" ({self.per_composition}) of each"
                )
        return self


class AgentSettings(Part):
    """How a policy works on the tasks of the test, as options of the agent ``transformers``."""

    temperature: float = Field(1.0, ge=0)
    top_p: float = Field(1.0, gt=0, le=1)
    max_new_tokens: int = Field(256, ge=1)
    max_observation: int = Field(4000, ge=100)
    max_context: int = Field(8192, ge=16)
    batch: int = Field(8, ge=1)
    dtype: DType = "auto"


class Testing(Part):
    """How arms are tested.

    Attributes:
        rollouts: of each task.
        seed: the same for all arms.
    """

    rollouts: int = Field(2, ge=1)
    seed: int = Field(0, ge=0)
    agent: AgentSettings = AgentSettings()
    limits: RolloutLimits = RolloutLimits()


class WithModel(Part):
    """An experiment that trains a language model.

    Attributes:
        base: what is trained: a policy, a folder of weights, or ``smollm2``.
        sft: one for all arms.
        jobs: processes that make tasks and collect reference trajectories.
    """

    base: str = SMOLLM2
    sft: Sft = Field(default_factory=dict)
    test: Testing = Testing()
    jobs: int = Field(2, ge=1)

    @property
    def begins_with(self) -> str:
        """The weights with which the arms begin, by whatever names them."""
        return self.base

    @property
    def sft_settings(self) -> SftSettings:
        """Those of every arm."""
        return read(SftSettings, "sft", given=self.sft)


def _needs(source: TaskSource, *parts: str) -> TaskSource:
    for part in parts:
        if getattr(source, part) is None:
            raise ValueError(f"{part} is missing: how many tasks, over how many compositions")
    return source


class ScaleConfig(WithModel):
    """How much SFT gains from more trajectories.

    Attributes:
        sizes: trajectories of the arms, beside none; each arm's are among those of the next.
    """

    source: TaskSource
    sizes: tuple[int, ...] = Field((30, 100, 300), min_length=1)

    @field_validator("source")
    @classmethod
    def _whole(cls, source: TaskSource) -> TaskSource:
        return _needs(source, "train", "test")

    @model_validator(mode="after")
    def _enough(self) -> ScaleConfig:
        if list(self.sizes) != sorted(set(self.sizes)) or self.sizes[0] < 1:
            raise ValueError(f"sizes: they go up from 1, not {list(self.sizes)}")
        if self.source.train is not None and self.sizes[-1] > self.source.train.tasks:
            raise ValueError(f"sizes: {self.sizes[-1]} trajectories cannot come of {self.source.train.tasks} tasks")
        return self


class CompositionConfig(WithModel):
    """Whether tasks over several services teach more than as many tasks within one.

    Attributes:
        single: the tasks within one service, with a part for training.
        composed: with as large a part for training, over as many sets of services, and one for the test. Both have the
            services of ``single`` only, and each of them is trained on.
        families: the stories that are told in either; by default all that there are for the dials.
    """

    single: TaskSource
    composed: TaskSource
    families: tuple[str, ...] = ()

    @field_validator("composed")
    @classmethod
    def _whole(cls, source: TaskSource) -> TaskSource:
        return _needs(source, "train", "test")

    @field_validator("single")
    @classmethod
    def _trained(cls, source: TaskSource) -> TaskSource:
        return _needs(source, "train")

    @model_validator(mode="after")
    def _equal(self) -> CompositionConfig:
        if self.composed.train != self.single.train:
            raise ValueError("composed.train and single.train are to have as many tasks and compositions")
        return self


def _each_once(rewards: tuple[RewardKind, ...]) -> tuple[RewardKind, ...]:
    if len(set(rewards)) < len(rewards):
        raise ValueError(f"each reward is named once, not {', '.join(rewards)}: an arm is called after its reward")
    return rewards


Rewards = Annotated[tuple[RewardKind, ...], Field(min_length=1), AfterValidator(_each_once)]
"""The arms of an experiment with rewards; the others are compared with the first."""


class RewardsConfig(WithModel):
    """Which reward GRPO gains more from.

    Attributes:
        start: the policy that all arms begin with; by default it is fine-tuned first, on the part for training. What
            it was trained on is not tested.
        trajectories: that it is fine-tuned on.
        rewards: the arms.
    """

    source: TaskSource
    start: str | None = None
    trajectories: int = Field(100, ge=1)
    rewards: Rewards = ("completion_focused", "uniform", "binary")
    grpo: Grpo = Field(default_factory=dict)

    @property
    def begins_with(self) -> str:
        """The policy that all arms begin with, or what it is fine-tuned from."""
        return self.start or self.base

    @field_validator("source")
    @classmethod
    def _whole(cls, source: TaskSource) -> TaskSource:
        return _needs(source, "train", "test")

    @model_validator(mode="after")
    def _enough(self) -> RewardsConfig:
        train = self.source.train
        if self.start is None and self.source.set is None and train is not None and self.trajectories > train.tasks:
            raise ValueError(f"trajectories: {self.trajectories} cannot come of {train.tasks} tasks")
        return self


class SolvableStudy(Part):
    """The rewards on a policy that can be solved exactly.

    Attributes:
        profiles: how often each criterion holds before training, by a name for it.
        simulation: the rest of the simulation; its ``pass_rates`` are the profiles'.
        shown: steps whose values are kept.
        others: for the analysis of the signal, how often the other criteria hold.
        criteria: M, for that analysis.
        groups: how many groups of N rollouts each point of it is drawn from.
    """

    profiles: dict[str, tuple[Share, ...]] = Field(min_length=1)
    simulation: SolvableConfig = SolvableConfig()
    shown: tuple[int, ...] = (0, 25, 50, 75, 100, 150, 200, 300)
    others: Share = 0.8
    criteria: int = Field(8, ge=2)
    groups: int = Field(20_000, ge=1)
    rewards: Rewards = ("completion_focused", "uniform", "binary")
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _within(self) -> SolvableStudy:
        if any(not 0 <= step <= self.simulation.steps for step in self.shown):
            raise ValueError(f"shown: steps are from 0 to {self.simulation.steps}, not {list(self.shown)}")
        return self


Config = ScaleConfig | CompositionConfig | RewardsConfig | SolvableStudy

KINDS: Mapping[str, type[Config]] = {
    "sft-scale": ScaleConfig,
    "composition": CompositionConfig,
    "rewards": RewardsConfig,
    "rewards-solvable": SolvableStudy,
}
"""The experiments that there are; each is described by the first sentence of its config."""


def about(kind: str) -> str:
    """What an experiment asks, in a sentence."""
    return (KINDS[kind].__doc__ or "").partition("\n")[0]


def read_config(kind: str, scale: Scale = "cpu", path: Path | None = None, values: Sequence[str] = ()) -> Config:
    """The config of an experiment.

    Args:
        scale: for which machine; the values for a GPU go over those for two cores.
        path: a file whose values go over them.
        values: single ones that go over both, as ``sft.epochs=2``.

    Raises:
        InputError: there is no such experiment, a file cannot be read, or a value is unknown or wrong.
    """
    if kind not in KINDS:
        raise InputError(f"there is no experiment {kind!r}", hint=did_you_mean(kind, KINDS, f"use {', '.join(KINDS)}"))
    files = [f"experiments/{kind}", *([f"experiments/gpu/{kind}"] if scale == "gpu" else [])]
    return read(KINDS[kind], files, path, values)
