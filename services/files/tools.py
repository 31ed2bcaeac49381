"""The storage's tools, each in the module of its subject."""

from services.files.reading import get_item, get_usage, list_items, list_versions
from services.files.sharing import create_comment, create_link, delete_link, list_comments, list_links, share_item
from services.files.trash import delete_item, restore_item, trash_item
from services.files.writing import copy_item, create_item, create_version, move_item, update_item

__all__ = [
    "copy_item",
    "create_comment",
    "create_item",
    "create_link",
    "create_version",
    "delete_item",
    "delete_link",
    "get_item",
    "get_usage",
    "list_comments",
    "list_items",
    "list_links",
    "list_versions",
    "move_item",
    "restore_item",
    "share_item",
    "trash_item",
    "update_item",
]
