"""Experiments in the catalog: begun, taken up again, their steps, what was found."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import text

from engine.errors import InputError, NotFound, Refused
from engine.kit.values import canonical_json
from engine.near import did_you_mean
from engine.world import World

LOCK_CLASS = 7216
"""Advisory lock that the process which runs an experiment holds; the view ``experiments`` looks at it, too."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")

# One that came to nothing may be begun anew with what mends it.
_BEGIN = """
INSERT INTO compoworld.experiment AS e (name, kind, config) VALUES (:name, :kind, :config)
ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, config = excluded.config
WHERE EXISTS (SELECT FROM compoworld.experiments v WHERE v.experiment_id = e.id AND v.status <> 'running'
    AND v.steps_done = 0)
"""

_STEP = """
INSERT INTO compoworld.experiment_step (experiment_id, place, step) VALUES (:experiment, :place, :step)
ON CONFLICT (experiment_id, step) DO UPDATE SET place = excluded.place
"""
_RESULT = """
INSERT INTO compoworld.experiment_result (experiment_id, place, arm, against, measure, at, estimate, low, high, n,
    p_value)
VALUES (:experiment, :place, :arm, :against, :measure, :at, :estimate, :low, :high, :n, :p_value)
"""


@dataclass(frozen=True)
class Experiment:
    """One line of a listing; ``status`` is ``interrupted`` where nobody runs it any more."""

    id: int
    name: str
    kind: str
    status: str
    steps_done: int
    results: int
    seconds: float
    config: dict[str, Any]
    error: str | None
    started_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class StepRow:
    """A step that was begun.

    Attributes:
        made: what came of it, in words; ``None`` while it is not done.
    """

    step: str
    made: str | None
    seconds: float
    finished_at: datetime | None


@dataclass(frozen=True)
class Result:
    """One figure.

    Attributes:
        against: where the figure is a difference, the arm that is subtracted.
        at: along a curve: a step, a number of trajectories, a pass rate.
        low, high: the 95 % confidence interval; ``None`` where there is none to give.
        n: over how many tasks, seeds or groups.
        p_value: of a difference of 0, where that is tested.
    """

    arm: str
    measure: str
    estimate: float
    low: float | None
    high: float | None
    n: int
    against: str | None = None
    at: float | None = None
    p_value: float | None = None


def begin(world: World, name: str, kind: str, config: Mapping[str, Any]) -> int:
    """The experiment of that name, begun if there is none; its number.

    Raises:
        InputError: the name cannot be one, or there is one of that name with another config.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name[:60]!r} cannot be the name of an experiment",
            hint="at most 40 small letters, digits and '-', from a letter on",
        )
    values = {"name": name, "kind": kind, "config": Jsonb(dict(config))}
    with world.database.transaction() as connection:
        connection.execute(text(_BEGIN), values)
        row = connection.execute(
            text("SELECT id, kind, config FROM compoworld.experiment WHERE name = :name"), {"name": name}
        ).one()
    if row.kind != kind:
        raise InputError(f"there is an experiment {name!r}, a run of {row.kind}", hint="give this one a --name")
    for key in sorted({*row.config, *config}):
        if canonical_json(row.config.get(key)) != canonical_json(config.get(key)):
            raise InputError(
                f"there is an experiment {name!r}, and {key!r} is different there",
                hint="the same settings go on with it; give another one a --name",
            )
    return int(row.id)


@contextmanager
def running(world: World, number: int, name: str) -> Iterator[None]:
    """Be the one that runs this experiment; an error that ends it is written down.

    Raises:
        Refused: somebody else does.
    """
    with world.database.alone(LOCK_CLASS, number) as held:
        if not held:
            raise Refused(f"another process runs the experiment {name!r}", hint="wait until it has ended")
        _ended(world, number, None)
        try:
            yield
        except Exception as error:
            _ended(world, number, f"{type(error).__name__}: {error}"[:10_000])
            raise


def _ended(world: World, number: int, error: str | None) -> None:
    with world.database.transaction() as connection:
        connection.execute(
            text("UPDATE compoworld.experiment SET error = :error WHERE id = :experiment"),
            {"experiment": number, "error": error},
        )


class Clock:
    """One try at a step: written down when it begins, and how long it took, however it ends."""

    def __init__(self, world: World, experiment: int, place: int, step: str) -> None:
        self._world = world
        self._key = {"experiment": experiment, "place": place, "step": step}

    def __enter__(self) -> Clock:
        with self._world.database.transaction() as connection:
            connection.execute(text(_STEP), self._key)
        self._begun = time.perf_counter()
        return self

    def done(self, made: str) -> None:
        """The step is done."""
        self._write("made = :made, finished_at = clock_timestamp()", made=made)

    def __exit__(self, *_: object) -> None:
        self._write("seconds = seconds + :seconds", seconds=time.perf_counter() - self._begun)

    def _write(self, what: str, **values: Any) -> None:
        with self._world.database.transaction() as connection:
            connection.execute(
                text(
                    f"UPDATE compoworld.experiment_step SET {what} WHERE experiment_id = :experiment AND step = :step"
                ),
                {**self._key, **values},
            )


def keep_results(world: World, experiment: int, results: Sequence[Result]) -> None:
    """Write down what was found, in place of what was there; the experiment is finished."""
    with world.database.transaction() as connection:
        key = {"experiment": experiment}
        connection.execute(text("DELETE FROM compoworld.experiment_result WHERE experiment_id = :experiment"), key)
        if results:
            connection.execute(
                text(_RESULT),
                [{**key, "place": place, **asdict(result)} for place, result in enumerate(results, 1)],
            )
        connection.execute(
            text("UPDATE compoworld.experiment SET finished_at = clock_timestamp() WHERE id = :experiment"), key
        )


def experiments(world: World) -> list[Experiment]:
    """All experiments, newest first."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT experiment_id, experiment, kind, status, steps_done, results, seconds, config, error,"
                " started_at, finished_at FROM compoworld.experiments ORDER BY experiment_id DESC"
            )
        ).all()
    return [Experiment(*row) for row in rows]


def find(world: World, name: str) -> Experiment:
    """The experiment of that name.

    Raises:
        NotFound: there is none.
    """
    known = experiments(world)
    for found in known:
        if found.name == name:
            return found
    hint = did_you_mean(name, [found.name for found in known], f"compoworld experiment run {name} begins it")
    raise NotFound(f"there is no experiment {name!r} in this database", hint=hint)


def steps_of(world: World, experiment: int) -> list[StepRow]:
    """The steps that were begun, in their order."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT step, made, seconds, finished_at FROM compoworld.experiment_step"
                " WHERE experiment_id = :experiment ORDER BY place"
            ),
            {"experiment": experiment},
        ).all()
    return [StepRow(*row) for row in rows]


def results_of(world: World, experiment: int) -> list[Result]:
    """What was found, in the order in which it is shown."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT arm, measure, estimate, low, high, n, against, at, p_value FROM compoworld.experiment_results"
                " WHERE experiment_id = :experiment ORDER BY place"
            ),
            {"experiment": experiment},
        ).all()
    return [Result(*row) for row in rows]
