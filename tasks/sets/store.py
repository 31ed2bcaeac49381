"""Sets of tasks in the catalog: begun, finished, read, listed."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from engine.errors import NotFound, Refused
from engine.kit.values import canonical_json
from engine.world import World
from tasks.errors import TaskSetError
from tasks.sets.document import Member, Split, TaskSet
from tasks.sets.drafts import DraftRow, insert_draft, read_document

LOCK_CLASS = 7210
"""Advisory lock that the process which makes a set holds."""

BOOKED_EVERY = 2.0
"""Seconds between two bookings of the time that a set takes."""

_CHANGED = {
    "library": "the services have changed since it was begun",
    "program": "the program that tells and judges tasks has changed since it was begun",
}

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,79}")


@dataclass(frozen=True)
class SetSummary:
    """One line of a listing of sets."""

    id: int
    name: str
    seed: int
    wanted: int
    admitted: int
    rejected: int
    compositions: int
    families: int
    train: int
    validation: int
    test: int
    finished: bool
    checksum: str | None
    created_at: datetime


def check_name(name: str) -> str:
    """The name of a set.

    Raises:
        TaskSetError: it cannot be one.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        shown = str(name)[:80]
        raise TaskSetError(f"a set is called by small letters, digits, - and _, from a letter on, not {shown!r}")
    return name


def begin(world: World, name: str, seed: int, settings: Mapping[str, Any], wanted: int) -> int:
    """The set of that name, begun if there is none; its number.

    Raises:
        TaskSetError: there is one of another seed or other settings, or with more tasks.
    """
    check_name(name)
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "INSERT INTO compoworld.task_set (name, seed, settings, wanted) VALUES (:name, :seed, :settings,"
                " :wanted) ON CONFLICT (name) DO NOTHING"
            ),
            {"name": name, "seed": seed, "settings": Jsonb(dict(settings)), "wanted": wanted},
        )
        row = connection.execute(
            text(
                "SELECT id, seed, settings, (SELECT count(*) FROM compoworld.task_member m WHERE m.set_id = s.id)"
                " AS tasks FROM compoworld.task_set s WHERE name = :name"
            ),
            {"name": name},
        ).one()
    given = {"seed": seed, **settings}
    kept = {"seed": row.seed, **row.settings}
    for key in sorted({*given, *kept}):
        if canonical_json(given.get(key)) != canonical_json(kept.get(key)):
            what = _CHANGED.get(key, f"{key} is {_shown(kept.get(key))} there, not {_shown(given.get(key))}")
            raise TaskSetError(
                f"there is a set {name!r}, and {what}",
                hint=f"give another name, or delete that set: compoworld gc --set {name} --yes",
            )
    if row.tasks > wanted:
        raise TaskSetError(f"the set {name!r} has {row.tasks} tasks already", hint="ask for as many, or for more")
    return int(row.id)


def _shown(value: Any) -> str:
    words = canonical_json(value)
    return words if len(words) <= 100 else f"{words[:99]}…"


@contextmanager
def making(world: World, number: int, name: str) -> Iterator[None]:
    """Be the one process that makes this set.

    Raises:
        Refused: another one does.
    """
    with world.database.alone(LOCK_CLASS, number) as held:
        if not held:
            raise Refused(f"another process makes the set {name!r}", hint="wait until it has ended")
        yield


class Clock:
    """The time that a set takes to make; booked as it passes, so that it is known of a run that was killed, too.

    Attributes:
        booked: how many seconds of this run were booked.
    """

    def __init__(self, world: World, number: int) -> None:
        self._world, self._number = world, number
        self._begun = time.perf_counter()
        self.booked = 0.0

    @property
    def seconds(self) -> float:
        """Since this run began."""
        return time.perf_counter() - self._begun

    def tick(self) -> None:
        """Book, if a while has passed."""
        if self.seconds - self.booked >= BOOKED_EVERY:
            self.book()

    def book(self) -> float:
        """Add what has passed since the last time; how many seconds it were in all runs."""
        now = self.seconds
        update = "UPDATE compoworld.task_set SET seconds = seconds + :more WHERE id = :set RETURNING seconds"
        with self._world.database.transaction() as connection:
            in_all = connection.execute(text(update), {"set": self._number, "more": now - self.booked}).scalar_one()
        self.booked = now
        return float(in_all)


def finish(world: World, number: int, wanted: int, checksum: str | None) -> None:
    """Write down how a run of making ended; with a checksum, the set is finished."""
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "UPDATE compoworld.task_set SET wanted = :wanted, checksum = :checksum, finished_at = CASE"
                " WHEN CAST(:checksum AS text) IS NULL THEN NULL ELSE coalesce(finished_at, clock_timestamp()) END"
                " WHERE id = :set"
            ),
            {"set": number, "wanted": wanted, "checksum": checksum},
        )


