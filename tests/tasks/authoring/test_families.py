"""Every scenario family: its tasks are admitted, the same each time, and read like a person's."""

from __future__ import annotations

import re

import pytest

from engine.world import World
from tasks.admission import admit
from tasks.authoring import Family, Plan, families, plans, write
from tasks.authoring.draft import Draft
from tasks.sampling.dials import Dials
from tasks.sets.files import packaged_set

FAMILIES = list(families().values())
STARTER = {member.task.origin.family for member in packaged_set("starter").members if member.task.origin}
OTHERS = [family for family in FAMILIES if family.name not in STARTER]
"""Those of which no admitted task comes with the package."""

SEED = 11


def plan_of(family: Family, number: int = 0, dials: Dials | None = None) -> Plan:
    """A plan of one family."""
    return next(plans(SEED, dials, [family.name], first=number))


def told(plan: Plan, otherwise: str | None = None) -> Draft:
    """What the family makes of a plan."""
    draft = Draft(plan, otherwise)
    families()[plan.family].tell(draft)
    return draft


@pytest.mark.parametrize("family", OTHERS, ids=lambda item: item.name)
def test_admitted(world: World, family: Family) -> None:
    task = write(world, plan_of(family))
    verdict = admit(world, task)
    assert verdict.admitted, f"{verdict.stage}: {verdict.reason}"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda item: item.name)
def test_told_the_same_twice(family: Family) -> None:
    first, again = told(plan_of(family)), told(plan_of(family))
    assert first.s0() == again.s0()
    assert first.calls == again.calls
    assert first.instruction() == again.instruction()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda item: item.name)
def test_a_fact_changes_s0_and_nothing_else(family: Family) -> None:
    plan = plan_of(family)
    base = told(plan)
    assert base.facts
    for fact in base.facts:
        other = told(plan, fact)
        assert other.s0() != base.s0(), f"{fact} stands nowhere in s0"
        assert other.instruction() == base.instruction(), f"{fact} can be read from the instruction"
        assert [(call.service, call.tool) for call in other.calls] == [(call.service, call.tool) for call in base.calls]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda item: item.name)
def test_reads_like_a_person(family: Family) -> None:
    instructions = {told(plan_of(family, number)).instruction() for number in range(12)}
    assert len(instructions) >= 8, "the wordings hardly vary"
    for words in instructions:
        assert not re.search(
            r"  |[{}_]|None|\bdata\.|\.\.(?!\.)|,\.|\ba [aeiou]\w+ \w", words.replace("a unique", "")
        ), words
        assert words[0].isupper() or words[0].isdigit(), words
        assert words.rstrip()[-1] in ".?!", words


@pytest.mark.parametrize("family", FAMILIES, ids=lambda item: item.name)
def test_follows_its_dials(family: Family) -> None:
    easy, hard = Dials.level("easy"), Dials.level("hard")
    plan = plan_of(family)
    small = told(Plan(**{**vars(plan), "dials": easy})).s0().insert
    large = told(Plan(**{**vars(plan), "dials": hard})).s0().insert
    assert sum(map(len, large.values())) > sum(map(len, small.values())), "more near-duplicates make no difference"


def test_there_are_enough() -> None:
    assert len(FAMILIES) >= 40
    assert {family.area for family in FAMILIES} == {
        *("sales", "marketing", "operations", "support", "finance", "people", "private life")
    }
    assert all(len(family.story) > 60 for family in FAMILIES), "a family's docstring tells its story"
