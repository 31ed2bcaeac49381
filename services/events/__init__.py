"""Events and tickets: sales, discounts, refunds by policy, waitlists, check-in."""

from pathlib import Path

from engine.kit import Service
from services.events import seed, state, tools

service = Service(
    name="events",
    title="Events and tickets",
    domain="media and events",
    summary="Events with ticket types and sale windows, orders with attendees, discount codes, refunds by policy, "
    "waitlists, check-in and sales figures.",
    entities=[
        state.Event,
        state.Staff,
        state.TicketType,
        state.DiscountCode,
        state.Order,
        state.Attendee,
        state.Refund,
        state.WaitlistEntry,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
