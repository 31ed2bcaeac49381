"""What the social media desk remembers."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

POST_STATUSES = ("draft", "needs_approval", "scheduled", "published", "failed")
MESSAGE_STATUSES = ("new", "open", "answered", "closed")


class SocialEntity(Entity):
    """Base of the service's entities."""

    __service__ = "social"


class Member(SocialEntity, table=True):
    """A colleague on the desk: approvers release posts, authors write and answer, viewers read."""

    id: str = key("mem")
    name: str = field("person", max_length=120)
    email: str = field("email", unique=True, max_length=200)
    role: str = field("category", choices=("approver", "author", "viewer"))


class Channel(SocialEntity, table=True):
    """An account on a network and what the network allows."""

    id: str = key("chn")
    name: str = field("name", unique=True, max_length=80)
    network: str = field("category", choices=("microblog", "photo", "professional", "video"))
    handle: str = field("code", unique=True, max_length=40)
    status: str = field("status", choices=("connected", "disconnected"), default="connected")
    needs_approval: bool = field("flag", default=True)
    max_length: int = field("quantity", ge=1, description="characters of a post or answer")
    max_hashtags: int = field("quantity", ge=0)
    max_media: int = field("quantity", ge=0)
    requires_media: bool = field("flag", default=False)
    daily_limit: int = field("quantity", ge=1, description="posts scheduled or published on one day, UTC")
    followers: int = field("quantity", default=0, ge=0)


class Label(SocialEntity, table=True):
    """A marketing campaign to which posts belong."""

    id: str = key("lbl")
    name: str = field("name", unique=True, max_length=60)
    starts_on: date = field("date")
    ends_on: date = field("date")


class Media(SocialEntity, table=True):
    """A picture or film of the library."""

    id: str = key("med")
    name: str = field("title", max_length=120)
    kind: str = field("category", choices=("image", "video"))
    url: str = field("url", max_length=200)
    alt_text: str = field("text", default="", max_length=300)
    added_at: datetime = field("datetime")


class Post(SocialEntity, table=True):
    """Something said on a channel, or meant to be."""

    id: str = key("pst")
    channel_id: str = ref("social_channel.id")
    text: str = field("text", min_length=1, max_length=3000)
    hashtags: list[str] = field("tags", default_factory=list, description="in lower case, taken from the text")
    media_ids: list[str] = field("tags", default_factory=list)
    label_id: str | None = ref("social_label.id", default=None)
    status: str = field("status", choices=POST_STATUSES, default="draft", index=True)
    author_id: str = ref("social_member.id")
    editor_id: str = ref("social_member.id")
    approver_id: str | None = ref("social_member.id", default=None)
    review_note: str = field("text", default="", max_length=500)
    failure_reason: str = field("text", default="", max_length=300)
    scheduled_at: datetime | None = field("datetime", default=None)
    published_at: datetime | None = field("datetime", default=None)
    impressions: int = field("quantity", default=0, ge=0)
    likes: int = field("quantity", default=0, ge=0)
    comments: int = field("quantity", default=0, ge=0)
    shares: int = field("quantity", default=0, ge=0)
    clicks: int = field("quantity", default=0, ge=0)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class SavedReply(SocialEntity, table=True):
    """An answer prepared for many."""

    id: str = key("svr")
    title: str = field("title", unique=True, max_length=80)
    text: str = field("text", max_length=1000)


class Message(SocialEntity, table=True):
    """What somebody wrote to us or about us."""

    id: str = key("msg")
    channel_id: str = ref("social_channel.id")
    post_id: str | None = ref("social_post.id", default=None)
    kind: str = field("category", choices=("reply", "mention", "direct"))
    author_name: str = field("person", max_length=120)
    author_handle: str = field("code", max_length=40)
    text: str = field("text", max_length=3000)
    sentiment: str = field("category", choices=("positive", "neutral", "negative"), default="neutral")
    status: str = field("status", choices=MESSAGE_STATUSES, default="new", index=True)
    assignee_id: str | None = ref("social_member.id", default=None)
    received_at: datetime = field("datetime")
    answered_at: datetime | None = field("datetime", default=None, description="of the first answer")
    updated_at: datetime = field("datetime")


class Response(SocialEntity, table=True):
    """An answer that we gave to a message."""

    id: str = key("rsp")
    message_id: str = ref("social_message.id")
    author_id: str = ref("social_member.id")
    text: str = field("text", max_length=3000)
    sent_at: datetime = field("datetime")
