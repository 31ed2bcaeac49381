"""``compoworld state``: what a branch sees, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import MAX_EVENT, At, BranchNumber, Json, number, words
from compoworld.cli.opening import fork_source, opened
from compoworld.cli.output import emit, name, note, say, table
from compoworld.cli.output import number as numbers
from compoworld.cli.rows import say_changes, say_rows
from engine.errors import InputError

if TYPE_CHECKING:
    from compoworld.world import World

_event = number("an event", 0, MAX_EVENT)


def state(
    branch: BranchNumber,
    at: At = None,
    only: Annotated[
        str | None,
        typer.Option("--table", metavar="TABLE", parser=words("a table"), help="The rows of this table."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", parser=words("a key", 10_000), help="Only this row (with --table)."),
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="A B", help="What differs between these two events of the branch."),
    ] = None,
    against: Annotated[
        int | None,
        typer.Option(
            "--against",
            metavar="BRANCH",
            parser=number("a branch"),
            help="What differs in this other branch.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the state of a branch or snapshot, now or after an event, or what differs between two points.

    Example: compoworld state 42 --table mail_message --at 4

    Example: compoworld state 42 --diff 4 9
    """
    if diff is not None and (against is not None or at is not None):
        raise InputError("--diff goes with neither --at nor --against")
    if key is not None and only is None:
        raise InputError("--key needs --table")
    if diff is not None:
        _show_difference(branch, _event(diff[0]), branch, _event(diff[1]), only, json)
    elif against is not None:
        _show_difference(branch, at, against, None, only, json)
    elif only is not None:
        _show_table(branch, at, only, key, json)
    else:
        _show_all(branch, at, json)


def _show_all(branch: int, at: int | None, json: bool) -> None:
    from compoworld import catalog
    from engine.states import digest, read_state

    with opened() as world:
        if json:
            emit(read_state(world.database, branch, at))
            return
        mark = digest(world.database, branch, at)
        found = catalog.tables(world.database, branch, at)
    table(
        [name("table"), numbers("rows"), numbers("changed")],
        [(item["table"], item["rows"], item["changed"] or "") for item in found],
    )
    say(f"digest {mark}")
    note(f"the rows of a table: compoworld state {branch} --table TABLE")


def _show_table(branch: int, at: int | None, only: str, key: str | None, json: bool) -> None:
    from compoworld import catalog
    from engine.errors import NotFound
    from engine.states import read_state

    with opened() as world:
        found = read_state(world.database, branch, at).get(only, {})
        order = _columns(world, branch, only)
        known = [item["table"] for item in catalog.tables(world.database, branch, 0)] if not found else [only]
    if only not in known:
        raise NotFound(f"branch {branch} has no table {only!r}", hint=f"its tables are {', '.join(known)}")
    if key is not None:
        if key not in found:
            raise NotFound(f"table {only} has no row {key!r} there")
        found = {key: found[key]}
    if json:
        emit(found)
    elif found:
        say_rows(found, order)
    else:
        say("no rows")


def _show_difference(a: int, at_a: int | None, b: int, at_b: int | None, only: str | None, json: bool) -> None:
    from engine.states import difference

    with opened() as world:
        found = difference(world.database, a, at_a, b, at_b)
    if only is not None:
        found = [item for item in found if item.table == only]
    if json:
        emit(found)
    elif found:
        say_changes(found)
    else:
        say("no difference")


def _columns(world: World, branch: int, table: str) -> list[str]:
    """The fields of a table in the order of its service's code; none where the service has changed since."""
    from engine.errors import CompoWorldError

    try:
        return list(fork_source(world, branch).composition.entity(table).model_fields)
    except CompoWorldError:
        return []
