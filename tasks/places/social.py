"""The social media desk as a place of scenarios: labels, posts, and what people write to us."""

from __future__ import annotations

from datetime import datetime

from engine.kit.cast import Person
from services.social.rules import hashtags_of
from tasks.authoring.draft import Draft

AUTHORS: tuple[str, ...] = ("oscar", "priya", "jonah", "hana", "luis", "amara", "ruth")
"""Colleagues other than the user who write posts."""


def label(d: Draft, name: str, first: int = -10, last: int = 50) -> str:
    """Plant a label, from and to so many days after the start; gives the id."""
    key = d.key("lbl")
    d.plant("social_label", id=key, name=name, starts_on=d.on(first), ends_on=d.on(last))
    return key


def post(
    d: Draft,
    text: str,
    *,
    channel: str = "chn_notes",
    author: str = "oscar",
    status: str = "draft",
    at: datetime | None = None,
    media: tuple[str, ...] = (),
    label_id: str | None = None,
    note: str = "",
    days_ago: int = 2,
    minute: int = 0,
    seen: int = 0,
) -> str:
    """Plant a post, written at a minute of a day; a published one needs its time and what it reached. Gives the id."""
    key, published = d.key("pst"), status == "published"
    done = seen * d.rng.randint(3, 9) // 100 if published else 0
    d.plant(
        "social_post",
        id=key,
        channel_id=channel,
        text=text,
        hashtags=hashtags_of(text),
        media_ids=list(media),
        label_id=label_id,
        status=status,
        author_id=f"mem_{author}",
        editor_id=f"mem_{author}",
        review_note=note,
        scheduled_at=at,
        published_at=at if published else None,
        impressions=seen if published else 0,
        likes=done * 6 // 10,
        clicks=done - done * 6 // 10,
        created_at=d.ago(days_ago + 1, 14, minute),
        updated_at=d.ago(days_ago, 14),
    )
    return key


def message(
    d: Draft,
    who: Person,
    text: str,
    *,
    channel: str = "chn_notes",
    post_id: str | None = None,
    kind: str = "reply",
    sentiment: str = "neutral",
    status: str = "new",
    assignee: str | None = None,
    at: datetime | None = None,
) -> str:
    """Plant what somebody wrote to us; gives the id."""
    key, when = d.key("msg"), at or d.ago(1, 10, d.rng.randrange(60))
    d.plant(
        "social_message",
        id=key,
        channel_id=channel,
        post_id=post_id,
        kind=kind,
        author_name=who.name,
        author_handle="@" + who.handle.replace(".", "_"),
        text=text,
        sentiment=sentiment,
        status=status,
        assignee_id=f"mem_{assignee}" if assignee else None,
        received_at=when,
        updated_at=when,
    )
    return key
