"""The tools that a model is given: their arguments are pydantic models, their results short texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

_LONGEST_PROBLEM = 1_500


class Arguments(BaseModel):
    """Arguments of a tool; its docstring is the tool's description."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Result:
    """What a tool gave; ``error``: it was not done."""

    text: str
    error: bool = False


def definitions(tools: Mapping[str, type[Arguments]]) -> list[dict[str, Any]]:
    """The tools in the form of the Messages API."""
    found = []
    for name, arguments in tools.items():
        schema = arguments.model_json_schema()
        schema.pop("description", None)
        found.append({"name": name, "description": getdoc(arguments), "input_schema": schema})
    return found


def understood(tools: Mapping[str, type[Arguments]], name: str, given: Any) -> Arguments | Result:
    """The arguments that the model gave, or what is wrong with them."""
    if name not in tools:
        return Result(f"there is no tool {name[:80]!r}; there are {', '.join(tools)}", error=True)
    try:
        return tools[name].model_validate(given, strict=True)
    except ValidationError as error:
        return Result(problems(error), error=True)


def problems(error: ValidationError) -> str:
    """What pydantic found, in one line."""
    found = (f"{'.'.join(map(str, item['loc'])) or 'it'}: {item['msg']}" for item in error.errors(include_url=False))
    return "; ".join(found)[:_LONGEST_PROBLEM]


def bounded(text: str, longest: int) -> str:
    """The text, or its beginning and its end where it is longer than that."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters are left out ...]\n{text[-half:]}"
