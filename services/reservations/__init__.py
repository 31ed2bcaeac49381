"""Tables at restaurants: availability, bookings, deposits, waitlist, reviews."""

from pathlib import Path

from engine.kit import Service
from services.reservations import seed, state, tools

service = Service(
    name="reservations",
    title="Restaurant reservations",
    domain="travel and places",
    summary="Restaurants with free tables by date and party size, bookings with cancellation deadlines and deposits, "
    "waitlist, guests, favourites and reviews.",
    entities=[
        state.Restaurant,
        state.DiningTable,
        state.Guest,
        state.Booking,
        state.WaitlistEntry,
        state.Review,
        state.Favourite,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
