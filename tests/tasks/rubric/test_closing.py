"""A family whose rubric has to name every record that fits what the instruction says."""

from __future__ import annotations

import re

from engine.kit import jsonable
from engine.world import World
from tasks.authoring import plans, write
from tasks.initial import initial_rows


def test_every_active_application_of_the_opening_is_ended(world: World) -> None:
    plan = next(plans(11, None, ["place-is-filled"]))
    task = write(world, plan)
    rows = initial_rows(world.compose(*plan.services, *plan.distractors), task)
    applications = {row["id"]: row for row in map(jsonable, rows) if {"opening_id", "candidate_id"} <= row.keys()}
    sql = next(item.sql for item in task.criteria if "is ended" in item.description)
    asked = set(re.findall(r"t\.id = '(apl_\w+)'", sql))
    openings = {applications[key]["opening_id"] for key in asked}
    assert len(openings) == 1
    fit = {key for key, row in applications.items() if row["opening_id"] in openings and row["status"] == "active"}
    assert asked == fit and len(fit) >= 2
