"""How far a rollout may go."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.errors import InputError


@dataclass(frozen=True)
class Limits:
    """The limits of each rollout of a group; ``None`` sets none.

    Attributes:
        steps: uses of a meta-tool, whatever it gave.
        tokens: input and output of all requests together.
        seconds: wall time, without what was waited for that is not the agent's: a world model, a place in a batch.
    """

    steps: int | None = 100
    tokens: int | None = 2_000_000
    seconds: float | None = 1800.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            wanted = int | float if name == "seconds" else int
            if value is not None and (isinstance(value, bool) or not isinstance(value, wanted) or not value > 0):
                raise InputError(f"the limit of {name} is a number above 0, not {value!r}")
            if value is not None and value > 2**53:
                raise InputError(f"the limit of {name} is too large: {value!r}")

    def as_json(self) -> dict[str, Any]:
        """As it is kept in the catalog."""
        return asdict(self)
