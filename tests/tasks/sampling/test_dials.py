"""Dials: levels, mixes, what is refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from pydantic import ValidationError

from tasks.errors import SamplingError
from tasks.sampling import LEVELS, Dials


def test_levels_get_harder() -> None:
    easy, medium, hard = (Dials.level(level) for level in LEVELS if level != "short")
    assert medium == Dials(length=(7, 9))
    for dial in ("alike", "stale", "noise", "carried", "staleness"):
        values = [getattr(each, dial) for each in (easy, medium, hard)]
        assert values == sorted(values) and values[0] < values[2], dial
    for dial in ("length", "services", "distractors"):
        assert getattr(easy, dial)[1] < getattr(hard, dial)[1], dial


def test_as_json_and_back() -> None:
    for level in LEVELS:
        dials = Dials.level(level)
        assert Dials.read(json.loads(json.dumps(dials.document()))) == dials
    assert Dials.read({"noise": 0}).length == (7, 12)


def test_a_mix_is_seeded_and_varied() -> None:
    drawn = [Dials.drawn(random.Random(f"dials {number}")) for number in range(300)]
    assert drawn == [Dials.drawn(random.Random(f"dials {number}")) for number in range(300)]
    lengths = Counter(each.length for each in drawn)
    assert len(lengths) == 3
    assert (
        lengths[Dials.level("medium").length]
        > lengths[Dials.level("hard").length]
        > lengths[Dials.level("easy").length]
        > 20
    )
    assert len(set(drawn)) > 60


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"length": [6, 9]}, "length is from 7 to 12, not from 6 to 9"),
        ({"services": [5, 3]}, "dials.services: is from 5 to 3, which is nothing"),
        ({"services": [9, 9], "length": [7, 9]}, "9 visits come back to no service of 9"),
        ({"distractors": [0, 6]}, "distractors is from 0 to 5"),
        ({"alike": 30}, "the dial alike is a whole number from 3 to 8; not 30"),
        ({"staleness": 12}, "the dial staleness is a whole number from 0 to 11; not 12"),
        (
            {"services": "[4,6"},
            "the dial services is two whole numbers, the least and the most, such as [4, 6]; not '[4,6'",
        ),
        ({"domain": 3}, "the dial domain is a word; not 3"),
        ({"short": "perhaps"}, "the dial short is true or false; not 'perhaps'"),
        ({"noise": 5}, "from 0 to 4"),
        ({"hardness": 1}, "dials.hardness: "),
        ([], "dials: "),
    ],
)
def test_what_is_refused(given: Any, words: str) -> None:
    with pytest.raises(SamplingError) as caught:
        Dials.read(given)
    assert words in str(caught.value)


def test_no_such_level() -> None:
    with pytest.raises(SamplingError, match=r"there is no level 'brutal'.*easy, medium, hard"):
        Dials.level("brutal")


def test_frozen() -> None:
    with pytest.raises(ValidationError):
        Dials().noise = 4
    assert Dials().but(noise=4).noise == 4
    with pytest.raises(SamplingError, match="noise"):
        Dials().but(noise=9)
