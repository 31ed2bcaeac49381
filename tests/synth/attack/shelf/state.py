"""Entities of the shelves."""

from __future__ import annotations

from datetime import datetime

from engine.kit import Entity, field, key, ref


class ShelfEntity(Entity):
    __service__ = "shelf"


class Shelf(ShelfEntity, table=True):
    id: str = key("shf")
    place: str = field("name", max_length=60, unique=True)


class Book(ShelfEntity, table=True):
    id: str = key("bok")
    shelf_id: str = ref("shelf_shelf.id")
    title: str = field("title", max_length=120)
    author: str | None = field("person", default=None, max_length=120)
    genre: str = field("category", choices=("science", "travel", "fiction"), default="fiction")
    signed: bool = field("flag", default=False)
    pages: int = field("quantity", ge=1, le=5000)
    state: str = field("status", choices=("in", "lent"), default="in")
    added_at: datetime = field("datetime")
