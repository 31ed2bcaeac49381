"""What an experiment made by name, and the deletion of its record."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError
from sqlalchemy import text

from engine.errors import Refused
from engine.retention import hold
from engine.world import World
from rl.experiments.config import KINDS
from rl.experiments.lab import Lab
from rl.experiments.run import makes
from rl.experiments.steps import MadeKind
from rl.experiments.store import LOCK_CLASS, find

_TABLES: Mapping[MadeKind, tuple[str, str]] = {
    "sets": ("task_set", "created_at"),
    "collections": ("collection", "created_at"),
    "evaluations": ("evaluation", "created_at"),
    "runs": ("training_run", "started_at"),
}


def made_by(world: World, name: str) -> dict[MadeKind, list[str]]:
    """What there is of an experiment. What was there before it began is not its own, however it is called.

    Raises:
        NotFound: there is no such experiment.
        Refused: somebody runs it, or its config is one of another version.
    """
    found = find(world, name)
    if found.status == "running":
        raise _run(name)
    try:
        config = KINDS[found.kind].model_validate(found.config)
    except (KeyError, ValidationError):
        raise Refused(
            f"the experiment {name!r} was begun with another version, and this one does not know what it made"
        ) from None
    lab = Lab(world, name)
    wanted: dict[MadeKind, list[str]] = {kind: [] for kind in _TABLES}
    for kind, called in makes(found.kind, config):
        wanted[kind].append(lab.named(called))
    with world.database.transaction() as connection:
        for kind, (table, begun) in _TABLES.items():
            there = connection.execute(
                text(
                    f"SELECT name FROM compoworld.{table} WHERE name = ANY (:names) AND {begun} >= :since ORDER BY id"
                ),
                {"names": wanted[kind], "since": found.started_at},
            )
            wanted[kind] = list(there.scalars())
    return wanted


def delete_experiment(world: World, name: str) -> None:
    """Delete the record of an experiment, if it is there.

    Raises:
        Refused: somebody runs it.
    """
    with world.database.transaction() as connection:
        number = connection.execute(
            text("SELECT id FROM compoworld.experiment WHERE name = :name"), {"name": name}
        ).scalar()
        if number is None:
            return
        if not hold(connection, LOCK_CLASS, number):
            raise _run(name)
        connection.execute(text("DELETE FROM compoworld.experiment WHERE id = :id"), {"id": number})


def _run(name: str) -> Refused:
    return Refused(f"a process runs the experiment {name!r}", hint="interrupt it first, or wait for its end")
