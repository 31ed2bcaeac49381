"""Our side of procrastinate: its schema, the one kind of job that there is, and putting jobs into the queue."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import Connection, text

from engine.errors import DatabaseUnavailable
from rl.jobs.one import Again

if TYPE_CHECKING:
    from procrastinate import BaseRetryStrategy, PsycopgConnector
    from procrastinate.types import JSONDict

SCHEMA = "compoworld_jobs"
"""Where procrastinate's tables are; the migration names it too."""

TASK = "compoworld.group"
"""The name of the job that runs one group; its only argument is ``group``."""

_HELD_BACK = datetime(9999, 1, 1, tzinfo=UTC)
"""As ``compoworld.held_back()``: no worker sees such a job before it is let in."""


def connector(url: str) -> PsycopgConnector:
    """The connections of a worker's queue: few, and looking at procrastinate's schema."""
    from procrastinate import PsycopgConnector

    async def configure(connection: psycopg.AsyncConnection[Any]) -> None:
        await connection.execute(f"SET search_path = {SCHEMA}")
        await connection.commit()

    return PsycopgConnector(
        conninfo=url,
        min_size=1,
        max_size=4,
        timeout=10,
        configure=configure,
        kwargs={"application_name": "compoworld worker", "connect_timeout": 10},
    )


def defer(connection: Connection, groups: Sequence[int], *, endpoint: str, priority: int) -> list[int]:
    """Put groups into the queue, in the caller's transaction; as many as the endpoint has room for are let in.

    Returns:
        The numbers of the jobs, in the order of the groups.
    """
    from procrastinate import App, SyncPsycopgConnector

    raw: Any = connection.connection.driver_connection
    path = connection.execute(text("SELECT current_setting('search_path')")).scalar_one()
    connection.execute(text(f"SET LOCAL search_path = {SCHEMA}"))
    # The connector is never opened: the statement runs on the connection that is given.
    task = App(connector=SyncPsycopgConnector()).configure_task(
        TASK, queue=endpoint, priority=priority, schedule_at=_HELD_BACK, connection=raw
    )
    arguments: list[JSONDict] = [{"group": group} for group in groups]
    jobs = task.batch_defer(*arguments)
    connection.execute(text("SELECT set_config('search_path', :path, true)"), {"path": path})
    connection.execute(text("SELECT compoworld.let_jobs_in(:endpoint)"), {"endpoint": endpoint})
    return jobs


def retries() -> BaseRetryStrategy:
    """Procrastinate's strategy: what asks for it is tried again, when it asks for it; nothing else is."""
    from procrastinate import BaseRetryStrategy, RetryDecision
    from procrastinate.jobs import Job as QueuedJob

    class Strategy(BaseRetryStrategy):
        def get_retry_decision(self, *, exception: BaseException, job: QueuedJob) -> RetryDecision | None:
            if not isinstance(exception, Again):
                return None
            # Without a time where it is at once: the clocks of two machines differ.
            return RetryDecision(
                retry_in={"milliseconds": round(1000 * exception.seconds)} if exception.seconds else None
            )

    return Strategy()


def is_loss(error: BaseException) -> bool:
    """Whether a session ended because the database went away."""
    from procrastinate.exceptions import ConnectorException

    return isinstance(error, ConnectorException | psycopg.OperationalError | DatabaseUnavailable)
