"""What may have been meant by a name that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST = 3
_ALIKE = 0.6


def nearest(name: str, known: Iterable[str], *, alike: float = _ALIKE) -> list[str]:
    """The names that are most like the one that was given, the nearest first; none where none is near.

    Args:
        alike: from 0 to 1, how much a name must be like it.
    """
    return difflib.get_close_matches(name, list(known), _MOST, alike)


def did_you_mean(name: str, known: Iterable[str], otherwise: str | None = None, *, alike: float = _ALIKE) -> str | None:
    """A hint for an error: ``did you mean a or b?``.

    Args:
        known: the names that there are.
        otherwise: what to say where none of them is near.
        alike: from 0 to 1, how much a name must be like the one that was given.
    """
    near = nearest(name, known, alike=alike)
    return f"did you mean {' or '.join(near)}?" if near else otherwise
