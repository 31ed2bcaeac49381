"""Where an office keeps what it writes down: the services that play such roles in finance and people."""

from __future__ import annotations

from tasks.places import ENTRIES, MESSAGES, NOTES

_APART = ("home", "incidents", "code", "ci", "monitoring", "analytics", "clinic", "retail", "reservations", "social")
"""Nobody would look there for a contract or a rule, or note a payment there."""

OFFICE_NOTES = tuple(name for name in NOTES if name not in _APART)
OFFICE_ENTRIES = tuple(name for name in ENTRIES if name not in _APART)
OFFICE_MESSAGES = tuple(name for name in MESSAGES if name not in _APART)
