"""Tools that read items, versions and usage."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.files.access import Rights, item_lines, visible_item
from services.files.placing import used_bytes
from services.files.state import Comment, Item, Link, Person, Share, Version


@tool
def list_items(
    ctx: Context,
    query: str | None = None,
    parent_id: str | None = None,
    top_level: bool | None = None,
    kind: str | None = None,
    name: str | None = None,
    media_type: str | None = None,
    owner_email: str | None = None,
    starred: bool | None = None,
    shared_with_me: bool | None = None,
    trashed: bool = False,
    updated_after: Moment | None = None,
    sort: str = "name",
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Items that meet every filter."""
    rights = Rights(ctx)
    where: list[Any] = [rights.visible(), col(Item.trashed).is_(trashed)]
    for word in (query or "").split():
        where.append(contains(Item.name, word) | contains(Item.description, word) | contains(Item.content, word))
    equal = (
        (Item.parent_id, parent_id),
        (Item.kind, kind),
        (Item.name, name),
        (Item.media_type, media_type),
        (Item.owner_email, owner_email),
        (Item.starred, starred),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if top_level is not None:
        where.append(col(Item.parent_id).is_(None) if top_level else col(Item.parent_id).is_not(None))
    if shared_with_me is not None:
        given = col(Item.id).in_(sorted(rights.shares))
        where.append(given if shared_with_me else ~given)
    if updated_after is not None:
        where.append(col(Item.updated_at) > updated_after)
    order = {
        "name": col(Item.name),
        "recently_updated": col(Item.updated_at).desc(),
        "largest": col(Item.size_bytes).desc(),
    }[sort]
    page = ctx.page(Item, *where, order_by=[order], limit=limit, cursor=cursor)
    return {"items": item_lines(page.items, rights), "next_cursor": page.next_cursor}


@tool
def get_item(ctx: Context, item_id: str, version: int | None = None) -> Any:
    """An item in full, perhaps as an earlier version had it."""
    item, _ = visible_item(ctx, item_id)
    view = item_view(ctx, item)
    if version is None:
        return view
    old = ctx.get(Version, item.id, version)
    if old is None:
        ctx.fail("not_found", f"{item.name!r} ({item.id}) has no version {version}; list_versions shows them.")
    return view | {"content": old.content, "size_bytes": old.size_bytes, "version": old.number}


def item_view(ctx: Context, item: Item) -> dict[str, Any]:
    """An item with its content, place, shares, and counts of what belongs to it."""
    rights = Rights(ctx)
    shares = ctx.list(Share, col(Share.item_id) == item.id, order_by=[col(Share.name)])
    return item.out(without=("trash_root",)) | {
        "my_role": rights.of(item),
        "current_version": item.version,
        "path": _path(ctx, item, rights),
        "shares": [share.out("email", "name", "role") for share in shares],
        "item_count": ctx.count(Item, col(Item.parent_id) == item.id, col(Item.trashed).is_(item.trashed)),
        "comment_count": ctx.count(Comment, col(Comment.item_id) == item.id),
        "link_count": ctx.count(Link, col(Link.item_id) == item.id),
    }


def _path(ctx: Context, item: Item, rights: Rights) -> list[dict[str, Any]]:
    ids: list[str] = []
    place = item.parent_id
    while place is not None:
        if rights.of_folder(place):
            ids.insert(0, place)
        place = rights.parents[place]
    names = {one.id: one.name for one in ctx.list(Item, col(Item.id).in_(ids))}
    return [{"id": one, "name": names[one]} for one in ids]


@tool
def list_versions(ctx: Context, item_id: str, limit: int = 20, cursor: str | None = None) -> Any:
    """Versions of a file, newest first, without content."""
    item, _ = visible_item(ctx, item_id)
    if item.kind == "folder":
        ctx.fail("conflict", f"{item.name!r} ({item.id}) is a folder and has no versions.")
    where = col(Version.item_id) == item.id
    page = ctx.page(Version, where, order_by=[col(Version.number).desc()], limit=limit, cursor=cursor)
    return {
        "items": [one.out(without=("content",)) | {"current": one.number == item.version} for one in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def get_usage(ctx: Context) -> Any:
    """What the user's files take and what is left."""
    person = ctx.require(Person, ctx.user.email)
    mine = col(Item.owner_email) == person.email
    joined = select(func.coalesce(func.sum(col(Version.size_bytes)), 0)).join(
        Item, col(Item.id) == col(Version.item_id)
    )
    trash = int(ctx.rows(joined.where(mine, col(Item.trashed).is_(True)))[0][0])
    used = used_bytes(ctx, person.email)
    return {
        "email": person.email,
        "quota_bytes": person.quota_bytes,
        "used_bytes": used,
        "trash_bytes": trash,
        "free_bytes": max(person.quota_bytes - used, 0),
        "files": ctx.count(Item, mine, col(Item.kind) == "file", col(Item.trashed).is_(False)),
    }
