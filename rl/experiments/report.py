"""Results as a piece of a page (Markdown), with the command that makes it, and images beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rl.experiments.config import about
from rl.experiments.store import Experiment, Result
from rl.experiments.tables import Table, tables_of


def markdown(found: Experiment, results: Sequence[Result], pictures: Sequence[str]) -> str:
    """The tables of an experiment.

    Args:
        pictures: file names, relative to the page.
    """
    return "\n".join(_lines(found, results, pictures)) + "\n"


def _lines(found: Experiment, results: Sequence[Result], pictures: Sequence[str]) -> Iterator[str]:
    named = "" if found.name == found.kind else f" --name {found.name}"
    yield f"# {found.name}"
    yield ""
    yield about(found.kind)
    yield ""
    yield "```"
    yield f"compoworld experiment run {found.kind}{named}"
    yield "```"
    for table in tables_of(found.kind, results):
        yield ""
        yield from _table(table)
    for picture in pictures:
        yield ""
        yield f"![{picture.removesuffix('.png')}]({picture})"


def _table(table: Table) -> Iterator[str]:
    yield f"**{table.title[:1].upper()}{table.title[1:]}**"
    yield ""
    yield f"| {' | '.join(table.columns)} |"
    yield f"|---|{'---:|' * (len(table.columns) - 1)}"
    for row in table.rows:
        yield f"| {' | '.join(row)} |"
