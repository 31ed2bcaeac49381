"""Specifications in the database: put there once, known again, named once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound
from synth.ingest import GivenServer, ingest, store
from synth.specs import ServerSpec
from tests.synth.ingest.given import arguments, tool


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty catalog."""
    found = Database(database_url).open()
    yield found
    found.close()


def servers(*names: str, source: str = "a.json", tools: list[Any] | None = None, **more: Any) -> tuple[ServerSpec, ...]:
    listed = tools or [
        tool(arguments(b={"type": "str"}, a={}), "create-thing"),
        tool(arguments(), "get_thing"),
        {"name": ""},
    ]
    return ingest([GivenServer(name, source, source, listed, **more) for name in names]).servers


def rows(database: Database, table: str) -> list[Any]:
    with database.transaction() as connection:
        return list(connection.execute(text(f"SELECT * FROM compoworld.{table} ORDER BY 1, 2")))


def test_what_is_put_is_got(database: Database) -> None:
    (spec,) = servers("shelf")
    (stored,) = store.put(database, [spec])
    assert (stored.change, stored.spec) == ("new", spec)
    assert store.get(database, "shelf") == spec
    assert list(store.get(database, "shelf").tools[0].input_schema["properties"]) == ["b", "a"]
    assert [item.spec for item in store.stored(database)] == [spec]
    tools = [(row.ordinal, row.name, row.original_name, row.refused) for row in rows(database, "spec_tool")]
    assert tools == [
        (1, "create_thing", "create-thing", None),
        (2, "get_thing", "get_thing", None),
        (3, None, "tool 3", "it has no name"),
    ]
    assert rows(database, "spec_tool")[0].notes[0]["kind"] == "name"


def test_the_same_again_changes_nothing(database: Database) -> None:
    store.put(database, servers("shelf", "rack"))
    before = rows(database, "spec"), rows(database, "spec_tool")
    again = store.put(database, servers("shelf", "rack"))
    elsewhere = store.put(database, servers("shelf", "rack", source="copy/a.json"))
    assert [item.change for item in again + elsewhere] == ["unchanged"] * 4
    assert (rows(database, "spec"), rows(database, "spec_tool")) == before


def test_a_changed_server_keeps_name_and_number(database: Database) -> None:
    (first,) = store.put(database, servers("shelf"))
    (second,) = store.put(database, servers("shelf", tools=[tool(arguments(), "list_things")]))
    assert second.change == "changed" and second.id == first.id and second.digest != first.digest
    assert [item.name for item in store.get(database, "shelf").tools] == ["list_things"]
    assert [row.name for row in rows(database, "spec_tool")] == ["list_things"]


def test_another_judgement_is_no_other_server(database: Database) -> None:
    (first,) = store.put(database, servers("shelf"))
    (second,) = store.put(database, servers("shelf", decision="read_only"))
    assert second.change == "judged" and second.digest == first.digest
    assert not store.get(database, "shelf").application
    assert store.stored(database, applications=True) == []


def test_names_are_given_out_once(database: Database) -> None:
    store.put(database, servers("shelf"))
    (other,) = store.put(database, servers("Shelf", source="b.json", tools=[tool(arguments(), "get_other")]))
    assert other.spec.name == "shelf_2"
    assert store.get(database, "shelf_2").original_name == "Shelf"
    (again,) = store.put(database, servers("Shelf", source="b.json", tools=[tool(arguments(), "get_other")]))
    assert (again.change, again.spec.name) == ("unchanged", "shelf_2")


def test_who_is_near_is_called_as_in_the_database(database: Database) -> None:
    store.put(database, servers("shelf", tools=[tool(arguments(), "get_other")], source="b.json"))
    stored = store.put(database, servers("shelf", "rack"))
    assert {item.spec.name: item.spec.near for item in stored} == {"shelf_2": ("rack",), "rack": ("shelf_2",)}


def test_two_servers_of_one_name_in_one_source(database: Database) -> None:
    both = ingest(
        [
            GivenServer("shelf", "a", "a", [tool(arguments(), "get_a")]),
            GivenServer("shelf", "a", "a", [tool(arguments(), "get_b")]),
        ]
    ).servers
    assert [item.spec.name for item in store.put(database, both)] == ["shelf", "shelf_2"]
    assert [item.change for item in store.put(database, both)] == ["unchanged", "unchanged"]


def test_many_at_once(database: Database) -> None:
    specs = servers("shelf", "rack", "bin")
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: store.put(database, specs), range(8)))
    assert sorted(item.change for result in results for item in result).count("new") == 3
    assert len(rows(database, "spec")) == 3


def test_there_is_none(database: Database) -> None:
    for name in ("nothing", "a\x00b"):
        with pytest.raises(NotFound, match="there is no specification"):
            store.get(database, name)
    assert store.put(database, []) == []
