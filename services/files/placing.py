"""Names, room and trees: what every tool that puts items somewhere has to respect."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.files.access import Rights
from services.files.state import Item, Person, Version

MAX_DEPTH = 10
"""Levels of folders."""

MAX_IN_FOLDER = 500
"""Items directly in one folder."""

NAME_LENGTH = 120


def beside(parent_id: str | None, owner_email: str) -> list[Any]:
    """Conditions for the items that stand in one place and are not in the trash."""
    place = [col(Item.trashed).is_(False)]
    if parent_id is not None:
        return [*place, col(Item.parent_id) == parent_id]
    return [*place, col(Item.parent_id).is_(None), col(Item.owner_email) == owner_email]


def free_name(
    ctx: Context, parent_id: str | None, owner_email: str, name: str, if_exists: str = "refuse", but: str = ""
) -> str:
    """The name under which an item can stand there."""
    if name.strip() in (".", ".."):
        ctx.fail("invalid", f"{name!r} is no name; choose another one.")
    others = select(col(Item.name)).where(*beside(parent_id, owner_email), col(Item.id) != but)
    taken = {row.name for row in ctx.rows(others.order_by(col(Item.name)))}
    if name not in taken:
        return name
    if if_exists == "refuse":
        ctx.fail("conflict", f"There is an item named {name!r} in that place already; choose another name.")
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 10:
        stem, dot, ending = name, "", ""
    for number in range(2, len(taken) + 3):
        tail = f" ({number}){dot}{ending}"
        found = stem[: NAME_LENGTH - len(tail)] + tail
        if found not in taken:
            return found
    raise AssertionError("one of so many names is free")


def require_seat(ctx: Context, parent: Item | None, owner_email: str, rights: Rights, levels: int) -> None:
    """Refuse a place that is full or lies too deep for a tree of so many levels."""
    place = parent.id if parent else None
    if ctx.count(Item, *beside(place, owner_email)) >= MAX_IN_FOLDER:
        ctx.fail("limit", f"That folder has {MAX_IN_FOLDER} items, the most allowed; choose another one.")
    if len(above(parent, rights)) + levels > MAX_DEPTH:
        ctx.fail("limit", f"Folders nest at most {MAX_DEPTH} levels deep; choose one further up.")


def above(parent: Item | None, rights: Rights) -> list[str]:
    """Ids from a folder up to the top."""
    found: list[str] = []
    place = parent.id if parent else None
    while place is not None:
        found.append(place)
        place = rights.parents[place]
    return found


def tree(ctx: Context, item: Item) -> list[list[Item]]:
    """An item and all below it, level by level, trash included."""
    levels = [[item]]
    while ids := [one.id for one in levels[-1] if one.kind == "folder"]:
        below = ctx.list(Item, col(Item.parent_id).in_(ids))
        if not below:
            break
        levels.append(below)
    return levels


def used_bytes(ctx: Context, email: str) -> int:
    """What all versions of a person's files take, trash included."""
    statement = (
        select(func.coalesce(func.sum(col(Version.size_bytes)), 0))
        .join(Item, col(Item.id) == col(Version.item_id))
        .where(col(Item.owner_email) == email)
    )
    return int(ctx.rows(statement)[0][0])


def require_room(ctx: Context, email: str, more: int) -> None:
    """Refuse what a person's quota does not hold."""
    person = ctx.require(Person, email)
    free = person.quota_bytes - used_bytes(ctx, email)
    if more > free:
        ctx.fail("limit", f"{person.name} has {max(free, 0)} bytes left and this takes {more}; empty the trash first.")
