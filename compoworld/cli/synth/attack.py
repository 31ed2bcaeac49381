"""``compoworld synth attack``: hold services against what their specifications say."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, Seed, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, prose, say, table
from compoworld.cli.output import number as numbers
from compoworld.cli.program import DOES_NOT_HOLD
from compoworld.cli.working import Bar, Jobs, cores, peak_megabytes
from engine.errors import InputError

if TYPE_CHECKING:
    from synth.pipeline import Outcome

_FEW = 40


def attack(
    services: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...", parser=words("a service"), help="Those to attack; else all that were built."
        ),
    ] = None,
    library: Annotated[bool, typer.Option("--library", help="The services of the library.")] = False,
    seed: Seed = 0,
    writer: Annotated[
        str | None,
        typer.Option(
            "--writer", metavar="MODEL", help="Let this model write a part of the attack, in its own session."
        ),
    ] = None,
    jobs: Jobs = None,
    force: Annotated[bool, typer.Option("--force", help="Attack again what has not changed.")] = False,
    full: Annotated[bool, typer.Option("--full", help="List every service.")] = False,
    json: Json = False,
) -> None:
    """Attack services from their specifications alone; tools that do not keep the laws go into quarantine.

    Exit code 1 if a tool is quarantined of a service that was named, or of the library.

    Example: compoworld synth attack

    Example: compoworld synth attack --library
    """
    from synth.builds import built_names
    from synth.pipeline import attack_all
    from synth.shelf import Shelf

    started = time.perf_counter()
    if writer is not None:
        from synth.attack.model import AnthropicWriter

        AnthropicWriter(writer)  # says now if there is no key
    with opened() as world:
        known = Shelf(world.database).names()
        built = built_names(world.database)
        url = world.database.url
    names = services or ([item for item in known if item not in built] if library else built)
    for item in names:
        if item not in known:
            raise InputError(f"there is no service {item!r}", hint="compoworld synth build makes one")
    if not names:
        raise InputError("nothing is built yet", hint="compoworld synth build, or --library for the library")
    try:
        with Bar("attacking", len(names)) as bar:
            outcomes = attack_all(url, names, seed=seed, jobs=jobs or cores(), force=force, writer=writer, progress=bar)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(" ".join(["compoworld synth attack", *(services or ["--library"] * library)])) from None
    figures = _figures(outcomes, time.perf_counter() - started)
    if json:
        emit(figures)
    else:
        _say(figures, outcomes, full=full)
    if (services or library) and (figures["quarantined"] or figures["failed"]):
        raise typer.Exit(DOES_NOT_HOLD)


def _figures(outcomes: list[Outcome], seconds: float) -> dict[str, Any]:
    return {
        "services": len(outcomes),
        **{status: sum(item.status == status for item in outcomes) for status in ("attacked", "unchanged", "failed")},
        "tools": sum(item.tools for item in outcomes),
        "verified": sum(item.verified for item in outcomes),
        "quarantined": sum(item.quarantined for item in outcomes),
        "calls": sum(item.calls for item in outcomes),
        "seconds": round(seconds, 2),
        "peak_mb": peak_megabytes(),
        "failures": {item.name: item.detail for item in outcomes if item.status == "failed"},
    }


def _say(figures: dict[str, Any], outcomes: list[Outcome], *, full: bool) -> None:
    shown = [item for item in outcomes if full or len(outcomes) <= _FEW or item.status == "failed" or item.quarantined]
    if shown:
        heading("services" if full or len(outcomes) <= _FEW else "services with tools in quarantine")
        counts = ("tools", "verified", "quarantined", "calls")
        table(
            [Column("service"), name("status"), *map(numbers, counts)],
            [(item.name, item.status, *(getattr(item, word) for word in counts)) for item in shown],
        )
    for item in outcomes:
        if item.status == "failed":
            prose(f"{item.name}: {item.detail}", hanging="    ")
    say(
        f"{figures['verified']} tools verified, {figures['quarantined']} in quarantine, by {figures['calls']} calls;"
        f" {figures['unchanged']} services unchanged, {figures['failed']} failed"
        f" ({figures['seconds']:.1f} s, {figures['peak_mb']} MB)",
        fold=True,
    )
