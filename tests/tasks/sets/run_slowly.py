"""Makes a set in a program of its own, slowly enough to be killed: ``python -m ... URL DIARY [gated]``."""

from __future__ import annotations

import sys
from pathlib import Path

from synth.shelf import world_with_shelf
from tasks.sets.making import make
from tests.tasks.sets.fake import FakeWorkshop

if __name__ == "__main__":
    gated = sys.argv[3:] == ["gated"]
    workshop = FakeWorkshop(Path(sys.argv[2]), slow=0.1, stored=gated, gated=gated)
    with world_with_shelf(sys.argv[1]) as opened:
        make(opened, 40, name="set", seed=5, workshop=workshop, jobs=2)
