"""``compoworld eval plot`` and ``report``: figures as an image, and as one page that opens anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.eval.naming import EvaluationName, Force, MaybeOther, Prices, Shared, price_list, write_file
from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, say, size

if TYPE_CHECKING:
    from rl.evaluation import Comparison, Results


def _out(help: str) -> Any:
    return typer.Option("--out", metavar="FILE", parser=words("a file", 4_000), help=help, show_default=False)


def plot(
    evaluation: EvaluationName,
    out: Annotated[str, _out("A file that ends in .png.")],
    other: MaybeOther = None,
    shared: Shared = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Draw the figures of an evaluation, or of two beside each other, with their intervals, as a PNG image.

    Example: compoworld eval plot EVALUATION --out figures.png
    """
    from rl.evaluation import in_common, summarise
    from rl.evaluation.plots import png

    results, comparison = _read(evaluation, other, shared)
    if comparison is not None:
        results = list(in_common(*results))
    _write(out, ".png", png([summarise(item) for item in results]), force, json)


def report(
    evaluation: EvaluationName,
    out: Annotated[str, _out("A file that ends in .html.")],
    other: MaybeOther = None,
    shared: Shared = False,
    force: Force = False,
    prices: Prices = None,
    json: Json = False,
) -> None:
    """Write the figures of an evaluation, or the comparison of two, as one HTML file that needs no other.

    Example: compoworld eval report EVALUATION --out report.html
    """
    from rl.evaluation import summarise
    from rl.evaluation.report import page

    listed = price_list(prices)
    results, comparison = _read(evaluation, other, shared)
    text = page([summarise(item, listed) for item in results], results, comparison)
    _write(out, ".html", text.encode(), force, json)


def _read(evaluation: str, other: str | None, shared: bool) -> tuple[list[Results], Comparison | None]:
    from rl.evaluation import compare, results_of

    with opened() as world:
        results = [results_of(world, name) for name in (evaluation, other) if name is not None]
    return results, compare(results[0], results[1], shared=shared) if len(results) > 1 else None


def _write(out: str, ending: str, content: bytes, force: bool, json: bool) -> None:
    path = write_file(out, ending, content, force=force)
    if json:
        emit({"file": str(path), "bytes": len(content)})
    else:
        say(f"{path}: {size(len(content))}")
