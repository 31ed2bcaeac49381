"""Compositions: their number, draws, limits."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from tasks.errors import SamplingError
from tasks.sampling import Compatibility, Compositions, Dials, Graph, Walks, Wanted
from tasks.sampling import compositions as module
from tests.tasks.sampling.uniform import unlikely


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
@pytest.mark.parametrize("length", [(7, 9), (3, 5)])
def test_a_walk_is_seen_exactly_where_there_is_one(size: int, share: float, length: tuple[int, int]) -> None:
    rng = random.Random(f"{size} {share}")
    graph = Graph.of("abcdefgh", lambda _before, _after: rng.random() < share)
    answers = Counter[bool]()
    for chosen in combinations(range(8), size):
        within = graph.among(graph.names[place] for place in chosen)
        seen = module.has_walk(graph, sum(1 << place for place in chosen), length)
        assert seen == (Walks(within, length).count() > 0), within
        answers[seen] += 1
    assert len(answers) == 2 or share > 0.25


def test_too_many_services_for_the_visits() -> None:
    graph = Graph.complete("abcdefgh")
    assert module.has_walk(graph, 0b111111, (7, 7))
    assert not module.has_walk(graph, 0b1111111, (7, 7))
    assert not module.has_walk(graph, 0b1, (7, 7))


def test_counts_of_the_library(compatibility: Compatibility) -> None:
    services = len(compatibility.names)
    count = Compositions(compatibility).count(5)
    assert (count.sets, count.exact) == (comb(services, 5), True)
    assert count.valid <= count.sets


def test_a_sparse_graph_is_counted_one_by_one(compatibility: Compatibility) -> None:
    sparse = compatibility.over({"phone", "money"})
    count = Compositions(sparse).count(3)
    expected = sum(Walks(sparse.graph.among(names)).count() > 0 for names in combinations(sparse.names, 3))
    assert (count.valid, count.exact) == (expected, True)
    assert 0 < count.valid < count.sets


def test_of_too_many_sets_a_sample_is_counted(compatibility: Compatibility, monkeypatch: pytest.MonkeyPatch) -> None:
    sparse = Compositions(compatibility.over({"company"}))
    exact = sparse.count(4)
    monkeypatch.setattr(module, "ENUMERATED", 10)
    estimate = sparse.count(4)
    assert exact.exact and not estimate.exact
    assert estimate.lowest <= exact.valid <= estimate.highest
    assert estimate.lowest < estimate.valid < estimate.highest
    assert estimate == sparse.count(4)


def test_draws_are_uniform_over_the_valid_sets(compatibility: Compatibility) -> None:
    sparse = compatibility.over({"address"})
    drawn = Compositions(sparse, Wanted(services=(2, 3), distractors=(0, 0)))
    every = [
        names
        for size in (2, 3)
        for names in combinations(sparse.names, size)
        if Walks(sparse.graph.among(names)).count()
    ]
    rng = random.Random(3)
    assert len(every) > 5
    assert unlikely((drawn.draw(rng).services for _ in range(20 * len(every))), every) is None


def test_what_is_required_counts_for_the_domain(compatibility: Compatibility) -> None:
    wanted = Wanted(domain="finance", required=frozenset({"billing"}))
    one_more = Compositions(compatibility, wanted).count(2)
    assert one_more.sets == len(compatibility.of_domain("finance") - {"billing"}) == 2


def test_draws_with_a_domain_are_uniform(compatibility: Compatibility) -> None:
    wanted = Wanted(
        services=(3, 3), distractors=(0, 0), domain="finance", required=frozenset({"mail"}), forbidden=frozenset({"hr"})
    )
    drawn = Compositions(compatibility, wanted)
    finance = compatibility.of_domain("finance")
    every = [
        tuple(sorted((*pair, "mail")))
        for pair in combinations([name for name in compatibility.names if name not in {"mail", "hr"}], 2)
        if len(finance & set(pair)) >= 2
    ]
    assert drawn.count(3).sets == len(every) == 3
    rng = random.Random(5)
    assert unlikely((drawn.draw(rng).services for _ in range(300)), every) is None


def test_distractors_are_plausible(compatibility: Compatibility) -> None:
    rng = random.Random(1)
    services = ("billing", "banking", "mail")
    found = Counter(
        name for _ in range(600) for name in module.distractors(rng, compatibility, services, 3, forbidden={"chat"})
    )
    assert not found.keys() & {*services, "chat"}
    assert found["expenses"] > 2 * found["clinic"] > 0  # the same domain against a far one
    assert found["hr"] > 1.3 * found["clinic"]  # a neighbouring one


def test_a_seed_gives_the_same(compatibility: Compatibility) -> None:
    compositions = Compositions(compatibility, Wanted.by(Dials.level("hard")))
    drawn = [compositions.draw(random.Random(f"{seed}")) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert 4 <= len(drawn[0].services) <= 8 and 4 <= len(drawn[0].distractors) <= 5
    assert not set(drawn[0].services) & set(drawn[0].distractors)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted(domain="gardening"), "no service is of the domain 'gardening'"),
        (Wanted(required=frozenset({"bank"})), "there is no service 'bank'"),
        (Wanted(required=frozenset({"mail"}), forbidden=frozenset({"mail"})), "mail is both required and forbidden"),
    ],
)
def test_what_contradicts_itself(compatibility: Compatibility, wanted: Wanted, words: str) -> None:
    with pytest.raises(SamplingError, match=words):
        Compositions(compatibility, wanted)


def test_what_cannot_be(compatibility: Compatibility) -> None:
    with pytest.raises(SamplingError, match="no composition of 7 to 7 services is as asked for"):
        Compositions(compatibility, Wanted(services=(7, 7), length=(7, 7))).draw(random.Random(0))
    with pytest.raises(SamplingError, match="no composition of 2 to 2"):
        Compositions(compatibility, Wanted(services=(2, 2), required=frozenset(compatibility.names[:3]))).draw(
            random.Random(0)
        )
    with pytest.raises(SamplingError, match="40 distractors are asked for"):
        module.distractors(random.Random(0), compatibility, ("mail",), 40)
