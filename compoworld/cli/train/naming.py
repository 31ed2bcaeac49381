"""What the commands that train have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from compoworld.cli.inputs import words
from compoworld.cli.output import emit, note, say
from engine.errors import InputError

if TYPE_CHECKING:
    from rl.training.history import Outcome

OfSet = Annotated[
    str | None,
    typer.Argument(
        metavar="[SET]",
        parser=words("a set"),
        help="The name of a set of tasks: in the database, or one that comes with CompoWorld.",
        show_default=False,
    ),
]
StartFrom = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="POLICY",
        parser=words("a policy", 4_000),
        help="What to begin with: a policy, a folder of weights, or smollm2.",
        show_default=False,
    ),
]
RunName = Annotated[
    str,
    typer.Option(
        "--name",
        metavar="NAME",
        parser=words("a name", 80),
        help="Of the run, and of the policy that comes of it.",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings (YAML) that go over those that come with CompoWorld."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A single setting, such as lora.rank=8; any number of them."),
]
Scale = Annotated[
    str,
    typer.Option("--scale", metavar="SCALE", help="gpu: the settings of the paper; cpu: small ones, for two cores."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Where checkpoints and weights go; by default in COMPOWORLD_HOME."),
]


def scale_of(given: str) -> Literal["cpu", "gpu"]:
    """The machine that settings are for.

    Raises:
        InputError: there is no such scale.
    """
    match given:
        case "cpu" | "gpu":
            return given
    raise InputError(f"there is no scale {given!r}", hint="use cpu or gpu")


def packaged(command: str, scale: str) -> list[str]:
    """The files of settings that come with CompoWorld, those that go over others last."""
    return [command, *([f"cpu/{command}"] if scale_of(scale) == "cpu" else [])]


def say_outcome(done: Outcome, json: bool) -> None:
    """Print what came of a run; of processes that train together, the first one does."""
    from rl.training.runs import first_process

    if not first_process():
        return
    if json:
        emit(done)
        return
    say(f"{done.policy}  {done.policy.path}")
    note(f"what it was trained on: compoworld train show {done.run.name}")
