"""Tools for shares, links and comments."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.files.access import Rights, item_for, visible_item
from services.files.placing import free_name, require_room
from services.files.reading import item_view
from services.files.state import Comment, Item, Link, Person, Share, Version

MAX_SHARES = 50
MAX_LINKS = 10
MAX_COMMENTS = 500
LINK_DAYS = 365
"""How far ahead a link may expire."""


@tool
def share_item(ctx: Context, item_id: str, email: str, role: str) -> Any:
    """Give somebody a role on an item, or take it away."""
    item = item_for(ctx, item_id, "owner" if role == "owner" else "editor")
    person = ctx.require(Person, email)
    if item.owner_email == email:
        ctx.fail("conflict", f"{person.name} owns {item.id} and needs no share.")
    if person.guest and role in ("editor", "owner"):
        ctx.fail("forbidden", f"{person.name} works for {person.company}; guests can be viewer or commenter only.")
    share = ctx.get(Share, item.id, email)
    if role == "none":
        if share is None:
            ctx.fail("conflict", f"{item.id} is not shared with {person.name} by itself; look at the folders above.")
        ctx.delete(share)
    elif role == "owner":
        _hand_over(ctx, item, person, share)
    elif share is not None:
        share.role = role
    else:
        if ctx.count(Share, col(Share.item_id) == item.id) >= MAX_SHARES:
            ctx.fail(
                "limit", f"{item.id} is shared with {MAX_SHARES} people, the most allowed; share a folder instead."
            )
        _give(ctx, item, person.email, person.name, role)
    ctx.flush()
    return item_view(ctx, item)


def _give(ctx: Context, item: Item, email: str, name: str, role: str) -> None:
    ctx.add(Share(item_id=item.id, email=email, name=name, role=role, created_at=ctx.now()))


def _hand_over(ctx: Context, item: Item, person: Person, share: Share | None) -> None:
    """The old owner stays on as editor."""
    sizes = ctx.rows(select(col(Version.size_bytes)).where(col(Version.item_id) == item.id))
    require_room(ctx, person.email, sum(row.size_bytes for row in sizes))
    free_name(ctx, item.parent_id, person.email, item.name, but=item.id)
    if share is not None:
        ctx.delete(share)
    earlier = ctx.get(Share, item.id, item.owner_email)
    if earlier is None:
        _give(ctx, item, item.owner_email, item.owner_name, "editor")
    item.owner_name = person.name
    item.owner_email = person.email


def _link_view(link: Link, now: datetime) -> dict[str, Any]:
    return link.out() | {"active": link.expires_at is None or link.expires_at > now}


@tool
def create_link(ctx: Context, item_id: str, role: str = "viewer", expires_at: Moment | None = None) -> Any:
    """An address that opens an item for anybody who has it."""
    item = item_for(ctx, item_id, "editor")
    now = ctx.now()
    if expires_at is not None and not now < expires_at <= now + timedelta(days=LINK_DAYS):
        ctx.fail("invalid", f"expires_at must lie in the future, at most {LINK_DAYS} days ahead.")
    if role == "editor" and expires_at is None:
        ctx.fail("invalid", "A link for editors must expire: give expires_at.")
    if ctx.count(Link, col(Link.item_id) == item.id) >= MAX_LINKS:
        ctx.fail("limit", f"{item.id} has {MAX_LINKS} links, the most allowed; delete_link removes one.")
    link = ctx.add(
        Link(
            id=ctx.new_id("lnk"),
            item_id=item.id,
            url=f"https://files.larkspur.example/s/{ctx.new_id('')}",
            role=role,
            expires_at=expires_at,
            created_by_email=ctx.user.email,
            created_at=now,
        )
    )
    return _link_view(link, now)


@tool
def list_links(
    ctx: Context,
    item_id: str | None = None,
    role: str | None = None,
    active: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Links to items that the user can see, oldest first."""
    if item_id is not None:
        visible_item(ctx, item_id)
    where: list[Any] = [col(Link.item_id).in_(select(col(Item.id)).where(Rights(ctx).visible()))]
    if item_id is not None:
        where.append(col(Link.item_id) == item_id)
    if role is not None:
        where.append(col(Link.role) == role)
    if active is not None:
        alive = col(Link.expires_at).is_(None) | (col(Link.expires_at) > ctx.now())
        where.append(alive if active else ~alive)
    page = ctx.page(Link, *where, order_by=[col(Link.created_at)], limit=limit, cursor=cursor)
    return {"items": [_link_view(link, ctx.now()) for link in page.items], "next_cursor": page.next_cursor}


@tool
def delete_link(ctx: Context, link_id: str) -> Any:
    """Make a link useless."""
    link = ctx.get(Link, link_id)
    if link is None or Rights(ctx).of(ctx.require(Item, link.item_id)) is None:
        ctx.fail("not_found", f"There is no link {link_id!r} that you can see; list_links shows them.")
    item_for(ctx, link.item_id, "editor", trashed=True)
    ctx.delete(link)
    return {"link_id": link_id, "deleted": True}


@tool
def create_comment(ctx: Context, item_id: str, body: str) -> Any:
    """Comment on a file."""
    item = item_for(ctx, item_id, "commenter")
    if item.kind == "folder":
        ctx.fail("conflict", f"{item.name!r} ({item.id}) is a folder; comments belong to files.")
    if ctx.count(Comment, col(Comment.item_id) == item.id) >= MAX_COMMENTS:
        ctx.fail("limit", f"{item.id} has {MAX_COMMENTS} comments, the most allowed.")
    return ctx.add(
        Comment(
            id=ctx.new_id("cmt"),
            item_id=item.id,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            body=body,
            created_at=ctx.now(),
        )
    )


@tool
def list_comments(
    ctx: Context, item_id: str, author_email: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Comments on a file, oldest first."""
    item, _ = visible_item(ctx, item_id)
    where: list[Any] = [col(Comment.item_id) == item.id]
    if author_email is not None:
        where.append(col(Comment.author_email) == author_email)
    return ctx.page(Comment, *where, order_by=[col(Comment.created_at)], limit=limit, cursor=cursor).out()
