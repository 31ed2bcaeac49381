"""Divides a set into parts with so many tasks over so many compositions each, none of which two parts share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest

from engine.errors import InputError
from rl.experiments.config import TaskPart
from tasks.sets.document import Split

Composition = tuple[str, ...]

_DRAWS = 1000


def divide(
    of: Mapping[int, Composition],
    parts: Mapping[Split, TaskPart],
    seed: int = 0,
    *,
    within: Collection[str] | None = None,
    seen: Collection[Composition] = (),
) -> dict[int, Split]:
    """The part of each task that is in one, by ordinal.

    Which compositions a part gets is drawn by lots, again where they are too few for a part; within a part they come as
    equally often as they can.

    Args:
        of: the composition of each task, by ordinal.
        within: the only services of any part. All of them are trained on: of the draws in which they are, that one is
            taken in which they come most equally often.
        seen: compositions that are not tested on; they are the first that are trained on.

    Raises:
        InputError: the tasks are too few for these parts, or for all services in the part 'train', in every draw.
    """
    piles: dict[Composition, list[int]] = {}
    for ordinal in sorted(of):
        if within is None or set(of[ordinal]) <= set(within):
            piles.setdefault(of[ordinal], []).append(ordinal)
    order = sorted(piles)
    lots = random.Random(f"divide {seed}")
    refusals: list[InputError] = []

    def draws() -> Iterator[dict[int, Split]]:
        """Those that give each part what it asks for: where one does not, another may."""
        for _ in range(_DRAWS):
            lots.shuffle(order)
            try:
                yield _divided(order, piles, parts, frozenset(seen), within)
            except InputError as error:
                refusals.append(error)

    if within is None:
        found = next(draws(), None)
        if found is None:
            raise refusals[0]
        return found
    complete: list[tuple[int, dict[int, Split]]] = []
    for draw in draws():
        trained = Counter(name for ordinal, part in draw.items() if part == "train" for name in of[ordinal])
        if trained.keys() >= set(within):
            counts = [trained[name] for name in within]
            complete.append((max(counts) - min(counts), draw))
    if complete:
        return min(complete, key=lambda item: item[0])[1]
    if len(refusals) == _DRAWS:
        raise refusals[0]
    raise InputError(
        f"no draw of the part 'train' has all services that are to be trained on: {', '.join(sorted(within))}",
        hint="ask for more compositions",
    )


def see_divided(
    of: Mapping[int, Composition],
    splits: Mapping[int, Split],
    parts: Collection[Split],
    seen: Collection[Composition],
    called: str,
) -> None:
    """See that the parts that a set has will do: all that are needed, and a test of compositions that are new.

    Args:
        splits: the part of each task that is in one, by ordinal.
        parts: those that are needed; what is in others does not matter.
        called: the name of the set.

    Raises:
        InputError: they will not.
    """
    have: dict[Split, set[Composition]] = {"train": set(), "test": set()}
    for ordinal, part in splits.items():
        have.setdefault(part, set()).add(of[ordinal])
    for part in parts:
        if not have[part]:
            raise InputError(
                f"the set {called!r} is divided, and has no part {part!r}",
                hint=f"divide it anew with compoworld tasks split {called}, or name another set",
            )
    known = have["test"] & {*seen, *have["train"]} if "test" in parts else set()
    if known:
        raise InputError(
            f"{len(known)} of {len(have['test'])} compositions in the part 'test' of the set {called!r} are trained on,"
            f" such as {', '.join(min(known))}",
            hint="name a set that is divided by composition, or begin with another policy",
        )


def _divided(
    order: Sequence[Composition],
    piles: Mapping[Composition, list[int]],
    parts: Mapping[Split, TaskPart],
    seen: frozenset[Composition],
    within: Collection[str] | None,
) -> dict[int, Split]:
    """One draw: the compositions are taken in this order."""
    free = dict(piles)
    splits: dict[int, Split] = {}
    # What asks for most of each composition chooses first: the others take any.
    for name, part in sorted(parts.items(), key=lambda item: -_each(item[1])):
        fitting = [key for key in order if key in free and len(free[key]) >= _each(part)]
        if name == "test":
            fitting = [key for key in fitting if key not in seen]
        else:
            fitting.sort(key=lambda key: key not in seen)
        chosen = _chosen(fitting, free, part)
        taken = _in_turns([free.pop(key) for key in chosen])[: part.tasks]
        if len(chosen) < part.compositions or len(taken) < part.tasks:
            only = "" if within is None else f" of {', '.join(sorted(within))}"
            known = len(seen & piles.keys())
            raise InputError(
                f"{sum(map(len, piles.values()))} tasks over {len(order)} compositions{only} are too few for the part"
                f" {name!r}: it found {len(taken)} tasks over {len(chosen)} compositions of {part.tasks} over"
                f" {part.compositions}"
                + (f"; what is begun with was trained on {known} of the compositions before" if known else ""),
                hint="make more tasks, or more per_composition, or ask for less"
                + (", or begin with another policy" if known else ""),
            )
        splits |= dict.fromkeys(taken, name)
    return dict(sorted(splits.items()))


def _chosen(
    drawn: Sequence[Composition], free: Mapping[Composition, Sequence[int]], part: TaskPart
) -> list[Composition]:
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
