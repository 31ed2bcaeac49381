"""Tools in quarantine: the calls that show why can be made again."""

from __future__ import annotations

import pytest

from engine.database import Database
from engine.errors import NotFound
from synth.builds import current_build, keep_build
from synth.ingest.store import stored
from synth.quarantine import held, tried
from tests.synth.desk import census, shelved


def test_the_cases(ready: Database) -> None:
    (found,) = held(ready)
    assert (found["service"], found["tool"]) == ("wrong_loans", "delete_loan")
    case = found["cases"][0]
    assert case["law"] in found["reason"] and case["expected"] and case["found"]
    assert case["steps"][-1]["tool"]
    assert held(ready, "wrong_loans", "delete_loan") == [found] == held(ready, "wrong_loans")
    assert held(ready, "loans") == []
    with pytest.raises(NotFound, match=r"loans.get_loan is not in quarantine"):
        held(ready, "loans", "get_loan")


def test_they_fail_again_and_leave_nothing(ready: Database) -> None:
    before = census(ready)
    found = held(ready)
    again = tried(shelved(ready), found)
    assert again == {("wrong_loans", "delete_loan", place): True for place in range(len(found[0]["cases"]))}
    assert census(ready) == before


def test_what_is_mended_does_not_fail(copied: Database) -> None:
    found = held(copied)
    item = next(item for item in stored(copied) if item.spec.name == "wrong_loans")
    build = current_build(copied, "wrong_loans")
    assert build is not None
    mended = build.files["tools.py"].replace(
        '    """delete_loan"""\n    return _loan_records.get(',
        '    """delete_loan"""\n    return _loan_records.delete(',
    )
    assert mended != build.files["tools.py"]
    keep_build(
        copied,
        spec_id=item.id,
        spec_digest=item.digest,
        builder="compiler",
        version=build.builder_version,
        files={**build.files, "tools.py": mended},
        tools={},
        entities=1,
        seconds=0.0,
    )
    assert set(tried(shelved(copied), found).values()) == {False}
    # The verdicts are those of the build before.
    assert held(copied) == []
