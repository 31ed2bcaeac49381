"""What a channel allows of a post, when it is written and when it goes out."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from sqlmodel import col

from engine.kit import Context
from services.social.state import Channel, Label, Media, Post

MAX_AHEAD = timedelta(days=365)
GAP = timedelta(minutes=15)
"""Least time between two scheduled posts on a channel."""


def hashtags_of(text: str) -> list[str]:
    """The hashtags of a text without their sign, in lower case, each once."""
    return list(dict.fromkeys(word.lower() for word in re.findall(r"#(\w+)", text)))


def require_length(ctx: Context, channel: Channel, text: str) -> None:
    """Refuse a text that is too long for the channel."""
    if len(text) > channel.max_length:
        ctx.fail("invalid", f"The text has {len(text)} characters; {channel.name} takes at most {channel.max_length}.")


def require_connected(ctx: Context, channel: Channel) -> None:
    """Refuse a channel that cannot send."""
    if channel.status != "connected":
        ctx.fail("conflict", f"{channel.name} is disconnected; an approver must connect it again in its network.")


def check_content(ctx: Context, post: Post) -> None:
    """Refuse what the channel would never take; sets the hashtags."""
    channel = ctx.require(Channel, post.channel_id)
    if post.label_id is not None:
        ctx.require(Label, post.label_id)
    require_length(ctx, channel, post.text)
    post.hashtags = hashtags_of(post.text)
    if len(post.hashtags) > channel.max_hashtags:
        ctx.fail("invalid", f"{channel.name} takes at most {channel.max_hashtags} hashtags, not {len(post.hashtags)}.")
    if len(post.media_ids) > channel.max_media:
        ctx.fail("invalid", f"{channel.name} takes at most {channel.max_media} media, not {len(post.media_ids)}.")
    kinds = [item.kind for item in _media(ctx, post)]
    if "video" in kinds and len(kinds) > 1:
        ctx.fail("invalid", "A video stands alone; leave the other media out.")


def _media(ctx: Context, post: Post) -> list[Media]:
    found = {item.id: item for item in ctx.list(Media, col(Media.id).in_(post.media_ids))}
    for media_id in post.media_ids:
        if media_id not in found:
            ctx.fail("not_found", f"There is no media {media_id!r}; list_media shows the library.")
    return [found[media_id] for media_id in post.media_ids]


def require_time(ctx: Context, moment: datetime) -> None:
    """Refuse a time that is over or too far ahead."""
    if not ctx.now() < moment <= ctx.now() + MAX_AHEAD:
        ctx.fail("invalid", "scheduled_at must lie in the future, at most 365 days ahead.")


def require_ready(ctx: Context, post: Post) -> None:
    """Refuse to let a post go its way while something is missing from it."""
    channel = ctx.require(Channel, post.channel_id)
    require_connected(ctx, channel)
    if channel.requires_media and not post.media_ids:
        ctx.fail("conflict", f"{channel.name} takes no post without media; add some with update_post.")
    for item in _media(ctx, post):
        if item.kind == "image" and not item.alt_text:
            ctx.fail("conflict", f"Media {item.id} has no alternative text, without which no image goes out.")


def require_slot(ctx: Context, post: Post) -> None:
    """Refuse a time that is over, too near to another post, or on a full day."""
    if post.scheduled_at is None:
        ctx.fail("invalid", f"Post {post.id} has no scheduled_at; set it with update_post.")
    require_time(ctx, post.scheduled_at)
    channel = ctx.require(Channel, post.channel_id)
    moment = col(Post.scheduled_at)
    others = col(Post.channel_id) == channel.id, col(Post.status) == "scheduled", col(Post.id) != post.id
    near = ctx.first(Post, *others, moment > post.scheduled_at - GAP, moment < post.scheduled_at + GAP)
    if near is not None:
        ctx.fail("conflict", f"{near.id} is scheduled on {channel.name} less than 15 minutes from then.")
    day = post.scheduled_at.replace(hour=0, minute=0, second=0, microsecond=0)
    _require_day(ctx, channel, post, day)


def require_today(ctx: Context, post: Post) -> None:
    """Refuse one more post on the channel today."""
    day = ctx.now().replace(hour=0, minute=0, second=0, microsecond=0)
    _require_day(ctx, ctx.require(Channel, post.channel_id), post, day)


def _require_day(ctx: Context, channel: Channel, post: Post, day: datetime) -> None:
    span = timedelta(days=1)
    here = col(Post.channel_id) == channel.id, col(Post.id) != post.id
    planned = ctx.count(
        Post, *here, col(Post.status) == "scheduled", col(Post.scheduled_at) >= day, col(Post.scheduled_at) < day + span
    )
    done = ctx.count(Post, *here, col(Post.published_at) >= day, col(Post.published_at) < day + span)
    if planned + done >= channel.daily_limit:
        ctx.fail("limit", f"{channel.name} has {planned + done} posts on {day.date()} already, the most allowed a day.")
