"""A game: a person's lines on one side, the rollout in a thread of its own on the other."""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from compoworld.cli.output import Column, heading, many, name, pretty, prose, say, table
from compoworld.cli.tasks.lines import HELP, read_line
from compoworld.cli.tasks.prompt import Prompt
from engine.errors import InputError, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.metatools import MetaResult
    from engine.world import World
    from rl import GroupReport
    from rl.agents.person import Answer, Use
    from tasks import StoredTask

_PROMPT = "> "


class Left(Exception):
    """The person has left the game.

    Attributes:
        group: to go on with; ``None`` where the game is forgotten.
    """

    def __init__(self, group: int | None) -> None:
        super().__init__()
        self.group = group

    @property
    def again(self) -> str:
        """The command that takes the game up again; nothing where it is forgotten."""
        return "" if self.group is None else f"compoworld tasks play --resume {self.group}"


class _Leaves(Exception):
    """The person wants to leave."""


class Game:
    """One game: the person's lines are read here; the rollout runs in a thread of its own.

    Args:
        earlier: the calls that were made before, in a game that was left: in this group.
        group: ``None`` for a new game, which gets one when it really begins.
    """

    def __init__(
        self, world: World, stored: StoredTask, earlier: Sequence[Use] = (), *, group: int | None = None
    ) -> None:
        from rl.agents.person import Desk

        self._world = world
        self._group = group
        self._stored = stored
        self._earlier = earlier
        self._desk = Desk()
        self._calls = len(earlier)
        self._task = stored.task
        self._services = {item: stored.composition.services[item] for item in stored.services}
        self._ended = threading.Event()
        self._report: GroupReport | None = None
        self._error: BaseException | None = None
        self._asked: Any = None

    @property
    def task(self) -> str:
        """The name of what is played."""
        return self._task.name

    def play(self) -> GroupReport:
        """Play until there is an answer.

        Raises:
            Left: the person leaves, by a command or at the end of the input.
            KeyboardInterrupt: by Ctrl-C; its message is the command that takes the game up again.
        """
        self._welcome()
        try:
            if self._group is not None:
                self._start(self._group)
            self._converse()
            self._wait()
        except _Leaves:
            raise self._leave() from None
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._leave().again) from None
        if self._error is not None:
            if not self._calls:
                self._forget()
            raise self._error
        assert self._report is not None
        return self._report

    def _begin(self) -> None:
        """Begin the rollout, unless it has begun."""
        from rl import create_group
        from rl.agents.person import PersonAgent
        from rl.limits import Limits

        if self._group is None:
            boundless = Limits(steps=None, tokens=None, seconds=None)
            self._group = create_group(self._world, self._stored, PersonAgent(self._desk), size=1, limits=boundless)
            self._start(self._group)
            self._next()  # it waits for the first wish

    def _start(self, group: int) -> None:
        threading.Thread(target=self._run, args=(group,), name="game", daemon=True).start()

    def _run(self, group: int) -> None:
        from rl import resume
        from rl.agents.person import PersonAgent

        try:
            self._report = resume(self._world, group, agent=PersonAgent(self._desk, self._earlier))
        except BaseException as error:
            self._error = error
        finally:
            self._ended.set()

    def _leave(self) -> Left:
        """Leave the game. One in which no tool was called is forgotten."""
        from rl.agents.person import Leave

        if self._group is None:
            return Left(None)
        self._desk.wish(Leave())
        self._ended.wait(10)
        if self._calls:
            return Left(self._group)
        self._forget()
        return Left(None)

    def _forget(self) -> None:
        from compoworld.retention import Named, survey, sweep

        assert self._group is not None
        with suppress(Refused):  # it is still at it
            heap = survey(self._world, Named(groups=[self._group]))
            heap.branches = sorted(set(heap.branches) - set(heap.scratch))
            sweep(self._world, heap)

    def _welcome(self) -> None:
        from rl.prompts import system_prompt

        say(self._task.title, style="bold")
        prose(system_prompt(self._task.user(), self._task.start).partition("\n\n")[0])
        heading("your task")
        prose(self._task.instruction)
        say()
        if self._group is not None:
            made = many(self._calls, "call that you have made is", "calls that you have made are")
            say(f"The {made} made again; you go on after that.", fold=True)
        say("help shows the commands; answer TEXT ends the game.", style="dim")

    def _converse(self) -> None:
        from rl.agents.person import Answer

        prompt = Prompt(self._services)
        result = None if self._group is None else self._next()
        while result is not self:
            if result is not None:
                self._show(result)
            wish = self._wish(prompt)
            self._begin()
            self._desk.wish(wish)
            if isinstance(wish, Answer):
                return
            self._calls += wish.name == "call_tool"
            result = self._next()

    def _next(self) -> Any:
        """The result of the last wish; ``self`` where the game has ended without an answer."""
        while not self._ended.is_set():
            try:
                return self._desk.result(0.2)
            except queue.Empty:
                pass
        return self

    def _wait(self) -> None:
        while not self._ended.wait(0.2):
            pass

    def _wish(self, prompt: Prompt) -> Use | Answer:
        """What the person wants of the rollout; what needs no meta-tool is done here."""
        from rl.agents.person import Answer, Use

        while True:
            line = prompt.line(_PROMPT)
            if line is None:
                raise _Leaves
            if not line.strip():
                continue
            try:
                asked = read_line(line, self._services)
            except InputError as error:
                say(f"error: {error}", style="red", fold=True)  # where the line is, also in a pipe
                continue
            match asked.what:
                case "help":
                    say(HELP)
                case "task":
                    prose(self._task.instruction)
                case "quit":
                    raise _Leaves
                case "answer":
                    return Answer(asked.words or prompt.lines())
                case _:
                    self._asked = asked
                    return Use(asked.what, asked.arguments)

    def _show(self, result: MetaResult) -> None:
        observation = result.observation
        if not observation["ok"]:
            error = observation["error"]
            say(f"{error['code']}: {error['message']}", style="red", fold=True)
            if error.get("details"):
                say(pretty(error["details"]))
            return
        data = observation["data"]
        match self._asked.what:
            case "list_services":
                table([name("service"), Column("about")], [(item["service"], item["summary"]) for item in data])
            case "list_tools":
                word = self._asked.words.lower()
                rows = [
                    (item["tool"], item["description"])
                    for item in data
                    if word in item["tool"].lower() or word in item["description"].lower()
                ]
                table([name("tool"), Column("what it does")], rows, empty="no tool has that word")
            case "describe_tool":
                _say_tool(data)
            case _:
                say(pretty(data))


def _say_tool(data: dict[str, Any]) -> None:
    schema = data["inputSchema"]
    say(data["name"], style="bold")
    prose(data["description"])
    needed = set(schema.get("required", ()))
    rows = [
        (item, "yes" if item in needed else "", _type(part), part.get("description", ""))
        for item, part in schema.get("properties", {}).items()
    ]
    if rows:
        say()
        table([name("argument"), name("needed"), Column("type"), Column("meaning", share=2)], rows)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kinds = schema.get("type", "")
    shown = kinds if isinstance(kinds, str) else " or ".join(kinds)
    if schema.get("properties") or (schema.get("items") or {}).get("properties"):
        inner = schema.get("properties") or schema["items"]["properties"]
        return f"{shown} with {', '.join(inner)}"
    return f"{shown} of {_type(schema['items'])}" if isinstance(schema.get("items"), dict) else shown
