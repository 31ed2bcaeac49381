"""The call path: one call, many at once, verifiers, replay."""

from __future__ import annotations

import itertools
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg

from benchmarks import bare
from benchmarks.measure import Figure, figure, in_turn, percentile, sample
from benchmarks.setting import Setting
from engine.branches import Branch
from engine.verifiers import Criterion, judge

CONCURRENT = 16


def one_call(setting: Setting) -> list[Figure]:
    """call: the whole path of a call that reads one row and changes one."""
    service = setting.small[0].name
    branch, other = setting.branch(), setting.branch()
    titles = (f"title {number}" for number in itertools.count())
    with psycopg.connect(setting.world.database.url, options="-c timezone=UTC") as connection:
        ours, baseline = in_turn(
            lambda: branch.call(service, "change_item", id="item_000003", title=next(titles)),
            lambda: bare.call(connection, other.id, service, "item_000003", next(titles)),
            setting.times(1000),
            warm=30,
        )
    return [
        figure(
            "call",
            ours,
            baseline,
            "call_tool, whole path",
            "the same statements in bare psycopg",
        )
    ]


def _rate(work: Callable[[int, threading.Barrier], int], threads: int) -> float:
    barrier = threading.Barrier(threads + 1)
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(work, number, barrier) for number in range(threads)]
        barrier.wait()
        start = time.perf_counter()
        calls = sum(job.result() for job in jobs)
        return calls / (time.perf_counter() - start)


def throughput(setting: Setting) -> list[Figure]:
    """throughput: calls per second of 16 concurrent rollouts in one process."""
    service = setting.small[0].name
    count = setting.times(200)

    def ours(number: int, barrier: threading.Barrier) -> int:
        branch = setting.branch()
        branch.call(service, "get_item", id="item_000001")
        barrier.wait()
        for step in range(count):
            branch.call(service, "change_item", id=f"item_{step % 40:06d}", title=f"{number} {step}")
        return count

    def baseline(number: int, barrier: threading.Barrier) -> int:
        branch = setting.branch()
        with psycopg.connect(setting.world.database.url, options="-c timezone=UTC") as connection:
            barrier.wait()
            for step in range(count):
                bare.call(connection, branch.id, service, f"item_{step % 40:06d}", f"{number} {step}")
        return count

    rounds = setting.times(3) if not setting.quick else 1
    mine = [_rate(ours, CONCURRENT) for _ in range(rounds)]
    theirs = [_rate(baseline, CONCURRENT) for _ in range(rounds)]
    return [
        Figure(
            "throughput",
            "/s",
            statistics.median(mine),
            statistics.median(theirs),
            f"calls per second, {CONCURRENT} concurrent rollouts, one process",
            "bare psycopg, as many threads",
        )
    ]


def criteria_of(service: str) -> list[Criterion]:
    """Ten criteria that read one row each."""
    return [
        Criterion(
            f"criterion {number}",
            "state",
            "A title is as it should be.",
            f"SELECT title LIKE 'title%' AS passed, title AS actual FROM {service}_item WHERE id = 'item_{number:06d}'",
        )
        for number in range(10)
    ]


def verify(setting: Setting) -> list[Figure]:
    """verify: 10 criteria judged on a branch."""
    service = setting.small[0].name
    branch = setting.branch()
    for number in range(12):
        branch.call(service, "change_item", id=f"item_{number:06d}", title=f"title {number}")
    criteria = criteria_of(service)
    with psycopg.connect(setting.world.database.url, options="-c timezone=UTC") as connection:

        def bare_verify() -> None:
            connection.execute(
                "SELECT compoworld.enter(v.schema_name, %s, v.base, true) FROM compoworld.bring_back(%s) v",
                (branch.id, branch.id),
            )
            for criterion in criteria:
                connection.execute(criterion.sql.encode()).fetchall()
            connection.rollback()

        ours, baseline = in_turn(lambda: judge(branch, criteria), bare_verify, setting.times(200))
    return [figure("verify", ours, baseline, "10 criteria judged", "the same queries in bare psycopg")]


def replay(setting: Setting) -> list[Figure]:
    """replay: events per second, against making the calls the first time."""
    service = setting.small[0].name
    count = setting.times(500)
    branch = setting.branch()

    def play(on: Branch) -> float:
        start = time.perf_counter()
        for number in range(count):
            on.call(service, "change_item", id=f"item_{number % 40:06d}", title=f"title {number}")
        return count / (time.perf_counter() - start)

    first = statistics.median([play(setting.branch()), play(branch), play(setting.branch())])
    times = sample(branch.replay, 3, warm=1)
    rates = [count / (item / 1000) for item in times]
    return [
        Figure(
            "replay",
            "/s",
            statistics.median(rates),
            first,
            f"events replayed per second ({count} events, comparison included)",
            "the calls made the first time",
            percentile(rates, 0.05),
        )
    ]
