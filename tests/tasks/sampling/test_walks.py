"""Walks: their number against brute force and a formula, draws against all of them."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from tasks.errors import SamplingError
from tasks.sampling import (
    Compatibility,
    Graph,
    Revisit,
    Walks,
    dependency_graph,
    revisits,
    staleness,
    valid,
    walks_on_complete,
)
from tests.tasks.sampling.uniform import unlikely


def _brute(graph: Graph, length: int) -> set[tuple[str, ...]]:
    """By what the words say, with nothing of the code."""
    return {
        walk
        for walk in product(graph.names, repeat=length)
        if set(walk) == set(graph.names)
        and len(set(walk)) < len(walk)
        and all(graph.allows(before, after) for before, after in pairwise(walk))
    }


def _random_graph(seed: int, services: int, share: float) -> Graph:
    rng = random.Random(seed)
    return Graph.of("abcdef"[:services], lambda _before, _after: rng.random() < share)


@pytest.mark.parametrize("services", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_as_many_as_brute_force_finds(services: int, seed: int) -> None:
    graph = _random_graph(seed, services, 0.7)
    walks = Walks(graph, (2, 7))
    found = {length: _brute(graph, length) for length in range(2, 8)}
    assert walks.by_length() == {length: len(each) for length, each in found.items()}
    assert set(walks) == set().union(*found.values())
    assert walks.count() == len(list(walks))


@pytest.mark.parametrize("services", range(2, 12))
def test_the_formula_on_complete_graphs(services: int) -> None:
    walks = Walks(Graph.complete("abcdefghijkl"[:services]), (7, 12))
    assert walks.by_length() == {length: walks_on_complete(services, length) for length in range(7, 13)}


def test_the_formula_by_hand() -> None:
    assert walks_on_complete(2, 7) == 2  # there and back
    assert walks_on_complete(3, 4) == 18  # 24 without repeats in a row, 6 over two services only
    assert walks_on_complete(4, 4) == 0  # comes back to none


def test_draws_are_uniform() -> None:
    graph = Graph.of("abcd", lambda before, after: (before, after) not in {("a", "b"), ("c", "d"), ("d", "a")})
    walks = Walks(graph, (5, 7))
    every = list(walks)
    rng = random.Random(4)
    assert len(every) > 100
    assert unlikely((walks.draw(rng) for _ in range(20 * len(every))), every) is None


def test_the_check_of_uniformity_sees_a_lean() -> None:
    graph = Graph.of("abcd", lambda before, after: (before, after) not in {("a", "b"), ("c", "d"), ("d", "a")})
    every = list(Walks(graph, (5, 7)))
    rng = random.Random(4)
    # The obvious way: a next visit at random, and again if the walk is not valid at the end.
    drawn = []
    while len(drawn) < 20 * len(every):
        walk = [rng.choice("abcd")]
        for _ in range(rng.randint(4, 6)):
            walk.append(rng.choice([name for name in "abcd" if graph.allows(walk[-1], name)]))
        if set(walk) == set("abcd"):
            drawn.append(tuple(walk))
    assert unlikely(drawn, every) is not None


def test_draws_with_staleness_are_uniform_among_those() -> None:
    walks = Walks(Graph.complete("abc"), (5, 6))
    stale = [walk for walk in walks if staleness(walk) >= 4]
    assert 0 < len(stale) < walks.count()
    rng = random.Random(1)
    assert unlikely((walks.draw(rng, 4) for _ in range(30 * len(stale))), stale) is None


def test_a_seed_gives_the_same_walks() -> None:
    graph = Graph.complete(["mail", "chat", "billing", "tickets", "contacts"])
    first = [Walks(graph).draw(random.Random("seed 7")) for _ in range(3)]
    assert len(set(first)) == 1
    assert first[0] != Walks(graph).draw(random.Random("seed 8"))
    assert valid(first[0], graph) and set(first[0]) == set(graph.names) and 7 <= len(first[0]) <= 12


def test_where_there_is_none() -> None:
    with pytest.raises(SamplingError, match="no walk of 7 to 7 visits goes over a, b, c, d, e, f, g"):
        Walks(Graph.complete("abcdefg"), (7, 7)).draw(random.Random(0))
    one_way = Graph.of("abc", lambda before, after: before < after)
    assert Walks(one_way).count() == 0
    assert Walks(Graph.complete("a")).count() == 0
    with pytest.raises(SamplingError, match="comes back after 6 visits"):
        Walks(Graph.complete("ab"), (3, 4)).draw(random.Random(0), 6)


def test_revisits() -> None:
    walk = ["mail", "contacts", "billing", "tickets", "billing", "tickets", "chat", "billing"]
    assert revisits(walk) == (
        Revisit(4, "billing", former=2, first=2),
        Revisit(5, "tickets", former=3, first=3),
        Revisit(7, "billing", former=4, first=2),
    )
    assert [(item.gap, item.since_first) for item in revisits(walk)] == [(2, 2), (2, 2), (3, 5)]
    assert staleness(walk) == 5
    assert staleness(["mail", "chat"]) == 0


def test_dependency_graph(compatibility: Compatibility) -> None:
    walk = ["mail", "billing", "contacts", "billing"]
    edges = dependency_graph(walk, compatibility)
    assert [(item.before, item.after, item.visit) for item in edges] == [
        ("mail", "billing", 1),
        ("billing", "contacts", 2),
        ("contacts", "billing", 3),
    ]
    assert [item.revisit for item in edges] == [None, None, Revisit(3, "billing", 1, 1)]
    assert edges[0].types == compatibility.crossing("mail", "billing").types
    assert "money" in edges[1].types and "money" not in edges[0].types
