"""What is drawn where services or walk are left open."""

from __future__ import annotations

import pytest

from engine.errors import InputError
from engine.library import Library
from tasks.modelled.choice import choose

LIBRARY = Library()


def test_what_is_given_stays() -> None:
    walk = ("docs", "mail", "docs", "mail", "docs", "mail", "docs")
    found = choose(LIBRARY, walk=walk, distractors=("chat",), seed=4)
    assert (found.services, found.walk, found.distractors, found.seed) == (("docs", "mail"), walk, ("chat",), 4)
    found = choose(LIBRARY, ("mail", "billing", "tickets", "docs"))
    assert set(found.services) == set(found.walk) == {"mail", "billing", "tickets", "docs"}
    assert not set(found.distractors) & set(found.services)
    assert "chat" not in choose(LIBRARY, distractors=("chat",), draw=3).services


def test_draws_are_repeated_and_differ() -> None:
    found = [choose(LIBRARY, draw=number) for number in (1, 2, 3, 1)]
    assert found[0] == found[3]
    assert len({item.walk for item in found}) == 3
    for item in found:
        assert 7 <= len(item.walk) <= 9 and len(item.services) in (4, 5) and len(item.distractors) in (2, 3)


@pytest.mark.parametrize(
    ("services", "walk", "said"),
    [
        (("nothing", "mail"), (), "nothing"),
        (("mail", "chat"), ("mail", "docs") * 4, "not the services given"),
    ],
)
def test_what_does_not_fit(services: tuple[str, ...], walk: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        choose(LIBRARY, services, walk)
