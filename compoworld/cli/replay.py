"""``compoworld replay``."""

from __future__ import annotations

from typing import Annotated

import typer

from compoworld.cli.inputs import BranchNumber, Json
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, note, plain, say
from compoworld.cli.program import DOES_NOT_HOLD
from compoworld.cli.rows import value


def replay(
    branch: BranchNumber,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the branch of the replay though nothing differs.")] = False,
    json: Json = False,
) -> None:
    """Make the calls of a branch again on a fresh one and report the first difference (exit code 1).

    Example: compoworld replay 42
    """
    from compoworld import catalog

    with opened() as world:
        catalog.branch(world.database, branch)
        report = world.branch(branch).replay()
        kept = keep or not report.same
        if not kept:
            world.branch(report.replayed_on).delete()
    found = report.mismatch
    if json:
        emit({**plain(report), "same": report.same, "replayed_on": report.replayed_on if kept else None})
    elif found is None:
        say(f"{report.events} events of branch {branch} replayed: all the same", style="green")
    else:
        say(f"event {found.event} ({found.call}) of branch {branch} differs in its {found.place}", style="red")
        for label, item in (("table", found.table), ("key", found.key), ("column", found.column)):
            if item is not None:
                say(f"  {label:9} {item}")
        say(f"  recorded  {value(found.recorded)}")
        say(f"  replayed  {value(found.replayed)}")
    if kept and not json:
        note(f"the replay is branch {report.replayed_on}")
    if found is not None:
        raise typer.Exit(DOES_NOT_HOLD)
