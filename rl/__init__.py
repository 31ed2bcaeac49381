"""Agents, rollouts and rewards."""

from __future__ import annotations

from rl.agents import Agent, Ending, make_agent
from rl.episode import Episode
from rl.errors import EnvironmentFault, Interrupted, LimitReached, ModelUnavailable, RolloutStopped
from rl.groups import create_group, resume, run_group
from rl.limits import Limits
from rl.messages import Message, Usage
from rl.progress import Progress
from rl.reports import (
    CheckReport,
    CriterionReport,
    GroupReport,
    GroupSummary,
    RolloutReport,
    group_report,
    groups,
)
from rl.rewards import LAMBDA, Reward, binary, completion_focused, pass_rates, rewards_of, uniform, weights
from rl.trajectories import Trajectory, trajectory_of
from rl.waiting import wait_for_database

__all__ = [
    "LAMBDA",
    "Agent",
    "CheckReport",
    "CriterionReport",
    "Ending",
    "EnvironmentFault",
    "Episode",
    "GroupReport",
    "GroupSummary",
    "Interrupted",
    "LimitReached",
    "Limits",
    "Message",
    "ModelUnavailable",
    "Progress",
    "Reward",
    "RolloutReport",
    "RolloutStopped",
    "Trajectory",
    "Usage",
    "binary",
    "completion_focused",
    "create_group",
    "group_report",
    "groups",
    "make_agent",
    "pass_rates",
    "resume",
    "rewards_of",
    "run_group",
    "trajectory_of",
    "uniform",
    "wait_for_database",
    "weights",
]
