"""Settings of a run of SFT."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from rl.training.settings import Part, Training
from rl.training.tasks import Part as SetPart


class Select(Part):
    """Which rollouts are trained on, of those that ended in a finished group with every criterion holding.

    Attributes:
        sets: names of sets of tasks; without any, rollouts of all tasks.
        split: the part of the sets.
        tasks: names of tasks; without any, all.
        agents: such as ``reference`` or ``transformers``; without any, all.
        models: as the rollouts name them; without any, all.
        policies: ``name`` or ``name@version``, of rollouts with a trajectory of tokens; without any, all.
        groups: numbers of groups; without any, all.
        ended: stop reasons.
        calls: at most so many calls.
        duplicates: of rollouts that made the same calls, one: the same with their arguments (``calls``), or the same
            tools in the same order (``tools``); ``keep`` keeps all.
        world_model: whether a world model may have answered a call: ``any``, ``none``, or ``only`` where one did.
        malformed: at most so many turns that could not be read.
        per_task, per_composition: at most so many of a task, and of a set of services.
        limit: so many in all.
    """

    sets: tuple[str, ...] = ()
    split: SetPart = "train"
    tasks: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()
    ended: tuple[str, ...] = Field(("answered",), min_length=1)
    calls: int | None = Field(None, ge=1)
    duplicates: Literal["keep", "calls", "tools"] = "calls"
    world_model: Literal["any", "none", "only"] = "any"
    malformed: int | None = Field(0, ge=0)
    per_task: int | None = Field(None, ge=1)
    per_composition: int | None = Field(None, ge=1)
    limit: int | None = Field(None, ge=1)


class SftSettings(Training):
    """Settings of a run of SFT.

    Attributes:
        batch: trajectories to an optimizer step, over all devices.
        max_observation: characters of an observation, as the agent ``transformers`` is shown it; the rest is cut with a
            note. Rollouts of other agents have longer ones, which the policy will never see.
        max_tokens: a trajectory with more is left out and counted.
        save_every: steps between two checkpoints.
    """

    epochs: float = Field(gt=0, le=1000)
    batch: int = Field(ge=1)
    max_observation: int = Field(4000, ge=100)
    max_tokens: int = Field(ge=16)
    save_every: int = Field(ge=1)
    select: Select = Select()

    @model_validator(mode="after")
    def _fits(self) -> SftSettings:
        if self.batch % self.per_device:
            raise ValueError(f"batch: {self.batch} trajectories are no multiple of per_device, {self.per_device}")
        return self
