"""What one conversation with a model may cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.errors import InputError
from synth.models import Prices, Tokens


@dataclass(frozen=True)
class Budget:
    """Limits of one conversation; the first that is reached ends it.

    Attributes:
        turns: requests to the model.
        tokens: in and out, together.
        seconds: wall time, waiting for the model included.
        cost_usd: US dollars; needs a model whose prices are known, or prices.
        prices: of the model, where its list prices are not known or not those that are paid.
    """

    turns: int = 60
    tokens: int = 3_000_000
    seconds: float = 3_600.0
    cost_usd: float | None = None
    prices: Prices | None = None

    def __post_init__(self) -> None:
        for name in ("turns", "tokens", "seconds", "cost_usd"):
            value = getattr(self, name)
            if value is None and name == "cost_usd":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
                raise InputError(f"the budget's {name} is a number above 0, not {value!r}")


@dataclass
class Spent:
    """What a conversation has cost so far; ``cost_usd`` is ``None`` where the model's prices are not known."""

    prices: Prices | None
    turns: int = 0
    input: int = 0
    output: int = 0
    seconds: float = 0.0
    cost_usd: float | None = field(default=None)

    def __post_init__(self) -> None:
        if self.prices is not None and self.cost_usd is None:
            self.cost_usd = 0.0

    def add(self, tokens: Tokens) -> float | None:
        """Count one request; what it cost."""
        self.turns += 1
        self.input += tokens.input
        self.output += tokens.output
        if self.prices is None:
            return None
        cost = self.prices.cost(tokens)
        self.cost_usd = (self.cost_usd or 0.0) + cost
        return cost

    def beyond(self, budget: Budget) -> str | None:
        """Which limit is reached, in words; ``None``: none."""
        if self.turns >= budget.turns:
            return f"the budget of {budget.turns} turns is used up"
        if self.input + self.output >= budget.tokens:
            return f"the budget of {budget.tokens} tokens is used up"
        if self.seconds >= budget.seconds:
            return f"the budget of {budget.seconds:g} s is used up"
        if budget.cost_usd is not None and (self.cost_usd or 0.0) >= budget.cost_usd:
            return f"the budget of {budget.cost_usd:g} US dollars is used up"
        return None
