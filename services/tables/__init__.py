"""Database tables: bases, typed columns, validated rows, saved views, summaries."""

from pathlib import Path

from engine.kit import Service
from services.tables import seed, state, tools

service = Service(
    name="tables",
    title="Tables",
    domain="productivity",
    summary="Shared database tables with typed columns and validated rows: filters, saved views, summaries by group, "
    "replacing values in many rows, links between tables.",
    entities=[
        state.Base,
        state.Collaborator,
        state.Table,
        state.Column,
        state.Row,
        state.View,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
