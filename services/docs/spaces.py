"""Tools for spaces and their members."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.docs.access import my_roles, require_admin, visible_pages, visible_space
from services.docs.state import Member, Page, PagePermission, Person, Space

MAX_SPACES = 60
"""Spaces of the wiki."""


@tool
def list_spaces(
    ctx: Context,
    query: str | None = None,
    visibility: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Spaces that the user can see, by name."""
    roles = my_roles(ctx)
    where: list[Any] = [col(Space.id).in_(sorted(roles))]
    if query is not None:
        where.append(contains(Space.name, query) | contains(Space.code, query) | contains(Space.description, query))
    if visibility is not None:
        where.append(col(Space.visibility) == visibility)
    page = ctx.page(Space, *where, order_by=[col(Space.name)], limit=limit, cursor=cursor)
    return {
        "items": [space.out() | {"my_role": roles[space.id]} for space in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def get_space(ctx: Context, space_id: str) -> Any:
    """A space with its members and the number of its pages by state."""
    space, role = visible_space(ctx, space_id)
    return _space_view(ctx, space, role)


def _space_view(ctx: Context, space: Space, role: str) -> dict[str, Any]:
    counted = ctx.rows(
        select(col(Page.status), func.count())
        .where(col(Page.space_id) == space.id, visible_pages(ctx))
        .group_by(col(Page.status))
        .order_by(col(Page.status))
    )
    members = ctx.list(Member, col(Member.space_id) == space.id, order_by=[col(Member.name)])
    return space.out() | {
        "my_role": role,
        "members": [member.out("email", "name", "role") for member in members],
        "pages": {"draft": 0, "published": 0, "archived": 0} | {status: number for status, number in counted},
    }


@tool
def create_space(ctx: Context, code: str, name: str, description: str = "", visibility: str = "open") -> Any:
    """A new space with the user as its admin."""
    if ctx.exists(Space, col(Space.code) == code):
        ctx.fail("conflict", f"The code {code} is taken by another space; choose another one.")
    if ctx.exists(Space, col(Space.name) == name):
        ctx.fail("conflict", f"A space is named {name!r} already; choose another name.")
    if ctx.count(Space) >= MAX_SPACES:
        ctx.fail("limit", f"The wiki has {MAX_SPACES} spaces, the most allowed.")
    space = ctx.add(
        Space(
            id=ctx.new_id("spc"),
            code=code,
            name=name,
            description=description,
            visibility=visibility,
            created_at=ctx.now(),
        )
    )
    ctx.add(Member(space_id=space.id, email=ctx.user.email, name=ctx.user.name, role="admin"))
    return _space_view(ctx, space, "admin")


@tool
def set_space_member(ctx: Context, space_id: str, email: str, role: str) -> Any:
    """Give somebody a role in a space, or take it away."""
    space, own = visible_space(ctx, space_id)
    require_admin(ctx, space, own)
    person = ctx.require(Person, email)
    member = ctx.get(Member, space.id, email)
    if member is None and role == "none":
        ctx.fail("conflict", f"{person.name} is no member of {space.code}.")
    if member is not None and member.role == role:
        ctx.fail("conflict", f"{person.name} is {role} of {space.code} already.")
    admins = ctx.count(Member, col(Member.space_id) == space.id, col(Member.role) == "admin")
    if member is not None and member.role == "admin" and admins == 1:
        ctx.fail("conflict", f"{person.name} is the only admin of {space.code}; make somebody else admin first.")
    if member is None:
        ctx.add(Member(space_id=space.id, email=email, name=person.name, role=role))
    elif role != "none":
        member.role = role
        ctx.flush()
    else:
        ctx.delete(member)
        _forget_permissions(ctx, space, email)
    return {"space_id": space.id, "email": email, "name": person.name, "role": role}


def _forget_permissions(ctx: Context, space: Space, email: str) -> None:
    """Who leaves a space loses what they were given on its pages; the pages stay restricted."""
    pages = select(col(Page.id)).where(col(Page.space_id) == space.id)
    for item in ctx.list(PagePermission, col(PagePermission.email) == email, col(PagePermission.page_id).in_(pages)):
        ctx.delete(item)
