"""The library's compatibility, made once."""

from __future__ import annotations

import pytest

from engine.library import Library
from tasks.sampling import Compatibility


@pytest.fixture(scope="session")
def compatibility() -> Compatibility:
    return Compatibility.of(Library())
