"""Every quirk of schemas in the wild: carried, or repaired with a note."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.values import canonical_json
from synth.specs import Note
from tests.synth.ingest.given import accepts, arguments, kinds, made, property_


def test_a_plain_schema_is_carried_without_a_note() -> None:
    schema = {
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1, "description": "What it is called."},
            "state": {"type": "string", "enum": ["open", "closed"], "default": "open"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        },
        "required": ["title"],
        "additionalProperties": False,
    }
    usable = made(schema)
    assert usable.input_schema == schema
    assert usable.notes == ()


def test_the_order_of_properties_is_kept() -> None:
    assert list(made(arguments(b={}, a={}, c={})).input_schema["properties"]) == ["b", "a", "c"]


def test_a_tool_without_arguments() -> None:
    for schema in ({"type": "object"}, {"type": "object", "properties": {}}, {}, None):
        usable = made(schema)
        assert usable.input_schema["type"] == "object"
        assert "no-properties" in kinds(usable)
        assert accepts(usable) and not accepts(usable, x=1)


def test_no_required_means_that_all_is_optional() -> None:
    usable = made(arguments(a={"type": "string"}))
    assert "required" not in usable.input_schema
    assert usable.notes == ()


@pytest.mark.parametrize("key", ["anyOf", "oneOf", "allOf"])
def test_combinations_are_carried(key: str) -> None:
    schema = {key: [{"type": "string"}, {"maxLength": 3}]}
    assert property_(schema) == schema


def test_type_arrays_are_carried_with_a_note() -> None:
    usable = made(arguments(a={"type": ["string", "null"]}))
    assert usable.input_schema["properties"]["a"] == {"type": ["string", "null"]}
    assert usable.notes[0].pointer == "/inputSchema/properties/a"
    assert kinds(usable) == {"type-array"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "str"}, {"type": "string"}),
        ({"type": "STRING"}, {"type": "string"}),
        ({"type": "int"}, {"type": "integer"}),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "dict"}, {"type": "object"}),
        ({"type": "datetime"}, {"type": "string", "format": "date-time"}),
        ({"type": "any"}, {}),
        ({"type": None}, {}),
        ({"type": "widget"}, {}),
        ({"type": []}, {}),
        ({"type": ["string", "string"]}, {"type": "string"}),
        ({"type": ["string", "any"]}, {}),
        ({"type": {"type": "string"}}, {}),
        ("string", {"type": "string"}),
        (None, {}),
        (7, {}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"items": {"type": "string"}}, {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_types_are_written_as_the_standard_has_them(given: Any, expected: Any) -> None:
    assert property_(given) == expected
    assert made(arguments(thing=given)).notes


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"nullable": True}, {}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"anyOf": [{"type": "string"}], "nullable": True}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (
            {"allOf": [{"type": "string"}], "nullable": True, "title": "T"},
            {"title": "T", "anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        ),
    ],
)
def test_nullable_becomes_a_type(given: Any, expected: Any) -> None:
    assert property_(given) == expected
    assert "nullable" in kinds(made(arguments(thing=given)))


@pytest.mark.parametrize(
    ("given", "expected", "kind"),
    [
        ({"type": "string", "default": None}, {"type": "string"}, "default-null"),
        ({"type": ["string", "null"], "default": None}, {"type": ["string", "null"], "default": None}, "type-array"),
        ({"type": "integer", "default": "10"}, {"type": "integer", "default": 10}, "default-type"),
        ({"type": "boolean", "default": "False"}, {"type": "boolean", "default": False}, "default-type"),
        ({"type": "string", "default": 5}, {"type": "string", "default": "5"}, "default-type"),
        ({"type": "array", "default": "[]"}, {"type": "array", "default": []}, "default-type"),
        ({"type": "integer", "default": "many"}, {"type": "integer"}, "default-type"),
        ({"type": "integer", "maximum": 5, "default": 9}, {"type": "integer", "maximum": 5}, "default-type"),
        ({"type": "string", "enum": ["a"], "default": "b"}, {"type": "string", "enum": ["a"]}, "default-type"),
    ],
)
def test_defaults_are_values_that_the_schema_allows(given: Any, expected: Any, kind: str) -> None:
    assert property_(given) == expected
    assert kind in kinds(made(arguments(thing=given)))


def test_a_default_is_checked_through_references() -> None:
    schema = {**arguments(a={"$ref": "#/$defs/N", "default": "3"}), "$defs": {"N": {"type": "integer"}}}
    assert "default" not in made(schema).input_schema["properties"]["a"]


@pytest.mark.parametrize(
    ("given", "expected", "kind"),
    [
        ({"enum": ["a", "b"]}, {"enum": ["a", "b"], "type": "string"}, "enum-without-type"),
        ({"enum": ["a", None]}, {"enum": ["a", None], "type": ["string", "null"]}, "enum-without-type"),
        ({"type": "string", "enum": ["b", "a", "b"]}, {"type": "string", "enum": ["b", "a"]}, "enum-duplicates"),
        ({"type": "string", "enum": [1, 2]}, {"type": "string", "enum": ["1", "2"]}, "enum-type"),
        ({"type": "integer", "enum": ["1", "x"]}, {"type": "integer", "enum": [1]}, "enum-type"),
        ({"type": "object", "enum": ["x"]}, {"type": "object"}, "enum-type"),
        ({"type": "string", "enum": []}, {"type": "string"}, "enum"),
        ({"type": "string", "enum": "a"}, {"type": "string"}, "enum"),
        ({"type": "string", "enum": {"a": 1, "b": 2}}, {"type": "string", "enum": ["a", "b"]}, "enum"),
    ],
)
def test_choices_fit_their_type(given: Any, expected: Any, kind: str) -> None:
    assert property_(given) == expected
    assert kind in kinds(made(arguments(thing=given)))


def test_true_and_one_are_different_choices() -> None:
    assert canonical_json(property_({"enum": [True, 1, 1.0, "1"]})["enum"]) == '[true,1,"1"]'


@pytest.mark.parametrize(
    ("given", "expected", "kind"),
    [
        ({"minimum": 0, "exclusiveMinimum": True}, {"exclusiveMinimum": 0}, "boolean-bound"),
        ({"maximum": 9, "exclusiveMaximum": False}, {"maximum": 9}, "boolean-bound"),
        ({"exclusiveMaximum": True}, {}, "boolean-bound"),
        ({"maximum": 2**53 - 1}, {"maximum": 2**53 - 1}, "large-bound"),
        ({"minimum": -(2**53)}, {"minimum": -(2**53)}, "large-bound"),
        ({"maximum": 2**63}, {}, "large-bound"),
        ({"maximum": 1.7976931348623157e308}, {}, "large-bound"),
        ({"maximum": "10"}, {"maximum": 10}, "keyword"),
        ({"maximum": None}, {}, "keyword"),
        ({"maximum": float("inf")}, {}, "keyword"),
        ({"multipleOf": 0}, {}, "keyword"),
        ({"minimum": 5, "maximum": 1}, {}, "contradiction"),
        ({"minimum": 5, "exclusiveMaximum": 5}, {}, "contradiction"),
    ],
)
def test_bounds(given: Any, expected: Any, kind: str) -> None:
    assert property_({"type": "number", **given}) == {"type": "number", **expected}
    assert kind in kinds(made(arguments(thing={"type": "number", **given})))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"minLength": -1}, {}),
        ({"minLength": 1.5}, {}),
        ({"minLength": "2"}, {"minLength": 2}),
        ({"maxLength": 10**30}, {}),
        ({"minLength": 9, "maxLength": 3}, {}),
        ({"minItems": 2, "maxItems": 1}, {}),
        ({"uniqueItems": "yes"}, {}),
        ({"contentEncoding": 64}, {}),
    ],
)
def test_counts_and_flags(given: Any, expected: Any) -> None:
    assert property_(given) == expected
    assert made(arguments(thing=given)).notes


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("^[a-z]+$", "^[a-z]+$"),
        ("\\Aab\\Z", "^ab$"),
        ("/^ab$/i", "^ab$"),
        ("(unclosed", None),
        ("[\\w-.]", None),
        ("(a{1000}){1000}", None),
        ("a" * 3_000, None),
        (7, None),
    ],
)
def test_patterns_that_cannot_be_compiled_are_taken_out(pattern: Any, expected: str | None) -> None:
    assert property_({"type": "string", "pattern": pattern}).get("pattern") == expected
    assert ("pattern" in kinds(made(arguments(thing={"pattern": pattern})))) == (pattern != expected)


def test_names_by_pattern() -> None:
    usable = made({"type": "object", "patternProperties": {"^x-": {"type": "string"}, "(": {}}})
    assert usable.input_schema["patternProperties"] == {"^x-": {"type": "string"}}
    assert accepts(usable, **{"x-a": "1"}) and not accepts(usable, **{"x-a": 1})


def test_unknown_formats_are_carried_and_not_checked() -> None:
    usable = made(arguments(a={"type": "string", "format": "snowflake"}, b={"type": "string", "format": 3}))
    assert usable.input_schema["properties"] == {
        "a": {"type": "string", "format": "snowflake"},
        "b": {"type": "string"},
    }
    assert [note.kind for note in usable.notes] == ["format", "format"]
    assert accepts(usable, a="anything")


def test_required_names_only_what_there_is() -> None:
    usable = made({**arguments(a={}), "required": ["a", "gone", "a", 5]})
    assert usable.input_schema["required"] == ["a"]
    assert kinds(usable) == {"required", "required-absent"}
    assert accepts(usable, a=1)


def test_required_names_of_open_objects_are_carried() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "required": ["b"]}
    usable = made(arguments(thing=schema))
    assert usable.input_schema["properties"]["thing"] == schema
    assert kinds(usable) == {"required-absent"}
    assert property_({**schema, "additionalProperties": False}) == {
        "type": "object",
        "properties": {"a": {}},
        "additionalProperties": False,
    }


@pytest.mark.parametrize("value", [True, "true"])
def test_required_said_by_the_property_itself(value: Any) -> None:
    usable = made(arguments(a={"type": "string", "required": value}, b={"type": "string", "required": False}))
    assert usable.input_schema["required"] == ["a"]
    assert "required-boolean" in kinds(usable)


@pytest.mark.parametrize("given", [{"a": {}}, "yes", None, 1])
def test_required_that_is_no_list(given: Any) -> None:
    usable = made({**arguments(a={}), "required": given})
    assert "required" not in usable.input_schema
    assert kinds(usable) == {"required"}


def test_properties_as_a_list() -> None:
    listed = [{"name": "a", "type": "string", "required": True}, {"name": "b", "type": "integer"}, {"type": "string"}]
    usable = made({"type": "object", "properties": listed})
    assert usable.input_schema["properties"] == {"a": {"type": "string"}, "b": {"type": "integer"}}
    assert usable.input_schema["required"] == ["a"]


def test_drafts_before_2020() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://specifications.example/thing",
        **arguments(
            pair={"type": "array", "items": [{"type": "string"}, {"type": "number"}], "additionalItems": False},
            a={"type": "string"},
            b={"type": "string"},
        ),
        "dependencies": {"a": ["b"], "b": {"properties": {"c": {"type": "string"}}}},
    }
    usable = made(schema)
    assert usable.input_schema["properties"]["pair"] == {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "number"}],
        "items": False,
    }
    assert usable.input_schema["dependentRequired"] == {"a": ["b"]}
    assert not {"$schema", "$id", "dependencies"} & usable.input_schema.keys()
    assert kinds(usable) == {"draft", "tuple", "dependencies", "root-dependencies"}
    assert accepts(usable, c="x") and not accepts(usable, b="x", c=1)
    assert not accepts(usable, a="x") and accepts(usable, a="x", b="y")


def test_a_note_says_where() -> None:
    usable = made(arguments(**{"a/b": {"type": "array", "items": {"type": "str"}}}))
    assert (
        Note(pointer="/inputSchema/properties/a~1b/items", kind="type-name", text="the type 'str' is written string")
        in usable.notes
    )


@pytest.mark.parametrize(
    "name", ["from", "class", "schema", "json", "copy", "_id", "Content-Type", "a b", "1st", "self"]
)
def test_awkward_names_of_properties_are_carried(name: str) -> None:
    usable = made({**arguments(**{name: {"type": "string"}}), "required": [name]})
    assert list(usable.input_schema["properties"]) == [name]
    assert kinds(usable) == {"property-name"}


def test_parameters_in_groups_are_carried() -> None:
    grouped = arguments(
        path=arguments(id={"type": "string"}), query=arguments(limit={"type": "integer"}), body=arguments()
    )
    usable = made(grouped)
    assert usable.input_schema == grouped
    assert kinds(usable) == {"parameter-groups"}


def test_words_that_the_standard_does_not_know_are_carried() -> None:
    usable = made({**arguments(a={"type": "string", "optional": True, "x-order": 3}), "visible": ["a"]})
    assert usable.input_schema["visible"] == ["a"]
    assert usable.input_schema["properties"]["a"] == {"type": "string", "optional": True, "x-order": 3}
    assert kinds(usable) == {"visible", "optional"}


def test_texts_that_are_none() -> None:
    usable = made(
        arguments(a={"description": ["One.", "Two."]}, b={"description": {"en": "no"}, "title": 5}, c={"title": None})
    )
    assert usable.input_schema["properties"] == {"a": {"description": "One.\nTwo."}, "b": {"title": "5"}, "c": {}}
    assert kinds(usable) == {"text"}


def test_what_a_database_cannot_hold_is_replaced() -> None:
    usable = made(
        arguments(
            **{"a\x00b": {"description": "x\x00y", "enum": ["\ud800", "z"], "format": "\x00", "pattern": "\x00"}}
        ),
        description="\ud83d\x00",
    )
    assert list(usable.input_schema["properties"]) == ["a\ufffdb"]
    assert "\\u0000" not in usable.model_dump_json()
    usable.model_dump_json().encode()
    assert "text" in kinds(usable)


def test_metaschema_violations_do_not_matter() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": "x", "additionalProperties": "false", "items": 3}},
        "additionalProperties": "no",
        "anyOf": {},
        "oneOf": [],
        "$vocabulary": 3,
        "$anchor": "not an anchor",
        "definitions": 5,
    }
    assert accepts(made(schema), a="x")
    assert property_(schema["properties"]["a"]) == {"type": "string", "additionalProperties": False}  # type: ignore[index]


def test_nesting_has_an_end() -> None:
    schema: Any = {"type": "string"}
    for _ in range(500):
        schema = {"type": "object", "properties": {"a": schema}}
    assert "too-deep" in kinds(made(schema))
    value: Any = 1
    for _ in range(500):
        value = [value]
    usable = made(arguments(a={"default": value, "enum": [value], "examples": value, "type": "array"}))
    assert usable.input_schema["properties"]["a"] == {"type": "array"}
