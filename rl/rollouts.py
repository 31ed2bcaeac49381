"""One attempt at a rollout: a fork, the agent's run, its end, the judgement, all of it stored."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from engine.deadline import DeadlinePassed, Workers
from engine.errors import CompoWorldError, DatabaseUnavailable, InfrastructureError
from engine.kit.values import canonical_json
from engine.metatools import MetaTools
from engine.verifiers import Check, judge
from rl.agents import Agent, Ending
from rl.claims import Claim
from rl.episode import Episode
from rl.errors import LimitReached, ModelUnavailable, RolloutStopped, Superseded
from rl.limits import Limits
from rl.messages import Message, Usage, storable
from rl.recorder import Recorder
from rl.trajectories import Trajectory, put_trajectory
from tasks.store import StoredTask

GRACE_SECONDS = 5.0
"""How long past its limit of seconds an agent that hangs is waited for."""

_workers = Workers()

_END = """
WITH ended AS (
    UPDATE compoworld.rollout
    SET status = 'finished', stop_reason = %s, error = %s, steps = %s, input_tokens = %s, output_tokens = %s,
        cached_tokens = %s, model = %s, finished_at = clock_timestamp()
    WHERE id = %s AND attempts = %s AND status = 'running'
    RETURNING id, branch_id
), sealed AS (
    UPDATE compoworld.branch b SET sealed = true FROM ended e WHERE b.id = e.branch_id
), checks AS (
    INSERT INTO compoworld.criterion_check (branch_id, seq, rollout_id, task_id, ordinal, sql, passed, expected,
        actual, error, duration_ms)
    SELECT e.branch_id, b.head, e.id, %s, k.ordinal, k.sql, k.passed, k.expected, k.actual, k.error, k.duration_ms
    FROM ended e JOIN compoworld.branch b ON b.id = e.branch_id, jsonb_to_recordset(%s::jsonb) AS k (ordinal int,
        sql text, passed boolean, expected jsonb, actual jsonb, error text, duration_ms double precision)
)
SELECT count(*) FROM ended
"""
_ANSWER = """
UPDATE compoworld.branch b SET answer = %s FROM compoworld.rollout r
WHERE b.id = r.branch_id AND r.id = %s AND r.attempts = %s AND r.status = 'running'
"""
_FAIL = """
UPDATE compoworld.rollout
SET status = %s, stop_reason = %s, error = %s, finished_at = CASE %s WHEN 'failed' THEN clock_timestamp() END
WHERE id = %s AND attempts = %s AND status = 'running'
"""


@dataclass(frozen=True)
class Run:
    """How the agent's part of an attempt went; it is stored and judged next.

    Attributes:
        stop_reason: the agent's own, or ``steps``, ``tokens``, ``seconds``, ``crashed``.
        error: the traceback of a crash.
        trajectory: its tokens, where the agent gave them.
    """

    stop_reason: str
    answer: str | None
    error: str | None
    steps: int
    usage: Usage
    model: str | None
    recorder: Recorder
    trajectory: Trajectory | None = None


def run_agent(
    task: StoredTask,
    agent: Agent,
    claim: Claim,
    *,
    limits: Limits,
    seed: int,
    stopping: threading.Event,
    step: Callable[[int], None] = lambda steps: None,
) -> Run:
    """Let the agent work on the claim's branch until it ends, crashes or reaches a limit.

    Args:
        step: told how many messages there are after each.

    Raises:
        Interrupted: the program is asked to stop.
        Superseded: another process took the rollout over.
        InfrastructureError, DatabaseUnavailable: what happened says nothing about the agent.
    """
    recorder = Recorder(task.composition.world.database, claim.rollout, claim.attempt)

    def keep(message: Message) -> None:
        recorder.keep(message)
        step(episode.steps)

    episode = Episode(
        task.task,
        MetaTools(claim.branch, task.services),
        limits=limits,
        seed=seed,
        keep=keep,
        flush=recorder.flush,
        stopping=stopping,
    )
    stop_reason, answer, error = _ending(agent, episode)
    if episode.failure is not None:
        raise episode.failure
    return Run(stop_reason, answer, error, episode.steps, episode.usage, agent.model, recorder, episode.tokens)


def _ending(agent: Agent, episode: Episode) -> tuple[str, str | None, str | None]:
    seconds = episode.limits.seconds
    patience = threading.TIMEOUT_MAX if seconds is None else min(seconds + GRACE_SECONDS, threading.TIMEOUT_MAX)
    try:
        ending = _workers.run(lambda: agent.run(episode), patience, episode.begun)
        if not isinstance(ending, Ending):
            raise TypeError(f"the agent gave {type(ending).__name__} instead of an Ending")
    except DeadlinePassed:
        if episode.unanswered():
            raise ModelUnavailable(f"the model gave no answer within {patience:g} s") from None
        return "seconds", None, None
    except LimitReached as limit:
        return limit.reason, None, None
    except (RolloutStopped, InfrastructureError, DatabaseUnavailable):
        raise
    except Exception:
        return "crashed", None, traceback.format_exc(limit=-8)
    finally:
        episode.close()
    return ending.stop_reason, ending.answer, None


def judge_and_store(task: StoredTask, claim: Claim, run: Run) -> list[Check]:
    """Store the end of an attempt, judge every criterion on its final state, and store that.

    May be tried again after the database was lost.

    Raises:
        Superseded: another process took the rollout over; nothing was stored.
        DatabaseUnavailable: the database was lost.
    """
    database = task.composition.world.database
    key = (claim.rollout, claim.attempt)
    with database.transaction() as connection:
        run.recorder.write(connection)
        if connection.exec_driver_sql(_ANSWER, (storable(run.answer), *key)).rowcount == 0:
            raise Superseded(f"rollout {claim.rollout} was taken over")
    run.recorder.written()
    checks = judge(claim.branch, task.criteria)
    rows = [
        {
            "ordinal": ordinal,
            "sql": item.criterion.sql,
            "passed": item.passed,
            "expected": storable(item.expected),
            "actual": storable(item.actual),
            "error": storable(item.error),
            "duration_ms": item.duration_ms,
        }
        for ordinal, item in enumerate(checks, 1)
    ]
    usage = run.usage
    values = (
        run.stop_reason, storable(run.error), run.steps, usage.input, usage.output, usage.cached, run.model,
        *key, task.id, canonical_json(rows),
    )  # fmt: skip
    with database.transaction() as connection:
        if connection.exec_driver_sql(_END, values).scalar() == 0:
            raise Superseded(f"rollout {claim.rollout} was taken over")
        if run.trajectory is not None:
            put_trajectory(connection, claim.rollout, run.trajectory)
    return checks


def store_failure(task: StoredTask, claim: Claim, error: CompoWorldError) -> None:
    """Store that the infrastructure failed a rollout: it is never judged, never scored.

    Raises:
        DatabaseUnavailable: the database was lost.
    """
    _leave(task, claim, "failed", "infrastructure", str(error))


def store_interruption(task: StoredTask, claim: Claim) -> None:
    """Store that a rollout is to be run again from the start.

    Raises:
        DatabaseUnavailable: the database was lost.
    """
    _leave(task, claim, "pending", None, None)


def _leave(task: StoredTask, claim: Claim, status: str, reason: str | None, error: str | None) -> None:
    values = (status, reason, storable(error), status, claim.rollout, claim.attempt)
    with task.composition.world.database.transaction() as connection:
        connection.exec_driver_sql(_FAIL, values)
