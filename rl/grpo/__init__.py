"""Group-relative policy optimisation: groups of rollouts on forks, the rubric's reward, TRL's trainer."""

from __future__ import annotations

from rl.grpo.plan import Plan, plan_of
from rl.grpo.run import train_grpo
from rl.grpo.settings import GrpoSettings

__all__ = ["GrpoSettings", "Plan", "plan_of", "train_grpo"]
