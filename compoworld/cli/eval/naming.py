"""How commands name evaluations, prices and the files that they write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import words
from engine.errors import InputError

if TYPE_CHECKING:
    from rl.evaluation import PriceList


def _named(metavar: str, help: str) -> Any:
    return typer.Argument(metavar=metavar, parser=words("an evaluation"), help=help, show_default=False)


EvaluationName = Annotated[str, _named("EVALUATION", "Name or number of an evaluation.")]
OtherEvaluation = Annotated[str, _named("OTHER", "Name or number of another one, on the same tasks.")]
MaybeOther = Annotated[str | None, _named("[OTHER]", "Another one on the same tasks, to compare with.")]

Shared = Annotated[
    bool, typer.Option("--shared", help="Compare the tasks that both have, where they have others, too.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it is there already.")]
Prices = Annotated[
    str | None,
    typer.Option(
        "--prices",
        metavar="FILE",
        parser=words("a file", 4_000),
        help="YAML: model to input and output, in US dollars for a million tokens; else list prices that are known.",
    ),
]


def price_list(file: str | None) -> PriceList:
    """The prices of the user's file, or those that are known.

    Raises:
        InputError: the file cannot be read, or is not of that shape.
    """
    from rl.evaluation import PriceList, read_prices

    return PriceList() if file is None else read_prices(Path(file))


def write_file(place: str, ending: str, content: bytes, *, force: bool) -> Path:
    """Write a file that a person asked for.

    Raises:
        InputError: its name has another ending, it is there already, or it cannot be written.
    """
    path = Path(place)
    if path.suffix.lower() != ending:
        raise InputError(f"{place!r} does not end in {ending}")
    try:
        with path.open("wb" if force else "xb") as file:
            file.write(content)
    except FileExistsError:
        raise InputError(f"{place!r} is there already", hint="--force replaces it") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "that is no file name"
        raise InputError(f"{place!r} cannot be written: {reason}") from None
    return path
