"""Compositions coming and going, and what a whole rollout costs beside its model."""

from __future__ import annotations

from sqlalchemy import text

from benchmarks import bare
from benchmarks.callpath import criteria_of
from benchmarks.measure import Figure, figure, sample
from benchmarks.setting import Setting
from engine.branches import Branch
from engine.snapshots import Snapshot
from engine.verifiers import judge

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


def rollout(setting: Setting) -> list[Figure]:
    """rollout_overhead and bytes_per_rollout: fork, 12 calls, verify, store, without any model."""
    snapshot: Snapshot = setting.small_snapshot
    criteria = criteria_of(setting.small[0].name)

    def one() -> None:
        branch = _play(setting, snapshot.fork(label="bench"))
        judge(branch, criteria)
        branch.answer("done")

    count = setting.times(200)
    one()
    before = _stored_bytes(setting)
    ours = sample(one, count, warm=0)
    used = (_stored_bytes(setting) - before) / count
    database = setting.world.database
    before = _stored_bytes(setting)

    def copied() -> None:
        with database.transaction() as connection:
            bare.copy_schema(connection, snapshot.composition.schema, setting.small, snapshot.id, "copied")

    copies = sample(copied, 1, warm=0)
    copy_bytes = _stored_bytes(setting) - before
    with database.transaction() as connection:
        connection.exec_driver_sql("DROP SCHEMA copied CASCADE")
    return [
        figure("rollout_overhead", ours, copies, "fork, 12 calls, verify, store", "one schema copy alone"),
        Figure(
            "bytes_per_rollout",
            "bytes",
            used,
            copy_bytes,
            "bytes kept per rollout of 12 calls",
            "one schema copy",
        ),
    ]
