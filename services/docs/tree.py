"""Where pages stand: parents, depth, titles."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context
from services.docs.access import visible_page
from services.docs.state import Page

MAX_DEPTH = 6
"""Levels of pages below a space."""

MAX_PAGES = 2000
"""Pages of one space."""


def ancestors(ctx: Context, page: Page) -> list[Page]:
    """The pages above a page, the topmost first."""
    found: list[Page] = []
    above = page.parent_id
    while above is not None:
        parent = ctx.require(Page, above)
        found.insert(0, parent)
        above = parent.parent_id
    return found


def descendants(ctx: Context, page: Page) -> list[list[Page]]:
    """The pages below a page, level by level."""
    levels: list[list[Page]] = []
    ids = [page.id]
    while ids:
        below = ctx.list(Page, col(Page.parent_id).in_(ids))
        if below:
            levels.append(below)
        ids = [item.id for item in below]
    return levels


def require_place(ctx: Context, space_id: str, parent_id: str | None, levels: int = 1) -> Page | None:
    """The parent under which a tree of so many levels finds room, if it may stand there."""
    if parent_id is None:
        return None
    parent = visible_page(ctx, parent_id)
    if parent.space_id != space_id:
        ctx.fail("conflict", f"The parent {parent_id} stands in another space; choose a page of the same space.")
    if parent.status == "archived":
        ctx.fail("conflict", f"The parent {parent_id} is archived and takes no subpages.")
    if len(ancestors(ctx, parent)) + 1 + levels > MAX_DEPTH:
        ctx.fail("limit", f"Pages nest at most {MAX_DEPTH} levels deep; choose a parent further up.")
    return parent


def require_free_titles(ctx: Context, space_id: str, titles: Sequence[str], but: Sequence[str] = ()) -> None:
    """Refuse titles that other pages of the space have which are not archived."""
    taken = ctx.rows(
        select(col(Page.id), col(Page.title))
        .where(
            col(Page.space_id) == space_id,
            col(Page.title).in_(list(titles)),
            col(Page.status) != "archived",
            col(Page.id).not_in(list(but)),
        )
        .order_by(col(Page.id))
    )
    if taken:
        ctx.fail("conflict", f"Another page of this space has the title {taken[0].title!r}; titles must differ.")
