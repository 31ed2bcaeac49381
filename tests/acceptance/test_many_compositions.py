"""A hundred compositions of the library's services, made and run while only twenty may keep their schema."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from sqlalchemy import text

from engine.database import Database
from engine.verifiers import judge
from engine.world import World
from rl import group_report, make_agent, run_group
from tasks import put
from tasks.document import CriterionText, Reference, ReferenceCall, Task
from tests.conftest import fresh_database

COMPOSITIONS, LIMIT, VISITS = 100, 20, 12
SERVICES = ("billing", "calendar", "chat", "contacts", "mail", "retail", "tickets")


@pytest.fixture
def world(server_url: str) -> Iterator[World]:
    with fresh_database(server_url) as url, World(Database(url).open(), limit=LIMIT) as opened:
        yield opened


def _sets() -> list[tuple[str, ...]]:
    """A hundred different sets of 2 to 6 services."""
    found = [chosen for size in range(2, 7) for chosen in combinations(SERVICES, size)]
    return Random(7).sample(found, COMPOSITIONS)


def _task(world: World, services: tuple[str, ...]) -> Task:
    """A task that looks into every service and writes a message, a note or an event where it can."""
    looks = {}
    for name in services:
        tools = world.library.get(name).tools.values()
        looks[name] = next(
            item.name for item in tools if item.specification.read_only and not item.specification.required
        )
    walk = [services[number % len(services)] for number in range(VISITS)]
    calls = [ReferenceCall(service=name, tool=looks[name]) for name in walk]
    if "chat" in services:
        place = walk.index("chat")
        arguments = {"channel_id": "chn_general", "text": f"We use {', '.join(services)}."}
        calls[place] = ReferenceCall(service="chat", tool="post_message", arguments=arguments)
    looked = f"SELECT count(*) = {VISITS} AS passed, count(*) AS actual FROM events WHERE outcome = 'ok'"
    return Task(
        name=f"look-into-{'-'.join(services)}",
        title="Look into everything",
        instruction="Have a look.",
        services=list(services),
        walk=walk,
        reference=Reference(calls=calls, answer="Seen."),
        criteria=[CriterionText(name="looked", kind="output", description="Every call was made.", sql=looked)],
    )


def _relations(world: World) -> int:
    with world.database.transaction() as connection:
        return int(connection.execute(text("SELECT count(*) FROM pg_class")).scalar_one())


@pytest.mark.acceptance
@pytest.mark.timeout(600)
def test_relations_stay_bounded_and_nothing_is_lost(world: World) -> None:
    empty = _relations(world)
    whole = world.compose(*SERVICES)
    whole.materialise()
    biggest = _relations(world) - empty  # no composition has more than that of all services
    assert whole.park() and _relations(world) == empty
    groups, most = [], 0
    for services in _sets():
        stored = put(world, _task(world, services))
        report = run_group(world, stored, make_agent("reference"), size=1)
        assert report.rollouts[0].success, report.rollouts[0]
        groups.append(report.id)
        most = max(most, _relations(world) - empty)
    assert most <= (LIMIT + 1) * biggest
    for number in groups:
        shown = group_report(world, number).rollouts[0]
        assert shown.success and shown.branch is not None
        branch = world.branch(shown.branch)
        assert branch.replay().same
        (check,) = judge(branch, put(world, _task(world, tuple(branch.composition.services))).criteria)
        assert check.passed and check.actual == VISITS
    assert _materialised(world) <= LIMIT


def _materialised(world: World) -> int:
    with world.database.transaction() as connection:
        return int(
            connection.execute(
                text("SELECT count(*) FROM compoworld.composition WHERE materialised_at IS NOT NULL")
            ).scalar_one()
        )
