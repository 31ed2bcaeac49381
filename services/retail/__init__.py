"""Online shop: customers, their orders, the catalogue, and what customer service may change.

Its behaviour is that of a recorded real system, quirks included; ``conformance`` checks it against the
recordings.
"""

from pathlib import Path

from engine.kit import Service
from services.retail import seed, state, tools

service = Service(
    name="retail",
    title="Retail customer service",
    domain="commerce",
    summary="Customer service of an online shop: look up customers, products and orders; cancel or modify "
    "pending orders, return or exchange delivered items, change addresses and payment methods.",
    entities=state.ENTITIES,
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
