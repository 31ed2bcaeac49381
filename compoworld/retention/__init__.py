"""What ``compoworld gc`` deletes: named things with all that stands on them, old rollouts, branches made in passing."""

from __future__ import annotations

from compoworld.retention.heap import Heap, Named
from compoworld.retention.standing import survey
from compoworld.retention.sweeping import sweep

__all__ = ["Heap", "Named", "survey", "sweep"]
