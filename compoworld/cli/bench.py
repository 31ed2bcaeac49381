"""``compoworld bench``: each figure beside its baseline."""

from __future__ import annotations

from typing import Annotated

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.output import Column, emit, note, table, titled
from compoworld.cli.output import number as numbers


def bench(
    figures: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FIGURE]...", parser=words("a figure"), help="Which; by default all."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A tenth of the work: to see that it runs, not to compare.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure forks, calls, replay and more, each beside its baseline, in a database made for it.

    Example: compoworld bench fork_small call
    """
    from benchmarks import run

    found = run(figures or (), quick=quick, progress=lambda what: note(f"measuring {what}"))
    if json:
        emit({item.name: item.as_json() for item in found})
        return
    table(
        [
            Column("figure"),
            numbers("ours"),
            numbers("p95"),
            numbers("baseline"),
            numbers("p95"),
            numbers("ratio"),
            Column("unit", fixed=True),
        ],
        [
            (
                titled(item.name, f"{item.what}; against {item.against}"),
                _digits(item.ours),
                _digits(item.p95),
                _digits(item.baseline),
                _digits(item.baseline_p95),
                _digits(item.ratio),
                item.unit,
            )
            for item in found
        ],
    )


def _digits(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
