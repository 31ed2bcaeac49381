"""Deletion of evaluations."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from engine.world import World

_GROUPS = """
SELECT group_id FROM compoworld.evaluation_group m JOIN compoworld.evaluation e ON e.id = m.evaluation_id
GROUP BY group_id HAVING bool_and(e.name = ANY (:names)) ORDER BY 1
"""


def groups_of(connection: Connection, names: Sequence[str]) -> list[int]:
    """The groups of evaluations that no other evaluation has."""
    return list(connection.execute(text(_GROUPS), {"names": list(names)}).scalars())


def delete_evaluation(world: World, name: str) -> None:
    """Delete the record of an evaluation, if it is there; its groups stay, and are no more than groups."""
    with world.database.transaction() as connection:
        connection.execute(text("DELETE FROM compoworld.evaluation WHERE name = :name"), {"name": name})
