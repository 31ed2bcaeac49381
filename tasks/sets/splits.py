"""Splits: parts of a set that share no composition, or no scenario family."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from engine.errors import InputError
from engine.near import did_you_mean
from tasks.document import Task
from tasks.sets.document import SPLITS, Member, Split, composition_of, family_of

By = Literal["composition", "family"]

BY: tuple[By, ...] = get_args(By)


@dataclass(frozen=True)
class Part:
    """What is in a part of a set: how many tasks, and of how many different compositions and families."""

    tasks: int
    compositions: int
    families: int


@dataclass(frozen=True)
class Division:
    """How a set is divided.

    Attributes:
        splits: the parts that have tasks.
        shared_compositions, shared_families: how many are in more than one part.
    """

    splits: Mapping[Split, Part]
    shared_compositions: int
    shared_families: int


def divided(members: Sequence[Member], splits: Mapping[int, Split]) -> Division:
    """What splits, by ordinal, keep apart."""
    compositions: dict[Split, set[tuple[str, ...]]] = {}
    families: dict[Split, set[str]] = {}
    parts = {}
    for part in SPLITS:
        tasks = [item.task for item in members if splits.get(item.ordinal) == part]
        if tasks:
            compositions[part] = {composition_of(task.services) for task in tasks}
            families[part] = {family_of(task) for task in tasks}
            parts[part] = Part(len(tasks), len(compositions[part]), len(families[part]))
    return Division(parts, _shared(compositions), _shared(families))


def _shared(found: Mapping[Split, set[Any]]) -> int:
    return sum(sum(item in part for part in found.values()) > 1 for item in set[Any]().union(*found.values()))


def named_kind(by: str) -> By:
    """What a set is divided by.

    Raises:
        InputError: it cannot be.
    """
    for kind in BY:
        if by == kind:
            return kind
    raise InputError(f"a set is divided by {' or by '.join(BY)}, not by {by!r}", did_you_mean(str(by), BY))


def _kind(task: Task, by: By) -> tuple[str, ...]:
    return composition_of(task.services) if by == "composition" else (family_of(task),)


def split(
    members: Sequence[Member], *, test: float, validation: float = 0.0, seed: int = 0, by: By = "composition"
) -> dict[int, Split]:
    """Divide tasks into train, test and validation; those of a kind stay together.

    Args:
        test, validation: shares of the tasks, which are met as nearly as the kinds allow.
        by: what a kind is: the tasks that need the same services, or those that the same family tells.

    Returns:
        The split of each task, by ordinal.

    Raises:
        InputError: the shares are wrong, or there are too few kinds for them.
    """
    named_kind(by)
    for share, what in ((test, "test"), (validation, "validation")):
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
            raise InputError(f"the share for {what} is a number from 0 to less than 1, not {share!r}")
    if test + validation >= 1:
        raise InputError(f"test and validation leave nothing for train: {test} and {validation}")
    groups: dict[tuple[str, ...], list[int]] = {}
    for member in sorted(members, key=lambda item: item.ordinal):
        groups.setdefault(_kind(member.task, by), []).append(member.ordinal)
    keys = sorted(groups)
    random.Random(f"split {seed}").shuffle(keys)
    splits: dict[int, Split] = {}
    shares: tuple[tuple[Split, float], ...] = (("test", test), ("validation", validation))
    for part, share in shares:
        room = round(share * len(members))
        for key in list(keys):
            if len(groups[key]) <= room:
                room -= len(groups[key])
                keys.remove(key)
                splits |= dict.fromkeys(groups[key], part)
        if share and part not in splits.values():
            raise InputError(f"no {by} is small enough for a share of {share} for {part}")
    if not keys:
        raise InputError("nothing is left for train", hint="take smaller shares, or more tasks")
    for key in keys:
        splits |= dict.fromkeys(groups[key], "train")
    return dict(sorted(splits.items()))