def load_set(world: World, name: str) -> TaskSet:
    """A set with its tasks.

    Raises:
        NotFound: there is none of that name.
    """
    with world.database.transaction() as connection:
        row = connection.execute(
            text("SELECT * FROM compoworld.task_set WHERE name = :name"), {"name": str(name).replace("\x00", "")}
        ).first()
        if row is None:
            raise NotFound(f"there is no set of tasks {name!r} in this database", hint="compoworld tasks sets")
        members = connection.execute(
            text(
                "SELECT m.ordinal, m.split, m.task_id, d.document, d.evidence FROM compoworld.task_member m"
                " JOIN compoworld.task_draft d USING (set_id, ordinal) WHERE m.set_id = :set ORDER BY m.ordinal"
            ),
            {"set": row.id},
        ).all()
        rejected: dict[str, dict[str, int]] = {}
        count = 0
        for stage, reason, times in connection.execute(
            text(
                "SELECT d.stage, d.reason, count(*) FROM compoworld.task_draft d"
                " LEFT JOIN compoworld.task_stages() g ON g.stage = d.stage"
                " WHERE d.set_id = :set AND d.status <> 'sound' GROUP BY g.place, d.stage, d.reason"
                ' ORDER BY g.place, d.reason COLLATE "C"'
            ),
            {"set": row.id},
        ):
            count += times
            if stage is not None:
                rejected.setdefault(stage, {})[reason] = times
    return TaskSet(
        row.name,
        row.seed,
        row.settings,
        row.wanted,
        tuple(
            Member(item.ordinal, read_document(item.document), item.split, item.task_id, tuple(item.evidence))
            for item in members
        ),
        count,
        rejected,
        row.finished_at is not None,
        row.seconds,
        row.id,
    )


def stored_sets(world: World) -> list[SetSummary]:
    """The sets in the catalog, oldest first."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                'SELECT set_id, "set", seed, wanted, admitted, rejected, compositions, families, train, validation,'
                " test, finished, checksum, created_at FROM compoworld.task_sets ORDER BY set_id"
            )
        ).all()
    return [SetSummary(*row) for row in rows]


def keep_splits(world: World, number: int, splits: Mapping[int, Split]) -> None:
    """Write down the split of each task of a set, by ordinal."""
    with world.database.transaction() as connection:
        connection.execute(
            text("UPDATE compoworld.task_member SET split = :split WHERE set_id = :set AND ordinal = :ordinal"),
            [{"set": number, "ordinal": ordinal, "split": split} for ordinal, split in splits.items()],
        )


def insert_set(world: World, found: TaskSet) -> tuple[int, bool]:
    """Put a whole set into the catalog, all of it or nothing.

    Its tasks are stored as tasks when they are first used.

    Returns:
        Its number, and whether it is new there: the same set is put there once.

    Raises:
        TaskSetError: there is another set of that name.
    """
    check_name(found.name)
    with world.database.transaction() as connection:
        number = connection.execute(
            text(
                "INSERT INTO compoworld.task_set (name, seed, settings, wanted, checksum, finished_at) VALUES (:name,"
                " :seed, :settings, :wanted, :checksum, clock_timestamp()) ON CONFLICT (name) DO NOTHING RETURNING id"
            ),
            {
                "name": found.name,
                "seed": found.seed,
                "settings": Jsonb(dict(found.settings)),
                "wanted": found.wanted,
                "checksum": found.checksum,
            },
        ).scalar()
        if number is None:
            row = connection.execute(
                text("SELECT id, checksum FROM compoworld.task_set WHERE name = :name"), {"name": found.name}
            ).one()
            if row.checksum != found.checksum:
                raise TaskSetError(f"there is another set {found.name!r} already", hint="import it under another name")
            return int(row.id), False
        for member in found.members:
            _insert_member(connection, number, member)
    return int(number), True


def _insert_member(connection: Connection, number: int, member: Member) -> None:
    task, origin = member.task, member.task.origin
    row = DraftRow(
        member.ordinal,
        origin.family if origin else task.name,
        origin.area if origin else "by hand",
        tuple(task.services),
        tuple(task.distractors),
        tuple(task.walk),
        "admitted",
    )
    insert_draft(connection, number, row, task.document(), member.evidence)
    connection.execute(
        text("INSERT INTO compoworld.task_member (set_id, ordinal, split) VALUES (:set, :ordinal, :split)"),
        {"set": number, "ordinal": member.ordinal, "split": member.split},
    )
