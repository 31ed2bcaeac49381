"""Texts that match a regular expression: the same ones in every process, and never endlessly long ones."""

from __future__ import annotations

import random
import re
import string
from typing import Any

import rstr

_REPEATS = 8
"""How often more than it must what may be repeated is."""

_LARGEST = 4_000
_PLAIN = "".join(chr(code) for code in range(33, 127))


class _Maker(rstr.Rstr):
    """Sorts what it chooses from (the library has it in the order of a set), and counts what it makes."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._chance = chance
        self._left = _LARGEST
        self._cases = {
            **self._cases,
            "any": lambda _: self._chance.choice(string.ascii_lowercase),
            "not_literal": lambda code: self._chance.choice(_PLAIN.replace(chr(code), "")),
        }

    def _handle_in(self, value: Any) -> Any:
        negated = value[0][0].name.lower() == "negate"
        listed = [char for item in value[negated:] for char in self._handle_state(item)]
        if negated:
            listed = [char for char in _PLAIN if char not in listed]
        return self._chance.choice(sorted(set(listed)))

    def _handle_repeat(self, start_range: int, end_range: int, value: Any) -> str:
        times = self._chance.randint(start_range, min(end_range, start_range + _REPEATS))
        parts = []
        for _ in range(times):
            self._left -= 1
            if self._left < 0:
                raise OverflowError("too long")
            parts.append("".join(self._handle_state(item) for item in value))
        return "".join(parts)


def text_of(pattern: str, chance: random.Random) -> str | None:
    """A text of this form; ``None`` where none can be made."""
    try:
        return str(_Maker(chance).xeger(pattern))
    except (re.error, ValueError, LookupError, TypeError, OverflowError, RecursionError, AttributeError):
        return None
