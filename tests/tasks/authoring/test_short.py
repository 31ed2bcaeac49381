"""Short tasks, for small models: told over several services or within one, through the same gate."""

from __future__ import annotations

from itertools import islice

import pytest
from pydantic import ValidationError

from engine.world import World
from tasks.admission import admit
from tasks.authoring import families, plans, write
from tasks.document import Task
from tasks.errors import SamplingError
from tasks.sampling import Dials

SHORT = Dials.level("short")
ALONE = SHORT.but(length=[1, 1], services=[1, 1])


@pytest.mark.unit
def test_short_families_are_apart() -> None:
    assert families(short=True)
    assert not families().keys() & families(short=True).keys()
    assert all(not families()[plan.family].short for plan in islice(plans(3), len(families())))


@pytest.mark.unit
@pytest.mark.parametrize(("dials", "most"), [(SHORT, 4), (ALONE, 1)])
def test_walks_are_as_long_as_asked_for(dials: Dials, most: int) -> None:
    drawn = list(islice(plans(5, dials), 40))
    assert {plan.family for plan in drawn} == set(families(short=True))
    assert all(dials.length[0] <= len(plan.walk) <= most for plan in drawn)
    assert len({frozenset(plan.services) for plan in drawn}) >= (6 if most == 1 else 30)


@pytest.mark.integration
@pytest.mark.parametrize("dials", [SHORT, ALONE], ids=["composed", "alone"])
@pytest.mark.parametrize("family", families(short=True))
def test_every_short_family_passes_the_gate(world: World, family: str, dials: Dials) -> None:
    reasons = []
    for plan in islice(plans(11, dials, [family]), 3):  # by chance another service may know the value
        verdict = admit(world, write(world, plan))
        if verdict.admitted:
            return
        reasons.append(verdict.reason)
    pytest.fail(f"none of three is admitted: {reasons}")


@pytest.mark.unit
def test_kinds_of_families_are_not_mixed() -> None:
    with pytest.raises(SamplingError, match="short tasks only"):
        next(plans(1, None, ["short-sum"]))
    with pytest.raises(SamplingError, match="whole tasks only"):
        next(plans(1, SHORT, [next(iter(families()))]))


@pytest.mark.integration
def test_only_short_tasks_may_be_short(world: World) -> None:
    document = write(world, next(plans(2, ALONE))).document()
    with pytest.raises(ValidationError, match="unless it is short"):
        Task.model_validate({**document, "short": False})
    document = write(world, next(plans(2, SHORT))).document()
    with pytest.raises(ValidationError, match="7 to 12 visits"):
        Task.model_validate({**document, "short": False})
