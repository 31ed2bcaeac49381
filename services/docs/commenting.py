"""Tools for comments on pages."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.docs.access import may_edit, visible_page
from services.docs.state import Comment

MAX_COMMENTS = 500
"""Comments on one page."""


@tool
def create_comment(ctx: Context, page_id: str, body: str) -> Any:
    """Comment on a page; whoever sees it may."""
    page = visible_page(ctx, page_id)
    if page.status == "archived":
        ctx.fail("conflict", f"Page {page.id} is archived and takes no more comments.")
    if ctx.count(Comment, col(Comment.page_id) == page.id) >= MAX_COMMENTS:
        ctx.fail("limit", f"Page {page.id} has {MAX_COMMENTS} comments, the most allowed.")
    return ctx.add(
        Comment(
            id=ctx.new_id("cmt"),
            page_id=page.id,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            body=body,
            created_at=ctx.now(),
        )
    )


@tool
def list_comments(
    ctx: Context,
    page_id: str,
    resolved: bool | None = None,
    author_email: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Comments on a page, oldest first."""
    page = visible_page(ctx, page_id)
    where: list[Any] = [col(Comment.page_id) == page.id]
    if resolved is not None:
        where.append(col(Comment.resolved).is_(resolved))
    if author_email is not None:
        where.append(col(Comment.author_email) == author_email)
    return ctx.page(Comment, *where, order_by=[col(Comment.created_at)], limit=limit, cursor=cursor).out()


@tool
def resolve_comment(ctx: Context, comment_id: str) -> Any:
    """Mark a comment as dealt with."""
    comment = ctx.require(Comment, comment_id)
    page = visible_page(ctx, comment.page_id)
    if comment.author_email != ctx.user.email and not may_edit(ctx, page):
        ctx.fail("forbidden", f"Only {comment.author_name} or an editor of {page.id} may resolve {comment.id}.")
    if comment.resolved:
        ctx.fail("conflict", f"Comment {comment.id} is resolved already.")
    comment.resolved = True
    comment.resolved_by_email = ctx.user.email
    ctx.flush()
    return comment
