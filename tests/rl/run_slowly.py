"""Runs a group of slow rollouts in a process of its own, to be interrupted.

``python -m tests.rl.run_slowly URL GROUP SECONDS_PER_CALL``
"""

from __future__ import annotations

import sys

from engine.database import Database
from engine.world import World
from rl import resume
from tests.rl.agents import slow
from tests.toys import library


def main() -> None:
    url, group, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    with World(Database(url).open(), library()) as world:
        try:
            resume(
                world,
                group,
                agent=slow(seconds),
                concurrency=2,
                progress=lambda item: print(item.kind, item.ordinal, flush=True),
            )
        except KeyboardInterrupt:
            print("interrupted", flush=True)


if __name__ == "__main__":
    main()
