"""The four meta-tools: all that an agent sees of a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.branches import Branch
from engine.calls import CallResult
from engine.errors import InputError, ToolError
from engine.kit.specification import ToolSpecification

_NAME = {"type": "string", "minLength": 1}

_META = {
    item.name: item
    for item in (
        ToolSpecification(
            "list_services",
            "List the services that are available, with a sentence about each.",
            {"type": "object", "properties": {}},
        ),
        ToolSpecification(
            "list_tools",
            "List the tools of one service, with what each does.",
            {"type": "object", "properties": {"service": _NAME}, "required": ["service"]},
        ),
        ToolSpecification(
            "describe_tool",
            "Show one tool in full: its description and the JSON Schema of its arguments.",
            {
                "type": "object",
                "properties": {"service": _NAME, "tool": _NAME},
                "required": ["service", "tool"],
            },
        ),
        ToolSpecification(
            "call_tool",
            'Call a tool of a service. The result is {"ok": true, "data": ...} or {"ok": false, "error": ...}.',
            {
                "type": "object",
                "properties": {
                    "service": _NAME,
                    "tool": _NAME,
                    "arguments": {
                        "type": "object",
                        "description": "The arguments, as describe_tool shows them.",
                    },
                },
                "required": ["service", "tool"],
            },
        ),
    )
}


@dataclass(frozen=True)
class MetaResult:
    """What a meta-tool gave.

    Attributes:
        observation: for the agent, ``{"ok": ...}``.
        call: the event behind it, for ``call_tool``.
    """

    observation: dict[str, Any]
    call: CallResult | None = None


class MetaTools:
    """The meta-tools over a branch.

    Args:
        branch: the branch that calls go to.
        services: what the agent can discover: the task's services and its distractors.

    Raises:
        InputError: a service is not in the branch's composition.
    """

    def __init__(self, branch: Branch, services: Sequence[str]) -> None:
        missing = sorted(set(services) - branch.composition.services.keys())
        if missing:
            raise InputError(f"{', '.join(missing)} is not in composition {branch.composition.id}")
        self.branch = branch
        self.services = {name: branch.composition.services[name] for name in sorted(set(services))}
        simulated = branch.composition.world.world_model is not None
        self._tools = {name: service.offered(simulated) for name, service in self.services.items()}

    @staticmethod
    def definitions() -> list[dict[str, Any]]:
        """The meta-tools as ``{"name", "description", "input_schema"}``, always in the same order."""
        return [
            {"name": item.name, "description": item.description, "input_schema": item.input_schema}
            for item in _META.values()
        ]

    def run(self, name: str, arguments: Any) -> MetaResult:
        """Run a meta-tool; whatever is wrong with the request becomes an observation that the agent can act on.

        Raises:
            DatabaseUnavailable: the database was lost.
            InfrastructureError: the engine failed.
        """
        specification = _META.get(name) if isinstance(name, str) else None
        if specification is None:
            return _no("unknown_tool", f"There is no tool {name!r}; there are {', '.join(_META)}.")
        if not isinstance(arguments, dict):
            return _no("invalid_arguments", f"The arguments of {name} are a JSON object.")
        problems = specification.problems(arguments)
        if problems:
            first = problems[0]
            return _no("invalid_arguments", f"{first['argument']}: {first['problem']}", problems=problems)
        try:
            if name == "call_tool":
                return self._call(arguments["service"], arguments["tool"], arguments.get("arguments", {}))
            return MetaResult({"ok": True, "data": self._look(name, arguments)})
        except ToolError as error:
            return _no(error.code, error.message, **error.details)

    def waits_for_model(self, name: str, arguments: Any) -> bool:
        """Whether this use of a meta-tool is a call that a world model answers."""
        if name != "call_tool" or not isinstance(arguments, dict):
            return False
        service, tool = arguments.get("service"), arguments.get("tool")
        if not isinstance(service, str) or not isinstance(tool, str):
            return False
        found = self._tools.get(service, {}).get(tool)
        return found is not None and found.simulated

    def _look(self, name: str, arguments: dict[str, Any]) -> Any:
        if name == "list_services":
            return [
                {
                    "service": item.name,
                    "title": item.title,
                    "summary": item.summary,
                    "tools": len(self._tools[item.name]),
                }
                for item in self.services.values()
            ]
        service = self.services.get(arguments["service"])
        if service is None:
            raise ToolError("unknown_service", f"There is no service {arguments['service']!r}.")
        if name == "list_tools":
            return [
                {"tool": item.name, "description": item.specification.description}
                for item in self._tools[service.name].values()
            ]
        tool = self._tools[service.name].get(arguments["tool"])
        if tool is None:
            raise ToolError("unknown_tool", f"Service {service.name!r} has no tool {arguments['tool']!r}.")
        return tool.specification.as_mcp()

    def _call(self, service: str, tool: str, arguments: dict[str, Any]) -> MetaResult:
        # A service of the composition that this agent was not given is unknown to it, and the log says so.
        result = self.branch.composition.world.calls.call(
            self.branch.id, self.services, self.branch.snapshot.person, service, tool, arguments
        )
        return MetaResult(result.observation, result)


def _no(code: str, message: str, **details: Any) -> MetaResult:
    return MetaResult({"ok": False, "error": {"code": code, "message": message[:1000], "details": details}})
