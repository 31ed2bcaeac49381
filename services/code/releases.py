"""Tools for releases."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.code.access import changeable, seen
from services.code.branches import default_branch
from services.code.state import Commit, Release


@tool
def list_releases(
    ctx: Context,
    repository_id: str | None = None,
    tag: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Releases, newest first."""
    where: list[Any] = [col(Release.repository_id).in_(seen(ctx))]
    if repository_id is not None:
        where.append(col(Release.repository_id) == repository_id)
    if tag is not None:
        where.append(col(Release.tag) == tag)
    if query is not None:
        where.append(contains(Release.title, query) | contains(Release.notes, query))
    page = ctx.page(Release, *where, order_by=[col(Release.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Release, *where)}


def _version(tag: str) -> tuple[int, ...]:
    return tuple(int(part) for part in tag.removeprefix("v").split("."))


@tool
def create_release(ctx: Context, repository_id: str, tag: str, title: str, notes: str = "") -> Any:
    """Publish the default branch's newest commit."""
    repository = changeable(ctx, repository_id, "maintain")
    earlier = ctx.list(Release, col(Release.repository_id) == repository.id)
    if any(item.tag == tag for item in earlier):
        ctx.fail("conflict", f"{repository.name} has a release {tag} already; choose a higher version.")
    highest = max((item.tag for item in earlier), key=_version, default=None)
    if highest is not None and _version(tag) <= _version(highest):
        ctx.fail("invalid", f"tag: {tag} is not higher than {highest}, the newest version of {repository.name}.")
    head = ctx.require(Commit, default_branch(ctx, repository).head_commit_id)
    if head.checks_status == "failed":
        ctx.fail("conflict", f"The checks of {head.id} failed; mend {repository.default_branch} before a release.")
    return ctx.add(
        Release(
            id=ctx.new_id("rel"),
            repository_id=repository.id,
            tag=tag,
            title=title,
            notes=notes,
            commit_id=head.id,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )
