"""Entities of the toys."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref


class NotesEntity(Entity):
    __service__ = "notes"


class Note(NotesEntity, table=True):
    id: str = key("note")
    title: str = field("title", max_length=100)
    body: str = field("text", default="")
    owner: str = field("email")
    done: bool = field("flag", default=False)
    due: date | None = field("date", default=None)


class Tag(NotesEntity, table=True):
    note_id: str = ref("notes_note.id", key=True, on_delete="cascade")
    word: str = field("category", key=True, max_length=20)


class WeatherEntity(Entity):
    __service__ = "weather"


class Day(WeatherEntity, table=True):
    day: date = field("date", key=True)
    sky: str = field("text")


class ParcelsEntity(Entity):
    __service__ = "parcels"


class Parcel(ParcelsEntity, table=True):
    id: str = key("parcel")
    receiver: str = field("person", max_length=100)
    sent_at: datetime | None = field("datetime", default=None)
    price: Decimal = field("money", ge=0)
    status: str = field("status", choices=("packed", "sent", "lost"), default="packed")
