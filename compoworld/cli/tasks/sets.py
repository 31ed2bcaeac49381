"""``compoworld tasks sets``, ``card``, ``yield``, ``split``, ``export``, ``import``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from compoworld.cli.inputs import Json, Seed, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, plain, say, table
from compoworld.cli.output import number as numbers
from compoworld.cli.tasks.naming import SetName, found_set


def _share(text: str | float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a share from 0 to less than 1")
    return value


_Folder = Annotated[
    str, typer.Argument(metavar="DIR", parser=words("a folder", 4_000), help="A folder.", show_default=False)
]


def sets(json: Json = False) -> None:
    """List the sets of tasks in the database and those that come with CompoWorld.

    Example: compoworld tasks sets
    """
    from tasks.sets import figures, packaged, packaged_set, stored_sets

    ours = [figures(own) for called in packaged() if (own := packaged_set(called)) is not None]
    with opened() as world:
        found = stored_sets(world)
    if json:
        emit({"packaged": ours, "stored": plain(found)})
        return
    rows = [(about["set"], about["admitted"], about["compositions"], about["families"], "", "yes") for about in ours]
    rows += [
        (
            item.name,
            f"{item.admitted}/{item.wanted}",
            item.compositions,
            item.families,
            "/".join(map(str, (item.train, item.validation, item.test))) if item.train else "",
            "yes" if item.finished else "no",
        )
        for item in found
    ]
    table(
        [
            name("set"),
            numbers("tasks"),
            numbers("compositions"),
            numbers("families"),
            name("train/validation/test"),
            name("finished"),
        ],
        rows,
        empty="there are no sets yet",
    )


def card(task_set: SetName, json: Json = False) -> None:
    """Show what is in a set, counted: sizes, services, tools, families, criteria; as Markdown.

    Example: compoworld tasks card SET
    """
    from tasks.sets import card, markdown

    found = found_set(task_set)
    if json:
        emit(card(found))
    else:
        say(markdown(found).rstrip())


def yield_(
    task_set: SetName,
    full: Annotated[bool, typer.Option("--full", help="Every reason, with more examples.")] = False,
    json: Json = False,
) -> None:
    """Show at which stage drafts of a set were rejected, and why.

    Example: compoworld tasks yield SET
    """
    from tasks.sets import yield_of

    with opened() as world:
        stages = yield_of(world, task_set, examples=10 if full else 2)
    if json:
        emit(stages)
        return
    table(
        [name("stage"), numbers("drafts"), numbers("rejected"), numbers("share")],
        [(item.stage, item.drafts, item.rejected, f"{item.share:.1%}") for item in stages],
    )
    for stage in stages:
        if not stage.reasons:
            continue
        heading(stage.stage)
        shown = stage.reasons if full else stage.reasons[:5]
        table(
            [numbers("drafts"), Column("reason", share=2), Column("such as", share=3)],
            [
                (
                    item.drafts,
                    item.reason,
                    "\n".join(f"{draft.ordinal}, {draft.family}: {draft.reason}" for draft in item.examples),
                )
                for item in shown
            ],
        )
        if len(shown) < len(stage.reasons):
            say(f"({len(stage.reasons) - len(shown)} more reasons with --full)")


def split(
    task_set: SetName,
    test: Annotated[float, typer.Option("--test", metavar="SHARE", parser=_share, help="Share for test.")] = 0.2,
    validation: Annotated[
        float, typer.Option("--validation", metavar="SHARE", parser=_share, help="Share for validation.")
    ] = 0.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Divide a set into train, test and validation, which share no composition.

    Example: compoworld tasks split SET --test 0.2
    """
    from tasks.sets import keep_splits, load_set
    from tasks.sets import split as divide
    from tasks.sets.document import SPLITS, composition_of

    with opened() as world:
        found = load_set(world, task_set)
        parts = divide(found.members, test=test, validation=validation, seed=seed)
        assert found.id is not None
        keep_splits(world, found.id, parts)
    about = {}
    for part in SPLITS:
        tasks = [item.task for item in found.members if parts[item.ordinal] == part]
        about[part] = {"tasks": len(tasks), "compositions": len({composition_of(item.services) for item in tasks})}
    if json:
        emit({"set": task_set, "seed": seed, "splits": about})
        return
    table(
        [name("split"), numbers("tasks"), numbers("compositions")],
        [(part, counts["tasks"], counts["compositions"]) for part, counts in about.items() if counts["tasks"]],
    )


def export(task_set: SetName, folder: _Folder, json: Json = False) -> None:
    """Write a set as files: tasks, evidence, card, and a manifest with checksums.

    Example: compoworld tasks export SET DIR
    """
    from tasks.sets import write_set

    found = found_set(task_set)
    sums = write_set(found, Path(folder))
    if json:
        emit({"set": found.name, "folder": folder, "tasks": len(found.members), "sha256": sums})
        return
    say(f"{folder}: {len(found.members)} tasks of {found.name}")
    for file, checksum in sums.items():
        say(f"{checksum}  {file}")


def import_(
    folder: _Folder,
    called: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", parser=words("a name"), help="Call the set so; by default as it was."),
    ] = None,
    json: Json = False,
) -> None:
    """Read a set from files, if they are as they were written, into the database: all of it or nothing.

    Example: compoworld tasks import DIR
    """
    from dataclasses import replace

    from tasks.sets import insert_set, read_set

    found = read_set(Path(folder))
    if called is not None:
        found = replace(found, name=called)
    with opened() as world:
        number, new = insert_set(world, found)
    if json:
        emit({"set": found.name, "set_id": number, "tasks": len(found.members), "new": new, "checksum": found.checksum})
        return
    what = "imported" if new else "there already, the same"
    say(f"{found.name}: {len(found.members)} tasks, {what}; checksum {found.checksum[:16]}")
