"""What the box office remembers."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

ROLES = ("door", "seller", "manager")
CURRENCIES = ("USD", "EUR", "GBP", "AUD", "CAD")


class EventsEntity(Entity):
    """Base of the box office's entities."""

    __service__ = "events"


class Event(EventsEntity, table=True):
    """An event; that it is sold out or past follows from tickets and clock."""

    id: str = key("evt")
    code: str = field("code", unique=True, max_length=20)
    number: int = field("quantity", ge=1)
    title: str = field("title", min_length=1, max_length=160)
    description: str = field("text", default="", max_length=3000)
    venue: str = field("place", min_length=1, max_length=120)
    city: str = field("place", min_length=1, max_length=80)
    starts_at: datetime = field("datetime")
    ends_at: datetime = field("datetime")
    status: str = field("status", choices=("draft", "on_sale", "cancelled"), default="draft")
    currency: str = field("currency", choices=CURRENCIES, default="USD")
    organizer_name: str = field("person", max_length=120)
    organizer_email: str = field("email", max_length=200)
    full_refund_days: int = field("quantity", default=14, ge=0, le=365)
    half_refund_days: int = field("quantity", default=7, ge=0, le=365)
    status_note: str = field("text", default="", max_length=500)
    created_at: datetime = field("datetime")


class Staff(EventsEntity, table=True):
    """Who works on an event."""

    event_id: str = ref("events_event.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    role: str = field("category", choices=ROLES)


class TicketType(EventsEntity, table=True):
    """A kind of ticket with its price, number and sale window."""

    id: str = key("tty")
    event_id: str = ref("events_event.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=80)
    price: Decimal = field("money", ge=0)
    capacity: int = field("quantity", ge=1, le=10_000)
    sold: int = field("quantity", default=0, ge=0)
    max_per_order: int = field("quantity", default=10, ge=1, le=20)
    sales_start: datetime = field("datetime")
    sales_end: datetime = field("datetime")


class DiscountCode(EventsEntity, table=True):
    """A code that makes an order cheaper."""

    id: str = key("dsc")
    event_id: str = ref("events_event.id", on_delete="cascade")
    code: str = field("code", max_length=20)
    kind: str = field("category", choices=("percent", "amount"))
    value: Decimal = field("money", ge=0)
    max_uses: int | None = field("quantity", default=None, ge=1)
    used: int = field("quantity", default=0, ge=0)
    valid_until: datetime | None = field("datetime", default=None)
    created_at: datetime = field("datetime")


class Order(EventsEntity, table=True):
    """A sale; its tickets are its attendees."""

    id: str = key("ord")
    code: str = field("code", unique=True, max_length=20)
    number: int = field("quantity", ge=1)
    event_id: str = ref("events_event.id")
    buyer_name: str = field("person", min_length=1, max_length=120)
    buyer_email: str = field("email", max_length=200)
    company: str | None = field("company", default=None, max_length=120)
    status: str = field("status", choices=("paid", "partly_refunded", "refunded"), default="paid")
    currency: str = field("currency", choices=CURRENCIES)
    subtotal: Decimal = field("money", ge=0)
    discount: Decimal = field("money", default=Decimal(0), ge=0)
    total: Decimal = field("money", ge=0)
    refunded: Decimal = field("money", default=Decimal(0), ge=0)
    discount_code: str | None = field("code", default=None, max_length=20)
    created_at: datetime = field("datetime")


class Attendee(EventsEntity, table=True):
    """A ticket and who comes with it."""

    id: str = key("att")
    code: str = field("code", unique=True, max_length=30)
    order_id: str = ref("events_order.id", on_delete="cascade")
    event_id: str = ref("events_event.id")
    ticket_type_id: str = ref("events_ticket_type.id")
    name: str = field("person", min_length=1, max_length=120)
    email: str = field("email", max_length=200)
    price_paid: Decimal = field("money", ge=0)
    status: str = field("status", choices=("valid", "checked_in", "refunded"), default="valid")
    checked_in_at: datetime | None = field("datetime", default=None)


class Refund(EventsEntity, table=True):
    """Money given back for tickets of an order."""

    id: str = key("rfd")
    order_id: str = ref("events_order.id", on_delete="cascade")
    tickets: int = field("quantity", ge=1)
    percent: int = field("quantity", ge=0, le=100)
    amount: Decimal = field("money", ge=0)
    reason: str = field("text", max_length=500)
    refunded_by_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class WaitlistEntry(EventsEntity, table=True):
    """Somebody who waits for tickets; an offer holds them for a while."""

    id: str = key("wle")
    event_id: str = ref("events_event.id", on_delete="cascade")
    ticket_type_id: str = ref("events_ticket_type.id", on_delete="cascade")
    name: str = field("person", min_length=1, max_length=120)
    email: str = field("email", max_length=200)
    quantity: int = field("quantity", ge=1, le=20)
    status: str = field("status", choices=("waiting", "offered", "converted", "closed"), default="waiting")
    offer_expires_at: datetime | None = field("datetime", default=None)
    created_at: datetime = field("datetime")
