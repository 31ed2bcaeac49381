"""Tools for the trash."""

from __future__ import annotations

from typing import Any

from engine.kit import Context, tool
from services.files.access import Rights, folder_for, item_for
from services.files.placing import free_name, require_seat, tree
from services.files.reading import item_view
from services.files.state import Item
from services.files.writing import folder_levels


@tool
def trash_item(ctx: Context, item_id: str) -> Any:
    """Put an item, and all in it, into the trash."""
    item = item_for(ctx, item_id, "editor")
    for level in tree(ctx, item):
        for one in level:
            if not one.trashed:
                one.trashed = True
                one.trashed_at = ctx.now()
                one.trash_root = item.id
    ctx.flush()
    return item_view(ctx, item)


@tool
def restore_item(ctx: Context, item_id: str, parent_id: str | None = None, if_exists: str = "refuse") -> Any:
    """Take an item out of the trash, back to its place or into another folder."""
    rights = Rights(ctx)
    item = item_for(ctx, item_id, "editor", rights, trashed=True)
    _require_root(ctx, item)
    place = parent_id or item.parent_id
    target = _place(ctx, item, place, rights)
    require_seat(ctx, target, item.owner_email, rights, 1 if item.kind == "file" else folder_levels(ctx, item))
    item.name = free_name(ctx, place, item.owner_email, item.name, if_exists, but=item.id)
    for level in tree(ctx, item):
        for one in level:
            if one.trash_root == item.id:
                one.trashed = False
                one.trashed_at = None
                one.trash_root = None
    item.parent_id = place
    item.updated_at = ctx.now()
    ctx.flush()
    return item_view(ctx, item)


def _place(ctx: Context, item: Item, place: str | None, rights: Rights) -> Item | None:
    below = {one.id for level in tree(ctx, item) for one in level}
    if place in below:
        ctx.fail("conflict", f"{item.name!r} cannot be restored into itself or a folder below it.")
    if place != item.parent_id or place is None:
        return folder_for(ctx, place, rights)
    old = ctx.require(Item, place)
    if old.trashed:
        ctx.fail(
            "conflict", f"The folder of {item.id}, {old.name!r}, is in the trash too; restore it or give parent_id."
        )
    return old


def _require_root(ctx: Context, item: Item) -> None:
    if not item.trashed:
        ctx.fail("conflict", f"{item.name!r} ({item.id}) is not in the trash.")
    if item.trash_root != item.id:
        ctx.fail("conflict", f"{item.name!r} ({item.id}) was trashed with {item.trash_root}; name that item instead.")


@tool
def delete_item(ctx: Context, item_id: str) -> Any:
    """Remove an item of the trash for good."""
    item = item_for(ctx, item_id, "owner", trashed=True)
    if not item.trashed:
        ctx.fail("conflict", f"{item.name!r} ({item.id}) is not in the trash; trash_item comes first.")
    _require_root(ctx, item)
    levels = tree(ctx, item)
    freed = sum(map(len, levels))
    ctx.delete(item)
    return {"item_id": item_id, "deleted": True, "deleted_items": freed}
