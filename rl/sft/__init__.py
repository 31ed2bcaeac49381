"""Supervised fine-tuning on successful rollouts."""

from __future__ import annotations

from rl.sft.run import train_sft
from rl.sft.selection import Funnel, survey
from rl.sft.settings import Select, SftSettings

__all__ = ["Funnel", "Select", "SftSettings", "survey", "train_sft"]
