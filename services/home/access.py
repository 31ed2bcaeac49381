"""Tools for members and guests, and what each role may do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.home.state import Device, Member, Task

MAX_WINDOW = timedelta(days=90)
MAX_GUESTS = 10


def me(ctx: Context) -> Member:
    """The user's own entry; strangers and guests may not use the app."""
    found = ctx.first(Member, Member.email == ctx.user.email)
    if found is None or found.role == "guest":
        ctx.fail("forbidden", f"{ctx.user.name} is no member of this household.")
    return found


def grown_up(ctx: Context) -> Member:
    """The user's own entry, which must be an owner's or adult's."""
    member = me(ctx)
    if member.role == "child":
        ctx.fail("forbidden", "Children may read everything, set lights and blinds and fill the shopping list.")
    return member


def _owner(ctx: Context) -> Member:
    member = me(ctx)
    if member.role != "owner":
        ctx.fail("forbidden", "Only owners may give or take access.")
    return member


def _status(ctx: Context, member: Member) -> str:
    if member.valid_from is not None and member.valid_from > ctx.now():
        return "upcoming"
    return "expired" if member.valid_until is not None and member.valid_until <= ctx.now() else "active"


def _view(ctx: Context, member: Member, show_code: bool) -> dict[str, Any]:
    return member.out() | ({} if show_code else {"code": None}) | {"status": _status(ctx, member)}


@tool
def list_members(
    ctx: Context,
    role: str | None = None,
    email: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """People with access, by name."""
    show_code = me(ctx).role == "owner"
    where: list[Any] = []
    if role is not None:
        where.append(Member.role == role)
    if email is not None:
        where.append(Member.email == email)
    started = or_(col(Member.valid_from).is_(None), col(Member.valid_from) <= ctx.now())
    lasting = or_(col(Member.valid_until).is_(None), col(Member.valid_until) > ctx.now())
    if status is not None:
        where.append({"active": and_(started, lasting), "upcoming": ~started, "expired": ~lasting}[status])
    page = ctx.page(Member, *where, order_by=col(Member.name), limit=limit, cursor=cursor)
    return {"items": [_view(ctx, item, show_code) for item in page.items], "next_cursor": page.next_cursor}


@tool
def create_member(
    ctx: Context,
    name: str,
    role: str,
    email: str | None = None,
    phone: str = "",
    code: str | None = None,
    lock_ids: list[str] | None = None,
    valid_from: Moment | None = None,
    valid_until: Moment | None = None,
) -> Any:
    """Give somebody access."""
    _owner(ctx)
    member = Member(
        id=ctx.new_id("mem"),
        name=name,
        role=role,
        email=email,
        phone=phone,
        code=code,
        lock_ids=lock_ids or [],
        valid_from=valid_from,
        valid_until=valid_until,
    )
    window = (code, lock_ids, valid_from, valid_until)
    if role == "guest":
        if None in window:
            ctx.fail("invalid", "A guest needs code, lock_ids, valid_from and valid_until.")
        _require_admissible(ctx, member)
    elif any(item is not None for item in window):
        ctx.fail(
            "invalid", f"code, lock_ids, valid_from and valid_until are for guests; a member of role {role} has none."
        )
    if email is not None and ctx.exists(Member, Member.email == email):
        ctx.fail("conflict", f"{email} has access already; list_members shows it.")
    return _view(ctx, ctx.add(member), show_code=True)


def _require_admissible(ctx: Context, guest: Member) -> None:
    assert guest.valid_from is not None and guest.valid_until is not None
    if not timedelta(0) < guest.valid_until - guest.valid_from <= MAX_WINDOW or guest.valid_until <= ctx.now():
        ctx.fail("invalid", f"The window must end after now and last at most {MAX_WINDOW.days} days.")
    for lock_id in guest.lock_ids:
        if ctx.require(Device, lock_id).kind != "lock":
            ctx.fail("invalid", f"{lock_id} is not a lock; list_devices with kind lock shows the locks.")
    current = ctx.list(Member, Member.role == "guest", col(Member.valid_until) > ctx.now())
    if any(item.code == guest.code for item in current):
        ctx.fail("conflict", f"Another guest has the code {guest.code}; choose another one.")
    if len(current) >= MAX_GUESTS:
        ctx.fail("limit", f"{MAX_GUESTS} guests have access or will have it, the most allowed; delete one first.")


@tool
def delete_member(ctx: Context, member_id: str) -> Any:
    """Take away somebody's access."""
    _owner(ctx)
    member = ctx.require(Member, member_id)
    if member.role == "owner":
        ctx.fail("forbidden", f"{member.name} owns the home and keeps access.")
    task = ctx.first(Task, Task.assignee_id == member.id)
    if task is not None:
        ctx.fail("conflict", f"{member.name} has tasks such as {task.id}; their history keeps the entry.")
    ctx.delete(member)
    return {"id": member_id, "deleted": True}
