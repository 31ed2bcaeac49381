"""``compoworld tasks sets``, ``card``, ``yield``, ``split``, ``export``, ``import``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import Json, Seed, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, many, name, plain, say, table
from compoworld.cli.output import number as numbers
from compoworld.cli.tasks.naming import SetName, found_set, how_to_divide
from engine.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tasks.sets.store import SetSummary
    from tasks.sets.yields import Reason


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
    from tasks.sets import card, figures, packaged, packaged_set, stored_sets

    packed = [own for called in packaged() if (own := packaged_set(called)) is not None]
    # As many as were rejected, like those of the stored ones.
    ours = [
        {**(about := figures(own)), "rejected": about["candidates"] - about["admitted"], "splits": card(own)["splits"]}
        for own in packed
    ]
    with opened() as world:
        found = stored_sets(world)
    if json:
        emit({"packaged": ours, "stored": plain(found)})
        return
    sums = {own.name: own.checksum for own in packed}
    rows = [
        (
            about["set"],
            about["admitted"],
            about["compositions"],
            about["families"],
            _parts(*(about["splits"].get(part, 0) for part in ("train", "validation", "test"))),
            "comes with CompoWorld",
        )
        for about in ours
        if about["set"] not in {item.name for item in found}
    ]
    rows += [
        (
            item.name,
            item.admitted if item.finished else f"{item.admitted}/{item.wanted}",
            item.compositions,
            item.families,
            _parts(item.train, item.validation, item.test),
            _state(item, sums),
        )
        for item in found
    ]
    table(
        [name("set"), numbers("tasks"), numbers("compositions"), numbers("families"), name("splits"), Column("state")],
        rows,
        empty="there are no sets yet",
    )


def _parts(train: int, validation: int, test: int) -> str:
    """How many tasks are in each part: ``18 train, 6 test``, a part to a line."""
    parts = (("train", train), ("validation", validation), ("test", test))
    return "\n".join(f"{count} {part}" for part, count in parts if count)


def _state(item: SetSummary, packed: Mapping[str, str]) -> str:
    state = "finished" if item.finished else "unfinished"
    if item.name not in packed:
        return state
    if item.checksum == packed[item.name]:
        return f"{state}; the tasks that come with CompoWorld"
    return f"{state}; taken in place of the set that comes with CompoWorld"


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
    from tasks.sets import yield_of, yield_written

    found = found_set(task_set)
    if found.id is None:
        stages = yield_written(found)
    else:
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
        columns = [numbers("drafts"), Column("reason", share=2), Column("such as", share=3)]
        if not any(item.examples for item in shown):  # of a set from files: these keep the reasons, not the drafts
            columns = columns[:2]
        rows = [(item.drafts, item.reason, _examples(item)) for item in shown]
        table(columns, [row[: len(columns)] for row in rows])
        if len(shown) < len(stage.reasons):
            say(f"({len(stage.reasons) - len(shown)} more reasons with --full)")


def _examples(reason: Reason) -> str:
    return "\n".join(f"{draft.ordinal}, {draft.family}: {draft.reason}" for draft in reason.examples)


def split(
    task_set: SetName,
    test: Annotated[float, typer.Option("--test", metavar="SHARE", parser=_share, help="Share for test.")] = 0.2,
    validation: Annotated[
        float, typer.Option("--validation", metavar="SHARE", parser=_share, help="Share for validation.")
    ] = 0.0,
    by: Annotated[
        str, typer.Option("--by", metavar="KIND", help="What no two parts share: composition or family.")
    ] = "composition",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Divide a set into train, test and validation, which share no composition; or, by family, no scenario family.

    Example: compoworld tasks split SET --test 0.2

    Example: compoworld tasks split SET --by family
    """
    from tasks.sets import divided, keep_splits
    from tasks.sets import split as divide
    from tasks.sets.finding import find_set
    from tasks.sets.splits import named_kind

    kind = named_kind(by)
    with opened() as world:
        found = find_set(world, task_set)
        if found.id is None:
            raise InputError(
                f"the set {task_set!r} comes with CompoWorld, divided as it is",
                hint=how_to_divide(task_set, stored=False),
            )
        parts = divide(found.members, test=test, validation=validation, seed=seed, by=kind)
        keep_splits(world, found.id, parts)
    division = divided(found.members, parts)
    if json:
        emit({"set": task_set, "seed": seed, "by": kind, **plain(division)})
        return
    table(
        [name("split"), numbers("tasks"), numbers("compositions"), numbers("families")],
        [(part, each.tasks, each.compositions, each.families) for part, each in division.splits.items()],
    )
    say()
    say(_shared("composition", "compositions", division.shared_compositions), fold=True)
    say(_shared("family", "families", division.shared_families), fold=True)


def _shared(kind: str, kinds: str, count: int) -> str:
    if not count:
        return f"No {kind} is in more than one part."
    return f"{many(count, kind, kinds)} {'is' if count == 1 else 'are'} in more than one part (--by {kind} parts them)."


def export(
    task_set: SetName,
    folder: _Folder,
    force: Annotated[bool, typer.Option("--force", help="Also where another set is; it is replaced.")] = False,
    json: Json = False,
) -> None:
    """Write a set as files: tasks, evidence, card, and a manifest with checksums. All or nothing is written.

    The folder is new, empty, or holds the same set: of that name, seed and settings.

    Example: compoworld tasks export SET DIR
    """
    from tasks.sets import write_set

    found = found_set(task_set)
    sums = write_set(found, Path(folder), replace=force)
    if json:
        emit({"set": found.name, "folder": folder, "tasks": len(found.members), "sha256": sums})
        return
    say(f"{folder}: {many(len(found.members), 'task')} of {found.name}")
    for file, checksum in sums.items():
        say(f"{checksum}  {file}")
    say(f"checksum {found.checksum}")


def import_(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="DIR",
            parser=words("a folder", 4_000),
            help="A folder, or the name of a set that comes with CompoWorld.",
            show_default=False,
        ),
    ],
    called: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", parser=words("a name"), help="Call the set so; by default as it was."),
    ] = None,
    json: Json = False,
) -> None:
    """Read a set from files, if they are as they were written, into the database: all of it or nothing.

    Example: compoworld tasks import DIR

    Example: compoworld tasks import starter --name mine
    """
    from dataclasses import replace

    from tasks.sets import insert_set, packaged_set, read_set

    found = (None if Path(folder).exists() else packaged_set(folder)) or read_set(Path(folder))
    if called is not None:
        found = replace(found, name=called)
    with opened() as world:
        number, new = insert_set(world, found)
    if json:
        emit({"set": found.name, "set_id": number, "tasks": len(found.members), "new": new, "checksum": found.checksum})
        return
    what = "imported" if new else "there already, the same"
    say(f"{found.name}: {many(len(found.members), 'task')}, {what}")
    say(f"checksum {found.checksum}")
