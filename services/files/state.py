"""What the file storage remembers."""

from __future__ import annotations

from datetime import datetime

from engine.kit import Entity, field, key, ref

ROLES = ("viewer", "commenter", "editor", "owner")
TEXT_TYPES = ("text/plain", "text/markdown", "text/csv", "application/json")
MEDIA_TYPES = (*TEXT_TYPES, "application/pdf", "image/jpeg", "image/svg+xml", "video/mp4", "application/zip")

MAX_CONTENT = 20_000
"""Characters of a file's text."""


class FilesEntity(Entity):
    """Base of the storage's entities."""

    __service__ = "files"


class Person(FilesEntity, table=True):
    """Somebody with whom things can be shared; a guest comes from another company and stores nothing."""

    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    company: str = field("company", max_length=120)
    guest: bool = field("flag")
    quota_bytes: int = field("quantity", default=0, ge=0)


class Item(FilesEntity, table=True):
    """A file or a folder; without parent it stands at the top of its owner's storage."""

    id: str = key("itm")
    kind: str = field("category", choices=("file", "folder"))
    parent_id: str | None = ref("files_item.id", default=None, on_delete="cascade")
    name: str = field("name", index=True, min_length=1, max_length=120)
    description: str = field("text", default="", max_length=500)
    media_type: str | None = field("category", default=None, choices=MEDIA_TYPES)
    content: str = field("text", default="", max_length=MAX_CONTENT)
    size_bytes: int = field("quantity", default=0, ge=0)
    version: int = field("quantity", default=0, ge=0)
    starred: bool = field("flag", default=False)
    owner_name: str = field("person", max_length=120)
    owner_email: str = field("email", max_length=200)
    trashed: bool = field("flag", default=False)
    trashed_at: datetime | None = field("datetime", default=None)
    trash_root: str | None = field("text", default=None, max_length=200, description="the item it was trashed with")
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class Version(FilesEntity, table=True):
    """What a file held once; all versions count towards the quota."""

    item_id: str = ref("files_item.id", key=True, on_delete="cascade")
    number: int = field("quantity", key=True, ge=1)
    content: str = field("text", default="", max_length=MAX_CONTENT)
    size_bytes: int = field("quantity", ge=0)
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    note: str = field("text", default="", max_length=300)
    created_at: datetime = field("datetime")


class Share(FilesEntity, table=True):
    """A person's role on an item and, if it is a folder, on all in it."""

    item_id: str = ref("files_item.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    role: str = field("category", choices=ROLES[:3])
    created_at: datetime = field("datetime")


class Link(FilesEntity, table=True):
    """An address under which anybody reaches an item until it expires."""

    id: str = key("lnk")
    item_id: str = ref("files_item.id", on_delete="cascade")
    url: str = field("url", unique=True, max_length=200)
    role: str = field("category", choices=ROLES[:3])
    expires_at: datetime | None = field("datetime", default=None)
    created_by_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Comment(FilesEntity, table=True):
    """A remark on a file."""

    id: str = key("cmt")
    item_id: str = ref("files_item.id", on_delete="cascade")
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    body: str = field("text", min_length=1, max_length=2000)
    created_at: datetime = field("datetime")
