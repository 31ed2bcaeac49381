"""Compile, try, and withdraw what does not hold."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import DatabaseUnavailable
from engine.world import World
from synth.attack.world_target import WorldTarget
from synth.built import load_service
from synth.compiler.infer import plan_service
from synth.compiler.plan import ServicePlan
from synth.compiler.testing import does, refuses, write_tests
from synth.compiler.writing import write_service
from synth.errors import told
from synth.specs import ServerSpec
from synth.trial import run_tests

_TRIES = 3


@dataclass(frozen=True)
class Compiled:
    """What the compiler made of a specification.

    Attributes:
        files: of the service, its tests among them; ``None`` where there is none.
        tools: by name, ``code`` or ``world_model``, and why.
        detail: why there is no service.
    """

    files: dict[str, str] | None
    tools: dict[str, tuple[str, str]]
    entities: int
    seconds: float
    detail: str | None = None


def compile_service(world: World, spec: ServerSpec) -> Compiled:
    """Make a service of a specification and run its tests; a tool whose test fails is left to the world model.

    Args:
        world: whose database holds the scratch composition; nothing stays behind.

    Raises:
        DatabaseUnavailable: the database was lost.
    """
    begun = time.perf_counter()
    try:
        made = _compiled(world, spec)
    except DatabaseUnavailable:
        raise
    except Exception as error:  # whatever a specification leads to is said of this service; the others go on
        made = told(error)
    seconds = time.perf_counter() - begun
    if isinstance(made, str):
        return Compiled(None, {}, 0, seconds, made)
    files, plan = made
    return Compiled(files, _made_as(plan), len(plan.entities), seconds)


def _compiled(world: World, spec: ServerSpec) -> tuple[dict[str, str], ServicePlan] | str:
    """The files of a service whose tests hold, and their plan; or why there are none."""
    plan = plan_service(spec)
    if not any(tool.call for tool in plan.tools):
        return "none of its tools can be made without a model"
    for _ in range(_TRIES):
        files = {**write_service(plan), "test_service.py": write_tests(plan)}
        service = load_service(files)
        with WorldTarget(world, service) as target:
            failed = run_tests(target, service).failed
        if not failed:
            return files, plan
        if not _withdraw(plan, failed):
            return f"its tests fail: {next(iter(failed.values()))}"
    return "its tests fail time and again"


def _withdraw(plan: ServicePlan, failed: Mapping[str, str]) -> bool:
    """Leave the tools of failed tests to the world model; whether there is code left."""
    for tool in plan.tools:
        problem = failed.get(does(tool)) or failed.get(refuses(tool))
        if problem is not None:
            tool.call, tool.reason = None, f"the code that was made for it fails its test: {problem}"[:500]
    return any(tool.call for tool in plan.tools)


def _made_as(plan: ServicePlan) -> dict[str, tuple[str, str]]:
    return {
        tool.spec.name: ("code", "compiled from its specification")
        if tool.call is not None
        else ("world_model", tool.reason)
        for tool in plan.tools
    }
