"""A service for the engine's own tests: every type of field, every kind of key and reference, one generic tool."""

from pathlib import Path

from engine.kit import Service

from . import seed, state, tools

service = Service(
    name="shop",
    title="Shop",
    domain="commerce",
    summary="A shop for tests.",
    entities=state.ENTITIES,
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
