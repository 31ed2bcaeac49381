"""A generated service beside trusted ones: composed, seeded, called, replayed, each composition in its own sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.database import Database
from engine.errors import NotFound
from engine.library import Library
from engine.verifiers import Criterion
from engine.world import World
from synth.sandbox.sandboxed import Sandboxed
from tests.conftest import fresh_database
from tests.synth.sandbox import notebook
from tests.synth.sandbox.conftest import LIMITS, left_behind


@pytest.fixture
def together(server_url: str, sandboxed: None) -> Iterator[World]:
    """A world in which the notebook stands beside the library."""
    with fresh_database(server_url) as url:
        database = Database(url).open()
        with Sandboxed(database, notebook.NAME, notebook.files("while True: pass"), LIMITS) as code:
            yield World(database, Library([code.service]))
        with World(database) as world:
            assert {kind for kind, _ in left_behind(world)} & {"role", "sandbox", "call"} == set()


def test_one_rollout_uses_both(together: World) -> None:
    composition = together.compose("notebook", "contacts")
    branch = composition.snapshot().fork()
    assert branch.call("contacts", "list_companies").ok
    added = branch.call("notebook", "add_note", title="Depot")
    assert (added.event, added.changes) == (2, 1)
    assert branch.call("notebook", "get_note", note_id=added.data["id"]).data["title"] == "Depot"
    assert branch.call("notebook", "get_note").outcome == "invalid"
    assert branch.call("notebook", "nonsense").outcome == "unknown"
    assert [event.service for event in branch.events()] == ["contacts", "notebook", "notebook", "notebook", "notebook"]
    (check,) = branch.verify([Criterion("note", "state", "A note", "SELECT count(*) = 4 AS passed FROM notebook_note")])
    assert check.passed
    rows = branch.rows(composition.entity("notebook_note"))
    assert "Depot" in [row.values()["title"] for row in rows]
    report = branch.replay()
    assert report.same, report
    assert branch.fork(at=1).call("notebook", "add_note", title="Depot").observation == added.observation


def test_code_that_is_stopped_is_a_fault(together: World) -> None:
    branch = together.compose("notebook").snapshot().fork()
    result = branch.call("notebook", "probe")
    assert result.outcome == "fault"
    assert "in time" in str(result.detail)
    assert branch.call("notebook", "list_notes").ok
    assert [event.outcome for event in branch.events()] == ["fault", "ok"]


def test_each_composition_has_its_own_sandbox(together: World) -> None:
    one = together.compose("notebook").snapshot().fork()
    two = together.compose("notebook", "mail").snapshot().fork()
    for branch in (one, two, one):
        assert branch.call("notebook", "add_note", title="Depot").ok
    assert (one.head(), two.head()) == (2, 1)


def test_a_composition_that_was_parked_comes_back(together: World) -> None:
    branch = together.compose("notebook").snapshot().fork()
    branch.composition.park()
    assert branch.call("notebook", "list_notes").ok
    # While its sandbox is open it stays.
    assert not branch.composition.park()


def test_a_branch_that_is_gone(together: World) -> None:
    branch = together.compose("notebook").snapshot().fork()
    branch.delete()
    with pytest.raises(NotFound):
        branch.call("notebook", "list_notes")
