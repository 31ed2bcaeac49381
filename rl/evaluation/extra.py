"""Packages of the extra ``plots``, imported where they are used."""

from __future__ import annotations

from types import ModuleType

from engine.errors import InputError


def needed(module: str) -> ModuleType:
    """A module of the extra.

    Raises:
        InputError: the extra is not installed.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise InputError(
            f"plots and reports need the package {error.name}", hint="pip install 'compoworld[plots]'"
        ) from None
