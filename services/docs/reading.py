"""Tools that read pages and their versions."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.docs.access import may_edit, page_line, visible_page, visible_pages, visible_space
from services.docs.state import Comment, Page, PagePermission, PageVersion
from services.docs.tree import ancestors


@tool
def list_pages(
    ctx: Context,
    space_id: str | None = None,
    parent_id: str | None = None,
    top_level: bool | None = None,
    status: str | None = None,
    label: str | None = None,
    owner_email: str | None = None,
    title: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Pages by title."""
    where: list[Any] = [visible_pages(ctx)]
    equal = (
        (Page.space_id, space_id),
        (Page.parent_id, parent_id),
        (Page.status, status),
        (Page.owner_email, owner_email),
        (Page.title, title),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if top_level is not None:
        where.append(col(Page.parent_id).is_(None) if top_level else col(Page.parent_id).is_not(None))
    if label is not None:
        where.append(col(Page.labels).contains([label]))
    page = ctx.page(Page, *where, order_by=[col(Page.title)], limit=limit, cursor=cursor)
    return {"items": [page_line(item) for item in page.items], "next_cursor": page.next_cursor}


@tool
def search_pages(
    ctx: Context,
    query: str,
    space_id: str | None = None,
    status: str | None = None,
    label: str | None = None,
    updated_after: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Pages in which every word occurs, last changed first."""
    where: list[Any] = [visible_pages(ctx)]
    words = query.split()
    if not words:
        ctx.fail("invalid", "query needs at least one visible character.")
    where += [contains(Page.title, word) | contains(Page.body, word) for word in words]
    if space_id is not None:
        where.append(col(Page.space_id) == space_id)
    if status is not None:
        where.append(col(Page.status) == status)
    if label is not None:
        where.append(col(Page.labels).contains([label]))
    if updated_after is not None:
        where.append(col(Page.updated_at) > updated_after)
    page = ctx.page(Page, *where, order_by=[col(Page.updated_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": [page_line(item) | {"excerpt": _excerpt(item.body, words)} for item in page.items],
        "next_cursor": page.next_cursor,
    }


def _excerpt(body: str, words: list[str]) -> str:
    lowered = body.lower()
    places = [place for place in (lowered.find(word.lower()) for word in words) if place >= 0]
    start = max(0, min(places, default=0) - 60)
    return " ".join(body[start : start + 240].split())


@tool
def get_page(ctx: Context, page_id: str, version: int | None = None) -> Any:
    """A page in full, perhaps as an earlier version had it."""
    page = visible_page(ctx, page_id)
    view = page_view(ctx, page)
    if version is None:
        return view
    old = ctx.get(PageVersion, page.id, version)
    if old is None:
        ctx.fail("not_found", f"Page {page.id} has no version {version}; its last one is {page.version}.")
    return view | {"title": old.title, "body": old.body, "version": old.number}


def page_view(ctx: Context, page: Page) -> dict[str, Any]:
    """A page with what stands around it."""
    space, _ = visible_space(ctx, page.space_id)
    children = ctx.list(Page, col(Page.parent_id) == page.id, visible_pages(ctx), order_by=[col(Page.title)])
    permissions = ctx.list(PagePermission, col(PagePermission.page_id) == page.id)
    above = ancestors(ctx, page)
    shown = {item.id for item in ctx.list(Page, col(Page.id).in_([item.id for item in above]), visible_pages(ctx))}
    return page.out() | {
        "current_version": page.version,
        "space_code": space.code,
        "path": [item.out("id", "title") for item in above if item.id in shown],
        "children": [item.out("id", "title", "status") for item in children],
        "permissions": [item.out("email", "name", "level") for item in permissions],
        "open_comments": ctx.count(Comment, col(Comment.page_id) == page.id, col(Comment.resolved).is_(False)),
        "may_edit": may_edit(ctx, page) and page.status != "archived",
    }


@tool
def list_page_versions(
    ctx: Context,
    page_id: str,
    author_email: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The history of a page, newest first, without texts."""
    page = visible_page(ctx, page_id)
    where: list[Any] = [col(PageVersion.page_id) == page.id]
    if author_email is not None:
        where.append(col(PageVersion.author_email) == author_email)
    found = ctx.page(PageVersion, *where, order_by=[col(PageVersion.number).desc()], limit=limit, cursor=cursor)
    return {
        "items": [
            item.out(without=("body",)) | {"current": item.number == page.version, "characters": len(item.body)}
            for item in found.items
        ],
        "next_cursor": found.next_cursor,
    }
