"""A call that is asked for: examined before any transaction, in a form that can be logged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from engine._answers import Answer, Logged
from engine._verdicts import Outcome, Verdict, refusal
from engine.errors import InputError
from engine.events import Event
from engine.kit import Service, Tool
from engine.kit.service import Runner
from engine.kit.specification import MAX_ARGUMENTS
from engine.kit.values import json_text, no_json, printable, shown

NOT_KEPT = "the arguments cannot be stored as they were given"
"""Detail of an event whose arguments in the log are not those of the call."""


@dataclass
class Request:
    """One call to make.

    Attributes:
        arguments_text: the arguments as JSON, for the log.
        bound: the tool; ``None`` where none is to run.
        early: the verdict where it is known without running anything.
        answer: stands in for the tool's code: that of a world model.
        runner: makes the call where the tool's code runs elsewhere.
    """

    service: str
    tool: str
    arguments: dict[str, Any]
    arguments_text: str
    bound: Tool | None = None
    early: Verdict | None = None
    answer: Answer | None = None
    runner: Runner | None = None

    @property
    def name(self) -> str:
        """``service.tool``."""
        return f"{self.service}.{self.tool}"


def examine(
    services: dict[str, Service],
    service: Any,
    tool: Any,
    arguments: Any,
    *,
    simulated: bool = False,
    withheld: bool = False,
) -> Request:
    """A request from whatever was given; anything wrong with it is an early verdict.

    Args:
        simulated: there are tools without code too: a world model answers them.
        withheld: tools that are withheld can be called too.

    Raises:
        InputError: names are no texts, or arguments no dict at all.
    """
    if not isinstance(service, str) or not isinstance(tool, str):
        raise InputError("service and tool are names, as text")
    if not isinstance(arguments, dict):
        raise InputError(f"arguments are a JSON object, not {type(arguments).__name__}")
    kept, arguments_text, problem = _arguments(arguments)
    request = Request(printable(service), printable(tool), kept, arguments_text)
    if problem is not None:
        request.early = refusal("invalid", "invalid_arguments", shown(problem)[:500], detail=NOT_KEPT)
    elif service not in services:
        message = f"There is no service {request.service!r}; list_services shows what there is."
        request.early = refusal("unknown", "unknown_service", message)
    elif tool not in (services[service].tools if withheld else services[service].offered(simulated)):
        message = f"Service {service!r} has no tool {request.tool!r}; list_tools shows what it has."
        request.early = refusal("unknown", "unknown_tool", message)
    else:
        request.bound = services[service].tools[tool]
        if not request.bound.simulated:
            request.runner = services[service].runner
    return request


def repeated(services: dict[str, Service], event: Event) -> Request:
    """The request of a logged event.

    Arguments that were not kept had been refused before any tool saw them: their verdict is taken from the log.
    """
    if event.detail == NOT_KEPT:
        early = Verdict("invalid", event.observation, event.error_code, event.detail)
        return Request(event.service, event.tool, event.arguments, json_text(event.arguments), early=early)
    if event.produced_by == "world_model":
        return _answered(services, event)
    # A tool without code was unknown where there was no world model; where there was one, its arguments were wrong.
    # One that was called then may be in quarantine now: what it did is still told.
    known = event.outcome != "unknown"
    return examine(services, event.service, event.tool, event.arguments, simulated=known, withheld=known)


def _answered(services: dict[str, Service], event: Event) -> Request:
    """The request of an event that a world model answered: its answer is that of the log, nobody is asked again."""
    service = services.get(event.service)
    bound = service.tools.get(event.tool) if service is not None else None
    request = Request(event.service, event.tool, event.arguments, json_text(event.arguments), bound)
    verdict = Verdict("ok", event.observation)
    if event.outcome != "ok":
        outcome = cast(Outcome, event.outcome)
        verdict = request.early = Verdict(outcome, event.observation, event.error_code, event.detail)
    request.answer = Logged(service.entities if service is not None else (), event, verdict)
    return request


def _arguments(given: dict[str, Any]) -> tuple[dict[str, Any], str, str | None]:
    """The arguments to keep, as JSON too, and what is wrong with those that were given."""
    try:
        text = json_text(given)
        if len(text) > MAX_ARGUMENTS:
            return {}, "{}", f"the arguments have {len(text)} characters; at most {MAX_ARGUMENTS} are taken"
        if problem := no_json(given):
            return {}, "{}", problem
    except ValueError as error:
        kept = shown(given)
        return kept, json_text(kept), str(error)
    except TypeError as error:
        return {}, "{}", str(error)
    except RecursionError:
        return {}, "{}", "too deeply nested"
    return given, text, None
