"""What the shipping desk remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from engine.kit import Entity, field, key, ref

STATUSES = ("created", "picked_up", "in_transit", "out_for_delivery", "delivered", "exception", "returned")
CLAIM_KINDS = ("damage", "loss", "delay")
CLAIM_STATUSES = ("draft", "submitted", "accepted", "rejected", "withdrawn")
EVIDENCE_KINDS = ("photo", "packing_list", "invoice", "delivery_note", "statement")


class ShippingEntity(Entity):
    """Base of the service's entities."""

    __service__ = "shipping"


class Address(ShippingEntity, table=True):
    """An entry of the address book."""

    id: str = key("adr")
    name: str = field("person", max_length=120)
    company: str = field("company", default="", max_length=120)
    email: str | None = field("email", default=None, max_length=200)
    phone: str = field("phone", default="", max_length=40)
    street: str = field("address", max_length=200)
    city: str = field("place", max_length=80)
    region: str = field("place", default="", max_length=40)
    postal_code: str = field("code", default="", max_length=20)
    country: str = field("place", max_length=2)
    notes: str = field("text", default="", max_length=300)
    valid: bool = field("flag")
    problem: str = field("text", default="", max_length=300)
    created_at: datetime = field("datetime")


class Carrier(ShippingEntity, table=True):
    """A company that carries parcels."""

    id: str = key("car")
    name: str = field("company", unique=True, max_length=80)
    prefix: str = field("code", unique=True, max_length=4, description="of its tracking numbers")
    claims_email: str = field("email", max_length=200)
    claim_days: int = field("quantity", ge=1, description="days after delivery in which a claim must be submitted")
    notes: str = field("text", default="", max_length=300)


class Rate(ShippingEntity, table=True):
    """What a carrier takes for a service level in a zone, for each parcel."""

    id: str = key("rat")
    carrier_id: str = ref("shipping_carrier.id")
    service_level: str = field("category", choices=("economy", "standard", "express", "freight"))
    zone: str = field("category", choices=("domestic", "europe", "world"))
    base_price: Decimal = field("money", ge=0)
    price_per_kg: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    max_weight_grams: int = field("quantity", ge=1, description="of one parcel")
    transit_days: int = field("quantity", ge=0)


class Shipment(ShippingEntity, table=True):
    """Parcels that go from one address to another."""

    id: str = key("shp")
    number: str = field("code", unique=True, max_length=40)
    direction: str = field("category", choices=("outbound", "return"), default="outbound")
    return_of_id: str | None = ref("shipping_shipment.id", default=None)
    from_address_id: str = ref("shipping_address.id")
    to_address_id: str = ref("shipping_address.id")
    customer: str = field("company", default="", max_length=120)
    parcels: list[dict[str, Any]] = field("json", description="weight_grams, length_cm, width_cm, height_cm, contents")
    declared_value: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    notes: str = field("text", default="", max_length=500)
    status: str = field("status", choices=STATUSES, default="created", index=True)
    label_status: str = field("status", choices=("none", "bought", "voided"), default="none")
    rate_id: str | None = ref("shipping_rate.id", default=None)
    carrier_id: str | None = ref("shipping_carrier.id", default=None)
    tracking_number: str | None = field("code", default=None, max_length=40)
    label_price: Decimal | None = field("money", default=None, ge=0)
    label_currency: str | None = field("currency", default=None, max_length=3)
    label_bought_at: datetime | None = field("datetime", default=None)
    promised_on: date | None = field("date", default=None)
    delivered_on: date | None = field("date", default=None)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class TrackingEvent(ShippingEntity, table=True):
    """Something that happened to a shipment on its way."""

    id: str = key("trk")
    shipment_id: str = ref("shipping_shipment.id")
    status: str = field("status", choices=STATUSES)
    place: str = field("place", default="", max_length=120)
    note: str = field("text", default="", max_length=500)
    happened_at: datetime = field("datetime")


class CustomsDeclaration(ShippingEntity, table=True):
    """What customs is told of an international shipment."""

    shipment_id: str = ref("shipping_shipment.id", key=True)
    purpose: str = field("category", choices=("sale", "sample", "return", "repair"))
    incoterm: str = field("category", choices=("DAP", "DDP"))
    items: list[dict[str, Any]] = field("json", description="description, hs_code, quantity, unit_value, origin")
    total_value: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    declared_at: datetime = field("datetime")


class Pickup(ShippingEntity, table=True):
    """A carrier's visit to fetch shipments."""

    id: str = key("pck")
    carrier_id: str = ref("shipping_carrier.id")
    address_id: str = ref("shipping_address.id")
    shipment_ids: list[str] = field("tags")
    pickup_date: date = field("date")
    window: str = field("category", choices=("morning", "afternoon"))
    status: str = field("status", choices=("scheduled", "collected", "cancelled"), default="scheduled")
    instructions: str = field("text", default="", max_length=300)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Claim(ShippingEntity, table=True):
    """A demand on a carrier for what happened to a shipment."""

    id: str = key("clm")
    shipment_id: str = ref("shipping_shipment.id")
    kind: str = field("category", choices=CLAIM_KINDS)
    amount: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    description: str = field("text", max_length=2000)
    evidence: list[dict[str, Any]] = field("json", description="kind, name, note, added_on")
    status: str = field("status", choices=CLAIM_STATUSES, default="draft", index=True)
    deadline: date = field("date", index=True)
    carrier_reference: str | None = field("code", default=None, max_length=40)
    approved_amount: Decimal | None = field("money", default=None, ge=0)
    decision_note: str = field("text", default="", max_length=500)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    submitted_at: datetime | None = field("datetime", default=None)
    decided_at: datetime | None = field("datetime", default=None)
