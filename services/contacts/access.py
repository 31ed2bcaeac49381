"""Who may do what, and the small rules that several tools share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.contacts.state import MAX_TAGS, Company, Deal, Member, Person

KINDS: dict[str, type[Company] | type[Person] | type[Deal]] = {
    "company": Company,
    "person": Person,
    "deal": Deal,
}


def reader(ctx: Context) -> Member:
    """The user's own membership."""
    me = ctx.first(Member, Member.email == ctx.user.email, col(Member.active).is_(True))
    if me is None:
        ctx.fail("forbidden", f"{ctx.user.email} has no active membership in Contacts.")
    return me


def writer(ctx: Context) -> Member:
    """The user's own membership, which must allow changes."""
    me = reader(ctx)
    if me.role == "viewer":
        ctx.fail("forbidden", "Viewers can read but not change the book; ask an admin for another role.")
    return me


def may_administer(ctx: Context, me: Member, owner_id: str) -> bool:
    """Whether the member may reassign, merge or delete what this owner owns."""
    if me.role == "admin" or owner_id == me.id:
        return True
    owner = ctx.get(Member, owner_id)
    return owner is not None and owner.manager_id == me.id


def administer(ctx: Context, owner_id: str, what: str) -> Member:
    """The user's membership, which must allow to reassign, merge or delete what this owner owns."""
    me = writer(ctx)
    if not may_administer(ctx, me, owner_id):
        owner = ctx.require(Member, owner_id)
        ctx.fail(
            "forbidden",
            f"{what} belongs to {owner.name} ({owner.email}); only they, their manager or an admin may.",
            owner_id=owner.id,
        )
    return me


def assignable(ctx: Context, member_id: str) -> Member:
    """A member who may own records and tasks."""
    member = ctx.require(Member, member_id)
    if not member.active or member.role == "viewer":
        reason = "is deactivated" if not member.active else "is a viewer"
        ctx.fail("invalid", f"{member.name} {reason} and cannot own records or tasks.")
    return member


def clean_tags(ctx: Context, tags: Iterable[str]) -> list[str]:
    """Tags in lower case, each once, sorted."""
    cleaned = sorted({tag.strip().lower() for tag in tags if tag.strip()})
    if len(cleaned) > MAX_TAGS:
        ctx.fail("limit", f"A record can have at most {MAX_TAGS} tags; this would make {len(cleaned)}.")
    return cleaned


def clean_email(email: str) -> str:
    """An address as it is stored and compared."""
    return email.strip().lower()


def named(ctx: Context, entity: type[Any], ids: Iterable[str | None]) -> dict[str, str]:
    """Names of the rows with these ids."""
    wanted = sorted({item for item in ids if item is not None})
    if not wanted:
        return {}
    return {row.id: row.name for row in ctx.list(entity, col(entity.id).in_(wanted))}


def stated(ctx: Context, what: str, text: str) -> str:
    """A required text without spaces around it."""
    text = text.strip()
    if not text:
        ctx.fail("invalid", f"{what} must not be blank.")
    return text


def something(ctx: Context, *values: Any) -> None:
    """Refuse a change that changes nothing."""
    if all(value is None for value in values):
        ctx.fail("invalid", "Nothing to change: give at least one field.")
