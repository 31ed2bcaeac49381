"""``compoworld gc``: deletion and retention."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from compoworld.cli.inputs import Json, duration, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, note, plain, say


def _many(what: str, help_text: str) -> typer.models.OptionInfo:
    flag = f"--{what.rsplit(maxsplit=1)[-1]}"
    made: typer.models.OptionInfo = typer.Option(
        flag, metavar="ID", parser=number(what), help=help_text, show_default=False
    )
    return made


def _names(flag: str, help_text: str) -> typer.models.OptionInfo:
    made: typer.models.OptionInfo = typer.Option(
        f"--{flag}", metavar="NAME", parser=words("a name"), help=help_text, show_default=False
    )
    return made


def gc(
    rollout: Annotated[list[int] | None, _many("a rollout", "A rollout, with its branch.")] = None,
    group: Annotated[list[int] | None, _many("a group", "A group, with its rollouts.")] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            metavar="TASK",
            parser=words("a task"),
            help="A stored task (name or id), with its groups.",
        ),
    ] = None,
    of_tasks: Annotated[
        list[str] | None, _names("set", "A set of tasks, with its tasks that no other set has.")
    ] = None,
    collection: Annotated[
        list[str] | None, _names("collection", "A collection, with its groups; what waits of it is cancelled.")
    ] = None,
    evaluation: Annotated[
        list[str] | None, _names("evaluation", "An evaluation, with its groups that no other one has.")
    ] = None,
    run: Annotated[
        list[str] | None,
        _names("run", "A training run, with what it sampled, its checkpoints and its policies: weights, too."),
    ] = None,
    experiment: Annotated[
        list[str] | None,
        _names("experiment", "An experiment, with the sets, collections, evaluations and runs that it made."),
    ] = None,
    branch: Annotated[list[int] | None, _many("a branch", "A branch of no rollout.")] = None,
    snapshot: Annotated[
        list[int] | None, _many("a snapshot", "A snapshot, with its branches, tasks and their groups.")
    ] = None,
    composition: Annotated[
        list[int] | None, _many("a composition", "A composition, with all that stands on it.")
    ] = None,
    older_than: Annotated[
        timedelta | None,
        typer.Option(
            "--older-than",
            metavar="AGE",
            parser=duration,
            help="Groups and branches of no rollout on which nothing happened for so long: 12h, 30d, 4w.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes/--dry-run", help="Delete; else only say what would be deleted.")] = False,
    json: Json = False,
) -> None:
    """Delete what is named with all that stands on it, what is old, and branches made in passing.

    Branches made in passing are those of scratch calls, of looks at the state after an event, and of replays.

    Example: compoworld gc --group 3 --older-than 30d --yes
    """
    from compoworld.retention import Named, survey, sweep

    named = Named(
        rollouts=rollout or (),
        groups=group or (),
        tasks=[int(item) if item.isascii() and item.isdigit() else item for item in task or ()],
        sets=of_tasks or (),
        branches=branch or (),
        snapshots=snapshot or (),
        compositions=composition or (),
        collections=collection or (),
        evaluations=evaluation or (),
        runs=run or (),
        experiments=experiment or (),
    )
    with opened() as world:
        heap = survey(world, named, older_than)
        gone = sweep(world, heap) if yes else heap
    if json:
        emit({"deleted": yes, "counts": gone.counts(), **plain(gone)})
        return
    counts = gone.counts()
    if not heap.counts():
        say("nothing to delete")
        return
    say("deleted:" if yes else "would be deleted:")
    for kind, count in counts.items():
        listed = ", ".join(map(str, getattr(gone, kind)[:10])) + (", …" if count > 10 else "")
        scratch = f" ({len(gone.scratch)} made in passing)" if kind == "branches" and gone.scratch else ""
        say(f"  {count:6} {kind if count != 1 else _one(kind)}{scratch}: {listed}")
    for number_ in gone.broken_groups:
        note(f"group {number_} loses a part of its rollouts: its rewards are computed over the rest")
    left = len(heap.branches) - len(gone.branches)
    if yes and left:
        note(f"{left} branches were in use and stay; run it again later")
    if not yes:
        note("to delete it, add --yes")


def _one(kind: str) -> str:
    return {"branches": "branch", "policies": "policy"}.get(kind, kind.removesuffix("s"))
