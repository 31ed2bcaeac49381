"""Settings of a run of GRPO."""

from __future__ import annotations

from pydantic import Field, model_validator

from rl.grpo.rewards import RewardKind
from rl.training.settings import Part, Training
from rl.training.tasks import Part as SetPart


class Sampling(Part):
    """How the policy writes while it works on a task.

    Attributes:
        temperature: of the distribution that is sampled, and whose log-probabilities are trained. All of it is
            sampled: a part (top_p) would be another distribution than the one that is trained.
        max_new_tokens: of one turn.
        max_context: tokens of a whole rollout; with more it ends as ``context_full``.
        max_observation: characters of one observation.
        batch: sequences that are generated at once.
    """

    temperature: float = Field(1.0, gt=0, le=10)
    max_new_tokens: int = Field(512, ge=1)
    max_context: int = Field(8192, ge=16)
    max_observation: int = Field(4000, ge=100)
    batch: int = Field(32, ge=1)


class RolloutLimits(Part):
    """Limits of each rollout; ``None`` sets none."""

    steps: int | None = Field(60, ge=1)
    tokens: int | None = Field(None, ge=1)
    seconds: float | None = Field(1800, gt=0)


class GrpoSettings(Training):
    """Settings of a run of GRPO.

    Attributes:
        steps: of the optimizer, in all.
        prompts: groups that are sampled at a time, over all processes.
        rollouts: N, to a group.
        iterations: passes over the groups before new ones are sampled.
        minibatches: optimizer steps to a pass.
        lambda_: λ of the completion-focused reward; ``lambda`` in files.
        clip_low, clip_high: the ratio of new to old probability is clipped below 1 - clip_low, above 1 + clip_high.
        beta: of the KL term.
        save_every: batches of groups between two checkpoints.
        sets, tasks: names; of the sets the tasks in the part ``split``. At least one of the two.
    """

    steps: int = Field(ge=1)
    prompts: int = Field(ge=1)
    rollouts: int = Field(ge=2, le=10_000)
    iterations: int = Field(ge=1)
    minibatches: int = Field(ge=1)
    reward: RewardKind
    lambda_: float = Field(alias="lambda", gt=0, le=1e6)
    clip_low: float = Field(gt=0, lt=1)
    clip_high: float = Field(gt=0)
    beta: float = Field(0, ge=0)
    save_every: int = Field(ge=1)
    sets: tuple[str, ...] = ()
    split: SetPart = "train"
    tasks: tuple[str, ...] = ()
    sampling: Sampling = Sampling()
    limits: RolloutLimits = RolloutLimits()

    @model_validator(mode="after")
    def _without_dropout(self) -> GrpoSettings:
        if self.lora is not None and self.lora.dropout:
            raise ValueError(
                f"lora.dropout: in GRPO it is 0, not {self.lora.dropout}: with other lots in each pass the ratio of new"
                " to old probabilities says nothing"
            )
        return self
