"""``compoworld tasks list`` and ``families``: what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, Split, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, many, name, prose, say, table, titled
from compoworld.cli.output import number as numbers
from compoworld.cli.tasks.naming import found_set, how_to_divide
from engine.errors import InputError
from engine.near import did_you_mean

if TYPE_CHECKING:
    from tasks import Task
    from tasks.authoring import Family


def list_(
    of_set: Annotated[
        str | None, typer.Option("--set", metavar="SET", parser=words("a set"), help="Those of this set.")
    ] = None,
    split: Split = None,
    stored: Annotated[bool, typer.Option("--stored", help="Those in the database, in place of the library's.")] = False,
    json: Json = False,
) -> None:
    """List the tasks of the library, of a set, or of the database.

    Example: compoworld tasks list

    Example: compoworld tasks list --set SET --split test
    """
    if split is not None and of_set is None:
        raise InputError("--split goes with --set")
    if stored and of_set is not None:
        raise InputError("--stored and --set do not go together")
    if stored:
        _list_stored(json)
        return
    from tasks import library

    empty = "none"
    if of_set is None:
        found: list[tuple[Task, str | None]] = [(task, None) for task in library()]
    else:
        from tasks.sets.document import SPLITS

        if split is not None and split not in SPLITS:
            raise InputError(f"there is no split {split!r}", did_you_mean(split, SPLITS, f"use {', '.join(SPLITS)}"))
        task_set = found_set(of_set)
        found = [(item.task, item.split) for item in task_set.members if split is None or item.split == split]
        if split:
            empty = f"no task of {of_set} is in that part: {how_to_divide(of_set, stored=task_set.id is not None)}"
    if json:
        emit([_summary(task, part) for task, part in found])
        return
    table(
        [Column("task", whole=True), Column("services"), numbers("visits"), numbers("criteria")],
        [
            (titled(task.name, task.title), ", ".join(task.services), len(task.walk), len(task.criteria))
            for task, _ in found
        ],
        empty=empty,
    )


def families(
    family: Annotated[
        str | None,
        typer.Argument(metavar="[FAMILY]", parser=words("a family"), help="Show this one with its roles and patterns."),
    ] = None,
    json: Json = False,
) -> None:
    """List the scenario families, of which tasks are made without a model.

    Example: compoworld tasks families
    """
    from tasks.authoring import all_families

    found = all_families()
    if family is not None and family not in found:
        hint = did_you_mean(family, found, "compoworld tasks families lists them")
        raise InputError(f"there is no family {family!r}", hint=hint)
    chosen = list(found.values()) if family is None else [found[family]]
    if json:
        emit([_family(item) for item in chosen])
        return
    if family is not None:
        _say_family(chosen[0])
        return
    table(
        [Column("family", whole=True), Column("area"), numbers("roles"), numbers("patterns")],
        [(titled(item.name, item.story), _area(item), len(item.roles), len(item.patterns)) for item in chosen],
        empty="there are no families",
    )
    say()
    say(f"{many(len(chosen), 'family', 'families')} in {many(len({item.area for item in chosen}), 'area')}")


def _family(item: Family) -> dict[str, Any]:
    return {
        "family": item.name,
        "area": item.area,
        "short": item.short,
        "story": item.story,
        "roles": {role: list(services) for role, services in item.roles.items()},
        "patterns": [list(pattern) for pattern in item.patterns],
    }


def _area(item: Family) -> str:
    return f"{item.area}, short" if item.short else item.area


def _say_family(item: Family) -> None:
    say(f"{item.name} ({_area(item)})", style="bold")
    prose(item.story)
    heading("roles")
    table(
        [name("role"), Column("services that can play it")],
        [(role, ", ".join(services)) for role, services in item.roles.items()],
    )
    heading("patterns: roles in the order of the visits")
    for pattern in item.patterns:
        prose(" → ".join(pattern), hanging="    ")


def _list_stored(json: bool) -> None:
    from tasks import stored as summaries

    with opened() as world:
        found = summaries(world)
    if json:
        emit(found)
        return
    table(
        [
            numbers("id"),
            Column("task", whole=True),
            numbers("criteria"),
            numbers("groups"),
            name("stored"),
        ],
        [
            (item.id, titled(item.name, item.title), item.criteria, item.groups, f"{item.created_at:%Y-%m-%d}")
            for item in found
        ],
        empty="no task is stored yet",
    )


def _summary(task: Task, split: str | None) -> dict[str, Any]:
    return {
        "task": task.name,
        "title": task.title,
        "services": task.services,
        "distractors": task.distractors,
        "visits": len(task.walk),
        "calls": len(task.reference.calls),
        "criteria": len(task.criteria),
        "family": task.origin.family if task.origin else None,
        "area": task.origin.area if task.origin else None,
        "split": split,
    }
