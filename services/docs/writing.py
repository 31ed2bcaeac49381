"""Tools that write pages."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.docs.access import (
    editable_page,
    may_edit,
    owned_page,
    require_editor,
    visible_page,
    visible_space,
)
from services.docs.reading import page_view
from services.docs.state import Member, Page, PagePermission, PageVersion, Person
from services.docs.tree import (
    MAX_PAGES,
    descendants,
    require_free_titles,
    require_place,
)

MAX_VERSIONS = 500
"""Versions of one page."""


@tool
def create_page(
    ctx: Context,
    space_id: str,
    title: str,
    body: str = "",
    parent_id: str | None = None,
    labels: list[str] | None = None,
) -> Any:
    """A new draft of the user's."""
    space, role = visible_space(ctx, space_id)
    require_editor(ctx, space, role)
    require_place(ctx, space.id, parent_id)
    require_free_titles(ctx, space.id, [title])
    if ctx.count(Page, col(Page.space_id) == space.id) >= MAX_PAGES:
        ctx.fail("limit", f"The space {space.code} has {MAX_PAGES} pages, the most allowed.")
    now = ctx.now()
    page = ctx.add(
        Page(
            id=ctx.new_id("doc"),
            space_id=space.id,
            parent_id=parent_id,
            title=title,
            body=body,
            labels=labels or [],
            owner_name=ctx.user.name,
            owner_email=ctx.user.email,
            created_at=now,
            updated_at=now,
        )
    )
    _keep_version(ctx, page, "Created")
    return page_view(ctx, page)


def _keep_version(ctx: Context, page: Page, note: str) -> None:
    ctx.add(
        PageVersion(
            page_id=page.id,
            number=page.version,
            title=page.title,
            body=page.body,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            note=note,
            created_at=ctx.now(),
        )
    )


def _rewrite(ctx: Context, page: Page, title: str, body: str, note: str) -> None:
    if page.version >= MAX_VERSIONS:
        ctx.fail("limit", f"Page {page.id} has {MAX_VERSIONS} versions, the most allowed; continue in a new page.")
    if title != page.title:
        require_free_titles(ctx, page.space_id, [title], but=[page.id])
    page.title = title
    page.body = body
    page.version += 1
    _keep_version(ctx, page, note)


@tool
def update_page(
    ctx: Context,
    page_id: str,
    title: str | None = None,
    body: str | None = None,
    labels: list[str] | None = None,
    note: str = "",
    base_version: int | None = None,
) -> Any:
    """Change title, text or labels; new title or text make a version."""
    page = editable_page(ctx, page_id)
    if title is None and body is None and labels is None:
        ctx.fail("invalid", "Give at least one of title, body and labels.")
    if base_version is not None and base_version != page.version:
        ctx.fail(
            "conflict",
            f"Page {page.id} is at version {page.version}, not {base_version}; read it again before you change it.",
        )
    if page.status == "published" and body is not None and not body.strip():
        ctx.fail("conflict", f"Page {page.id} is published and cannot be emptied; archive it instead.")
    new_title = page.title if title is None else title
    new_body = page.body if body is None else body
    if (new_title, new_body) != (page.title, page.body):
        _rewrite(ctx, page, new_title, new_body, note)
    if labels is not None:
        page.labels = list(labels)
    page.updated_at = ctx.now()
    ctx.flush()
    return page_view(ctx, page)


@tool
def restore_page_version(ctx: Context, page_id: str, version: int) -> Any:
    """Make an earlier version the text of the page again, as a new version."""
    page = editable_page(ctx, page_id)
    old = ctx.get(PageVersion, page.id, version)
    if old is None:
        ctx.fail("not_found", f"Page {page.id} has no version {version}; list_page_versions shows them.")
    if (old.title, old.body) == (page.title, page.body):
        ctx.fail("conflict", f"Page {page.id} reads as in version {version} already.")
    if page.status == "published" and not old.body.strip():
        ctx.fail("conflict", f"Version {version} of {page.id} is empty, which a published page must not be.")
    _rewrite(ctx, page, old.title, old.body, f"Restored version {version}")
    page.updated_at = ctx.now()
    ctx.flush()
    return page_view(ctx, page)


@tool
def set_page_status(ctx: Context, page_id: str, status: str, superseded_by_id: str | None = None) -> Any:
    """Publish or archive a page."""
    page = editable_page(ctx, page_id, archived=True)
    if page.status == status:
        ctx.fail("conflict", f"Page {page.id} is {status} already.")
    if status == "published":
        if superseded_by_id is not None:
            ctx.fail("invalid", "superseded_by_id goes with status archived only.")
        _publish(ctx, page)
    else:
        _archive(ctx, page, superseded_by_id)
    page.status = status
    page.updated_at = ctx.now()
    ctx.flush()
    return page_view(ctx, page)


