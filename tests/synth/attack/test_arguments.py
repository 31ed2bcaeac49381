"""Arguments: valid ones for every kind of schema, wrong ones in every way, odd ones that are allowed."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from engine.kit.specification import ToolSpecification
from synth.attack import hostile, wrong
from synth.attack.arguments import Maker, Plan
from synth.attack.pool import Pool
from synth.attack.probing_any import lookalike, stated
from synth.attack.reading import read
from synth.attack.samples import Samples, listed

pytestmark = pytest.mark.unit

SPECIFICATIONS = Path(
    os.environ.get("COMPOWORLD_SPECS") or Path(__file__).parents[4] / "shared" / "specs" / "mcp_specs.jsonl"
)


def maker(schema: dict[str, Any], name: str = "create_thing", pool: Pool | None = None) -> Maker:
    specification = ToolSpecification(name, "", {"type": "object", **schema})
    reading = read(specification)
    return Maker(specification, reading, {name: reading}, pool or Pool(), Samples(random.Random(1)))


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "string", "minLength": 30, "maxLength": 31}}, "required": ["a"]},
        {"properties": {"a": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"}}, "required": ["a"]},
        {"properties": {"a": {"type": "string", "format": "date-time"}}, "required": ["a"]},
        {"properties": {"a": {"type": "string", "format": "email"}}, "required": ["a"]},
        {"properties": {"a": {"type": ["null", "integer"], "exclusiveMinimum": 5, "maximum": 7}}, "required": ["a"]},
        {"properties": {"a": {"type": "number", "multipleOf": 0.5, "minimum": 2}}, "required": ["a"]},
        {"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "boolean"}]}}, "required": ["a"]},
        {"properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]},
        {"properties": {"a": {"const": 3}}, "required": ["a"]},
        {"properties": {"a": {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"enum": [1, 2, 3]}}},
         "required": ["a"]},
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"],
         "$defs": {"a": {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}}}},
        {"properties": {"a": {"$ref": "#/$defs/node"}}, "required": ["a"],
         "$defs": {"node": {"type": "object", "required": ["name"], "properties": {
             "name": {"type": "string"}, "child": {"$ref": "#/$defs/node"}}}}},
        {"properties": {"a": {"allOf": [{"type": "object", "properties": {"b": {"type": "string"}}},
                                        {"required": ["b"]}]}}, "required": ["a"]},
        {"properties": {"body": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
         "required": ["body"], "minProperties": 1},
        {"properties": {"a": {}}, "required": ["a", "b"], "additionalProperties": True},
    ],
)  # fmt: skip
def test_arguments_are_valid(schema: dict[str, Any]) -> None:
    made = maker(schema)
    arguments = made.make(Plan())
    assert made.valid(arguments), (arguments, made.specification.problems(arguments))
    assert made.valid(made.make(Plan(given=set(made.optional))))


def test_references_are_filled_with_what_was_shown() -> None:
    pool = Pool()
    pool.learn("customer", {"items": [{"id": "cus_1", "tags": ["vip"]}, {"id": "cus_2"}]})
    made = maker({"properties": {"customerId": {"type": "string"}}, "required": ["customerId"]}, pool=pool)
    assert made.make(Plan()) == {"customerId": "cus_1"}
    assert made.make(Plan(picks={("customerId",): 1})) == {"customerId": "cus_2"}
    assert made.references == {("customerId",): "customer"}


def test_choices_that_stand_in_a_description() -> None:
    assert listed("One of: open, closed or on-hold.") == ["open", "closed", "on-hold"]
    made = maker({"properties": {"kind": {"type": "string", "description": "Exactly 'by post' or 'by hand'."}},
                  "required": ["kind"]})  # fmt: skip
    made.make(Plan())
    assert made.candidates[("kind",)][:2] == ["by post", "by hand"]


WIDE = {
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 9},
        "mail": {"type": "string", "format": "email"},
        "state": {"type": "string", "enum": ["open", "closed"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "tags": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "pattern": "^[a-z]+$"}},
        "place": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}},
    },
    "required": ["name", "mail", "state", "count", "tags", "place"],
}


def test_wrong_arguments_are_wrong_in_every_way() -> None:
    made = maker(WIDE)
    valid = made.make(Plan())
    found = wrong.defects(made, valid, valid)
    assert {item.kind for item in found} == {"unknown", "missing", "type", "null", "enum", "bound", "size", "format"}
    assert all(made.specification.problems(item.arguments) for item in found)
    chosen = wrong.chosen(found, random.Random(1), 25)
    assert len(chosen) == 25
    broken = {item.place for item in chosen if item.kind in ("enum", "bound", "size", "format")}
    assert {"name", "mail", "state", "count", "tags"} <= broken
    assert chosen == wrong.chosen(wrong.defects(made, valid, valid), random.Random(1), 25)


def test_odd_arguments_are_allowed() -> None:
    made = maker(WIDE)
    found = hostile.chosen(made, made.make(Plan()), random.Random(1), 30)
    assert len(found) > 10 and all(made.valid(item) for item in found)


def test_lookalikes_have_the_form_of_what_they_look_like() -> None:
    assert lookalike("tkt_0001") == "tkt_9999"
    assert lookalike("alpha") != "alpha" and lookalike("zz") != "zz"


def test_states_in_which_a_tool_refuses() -> None:
    assert stated("Take a ticket. Refused when solved or closed.", "assign") == [
        (" solved or closed", "Refused when solved or closed")
    ]
    assert stated("A lent book cannot be deleted.", "delete")[0][0] == "lent"
    assert not stated("A lent book cannot be sold.", "delete")
    assert not stated("Refused when closed unless you are a lead.", "assign")
    assert not stated("Refused when it has not been sent.", "send")


@pytest.mark.skipif(not SPECIFICATIONS.exists(), reason=f"there is no {SPECIFICATIONS.name} beside the repository")
def test_arguments_for_tools_from_everywhere() -> None:
    seen = failed = 0
    for line in SPECIFICATIONS.read_text(encoding="utf-8").splitlines()[::9]:
        for item in json.loads(line)["tools"][:8]:
            schema = item.get("inputSchema") or {}
            if schema.get("type") != "object":
                continue
            try:
                made = maker(schema, item["name"])
                made.valid({})
            except Exception:  # the schema itself is wrong: ingestion refuses or repairs it
                continue
            seen += 1
            failed += not made.valid(made.make(Plan()))
    assert seen > 80 and failed <= seen * 0.03


@pytest.mark.parametrize(
    "pattern", ["(.*)*" * 30 + "x$", "(?:a{50}){50}{50}", "(?:(?:a{50}){50}){50}", "(a+)+$", "(", "(?<=a)b"]
)
def test_no_pattern_holds_the_attack_up(pattern: str) -> None:
    began = time.monotonic()
    found = Samples(random.Random(0)).matching(pattern)
    assert all(len(text) <= 200 for text in found)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "part",
    [
        {"type": "string", "minLength": 10**6},
        {"type": "array", "minItems": 10**6, "items": {"type": "string"}},
        {"type": "array", "minItems": 10**6, "uniqueItems": True},
    ],
)
def test_what_would_be_endless_is_not_made(part: dict[str, Any]) -> None:
    making = maker({"properties": {"a": part}, "required": ["a"]})
    made = making.make(Plan())
    assert len(json.dumps(made)) < 1_000 and not making.valid(made)
    for defect in wrong.defects(making, made, made):
        assert len(json.dumps(defect.arguments)) < 200_000
