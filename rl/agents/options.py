"""Options of agents: which there are, and what is no value of one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from engine.errors import InputError
from engine.near import did_you_mean

_FOR_PROGRAMS = "client"
"""An option that is an object, which no command line can give."""


def see_names(agent: str, kind: Callable[..., Any], given: Iterable[str]) -> None:
    """See that an agent has the options that it is given.

    Args:
        kind: its class.

    Raises:
        InputError: it lacks one.
    """
    known = list(inspect.signature(kind).parameters)
    for name in given:
        if name not in known:
            shown = [item for item in known if item != _FOR_PROGRAMS]
            raise InputError(
                f"agent {agent} has no option {name!r}; it has {', '.join(shown) or 'none'}",
                hint=did_you_mean(name, shown),
            )


def see_texts(**values: object) -> None:
    """See that options are texts, where they are given.

    Raises:
        InputError: one is not.
    """
    for name, value in values.items():
        if value is not None and not isinstance(value, str):
            raise InputError(f"{name} is a text, not {value!r}")


def see_whole(**values: object) -> None:
    """See that options are whole numbers above 0.

    Raises:
        InputError: one is not.
    """
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**31:
            raise InputError(f"{name} is a whole number above 0, not {value!r}")
