"""A backend of hypothesis that draws from one seeded generator, so that a test lives the same lives everywhere.

``derandomize`` does not do that: the default backend also draws constants that it finds in the modules loaded so far.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider

NAME = "compoworld-seeded"


class Seeded(PrimitiveProvider):
    """Draws booleans and bounded integers, which is all that a state machine over integers asks for."""

    def __init__(self, data: Any, /) -> None:
        super().__init__(data)
        self._random = Random(0)

    def draw_boolean(self, p: float = 0.5) -> bool:
        return self._random.random() < p

    def draw_integer(self, min_value: int | None = None, max_value: int | None = None, **_: Any) -> int:
        assert min_value is not None and max_value is not None
        return self._random.randint(min_value, max_value)

    def draw_float(self, **_: Any) -> float:
        raise NotImplementedError

    def draw_string(self, *_: Any, **__: Any) -> str:
        raise NotImplementedError

    def draw_bytes(self, *_: Any, **__: Any) -> bytes:
        raise NotImplementedError


AVAILABLE_PROVIDERS[NAME] = Seeded
