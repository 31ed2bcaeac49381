"""Roots of schemas: always an object, every argument known by its name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.synth.ingest.given import accepts, arguments, kinds, made, refused, tool


@pytest.mark.parametrize("key", ["anyOf", "oneOf"])
def test_alternatives_at_the_root(key: str) -> None:
    schema = {
        key: [
            {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
            {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            {"type": "null"},
        ]
    }
    usable = made(schema)
    assert usable.input_schema["properties"] == {"id": {"type": "string"}, "name": {"type": "string"}}
    assert accepts(usable, id="x") and accepts(usable, name="x")
    assert not accepts(usable) and not accepts(usable, id="x", nam="y")
    assert f"root-{key}" in kinds(usable)


def test_alternatives_that_only_say_what_is_required() -> None:
    schema = {
        **arguments(url={"type": "string"}, host={"type": "string"}),
        "oneOf": [{"required": ["url"]}, {"required": ["host"]}],
    }
    usable = made(schema)
    assert usable.input_schema == schema
    assert accepts(usable, url="u") and not accepts(usable) and not accepts(usable, url="u", host="h")


def test_an_argument_of_several_alternatives() -> None:
    usable = made({"anyOf": [arguments(a={"type": "string"}), arguments(a={"type": "integer"})]})
    assert usable.input_schema["properties"]["a"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert accepts(usable, a="x") and accepts(usable, a=1) and not accepts(usable, a=[])


def test_parts_at_the_root() -> None:
    schema = {
        "allOf": [{"$ref": "#/$defs/Named"}, {**arguments(size={"type": "integer"}), "required": ["size"]}],
        "$defs": {"Named": {**arguments(name={"type": "string"}), "required": ["name"]}},
    }
    usable = made(schema)
    assert list(usable.input_schema["properties"]) == ["name", "size"]
    assert usable.input_schema["required"] == ["name", "size"]
    assert accepts(usable, name="n", size=1) and not accepts(usable, name="n")


def test_conditions_at_the_root() -> None:
    usable = made({**arguments(a={}), "if": {"required": ["a"]}, "then": arguments(b={"type": "integer"})})
    assert accepts(usable, a=1, b=2) and not accepts(usable, a=1, b="x")


def test_a_reference_at_the_root() -> None:
    usable = made({"$ref": "#/definitions/Args", "definitions": {"Args": arguments(a={"type": "string"})}})
    assert usable.input_schema == arguments(a={"type": "string"})
    assert kinds(usable) == {"root-ref"}
    assert made({"$ref": "#"}).input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "string"}}},
        {"type": ["object", "null"], "properties": {"a": {"type": "string"}}},
        {"type": "Object", "properties": {"a": {"type": "string"}}},
        {"a": {"type": "string"}},
        [{"name": "a", "type": "string"}],
        '{"type": "object", "properties": {"a": {"type": "string"}}}',
    ],
)
def test_roots_that_are_objects_after_all(schema: Any) -> None:
    usable = made(schema)
    assert usable.input_schema == arguments(a={"type": "string"})
    assert "root" in kinds(usable)


def test_another_root_is_an_argument() -> None:
    usable = made({"type": "array", "items": {"$ref": "#/$defs/N"}, "$defs": {"N": {"type": "integer"}}})
    assert accepts(usable, value=[1]) and not accepts(usable, value=["x"]) and not accepts(usable)
    assert "root" in kinds(usable)


def test_roots_that_say_nothing() -> None:
    assert accepts(made(True), a=1)
    assert not accepts(made(False), a=1)
    assert made({"type": "null"}).input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize("schema", ["a sentence", 5, [1, 2]])
def test_roots_that_cannot_be_objects_are_refused(schema: Any) -> None:
    assert "its schema is" in refused(tool(schema)).reason


def test_schemas_that_are_too_large_are_refused() -> None:
    many = {f"p{number}": {"type": "string"} for number in range(6_000)}
    assert "more than 5000 parts" in refused(tool(arguments(**many))).reason
    long = {f"p{number}": {"description": "x" * 10_000} for number in range(25)}
    assert "at most 200000 are used" in refused(tool(arguments(**long))).reason
