"""No input crashes, and what comes out the kit can always use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import InputError
from engine.kit.values import json_text
from synth.ingest import ingest, read_file
from synth.ingest.forms import servers_in
from synth.ingest.places import LISTS, MAPS, SINGLE, VALUES
from synth.ingest.tools import read_tools
from tests.synth.ingest.given import bound

_EVERYWHERE = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=60)

TEXTS = st.text(max_size=5) | st.sampled_from(
    [
        *("string", "object", "array", "integer", "null", "any", "#", "#/$defs/a", "#/definitions/b"),
        *("#/properties/a", "http://x.example/y", "a", "b", "^a", "(", "date", "\x00", "\ud800", "true", "5"),
    ]
)
NUMBERS = st.integers(-3, 3) | st.sampled_from(
    [2**53, 2**64, 10**400, 1.5, -0.0, float("inf"), float("-inf"), float("nan")]
)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
KEYS = [*LISTS, *MAPS, *SINGLE, *VALUES, "$ref", "$defs", "definitions", "required", "default", "title", "description"]
KEYS += ["$schema", "$id", "$anchor", "$dynamicRef", "dependencies", "dependentRequired", "additionalItems", "visible"]
NAMES = ["a", "b", "from", "class", "_id", "", "x\x00y", "\ud800"]


def _within(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(children, max_size=4) | st.dictionaries(st.sampled_from(KEYS + NAMES), children, max_size=6)


VALUES_OF_ANY_KIND = st.recursive(SCALARS, _within, max_leaves=30)
SCHEMAS = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from(NAMES), VALUES_OF_ANY_KIND, max_size=4)},
    optional={
        "$defs": st.dictionaries(st.sampled_from(NAMES), VALUES_OF_ANY_KIND, max_size=3),
        **{key: VALUES_OF_ANY_KIND for key in ("required", "anyOf", "allOf", "oneOf", "$ref", "additionalProperties")},
    },
)
TOOLS = VALUES_OF_ANY_KIND | st.fixed_dictionaries(
    {"name": TEXTS, "inputSchema": SCHEMAS | VALUES_OF_ANY_KIND},
    optional={key: VALUES_OF_ANY_KIND for key in ("description", "outputSchema", "annotations", "title")},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("anything")


@_EVERYWHERE
@given(tools=st.lists(TOOLS, max_size=4))
def test_any_tools(folder: Path, tools: list[Any]) -> None:
    usable, refused = read_tools(tools)
    assert len(usable) + len(refused) == len(tools)
    for tool in usable:
        json_text(tool.model_dump(mode="json"))
    for ready in bound(usable, folder):
        ready.specification.problems({})
        ready.specification.problems({"a": 1, "b": [None]})
    again, refused = read_tools([tool.as_mcp() for tool in usable])
    assert refused == () and [tool.name for tool in again] == [tool.name for tool in usable]


@_EVERYWHERE
@given(VALUES_OF_ANY_KIND | st.dictionaries(st.sampled_from(["tools", "servers", "name", "class"]), VALUES_OF_ANY_KIND))
def test_any_document(value: Any) -> None:
    result = ingest(servers_in(value, "name", "source", "place"))
    for server in result.servers:
        json_text(server.model_dump(mode="json"))


def _lines(values: list[Any]) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values)


@_EVERYWHERE
@given(content=st.binary(max_size=60) | st.lists(VALUES_OF_ANY_KIND, max_size=5).map(_lines))
def test_any_file(folder: Path, content: bytes) -> None:
    path = folder / "file.json"
    path.write_bytes(content)
    try:
        ingest(read_file(path))
    except InputError as error:
        assert str(path) in str(error)
