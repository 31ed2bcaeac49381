"""Collections: written down once, run by workers, tried again, cancelled, given up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError, NotFound
from engine.world import World
from rl import ModelUnavailable, group_report
from rl.agents import Agent, Ending, make_agent
from rl.episode import Episode
from rl.errors import WorkerUnfit
from rl.jobs import (
    Told,
    Worker,
    cancel,
    collect,
    collection_groups,
    collections,
    endpoints,
    retry,
    set_limit,
    workers,
)
from rl.jobs.tending import look_after
from tests.processes import eventually
from tests.rl.agents import Scripted, reference
from tests.rl.jobs.conftest import working
from tests.rl.jobs.quick import PACE, slowly
from tests.toys import toy_task


def quick(world: World, **options: Any) -> Worker:
    return Worker(world, **{"until_idle": True, "pace": PACE, **options})


def states(world: World, name: str) -> list[str]:
    return [item.state for item in collection_groups(world, name)]


def scripted(run: Callable[[Episode, int], Ending]) -> Callable[..., Agent]:
    agent = Scripted(run, "reference")
    return lambda name, **options: agent


def test_a_collection_is_run(own_world: World) -> None:
    made = collect(own_world, [toy_task()], "noisy", n=3, times=4, seed=7, name="first", rate=0.3)
    assert (made.groups, made.added) == (4, 4)
    before = collections(own_world, "first")[0]
    assert (before.state, before.groups_waiting, before.rollouts, before.finished) == ("waiting", 4, 12, 0)
    told: list[Told] = []
    quick(own_world, groups=2, watch=told.append).run()
    after = collections(own_world, "first")[0]
    assert (after.state, after.groups_finished, after.finished, after.failed) == ("finished", 4, 12, 0)
    assert after.per_minute and after.finished_at and after.ends_at is None
    assert sorted(item.kind for item in told) == ["finished"] * 4 + ["started"] * 4
    groups = collection_groups(own_world, "first")
    reports = [group_report(own_world, item.group_id) for item in groups]
    assert len({report.seed for report in reports}) == 4
    assert after.solved == sum(item.success for report in reports for item in report.rollouts)
    assert all(item.reward is not None for report in reports for item in report.rollouts)
    assert workers(own_world) == 0


def test_the_same_call_goes_on(own_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rl.jobs.collecting.BATCH", 2)

    def interrupt(made: int, wanted: int) -> None:
        if made == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(own_world, [toy_task()], "reference", n=1, times=7, name="again", progress=interrupt)
    assert collections(own_world, "again")[0].groups == 7
    assert len(collection_groups(own_world, "again")) == 4
    quick(own_world).run()
    assert collections(own_world, "again")[0].state == "unfinished"
    assert collect(own_world, [toy_task()], "reference", n=1, times=7, name="again").added == 3
    assert collect(own_world, [toy_task()], "reference", n=1, times=7, name="again").added == 0
    with pytest.raises(InputError, match="another collection 'again': it has other n, seed, endpoint"):
        collect(own_world, [toy_task()], "reference", n=2, seed=1, times=7, name="again", endpoint="x", at_once=1)
    assert [item.ordinal for item in collection_groups(own_world, "again")] == list(range(1, 8))
    quick(own_world).run()
    assert collections(own_world, "again")[0].state == "finished"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tasks": []}, "no task is named"),
        ({"tasks": "no-such"}, "there is no set and no task 'no-such'"),
        ({"agent": "nobody"}, "there is no agent 'nobody'"),
        ({"agent": Scripted(lambda episode, _: Ending("silent"))}, "workers cannot make agent 'scripted'"),
        ({"n": 0}, "a group has 1 to"),
        ({"times": 0}, "times is a number from 1"),
        ({"at_once": 0}, "at_once is a number from 1"),
        ({"priority": "high"}, "a priority is a whole number"),
        ({"deadline": datetime(2030, 1, 1)}, "a deadline has a time zone"),
        ({"endpoint": ""}, "the name of an endpoint"),
    ],
)
def test_what_cannot_be_collected(world: World, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        collect(world, **{"tasks": [toy_task()], "agent": "reference", **given})


def test_an_endpoint_is_never_over_its_limit(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, times=6, name="limited", endpoint="server", at_once=2)
    collect(own_world, [toy_task()], "noisy", n=1, times=2, name="free")
    assert states(own_world, "limited") == ["waiting"] * 2 + ["held back"] * 4
    assert [(item.endpoint, item.at_once, item.waiting, item.held_back) for item in endpoints(own_world)] == [
        ("noisy", None, 2, 0),
        ("server", 2, 2, 4),
    ]
    most, now, lock = [0], [set[int]()], threading.Lock()

    def watch(told: Told) -> None:
        limited = {item.group_id for item in collection_groups(own_world, "limited")}
        with lock:
            if told.group in limited:
                now[0] ^= {told.group}
                most[0] = max(most[0], len(now[0]))

    first = quick(own_world, groups=3, until_idle=False, make=slowly(0.03), watch=watch)
    second = quick(own_world, groups=3, until_idle=False, make=slowly(0.03), watch=watch)
    with working(first), working(second):
        eventually(lambda: states(own_world, "limited") + states(own_world, "free") == ["finished"] * 8, "all end")
    assert most[0] == 2


def test_a_limit_is_changed_under_way(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=4, name="changed", at_once=1)
    assert states(own_world, "changed") == ["waiting"] + ["held back"] * 3
    set_limit(own_world, "reference", 3)
    assert states(own_world, "changed") == ["waiting"] * 3 + ["held back"]
    set_limit(own_world, "reference", None)
    assert states(own_world, "changed") == ["waiting"] * 4
    set_limit(own_world, "reference", 2)
    assert states(own_world, "changed") == ["waiting"] * 2 + ["held back"] * 2
    collect(own_world, [toy_task()], "reference", n=1, times=4, name="changed", at_once=1)
    assert states(own_world, "changed") == ["waiting"] + ["held back"] * 3
    with pytest.raises(NotFound, match="no endpoint 'referenc'"):
        set_limit(own_world, "referenc", 1)


def test_a_lower_limit_holds_for_those_that_nobody_runs_yet(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=8, name="lowered")
    most, now, lock = [0], set[int](), threading.Lock()
    lowered = threading.Event()

    def watch(told: Told) -> None:
        with lock:
            now.symmetric_difference_update({told.group} if told.group else ())
            if lowered.is_set() and told.kind == "started":
                most[0] = max(most[0], len(now))
        if told.kind == "started" and len(now) == 2 and not lowered.is_set():
            set_limit(own_world, "reference", 1)
            lowered.set()

    with working(quick(own_world, groups=2, until_idle=False, make=slowly(0.05), watch=watch)):
        eventually(lambda: states(own_world, "lowered") == ["finished"] * 8, "all end")
    assert most[0] == 1


def test_what_matters_more_comes_first(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=2, name="low")
    collect(own_world, [toy_task()], "noisy", n=1, times=2, name="high")
    collect(own_world, [toy_task()], "noisy", n=1, times=2, name="high", priority=5)
    assert [(item.collection, item.priority) for item in collections(own_world)] == [("high", 5), ("low", 0)]
    order: list[int | None] = []
    quick(own_world, watch=lambda told: order.append(told.group) if told.kind == "started" else None).run()
    wanted = [*collection_groups(own_world, "high"), *collection_groups(own_world, "low")]
    assert order == [item.group_id for item in wanted]


def test_a_model_that_is_away_is_tried_again_later(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, name="away")
    seen: list[int] = []

    def run(episode: Episode, time_: int) -> Ending:
        # Three tries at a rollout are one try at its group.
        if time_ <= 4:
            seen.append(len(group_report(own_world, 1).criteria))
            raise ModelUnavailable("no answer", again=True) if time_ < 4 else ModelUnavailable("no answer")
        return reference(episode)

    told: list[Told] = []
    quick(own_world, make=scripted(run), watch=told.append).run()
    assert [item.kind for item in told].count("again") >= 1
    assert collections(own_world, "away")[0].finished == 2
    assert set(seen) == {0}  # nothing was scored meanwhile
    assert collection_groups(own_world, "away")[0].failures >= 1


def test_a_model_that_stays_away_ends_the_group(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, name="gone")
    there = [False]

    def run(episode: Episode, _: int) -> Ending:
        if not there[0]:
            raise ModelUnavailable("no answer")
        return reference(episode)

    quick(own_world, make=scripted(run)).run()
    status = collections(own_world, "gone")[0]
    assert (status.state, status.finished, status.failed, status.solved) == ("finished", 0, 2, 0)
    assert "no answer" in str(collection_groups(own_world, "gone")[0].error)
    there[0] = True
    assert retry(own_world, "gone") == 1
    assert states(own_world, "gone") == ["waiting"]
    quick(own_world, make=scripted(run)).run()
    status = collections(own_world, "gone")[0]
    assert (status.finished, status.failed, status.solved) == (2, 0, 2)
    assert retry(own_world, "gone") == 0


def test_a_deadline(own_world: World) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=1.5)
    collect(own_world, [toy_task()], "reference", n=2, times=3, name="late", deadline=soon)
    begun = time.monotonic()
    quick(own_world, make=slowly(1.0)).run()
    assert time.monotonic() - begun < 12
    status = collections(own_world, "late")[0]
    assert (status.state, status.finished, status.failed) == ("finished", 0, 6)
    report = group_report(own_world, collection_groups(own_world, "late")[0].group_id)
    assert {(item.stop_reason, item.error) for item in report.rollouts} == {
        ("infrastructure", "the deadline has passed")
    }
    assert retry(own_world, "late") == 3
    quick(own_world).run()
    assert collections(own_world, "late")[0].solved == 6


def test_a_group_has_its_own_time(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=2, name="slow", group_seconds=0.7)
    quick(own_world, make=slowly(0.6)).run()
    assert collections(own_world, "slow")[0].failed == 2


def test_a_cancelled_collection_stops(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, times=5, name="unwanted", at_once=3)
    with working(quick(own_world, groups=2, until_idle=False, make=slowly(0.5))):
        eventually(lambda: states(own_world, "unwanted").count("running") == 2, "two are taken")
        assert cancel(own_world, "unwanted") == 5
        eventually(lambda: states(own_world, "unwanted") == ["cancelled"] * 5, "all are cancelled")
    assert collections(own_world, "unwanted")[0].state == "cancelled"
    assert cancel(own_world, "unwanted") == 0
    with pytest.raises(NotFound, match="no collection 'unwantd' \\(did you mean"):
        cancel(own_world, "unwantd")
    assert retry(own_world, "unwanted") == 5
    quick(own_world, groups=2).run()
    assert collections(own_world, "unwanted")[0].solved == 10


def test_a_worker_that_cannot_leaves_it_to_others(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=3, name="special")

    def without_key(name: str, **options: Any) -> Agent:
        raise InputError("no key")

    with pytest.raises(WorkerUnfit, match=r"cannot make agent 'reference' of group .* here: no key"):
        quick(own_world, make=without_key).run()
    assert states(own_world, "special") == ["waiting"] * 3
    quick(own_world, make=make_agent).run()
    assert states(own_world, "special") == ["finished"] * 3


def test_a_group_that_nobody_can_run(own_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    collect(own_world, [toy_task()], "reference", n=1, name="broken")

    def refuse(*_: object, **__: object) -> None:
        raise NotFound("a service is not there")

    with monkeypatch.context() as patched:
        patched.setattr("rl.jobs.one.resume", refuse)
        quick(own_world).run()
    found = collection_groups(own_world, "broken")[0]
    assert (found.state, found.error) == ("failed", "a service is not there")
    assert collections(own_world, "broken")[0].state == "failed"
    assert retry(own_world, "broken") == 1
    quick(own_world).run()
    assert states(own_world, "broken") == ["finished"]


def test_only_some_endpoints(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, name="mine", endpoint="gpu")
    collect(own_world, [toy_task()], "reference", n=1, name="not-mine", endpoint="cpu")
    quick(own_world, endpoints=["gpu"]).run()
    assert states(own_world, "mine") + states(own_world, "not-mine") == ["finished", "waiting"]


def test_a_deleted_group_takes_its_job_along(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=3, name="shrinking", at_once=1)
    group = collection_groups(own_world, "shrinking")[0].group_id
    with own_world.database.transaction() as connection:
        connection.execute(text("DELETE FROM compoworld.rollout WHERE group_id = :id"), {"id": group})
        connection.execute(text("DELETE FROM compoworld.rollout_group WHERE id = :id"), {"id": group})
        assert connection.execute(text("SELECT count(*) FROM compoworld_jobs.procrastinate_jobs")).scalar() == 2
    assert states(own_world, "shrinking") == ["waiting", "held back"]


def dead_worker_takes(world: World) -> None:
    """A worker takes every job that it may, and is gone without a word."""
    with world.database.transaction() as connection:
        connection.execute(text("UPDATE compoworld_jobs.procrastinate_jobs SET status = 'doing' WHERE status = 'todo'"))


def test_a_group_that_kills_its_workers_is_given_up(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, name="deadly")
    for _ in range(len(PACE.tries_after) + 1):
        dead_worker_takes(own_world)
        assert look_after(own_world, 60, None).taken_over == [1]
    told: list[Told] = []
    quick(own_world, watch=told.append).run()
    assert told[-1] == Told("given up", 1, "3 tries at it have failed")
    assert collections(own_world, "deadly")[0].failed == 2
    retry(own_world, "deadly")
    quick(own_world).run()
    assert collections(own_world, "deadly")[0].solved == 2


def test_cancelled_while_its_worker_is_gone(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, name="orphan")
    dead_worker_takes(own_world)
    assert cancel(own_world, "orphan") == 1
    assert states(own_world, "orphan") == ["running"]
    assert look_after(own_world, 60, None).taken_over == []
    assert states(own_world, "orphan") == ["cancelled"]


def test_the_limit_holds_however_many_fetch_and_end_at_once(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=1, times=60, name="crowd", at_once=3)
    collect(own_world, [toy_task()], "noisy", n=1, times=20, name="crowd-free", priority=-1)
    seen: list[int] = []

    def fetch_and_end(_: int) -> None:
        with own_world.database.raw() as connection:
            connection.autocommit = True
            connection.execute("SET search_path = compoworld_jobs")
            (worker,) = connection.execute("SELECT procrastinate_register_worker_v1()").fetchall()[0]
            while True:
                job = connection.execute("SELECT id FROM procrastinate_fetch_job_v2(NULL, %s)", (worker,)).fetchone()
                if job is None or job[0] is None:
                    return
                row = connection.execute(
                    "SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing' AND queue_name = 'reference'"
                ).fetchone()
                assert row is not None
                seen.append(row[0])
                connection.execute("SELECT procrastinate_finish_job_v1(%s, 'succeeded', false)", job)

    with ThreadPoolExecutor(6) as pool:
        while any(item.waiting or item.held_back for item in endpoints(own_world)):
            list(pool.map(fetch_and_end, range(6)))
    assert max(seen) <= 3 and len(seen) == 80
