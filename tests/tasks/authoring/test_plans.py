"""Plans, drafts, and what a family may not do."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.world import World
from tasks.authoring import families, plans, write
from tasks.authoring.draft import Draft
from tasks.authoring.family import family
from tasks.errors import DraftError, SamplingError
from tasks.sampling.dials import Dials


def test_the_same_plans_for_the_same_seed() -> None:
    first, again = list(islice(plans(4), 130)), list(islice(plans(4), 130))
    assert first == again
    assert list(islice(plans(4, first=100), 30)) == first[100:]
    assert [plan.walk for plan in islice(plans(5), 30)] != [plan.walk for plan in first[:30]]


def test_families_come_in_turns() -> None:
    known = len(families())
    rounds = [plan.family for plan in islice(plans(1), 2 * known)]
    assert set(rounds[:known]) == set(rounds[known:]) == set(families())
    assert rounds[:known] != rounds[known:]


def test_dials_that_are_given_are_kept() -> None:
    dials = Dials(length=(10, 12), services=(5, 8), distractors=(3, 3))
    for plan in islice(plans(2, dials), 40):
        assert 10 <= len(plan.walk) <= 12 and 5 <= len(plan.services) <= 8 and len(plan.distractors) == 3
        assert not set(plan.services) & set(plan.distractors)


def test_a_record_is_filed_on_where_nothing_else_is() -> None:
    dials = Dials(length=(11, 12), services=(5, 9))
    for plan in islice(plans(3, dials, ["bill-by-contract", "paid-twice"]), 40):
        services = list(plan.roles.values())
        assert [services.count(service) for role, service in plan.roles.items() if "-filed-" in role]
        assert {services.count(service) for role, service in plan.roles.items() if "-filed-" in role} == {1}


def test_unknown_families_and_impossible_dials() -> None:
    with pytest.raises(SamplingError, match="there is no family 'nonsense'"):
        next(plans(0, None, ["nonsense"]))
    with pytest.raises(SamplingError, match="held-stock"):
        next(plans(0, Dials(length=(7, 7), services=(2, 2)), ["held-stock"]))


def test_more_facts_than_a_family_has(world: World) -> None:
    plan = next(plans(0, Dials(carried=11), ["held-stock"]))
    with pytest.raises(DraftError, match="facts are carried, the dials ask for 11"):
        write(world, plan)


@pytest.mark.parametrize(
    ("name", "pattern"), [("held-stock", "a b a b a b a"), ("odd", "a b a"), ("odd", "a b a b a b c")]
)
def test_declarations_that_are_refused(name: str, pattern: str) -> None:
    with pytest.raises(ValueError, match=name):
        family(name, area="sales", roles={"a": ["mail"], "b": ["chat"]}, patterns=[pattern])(lambda d: None)


def test_a_fact_is_declared_once_and_has_another_value() -> None:
    draft = Draft(next(plans(0, None, ["held-stock"])))
    draft.fact("price", 4, 5)
    with pytest.raises(ValueError, match="price"):
        draft.fact("price", 6, 7)
    with pytest.raises(ValueError, match="terms"):
        draft.fact("terms", 4, 4)


def test_names_are_not_given_twice() -> None:
    draw = Draft(next(plans(0, None, ["held-stock"]))).draw
    names = [draw.company() for _ in range(200)]
    assert len(set(names)) == 200
    assert draw.near(names[0]).split()[0] == names[0].split()[0]
    assert all(draw.day(3, 20).weekday() < 5 for _ in range(10))
