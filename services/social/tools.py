"""The tools of the social media desk."""

from services.social.inbox import (
    get_engagement_report,
    get_message,
    list_messages,
    list_saved_replies,
    reply_to_message,
    update_message,
)
from services.social.posts import (
    approve_post,
    create_post,
    delete_post,
    get_post,
    list_channels,
    list_labels,
    list_media,
    list_posts,
    publish_post,
    reject_post,
    submit_post,
    update_post,
)

__all__ = [
    "approve_post",
    "create_post",
    "delete_post",
    "get_engagement_report",
    "get_message",
    "get_post",
    "list_channels",
    "list_labels",
    "list_media",
    "list_messages",
    "list_posts",
    "list_saved_replies",
    "publish_post",
    "reject_post",
    "reply_to_message",
    "submit_post",
    "update_message",
    "update_post",
]
