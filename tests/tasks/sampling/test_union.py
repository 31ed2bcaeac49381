"""Different walks of several patterns, against a set of all."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from tasks.errors import SamplingError
from tasks.sampling import Graph, union
from tasks.sampling.union import DifferentWalks


def _listed(graph: Graph, visits: list[int], options: list[int]) -> set[tuple[int, ...]]:
    places = range(len(graph.names))
    found = set()
    for services in product(*([place for place in places if mask >> place & 1] for mask in options)):
        walk = tuple(services[role] for role in visits)
        if len(set(walk)) < len(walk) and all(graph.after[one] >> other & 1 for one, other in pairwise(walk)):
            found.add(walk)
    return found


@pytest.mark.parametrize("seed", range(25))
def test_as_many_as_a_set_of_all(seed: int) -> None:
    rng = random.Random(f"union {seed}")
    graph = Graph.of("abcdef", lambda _before, _after: rng.random() < 0.8)
    patterns = []
    for _ in range(rng.randint(2, 6)):
        roles = rng.randint(2, 5)
        visits = [rng.randrange(roles) for _ in range(rng.randint(4, 6))]
        patterns.append((visits, [rng.randrange(1, 64) for _ in range(roles)]))
    together = set().union(*(_listed(graph, *pattern) for pattern in patterns))
    assert DifferentWalks(graph).of(patterns) == len(together)


def test_the_same_walks_under_other_names_count_once() -> None:
    graph = Graph.complete("abcd")
    one = ([0, 1, 0, 2], [0b1111, 0b0011, 0b1100])
    other = ([2, 1, 2, 0], [0b1100, 0b0011, 0b1111])
    alone = DifferentWalks(graph).of([one])
    assert alone == len(_listed(graph, *one)) > 0
    assert DifferentWalks(graph).of([one, other]) == alone


def test_too_many_overlaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(union, "_MOST", 3)
    graph = Graph.complete("abcdef")
    patterns = [([0, 1, 0, 2], [0b111111 ^ 1 << place, 0b111111, 0b111111]) for place in range(4)]
    with pytest.raises(SamplingError, match="overlap in more than 3 ways"):
        DifferentWalks(graph).of(patterns)
