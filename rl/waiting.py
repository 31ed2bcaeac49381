"""Waits for a database that went away."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

from engine.errors import DatabaseUnavailable
from engine.postgres import URL_VARIABLE, EmbeddedServer, database_url
from engine.world import World
from rl.errors import Interrupted

DATABASE_PATIENCE_SECONDS = 60.0


def wait_for_database(
    world: World, seconds: float = DATABASE_PATIENCE_SECONDS, stopping: threading.Event | None = None
) -> None:
    """Wait until the database answers; the embedded server is started again.

    Raises:
        DatabaseUnavailable: it did not come back in that time.
        Interrupted: the program is asked to stop.
    """
    deadline = time.monotonic() + seconds
    pause = 0.05
    while True:
        try:
            with world.database.transaction() as connection:
                connection.exec_driver_sql("SELECT 1")
            return
        except DatabaseUnavailable:
            if time.monotonic() > deadline:
                raise
        if stopping is not None and stopping.wait(pause):
            raise Interrupted("the program was asked to stop")
        if stopping is None:
            time.sleep(pause)
        pause = min(pause * 2, 2.0)
        if not os.environ.get(URL_VARIABLE) and EmbeddedServer().url == world.database.url:
            with suppress(DatabaseUnavailable):
                database_url()
