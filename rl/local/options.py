"""How a generator writes: options, and what is wrong with them. Nothing is imported for it that takes long."""

from __future__ import annotations

from engine.errors import InputError


def check_options(batch: int, max_new_tokens: int, temperature: float, top_p: float) -> None:
    """Refuse options of a generator that are wrong.

    Raises:
        InputError: one is.
    """
    for name, whole in (("batch", batch), ("max_new_tokens", max_new_tokens)):
        if isinstance(whole, bool) or not isinstance(whole, int) or not 1 <= whole < 2**31:
            raise InputError(f"{name} is a whole number from 1, not {whole!r}")
    if isinstance(temperature, bool) or not isinstance(temperature, int | float) or not 0 <= temperature <= 100:
        raise InputError(f"temperature is a number from 0 to 100, not {temperature!r}")
    if isinstance(top_p, bool) or not isinstance(top_p, int | float) or not 0 < top_p <= 1:
        raise InputError(f"top_p is a number above 0 and up to 1, not {top_p!r}")
