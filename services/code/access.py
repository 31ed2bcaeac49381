"""Who may see and change a repository."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context
from services.code.state import ROLES, Member, Repository


def role(ctx: Context, repository: Repository) -> str | None:
    """The user's role; everybody reads internal repositories."""
    place = ctx.get(Member, repository.id, ctx.user.email)
    if place is not None:
        return place.role
    return "read" if repository.visibility == "internal" else None


def seen(ctx: Context) -> Any:
    """The ids of the repositories that the user can see, as a subquery."""
    mine = select(col(Member.repository_id)).where(col(Member.email) == ctx.user.email)
    return select(col(Repository.id)).where((col(Repository.visibility) == "internal") | col(Repository.id).in_(mine))


def visible(ctx: Context, repository_id: str) -> Repository:
    """A repository that the user can read; hidden ones look as if they did not exist."""
    found = ctx.get(Repository, repository_id)
    if found is None or role(ctx, found) is None:
        ctx.fail(
            "not_found", f"There is no repository {repository_id!r} that you can see; list_repositories shows them."
        )
    return found


def changeable(ctx: Context, repository_id: str, needed: str = "read") -> Repository:
    """A repository that is not archived and in which the user has at least the role ``needed``."""
    repository = visible(ctx, repository_id)
    if repository.status == "archived":
        ctx.fail("conflict", f"The repository {repository.name} is archived and takes no changes.")
    mine = role(ctx, repository) or "read"
    if ROLES.index(mine) < ROLES.index(needed):
        ctx.fail(
            "forbidden",
            f"This needs the role {needed} in {repository.name}; yours is {mine}. list_repositories shows who has it.",
        )
    return repository


def can_write(ctx: Context, repository: Repository) -> bool:
    """Whether the user is a member who may change files and issues."""
    return role(ctx, repository) in ("write", "maintain")


def require_members(ctx: Context, repository: Repository, emails: Iterable[str], what: str) -> None:
    """Refuse addresses that do not belong to members of the repository."""
    wanted = list(emails)
    found = ctx.list(Member, col(Member.repository_id) == repository.id, col(Member.email).in_(wanted))
    missing = sorted(set(wanted) - {item.email for item in found})
    if missing:
        ctx.fail("invalid", f"{what}: {missing[0]} is no member of {repository.name}; list_repositories shows them.")
