"""Which tasks a run trains on: those of a set, in one of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from psycopg.types.json import Jsonb

from engine.database import Database
from engine.errors import InputError
from engine.world import World
from tasks.sets.document import Member
from tasks.sets.finding import find_set

Part = Literal["train", "validation", "test", "all"]


def members_of(world: World, sets: Sequence[str], part: Part, setting: str) -> list[Member]:
    """The tasks of these sets that are in a part, in the order of the sets and of the tasks in them.

    Args:
        setting: where the part is set, such as ``select.split``.

    Raises:
        InputError: a set does not exist, or has no task in that part.
    """
    found: list[Member] = []
    for name in sets:
        members = find_set(world, name).members
        chosen = [item for item in members if part in ("all", item.split)]
        if not chosen:
            raise InputError(
                f"no task of the set {name!r} is in the part {part!r}",
                hint=f"compoworld tasks split {name} divides it, --set {setting}=all takes all of it",
            )
        found += chosen
    return found


def numbers_of(database: Database, members: Sequence[Member]) -> list[int]:
    """The numbers under which these tasks are stored, in ascending order; those that never were have none.

    A name is not enough: other sets may have another task of the same name.
    """
    with database.raw() as connection:
        rows = connection.execute(
            "SELECT DISTINCT t.id FROM compoworld.task t"
            " JOIN unnest(%s::text[], %s::jsonb[]) AS member (name, document) USING (name, document) ORDER BY t.id",
            ([member.task.name for member in members], [Jsonb(member.task.document()) for member in members]),
        ).fetchall()
    return [number for (number,) in rows]
