"""Parameters laid flat, and what each is for."""

from __future__ import annotations

from typing import Any

import pytest

from synth.compiler import roles
from synth.compiler.parameters import Parameter, flat, groups_of, headers, simple, takes_null, type_of
from tests.synth.making import FLAG, NUMBER, TEXT, TEXTS


def one(name: str, schema: dict[str, Any]) -> Parameter:
    return flat({"type": "object", "properties": {name: schema}})[0]


def test_groups_are_laid_flat() -> None:
    schema = {
        "type": "object",
        "required": ["body", "path"],
        "properties": {
            "path": {"type": "object", "properties": {"loan_id": TEXT}, "required": ["loan_id"]},
            "body": {
                "type": "object",
                "required": ["loan"],
                "properties": {
                    "loan": {"type": "object", "properties": {"due": TEXT, "copy": TEXT}, "required": ["due"]},
                    "place": {"type": "object", "properties": {"city": TEXT}},
                },
            },
            "header": {"type": "object", "properties": {"token": TEXT}},
        },
    }
    found = {item.name: item for item in flat(schema, ("loan",))}
    assert list(found) == ["loan_id", "due", "copy", "place"]
    assert found["due"].groups == ("body", "loan") and found["due"].required
    assert not found["copy"].required and found["place"].type == "object"
    assert groups_of(list(found.values())) == ["path", "body", "loan"]
    assert headers(schema) == ["header"]
    # Without the noun it is a value of its own.
    assert [item.name for item in flat(schema)] == ["loan_id", "loan", "place"]


def test_of_two_of_a_name_the_first_counts() -> None:
    schema = {"properties": {"id": TEXT, "body": {"type": "object", "properties": {"id": NUMBER}}}}
    assert [(item.name, item.type) for item in flat(schema)] == [("id", "string")]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": ["string", "null"]}, "string"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer"),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, ""),
        ({"allOf": [{"$ref": "#/$defs/loan"}]}, "object"),
        ({"$ref": "#/$defs/loan"}, "object"),
        ({"$ref": "#/$defs/none"}, ""),
        ({"$ref": "#/$defs/itself"}, ""),
        ({"$ref": "elsewhere.json"}, ""),
        ({"enum": ["a", "b"]}, "string"),
        ({"enum": ["a", 1]}, ""),
        ({}, ""),
    ],
)
def test_types(schema: dict[str, Any], kind: str) -> None:
    root = {"$defs": {"loan": {"properties": {"due": TEXT}}, "itself": {"$ref": "#/$defs/itself"}}}
    assert type_of(simple(root, schema)) == kind


def test_null() -> None:
    assert takes_null({"type": ["string", "null"]}) and takes_null({"type": "string", "nullable": True})
    assert not takes_null(TEXT) and not takes_null({"enum": ["a"]})


@pytest.mark.parametrize(
    ("name", "schema", "role"),
    [("limit", NUMBER, "limit"), ("pageSize", NUMBER, "limit"), ("page", NUMBER, "page"), ("offset", NUMBER, "offset"),
     ("page_token", TEXT, "cursor"), ("limit", TEXT, None), ("cursor", {"type": "string", "format": "date"}, None)],
)  # fmt: skip
def test_paging(name: str, schema: dict[str, Any], role: str | None) -> None:
    assert roles.paging(one(name, schema)) == role


def test_roles() -> None:
    assert roles.searches(one("query", TEXT)) and not roles.searches(one("query", NUMBER))
    assert roles.shows(one("include_archived", FLAG)) and roles.shows(one("fields", TEXTS))
    assert not roles.shows(one("details", {"type": "object"}))
    assert roles.sorts(one("order_by", TEXT))
    assert all(roles.ranges(one(name, TEXT)) for name in ("created_before", "since", "min_price", "dueAfter"))
    assert not roles.ranges(one("price", NUMBER))
    assert all(roles.compound(one(name, TEXT)) for name in ("$filter", "readers.not", "where", "exclude_lost"))


@pytest.mark.parametrize(
    ("name", "schema", "semantic"),
    [("email", TEXT, "email"), ("homepage_url", TEXT, "url"), ("due", {"type": "string", "format": "date"}, "date"),
     ("status", TEXT, "status"), ("title", TEXT, "title"), ("pages", NUMBER, "quantity"), ("lost", FLAG, "flag"),
     ("weight", {"type": "number"}, "ratio"), ("tags", TEXTS, "json"), ("isbn_code", TEXT, "code"),
     ("remark", TEXT, "text"), ("at", {"type": "string", "format": "date-time"}, "datetime")],
)  # fmt: skip
def test_semantics(name: str, schema: dict[str, Any], semantic: str) -> None:
    assert roles.semantic(one(name, schema))[0] == semantic


@pytest.mark.parametrize(
    ("said", "speaks"),
    [
        ("A JQL query.", True),
        ("Filter expression, as in 'due eq today'.", True),
        ("Supports operators such as from: and has:.", True),
        ("For example 'title=Tides'.", True),
        ("Words that stand in the title (e.g. 'tides').", False),
        ("", False),
    ],
)
def test_languages(said: str, speaks: bool) -> None:
    assert roles.speaks(one("query", {**TEXT, "description": said})) is speaks
    assert roles.searches(one("query", {**TEXT, "description": said})) is not speaks


@pytest.mark.parametrize(("choices", "all_of_them"), [(["open", "all"], True), (["open", "closed"], False)])
def test_choices_that_are_no_values(choices: list[str], all_of_them: bool) -> None:
    assert roles.compound(one("state", {"type": "string", "enum": choices})) is all_of_them
    assert roles.compound(one("states", {"type": "array", "items": {"enum": choices}})) is all_of_them
