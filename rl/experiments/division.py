"""Divides a set into parts with so many tasks over so many compositions each, none of which two parts share."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from engine.errors import InputError
from rl.experiments.config import TaskPart
from tasks.sets.document import Member, Split, composition_of


def divide(members: Sequence[Member], parts: Mapping[Split, TaskPart], seed: int = 0) -> dict[int, Split]:
    """The part of each task that is in one, by ordinal.

    Which compositions a part gets is drawn by lots; within a part they come as equally often as they can.

    Raises:
        InputError: the set is too small for these parts.
    """
    free: dict[tuple[str, ...], list[int]] = {}
    for member in sorted(members, key=lambda item: item.ordinal):
        free.setdefault(composition_of(member.task.services), []).append(member.ordinal)
    order = sorted(free)
    random.Random(f"divide {seed}").shuffle(order)
    splits: dict[int, Split] = {}
    # What asks for most of each composition chooses first: the others take any.
    for name, part in sorted(parts.items(), key=lambda item: -_each(item[1])):
        chosen = _chosen([key for key in order if key in free and len(free[key]) >= _each(part)], free, part)
        taken = _in_turns([free.pop(key) for key in chosen])[: part.tasks]
        if len(chosen) < part.compositions or len(taken) < part.tasks:
            raise InputError(
                f"the set has {len(members)} tasks over {len(order)} compositions, which is too little for the part"
                f" {name!r}: it found {len(taken)} tasks over {len(chosen)} compositions of {part.tasks} over"
                f" {part.compositions}",
                hint="make more tasks, or more per_composition, or ask for less",
            )
        splits |= dict.fromkeys(taken, name)
    return dict(sorted(splits.items()))


def _chosen(
    drawn: Sequence[tuple[str, ...]], free: Mapping[tuple[str, ...], Sequence[int]], part: TaskPart
) -> list[tuple[str, ...]]:
    """The first that were drawn; where they have too few tasks, later ones with more in place of the poorest."""
    chosen, rest = list(drawn[: part.compositions]), drawn[part.compositions :]
    for key in sorted(rest, key=lambda key: -len(free[key])):
        poorest = min(chosen, key=lambda item: len(free[item]))
        if sum(len(free[item]) for item in chosen) >= part.tasks or len(free[key]) <= len(free[poorest]):
            break
        chosen[chosen.index(poorest)] = key
    return chosen


def _each(part: TaskPart) -> int:
    """How often each composition comes at least."""
    return part.tasks // part.compositions


def _in_turns(piles: Sequence[Sequence[int]]) -> list[int]:
    """The first of each, then the second of each, ..."""
    return [item for row in zip_longest(*piles) for item in row if item is not None]
