"""Roles on items: one's own, those given on the item, and those that folders hand down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import col

from engine.kit import Context
from services.files.state import ROLES, Item, Share

_RANK = {role: number for number, role in enumerate(ROLES)}


class Rights:
    """The user's roles, worked out from all folders at once."""

    def __init__(self, ctx: Context) -> None:
        self.me = ctx.user.email
        self.shares = {item.item_id: item.role for item in ctx.list(Share, col(Share.email) == self.me)}
        folders = ctx.rows(
            select(col(Item.id), col(Item.parent_id), col(Item.owner_email))
            .where(col(Item.kind) == "folder")
            .order_by(col(Item.id))
        )
        self.parents: dict[str, str | None] = {item.id: item.parent_id for item in folders}
        self._owners = {item.id: item.owner_email for item in folders}
        self._known: dict[str, str | None] = {}

    def of_folder(self, folder_id: str) -> str | None:
        """The role on a folder, or ``None``."""
        if folder_id not in self._known:
            above = self.parents[folder_id]
            self._known[folder_id] = self._higher(
                "owner" if self._owners[folder_id] == self.me else self.shares.get(folder_id),
                self.of_folder(above) if above else None,
            )
        return self._known[folder_id]

    def of(self, item: Item) -> str | None:
        """The role on an item, or ``None``."""
        return self._higher(
            "owner" if item.owner_email == self.me else self.shares.get(item.id),
            self.of_folder(item.parent_id) if item.parent_id else None,
        )

    @staticmethod
    def _higher(one: str | None, other: str | None) -> str | None:
        given = [role for role in (one, other) if role]
        return max(given, key=_RANK.__getitem__) if given else None

    def visible(self) -> ColumnElement[bool]:
        """The condition for items that the user can see."""
        folders = [item for item in self.parents if self.of_folder(item)]
        return or_(
            col(Item.owner_email) == self.me,
            col(Item.id).in_(sorted(self.shares)),
            col(Item.parent_id).in_(folders),
        )


def visible_item(ctx: Context, item_id: str, rights: Rights | None = None) -> tuple[Item, str]:
    """An item that the user can see, and their role on it."""
    item = ctx.get(Item, item_id)
    role = (rights or Rights(ctx)).of(item) if item else None
    if item is None or role is None:
        ctx.fail("not_found", f"There is no item {item_id!r} that you can see; list_items finds items.")
    return item, role


def item_for(ctx: Context, item_id: str, least: str, rights: Rights | None = None, *, trashed: bool = False) -> Item:
    """An item on which the user has at least that role, in the trash only where that is said."""
    item, role = visible_item(ctx, item_id, rights)
    if _RANK[role] < _RANK[least]:
        ctx.fail(
            "forbidden", f"You are {role} of {item.name!r} ({item.id}); this needs {least}. Ask {item.owner_name}."
        )
    if item.trashed and not trashed:
        ctx.fail("conflict", f"{item.name!r} ({item.id}) is in the trash; restore_item brings it back.")
    return item


def folder_for(ctx: Context, folder_id: str | None, rights: Rights) -> Item | None:
    """A folder into which the user may put things; ``None`` is the top of their own storage."""
    if folder_id is None:
        return None
    folder = item_for(ctx, folder_id, "editor", rights)
    if folder.kind != "folder":
        ctx.fail("conflict", f"{folder.name!r} ({folder.id}) is a file; choose a folder.")
    return folder


def item_lines(items: Sequence[Item], rights: Rights) -> list[dict[str, Any]]:
    """Items in a list: without content, with the user's role."""
    return [item.out(without=("content", "trash_root")) | {"my_role": rights.of(item)} for item in items]
