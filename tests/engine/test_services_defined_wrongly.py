"""A mistake in a service: the message names the service, the file and the line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import services
from engine.errors import EntityInvalid, ServiceDefinitionError
from engine.kit.specification import read_specification
from engine.library import Library
from engine.world import World
from tests.engine.shop.state import Region

INIT = "from services.wrong import tools\n"
Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """``write(tools=..., state=...)``: makes the files of a service named ``wrong``."""

    def make(init: str = INIT, **files: str) -> None:
        folder = tmp_path / "wrong"
        folder.mkdir()
        for name, words in {"__init__": init, **files}.items():
            (folder / f"{name}.py").write_text(words)
        monkeypatch.setattr(services, "__path__", [str(tmp_path)])

    yield make
    for name in [name for name in sys.modules if name.startswith("services.wrong")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("tools", "says"),
    [
        ("x = 1\ndef f(:\n", "services/wrong/tools.py, line 2: SyntaxError: invalid syntax"),
        ("\n\nx = {}['a']\n", "services/wrong/tools.py, line 3: KeyError: 'a'"),
        ("import json\njson.loads('')\n", "services/wrong/tools.py, line 2: JSONDecodeError: Expecting value"),
        ("from engine.kit import nothing\n", "services/wrong/tools.py, line 1: ImportError: cannot import name"),
        (
            "from engine.kit import field\n\nword = field('headline')\n",
            "services/wrong/tools.py, line 3: unknown semantic type 'headline' (use one of id, ",
        ),
    ],
)
def test_what_importing_a_service_raises(write: Write, tools: str, says: str) -> None:
    write(tools=tools)
    with pytest.raises(ServiceDefinitionError) as caught:
        Library().get("wrong")
    assert str(caught.value).startswith(says)


def test_a_package_without_its_service(write: Write) -> None:
    write(init="")
    with pytest.raises(ServiceDefinitionError, match="services/wrong does not define `service`"):
        Library().get("wrong")


@pytest.mark.parametrize("words", ["{", json.dumps({"tools": [{"name": ""}]}), json.dumps({"tools": [{"name": "a"}]})])
def test_a_specification_is_named_with_its_folder(tmp_path: Path, words: str) -> None:
    path = tmp_path / "services" / "notes" / "tools.json"
    path.parent.mkdir(parents=True)
    path.write_text(words)
    with pytest.raises(ServiceDefinitionError, match=r"services/notes/tools\.json: "):
        read_specification(path)


def test_a_row_is_named_by_its_key(world: World) -> None:
    rows = [Region(id="r1", name="North"), Region(id="r2", name=7)]
    with pytest.raises(EntityInvalid) as caught:
        world.compose("shop").snapshot(rows)
    assert str(caught.value).startswith("Region r2: name: Input should be a valid string")
    assert (caught.value.entity, caught.value.row) == ("Region", "r2")


def test_every_choice_of_an_argument_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    schema = {"type": "object", "properties": {"day": {"enum": [0, 7, 30, 60, "ö", None]}}}
    path.write_text(json.dumps({"tools": [{"name": "pick", "inputSchema": schema}]}))
    problems = read_specification(path)["pick"].problems({"day": 46})
    assert problems == [{"argument": "day", "problem": '46 is not one of 0, 7, 30, 60, "ö", null'}]
