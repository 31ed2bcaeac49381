"""How commands that run rollouts name the agent, its options and its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import MAX_EVENT, MAX_ID, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import short
from engine.errors import InputError

if TYPE_CHECKING:
    from rl import Agent, Limits


def _seconds(text: str | float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value <= MAX_EVENT:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a number of seconds above 0")
    return value


AgentName = Annotated[
    str,
    typer.Option(
        "--agent", metavar="AGENT", parser=words("an agent"), help="noisy, reference, anthropic or transformers."
    ),
]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="MODEL", parser=words("a model"), help="The model, for the agent anthropic."),
]
Policy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        parser=words("a policy", 4_000),
        help="A policy, a folder of weights, or smollm2, for the agent transformers.",
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="Another option of the agent; may be given several times."),
]
Steps = Annotated[
    int | None,
    typer.Option("--steps", metavar="NUMBER", parser=number("a limit of steps", 1, MAX_EVENT), help="Limit of steps."),
]
Tokens = Annotated[
    int | None,
    typer.Option("--tokens", metavar="NUMBER", parser=number("a limit of tokens", 1, MAX_ID), help="Limit of tokens."),
]
Seconds = Annotated[
    float | None, typer.Option("--seconds", metavar="NUMBER", parser=_seconds, help="Limit of seconds.")
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        metavar="NUMBER",
        parser=number("a number of rollouts", 1, 1000),
        help="How many at once.",
    ),
]


def agent_options(agent: str, model: str | None, policy: str | None, options: list[str] | None) -> dict[str, Any]:
    """The options of an agent, as the command line gives them.

    Raises:
        InputError: the agent takes no model or no policy, there are no such weights, or an option is not KEY=VALUE.
    """
    import yaml

    given: dict[str, Any] = {}
    for key, value, owner in (("model", model, "anthropic"), ("policy", policy, "transformers")):
        if value is not None and agent != owner:
            raise InputError(f"agent {agent} takes no {key}", hint=f"--{key} goes with --agent {owner}")
    if model is not None:
        given["model"] = model
    if policy is not None:
        from rl.policies import weights_of

        with opened() as world:
            given |= weights_of(world, policy).options()
    for option in options or ():
        key, equals, value = option.partition("=")
        if not equals or not key.isidentifier():
            raise InputError(f"{short(repr(option))} is no option", hint="--option temperature=0.7")
        try:
            given[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            given[key] = value
    return given


def agent_of(agent: str, model: str | None, policy: str | None, options: list[str] | None) -> Agent:
    """The agent that the command line names.

    Raises:
        InputError: there is none, or an option is unknown or wrong.
    """
    from rl import make_agent

    return make_agent(agent, **agent_options(agent, model, policy, options))


def limits_of(steps: int | None, tokens: int | None, seconds: float | None) -> Limits:
    """The limits of each rollout; what is not given is as usual."""
    from rl import Limits

    given: dict[str, Any] = {"steps": steps, "tokens": tokens, "seconds": seconds}
    return Limits(**{key: value for key, value in given.items() if value is not None})
