"""``compoworld eval list``, ``show``, ``compare``."""

from __future__ import annotations

from typing import Annotated

import typer

from compoworld.cli.eval.naming import EvaluationName, OtherEvaluation, Prices, Shared, price_list
from compoworld.cli.inputs import Json
from compoworld.cli.opening import opened
from compoworld.cli.output import emit


def list_(json: Json = False) -> None:
    """List the evaluations, newest first.

    Example: compoworld eval list
    """
    from compoworld.cli.eval.figures import say_list
    from rl.evaluation import evaluations

    with opened() as world:
        found = evaluations(world)
    if json:
        emit(found)
    else:
        say_list(found)


def show(
    evaluation: EvaluationName,
    full: Annotated[bool, typer.Option("--full", help="By scenario family, too.")] = False,
    prices: Prices = None,
    json: Json = False,
) -> None:
    """Show the figures of an evaluation, with 95 % confidence intervals over tasks.

    Example: compoworld eval show EVALUATION
    """
    from compoworld.cli.eval.figures import say_summary
    from rl.evaluation import results_of, summarise

    listed = price_list(prices)
    with opened() as world:
        summary = summarise(results_of(world, evaluation), listed)
    if json:
        emit(summary)
    else:
        say_summary(summary, full=full)


def compare(
    first: EvaluationName,
    second: OtherEvaluation,
    shared: Shared = False,
    full: Annotated[bool, typer.Option("--full", help="Every task, too.")] = False,
    json: Json = False,
) -> None:
    """Compare two evaluations on the same tasks, task by task: differences, intervals, paired tests.

    Example: compoworld eval compare A B
    """
    from compoworld.cli.eval.figures import say_comparison
    from rl.evaluation import compare as compared
    from rl.evaluation import results_of

    with opened() as world:
        found = compared(results_of(world, first), results_of(world, second), shared=shared)
    if json:
        emit(found)
    else:
        say_comparison(found, full=full)
