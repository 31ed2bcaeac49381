"""``compoworld synth quarantine``: tools that are not offered, why, and the calls that show it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, heading, pretty, prose, say
from compoworld.cli.program import DOES_NOT_HOLD
from engine.errors import InputError

_MOST_STEPS = 6


def quarantine(
    service: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", parser=words("a service"), help="Of this service; else of all.", show_default=False
        ),
    ] = None,
    tool: Annotated[str | None, typer.Argument(metavar="[TOOL]", help="This tool alone.", show_default=False)] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Make the calls of each case again: does it still fail?")
    ] = False,
    json: Json = False,
) -> None:
    """Show the tools in quarantine with the reason and the calls that show it; nothing is changed by looking.

    With --replay, exit code 1 if a case still fails.

    Example: compoworld synth quarantine todoist

    Example: compoworld synth quarantine todoist close_tasks --replay
    """
    from synth.quarantine import held, tried

    with opened() as world:
        if service is not None and service not in world.library.names():
            raise InputError(f"there is no service {service!r}", hint="compoworld services list")
        found = held(world.database, service, tool)
        again = tried(world, found) if replay else {}
    for item in found:
        for ordinal, case in enumerate(item["cases"]):
            case["fails"] = again.get((item["service"], item["tool"], ordinal))
    if json:
        emit(found)
    else:
        _say(found)
    if any(again.values()):
        raise typer.Exit(DOES_NOT_HOLD)


def _say(found: list[dict[str, Any]]) -> None:
    for item in found:
        heading(f"{item['service']}.{item['tool']}")
        prose(item["reason"])
        for case in item["cases"]:
            said = {None: "", True: "  (still fails)", False: "  (does not fail now)"}[case["fails"]]
            say(f"{case['law']}{said}", style="cyan")
            for step in case["steps"][-_MOST_STEPS:]:
                prose(f"{step['tool']} {pretty(step['arguments'])}", "    ")
            prose(f"expected {case['expected']}", "    ")
            prose(f"found    {case['found']}", "    ")
        if not item["cases"]:
            prose(
                "No law was broken: the attack found no call that succeeds, so there is nothing to make again.", "    "
            )
    say(f"{len(found)} {'tool' if len(found) == 1 else 'tools'} in quarantine")
