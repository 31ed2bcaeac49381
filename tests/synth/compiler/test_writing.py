"""The files: nothing of a specification becomes code, and the same specification gives the same files."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ServiceDefinitionError
from engine.world import World
from synth.compiler import plan_service, write_service, write_tests
from synth.compiler.building import compile_service
from synth.compiler.writing import said
from synth.specs import ServerSpec
from tests.synth.compiler.conftest import Compiled
from tests.synth.making import FORMS, NUMBER, READING_ROOM, TEXT, server, things, tool

HERE = Path(__file__).parents[3]
TRAP = 'x"""\nimport os\nos.environ["COMPOWORLD_TRAPPED"] = "1"\n"""\\\'{}%s{0}\x00\u2028'
ODD = ["from", "class", "$filter", "a-b", "ctx", "arguments", "self", "None", "__class__", "id", "metadata", "{x}", "'"]


def trapped(text: str) -> ServerSpec:
    """A server with this text wherever a text may stand."""
    said_so = {"type": "string", "description": text, "title": text, "default": text}
    choice = {"type": "string", "enum": [text, "plain"], "description": text}
    return server(
        "trapped",
        tool("create_loan", {"title": said_so, "state": choice, text: TEXT}, ["title"], said=text),
        tool("get_loan", {"loan_id": said_so}, ["loan_id"], said=text, output=things(**{text: TEXT, "id": TEXT})),
        tool("list_loans", {"state": choice, text: TEXT}, said=text),
        tool("update_loan", {"loan_id": TEXT, "state": choice, text: choice}, ["loan_id"], title=text),
        tool("tool_x", {text: said_so}, original=text),
        title=text,
        description=text,
    )


def written(spec: ServerSpec) -> dict[str, str]:
    plan = plan_service(spec)
    return {**write_service(plan), "test_service.py": write_tests(plan)}


def is_plain(files: dict[str, str]) -> None:
    """The modules hold nothing but what the compiler means to write."""
    tools = ast.parse(files["tools.py"])
    allowed = (ast.Expr, ast.ImportFrom, ast.Assign, ast.FunctionDef)
    assert all(isinstance(node, allowed) for node in tools.body)
    for node in tools.body:
        if isinstance(node, ast.FunctionDef):
            docstring, answer = node.body
            assert isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant)
            assert isinstance(answer, ast.Return)
    imported: set[str] = set()
    names: set[str] = set()
    for path in ("__init__.py", "state.py", "tools.py", "seed.py", "test_service.py"):
        for node in ast.walk(ast.parse(files[path])):
            assert not isinstance(node, ast.Import | ast.JoinedStr | ast.Lambda)
            if isinstance(node, ast.ImportFrom):
                imported.add(node.module or ".")
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
    assert imported <= {
        "__future__", "collections.abc", "datetime", "engine.kit", "pathlib", "synth.runtime", "typing", "."
    }  # fmt: skip
    assert not {name for name in names if name.startswith("__")}
    assert "environ" not in names


def test_a_trap_stays_a_text(compiled: Callable[[ServerSpec], Compiled], compiling: World) -> None:
    text = TRAP.replace("\x00", "")
    made = compiled(trapped(text))
    is_plain(made.files)
    assert made.failed() == {}
    play = made.play()
    new = play.ok("create_loan", **{"title": text, "state": text, text: text})
    assert new == {"id": new["id"], "title": text, "state": text, text: text}
    assert new in play.ok("list_loans", state=text)["items"]
    assert "COMPOWORLD_TRAPPED" not in os.environ
    specification = json.loads(made.files["tools.json"])["tools"][0]
    assert specification["description"] == text


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_text_stays_a_text(text: str) -> None:
    is_plain(written(trapped(text)))


def test_even_a_text_that_no_row_can_hold() -> None:
    is_plain(written(trapped(TRAP)))


@given(st.text())
def test_what_is_said_in_docstrings_is_one_line(text: str) -> None:
    line = said(text)
    assert ast.literal_eval(f'"""{line}"""') == line and line.isprintable() and len(line) <= 100


def test_names_that_mean_something_in_python(compiled: Callable[[ServerSpec], Compiled]) -> None:
    values = {name: TEXT for name in ODD if name != "id"}
    made = compiled(
        server(
            "odd",
            tool("create_loan", values),
            tool("get_loan", {"id": TEXT}, ["id"]),
            tool("update_loan", {"id": TEXT, **values}, ["id"]),
            tool("list_loans", {"class": TEXT, "self": TEXT}),
        )
    )
    assert made.failed() == {}
    play = made.play()
    given_values = {name: f"value of {name}" for name in values}
    new = play.ok("create_loan", **given_values)
    assert new == {"id": new["id"], **given_values}
    assert play.ok("list_loans", **{"class": "value of class", "self": "value of self"})["items"] == [new]
    changed = play.ok("update_loan", id=new["id"], **{"class": "other", "$filter": "x"})
    assert changed == {**new, "class": "other", "$filter": "x"}


def test_tools_whose_names_the_code_needs(compiled: Callable[[ServerSpec], Compiled]) -> None:
    names = ("state", "tool", "flat", "fitted", "within", "outputs", "Records", "Any", "Path", "Context", "annotations")
    grouped = {"body": things(title=TEXT)}
    made = compiled(
        server(
            "odd",
            *(tool(name, grouped, original=f"get_{name}_loan") for name in names),
            *(tool(f"{name}_records", grouped, original=f"create_{name}") for name in ("book", "list")),
            tool("create_loan", grouped, output=things(id=TEXT)),
            tool("create_loan_refuses", {"title": TEXT}, ["title"], original="create_loan_refusal"),
        )
    )
    assert made.failed() == {}
    left = {item.spec.name: item.reason for item in made.plan.tools if item.call is None}
    for name in ("tool", "flat", "fitted", "within"):
        assert "would hide" in left[name]
    play = made.play()
    assert play.ok("create_loan", body={"title": "Tides"})["id"]
    assert play.ok("book_records", body={"title": "Tides"})["title"] == "Tides"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_same_files_in_every_process(seed: str) -> None:
    script = (
        "import json; from synth.compiler import *; from tests.synth.making import FORMS, READING_ROOM\n"
        "plans = [plan_service(FORMS), plan_service(READING_ROOM)]\n"
        "print(json.dumps([{**write_service(plan), 'test_service.py': write_tests(plan)} for plan in plans]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=HERE,
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == [written(FORMS), written(READING_ROOM)]


def test_seed_data_fits_the_schemas(compiled: Callable[[ServerSpec], Compiled]) -> None:
    made = compiled(
        server(
            "forms",
            tool(
                "create_loan",
                {
                    "code": {"type": "string", "pattern": "^[A-Z]{2}\\d{4}$"},
                    "state": {"type": "string", "enum": ["out", "back"]},
                    "days": {"type": "integer", "minimum": 7, "maximum": 9},
                    "mark": {"type": "string", "minLength": 3, "maxLength": 5},
                    "labels": {"type": "array", "items": TEXT, "minItems": 2},
                },
                ["code", "state"],
            ),
            tool("list_loans", {}),
        )
    )
    schema = made.plan.tools[0].spec.input_schema["properties"]
    rows: list[dict[str, Any]] = made.play().ok("list_loans")["items"]
    assert len(rows) == 4
    for row in rows:
        assert row["state"] in ("out", "back") and len(row["code"]) == 6 and 3 <= len(row["mark"]) <= 5
        assert schema["days"]["minimum"] <= row["days"] <= 9
        assert len(row["labels"]) >= 2


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (server("empty"), "none of its tools"),
        (server("vague", tool("do_it", {"x": TEXT}), tool("think", {})), "none of its tools"),
    ],
)
def test_not_built(compiling: World, spec: ServerSpec, why: str) -> None:
    made = compile_service(compiling, spec)
    assert made.files is None and made.tools == {} and why in (made.detail or "")


def test_a_tool_whose_test_fails_is_left_to_the_world_model(compiling: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from synth.runtime import Records

    def broken(*_: Any, **__: Any) -> Any:
        raise ServiceDefinitionError("broken")

    monkeypatch.setattr(Records, "count", broken)
    made = compile_service(compiling, READING_ROOM)
    assert made.files is not None
    kind, reason = made.tools["count_books"]
    assert kind == "world_model" and "fails its test" in reason
    assert "count_books" in made.files["__init__.py"] and "count(" not in made.files["tools.py"]
    assert made.tools["get_book"][0] == "code"


def test_schemas_that_name_themselves(compiling: World) -> None:
    node = {"$ref": "#/$defs/node"}
    schema = {
        "type": "object",
        "properties": {"tree": node, "title": TEXT},
        "required": ["tree"],
        "$defs": {"node": {"type": "object", "properties": {"child": node, "label": TEXT}, "required": ["label"]}},
    }
    spec = server("trees", tool("get_tree", {"tree_id": TEXT}, ["tree_id"]))
    made_by = spec.tools[0].model_copy(
        update={"name": "create_tree", "original_name": "create_tree", "input_schema": schema, "output_schema": schema}
    )
    made = compile_service(compiling, spec.model_copy(update={"tools": (made_by, *spec.tools)}))
    assert made.files is not None, made.detail
    assert made.tools["create_tree"][0] == "code"


def test_names_of_other_scripts(compiling: World) -> None:
    spec = server(
        "scripts",
        tool("tool_1", {"имя": TEXT, "名前": TEXT}, original="создать_книгу"),
        tool("create_cafe", {"имя": TEXT, "名前": TEXT, "été": TEXT}, original="create_café"),
        tool("get_cafe", {"id": TEXT}, ["id"], original="get_café"),
    )
    made = compile_service(compiling, spec)
    assert made.files is not None, made.detail
    assert made.tools["create_cafe"][0] == "code" and made.tools["tool_1"][0] == "world_model"
    is_plain(made.files)


def test_three_hundred_tools(compiling: World) -> None:
    tools = [
        made
        for word in (f"{first}o{second}er" for first in "bcdfg" for second in "bcdfghjklmnprst")
        for made in (
            tool(f"create_{word}", {"title": TEXT, "days": NUMBER}, ["title"]),
            tool(f"get_{word}", {f"{word}_id": TEXT}, [f"{word}_id"]),
            tool(f"list_{word}s", {"limit": NUMBER}),
            tool(f"delete_{word}", {f"{word}_id": TEXT}, [f"{word}_id"]),
        )
    ]
    assert len(tools) == 300
    plan = plan_service(server("many", *tools))
    assert len(plan.entities) == 75 and all(item.call for item in plan.tools)
    is_plain({**write_service(plan), "test_service.py": write_tests(plan)})
    assert compiling.database is not None
