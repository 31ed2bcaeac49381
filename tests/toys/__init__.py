"""Three tiny services and a task over them, for tests of tasks and rollouts."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from engine.kit import Seed, Service
from engine.kit.entity import Entity
from engine.library import Library
from tasks.document import Task
from tasks.files import read_task
from tests.toys import notes, parcels, state, weather

HERE = Path(__file__).parent


def _notes(seed: Seed) -> list[Entity]:
    return [
        state.Note(id="note_1", title="Call Femke", body="About the pallets", owner=seed.user.email),
        state.Note(id="note_2", title="Order tea", body="Green, two boxes", owner="hana.takeda@larkspur.example"),
        state.Tag(note_id="note_1", word="urgent"),
    ]


def _parcels(seed: Seed) -> list[Entity]:
    return [
        state.Parcel(id="parcel_1", receiver="Joost Mulder", sent_at=seed.at(-1), price=Decimal("12.50"), status="sent")
    ]


def library() -> Library:
    """The toys, beside the real services."""
    return Library(
        [
            Service(
                name="notes",
                title="Notes",
                domain="productivity",
                summary="Short notes.",
                entities=[state.Note, state.Tag],
                tools=notes,
                specification=HERE / "notes.json",
                seed=_notes,
            ),
            Service(
                name="parcels",
                title="Parcels",
                domain="operations",
                summary="Parcels that are sent.",
                entities=[state.Parcel],
                tools=parcels,
                specification=HERE / "parcels.json",
                seed=_parcels,
            ),
            Service(
                name="weather",
                title="Weather",
                domain="travel and places",
                summary="The weather.",
                entities=[state.Day],
                tools=weather,
                specification=HERE / "weather.json",
                seed=lambda seed: [state.Day(day=seed.at(0).date(), sky="grey")],
            ),
        ]
    )


def toy_task() -> Task:
    """The task in ``toy.yaml``."""
    return read_task(HERE / "toy.yaml")
