"""Collections: many groups of rollouts as jobs in the same database, for any number of workers."""

from __future__ import annotations

from rl.jobs.collecting import Collection, collect
from rl.jobs.control import cancel, retry, set_limit
from rl.jobs.status import (
    CollectionGroup,
    CollectionStatus,
    EndpointStatus,
    collection_groups,
    collections,
    endpoints,
    workers,
)
from rl.jobs.telling import Told, Watcher
from rl.jobs.worker import Pace, Worker

__all__ = [
    "Collection",
    "CollectionGroup",
    "CollectionStatus",
    "EndpointStatus",
    "Pace",
    "Told",
    "Watcher",
    "Worker",
    "cancel",
    "collect",
    "collection_groups",
    "collections",
    "endpoints",
    "retry",
    "set_limit",
    "workers",
]
