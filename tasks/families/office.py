"""Where people of an office leave texts and make records: all such places but those of engineers and of a household."""

from __future__ import annotations

from tasks.places import ENTRIES, NOTES

_ELSEWHERE = frozenset({"home", "incidents", "code"})

OFFICE_NOTES: tuple[str, ...] = tuple(sorted(NOTES.keys() - _ELSEWHERE))
"""Services that hold texts."""

OFFICE_ENTRIES: tuple[str, ...] = tuple(sorted(ENTRIES.keys() - _ELSEWHERE))
"""Services that take new records."""
