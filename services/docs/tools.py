"""The wiki's tools, each in the module of its subject."""

from services.docs.commenting import create_comment, list_comments, resolve_comment
from services.docs.reading import get_page, list_page_versions, list_pages, search_pages
from services.docs.spaces import create_space, get_space, list_spaces, set_space_member
from services.docs.writing import (
    create_page,
    delete_page,
    move_page,
    restore_page_version,
    set_page_permission,
    set_page_status,
    update_page,
)

__all__ = [
    "create_comment",
    "create_page",
    "create_space",
    "delete_page",
    "get_page",
    "get_space",
    "list_comments",
    "list_page_versions",
    "list_pages",
    "list_spaces",
    "move_page",
    "resolve_comment",
    "restore_page_version",
    "search_pages",
    "set_page_permission",
    "set_page_status",
    "set_space_member",
    "update_page",
]
