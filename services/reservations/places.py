"""Tools for restaurants, free times, favourites and reviews."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.reservations.bookings import require_own
from services.reservations.state import Booking, DiningTable, Favourite, Restaurant, Review
from services.reservations.tables import WEEKDAYS, free, is_bookable, starts, tables, taken

MAX_FAVOURITES = 20


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _views(ctx: Context, restaurants: Sequence[Restaurant]) -> list[dict[str, Any]]:
    ids = {item.id for item in restaurants}
    sums = ctx.rows(
        select(col(Review.restaurant_id), func.count(), func.sum(col(Review.rating)))
        .where(col(Review.restaurant_id).in_(ids))
        .group_by(col(Review.restaurant_id))
        .order_by(col(Review.restaurant_id))
    )
    ratings = {restaurant_id: (count, round(int(total) / count, 2)) for restaurant_id, count, total in sums}
    liked = {item.restaurant_id for item in ctx.list(Favourite, Favourite.email == ctx.user.email)}
    return [
        item.out(without=("opens", "last_seating"))
        | {
            "opens": _clock(item.opens),
            "last_seating": _clock(item.last_seating),
            "rating": ratings.get(item.id, (0, None))[1],
            "review_count": ratings.get(item.id, (0, None))[0],
            "favourite": item.id in liked,
        }
        for item in restaurants
    ]


def _view(ctx: Context, restaurant: Restaurant) -> dict[str, Any]:
    return _views(ctx, [restaurant])[0] | {
        "tables": [item.out("id", "name", "seats", "area") for item in tables(ctx, [restaurant.id])]
    }


@tool
def search_restaurants(
    ctx: Context,
    query: str | None = None,
    cuisine: str | None = None,
    price_band: str | None = None,
    city: str | None = None,
    diet: str | None = None,
    open_on: date | None = None,
    party_size: int | None = None,
    favourite: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Restaurants that meet every filter, by name."""
    equal = ((Restaurant.cuisine, cuisine), (Restaurant.price_band, price_band), (Restaurant.city, city))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        fields = (Restaurant.name, Restaurant.description, Restaurant.address)
        where.append(contains(fields[0], query) | contains(fields[1], query) | contains(fields[2], query))
    if diet is not None:
        where.append(col(Restaurant.diets).contains([diet]))
    if open_on is not None:
        where.append(~col(Restaurant.closed_days).contains([WEEKDAYS[open_on.weekday()]]))
    if party_size is not None:
        large = select(col(DiningTable.restaurant_id)).where(col(DiningTable.seats) >= party_size)
        where.append(col(Restaurant.id).in_(large))
    if favourite is not None:
        liked = select(col(Favourite.restaurant_id)).where(col(Favourite.email) == ctx.user.email)
        where.append(col(Restaurant.id).in_(liked) if favourite else col(Restaurant.id).not_in(liked))
    page = ctx.page(Restaurant, *where, order_by=col(Restaurant.name), limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_restaurant(ctx: Context, restaurant_id: str) -> Any:
    """One restaurant with its tables."""
    return _view(ctx, ctx.require(Restaurant, restaurant_id))


@tool
def set_favourite(ctx: Context, restaurant_id: str, favourite: bool) -> Any:
    """Like a restaurant, or no longer."""
    restaurant = ctx.require(Restaurant, restaurant_id)
    known = ctx.get(Favourite, restaurant.id, ctx.user.email)
    if favourite and known is None:
        if ctx.count(Favourite, Favourite.email == ctx.user.email) >= MAX_FAVOURITES:
            ctx.fail("limit", f"You have {MAX_FAVOURITES} favourites, the most allowed; take one off first.")
        ctx.add(Favourite(restaurant_id=restaurant.id, email=ctx.user.email, added_at=ctx.now()))
    elif not favourite and known is not None:
        ctx.delete(known)
    return _view(ctx, restaurant)


@tool
def list_slots(ctx: Context, restaurant_id: str, date: date, party_size: int, area: str | None = None) -> Any:
    """Free times of a day."""
    restaurant = ctx.require(Restaurant, restaurant_id)
    offered: list[datetime] = [start for start in starts(restaurant, date) if is_bookable(ctx, start)]
    items: list[dict[str, Any]] = []
    if offered:
        candidates = tables(ctx, [restaurant.id])
        end = offered[-1] + timedelta(minutes=restaurant.dining_minutes)
        used = taken(ctx, [restaurant.id], offered[0], end)
        for start in offered:
            found = free(candidates, used, restaurant, start, party_size, area)
            if found:
                areas = sorted({item.area for item in found})
                items.append({"starts_at": start, "free_tables": len(found), "areas": areas})
    return {"items": items, "next_cursor": None}


@tool
def list_reviews(
    ctx: Context,
    restaurant_id: str | None = None,
    guest_id: str | None = None,
    rating: int | None = None,
    min_rating: int | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Reviews, latest first."""
    equal = ((Review.restaurant_id, restaurant_id), (Review.guest_id, guest_id), (Review.rating, rating))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if min_rating is not None:
        where.append(col(Review.rating) >= min_rating)
    return ctx.page(Review, *where, order_by=col(Review.created_at).desc(), limit=limit, cursor=cursor).out()


@tool
def create_review(ctx: Context, booking_id: str, rating: int, text: str = "") -> Any:
    """Say how a meal was."""
    booking = ctx.require(Booking, booking_id)
    require_own(ctx, booking)
    if booking.status != "finished":
        ctx.fail("conflict", f"Booking {booking.id} is {booking.status}; only finished meals can be reviewed.")
    if ctx.exists(Review, Review.booking_id == booking.id):
        ctx.fail("conflict", f"Booking {booking.id} has a review already; list_reviews shows it.")
    return ctx.add(
        Review(
            id=ctx.new_id("rev"),
            booking_id=booking.id,
            restaurant_id=booking.restaurant_id,
            guest_id=booking.guest_id,
            rating=rating,
            text=text,
            created_at=ctx.now(),
        )
    )
