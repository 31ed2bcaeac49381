"""Runs of training in the catalog: begun, taken up again, ended, listed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, Row, text

from engine.errors import DatabaseUnavailable, InputError, Refused
from engine.kit.values import canonical_json
from engine.locks import Lock
from engine.postgres import default_home
from engine.world import World
from rl.policies import Weights
from rl.training.folders import claim, delete, newest_checkpoint, see_free, written

LOCK_CLASS = 7215
"""Advisory lock that the process which trains a run holds; the view ``training_runs`` looks at it, too."""

FIRST_SECONDS = 10.0
"""How long another process waits until the first one has written down how their run ended."""

Kind = Literal["sft", "grpo"]

# Updated, not left alone: the run is locked, so that nobody deletes it or begins it anew in the meantime.
_BEGIN = """
INSERT INTO compoworld.training_run AS r (name, kind, config, seed, weights, digest, policy_from, folder)
VALUES (:name, :kind, :config, :seed, :weights, :digest, :policy, :folder)
ON CONFLICT (name) DO UPDATE SET name = r.name
"""
_FOUND = """
SELECT r.id, r.kind, r.config, r.seed, r.weights, r.digest, r.folder, r.mark::text, r.status, v.made,
    v.status IN ('failed', 'interrupted') AND r.step = 0 AND v.examples IS NULL AND v.groups IS NULL AS nothing
