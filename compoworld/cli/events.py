"""``compoworld events``: the calls of a branch."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from compoworld.cli.inputs import MAX_EVENT, BranchNumber, Json, number
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, compact, emit, heading, name, note, plain, pretty, prose, say, short, table
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
    asked: Annotated[
        bool,
        typer.Option("--asked", help="What a world model was asked for the events that it answered, and its answers."),
    ] = False,
    json: Json = False,
) -> None:
    """Show the calls of a branch, in order.

    Example: compoworld events 42 --full
    """
    from compoworld import catalog
    from engine.errors import NotFound
    from engine.events import read_events
    from engine.exchanges import read_exchanges

    with opened() as world:
        about = catalog.branch(world.database, branch)
        found = read_events(world.database, branch)
        exchanges = {
            item.seq: read_exchanges(world.database, branch, item.seq)
            for item in found
            if item.produced_by == "world_model" and (asked or full or event == item.seq) and event in (None, item.seq)
        }
    if event is not None:
        found = [item for item in found if item.seq == event]
        if not found:
            raise NotFound(f"branch {branch} has no event {event}", hint=f"its events are 1 to {about['events']}")
    if json:
        emit([{**plain(item), "asked": exchanges.get(item.seq, [])} for item in found] if asked else found)
        return
    _say_place(about)
    if full or asked:
        for item in found:
            if full or item.seq in exchanges:
                _say_event(item, exchanges.get(item.seq, []), asked)
        return
    say()
    table(
        [numbers("#"), name("call"), Column("arguments"), name("outcome"), numbers("rows")],
        [
            (
                f"{item.seq}{'*' if item.inherited else ''}{'~' if item.produced_by == 'world_model' else ''}",
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
    if any(item.produced_by == "world_model" for item in found):
        note("~ answered by the world model")
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


def _say_event(item: Any, exchanges: list[dict[str, Any]], asked: bool) -> None:
    heading(f"event {item.seq}: {item.service}.{item.tool}, {item.outcome}, {item.duration_ms:.1f} ms")
    say(f"logical time {item.logical_time:%Y-%m-%d %H:%M:%S} UTC{', made before the fork' if item.inherited else ''}")
    say(f"arguments    {compact(item.arguments)}")
    say(f"observation  {pretty(item.observation)}")
    if item.detail:
        say(f"detail       {item.detail}")
    if item.produced_by == "world_model":
        say(f"produced by  {_by_whom(exchanges)}")
    say_changes(item.changes)
    for exchange in exchanges if asked else ():
        _say_exchange(exchange)


def _by_whom(exchanges: list[dict[str, Any]]) -> str:
    if not exchanges:
        return "the world model; what it was asked went with the branch on which it was asked"
    models = ", ".join(sorted({item["model"] for item in exchanges}))
    tokens = [sum(item[name] or 0 for item in exchanges) for name in ("input_tokens", "output_tokens")]
    costs = [item["cost_usd"] for item in exchanges if item["cost_usd"] is not None]
    cost = f", {sum(costs):.4f} US dollars" if costs else ""
    answers = "1 answer" if len(exchanges) == 1 else f"{len(exchanges)} answers"
    return f"the world model {models}: {answers}, {tokens[0]} tokens in, {tokens[1]} out{cost}"


def _say_exchange(exchange: dict[str, Any]) -> None:
    heading(f"answer {exchange['attempt']} of {exchange['model']}, {exchange['seconds']:.1f} s")
    # Of the request only what was said: the tool that it must answer with is the same each time.
    request = exchange["request"]
    messages = request.get("messages", []) if isinstance(request, dict) else []
    for message in messages or [{"role": "asked", "content": request}]:
        content = message["content"]
        for block in content if isinstance(content, list) else [content]:
            text = block.get("text") if isinstance(block, dict) else None
            say(f"[{message['role']}]", style="cyan")
            say(text if isinstance(text, str) else pretty(block), fold=True)
    say("[answered]", style="cyan")
    say(pretty(exchange["response"]))
    for problem in exchange["problems"]:
        say(f"not taken: {problem}", style="yellow", fold=True)
