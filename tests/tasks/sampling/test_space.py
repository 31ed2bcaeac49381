"""How much there is to sample from."""

from __future__ import annotations

import time
from math import comb

import pytest

from engine.library import Library
from tasks.sampling import space
from tests.tasks.sampling.test_patterns import REORDER, Told


def test_counts() -> None:
    library = Library()
    services = len(library.names())
    started = time.monotonic()
    found = space(library, [REORDER, Told({"a": ("mail",), "b": ("chat", "docs")}, [tuple("abababa")], "small")])
    assert time.monotonic() - started < 10  # about a second
    assert (found.services, found.pairs) == (services, services * (services - 1))
    assert 0 < found.edges <= found.pairs
    assert list(found.edges_by_type.values()) == sorted(found.edges_by_type.values(), reverse=True)
    five = next(item for item in found.sizes if item.count.size == 5)
    assert five.count.sets == comb(services, 5)
    assert five.published == comb(448, 5)
    assert five.walks[7] == 7_800
    first, small = found.families
    assert (small.assignments, small.compositions, small.by_size) == (2, 2, {2: 2})
    assert first.assignments == sum(first.by_size.values())
    assert found.assignments == first.assignments + small.assignments
    assert found.walks == found.assignments
    # mail and docs alone are no composition of the other family
    assert found.compositions == first.compositions + small.compositions == sum(found.compositions_by_size.values())


def test_published_figures() -> None:
    assert comb(448, 5) == pytest.approx(1.47e11, rel=0.01)
    assert comb(448, 7) == pytest.approx(6.86e14, rel=0.01)
