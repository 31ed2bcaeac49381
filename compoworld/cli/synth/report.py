"""``compoworld synth report``: what became of what was ingested, and what the library holds."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from compoworld.cli.inputs import Json
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, prose, say, short, table
from compoworld.cli.output import number as numbers

_STATUSES = ("verified", "simulated", "quarantined", "refused", "unbuilt", "unattacked")


def report(
    tools: Annotated[bool, typer.Option("--tools", help="With a line for every tool.")] = False,
    json: Json = False,
) -> None:
    """Report on specifications, builds and attacks: by service, in all, and on the library of services made by hand.

    Example: compoworld synth report

    Example: compoworld synth report --json
    """
    from synth.report import summary

    with opened() as world:
        figures = summary(world.database, world.library, tools=tools)
    if json:
        emit(figures)
    else:
        _say(figures, tools=tools)


def _say(figures: dict[str, Any], *, tools: bool) -> None:
    built = [item for item in figures["services"] if item["builder"]]
    if built:
        heading("services built of specifications")
        with_model = [item for item in built if item["builder"] == "model"]
        counts = ("entities", "tools", *_STATUSES[:3])
        table(
            [Column("service"), *map(numbers, counts)],
            [(item["service"], *(item[word] for word in counts)) for item in built],
        )
        if with_model:
            told = (f"{item['service']} ({item['cost_usd']:.2f} USD)" for item in with_model)
            prose(f"By a model: {', '.join(told)}; all others by the compiler.")
    missing = [item for item in figures["services"] if not item["builder"]]
    if missing:
        heading("applications that are not built")
        table(
            [Column("service"), numbers("tools"), Column("why", share=2)],
            [(item["service"], item["tools"], short(item["reason"], 300)) for item in missing],
        )
    if tools:
        heading("tools")
        table(
            [Column("tool", share=2), name("status"), Column("why", share=3)],
            [
                (f"{item['service']}.{tool['tool']}", tool["status"], short(tool["reason"], 300))
                for item in figures["services"]
                for tool in item["by_tool"]
            ],
        )
    heading("in all")
    say(
        f"{figures['servers']} servers, {figures['applications']} applications, {figures['built']} built;"
        f" {figures['tools']} tools: {', '.join(f'{figures[status]} {status}' for status in _STATUSES)}",
        fold=True,
    )
    say(
        f"{figures['seconds']:.1f} s of work ({figures['build_seconds']:.1f} s building,"
        f" {figures['attack_seconds']:.1f} s of attacks with {figures['attack_calls']} calls),"
        f" {figures['cost_usd']:.2f} USD",
        fold=True,
    )
    if figures["domains"]:
        prose(_told(figures["domains"]))
    library = figures["library"]
    heading("the library")
    say(
        f"{library['services']} services made by hand, {library['tools']} tools, {library['entities']} entities,"
        f" {len(library['domains'])} domains; the largest, {library['largest']['domain']}, has"
        f" {library['largest']['share']:.1%} of the services",
        fold=True,
    )
    prose(_told(library["domains"]))
    say(
        f"{library['attacked']} services attacked: {library['verified']} tools verified,"
        f" {library['quarantined']} in quarantine",
        fold=True,
    )


def _told(domains: dict[str, int]) -> str:
    return ", ".join(f"{domain} {count}" for domain, count in domains.items())
