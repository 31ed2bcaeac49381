"""Every service of the library is attacked clean."""

from __future__ import annotations

import pytest

from engine.library import Library
from engine.world import World
from synth.attack.attack import attack_service

pytestmark = pytest.mark.acceptance

OUT_OF_REACH: dict[str, set[str]] = {
    # As many answers as the quiz has questions; a session of a course that one teaches oneself.
    "learning": {"create_quiz_attempt", "record_attendance"},
    "calendar": {"remove_attendees"},  # somebody who is invited to an event of one's own
    "reservations": {"pay_deposit"},  # a deposit that is due, of one's own
    "tables": {"update_row"},  # cells by the columns of the row's table
}
"""Tools for which the attack finds no valid call: what they need is not to be read from schema or refusal."""


@pytest.mark.parametrize("name", Library().names())
def test_a_service_of_the_library_keeps_what_its_specification_says(world: World, name: str) -> None:
    report = attack_service(world, name)
    broken = {item.tool: item.reason for item in report.tools if item.cases}
    assert not broken
    assert report.quarantined.keys() <= OUT_OF_REACH.get(name, set())
