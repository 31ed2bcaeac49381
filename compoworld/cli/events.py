"""``compoworld events``: the calls of a branch."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from compoworld.cli.inputs import MAX_EVENT, BranchNumber, Json, number
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, compact, emit, heading, name, note, pretty, prose, say, short, table
from compoworld.cli.output import number as numbers
from compoworld.cli.rows import say_changes

_ARGUMENTS = 160


def events(
    branch: BranchNumber,
    full: Annotated[bool, typer.Option("--full", help="With observations and row changes.")] = False,
    event: Annotated[
        int | None,
        typer.Option("--event", metavar="EVENT", parser=number("an event", 1, MAX_EVENT), help="Only this event."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the calls of a branch, in order.

    Example: compoworld events 42 --full
    """
    from compoworld import catalog
    from engine.errors import NotFound
    from engine.events import read_events

    with opened() as world:
        about = catalog.branch(world.database, branch)
        found = read_events(world.database, branch)
    if event is not None:
        found = [item for item in found if item.seq == event]
        if not found:
            raise NotFound(f"branch {branch} has no event {event}", hint=f"its events are 1 to {about['events']}")
    if json:
        emit(found)
        return
    _say_place(about)
    if full:
        for item in found:
            _say_event(item)
        return
    say()
    table(
        [numbers("#"), name("call"), Column("arguments"), name("outcome"), numbers("rows")],
        [
            (
                f"{item.seq}{'*' if item.inherited else ''}",
                f"{item.service}.{item.tool}",
                _brief(item),
                item.outcome,
                (item.changes and len(item.changes)) or "",
            )
            for item in found
        ],
        empty="no events yet",
    )
    if any(item.inherited for item in found):
        note("* made before the fork")
    if about["answer"]:
        heading("answer")
        say(about["answer"])


def _say_place(about: dict[str, Any]) -> None:
    parts = [f"branch {about['branch']} of snapshot {about['snapshot']}"]
    if about["rollout"]:
        parts.append(f"rollout {about['rollout']} of group {about['group']}")
    if about["parent"]:
        parts.append(f"forked from {about['parent']} after event {about['parent_event']}")
    say("; ".join(parts))
    prose(f"services: {', '.join(about['services'])}", hanging="  ")


def _brief(item: Any) -> str:
    text = short(compact(item.arguments), _ARGUMENTS)
    error = item.observation.get("error") or {}
    return f"{text}\n→ {short(error.get('message', ''), _ARGUMENTS)}" if error else text


def _say_event(item: Any) -> None:
    heading(f"event {item.seq}: {item.service}.{item.tool}, {item.outcome}, {item.duration_ms:.1f} ms")
    say(f"logical time {item.logical_time:%Y-%m-%d %H:%M:%S} UTC{', made before the fork' if item.inherited else ''}")
    say(f"arguments    {compact(item.arguments)}")
    say(f"observation  {pretty(item.observation)}")
    if item.detail:
        say(f"detail       {item.detail}")
    say_changes(item.changes)
