"""The right record is any of those beside it by age, and the same one in every telling of a scenario."""

from __future__ import annotations

import json
import re
from itertools import islice

import pytest

from tasks.authoring import Plan, plans
from tasks.authoring.draft import Draft
from tasks.authoring.family import family_named
from tasks.sampling.dials import Dials

INSTANT = re.compile(r'"\w*at": "([^"]+T[^"]+)"')


def told(plan: Plan, otherwise: str | None = None) -> Draft:
    draft = Draft(plan, otherwise)
    family_named(plan.family).tell(draft)
    return draft


def rank(draft: Draft, fact: str) -> int:
    """How many texts with such a value are newer than the one with the fact's."""
    value = draft.facts[fact].value
    alike = re.compile(r"\b" + re.escape(re.sub(r"\d", "0", value)).replace("0", r"\d") + r"\b")
    for rows in draft.s0().insert.values():
        said = sorted(
            (min(INSTANT.findall(row)), value in row)
            for row in map(json.dumps, rows)
            if alike.search(row) and INSTANT.search(row)
        )
        if len(said) > 3 and any(right for _, right in said):
            return [right for _, right in reversed(said)].index(True)
    raise AssertionError(f"{value} stands in no text")


@pytest.mark.parametrize(("family", "fact"), [("same-days-off", "mark"), ("short-code", "order")])
def test_the_right_text_is_of_any_age(family: str, fact: str) -> None:
    ranks = [
        rank(told(plan), fact)
        for plan in islice(plans(11, Dials.level("short") if family.startswith("short") else None, [family]), 12)
    ]
    assert 0 < ranks.count(0) + ranks.count(1) < len(ranks), ranks
    assert len(set(ranks)) > 2, ranks


def test_ages_are_the_same_whatever_a_fact_is() -> None:
    plan = next(plans(11, None, ["same-days-off"]))
    base, other = told(plan), told(plan, "mark")
    assert other.facts["mark"].value == base.facts["mark"].value
    ages = [[INSTANT.findall(json.dumps(rows)) for rows in draft.s0().insert.values()] for draft in (base, other)]
    assert ages[0] == ages[1]


def test_turns_are_mixed() -> None:
    draft = Draft(next(plans(11, None, ["same-days-off"])))
    count = draft.dials.alike + 1
    assert sorted(map(draft.turn, range(count + 2))) == list(range(count + 2))
    assert sorted(draft.turns(7)) == list(range(7))
