"""Who may see and change what."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select
from sqlmodel import col

from engine.kit import Context
from services.docs.state import Member, Page, PagePermission, Space


def my_roles(ctx: Context) -> dict[str, str]:
    """The user's role in every space that they can see; an open space makes everybody a viewer."""
    mine = {item.space_id: item.role for item in ctx.list(Member, col(Member.email) == ctx.user.email)}
    opened = {item.id: "viewer" for item in ctx.list(Space, col(Space.visibility) == "open")}
    return opened | mine


def visible_space(ctx: Context, space_id: str) -> tuple[Space, str]:
    """A space that the user can see, and their role in it."""
    space = ctx.get(Space, space_id)
    role = my_roles(ctx).get(space_id)
    if space is None or role is None:
        ctx.fail("not_found", f"There is no space {space_id!r} that you can see; list_spaces shows them.")
    return space, role


def require_editor(ctx: Context, space: Space, role: str) -> None:
    """Refuse viewers."""
    if role == "viewer":
        ctx.fail("forbidden", f"You only read the space {space.code}; one of its admins can make you an editor.")


def require_admin(ctx: Context, space: Space, role: str) -> None:
    """Refuse everybody but admins."""
    if role != "admin":
        ctx.fail("forbidden", f"Only admins of the space {space.code} may do this; get_space shows who they are.")


def visible_pages(ctx: Context) -> ColumnElement[bool]:
    """The condition for pages that the user can see."""
    roles = my_roles(ctx)
    editing = [space for space, role in roles.items() if role != "viewer"]
    ruling = [space for space, role in roles.items() if role == "admin"]
    own = col(Page.owner_email) == ctx.user.email
    named = col(Page.id).in_(select(col(PagePermission.page_id)).where(col(PagePermission.email) == ctx.user.email))
    return and_(
        col(Page.space_id).in_(sorted(roles)),
        or_(col(Page.restricted).is_(False), own, col(Page.space_id).in_(ruling), named),
        or_(col(Page.status) != "draft", own, col(Page.space_id).in_(editing)),
    )


def visible_page(ctx: Context, page_id: str) -> Page:
    """A page that the user can see."""
    page = ctx.first(Page, col(Page.id) == page_id, visible_pages(ctx))
    if page is None:
        ctx.fail("not_found", f"There is no page {page_id!r} that you can see; search_pages finds pages.")
    return page


def may_edit(ctx: Context, page: Page) -> bool:
    """Whether the user may change a page that they can see."""
    role = my_roles(ctx)[page.space_id]
    if role == "viewer":
        return False
    if not page.restricted or role == "admin" or page.owner_email == ctx.user.email:
        return True
    given = ctx.get(PagePermission, page.id, ctx.user.email)
    return given is not None and given.level == "edit"


def editable_page(ctx: Context, page_id: str, *, archived: bool = False) -> Page:
    """A page that the user may change; an archived one only where that is said."""
    page = visible_page(ctx, page_id)
    if not may_edit(ctx, page):
        ctx.fail("forbidden", f"You may read {page.title!r} ({page.id}) but not change it; ask {page.owner_name}.")
    if page.status == "archived" and not archived:
        ctx.fail("conflict", f"Page {page.id} is archived; set_page_status publishes it again before it changes.")
    return page


def owned_page(ctx: Context, page_id: str, doing: str) -> Page:
    """A page of which the user is the owner or whose space they administer."""
    page = visible_page(ctx, page_id)
    if page.owner_email != ctx.user.email and my_roles(ctx)[page.space_id] != "admin":
        ctx.fail("forbidden", f"Only {page.owner_name}, who owns {page.id}, or an admin of its space may {doing}.")
    return page


def page_line(page: Page) -> dict[str, Any]:
    """A page in a list: everything but its text."""
    return page.out(without=("body",))
