"""Tools that make items, change them and put them elsewhere."""

from __future__ import annotations

from typing import Any

from engine.kit import Context, tool
from services.files.access import Rights, folder_for, item_for
from services.files.placing import above, free_name, require_room, require_seat, tree
from services.files.reading import item_view
from services.files.state import Item, Version

MAX_VERSIONS = 100
"""Versions of one file."""

MAX_COPIED = 200
"""Items that one copy makes at most."""


def _bytes(content: str) -> int:
    return len(content.encode())


def _add_version(ctx: Context, item: Item, note: str) -> None:
    ctx.add(
        Version(
            item_id=item.id,
            number=item.version,
            content=item.content,
            size_bytes=item.size_bytes,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            note=note,
            created_at=ctx.now(),
        )
    )


@tool
def create_item(
    ctx: Context,
    kind: str,
    name: str,
    parent_id: str | None = None,
    content: str = "",
    media_type: str | None = None,
    description: str = "",
    if_exists: str = "refuse",
) -> Any:
    """A new file or folder of the user's."""
    rights = Rights(ctx)
    parent = folder_for(ctx, parent_id, rights)
    if kind == "folder" and (content or media_type):
        ctx.fail("invalid", "A folder has neither content nor media_type; leave them out.")
    require_seat(ctx, parent, ctx.user.email, rights, 1 if kind == "file" else 2)
    name = free_name(ctx, parent_id, ctx.user.email, name, if_exists)
    size = _bytes(content)
    require_room(ctx, ctx.user.email, size)
    item = ctx.add(
        Item(
            id=ctx.new_id("itm"),
            kind=kind,
            parent_id=parent_id,
            name=name,
            description=description,
            media_type=(media_type or "text/plain") if kind == "file" else None,
            content=content,
            size_bytes=size,
            version=1 if kind == "file" else 0,
            owner_name=ctx.user.name,
            owner_email=ctx.user.email,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )
    if kind == "file":
        _add_version(ctx, item, "Created")
    return item_view(ctx, item)


@tool
def update_item(
    ctx: Context,
    item_id: str,
    name: str | None = None,
    description: str | None = None,
    starred: bool | None = None,
) -> Any:
    """Rename, describe or star an item."""
    if name is None and description is None and starred is None:
        ctx.fail("invalid", "Give at least one of name, description and starred.")
    only_star = name is None and description is None
    item = item_for(ctx, item_id, "viewer" if only_star else "editor")
    if name is not None:
        item.name = free_name(ctx, item.parent_id, item.owner_email, name, but=item.id)
    if description is not None:
        item.description = description
    if starred is not None:
        item.starred = starred
    if not only_star:
        item.updated_at = ctx.now()
    ctx.flush()
    return item_view(ctx, item)


@tool
def create_version(
    ctx: Context, item_id: str, content: str | None = None, from_version: int | None = None, note: str = ""
) -> Any:
    """New content for a file, or that of an earlier version again."""
    item = item_for(ctx, item_id, "editor")
    if item.kind == "folder":
        ctx.fail("conflict", f"{item.name!r} ({item.id}) is a folder and has no versions.")
    if (content is None) == (from_version is None):
        ctx.fail("invalid", "Give either content or from_version.")
    if item.version >= MAX_VERSIONS:
        ctx.fail("limit", f"{item.name!r} has {MAX_VERSIONS} versions, the most allowed; make a copy instead.")
    if from_version is not None:
        old = ctx.get(Version, item.id, from_version)
        if old is None:
            ctx.fail("not_found", f"{item.name!r} ({item.id}) has no version {from_version}; list_versions shows them.")
        if from_version == item.version:
            ctx.fail("conflict", f"Version {from_version} is what {item.id} holds already.")
        text, size = old.content, old.size_bytes
        note = note or f"Restored version {from_version}"
    else:
        text, size = content or "", _bytes(content or "")
    require_room(ctx, item.owner_email, size)
    item.content = text
    item.size_bytes = size
    item.version += 1
    item.updated_at = ctx.now()
    _add_version(ctx, item, note)
    return item_view(ctx, item)


@tool
def move_item(ctx: Context, item_id: str, parent_id: str | None, if_exists: str = "refuse") -> Any:
    """Put an item into another folder."""
    rights = Rights(ctx)
    item = item_for(ctx, item_id, "editor", rights)
    target = folder_for(ctx, parent_id, rights)
    if target is None and item.owner_email != ctx.user.email:
        ctx.fail("forbidden", f"Only {item.owner_name} can move {item.id} to the top of their own storage.")
    if parent_id == item.parent_id:
        ctx.fail("conflict", f"{item.name!r} ({item.id}) stands there already.")
    if item.id in above(target, rights):
        ctx.fail("conflict", f"{item.name!r} cannot be moved into itself or a folder below it.")
    levels = 1 if item.kind == "file" else folder_levels(ctx, item)
    require_seat(ctx, target, item.owner_email, rights, levels)
    item.name = free_name(ctx, parent_id, item.owner_email, item.name, if_exists, but=item.id)
    item.parent_id = parent_id
    item.updated_at = ctx.now()
    ctx.flush()
    return item_view(ctx, item)


def folder_levels(ctx: Context, item: Item) -> int:
    """Levels that a folder takes: one more than its folders, as there is room for files in the last."""
    return 1 + sum(1 for level in tree(ctx, item) if any(one.kind == "folder" for one in level))


@tool
def copy_item(
    ctx: Context,
    item_id: str,
    parent_id: str | None = None,
    name: str | None = None,
    if_exists: str = "refuse",
) -> Any:
    """A copy of a file, or of a folder with all in it, that the user owns."""
    rights = Rights(ctx)
    item = item_for(ctx, item_id, "viewer", rights)
    target = folder_for(ctx, parent_id, rights)
    if item.id in above(target, rights):
        ctx.fail("conflict", f"{item.name!r} cannot be copied into itself or a folder below it.")
    levels = [[one for one in level if not one.trashed] for level in tree(ctx, item)]
    count = sum(map(len, levels))
    if count > MAX_COPIED:
        ctx.fail("limit", f"{item.name!r} holds {count} items; one copy makes at most {MAX_COPIED}.")
    require_seat(ctx, target, ctx.user.email, rights, 1 if item.kind == "file" else folder_levels(ctx, item))
    require_room(ctx, ctx.user.email, sum(one.size_bytes for level in levels for one in level))
    first = _duplicate(ctx, item, parent_id, free_name(ctx, parent_id, ctx.user.email, name or item.name, if_exists))
    made = {item.id: first.id}
    for level in levels[1:]:
        for one in level:
            made[one.id] = _duplicate(ctx, one, made[one.parent_id or ""], one.name).id
    return item_view(ctx, first) | {"copied_items": count}


def _duplicate(ctx: Context, item: Item, parent_id: str | None, name: str) -> Item:
    copy = ctx.add(
        Item(
            id=ctx.new_id("itm"),
            kind=item.kind,
            parent_id=parent_id,
            name=name,
            description=item.description,
            media_type=item.media_type,
            content=item.content,
            size_bytes=item.size_bytes,
            version=1 if item.kind == "file" else 0,
            owner_name=ctx.user.name,
            owner_email=ctx.user.email,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )
    if copy.kind == "file":
        _add_version(ctx, copy, f"Copied from {item.id}")
    return copy
