"""How a run of GRPO is laid out: what a batch of groups is, how processes share it, in how many steps it is used."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.errors import InputError
from rl.grpo.settings import GrpoSettings

_T = TypeVar("_T")


@dataclass(frozen=True)
class Plan:
    """The layout of a run.

    Attributes:
        passes: forward passes in which a process goes through its part of a batch of groups, once.
        accumulate: of these, to one optimizer step.
        updates: optimizer steps to a batch of groups; from the second on the policy is another than the one that
            sampled, and clipping acts.
        batches: of groups, in the whole run.
    """

    passes: int
    accumulate: int
    updates: int
    batches: int


def plan_of(settings: GrpoSettings, processes: int) -> Plan:
    """The layout of a run.

    Raises:
        InputError: its numbers do not fit; some process would get a part of a group, or a step a part of a pass.
    """
    if settings.prompts % processes:
        raise InputError(
            f"prompts: {settings.prompts} groups cannot be shared by {processes} processes, each of which needs whole"
            " groups: a reward is relative to the other rollouts of its group",
            hint=f"make prompts a multiple of {processes}",
        )
    own = settings.prompts // processes * settings.rollouts
    if own % settings.per_device:
        raise InputError(
            f"per_device: a process samples {own} rollouts at a time, which is no multiple of {settings.per_device}",
            hint=f"such as per_device: {math.gcd(own, settings.per_device)}",
        )
    passes = own // settings.per_device
    if passes % settings.minibatches:
        raise InputError(
            f"minibatches: a process goes through its rollouts in {passes} passes, which cannot be shared by"
            f" {settings.minibatches} optimizer steps",
            hint=f"such as minibatches: {math.gcd(passes, settings.minibatches)}",
        )
    updates = settings.minibatches * settings.iterations
    return Plan(passes, passes // settings.minibatches, updates, math.ceil(settings.steps / updates))


def in_order(tasks: Sequence[_T], count: int, seed: int) -> Iterator[_T]:
    """So many tasks: all of them in a random order, then all of them in another, and so on."""
    for begun in range(0, count, len(tasks)):
        shuffled = list(tasks)
        random.Random(f"grpo/{seed}/{begun // len(tasks)}").shuffle(shuffled)
        yield from shuffled[: count - begun]


def group_seed(seed: int, place: int) -> int:
    """The seed of a group, from that of the run and the place of its prompt in it."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{place}".encode()).digest()[:7], "big")


def policy_at(run: str, step: int) -> str:
    """What the policy that a run samples with after so many steps is called. No registered policy can be called so."""
    return f"{run}/step-{step}"
