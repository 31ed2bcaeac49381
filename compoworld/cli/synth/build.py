"""``compoworld synth build``: services from the specifications that were ingested."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, note, prose, say, table
from compoworld.cli.output import number as numbers
from compoworld.cli.program import DOES_NOT_HOLD
from compoworld.cli.working import Bar, Jobs, cores, peak_megabytes
from engine.errors import InputError

if TYPE_CHECKING:
    from synth.pipeline import Outcome

_FEW = 20


def build(
    services: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", parser=words("a service"), help="Those to build; else all applications."),
    ] = None,
    builder: Annotated[
        str | None,
        typer.Option(
            "--builder",
            metavar="compiler|model",
            help="Who builds. By default a model where a key is set and services are named, else the compiler.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="MODEL", help="The model, as its server names it.")
    ] = None,
    resume: Annotated[
        int | None, typer.Option("--resume", metavar="BUILD", help="Go on with this build by a model.")
    ] = None,
    dollars: Annotated[
        float | None, typer.Option("--dollars", metavar="USD", help="What one build by a model may cost.")
    ] = None,
    jobs: Jobs = None,
    force: Annotated[bool, typer.Option("--force", help="Build again what has not changed.")] = False,
    full: Annotated[bool, typer.Option("--full", help="List every service.")] = False,
    json: Json = False,
) -> None:
    """Build services from specifications: with a model that writes and tests code, or by the compiler, without one.

    What is built already of the same specification stays as it is; interrupted, it goes on where it stood.

    Example: compoworld synth build

    Example: compoworld synth build todoist --builder model
    """
    by_model = _by_model(builder, bool(services), model, resume)
    started = time.perf_counter()
    try:
        outcomes = (
            _with_model(services or [], model, resume, dollars) if by_model else _compiled(services or [], jobs, force)
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(" ".join(["compoworld synth build", *(services or [])])) from None
    figures = _figures(outcomes, time.perf_counter() - started)
    if json:
        emit(figures)
    else:
        _say(figures, outcomes, full=full)
    if any(item.status == "failed" for item in outcomes) and services:
        raise typer.Exit(DOES_NOT_HOLD)


def _by_model(builder: str | None, named: bool, model: str | None, resume: int | None) -> bool:
    if builder not in (None, "compiler", "model"):
        raise InputError(f"there is no builder {builder!r}", hint="compiler or model")
    if resume is not None or (builder is None and model is not None):
        return True
    if builder is not None:
        return builder == "model"
    import os

    return named and bool(os.environ.get("ANTHROPIC_API_KEY", "").strip())


def _compiled(services: list[str], jobs: int | None, force: bool) -> list[Outcome]:
    from synth.pipeline import build_all, chosen

    with opened() as world:
        specs = chosen(world.database, services)
        url = world.database.url
    if not specs:
        raise InputError("there is nothing to build", hint="compoworld synth ingest FILE first")
    with Bar("building", len(specs)) as bar:
        return build_all(url, specs, jobs=jobs or cores(), force=force, progress=bar)


def _with_model(services: list[str], model: str | None, resume: int | None, dollars: float | None) -> list[Outcome]:
    from synth.agent.build import build_with_model, resume_build
    from synth.builds import make_current, service_of
    from synth.dialogue.budget import Budget
    from synth.pipeline import Outcome, chosen

    outcomes = []
    budget = Budget(cost_usd=dollars)
    with opened() as world:
        specs = chosen(world.database, services) if resume is None else []
        results = []
        if resume is not None:
            results.append((service_of(world.database, resume), resume_build(world, resume, budget, note)))
        for item in specs:
            note(f"{item.spec.name}: {len(item.spec.tools)} tools, written by a model (--builder compiler needs none)")
            results.append((item.spec.name, build_with_model(world, item.spec, model, budget, note)))
        for service, result in results:
            if result.status == "built":
                make_current(world.database, result.build)
            code = sum(made == "code" for made, _ in result.tools.values())
            outcomes.append(
                Outcome(
                    service,
                    "built" if result.status == "built" else "failed",
                    len(result.tools),
                    code=code,
                    simulated=len(result.tools) - code,
                    seconds=result.seconds,
                    detail=result.detail or "",
                )
            )
    return outcomes


def _figures(outcomes: list[Outcome], seconds: float) -> dict[str, Any]:
    return {
        "services": len(outcomes),
        **{status: sum(item.status == status for item in outcomes) for status in ("built", "unchanged", "failed")},
        "code": sum(item.code for item in outcomes),
        "simulated": sum(item.simulated for item in outcomes),
        "seconds": round(seconds, 2),
        "peak_mb": peak_megabytes(),
        "failures": {item.name: item.detail for item in outcomes if item.status == "failed"},
    }


def _say(figures: dict[str, Any], outcomes: list[Outcome], *, full: bool) -> None:
    shown = [item for item in outcomes if full or len(outcomes) <= _FEW or item.status == "failed"]
    counts = ("tools", "code", "simulated")
    if shown:
        heading("services" if full or len(outcomes) <= _FEW else "not built")
        table(
            [Column("service"), name("status"), *map(numbers, counts)],
            [(item.name, item.status, *(getattr(item, word) for word in counts)) for item in shown],
        )
    for item in outcomes:
        if item.status == "failed":
            prose(f"{item.name}: {item.detail}", hanging="    ")
    say(
        f"{figures['built']} built, {figures['unchanged']} unchanged, {figures['failed']} failed:"
        f" {figures['code']} tools with code, {figures['simulated']} left to the world model"
        f" ({figures['seconds']:.1f} s, {figures['peak_mb']} MB)",
        fold=True,
    )
    if figures["built"] or figures["unchanged"]:
        note("next: compoworld synth attack")
