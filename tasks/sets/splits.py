"""Splits: parts of a set that share no composition."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.errors import InputError
from tasks.sets.document import Member, Split, composition_of


def split(members: Sequence[Member], *, test: float, validation: float = 0.0, seed: int = 0) -> dict[int, Split]:
    """Divide tasks into train, test and validation; those that need the same services stay together.

    Args:
        test, validation: shares of the tasks, which are met as nearly as the compositions allow.

    Returns:
        The split of each task, by ordinal.

    Raises:
        InputError: the shares are wrong, or there are too few compositions for them.
    """
    for share, what in ((test, "test"), (validation, "validation")):
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
            raise InputError(f"the share for {what} is a number from 0 to less than 1, not {share!r}")
    if test + validation >= 1:
        raise InputError(f"test and validation leave nothing for train: {test} and {validation}")
    groups: dict[tuple[str, ...], list[int]] = {}
    for member in sorted(members, key=lambda item: item.ordinal):
        groups.setdefault(composition_of(member.task.services), []).append(member.ordinal)
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
            raise InputError(f"no composition is small enough for a share of {share} for {part}")
    if not keys:
        raise InputError("nothing is left for train", hint="take smaller shares, or more tasks")
    for key in keys:
        splits |= dict.fromkeys(groups[key], "train")
    return dict(sorted(splits.items()))
