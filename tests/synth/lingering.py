"""A program whose workers do not end by themselves."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from synth.pipeline import Outcome, _run


def linger(folder: str, name: str) -> Outcome:
    """Show that this process lives."""
    with (Path(folder) / f"{name}-{os.getpid()}").open("a") as file:
        for _ in range(600):
            print("alive", file=file, flush=True)
            time.sleep(0.1)
    return Outcome(name, "built")


if __name__ == "__main__":
    from tests.synth.lingering import linger as lasting

    _run([(lasting, (sys.argv[1], name)) for name in ("first", "second")], 2, lambda _: None)
