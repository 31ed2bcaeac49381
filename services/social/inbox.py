"""Tools for the inbox, saved replies and the engagement report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.social.access import engagements, message_views, names, percent, reader, writer
from services.social.rules import require_connected, require_length
from services.social.state import Channel, Label, Member, Message, Post, Response, SavedReply

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@tool
def list_messages(
    ctx: Context,
    status: str | None = None,
    kind: str | None = None,
    channel_id: str | None = None,
    post_id: str | None = None,
    assignee_id: str | None = None,
    assigned: bool | None = None,
    sentiment: str | None = None,
    query: str | None = None,
    received_after: Moment | None = None,
    received_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Messages that meet every filter, the latest first."""
    reader(ctx)
    equal = (
        (Message.status, status),
        (Message.kind, kind),
        (Message.channel_id, channel_id),
        (Message.post_id, post_id),
        (Message.assignee_id, assignee_id),
        (Message.sentiment, sentiment),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if assigned is not None:
        nobody = col(Message.assignee_id).is_(None)
        where.append(~nobody if assigned else nobody)
    if query is not None:
        where.append(
            contains(Message.text, query)
            | contains(Message.author_name, query)
            | contains(Message.author_handle, query)
        )
    if received_after is not None:
        where.append(col(Message.received_at) >= received_after)
    if received_before is not None:
        where.append(col(Message.received_at) < received_before)
    page = ctx.page(Message, *where, order_by=[col(Message.received_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": message_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Message, *where),
    }


@tool
def get_message(ctx: Context, message_id: str) -> Any:
    """One message with the post that it is about and our answers."""
    reader(ctx)
    message = ctx.require(Message, message_id)
    answers = ctx.list(Response, col(Response.message_id) == message.id, order_by=[col(Response.sent_at)])
    people = names(ctx, Member, (item.author_id for item in answers))
    post = ctx.require(Post, message.post_id) if message.post_id else None
    return message_views(ctx, [message])[0] | {
        "post_text": post.text if post else None,
        "responses": [item.out() | {"author_name": people[item.author_id]} for item in answers],
    }


@tool
def update_message(
    ctx: Context,
    message_id: str,
    assignee_id: str | None = "",
    status: str | None = None,
    sentiment: str | None = None,
) -> Any:
    """Give a message to somebody, close or reopen it, judge its tone."""
    writer(ctx)
    message = ctx.require(Message, message_id)
    if assignee_id == "" and status is None and sentiment is None:
        ctx.fail("invalid", "Nothing to change: give assignee_id, status or sentiment.")
    if assignee_id:
        assignee = ctx.require(Member, assignee_id)
        if assignee.role == "viewer":
            ctx.fail("conflict", f"{assignee.name} is a viewer and takes no messages.")
        if message.status == "closed" and status != "open":
            ctx.fail("conflict", f"Message {message.id} is closed; reopen it with status open to assign it.")
    if assignee_id != "":
        message.assignee_id = assignee_id
        if message.status == "new" and assignee_id is not None:
            message.status = "open"
    message.status = status or message.status
    message.sentiment = sentiment or message.sentiment
    message.updated_at = ctx.now()
    ctx.flush()
    return message_views(ctx, [message])[0]


@tool
def reply_to_message(ctx: Context, message_id: str, text: str | None = None, saved_reply_id: str | None = None) -> Any:
    """Answer a message in public or, to a direct one, in private."""
    me = writer(ctx)
    message = ctx.require(Message, message_id)
    channel = ctx.require(Channel, message.channel_id)
    if (text is None) == (saved_reply_id is None):
        ctx.fail("invalid", "Give either text or saved_reply_id.")
    if message.status == "closed":
        ctx.fail("conflict", f"Message {message.id} is closed; reopen it with update_message first.")
    if message.assignee_id not in (None, me.id):
        holder = ctx.require(Member, message.assignee_id)
        ctx.fail("conflict", f"Message {message.id} is with {holder.name}; assign it to yourself before you answer.")
    if saved_reply_id is not None:
        text = ctx.require(SavedReply, saved_reply_id).text.replace("{{name}}", message.author_name)
    assert text is not None
    require_connected(ctx, channel)
    require_length(ctx, channel, text)
    added = ctx.add(
        Response(id=ctx.new_id("rsp"), message_id=message.id, author_id=me.id, text=text, sent_at=ctx.now())
    )
    message.status, message.assignee_id = "answered", me.id
    message.answered_at = message.answered_at or ctx.now()
    message.updated_at = ctx.now()
    ctx.flush()
    return {"response": added.out(), "message": message_views(ctx, [message])[0]}


@tool
def list_saved_replies(ctx: Context, query: str | None = None) -> Any:
    """Prepared answers."""
    reader(ctx)
    where = [] if query is None else [contains(SavedReply.title, query) | contains(SavedReply.text, query)]
    return {"items": ctx.list(SavedReply, *where), "next_cursor": None}


@tool
def get_engagement_report(
    ctx: Context,
    group_by: str,
    channel_id: str | None = None,
    published_from: date | None = None,
    published_to: date | None = None,
) -> Any:
    """What people did with published posts, by channel, label, hashtag, weekday or hour."""
    reader(ctx)
    where: list[Any] = [col(Post.status) == "published"]
    if channel_id is not None:
        where.append(col(Post.channel_id) == ctx.require(Channel, channel_id).id)
    if published_from is not None:
        where.append(col(Post.published_at) >= datetime.combine(published_from, time.min, UTC))
    if published_to is not None:
        where.append(col(Post.published_at) <= datetime.combine(published_to, time.max, UTC))
    posts = ctx.list(Post, *where)
    groups: dict[str, list[Post]] = defaultdict(list)
    keys = _keys(ctx, group_by, posts)
    for post in posts:
        for name in keys(post):
            groups[name].append(post)
    items = [{"group": name, **_totals(group)} for name, group in groups.items()]
    items.sort(key=lambda item: (-item["engagement_percent"], item["group"]))
    return {"group_by": group_by, "items": items, "all": _totals(posts)}


def _keys(ctx: Context, group_by: str, posts: list[Post]) -> Callable[[Post], Iterable[str]]:
    """The groups to which a post belongs."""
    if group_by == "channel":
        channels = names(ctx, Channel, (post.channel_id for post in posts))
        return lambda post: [channels[post.channel_id]]
    if group_by == "label":
        labels = names(ctx, Label, (post.label_id for post in posts))
        return lambda post: [labels.get(post.label_id, "none")]
    if group_by == "hashtag":
        return lambda post: post.hashtags
    return lambda post: [_moment(group_by, post.published_at)] if post.published_at else []


def _moment(group_by: str, at: datetime) -> str:
    day, hour = WEEKDAYS[at.weekday()], f"{at.hour:02d}:00"
    return {"weekday": day, "hour": hour, "weekday_hour": f"{day} {hour}"}[group_by]


def _totals(posts: list[Post]) -> dict[str, Any]:
    seen, done = sum(post.impressions for post in posts), sum(engagements(post) for post in posts)
    return {
        "posts": len(posts),
        "impressions": seen,
        "likes": sum(post.likes for post in posts),
        "comments": sum(post.comments for post in posts),
        "shares": sum(post.shares for post in posts),
        "clicks": sum(post.clicks for post in posts),
        "engagements": done,
        "engagement_percent": percent(done, seen),
    }
