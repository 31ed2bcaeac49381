"""What tokens cost: prices that the user gives, else the list prices that are known; no price, no cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from engine.errors import InputError
from synth.models import Prices, prices_of

_PARTS = ("input", "output", "cached", "written")
_SHAPE = "a line for each model: 'name: {input: 3, output: 15}', in US dollars for a million tokens"


class PriceList:
    """Prices by the model's name.

    Args:
        given: the user's, by the beginning of a model's name; the longest one that fits counts.
    """

    def __init__(self, given: Mapping[str, Prices] | None = None) -> None:
        self._given = dict(given or {})

    def of(self, model: str | None) -> Prices | None:
        """A model's prices; ``None`` where nobody knows them, and for no model."""
        if model is None:
            return None
        fitting = [name for name in self._given if model.startswith(name)]
        return self._given[max(fitting, key=len)] if fitting else prices_of(model)


def read_prices(path: Path) -> PriceList:
    """The prices in a YAML file.

    Raises:
        InputError: it cannot be read, or is not of that shape; the message says where.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"the prices in {str(path)!r} cannot be read: {reason}") from None
    except yaml.YAMLError as error:
        raise InputError(f"the prices in {str(path)!r} are not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict) or not content:
        raise InputError(f"{str(path)!r} gives no prices", hint=_SHAPE)
    return PriceList({str(name): _prices(f"{path}: {name}", value) for name, value in content.items()})


def _prices(place: str, value: Any) -> Prices:
    if not isinstance(value, dict) or not {"input", "output"} <= value.keys() <= {*_PARTS}:
        raise InputError(f"{place}: prices have input and output, and may have cached and written", hint=_SHAPE)
    for part, price in value.items():
        if isinstance(price, bool) or not isinstance(price, int | float) or not 0 <= price < 1e6:
            raise InputError(f"{place}: {part} is US dollars for a million tokens, not {price!r}")
    usual = Prices.usual(value["input"], value["output"])
    return Prices(usual.input, usual.output, value.get("cached", usual.cached), value.get("written", usual.written))
