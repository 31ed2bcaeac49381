"""What the wiki remembers."""

from __future__ import annotations

from datetime import datetime

from engine.kit import Entity, field, key, ref

ROLES = ("viewer", "editor", "admin")
STATUSES = ("draft", "published", "archived")

MAX_BODY = 20_000
"""Characters of a page."""


class DocsEntity(Entity):
    """Base of the wiki's entities."""

    __service__ = "docs"


class Person(DocsEntity, table=True):
    """Somebody with an account in the wiki."""

    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    team: str = field("category", max_length=40)


class Space(DocsEntity, table=True):
    """A part of the wiki with members of its own; an open one can be read by everybody."""

    id: str = key("spc")
    code: str = field("code", unique=True, max_length=10, pattern=r"^[A-Z][A-Z0-9]{1,9}$")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    description: str = field("text", default="", max_length=500)
    visibility: str = field("category", choices=("open", "private"), default="open")
    created_at: datetime = field("datetime")


class Member(DocsEntity, table=True):
    """A person's role in a space."""

    space_id: str = ref("docs_space.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    role: str = field("category", choices=ROLES)


class Page(DocsEntity, table=True):
    """A page as it stands; its text is that of its last version."""

    id: str = key("doc")
    space_id: str = ref("docs_space.id")
    parent_id: str | None = ref("docs_page.id", default=None)
    title: str = field("title", index=True, min_length=1, max_length=160)
    body: str = field("text", max_length=MAX_BODY)
    status: str = field("status", choices=STATUSES, default="draft")
    version: int = field("quantity", default=1, ge=1)
    labels: list[str] = field("tags", default_factory=list)
    restricted: bool = field("flag", default=False)
    owner_name: str = field("person", max_length=120)
    owner_email: str = field("email", max_length=200)
    superseded_by_id: str | None = ref("docs_page.id", default=None, on_delete="set null")
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")
    published_at: datetime | None = field("datetime", default=None)


class PageVersion(DocsEntity, table=True):
    """Title and text of a page as somebody left them."""

    page_id: str = ref("docs_page.id", key=True, on_delete="cascade")
    number: int = field("quantity", key=True, ge=1)
    title: str = field("title", max_length=160)
    body: str = field("text", max_length=MAX_BODY)
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    note: str = field("text", default="", max_length=300)
    created_at: datetime = field("datetime")


class PagePermission(DocsEntity, table=True):
    """Somebody who may see or edit a restricted page."""

    page_id: str = ref("docs_page.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    level: str = field("category", choices=("view", "edit"))


class Comment(DocsEntity, table=True):
    """A remark on a page, open until it is resolved."""

    id: str = key("cmt")
    page_id: str = ref("docs_page.id", on_delete="cascade")
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    body: str = field("text", min_length=1, max_length=4000)
    resolved: bool = field("flag", default=False)
    resolved_by_email: str | None = field("email", default=None, max_length=200)
    created_at: datetime = field("datetime")
