"""Exceptions that cross from one process to another."""

from __future__ import annotations

import pickle

import pytest

import engine.errors
import synth.errors
from engine.errors import EntityInvalid, ToolError

pytestmark = pytest.mark.unit

CLASSES: set[type[Exception]] = {
    kind
    for module in (engine.errors, synth.errors)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def _made(kind: type[Exception]) -> Exception:
    if kind is EntityInvalid:
        return EntityInvalid("Loan", {"due": "is late"}, row="7", mistake=True)
    if kind is ToolError:
        return ToolError("limit", "Too many.", most=3)
    return kind("wrong", "try again")


@pytest.mark.parametrize("kind", sorted(CLASSES, key=str))
def test_every_exception_survives_pickle(kind: type[Exception]) -> None:
    error = _made(kind)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), vars(again)) == (str(error), vars(error))
