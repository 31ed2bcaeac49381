"""A household: devices, routines, energy, access, upkeep, shopping."""

from pathlib import Path

from engine.kit import Service
from services.home import seed, state, tools

service = Service(
    name="home",
    title="Smart home",
    domain="health and home",
    summary="The user's home: lights, heating, locks and other devices, scenes, schedules and automations, energy use, "
    "members and guests with door codes, maintenance tasks, alerts and the shopping list.",
    entities=[
        state.Member,
        state.Device,
        state.Routine,
        state.EnergyReading,
        state.Alert,
        state.Task,
        state.ShoppingItem,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
