"""``compoworld synth mutate``: plant faults in services that are right, and see whether the attack finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, Seed, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, note, say, table
from compoworld.cli.output import number as numbers

if TYPE_CHECKING:
    from synth.attack.mutation.running import MutationReport

USUAL = ("banking", "boards", "campaigns", "clinic", "code", "contacts", "docs", "files", "home", "hr", "incidents",
         "inventory", "tickets", "travel")  # fmt: skip
"""Services that are tried where none is named."""


def mutate(
    services: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SERVICE]...", parser=words("a service"), help="Services of the library; by default fourteen."
        ),
    ] = None,
    operators: Annotated[
        list[str] | None, typer.Option("--operator", metavar="NAME", help="Only faults of this kind.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, max=50, help="Faults of each kind in each service.")] = 1,
    seed: Seed = 0,
    full: Annotated[bool, typer.Option("--full", help="List every mutant.")] = False,
    json: Json = False,
) -> None:
    """Plant faults in services, one at a time, and attack each; a fault is caught when a tool is quarantined.

    Not counted are faults that no call shows, and refusals taken out of which no specification speaks.

    Example: compoworld synth mutate boards hr --most 2
    """
    from synth.attack.mutation.running import run

    with opened() as world:
        report = run(
            world,
            services or USUAL,
            seed=seed,
            most=most,
            operators=operators,
            progress=lambda what, number, total: note(f"{number + 1} of {total}: {what}"),
        )
    if json:
        emit(report.as_json())
    else:
        _say(report.as_json(), report if full else None)


def _say(figures: dict[str, Any], every: MutationReport | None) -> None:
    if every is not None:
        heading("mutants")
        table(
            [name("fate"), Column("mutant", share=2), Column("by")],
            [(item.fate, item.mutant.name, item.by) for item in every.tried],
        )
    heading("kinds of faults")
    fates = ("caught", "survived", "unseen", "unstated")
    table(
        [Column("fault"), *(numbers(fate) for fate in fates)],
        [(item["name"], *(item[fate] for fate in fates)) for item in figures["operators"]],
    )
    if figures["survivors"]:
        heading("survivors")
        table(
            [name("fault"), name("tool"), Column("where")],
            [(item["operator"], f"{item['service']}.{item['tool']}", item["where"]) for item in figures["survivors"]],
        )
    say(
        f"{figures['caught']} of {figures['caught'] + figures['survived']} faults caught"
        f" ({figures['rate']:.1%}) in {len(figures['services'])} services; {figures['unseen']} of"
        f" {figures['mutants']} mutants showed no difference ({figures['rate_at_worst']:.1%} were all of them faults),"
        f" {figures['unstated']} break nothing that is written"
        f" ({figures['seconds']:.0f} s)",
        fold=True,
    )
