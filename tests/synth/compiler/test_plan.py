"""Keys, entities and their columns."""

from __future__ import annotations

import keyword
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit import Entity
from synth.compiler import ServicePlan, plan_service
from synth.compiler.keys import usable_pattern
from synth.compiler.plan import EntityPlan, entity_name, python_name
from tests.synth.making import NUMBER, READING_ROOM, TEXT, TEXTS, server, things, tool

UUID = {"type": "string", "format": "uuid"}


def entities(plan: ServicePlan) -> dict[str, EntityPlan]:
    return {item.name: item for item in plan.entities}


def columns(plan: ServicePlan, entity: str) -> dict[str, tuple[str, str]]:
    """Semantic type and Python type of each column."""
    return {name: (item.semantic, item.annotation) for name, item in entities(plan)[entity].columns.items()}


def test_the_reading_room() -> None:
    plan = plan_service(READING_ROOM)
    assert [item.name for item in plan.entities] == ["author", "book"]
    assert columns(plan, "author") == {"name": ("name", "str"), "email": ("email", "str")}
    book = entities(plan)["book"]
    assert {name for name, item in book.columns.items() if item.required} == {"title", "author_id"}
    assert book.columns["author_id"].target is entities(plan)["author"]
    assert book.columns["author_id"].enforced
    assert columns(plan, "book")["readers"] == ("json", "Any")
    assert columns(plan, "book")["archived"] == ("flag", "bool")
    left = {item.spec.name: item.reason for item in plan.tools if item.call is None}
    assert left == {
        "get_reading_statistics": "a reading statistic is worked out from other things, not kept",
        "recommend": "its name does not say what it does to the state",
    }
    assert plan.summary == "A small library."


@pytest.mark.parametrize(
    ("schema", "form"),
    [(TEXT, "text"), (NUMBER, "number"), (UUID, "uuid"), ({"type": "string", "pattern": "^W-\\d{4}$"}, "^W-\\d{4}$")],
)
def test_forms_of_identifiers(schema: dict[str, Any], form: str) -> None:
    plan = plan_service(
        server(
            "rota",
            tool("get_ward", {"ward_id": schema}, ["ward_id"]),
            tool("create_ward", {"beds": NUMBER}, ["beds"]),
            tool("create_shift", {"ward_id": schema, "starts": TEXT}, ["ward_id"]),
        )
    )
    ward = entities(plan)["ward"]
    assert ward.id_form == form
    assert entities(plan)["shift"].columns["ward_id"].target is ward


def test_a_name_that_callers_choose_is_a_key() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"name": TEXT, "beds": NUMBER}, ["name"]),
            tool("get_ward", {"name": TEXT}, ["name"]),
            tool("list_wards", {}),
        )
    )
    assert entities(plan)["ward"].columns["name"].unique
    assert "key={'name': 'name'}" in (plan.tools[1].call or "")


def test_the_key_with_what_it_belongs_to() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"beds": NUMBER}, ["beds"]),
            tool("get_ward", {"ward_id": TEXT}, ["ward_id"]),
            tool("create_shift", {"ward_id": TEXT, "nurse": TEXT}, ["ward_id"]),
            tool("get_shift", {"ward_id": TEXT, "shift_id": TEXT}, ["ward_id", "shift_id"]),
        )
    )
    assert "key={'ward_id': 'ward_id', 'shift_id': 'id'}" in (plan.tools[3].call or "")


def test_other_spellings_of_a_reference_are_one_column() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"beds": NUMBER}, ["beds"]),
            tool("get_ward", {"ward_gid": TEXT}, ["ward_gid"]),
            tool("create_shift", {"ward": {**TEXT, "description": "The gid of a ward."}, "nurse": TEXT}, ["nurse"]),
            tool("list_shifts", {"ward_gid": TEXT}),
        )
    )
    shift = entities(plan)["shift"]
    assert set(shift.columns) == {"ward", "nurse"} and shift.aliases == {"ward_gid": "ward"}
    assert "equal={'ward_gid': 'ward'}" in (plan.tools[3].call or "")


def test_a_part_is_put_into_the_thing_it_is_part_of() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"beds": NUMBER}, ["beds"]),
            tool("get_ward", {"ward_id": TEXT}, ["ward_id"]),
            tool("set_ward_colour", {"ward_id": TEXT, "colour": TEXT}, ["ward_id", "colour"]),
        )
    )
    assert [item.name for item in plan.entities] == ["ward"]
    assert "colour" in entities(plan)["ward"].columns


def test_what_is_only_put_in_and_taken_out_is_a_list_of_its_owner() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_nurse", {"name": TEXT}, ["name"]),
            tool("get_nurse", {"nurse_id": TEXT}, ["nurse_id"]),
            tool("create_shift", {"starts": TEXT}, ["starts"]),
            tool("get_shift", {"shift_id": TEXT}, ["shift_id"]),
            tool("assign_nurses_to_shift", {"shift_id": TEXT, "nurses": TEXTS}, ["shift_id", "nurses"]),
        )
    )
    column = entities(plan)["shift"].columns["nurses"]
    assert column.semantic == "json" and column.elements is entities(plan)["nurse"]


def test_settings_are_one_row() -> None:
    plan = plan_service(
        server("rota", tool("get_settings", {}), tool("update_settings", {"night_starts": TEXT, "mail": TEXT}))
    )
    assert entities(plan)["setting"].single


