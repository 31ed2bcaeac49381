"""Tools for channels, labels, media and posts."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.social.access import changeable, post_views, reader, writer
from services.social.rules import check_content, require_ready, require_slot, require_time, require_today
from services.social.state import Channel, Label, Media, Message, Post


@tool
def list_channels(ctx: Context, network: str | None = None, status: str | None = None) -> Any:
    """Channels with what they allow."""
    reader(ctx)
    equal = ((Channel.network, network), (Channel.status, status))
    where = [col(column) == value for column, value in equal if value is not None]
    return {"items": ctx.list(Channel, *where), "next_cursor": None}


@tool
def list_labels(ctx: Context) -> Any:
    """Campaign labels by their start."""
    reader(ctx)
    today = ctx.today()
    labels = ctx.list(Label, order_by=[col(Label.starts_on)])
    items = [label.out() | {"running": label.starts_on <= today <= label.ends_on} for label in labels]
    return {"items": items, "next_cursor": None}


@tool
def list_media(
    ctx: Context, kind: str | None = None, query: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Pictures and films of the library."""
    reader(ctx)
    where: list[Any] = [] if kind is None else [col(Media.kind) == kind]
    if query is not None:
        where.append(contains(Media.name, query) | contains(Media.alt_text, query))
    return ctx.page(Media, *where, limit=limit, cursor=cursor).out() | {"total": ctx.count(Media, *where)}


