"""Runs of training in the catalog: begun, taken up again, ended, listed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import text

from engine.errors import DatabaseUnavailable, InputError, Refused
from engine.kit.values import canonical_json
from engine.postgres import default_home
from engine.world import World
from rl.policies import Weights

LOCK_CLASS = 7215
"""Advisory lock that the process which trains a run holds; the view ``training_runs`` looks at it, too."""

FIRST_SECONDS = 10.0
"""How long another process waits until the first one has written down how their run ended."""

Kind = Literal["sft", "grpo"]

# A run that came to nothing before it had anything to train on holds its name for nobody.
_BEGIN = """
INSERT INTO compoworld.training_run AS r (name, kind, config, seed, weights, policy_from, folder)
VALUES (:name, :kind, :config, :seed, :weights, :policy, :folder)
ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, config = excluded.config, seed = excluded.seed,
    weights = excluded.weights, policy_from = excluded.policy_from, folder = excluded.folder
WHERE EXISTS (SELECT FROM compoworld.training_runs v WHERE v.run_id = r.id AND v.status IN ('failed', 'interrupted')
    AND v.examples IS NULL AND v.groups IS NULL)
"""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True)
class Run:
    """A run as its trainer needs it.

    Attributes:
        folder: of its checkpoints, of what it trains on, of the policy that comes of it.
        made: the policy ``name@version``, once it is finished.
    """

    id: int
    name: str
    kind: Kind
    folder: Path
    finished: bool
    made: str | None

    @property
    def checkpoint(self) -> Path | None:
        """The newest whole checkpoint, from which the run goes on."""
        found = [path for path in self.folder.glob("checkpoint-*") if (path / "trainer_state.json").is_file()]
        return max(found, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def begin(
    world: World,
    kind: Kind,
    name: str,
    *,
    settings: Mapping[str, Any],
    seed: int,
    weights: Weights,
    folder: Path | None = None,
) -> Run:
    """The run of that name, begun if there is none. Several processes of one run may call it.

    Args:
        settings: all that decides the run, beside the weights and the seed.
        folder: where its files go; by default ``training/NAME`` in CompoWorld's home.

    Raises:
        InputError: the name cannot be one, or there is a run of that name with other settings or weights.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name[:80]!r} cannot be the name of a run",
            hint="letters, digits, '.', '_' and '-', from a letter on",
        )
    where = (folder or default_home() / "training" / name).absolute()
    policy = weights.policy
    values = {
        "name": name,
        "kind": kind,
        "config": Jsonb(dict(settings)),
        "seed": seed,
        "weights": str(weights),
        "policy": policy.id if policy is not None else None,
        "folder": str(where),
    }
    with world.database.transaction() as connection:
        connection.execute(text(_BEGIN), values)
        row = connection.execute(
            text(
                "SELECT r.id, r.kind, r.config, r.seed, r.weights, r.folder, r.status, v.made"
                " FROM compoworld.training_run r JOIN compoworld.training_runs v ON v.run_id = r.id"
                " WHERE r.name = :name"
            ),
            {"name": name},
        ).one()
    kept = {**row.config, "seed": row.seed, "weights": row.weights, "kind": row.kind}
    given = {**settings, "seed": seed, "weights": str(weights), "kind": kind}
    for key in sorted({*kept, *given}):
        if canonical_json(kept.get(key)) != canonical_json(given.get(key)):
            raise InputError(
                f"there is a run {name!r}, and {key} is {_shown(kept.get(key))} there, not {_shown(given.get(key))}",
                hint="give another name, or the same settings to go on with it",
            )
    where = Path(row.folder)
    where.mkdir(parents=True, exist_ok=True)
    return Run(row.id, name, kind, where, row.status == "finished", row.made)


@contextmanager
def training(world: World, run: Run) -> Iterator[None]:
    """Be the one that trains this run; how it ends is written down. Of processes that train together, the first is it.

    Raises:
        Refused: somebody else does.
    """
    if not first_process():
        try:
            yield
        except Exception as error:
            _after_the_first(world, run, error)
            raise
        return
    with world.database.alone(LOCK_CLASS, run.id) as held:
        if not held:
            raise Refused(f"the run {run.name!r} is being trained by another process")
        _ended(world, run, "running")
        try:
            yield
        except KeyboardInterrupt:
            _ended(world, run, "interrupted")
            raise
        except BaseException as error:
            _ended(world, run, "failed", f"{type(error).__name__}: {error}")
            raise


def _ended(world: World, run: Run, status: str, error: str | None = None) -> None:
    try:
        with world.database.transaction() as connection:
            connection.execute(
                text(
                    "UPDATE compoworld.training_run SET status = :status, error = :error, finished_at = NULL"
                    # Of several processes the one that failed first has the cause.
                    " WHERE id = :run AND CASE CAST(:status AS text) WHEN 'running' THEN status <> 'finished'"
                    " ELSE status = 'running' END"
                ),
                {"run": run.id, "status": status, "error": error and error.replace("\x00", "\\0")[:10_000]},
            )
    except DatabaseUnavailable:
        # The lock goes with the connection: the run is listed as interrupted.
        if status == "running":
            raise


def _after_the_first(world: World, run: Run, error: Exception) -> None:
    """Let the first process write down an error that all have: torchrun ends it as soon as another one has ended.

    An error that only this process has leaves the first one waiting for it; then it is written down here.
    """
    deadline = time.monotonic() + FIRST_SECONDS
    with suppress(DatabaseUnavailable):
        while time.monotonic() < deadline:
            with world.database.transaction() as connection:
                status = connection.execute(
                    text("SELECT status FROM compoworld.training_run WHERE id = :run"), {"run": run.id}
                ).scalar()
            if status != "running":
                return
            time.sleep(0.1)
    _ended(world, run, "failed", f"process {os.environ['RANK']}: {type(error).__name__}: {error}")


def first_process() -> bool:
    """Whether this is the first of the processes that train together (torchrun), or the only one."""
    return os.environ.get("RANK", "0") == "0"


def processes() -> int:
    """How many processes train together (torchrun)."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def _shown(value: Any) -> str:
    words = canonical_json(value)
    return words if len(words) <= 100 else f"{words[:99]}…"
