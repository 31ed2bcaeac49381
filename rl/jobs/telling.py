"""What a worker tells about its groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "started", "finished", "again", "given back", "given up", "cancelled", "failed", "taken over", "waiting", "back"
]
"""``again``: put back for a later try; ``given back``: the worker stops; ``given up``: past its deadline, or failed too
often; ``taken over``: from a worker that is gone; ``waiting``, ``back``: the database was lost, and is there again."""


@dataclass(frozen=True)
class Told:
    """Something happened in a worker.

    Attributes:
        group: which group; ``None`` where it is about the worker or a job.
        detail: what there is to say about it.
    """

    kind: Kind
    group: int | None = None
    detail: str | None = None


Watcher: TypeAlias = Callable[[Told], None]
