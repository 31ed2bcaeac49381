"""Who may do what, and how rows look in results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.social.state import Channel, Label, Member, Message, Post


def reader(ctx: Context) -> Member:
    """The user as a member of the desk."""
    found = ctx.first(Member, col(Member.email) == ctx.user.email)
    if found is None:
        ctx.fail("forbidden", f"{ctx.user.name} is not a member of the social media desk.")
    return found


def writer(ctx: Context) -> Member:
    """The user, who must be more than a viewer."""
    me = reader(ctx)
    if me.role == "viewer":
        ctx.fail("forbidden", "Viewers read only; ask an approver to write for you.")
    return me


def changeable(ctx: Context, post_id: str) -> tuple[Post, Member]:
    """A post that is not public yet and that the user may change."""
    me = writer(ctx)
    post = ctx.require(Post, post_id)
    if me.role != "approver" and post.author_id != me.id:
        ctx.fail("forbidden", f"Post {post.id} is not yours; only its author and approvers may change it.")
    if post.status == "published":
        ctx.fail("conflict", f"Post {post.id} is published and stays as it is.")
    return post, me


def names(ctx: Context, entity: Any, ids: Iterable[str | None]) -> dict[str | None, str]:
    """Names of the rows with these ids."""
    return {row.id: row.name for row in ctx.list(entity, col(entity.id).in_({item for item in ids if item}))}


def engagements(post: Post) -> int:
    """Everything that people did with a post."""
    return post.likes + post.comments + post.shares + post.clicks


def percent(part: int, whole: int) -> float:
    """Part of a whole in per cent; nothing of nothing is 0."""
    return round(100 * part / whole, 2) if whole else 0.0


def post_views(ctx: Context, posts: Sequence[Post]) -> list[dict[str, Any]]:
    """Posts for results, with the names of those concerned."""
    channels = names(ctx, Channel, (post.channel_id for post in posts))
    labels = names(ctx, Label, (post.label_id for post in posts))
    people = names(ctx, Member, (item for post in posts for item in (post.author_id, post.approver_id)))
    return [
        post.out()
        | {
            "channel_name": channels[post.channel_id],
            "label_name": labels.get(post.label_id),
            "author_name": people[post.author_id],
            "approver_name": people.get(post.approver_id),
            "engagement_percent": percent(engagements(post), post.impressions),
        }
        for post in posts
    ]


def message_views(ctx: Context, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages for results, with the names of channel and assignee."""
    channels = names(ctx, Channel, (item.channel_id for item in messages))
    people = names(ctx, Member, (item.assignee_id for item in messages))
    return [
        item.out() | {"channel_name": channels[item.channel_id], "assignee_name": people.get(item.assignee_id)}
        for item in messages
    ]
