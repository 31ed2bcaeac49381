"""The process inside: give up all rights that are left, then serve requests, one JSON object a line."""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import Any

from synth.sandbox.inside import seccomp


def _bind(limits: dict[str, float]) -> None:
    memory, files = int(limits["memory"]), int(limits["files"])
    for kind, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, int(limits["cpu_seconds"])),
        (resource.RLIMIT_FSIZE, files),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (limit, limit))


def main() -> None:
    """Serve until the other side closes the pipe."""
    limits: dict[str, Any] = json.loads(sys.argv[1])
    _bind(limits)
    # What generated code prints is no answer: it goes where errors go.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(2, 1)

    from synth.sandbox.inside.worker import Worker

    worker = Worker(requests, answers, limits)
    seccomp.install()
    worker.serve()


if __name__ == "__main__":
    main()
