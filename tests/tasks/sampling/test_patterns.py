"""Scenario families over services: counts against listing, draws against all there are, dials."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pytest

from tasks.errors import SamplingError
from tasks.sampling import Assignments, Compatibility, Dials, Limits, assign, staleness, valid
from tasks.sampling import patterns as module
from tests.tasks.sampling.uniform import unlikely


@dataclass(frozen=True)
class Told:
    """As much of a family as sampling needs."""

    roles: Mapping[str, tuple[str, ...]]
    patterns: Sequence[tuple[str, ...]]
    name: str = "told"


REORDER = Told(
    roles={
        "request": ("mail", "chat", "docs", "tickets"),
        "stock": ("inventory",),
        "terms": ("mail", "docs", "files"),
        "log": ("boards", "tables", "tickets", "inventory"),
        "report": ("mail", "chat"),
    },
    patterns=(
        ("request", "stock", "terms", "stock", "log", "report", "stock"),
        ("request", "terms", "stock", "log", "stock", "terms", "report", "stock"),
        ("request", "stock", "log", "stock", "report", "stock", "log"),
    ),
)

LIMITS = [
    Limits(),
    Limits(length=(8, 12)),
    Limits(services=(4, 4)),
    Limits(services=(2, 3)),
    Limits(staleness=3),
    Limits(staleness=5),
    Limits(staleness=6),
    Limits(required=frozenset({"docs", "tickets"})),
    Limits(forbidden=frozenset({"mail"})),
    Limits(domain="communication"),
    Limits(services=(3, 4), staleness=6, required=frozenset({"mail"})),
]


def _brute(compatibility: Compatibility, family: Told, limits: Limits) -> set[tuple[int, tuple[str, ...]]]:
    """Pattern and walk of every valid assignment, by what the words say."""
    domain = compatibility.of_domain(limits.domain) if limits.domain else frozenset[str]()
    found = set()
    for number, pattern in enumerate(family.patterns):
        roles = sorted(set(pattern))
        for services in product(*(family.roles[role] for role in roles)):
            played = dict(zip(roles, services, strict=True))
            walk = tuple(played[role] for role in pattern)
            if (
                limits.length[0] <= len(walk) <= limits.length[1]
                and limits.services[0] <= len(set(walk)) <= limits.services[1]
                and valid(walk, compatibility.graph)
                and staleness(walk) >= limits.staleness
                and limits.required <= set(walk)
                and not limits.forbidden & set(walk)
                and len(domain & set(walk)) >= min(2, len(domain))
            ):
                found.add((number, walk))
    return found


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("types", [None, {"code", "company"}])
def test_as_many_as_brute_force_finds(compatibility: Compatibility, limits: Limits, types: set[str] | None) -> None:
    over = compatibility.over(types) if types else compatibility
    expected = _brute(over, REORDER, limits)
    assignments = Assignments(REORDER, over, limits)
    assert {(item.pattern, item.walk) for item in assignments} == expected
    assert assignments.count() == len(list(assignments)) == len(expected)
    counted = Counter((number, over.mask(walk)) for number, walk in expected)
    assert {
        (number, mask): ways for number, sets in assignments.by_set().items() for mask, ways in sets.items()
    } == dict(counted)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("tries", [0, module._TRIES])
def test_draws_are_uniform(
    compatibility: Compatibility, limits: Limits, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_TRIES", tries)
    assignments = Assignments(REORDER, compatibility, limits)
    every = [(item.pattern, item.walk) for item in assignments]
    rng = random.Random(2)
    drawn = [assignments.draw(rng) for _ in range(8 * len(every))]
    assert every
    assert unlikely(((item.pattern, item.walk) for item in drawn), every) is None


def test_a_pattern_without_a_role_twice_comes_back_by_its_services(compatibility: Compatibility) -> None:
    two = (
        ("mail", "chat"),
        ("docs", "files"),
        ("hr", "code"),
        ("mail", "docs"),
        ("boards",),
        ("ci",),
        ("home", "chat"),
    )
    family = Told(dict(zip("abcdefg", two, strict=True)), [tuple("abcdefg")])
    expected = _brute(compatibility, family, Limits())
    assert 0 < len(expected) < 2**5
    assert Assignments(family, compatibility).count() == len(expected)


def test_an_assignment(compatibility: Compatibility) -> None:
    chosen = assign(REORDER, compatibility, Dials(distractors=(3, 3)), random.Random(11))
    pattern = REORDER.patterns[chosen.pattern]
    assert chosen.family == "told"
    assert list(chosen.roles) == list(dict.fromkeys(pattern))
    assert chosen.walk == tuple(chosen.roles[role] for role in pattern)
    assert chosen.services == tuple(dict.fromkeys(chosen.walk))
    assert len(chosen.distractors) == 3 and not set(chosen.distractors) & set(chosen.services)
    assert chosen == assign(REORDER, compatibility, Dials(distractors=(3, 3)), random.Random(11))


def test_roles_that_the_pattern_lacks_have_no_service(compatibility: Compatibility) -> None:
    family = Told({**REORDER.roles, "hint": ("hr",)}, REORDER.patterns)
    assert "hint" not in assign(family, compatibility, Dials(), random.Random(0)).roles


def test_the_domain_is_a_preference(compatibility: Compatibility) -> None:
    talk = compatibility.of_domain("communication")
    for seed in range(30):
        chosen = assign(REORDER, compatibility, Dials(domain="communication"), random.Random(seed))
        assert len(talk & set(chosen.services)) >= 2
    assert assign(REORDER, compatibility, Dials(domain="education"), random.Random(0))
    with pytest.raises(SamplingError, match="no service is of the domain 'gardening'"):
        assign(REORDER, compatibility, Dials(domain="gardening"), random.Random(0))


def test_required_and_forbidden(compatibility: Compatibility) -> None:
    for seed in range(30):
        chosen = assign(
            REORDER, compatibility, Dials(), random.Random(seed), required=["files"], forbidden=["mail", "hr"]
        )
        assert "files" in chosen.services
        assert not {"mail", "hr"} & {*chosen.services, *chosen.distractors}


def test_large_families_are_counted_without_listing(compatibility: Compatibility) -> None:
    family = Told(dict.fromkeys("abcdef", compatibility.names[:10]), [tuple("abcdefa")])
    # Roles that follow each other differ, others need not: colourings of a ring of six.
    assert Assignments(family, compatibility).count() == 9**6 + 9
    six = Assignments(family, compatibility, Limits(services=(6, 6)))
    assert six.count() == 10 * 9 * 8 * 7 * 6 * 5
    assert len(six.draw(random.Random(0)).services) == 6


def test_where_there_is_none(compatibility: Compatibility) -> None:
    with pytest.raises(SamplingError, match="family told has no assignment as asked for"):
        assign(REORDER, compatibility, Dials(services=(7, 9)), random.Random(0))
    twice = Told({"a": ("mail",), "b": ("chat",)}, [tuple("abaabab")])
    assert Assignments(twice, compatibility).count() == 0
    with pytest.raises(SamplingError, match="no assignment"):
        Assignments(twice, compatibility).draw(random.Random(0))


def test_a_role_for_a_service_that_there_is_not(compatibility: Compatibility) -> None:
    with pytest.raises(SamplingError, match="family told, role a: there is no service 'post'"):
        Assignments(Told({"a": ("post",)}, []), compatibility)
