"""Tools for traveller profiles and the policy."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import HOME_COMPANY, Context, contains, tool
from services.travel.state import PolicyRule, Traveller
from services.travel.views import bookable, traveller_view

_KEEP: Any = object()
"""Stands for an argument that was left out, where null means something else."""


@tool
def list_travellers(
    ctx: Context,
    query: str | None = None,
    email: str | None = None,
    company: str | None = None,
    bookable: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Profiles by name."""
    where: list[Any] = []
    if query is not None:
        where.append(contains(Traveller.name, query) | contains(Traveller.email, query))
    if email is not None:
        where.append(Traveller.email == email)
    if company is not None:
        where.append(Traveller.company == company)
    if bookable is not None:
        mine = or_(col(Traveller.email) == ctx.user.email, col(Traveller.arranger_email) == ctx.user.email)
        where.append(mine if bookable else ~mine)
    page = ctx.page(Traveller, *where, order_by=col(Traveller.name), limit=limit, cursor=cursor)
    return {"items": [traveller_view(ctx, item) for item in page.items], "next_cursor": page.next_cursor}


@tool
def get_traveller(ctx: Context, traveller_id: str) -> Any:
    """One profile."""
    return traveller_view(ctx, ctx.require(Traveller, traveller_id))


@tool
def create_traveller(
    ctx: Context,
    name: str,
    email: str,
    company: str = HOME_COMPANY,
    phone: str = "",
    passport_number: str | None = None,
    passport_expires_on: date | None = None,
    frequent_flyer_number: str | None = None,
    railcard_number: str | None = None,
    seat_preference: str = "none",
    meal: str = "standard",
) -> Any:
    """Add a profile that the user arranges for."""
    if ctx.exists(Traveller, Traveller.email == email):
        ctx.fail("conflict", f"{email} has a profile already; list_travellers finds it by email.")
    made = Traveller(
        id=ctx.new_id("trv"),
        name=name,
        email=email,
        company=company,
        arranger_email=ctx.user.email,
        phone=phone,
        passport_number=passport_number,
        passport_expires_on=passport_expires_on,
        frequent_flyer_number=frequent_flyer_number,
        railcard_number=railcard_number,
        seat_preference=seat_preference,
        meal=meal,
    )
    return traveller_view(ctx, ctx.add(made))


@tool
def update_traveller(
    ctx: Context,
    traveller_id: str,
    name: str = _KEEP,
    phone: str = _KEEP,
    passport_number: str | None = _KEEP,
    passport_expires_on: date | None = _KEEP,
    frequent_flyer_number: str | None = _KEEP,
    railcard_number: str | None = _KEEP,
    seat_preference: str = _KEEP,
    meal: str = _KEEP,
) -> Any:
    """Change a profile."""
    traveller = ctx.require(Traveller, traveller_id)
    if not bookable(ctx, traveller):
        ctx.fail("forbidden", f"Only {traveller.name} or {traveller.arranger_email} may change this profile.")
    given = {
        "name": name,
        "phone": phone,
        "passport_number": passport_number,
        "passport_expires_on": passport_expires_on,
        "frequent_flyer_number": frequent_flyer_number,
        "railcard_number": railcard_number,
        "seat_preference": seat_preference,
        "meal": meal,
    }
    for field, value in given.items():
        if value is not _KEEP:
            setattr(traveller, field, value)
    return traveller_view(ctx, traveller)


@tool
def list_policy_rules(ctx: Context, kind: str | None = None, city: str | None = None) -> Any:
    """The travel policy."""
    where: list[Any] = []
    if kind is not None:
        where.append(PolicyRule.kind == kind)
    if city is not None:
        where.append(PolicyRule.city == city)
    return {"items": ctx.list(PolicyRule, *where), "next_cursor": None}
