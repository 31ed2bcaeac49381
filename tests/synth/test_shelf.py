"""The library with what was built: offered once attacked, and only what held."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound
from engine.library import Library
from engine.verifiers import Criterion
from engine.world import World
from synth.pipeline import build_all, chosen
from synth.shelf import Shelf, code_version, quarantined
from tests.synth.desk import LOANS, ingested, shelved


def test_names(ready: Database) -> None:
    names = Shelf(ready).names()
    assert names == sorted(names) and {"mail", "loans", "wrong_loans"} <= set(names)
    assert not {"vague", "weather"} & set(names)


def test_only_what_held_is_offered(ready: Database) -> None:
    world = shelved(ready)
    service = world.library.get("wrong_loans")
    assert "delete_loan" not in service.offered(True) and "get_loan" in service.offered(True)
    assert "delete_loan" in service.withheld
    branch = world.compose("wrong_loans").snapshot().fork()
    assert branch.call("wrong_loans", "delete_loan", loan_id="loan_0001").outcome == "unknown"
    assert branch.call("wrong_loans", "list_loans").ok
    # What has no code is there for a world model only.
    assert branch.call("wrong_loans", "guess_tomorrow").outcome == "unknown"


def test_beside_the_library(ready: Database) -> None:
    world = shelved(ready)
    composition = world.compose("contacts", "loans")
    branch = composition.snapshot().fork()
    company = branch.call("contacts", "list_companies").data["items"][0]["name"]
    made = branch.call("loans", "create_loan", title=f"Ladder for {company}", days=3)
    assert (made.ok, made.changes) == (True, 1)
    assert branch.call("loans", "create_loan", days=3).outcome == "invalid"
    assert branch.call("loans", "get_loan", loan_id="loan_9").outcome == "error"
    assert [event.outcome for event in branch.events()] == ["ok", "ok", "invalid", "error"]
    criterion = Criterion(
        "ladder",
        "state",
        "A ladder is lent",
        "SELECT count(*) = 1 AS passed FROM loans_loan WHERE title LIKE 'Ladder%'",
    )
    (check,) = branch.verify([criterion])
    assert check.passed
    report = branch.replay()
    assert report.same, report
    assert branch.fork(at=1).call("loans", "create_loan", title=f"Ladder for {company}", days=3).data == made.data
    # Another process finds the composition again.
    assert shelved(ready).branch(branch.id).call("loans", "get_loan", loan_id=made.data["id"]).data == made.data


def test_built_but_not_attacked(desk: Database) -> None:
    ingested(desk, LOANS)
    build_all(desk.url, chosen(desk))
    shelf = Shelf(desk)
    assert "loans" in shelf.names()
    with pytest.raises(NotFound) as error:
        shelf.get("loans")
    assert error.value.message == "service 'loans' is built but not attacked yet"
    assert error.value.hint == "compoworld synth attack loans"
    with pytest.raises(NotFound, match="there is no service 'nothing'"):
        shelf.get("nothing")


def test_the_verdicts_of_a_version_hold_for_it_alone(copied: Database) -> None:
    with copied.transaction() as connection:
        connection.execute(
            text(
                "INSERT INTO compoworld.attack (service, version, seed, calls, seconds)"
                " VALUES ('mail', :version, 0, 1, 0)"
            ),
            {"version": code_version(World(copied).library.get("mail"))},
        )
        connection.execute(
            text(
                "INSERT INTO compoworld.attack_tool SELECT max(id), 'send_email', 'quarantined', 'it lies', 1, '{}'"
                " FROM compoworld.attack"
            )
        )
    assert quarantined(copied, "mail", "another version") is None
    whole = World(copied).library.get("mail").tools
    name = next(iter(whole))
    assert name in Shelf(copied).get("mail").offered(True)
    with copied.transaction() as connection:
        connection.execute(
            text("UPDATE compoworld.attack_tool SET tool = :name WHERE reason = 'it lies'"), {"name": name}
        )
    # No law was broken: its own tests speak for a tool of the library.
    assert Shelf(copied).get("mail").offered(True).keys() == whole.keys()
    with copied.transaction() as connection:
        connection.execute(
            text(
                "INSERT INTO compoworld.attack_case (attack_id, tool, ordinal, law, steps, about, expected, found)"
                " SELECT attack_id, tool, 1, 'no_fault', '[]', '{}', '', '' FROM compoworld.attack_tool"
                " WHERE reason = 'it lies'"
            )
        )
    held = Shelf(copied).get("mail")
    assert held.offered(True).keys() == whole.keys() - {name}
    # Compositions do not change with verdicts.
    assert Library().version(held) == Library().version(World(copied).library.get("mail"))
