"""Shipping: shipments, rates and labels, tracking, pickups, customs, claims, returns."""

from pathlib import Path

from engine.kit import Service
from services.shipping import seed, state, tools

service = Service(
    name="shipping",
    title="Shipping",
    domain="operations",
    summary="Shipments with parcels, carriers' rates, labels, tracking, pickups, an address book, customs "
    "declarations, returns, and claims for damage, loss and delay.",
    entities=[
        state.Address,
        state.Carrier,
        state.Rate,
        state.Shipment,
        state.TrackingEvent,
        state.CustomsDeclaration,
        state.Pickup,
        state.Claim,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
