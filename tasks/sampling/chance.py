"""Draws in proportion to whole numbers, exactly: ``random.choices`` goes over floats, which large counts do not fit."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def pick(rng: random.Random, items: Sequence[T], weights: Sequence[int]) -> T:
    """One of the items, each with a probability in proportion to its weight; the weights' sum is positive."""
    ticket = rng.randrange(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        if ticket < weight:
            return item
        ticket -= weight
    raise AssertionError("a ticket is below the sum of the weights")


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(places: Iterable[int]) -> int:
    """The mask with these bits set."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask
