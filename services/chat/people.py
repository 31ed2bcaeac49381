"""Tools for members, their status, and user groups."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.chat.access import active_members, is_admin, me, require_one_line
from services.chat.state import GroupMember, Member, UserGroup

MAX_GROUP = 50
"""Members of a user group."""


def _member_view(ctx: Context, member: Member) -> dict[str, Any]:
    # A status whose time is over is not shown; the row keeps it, since looking changes nothing.
    view = member.out()
    if member.status_expires_at is not None and member.status_expires_at <= ctx.now():
        view |= {"status_text": "", "status_emoji": "", "status_expires_at": None}
    return view


@tool
def list_members(
    ctx: Context,
    query: str | None = None,
    email: str | None = None,
    team: str | None = None,
    role: str | None = None,
    presence: str | None = None,
    include_deactivated: bool = False,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Members of the workspace."""
    me(ctx)
    where: list[Any] = []
    if query is not None:
        columns = (col(Member.name), col(Member.handle), col(Member.title), col(Member.email))
        where.append(or_(*(contains(column, query) for column in columns)))
    if email is not None:
        where.append(col(Member.email) == email.strip().lower())
    for column, value in (
        (col(Member.team), team),
        (col(Member.role), role),
        (col(Member.presence), presence),
    ):
        if value is not None:
            where.append(column == value)
    if not include_deactivated:
        where.append(col(Member.account) == "active")
    page = ctx.page(Member, *where, order_by=[col(Member.name)], limit=limit, cursor=cursor)
    return {
        "items": [_member_view(ctx, item) for item in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Member, *where),
    }


@tool
def get_member(ctx: Context, member_id: str) -> Any:
    """One member, with the user groups that they are in."""
    me(ctx)
    member = ctx.require(Member, member_id)
    groups = ctx.rows(
        select(col(UserGroup.id), col(UserGroup.handle))
        .join(GroupMember, col(GroupMember.group_id) == col(UserGroup.id))
        .where(col(GroupMember.member_id) == member.id)
        .order_by(col(UserGroup.id))
    )
    return _member_view(ctx, member) | {"user_groups": [{"group_id": row[0], "handle": row[1]} for row in groups]}


@tool
def set_status(
    ctx: Context,
    text: str | None = None,
    emoji: str | None = None,
    presence: str | None = None,
    expires_at: Moment | None = None,
) -> Any:
    """Change the user's own status and presence."""
    user = me(ctx)
    if text is None and emoji is None and presence is None:
        ctx.fail("invalid", "Give at least one of text, emoji and presence.")
    if expires_at is not None and expires_at <= ctx.now():
        ctx.fail("invalid", "expires_at must lie in the future.")
    if text is not None:
        user.status_text = text.strip()
    if emoji is not None:
        require_one_line(ctx, "emoji", emoji)
        user.status_emoji = emoji
    if presence is not None:
        user.presence = presence
    if text is not None or emoji is not None:
        shown = bool(user.status_text or user.status_emoji)
        if expires_at is not None and not shown:
            ctx.fail("invalid", "expires_at needs a status text or emoji that can expire.")
        user.status_expires_at = expires_at
    elif expires_at is not None:
        ctx.fail("invalid", "expires_at goes with text or emoji, not with presence alone.")
    ctx.flush()
    return _member_view(ctx, user)


def _group_view(ctx: Context, group: UserGroup) -> dict[str, Any]:
    members = ctx.list(GroupMember, col(GroupMember.group_id) == group.id)
    return group.out() | {"member_ids": [item.member_id for item in members]}


@tool
def list_user_groups(
    ctx: Context,
    query: str | None = None,
    member_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """User groups with their members."""
    me(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(col(UserGroup.handle), query), contains(col(UserGroup.name), query)))
    if member_id is not None:
        key = col(UserGroup.id)
        where.append(key.in_(select(col(GroupMember.group_id)).where(col(GroupMember.member_id) == member_id)))
    page = ctx.page(UserGroup, *where, order_by=[col(UserGroup.handle)], limit=limit, cursor=cursor)
    members: dict[str, list[str]] = {item.id: [] for item in page.items}
    for place in ctx.list(GroupMember, col(GroupMember.group_id).in_(members)):
        members[place.group_id].append(place.member_id)
    return {
        "items": [item.out() | {"member_ids": members[item.id]} for item in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def create_user_group(ctx: Context, handle: str, name: str, member_ids: list[str], description: str = "") -> Any:
    """A new user group."""
    user = me(ctx)
    if user.role == "guest":
        ctx.fail("forbidden", "Guests may not create user groups.")
    require_one_line(ctx, "handle", handle)
    if handle == "channel" or ctx.exists(UserGroup, col(UserGroup.handle) == handle):
        ctx.fail("conflict", f"The handle @{handle} is taken; choose another.")
    if ctx.exists(Member, col(Member.handle) == handle):
        ctx.fail("conflict", f"The handle @{handle} belongs to a member; choose another.")
    people = active_members(ctx, member_ids)
    group = ctx.add(
        UserGroup(
            id=ctx.new_id("ugr"),
            handle=handle,
            name=name,
            description=description,
            created_by=user.id,
            created_at=ctx.now(),
        )
    )
    for person in people:
        ctx.add(GroupMember(group_id=group.id, member_id=person.id))
    return _group_view(ctx, group)


def _own_group(ctx: Context, group_id: str) -> UserGroup:
    user = me(ctx)
    group = ctx.require(UserGroup, group_id)
    if group.created_by != user.id and not is_admin(user):
        ctx.fail("forbidden", f"Only the creator of @{group.handle} or a workspace admin may change it.")
    return group


@tool
def update_user_group_members(
    ctx: Context, group_id: str, add: list[str] | None = None, remove: list[str] | None = None
) -> Any:
    """Bring members into a user group or take them out."""
    group = _own_group(ctx, group_id)
    if not add and not remove:
        ctx.fail("invalid", "Give member ids to add or to remove.")
    both = sorted(set(add or []) & set(remove or []))
    if both:
        ctx.fail("invalid", f"{both[0]} is both to be added and removed.")
    inside = {item.member_id: item for item in ctx.list(GroupMember, col(GroupMember.group_id) == group.id)}
    for member_id in dict.fromkeys(remove or []):
        if member_id not in inside:
            ctx.fail("not_found", f"{member_id} is not in @{group.handle}.")
        ctx.delete(inside[member_id])
    new = [item for item in active_members(ctx, add or []) if item.id not in inside]
    left = len(inside) - len(set(remove or [])) + len(new)
    if left == 0:
        ctx.fail("conflict", f"@{group.handle} would be empty; delete_user_group removes it.")
    if left > MAX_GROUP:
        ctx.fail("limit", f"A user group has at most {MAX_GROUP} members.")
    for person in new:
        ctx.add(GroupMember(group_id=group.id, member_id=person.id))
    return _group_view(ctx, group)


@tool
def delete_user_group(ctx: Context, group_id: str) -> Any:
    """Remove a user group."""
    group = _own_group(ctx, group_id)
    ctx.delete(group)
    return {"group_id": group_id, "deleted": True}
