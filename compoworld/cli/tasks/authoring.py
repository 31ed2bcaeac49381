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
    from compoworld.world import World
    from tasks.modelled import AuthorResult, Commission

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
    with opened() as world:
        result = _authored(
            world, _names(services), _names(walk), _names(distractors), model, resume, (dollars, tokens, turns), seed
        )
        _say(world, result, json)
    if result.status != "admitted":
        raise typer.Exit(DOES_NOT_HOLD)


def _authored(
    world: World,
    services: list[str],
    walk: list[str],
    distractors: list[str],
    model: str | None,
    resume: int | None,
    limits: tuple[float | None, int | None, int | None],
    seed: int,
) -> AuthorResult:
    from dataclasses import replace

    from tasks.modelled import BUDGET, author_task, resume_author

    dollars, tokens, turns = limits
    budget = replace(BUDGET, cost_usd=dollars, tokens=tokens or BUDGET.tokens, turns=turns or BUDGET.turns)
    if resume is not None:
        if services or walk or distractors or model:
            raise InputError("a run goes on with its own services, walk and model", hint="give --resume without them")
        return resume_author(world, resume, budget, note)
    commission = _commission(world, services, walk, distractors, seed)
    return author_task(world, commission, model, budget, note)


def _commission(world: World, services: list[str], walk: list[str], distractors: list[str], seed: int) -> Commission:
    from tasks.modelled.choice import choose

    return choose(world.library, services, walk, distractors, draw=seed)


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
