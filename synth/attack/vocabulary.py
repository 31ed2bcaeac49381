"""The words by which the attack reads names: ``vocabulary.yaml``, loaded once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml


@cache
def _lists() -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return found


def vocabulary(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(_lists()[name].split())


def ordered(name: str) -> tuple[str, ...]:
    """The words of a list in its order."""
    return tuple(_lists()[name].split())
