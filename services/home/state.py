"""What the home remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from engine.kit import Entity, field, key, ref

DEVICE_KINDS = ("light", "plug", "appliance", "thermostat", "lock", "blind", "sensor")
TRIGGERS = ("turns_on", "turns_off", "locks", "unlocks", "rises_above", "falls_below")
CATEGORIES = ("food", "drinks", "household", "pharmacy", "garden", "other")


class HomeEntity(Entity):
    """Base of the home's entities."""

    __service__ = "home"


class Member(HomeEntity, table=True):
    """Somebody with access; guests have a door code for some locks within a window."""

    id: str = key("mem")
    name: str = field("person", min_length=1, max_length=120)
    role: str = field("category", choices=("owner", "adult", "child", "guest"))
    email: str | None = field("email", default=None, unique=True, max_length=200)
    phone: str = field("phone", default="", max_length=40)
    code: str | None = field("code", default=None, max_length=8)
    lock_ids: list[str] = field("tags", default_factory=list)
    valid_from: datetime | None = field("datetime", default=None)
    valid_until: datetime | None = field("datetime", default=None)


class Device(HomeEntity, table=True):
    """A device and its state; what its kind does not have is ``None``."""

    id: str = key("dev")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    kind: str = field("category", choices=DEVICE_KINDS)
    room: str = field("place", max_length=60)
    model: str = field("name", default="", max_length=80)
    online: bool = field("flag", default=True)
    on: bool | None = field("flag", default=None)
    brightness: int | None = field("quantity", default=None, ge=1, le=100)
    colour: str | None = field("category", choices=("warm", "neutral", "cool"), default=None)
    programme: str | None = field("category", choices=("eco", "normal", "quick"), default=None)
    mode: str | None = field("category", choices=("off", "heat", "eco"), default=None)
    target: float | None = field("ratio", default=None, ge=5, le=30)
    locked: bool | None = field("flag", default=None)
    position: int | None = field("quantity", default=None, ge=0, le=100)
    reading: float | None = field("ratio", default=None)
    unit: str = field("category", default="", max_length=10)
    changed_at: datetime = field("datetime")


class Routine(HomeEntity, table=True):
    """A scene, a schedule or an automation: settings of devices that belong together."""

    id: str = key("rtn")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    kind: str = field("category", choices=("scene", "schedule", "automation"))
    enabled: bool = field("flag", default=True)
    actions: list[dict[str, Any]] = field("json", description="settings by device: device_id and properties")
    at: str | None = field("code", default=None, max_length=5, description="time of the day, HH:MM in UTC")
    days: list[str] = field("tags", default_factory=list)
    trigger_device_id: str | None = ref("home_device.id", default=None)
    trigger_when: str | None = field("category", choices=TRIGGERS, default=None)
    trigger_value: float | None = field("ratio", default=None)
    only_from: str | None = field("code", default=None, max_length=5)
    only_until: str | None = field("code", default=None, max_length=5)
    last_run_at: datetime | None = field("datetime", default=None)


class EnergyReading(HomeEntity, table=True):
    """What a device used on one day."""

    id: str = key("nrg")
    device_id: str = ref("home_device.id")
    day: date = field("date", index=True)
    kwh: float = field("ratio", ge=0)
    cost: Decimal = field("money", ge=0)
    currency: str = field("currency", default="GBP", max_length=3)


class Alert(HomeEntity, table=True):
    """Something that a device reports."""

    id: str = key("alr")
    device_id: str = ref("home_device.id")
    severity: str = field("category", choices=("info", "warning", "critical"))
    message: str = field("text", max_length=300)
    status: str = field("status", choices=("open", "in_progress", "resolved"), default="open")
    raised_at: datetime = field("datetime")


class Task(HomeEntity, table=True):
    """Upkeep, with the visit of a service where one comes."""

    id: str = key("tsk")
    title: str = field("title", min_length=1, max_length=150)
    notes: str = field("text", default="", max_length=1000)
    status: str = field("status", choices=("open", "scheduled", "done", "cancelled"), default="open")
    due_on: date = field("date")
    assignee_id: str = ref("home_member.id")
    device_id: str | None = ref("home_device.id", default=None)
    alert_id: str | None = ref("home_alert.id", default=None)
    visit_company: str | None = field("company", default=None, max_length=120)
    visit_at: datetime | None = field("datetime", default=None)
    repeat_days: int = field("quantity", default=0, ge=0, le=730)
    done_at: datetime | None = field("datetime", default=None)


class ShoppingItem(HomeEntity, table=True):
    """Something to buy, or bought."""

    id: str = key("shp")
    name: str = field("name", min_length=1, max_length=100)
    category: str = field("category", choices=CATEGORIES, default="other")
    quantity: int = field("quantity", default=1, ge=1, le=999)
    unit: str = field("category", default="", max_length=20)
    note: str = field("text", default="", max_length=200)
    bought: bool = field("flag", default=False)
    added_by_email: str = field("email", max_length=200)
    bought_by_email: str | None = field("email", default=None, max_length=200)
    bought_at: datetime | None = field("datetime", default=None)
