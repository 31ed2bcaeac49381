"""Workers in a hurry, for tests; run as a program it is one of them.

``python -m tests.rl.jobs.quick URL SECONDS_PER_CALL [until-idle]``
"""

from __future__ import annotations

import sys
from typing import Any

from engine.database import Database
from engine.world import World
from rl.agents import Agent, make_agent
from rl.jobs import Pace, Worker
from tests.rl.agents import slow
from tests.toys import library

PACE = Pace(heartbeat=0.3, gone=2.0, look=0.2, tend=0.3, tries_after=(0.1, 0.1))


def slowly(seconds: float) -> Any:
    """Makes agents; the reference agent with a rest before each call."""

    def make(name: str, **options: Any) -> Agent:
        return slow(seconds) if name == "reference" else make_agent(name, **options)

    return make


def main() -> None:
    url, seconds = sys.argv[1], float(sys.argv[2])
    with World(Database(url).open(), library()) as world:
        Worker(
            world,
            groups=2,
            rollouts=2,
            until_idle="until-idle" in sys.argv,
            make=slowly(seconds),
            watch=lambda told: print(told.kind, told.group, told.detail, flush=True),
            pace=PACE,
        ).run()
    print("over", flush=True)


if __name__ == "__main__":
    main()
