"""Tools: typed Python functions bound to their specification."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from engine.errors import InfrastructureError, ServiceDefinitionError, ToolError
from engine.kit.specification import ToolSpecification

ToolFunction: TypeAlias = Callable[..., Any]

_MARK = "__compoworld_tool__"


def tool(function: ToolFunction) -> ToolFunction:
    """Mark a function as the tool of the same name: ``def send(ctx: Context, to: list[str], ...) -> Any``.

    Its parameters are those of the specification; one that is a keyword ends in an underscore (``from_`` for
    ``from``). Annotations say how JSON values arrive: ``Moment``, ``Money``, ``date``, ``list[str]``. A function with
    ``**arguments`` gets those that it does not name as the JSON values that they are, by the specification's names.
    """
    setattr(function, _MARK, True)
    return function


def is_tool(value: Any) -> bool:
    """Whether ``@tool`` marked this function."""
    return getattr(value, _MARK, False) is True


def _argument_name(parameter: str) -> str:
    bare = parameter.removesuffix("_")
    return bare if keyword.iskeyword(bare) or bare in {"schema", "json", "copy"} else parameter


@dataclass(frozen=True)
class Tool:
    """A tool ready to run: its specification, its function, and the model that types its arguments.

    Attributes:
        simulated: it has no code of its own: the world model answers.
    """

    specification: ToolSpecification
    function: ToolFunction
    arguments_model: type[BaseModel]
    simulated: bool = False

    @property
    def name(self) -> str:
        """The tool's name inside its service."""
        return self.specification.name

    def typed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Check arguments against the specification and turn them into the function's parameters.

        Raises:
            ToolError: code ``invalid_arguments``, with one problem per argument in the details.
        """
        problems = self.specification.problems(arguments)
        if not problems:
            try:
                model = self.arguments_model.model_validate(arguments)
            except ValidationError as error:
                problems = [
                    {
                        "argument": ".".join(map(str, item["loc"])) or "arguments",
                        "problem": item["msg"].removeprefix("Value error, "),
                    }
                    for item in error.errors(include_url=False, include_input=False)
                ]
            else:
                others = model.model_extra or {}
                return {**others, **{name: getattr(model, name) for name in model.model_fields_set - others.keys()}}
        first = problems[0]
        raise ToolError("invalid_arguments", f"{first['argument']}: {first['problem']}", problems=problems[:20])


def bind(specification: ToolSpecification, function: ToolFunction) -> Tool:
    """Bind a function to its specification.

    Raises:
        ServiceDefinitionError: their parameters do not agree.
    """
    parameters = list(inspect.signature(function).parameters.values())[1:]
    takes_all = any(item.kind is inspect.Parameter.VAR_KEYWORD for item in parameters)
    parameters = [item for item in parameters if item.kind is not inspect.Parameter.VAR_KEYWORD]
    hints = get_type_hints(function, include_extras=True)
    by_argument = {_argument_name(item.name): item for item in parameters}
    name = specification.name
    for argument in specification.properties:
        if argument not in by_argument and not takes_all:
            raise ServiceDefinitionError(f"tool {name}: the function lacks the parameter {argument!r}")
    fields: dict[str, Any] = {}
    for argument, item in by_argument.items():
        if argument not in specification.properties:
            raise ServiceDefinitionError(f"tool {name}: the specification lacks the argument {argument!r}")
        required = item.default is inspect.Parameter.empty
        if required and argument not in specification.required:
            raise ServiceDefinitionError(f"tool {name}: {argument!r} is optional but has no default")
        if item.name not in hints:
            raise ServiceDefinitionError(f"tool {name}: the parameter {item.name!r} has no type")
        fields[item.name] = (hints[item.name], ... if required else item.default)
    aliases = {item.name: argument for argument, item in by_argument.items()}
    model = create_model(
        f"{name}_arguments",
        __config__=ConfigDict(
            alias_generator=lambda field: aliases.get(field, field),
            extra="allow",
            protected_namespaces=(),
            arbitrary_types_allowed=True,
        ),
        **fields,
    )
    return Tool(specification, function, model)


def simulated(specification: ToolSpecification) -> Tool:
    """A tool that is left to the world model."""

    def ask(_ctx: Any, /, **_arguments: Any) -> Any:
        raise InfrastructureError(f"{specification.name} is answered by a world model, and none is set")

    return replace(bind(specification, ask), simulated=True)
