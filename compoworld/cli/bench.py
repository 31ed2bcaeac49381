"""``compoworld bench``: each figure beside its baseline."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.output import emit, name, note, shown, table
from compoworld.cli.output import number as numbers


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FIGURE]...", parser=words("a figure"), help="Which figures; by default all."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions and smaller data.")] = False,
    json: Json = False,
) -> None:
    """Measure: forks, calls, replay and more, each beside its baseline in the same run.

    Example: compoworld bench fork_small call --quick
    """
    from importlib import import_module

    def progress(text: object) -> None:
        if not json:
            note(text)

    found: dict[str, Any] = import_module("benchmarks").run(names or None, quick=quick, progress=progress)
    if json:
        emit(found)
        return
    columns = list(dict.fromkeys(key for item in found.values() if isinstance(item, dict) for key in item))
    table(
        [name("figure"), *(numbers(column) for column in columns)],
        [
            (figure, *(shown(item.get(column)) for column in columns))
            if isinstance(item, dict)
            else (figure, shown(item))
            for figure, item in found.items()
        ],
    )
