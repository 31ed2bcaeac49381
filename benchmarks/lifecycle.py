"""Compositions coming and going, and what a whole rollout costs beside its model."""

from __future__ import annotations

from sqlalchemy import text

from benchmarks import bare
from benchmarks.callpath import criteria_of
from benchmarks.measure import Figure, figure, sample
from benchmarks.setting import Setting
from engine.branches import Branch
from rl import make_agent, run_group
from tasks import put
from tasks.document import CriterionText, Reference, ReferenceCall, Task

CALLS = 12


def _play(setting: Setting, branch: Branch) -> Branch:
    service = setting.small[0].name
    for number in range(CALLS):
        branch.call(service, "change_item", id=f"item_{number:06d}", title=f"title {number}")
    return branch


def compose(setting: Setting) -> list[Figure]:
    """compose: materialise 10 services, against creating plain tables for the same entities."""
    composition = setting.small_composition
    database = setting.world.database
    ours, baseline = [], []
    for _ in range(setting.times(20)):
        composition.park()
        ours += sample(composition.materialise, 1, warm=0)

        def plain() -> None:
            with database.transaction() as connection:
                connection.exec_driver_sql("CREATE SCHEMA plain; SET LOCAL search_path = plain")
                bare.create_plain_tables(connection, setting.small)

        baseline += sample(plain, 1, warm=0)
        with database.transaction() as connection:
            connection.exec_driver_sql("DROP SCHEMA plain CASCADE")
    return [figure("compose", ours, baseline, "materialise 10 services", "CREATE TABLE for the same 50 entities")]


def unpark(setting: Setting) -> list[Figure]:
    """unpark: bring a parked composition back with a rollout of 12 calls, against making the state anew."""
    composition = setting.small_composition
    branch = _play(setting, setting.branch())
    database = setting.world.database
    ours, baseline = [], []

    def bring_back() -> None:
        with database.transaction() as connection:
            connection.execute(text("SELECT compoworld.bring_back(:id)"), {"id": branch.id})

    for _ in range(setting.times(20)):
        composition.park()
        ours += sample(bring_back, 1, warm=0)
        composition.park()
        baseline += sample(lambda: _play(setting, composition.snapshot().fork(label="bench")), 1, warm=0)
    return [figure("unpark", ours, baseline, f"bring back, with a branch of {CALLS} calls", "seed and call again")]


def _stored_bytes(setting: Setting) -> int:
    with setting.world.database.transaction() as connection:
        return int(
            connection.execute(
                text(
                    "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c"
                    " WHERE c.relkind IN ('r', 'm') AND c.relnamespace NOT IN"
                    " ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"
                    " AND c.relnamespace <> 'pg_toast'::regnamespace"
                )
            ).scalar_one()
        )


def _task(setting: Setting) -> Task:
    """A task of 12 calls over three services, judged by 10 criteria."""
    services = [service.name for service in setting.small[:3]]
    walk = [services[number % 3] for number in range(CALLS)]
    return Task(
        name="bench",
        title="Twelve calls",
        instruction="Change the titles.",
        services=services,
        distractors=[service.name for service in setting.small[3:]],
        walk=walk,
        reference=Reference(
            calls=[
                ReferenceCall(
                    service=service,
                    tool="change_item",
                    arguments={"id": f"item_{number:06d}", "title": f"title {number}"},
                )
                for number, service in enumerate(walk)
            ],
            answer="Done.",
        ),
        criteria=[
            CriterionText(name=item.name.replace(" ", "-"), kind="state", description=item.description, sql=item.sql)
            for item in criteria_of(services[0])
        ],
    )


def rollout(setting: Setting) -> list[Figure]:
    """rollout_overhead and bytes_per_rollout: fork, 12 calls, verify, store, without any model."""
    world, database = setting.world, setting.world.database
    stored, agent = put(world, _task(setting)), make_agent("reference")

    def one() -> None:
        report = run_group(world, stored, agent, size=1)
        assert [item.status for item in report.rollouts] == ["finished"]

    count = setting.times(100)
    one()
    before = _stored_bytes(setting)
    ours = sample(one, count, warm=0)
    used = (_stored_bytes(setting) - before) / count
    snapshot = setting.small_snapshot
    before = _stored_bytes(setting)

    def copied() -> None:
        with database.transaction() as connection:
            bare.copy_schema(connection, snapshot.composition.schema, setting.small, snapshot.id, "copied")

    copies = sample(copied, 1, warm=0)
    copy_bytes = _stored_bytes(setting) - before
    with database.transaction() as connection:
        connection.exec_driver_sql("DROP SCHEMA copied CASCADE")
    return [
        figure(
            "rollout_overhead", ours, copies, "a group of one: fork, 12 calls, verify, store", "one schema copy alone"
        ),
        Figure("bytes_per_rollout", "bytes", used, copy_bytes, "bytes kept per rollout of 12 calls", "one schema copy"),
    ]
