"""Tools for the address book and the carriers' rates."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.shipping.rules import price_of, problem_of, too_heavy, zone_between
from services.shipping.state import Address, Carrier, Rate, Shipment


@tool
def list_addresses(
    ctx: Context,
    query: str | None = None,
    company: str | None = None,
    country: str | None = None,
    email: str | None = None,
    valid: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Addresses that meet every filter."""
    equal = ((Address.company, company), (Address.country, country), (Address.email, email), (Address.valid, valid))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        texts = (Address.name, Address.company, Address.street, Address.city, Address.postal_code)
        where.append(or_(*(contains(text, query) for text in texts)))
    page = ctx.page(Address, *where, limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Address, *where)}


@tool
def create_address(
    ctx: Context,
    name: str,
    street: str,
    city: str,
    country: str,
    company: str = "",
    email: str | None = None,
    phone: str = "",
    region: str = "",
    postal_code: str = "",
    notes: str = "",
) -> Any:
    """Add an address, with word on whether it can be delivered to."""
    address = Address(
        id=ctx.new_id("adr"),
        name=name,
        company=company,
        email=email,
        phone=phone,
        street=street,
        city=city,
        region=region,
        postal_code=postal_code,
        country=country,
        notes=notes,
        valid=True,
        created_at=ctx.now(),
    )
    _validate(address)
    return ctx.add(address)


def _validate(address: Address) -> None:
    address.problem = problem_of(address)
    address.valid = not address.problem


@tool
def update_address(
    ctx: Context,
    address_id: str,
    name: str | None = None,
    company: str | None = None,
    email: str | None = "",
    phone: str | None = None,
    street: str | None = None,
    city: str | None = None,
    region: str | None = None,
    postal_code: str | None = None,
    country: str | None = None,
    notes: str | None = None,
) -> Any:
    """Correct an address to which no label has been bought."""
    address = ctx.require(Address, address_id)
    changes = {
        "name": name,
        "company": company,
        "phone": phone,
        "street": street,
        "city": city,
        "region": region,
        "postal_code": postal_code,
        "country": country,
        "notes": notes,
    }
    given: dict[str, Any] = {key: value for key, value in changes.items() if value is not None}
    if email != "":
        given["email"] = email
    if not given:
        ctx.fail("invalid", "Nothing to change: give at least one field.")
    here = or_(col(Shipment.from_address_id) == address.id, col(Shipment.to_address_id) == address.id)
    used = ctx.first(Shipment, here, col(Shipment.label_status) == "bought")
    if used is not None and given.keys() - {"email", "phone", "notes"}:
        ctx.fail(
            "conflict",
            f"The label of {used.number} shows address {address.id}; create another address, or void the label.",
        )
    for key, value in given.items():
        setattr(address, key, value)
    _validate(address)
    ctx.flush()
    return address


@tool
def list_rates(
    ctx: Context,
    shipment_id: str | None = None,
    carrier_id: str | None = None,
    service_level: str | None = None,
    zone: str | None = None,
) -> Any:
    """Rates that meet every filter; for a shipment with its prices, the cheapest first."""
    equal = ((Rate.carrier_id, carrier_id), (Rate.service_level, service_level), (Rate.zone, zone))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    shipment = ctx.require(Shipment, shipment_id) if shipment_id is not None else None
    if shipment is not None:
        where.append(col(Rate.zone) == zone_of(ctx, shipment))
    rates = ctx.list(Rate, *where)
    carriers = {item.id: item for item in ctx.list(Carrier)}
    if shipment is not None:
        rates = [rate for rate in rates if not too_heavy(rate, shipment.parcels)]
        rates.sort(key=lambda rate: (price_of(rate, shipment.parcels), rate.id))
    items = []
    for rate in rates:
        carrier = carriers[rate.carrier_id]
        view = rate.out() | {
            "carrier_name": carrier.name,
            "claim_days": carrier.claim_days,
            "carrier_notes": carrier.notes,
        }
        items.append(view if shipment is None else view | {"price": price_of(rate, shipment.parcels)})
    return {"items": items, "next_cursor": None}


def zone_of(ctx: Context, shipment: Shipment) -> str:
    """The zone of a shipment's way."""
    return zone_between(ctx.require(Address, shipment.from_address_id), ctx.require(Address, shipment.to_address_id))
