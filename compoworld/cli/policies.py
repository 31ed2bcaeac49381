"""``compoworld policies``."""

from __future__ import annotations

from typing import Annotated

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, name, table, titled


def policies(
    called: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", parser=words("a policy"), help="Only those of this name.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """List the policies: weights with a name and a version, newest first.

    Example: compoworld policies
    """
    from rl.policies import list_policies

    with opened() as world:
        found = list_policies(world, called)
    if json:
        emit(found)
        return
    table(
        [Column("policy", share=3), name("from"), name("run"), name("digest"), name("made")],
        [
            (
                titled(str(policy), policy.path),
                policy.parent or policy.base.rpartition("/")[2],
                policy.made_by,
                policy.digest[:12],
                f"{policy.created_at:%Y-%m-%d %H:%M}",
            )
            for policy in found
        ],
        empty="no policies yet",
    )
