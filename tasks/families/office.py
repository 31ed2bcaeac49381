"""Where an office keeps what it writes down: the services that play such roles in finance and people."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

OFFICE_NOTES = tuple(name for name in NOTES if name not in _APART)
OFFICE_ENTRIES = tuple(name for name in ENTRIES if name not in _APART)
OFFICE_MESSAGES = tuple(name for name in MESSAGES if name not in _APART)


def names(d: Draft, count: int, kind: str = "") -> list[str]:
    """Different names of one word, with a kind behind them: ``Larchmont Hall``."""
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault(d.draw.company().split()[0])
    return [f"{name} {kind}".strip() for name in found]
