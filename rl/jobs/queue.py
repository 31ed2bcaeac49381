"""Our side of procrastinate: its schema, the one kind of job that there is, and putting jobs into the queue."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

if TYPE_CHECKING:
    import psycopg
    from procrastinate import PsycopgConnector
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
