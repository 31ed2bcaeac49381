"""Where an office keeps what it writes down: the services that play such roles in finance and people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.families.roles import brands, but
from tasks.places import ENTRIES, MESSAGES, NOTES

if TYPE_CHECKING:
    from tasks.authoring import Draft

_APART = (
    "home",
    "tickets",
    "incidents",
    "code",
    "ci",
    "monitoring",
    "analytics",
    "clinic",
    "retail",
    "reservations",
    "social",
)
"""Nobody would look there for a contract or a rule, or note a payment there."""

OFFICE_NOTES = but(NOTES, *_APART)
OFFICE_ENTRIES = but(ENTRIES, *_APART)
OFFICE_MESSAGES = but(MESSAGES, *_APART)


def names(d: Draft, count: int, kind: str = "") -> list[str]:
    """Different names of one word, with a kind behind them: ``Larchmont Hall``."""
    return [f"{name} {kind}".strip() for name in brands(d, count)]
