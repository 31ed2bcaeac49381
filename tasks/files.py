"""Task files: YAML, one task each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from tasks.document import Task
from tasks.errors import Source, TaskFileError

LIBRARY = Path(__file__).with_name("library")
"""The tasks that come with CompoWorld."""

MAX_BYTES = 1_000_000
DEEPEST = 50

SHOWN = 9
"""Further mistakes that one error names."""


class _Loader(yaml.SafeLoader):
    """JSON's values only: ``no``, ``12:30`` and ``2026-03-02`` stay texts."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the base class declares it so
        first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] == "null"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), ["t", "f"])
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]*)$"), list("-0123456789"))
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^-?(?:0|[1-9][0-9]*)\.[0-9]+$"), list("-0123456789")
)


def read_task(path: Path | str) -> Task:
    """Read a task file.

    Raises:
        TaskFileError: there is none, it is no YAML, or it is not a task; file, line and place are named.
    """
    file = Path(path)
    raw = _bytes(file)
    try:
        return parse_task(raw.decode("utf-8"), str(file))
    except UnicodeDecodeError as error:
        raise TaskFileError(str(file), f"is not UTF-8: {error.reason} at byte {error.start}") from error


def parse_task(text: str, file: str = "the task") -> Task:
    """A task from the text of a task file.

    Args:
        file: how errors name it.

    Raises:
        TaskFileError: as ``read_task``.
    """
    try:
        node = _compose(text, file)
        value = _value(node, file)
        task = Task.model_validate_json(json.dumps(value), strict=True)
        task.document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = f"is not YAML: {getattr(error, 'problem', None) or error}"
        raise TaskFileError(file, problem, line=mark.line + 1 if mark else None) from error
    except ValidationError as error:
        # A field that does not exist explains the one that is missing.
        first, *others = sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden")
        hint = _known_fields(first["loc"]) if first["type"] == "extra_forbidden" else None
        problem = "; ".join([_problem(first), *(f"{_place(item['loc'])}: {_problem(item)}" for item in others[:SHOWN])])
        if len(others) > SHOWN:
            problem += f"; and {len(others) - SHOWN} more"
        line = _line(node, first["loc"])
        raise TaskFileError(file, problem, place=_place(first["loc"]), line=line, hint=hint) from None
    except ValueError as error:
        raise TaskFileError(file, str(error)) from error
    return task.written_in(Source(file, dict(_lines(node))))


def library() -> Iterator[Task]:
    """The tasks that come with CompoWorld, in the order of their names.

    Raises:
        TaskFileError: one of them is wrong.
    """
    return (read_task(path) for path in sorted(LIBRARY.glob("*.yaml")))


def named(name: str) -> Task:
    """The task of that name in the library, or the task in the file of that path.

    Raises:
        TaskFileError: there is no such task, or its file is wrong.
    """
    known = sorted(item.stem for item in LIBRARY.glob("*.yaml"))
    if name in known:
        return read_task(LIBRARY / f"{name}.yaml")
    if name.endswith((".yaml", ".yml")):
        return read_task(name)
    raise TaskFileError(name, "there is no such task in the library", hint=f"give a file, or one of {', '.join(known)}")


def _bytes(file: Path) -> bytes:
    try:
        # What is no plain file may never end, or wait for a writer.
        if file.exists() and not file.is_file():
            raise TaskFileError(str(file), "cannot be read: it is no plain file")
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TaskFileError(str(file), f"cannot be read: {reason}") from error
    if len(raw) > MAX_BYTES:
        raise TaskFileError(str(file), f"is too large: at most {MAX_BYTES} bytes are read")
    return raw


def _compose(text: str, file: str) -> yaml.Node:
    loader = _Loader(text)
    depth = 0
    try:
        for event in yaml.parse(text, _Loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise TaskFileError(file, f"is nested more than {DEEPEST} levels deep")
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else None
                raise TaskFileError(file, f"uses the alias *{event.anchor}", line=line, hint="write it out")
        node = loader.get_single_node()
    finally:
        loader.dispose()
    if node is None:
        raise TaskFileError(file, "is empty")
    return node


def _value(node: yaml.Node, file: str) -> Any:
    line = _start(node) + 1
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    if isinstance(node, yaml.MappingNode) and kind == "map":
        return _mapping(node, file)
    if isinstance(node, yaml.SequenceNode) and kind == "seq":
        return [_value(item, file) for item in node.value]
    if isinstance(node, yaml.ScalarNode):
        text: str = node.value
        match kind:
            case "null":
                return None
            case "bool":
                return text == "true"
            case "int":
                return int(text)
            case "float":
                return float(text)
            case "str":
                return text
    raise TaskFileError(file, f"has a value of the kind {kind}", line=line, hint="write a plain text, number or list")


def _mapping(node: yaml.MappingNode, file: str) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key_node, item in node.value:
        line = _start(key_node) + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise TaskFileError(file, "a key is not a text", line=line)
        if key_node.value in value:
            raise TaskFileError(file, f"has the key {key_node.value!r} twice", line=line)
        value[key_node.value] = _value(item, file)
    return value


def _start(node: yaml.Node) -> int:
    return node.start_mark.line if node.start_mark else 0


def _lines(node: yaml.Node, place: str = "") -> Iterator[tuple[str, int]]:
    """Every place of the document with its line."""
    parts: list[tuple[str, int, yaml.Node]] = []
    if isinstance(node, yaml.MappingNode):
        parts = [(key.value, _start(key), item) for key, item in node.value]
    elif isinstance(node, yaml.SequenceNode):
        parts = [(str(number), _start(item), item) for number, item in enumerate(node.value)]
    for name, line, item in parts:
        inner = f"{place}.{name}" if place else name
        yield inner, line + 1
        yield from _lines(item, inner)


def _place(steps: tuple[int | str, ...]) -> str:
    return ".".join(map(str, steps))


def _problem(item: Mapping[str, Any]) -> str:
    if item["type"] == "extra_forbidden":
        return "there is no such field"
    return str(item["msg"]).removeprefix("Value error, ")


def _line(node: yaml.Node, place: tuple[int | str, ...]) -> int:
    """The line of the deepest node on the way to a place."""
    line = _start(node)
    for step in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, item) for key, item in node.value if key.value == step]
            if not found:
                break
            key, node = found[0]
            line = _start(key)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = _start(node)
        else:
            break
    return line + 1


def _known_fields(place: tuple[int | str, ...]) -> str | None:
    model: Any = Task
    for step in place[:-1]:
        if isinstance(step, int):
            continue
        annotation = model.model_fields[step].annotation
        inner = [item for item in (annotation, *get_args(annotation)) if isinstance(item, type)]
        model = next((item for item in inner if issubclass(item, BaseModel)), None)
        if model is None:
            return None
    return f"the fields are {', '.join(model.model_fields)}"
