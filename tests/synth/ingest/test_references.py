"""References: within the schema, to itself, nowhere, to other documents."""

from __future__ import annotations

from typing import Any

import pytest

from tests.synth.ingest.given import accepts, arguments, kinds, made


@pytest.mark.parametrize("place", ["$defs", "definitions"])
def test_definitions(place: str) -> None:
    usable = made(
        {**arguments(a={"$ref": f"#/{place}/Size"}), place: {"Size": {"type": "integer"}, "Unused": {"type": "string"}}}
    )
    assert usable.input_schema["properties"]["a"] == {"$ref": "#/$defs/Size"}
    assert usable.input_schema["$defs"] == {"Size": {"type": "integer"}}
    assert accepts(usable, a=1) and not accepts(usable, a="x")


def test_a_tree() -> None:
    node = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}
    usable = made({**arguments(root={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}})
    assert usable.input_schema["$defs"] == {"Node": node}
    assert "ref-recursive" in kinds(usable)
    assert accepts(usable, root={"children": [{"children": []}]})
    assert not accepts(usable, root={"children": [{"children": 1}]})


def test_a_reference_to_the_root() -> None:
    usable = made(arguments(name={"type": "string"}, child={"$ref": "#"}))
    assert accepts(usable, child={"child": {"name": "x"}}) and not accepts(usable, child={"child": {"name": 1}})


@pytest.mark.parametrize(
    "reference", ["#/properties/a", "#/properties/a/items", "#named", "Named", "here#/$defs/Named"]
)
def test_other_places_in_the_schema(reference: str) -> None:
    schema = {
        "$id": "here",
        **arguments(a={"type": "array", "items": {"type": "array"}}, b={"$ref": reference}),
        "$defs": {"Named": {"$anchor": "named", "type": "array"}},
    }
    usable = made(schema)
    assert accepts(usable, b=[]) and not accepts(usable, b="x")


def test_a_definition_left_where_it_was_made() -> None:
    usable = made(arguments(a={"$ref": "#/$defs/N"}, b={"$defs": {"N": {"type": "integer"}}, "type": "string"}))
    assert accepts(usable, a=1) and not accepts(usable, a="x")


@pytest.mark.parametrize("reference", ["#/$defs/Gone", "https://schemas.example/x.json", "Gone", 5, None, "#/type", ""])
def test_references_that_lead_nowhere_mean_anything(reference: Any) -> None:
    usable = made(arguments(a={"$ref": reference, "description": "Some."}))
    assert usable.input_schema["properties"]["a"] == {"description": "Some."}
    assert "ref-lost" in kinds(usable)


def test_a_reference_beside_other_rules() -> None:
    usable = made({**arguments(a={"$ref": "#/$defs/T", "maxLength": 2}), "$defs": {"T": {"type": "string"}}})
    assert accepts(usable, a="xx") and not accepts(usable, a="xxx")


@pytest.mark.parametrize(
    "definitions",
    [
        {"A": {"$ref": "#/$defs/A"}},
        {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
        {"A": {"allOf": [{"$ref": "#/$defs/A"}]}},
        {
            "A": {"description": "x", "anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]},
            "B": {"not": {"$ref": "#/$defs/A"}},
        },
    ],
)
def test_definitions_that_are_only_themselves_are_cut(definitions: dict[str, Any]) -> None:
    usable = made({**arguments(a={"$ref": "#/$defs/A"}), "$defs": definitions})
    assert {"ref-cycle", "ref-lost"} & kinds(usable)


def test_two_definitions_of_one_name() -> None:
    schema = {
        **arguments(a={"$ref": "#/$defs/N"}, b={"$ref": "#/definitions/N"}),
        "$defs": {"N": {"type": "integer"}},
        "definitions": {"N": {"type": "string"}},
    }
    usable = made(schema)
    assert accepts(usable, a=1, b="x") and not accepts(usable, a="x") and not accepts(usable, b=1)


def test_old_ways_to_refer() -> None:
    usable = made({**arguments(a={"$dynamicRef": "#/$defs/N"}), "$defs": {"N": {"type": "integer"}}})
    assert accepts(usable, a=1) and not accepts(usable, a="x")
    assert "ref" in kinds(usable)
