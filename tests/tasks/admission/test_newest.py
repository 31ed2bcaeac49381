"""The right text is not always the newest of its kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tasks.admission.ground import Ground
from tasks.admission.newest import findings
from tasks.document import ReferenceCall


def _call(save: str, **arguments: Any) -> ReferenceCall:
    return ReferenceCall(service="desk", tool="find", arguments=arguments, save=save)


def _code(name: str) -> dict[str, str]:
    return {"$from": name, "path": "text", "match": r"code (\w+)"}


def _ground(days: dict[str, int], other_days: dict[str, int]) -> Ground:
    """A reference that finds the text of code A, then the one of sort A; both are among three of their kind."""
    insert = {
        "desk_note": [_row(f"It has code {code} now.", day) for code, day in days.items()],
        "desk_rule": [_row(f"It is of sort {sort} now.", day) for sort, day in other_days.items()],
    }
    sort = {"$from": "second", "path": "text", "match": r"sort (\w+)"}
    calls = [_call("first", word="Brightwater"), _call("second", word=_code("first")), _call("third", word=sort)]
    saved = {"first": {"text": "It has code A now."}, "second": {"text": "It is of sort A now."}}
    task = SimpleNamespace(task=SimpleNamespace(s0=SimpleNamespace(insert=insert)))
    made = SimpleNamespace(calls=calls, saved=saved, task=task, tables=lambda service: {"desk_note", "desk_rule"})
    return cast(Ground, made)


def _row(text: str, day: int) -> dict[str, Any]:
    return {"text": text, "author": "Mara", "written_at": f"2026-02-{day:02d}T09:00:00Z", "read_at": None}


def test_always_the_newest_is_refused() -> None:
    (finding,) = findings(_ground({"A": 9, "B": 8, "C": 7}, {"B": 3, "A": 20, "C": 5}))
    assert "(first, second) is the newest" in finding


@pytest.mark.parametrize(
    ("days", "other_days"),
    [
        ({"A": 9, "B": 8, "C": 7}, {"A": 3, "B": 20, "C": 5}),
        ({"A": 7, "B": 8, "C": 9}, {"A": 3, "B": 20, "C": 5}),
        ({"A": 9, "B": 8}, {"A": 20, "B": 3, "C": 5}),
    ],
    ids=["one of two", "none", "only one choice"],
)
def test_a_newer_one_of_the_kind_is_enough(days: dict[str, int], other_days: dict[str, int]) -> None:
    assert findings(_ground(days, other_days)) == []
