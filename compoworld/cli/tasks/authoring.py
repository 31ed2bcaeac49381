"""``compoworld tasks author``: a task that a language model writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import Json, Seed, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, note, prose, say
from compoworld.cli.program import DOES_NOT_HOLD
from engine.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from compoworld.world import World
    from tasks.modelled import AuthorResult

_NAMES = words("a list of services", 1_000)


def author(
    services: Annotated[
        str | None,
        typer.Option("--services", metavar="A,B,...", parser=_NAMES, help="What the task needs; else drawn."),
    ] = None,
    walk: Annotated[
        str | None,
        typer.Option("--walk", metavar="A,B,A,...", parser=_NAMES, help="The visits, 7 to 12; else drawn."),
    ] = None,
    distractors: Annotated[
        str | None,
        typer.Option("--distractors", metavar="C,D,...", parser=_NAMES, help="What stands beside them; else drawn."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="MODEL", parser=words("a model"), help="The model, as its server names it."),
    ] = None,
    resume: Annotated[
        int | None,
        typer.Option("--resume", metavar="RUN", parser=number("a run"), help="Go on with this run of the author."),
    ] = None,
    dollars: Annotated[float | None, typer.Option("--dollars", metavar="USD", help="What the task may cost.")] = None,
    tokens: Annotated[
        int | None,
        typer.Option("--tokens", metavar="N", parser=number("a number of tokens"), help="Tokens, in and out together."),
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option("--turns", metavar="N", parser=number("a number of turns"), help="Requests to the model."),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Let a model write a task over some services, along a walk; exit code 1 unless the gate admits it.

    It explores, designs, solves the task itself, and hands it in. Interrupted or out of budget, it goes on with
    --resume.

    Example: compoworld tasks author --model MODEL --dollars 5

    Example: compoworld tasks author --walk chat,billing,tickets,billing,tickets,contacts,chat --distractors mail
    """
    begun = [] if resume is None else [resume]
    try:
        with opened() as world:
            given = (_names(services), _names(walk), _names(distractors))
            result = _authored(world, given, model, resume, (dollars, tokens, turns), seed, begun.append)
            _say(world, result, json)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"compoworld tasks author --resume {begun[0]}" if begun else "") from None
    if result.status != "admitted":
        raise typer.Exit(DOES_NOT_HOLD)


def _authored(
    world: World,
    given: tuple[list[str], list[str], list[str]],
    model: str | None,
    resume: int | None,
    limits: tuple[float | None, int | None, int | None],
    seed: int,
    began: Callable[[int], None],
) -> AuthorResult:
    from dataclasses import replace

    from tasks.modelled import BUDGET, author_task, resume_author
    from tasks.modelled.choice import choose

    dollars, tokens, turns = limits
    budget = replace(BUDGET, cost_usd=dollars, tokens=tokens or BUDGET.tokens, turns=turns or BUDGET.turns)
    if resume is not None:
        if any(given) or model:
            raise InputError("a run goes on with its own services, walk and model", hint="give --resume without them")
        return resume_author(world, resume, budget, note)
    services, walk, distractors = given
    commission = choose(world.library, services, walk, distractors, draw=seed)
    return author_task(world, commission, model, budget, note, began=began)


def _names(listed: str | None) -> list[str]:
    return [name.strip() for name in (listed or "").split(",") if name.strip()]


def _say(world: World, result: AuthorResult, json: bool) -> None:
    from tasks import load

    stored = load(world, result.task) if result.task is not None else None
    if json:
        emit({**vars(result), "name": stored.task.name if stored else None})
        return
    cost = "" if result.cost_usd is None else f", USD {result.cost_usd:.2f}"
    tokens = f"{result.input_tokens + result.output_tokens:,} tokens"
    spent = f"{result.turns} turns, {tokens}{cost}, {result.seconds:.0f} s"
    if stored is not None:
        say(f"{stored.task.title} ({stored.task.name})", style="bold")
        prose(stored.task.instruction)
        say(f"run {result.run}: admitted as task {result.task}, submission {result.attempts}; {spent}", style="green")
        return
    say(f"run {result.run}: {result.status} in {result.phase}; {spent}", style="red")
    prose(result.detail)
    if result.status == "stopped":
        note(f"go on with: compoworld tasks author --resume {result.run}, and a larger budget")