def test_references_in_a_circle_are_not_held_by_the_database() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"name": TEXT, "nurse_id": TEXT}, ["name"]),
            tool("get_ward", {"ward_id": TEXT}, ["ward_id"]),
            tool("create_nurse", {"name": TEXT, "ward_id": TEXT}, ["name"]),
            tool("get_nurse", {"nurse_id": TEXT}, ["nurse_id"]),
        )
    )
    held = [item.enforced for entity in plan.entities for item in entity.columns.values() if item.target is not None]
    assert sorted(held) == [False, True]


def test_columns_that_tools_disagree_on_hold_anything() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"size": NUMBER, "opened": {"type": "string", "format": "date"}}, ["size"]),
            tool("update_ward", {"ward_id": TEXT, "size": things(beds=NUMBER), "opened": TEXT}, ["ward_id"]),
        )
    )
    assert columns(plan, "ward") == {"size": ("json", "Any"), "opened": ("text", "str")}


def test_where_one_works_is_no_value() -> None:
    hospital = {"hospital_code": TEXT}
    plan = plan_service(
        server(
            "rota",
            *(
                tool(f"create_{noun}", {**hospital, "name": TEXT}, ["hospital_code", "name"])
                for noun in ("ward", "nurse", "shift", "bed")
            ),
        )
    )
    assert all(set(item.columns) == {"name"} for item in plan.entities)


def test_answers_say_what_there_is() -> None:
    output = things(wards={"type": "array", "items": things(id=TEXT, beds=NUMBER, open={"type": "boolean"})})
    plan = plan_service(server("rota", tool("list_wards", {}, output=output)))
    assert columns(plan, "ward") == {"beds": ("quantity", "int"), "open": ("flag", "bool")}


def test_what_promises_to_read_does_not_write() -> None:
    plan = plan_service(
        server(
            "rota",
            tool("create_ward", {"beds": NUMBER}, ["beds"]),
            tool("post_search_wards", {"query": TEXT}, readOnlyHint=True),
        )
    )
    assert ".find(" in (plan.tools[1].call or "")


def test_as_many_entities_as_there_are() -> None:
    words = [f"{first}o{second}er" for first in "bcdfghjklm" for second in "bcdfghjkln"]
    tools = [
        made
        for word in words
        for made in (
            tool(f"create_{word}", {"name": TEXT}, ["name"]),
            tool(f"get_{word}", {f"{word}_id": TEXT}, [f"{word}_id"]),
            tool(f"list_{word}s", {"limit": NUMBER}),
        )
    ]
    plan = plan_service(server("many", *tools))
    assert len(plan.tools) == 300 and len(plan.entities) == 100
    assert all(item.call for item in plan.tools)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=50), max_size=4))
def test_names_of_columns_and_entities(words: list[str]) -> None:
    name = python_name(words)
    assert name.isidentifier() and not keyword.iskeyword(name) and not hasattr(Entity, name)
    entity = EntityPlan(tuple(words), entity_name(words, set(), 30))
    assert entity.class_name.isidentifier() and len(entity.name) <= 32
    assert entity_name(words, {entity.name}, 30) != entity.name


def test_no_column_hides_what_an_entity_has() -> None:
    for word in dir(Entity):
        if not word.startswith("_"):
            assert not hasattr(Entity, python_name([word])), word


@pytest.mark.parametrize(
    "pattern",
    ["(", "(a+)+$b", "((((a{99}){99}){99}){99})", "(((((a*)*)*)*)*)*b", "a*+", "^(?!x)y", "\\p{L}+", "(?P<n>a)", "[]",
     "a" * 300, "a{4294967295}", "^$", "\\1"],
)  # fmt: skip
def test_patterns_that_are_left_alone(pattern: str) -> None:
    assert not usable_pattern(pattern, {})


def test_patterns_that_can_be_used() -> None:
    for pattern in ("^[a-f0-9]{128}$", "^W-\\d+$", "^[^/]{2,}/[A-Z_]+$", "(north|south)"):
        assert usable_pattern(pattern, {})
    assert not usable_pattern("^a{9}$", {"maxLength": 4})


def test_rows_that_nobody_could_name() -> None:
    ward = tool("get_ward", {"ward_id": TEXT}, ["ward_id"])
    update = tool("update_ward", {"ward_id": TEXT, "beds": NUMBER}, ["ward_id"])
    alone = plan_service(server("rota", ward, update))
    assert [item.call for item in alone.tools] == [None, None]
    assert alone.tools[0].reason == "no tool lists or makes a ward: nobody could name one"
    # A shift says on which ward it is.
    shift = tool("create_shift", {"ward_id": TEXT, "starts": TEXT}, ["ward_id"])
    assert all(item.call for item in plan_service(server("rota", ward, update, shift)).tools)
    assert all(item.call for item in plan_service(server("rota", ward, update, tool("list_wards", {}))).tools)


def test_what_is_stored_under_a_key() -> None:
    plan = plan_service(
        server(
            "store",
            tool("store_data", {"key": TEXT, "value": TEXT}, ["key", "value"]),
            tool("retrieve_data", {"key": TEXT}, ["key"]),
        )
    )
    assert [item.call for item in plan.tools] == [
        "_data_records.update(ctx, arguments, key={'key': 'id'}, make=True)",
        "_data_records.get(ctx, arguments, key={'key': 'id'})",
    ]


def test_to_add_is_to_create_where_nothing_is_added_to() -> None:
    plan = plan_service(
        server(
            "desk",
            tool("add_member", {"name": TEXT}, ["name"]),
            tool("list_members", {}),
            tool("create_loan", {"item": TEXT, "member_id": TEXT}, ["item", "member_id"]),
        )
    )
    assert all(item.call for item in plan.tools)
    assert entities(plan)["loan"].columns["member_id"].target is entities(plan)["member"]