@tool
def create_post(
    ctx: Context,
    channel_id: str,
    text: str,
    media_ids: list[str] | None = None,
    label_id: str | None = None,
    scheduled_at: Moment | None = None,
) -> Any:
    """A new draft."""
    me = writer(ctx)
    if scheduled_at is not None:
        require_time(ctx, scheduled_at)
    post = Post(
        id=ctx.new_id("pst"),
        channel_id=channel_id,
        text=text,
        media_ids=list(media_ids or []),
        label_id=label_id,
        author_id=me.id,
        editor_id=me.id,
        scheduled_at=scheduled_at,
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    check_content(ctx, post)
    return post_views(ctx, [ctx.add(post)])[0]


@tool
def get_post(ctx: Context, post_id: str) -> Any:
    """One post, with its media and the number of messages about it."""
    reader(ctx)
    post = ctx.require(Post, post_id)
    media = {item.id: item for item in ctx.list(Media, col(Media.id).in_(post.media_ids))}
    return post_views(ctx, [post])[0] | {
        "media": [media[item] for item in post.media_ids],
        "message_count": ctx.count(Message, col(Message.post_id) == post.id),
    }


@tool
def list_posts(
    ctx: Context,
    status: str | None = None,
    channel_id: str | None = None,
    label_id: str | None = None,
    author_id: str | None = None,
    hashtag: str | None = None,
    query: str | None = None,
    scheduled_from: Moment | None = None,
    scheduled_to: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Posts that meet every filter; within scheduled times in their order, else the newest first."""
    reader(ctx)
    equal = (
        (Post.status, status),
        (Post.channel_id, channel_id),
        (Post.label_id, label_id),
        (Post.author_id, author_id),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if hashtag is not None:
        where.append(col(Post.hashtags).contains([hashtag.lower()]))
    if query is not None:
        where.append(contains(Post.text, query))
    order: Any = col(Post.created_at).desc()
    if scheduled_from is not None or scheduled_to is not None:
        order = col(Post.scheduled_at)
        where.append(order.is_not(None))
    if scheduled_from is not None:
        where.append(col(Post.scheduled_at) >= scheduled_from)
    if scheduled_to is not None:
        where.append(col(Post.scheduled_at) < scheduled_to)
    page = ctx.page(Post, *where, order_by=[order], limit=limit, cursor=cursor)
    return {
        "items": post_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Post, *where),
    }


@tool
def update_post(
    ctx: Context,
    post_id: str,
    text: str | None = None,
    media_ids: list[str] | None = None,
    label_id: str | None = "",
    scheduled_at: Moment | None = None,
) -> Any:
    """Change a post, which becomes a draft again."""
    post, me = changeable(ctx, post_id)
    if text is None and media_ids is None and label_id == "" and scheduled_at is None:
        ctx.fail("invalid", "Nothing to change: give text, media_ids, label_id or scheduled_at.")
    post.text = post.text if text is None else text
    post.media_ids = post.media_ids if media_ids is None else media_ids
    post.label_id = post.label_id if label_id == "" else label_id
    if scheduled_at is not None:
        require_time(ctx, scheduled_at)
        post.scheduled_at = scheduled_at
    check_content(ctx, post)
    post.status, post.approver_id, post.failure_reason = "draft", None, ""
    post.editor_id, post.updated_at = me.id, ctx.now()
    ctx.flush()
    return post_views(ctx, [post])[0]


@tool
def delete_post(ctx: Context, post_id: str) -> Any:
    """Remove a post that is neither scheduled nor published."""
    post, _ = changeable(ctx, post_id)
    if post.status == "scheduled":
        ctx.fail("conflict", f"Post {post.id} is scheduled; take it back with update_post before you delete it.")
    ctx.delete(post)
    return {"post_id": post_id, "deleted": True}


@tool
def submit_post(ctx: Context, post_id: str) -> Any:
    """Send a draft to approval, or to its time where none is needed."""
    post, _ = changeable(ctx, post_id)
    if post.status != "draft":
        ctx.fail("conflict", f"Post {post.id} is {post.status}; only drafts are submitted.")
    require_ready(ctx, post)
    require_slot(ctx, post)
    approval = ctx.require(Channel, post.channel_id).needs_approval
    post.status, post.review_note = "needs_approval" if approval else "scheduled", ""
    post.updated_at = ctx.now()
    ctx.flush()
    return post_views(ctx, [post])[0]


def _under_review(ctx: Context, post_id: str) -> Post:
    me = reader(ctx)
    post = ctx.require(Post, post_id)
    if me.role != "approver":
        ctx.fail("forbidden", "Only approvers review posts.")
    if post.status != "needs_approval":
        ctx.fail("conflict", f"Post {post.id} is {post.status}; only posts that need approval are reviewed.")
    if me.id in (post.author_id, post.editor_id):
        ctx.fail("forbidden", f"Post {post.id} was written or last changed by you; another approver must review it.")
    post.approver_id, post.updated_at = me.id, ctx.now()
    return post


@tool
def approve_post(ctx: Context, post_id: str, note: str = "") -> Any:
    """Release somebody else's post for its time."""
    post = _under_review(ctx, post_id)
    require_ready(ctx, post)
    require_slot(ctx, post)
    post.status, post.review_note = "scheduled", note
    ctx.flush()
    return post_views(ctx, [post])[0]


@tool
def reject_post(ctx: Context, post_id: str, note: str) -> Any:
    """Give somebody else's post back to its author."""
    post = _under_review(ctx, post_id)
    post.status, post.review_note, post.approver_id = "draft", note, None
    ctx.flush()
    return post_views(ctx, [post])[0]


@tool
def publish_post(ctx: Context, post_id: str) -> Any:
    """Put a released post out now."""
    post, _ = changeable(ctx, post_id)
    channel = ctx.require(Channel, post.channel_id)
    if post.status == "needs_approval":
        ctx.fail("conflict", f"Post {post.id} waits for approval; approve_post comes first.")
    if post.status == "draft" and channel.needs_approval:
        ctx.fail("conflict", f"Post {post.id} is a draft and {channel.name} needs approval; submit it first.")
    require_ready(ctx, post)
    require_today(ctx, post)
    post.status, post.failure_reason = "published", ""
    post.published_at = post.updated_at = ctx.now()
    ctx.flush()
    return post_views(ctx, [post])[0]
