"""Forks against copies of databases and of schemas; what forks and rollouts leave in the database."""

from __future__ import annotations

import itertools

from sqlalchemy import text

from benchmarks import bare
from benchmarks.measure import Figure, figure, in_turn, sample
from benchmarks.setting import Setting
from engine.database import Database
from engine.kit import Service
from engine.snapshots import Snapshot


def _copies(setting: Setting, snapshot: Snapshot, services: list[Service]) -> list[float]:
    database = setting.world.database
    with bare.template_database(database, snapshot.composition.schema, snapshot.id, services) as template:
        try:
            return sample(lambda: bare.copy_database(database, template), setting.times(10), warm=1)
        finally:
            bare.drop_copies(database, template)


def forks(setting: Setting) -> list[Figure]:
    """fork_small, fork_large and fork_growth."""
    small, large = setting.small_snapshot, setting.large_snapshot
    # In turn: their ratio is a figure of its own.
    few, many = in_turn(
        lambda: small.fork(label="bench"), lambda: large.fork(label="bench"), setting.times(1000), warm=20
    )
    against = "CREATE DATABASE ... TEMPLATE"
    return [
        figure("fork_small", few, _copies(setting, small, setting.small), f"fork, {small.rows:,} rows", against),
        figure("fork_large", many, _copies(setting, large, setting.large), f"fork, {large.rows:,} rows", against),
        figure("fork_growth", many, few, "fork_large", "fork_small"),
    ]


def schema_copy(setting: Setting) -> list[Figure]:
    """fork_schema_copy."""
    snapshot = setting.small_snapshot
    database = setting.world.database
    numbers = itertools.count()

    def copy() -> None:
        with database.transaction() as connection:
            bare.copy_schema(
                connection, snapshot.composition.schema, setting.small, snapshot.id, f"copy_{next(numbers)}"
            )

    ours = sample(lambda: snapshot.fork(label="bench"), setting.times(500), warm=20)
    copies = sample(copy, setting.times(10), warm=1)
    for number in range(next(numbers)):
        with database.transaction() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA copy_{number} CASCADE")
    return [figure("fork_schema_copy", ours, copies, "fork of a snapshot of 2,000 rows", "copy of the schema")]


def _relations(database: Database) -> int:
    with database.transaction() as connection:
        return int(connection.execute(text("SELECT count(*) FROM pg_class")).scalar_one())


def catalog_growth(setting: Setting) -> list[Figure]:
    """catalog_growth: relations added by 1,000 forks, each with a call."""
    snapshot, database = setting.small_snapshot, setting.world.database
    service = setting.small[0].name
    count = setting.times(1000)
    before = _relations(database)
    for _ in range(count):
        snapshot.fork(label="bench").call(service, "change_item", id="item_000001", title="changed")
    added = _relations(database) - before
    before = _relations(database)
    with database.transaction() as connection:
        bare.copy_schema(connection, snapshot.composition.schema, setting.small, snapshot.id, "copied")
    copied = (_relations(database) - before) * count
    with database.transaction() as connection:
        connection.exec_driver_sql("DROP SCHEMA copied CASCADE")
    return [
        Figure(
            "catalog_growth",
            "relations",
            added,
            copied,
            f"relations added by {count:,} forks with a call each",
            f"relations of one schema copy, times {count:,}",
        )
    ]


def read_depth(setting: Setting) -> list[Figure]:
    """read_depth: the same read after 50 nested forks over after one."""
    service = setting.small[0].name
    deep = shallow = setting.branch()
    for depth in range(50):
        deep = deep.fork(label="bench")
        deep.call(service, "change_item", id=f"item_{depth % 40:06d}", title=f"depth {depth}")
        if depth == 0:
            shallow = deep
    # As many own rows on both sides: what is measured is the depth.
    for depth in range(1, 50):
        shallow.call(service, "change_item", id=f"item_{depth % 40:06d}", title=f"depth {depth}")

    ours, baseline = in_turn(
        lambda: deep.call(service, "get_item", id="item_000007"),
        lambda: shallow.call(service, "get_item", id="item_000007"),
        setting.times(400),
        warm=20,
    )
    return [figure("read_depth", ours, baseline, "read after 50 nested forks", "the same read after one fork")]