FROM compoworld.training_run r JOIN compoworld.training_runs v ON v.run_id = r.id WHERE r.name = :name
"""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True)
class Run:
    """A run as its trainer needs it.

    Attributes:
        folder: of its checkpoints, of what it trains on, of the policy that comes of it.
        made: the policy ``name@version``, once it is finished.
        lock: held by the process that trains it.
    """

    id: int
    name: str
    kind: Kind
    folder: Path
    finished: bool
    made: str | None
    lock: Lock | None = field(default=None, compare=False)

    @property
    def checkpoint(self) -> Path | None:
        """The newest whole checkpoint, from which the run goes on."""
        return newest_checkpoint(self.folder)


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
        folder: where its files go; by default where they are, ``training/NAME`` in CompoWorld's home at first.

    Raises:
        InputError: the name cannot be one, there is a run of that name with other settings or weights or in another
            folder, or the folder cannot be written.
        Refused: the folder is another run's, or holds what this one would go on from or write over.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name[:80]!r} cannot be the name of a run",
            hint="letters, digits, '.', '_' and '-', from a letter on",
        )
    values = {
        "name": name,
        "kind": kind,
        "config": Jsonb(dict(settings)),
        "seed": seed,
        "weights": str(weights),
        "digest": weights.digest,
        "policy": weights.policy.id if weights.policy is not None else None,
        "folder": str((folder or default_home() / "training" / name).resolve()),
    }
    with world.database.transaction() as connection:
        row = _begun(connection, values)
        unlike = _unlike(row, values, settings, folder is not None)
        if unlike is not None and row.nothing:
            # It never had anything to train on: it holds its name, and its folder, for nobody.
            for path in written(Path(row.folder), row.mark):
                delete(path)
            connection.execute(text("DELETE FROM compoworld.training_run WHERE id = :id"), {"id": row.id})
            row, unlike = _begun(connection, values), None
        if unlike is not None:
            raise InputError(
                f"there is a run {name!r}, and {unlike}",
                hint="give another name, or the same settings to go on with it",
            )
        if row.status != "finished":
            see_free(Path(row.folder), row.mark)
    if row.status != "finished":
        # Only now: whoever is interrupted in between leaves no folder behind that is nobody's.
        with world.database.transaction() as connection:
            # Locked: processes that train together claim it one after the other.
            there = text("SELECT FROM compoworld.training_run WHERE id = :id FOR UPDATE")
            if connection.execute(there, {"id": row.id}).first() is None:
                raise _ended_elsewhere(name)
            claim(Path(row.folder), name, row.mark)
    return Run(row.id, name, kind, Path(row.folder), row.status == "finished", row.made)


def _begun(connection: Connection, values: Mapping[str, Any]) -> Row[Any]:
    """The run of that name, locked; written down if there is none."""
    connection.execute(text(_BEGIN), values)
    return connection.execute(text(_FOUND), values).one()


def _unlike(row: Row[Any], values: Mapping[str, Any], settings: Mapping[str, Any], with_folder: bool) -> str | None:
    """In what a run differs from what is asked for, in words."""
    named = {"kind": "kind", "seed": "seed", "weights": "weights", "digest": "the SHA-256 of its weights"}
    if with_folder:
        named["folder"] = "its folder"
    kept = {**row.config, **{word: getattr(row, key) for key, word in named.items()}}
    given = {**settings, **{word: values[key] for key, word in named.items()}}
    for key in sorted({*kept, *given}):
        if canonical_json(kept.get(key)) != canonical_json(given.get(key)):
            return f"{key} is {_shown(kept.get(key))} there, not {_shown(given.get(key))}"
    return None


@contextmanager
def training(world: World, run: Run) -> Iterator[Run]:
    """Be the one that trains this run; how it ends is written down. Of processes that train together, the first is it.

    Yields:
        The run; the first process's with its lock (``see_mine``).

    Raises:
        Refused: somebody else does, or has finished it or begun it anew since it was looked up.
    """
    if not first_process():
        try:
            yield run
        except Exception as error:
            _after_the_first(world, run, error)
            raise
        return
    with world.database.alone(LOCK_CLASS, run.id) as lock:
        if not lock:
            raise Refused(f"the run {run.name!r} is being trained by another process")
        if not _stands(world, run, "running"):
            raise _ended_elsewhere(run.name)
        try:
            yield replace(run, lock=lock)
        except BaseException as error:
            # Without a database it is listed as interrupted; with the lock somebody else's, that one writes it down.
            with suppress(DatabaseUnavailable):
                if lock.renew():
                    interrupted = isinstance(error, KeyboardInterrupt)
                    _stands(world, run, *(["interrupted"] if interrupted else ["failed", _said(error)]))
            raise


def see_mine(connection: Connection, run: Run, *steps: int) -> None:
    """See that this process still is the one that trains a run; up to the end of the transaction it remains that.

    The lock goes with its connection. Where that was lost it is taken again, unless somebody else was faster.

    Args:
        steps: after which of them the run may stand; after any, where none is given.

    Raises:
        Refused: another process trains it, has done so in the meantime, or has ended it or begun it anew.
        DatabaseUnavailable: the database was lost.
    """
    if run.lock is not None and not run.lock.renew():
        raise Refused(
            f"the connection that kept the run {run.name!r} for this process was lost, and another process trains it",
            hint="wait until that one has ended",
        )
    there = text("SELECT step FROM compoworld.training_run WHERE id = :run AND status = 'running' FOR UPDATE")
    step = connection.execute(there, {"run": run.id}).scalar()
    if step is None:
        raise _ended_elsewhere(run.name)
    if steps and step not in steps:
        raise Refused(
            f"another process has trained the run {run.name!r} in the meantime: it stands after step {step}, not"
            f" {max(steps)}",
            hint="the same command again goes on from its last checkpoint",
        )


def _stands(world: World, run: Run, status: str, error: str | None = None) -> bool:
    """Write down where the run stands; whether it is there and not ended."""
    with world.database.transaction() as connection:
        done = connection.execute(
            text(
                "UPDATE compoworld.training_run SET status = :status, error = :error, finished_at = NULL"
                # Of several processes the one that failed first has the cause.
                " WHERE id = :run AND CASE CAST(:status AS text) WHEN 'running' THEN status <> 'finished'"
                " ELSE status = 'running' END"
            ),
            {"run": run.id, "status": status, "error": error and error.replace("\x00", "\\0")[:10_000]},
        )
        return done.rowcount == 1


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _ended_elsewhere(name: str) -> Refused:
    return Refused(f"another process has just ended the run {name!r}, or begun it anew", hint="the same command again")


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
        _stands(world, run, "failed", f"process {os.environ['RANK']}: {_said(error)}")


def first_process() -> bool:
    """Whether this is the first of the processes that train together (torchrun), or the only one."""
    return os.environ.get("RANK", "0") == "0"


def processes() -> int:
    """How many processes train together (torchrun)."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def share(batch: int, per_device: int, what: str) -> int:
    """How often each process has to take ``per_device`` sequences for a batch over all of them.

    Raises:
        InputError: they cannot share it evenly.
    """
    at_once = per_device * processes()
    if batch % at_once:
        among = f"{processes()} processes that take {per_device} at a time"
        raise InputError(f"{what}: {batch} cannot be shared by {among}", hint=f"make it a multiple of {at_once}")
    return batch // at_once


def _shown(value: Any) -> str:
    words = canonical_json(value)
    return words if len(words) <= 100 else f"{words[:99]}…"