def _publish(ctx: Context, page: Page) -> None:
    if not page.body.strip():
        ctx.fail("conflict", f"Page {page.id} is empty; write its body before it is published.")
    if page.parent_id is not None and ctx.require(Page, page.parent_id).status != "published":
        ctx.fail("conflict", f"The parent {page.parent_id} is not published; publish it or move this page first.")
    require_free_titles(ctx, page.space_id, [page.title], but=[page.id])
    page.superseded_by_id = None
    page.published_at = ctx.now()


def _archive(ctx: Context, page: Page, successor: str | None) -> None:
    below = ctx.first(Page, col(Page.parent_id) == page.id, col(Page.status) != "archived")
    if below is not None:
        ctx.fail("conflict", f"Page {page.id} has subpages in use, such as {below.id}; archive or move them first.")
    if successor is not None:
        other = visible_page(ctx, successor)
        if other.id == page.id or other.status != "published":
            ctx.fail("conflict", f"{successor} cannot stand in for {page.id}: name another, published page.")
        page.superseded_by_id = other.id


@tool
def move_page(ctx: Context, page_id: str, parent_id: str | None, space_id: str | None = None) -> Any:
    """Put a page with all its subpages elsewhere."""
    page = editable_page(ctx, page_id)
    space, role = visible_space(ctx, space_id or page.space_id)
    require_editor(ctx, space, role)
    levels = descendants(ctx, page)
    tree = [page, *(item for level in levels for item in level)]
    if parent_id in {item.id for item in tree}:
        ctx.fail("conflict", f"{parent_id} is {page.id} itself or below it, so it cannot be its parent.")
    parent = require_place(ctx, space.id, parent_id, 1 + len(levels))
    if parent is not None and parent.status == "draft" and page.status == "published":
        ctx.fail("conflict", f"The parent {parent_id} is a draft, but {page.id} is published; publish it first.")
    if (space.id, parent_id) == (page.space_id, page.parent_id):
        ctx.fail("conflict", f"Page {page.id} stands there already.")
    if space.id != page.space_id:
        if any(not may_edit(ctx, item) for item in tree):
            ctx.fail(
                "forbidden", f"Below {page.id} stand pages that you may not change, so they cannot leave the space."
            )
        titles = [item.title for item in tree if item.status != "archived"]
        require_free_titles(ctx, space.id, titles)
        if ctx.count(Page, col(Page.space_id) == space.id) + len(tree) > MAX_PAGES:
            ctx.fail("limit", f"The space {space.code} would have more than {MAX_PAGES} pages.")
    for item in tree:
        item.space_id = space.id
    page.parent_id = parent_id
    page.updated_at = ctx.now()
    ctx.flush()
    return page_view(ctx, page)


@tool
def delete_page(ctx: Context, page_id: str) -> Any:
    """Remove a draft or archived page for good."""
    page = owned_page(ctx, page_id, "delete it")
    if page.status == "published":
        ctx.fail("conflict", f"Page {page.id} is published; archive it with set_page_status before you delete it.")
    if ctx.exists(Page, col(Page.parent_id) == page.id):
        ctx.fail("conflict", f"Page {page.id} has subpages; move or delete them first.")
    ctx.delete(page)
    return {"page_id": page_id, "deleted": True}


@tool
def set_page_permission(ctx: Context, page_id: str, email: str, level: str) -> Any:
    """Restrict a page to named people, one at a time."""
    page = owned_page(ctx, page_id, "say who sees it")
    person = ctx.require(Person, email)
    space, _ = visible_space(ctx, page.space_id)
    if space.visibility == "private" and ctx.get(Member, space.id, email) is None:
        ctx.fail("conflict", f"{person.name} is no member of {space.code}; set_space_member comes first.")
    given = ctx.get(PagePermission, page.id, email)
    if level == "none":
        if given is None:
            ctx.fail("conflict", f"{person.name} has no permission of their own on {page.id}.")
        ctx.delete(given)
    elif given is None:
        ctx.add(PagePermission(page_id=page.id, email=email, name=person.name, level=level))
    else:
        given.level = level
        ctx.flush()
    page.restricted = ctx.exists(PagePermission, col(PagePermission.page_id) == page.id)
    ctx.flush()
    return page_view(ctx, page)
