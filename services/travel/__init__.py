"""Business travel: offers, trips, bookings, travellers and the company's travel policy."""

from pathlib import Path

from engine.kit import Service
from services.travel import seed, state, tools

service = Service(
    name="travel",
    title="Travel desk",
    domain="travel and places",
    summary="Business travel: search flights, trains and hotels, hold, confirm, ticket, change and cancel bookings in "
    "trips, traveller profiles, travel policy and approvals.",
    entities=[state.Traveller, state.PolicyRule, state.Offer, state.Trip, state.Booking],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
