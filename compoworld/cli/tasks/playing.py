"""``compoworld tasks play``: a person takes a task, through the meta-tools, and is judged."""

from __future__ import annotations

import queue
import sys
import threading
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, complain, emit, heading, name, plain, pretty, prose, say, table
from compoworld.cli.tasks.lines import HELP, read_line
from compoworld.cli.tasks.naming import number_or_name
from compoworld.cli.tasks.prompt import Prompt
from compoworld.cli.verify import say_checks
from engine.errors import InputError, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.metatools import MetaResult
    from engine.world import World
    from rl import GroupReport
    from rl.agents.person import Answer, Use
    from tasks import StoredTask

_PROMPT = "> "


def play(
    task: Annotated[
        str | None,
        typer.Argument(
            metavar="TASK",
            parser=words("a task", 4_000),
            help="A name in the library or in a set, a number in the database, or a file.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        int | None,
        typer.Option("--resume", metavar="GROUP", parser=number("a group"), help="Go on with a game that was left."),
    ] = None,
    json: Json = False,
) -> None:
    """Take a task yourself: find out and do what is asked for with the four meta-tools, answer, and be judged.

    It is recorded as a rollout like any other, from the first call on. Commands may come from a file: standard input
    need not be a terminal.

    Example: compoworld tasks play TASK
    """
    from tasks.sets.finding import find_stored

    if (task is None) == (resume is None):
        raise InputError("name a task, or a game to go on with by --resume")
    with opened() as world:
        if resume is not None:
            game = _Game(world, *_left(world, resume), group=resume)
        else:
            game = _Game(world, find_stored(world, number_or_name(task or "")))
        with redirect_stdout(sys.stderr if json else sys.stdout):
            report = game.play()
    if json:
        rollout = report.rollouts[0]
        emit({"group": report.id, "task": report.task, **plain(rollout)})
    else:
        _say_end(report)


def _left(world: World, group: int) -> tuple[StoredTask, list[Use]]:
    """The task of a game that was left, and the calls that were made in it.

    Raises:
        InputError: there is no such game, or it has ended.
    """
    from rl import group_report
    from rl.agents.person import NAME, Use
    from tasks import load

    report = group_report(world, group)
    if report.agent != NAME:
        raise InputError(f"group {group} is played by {report.agent}", hint=f"compoworld rollout resume {group}")
    rollout = report.rollouts[0]
    if rollout.status == "finished":
        raise InputError(f"the game of group {group} has ended", hint=f"compoworld rollout show {rollout.id}")
    events = [] if rollout.branch is None else world.branch(rollout.branch).events()
    uses = [
        Use("call_tool", {"service": item.service, "tool": item.tool, "arguments": item.arguments}) for item in events
    ]
    return load(world, _task_of(world, group)), uses


def _task_of(world: World, group: int) -> int:
    from sqlalchemy import text

    with world.database.transaction() as connection:
        find = text("SELECT task_id FROM compoworld.rollout_group WHERE id = :id")
        return int(connection.execute(find, {"id": group}).scalar_one())


class _Game:
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

    def play(self) -> GroupReport:
        """Play until there is an answer.

        Raises:
            KeyboardInterrupt: the person leaves.
        """
        self._welcome()
        try:
            if self._group is not None:
                self._start(self._group)
            self._converse()
            self._wait()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._leave()) from None
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

    def _leave(self) -> str:
        """Leave the game; the command that takes it up again. One in which no tool was called is forgotten."""
        from rl.agents.person import Leave

        if self._group is None:
            return ""
        self._desk.wish(Leave())
        self._ended.wait(10)
        if self._calls:
            return f"compoworld tasks play --resume {self._group}"
        self._forget()
        return ""

    def _forget(self) -> None:
        from compoworld.retention import Named, survey, sweep

        assert self._group is not None
        with suppress(Refused):  # it is still at it
            heap = survey(self._world.database, Named(groups=[self._group]))
            heap.branches = sorted(set(heap.branches) - set(heap.scratch))
            sweep(self._world.database, heap)

    def _welcome(self) -> None:
        from rl.prompts import system_prompt

        say(self._task.title, style="bold")
        prose(system_prompt(self._task.user(), self._task.start).partition("\n\n")[0])
        heading("your task")
        prose(self._task.instruction)
        say()
        if self._group is not None:
            made = "call that you have made is" if self._calls == 1 else "calls that you have made are"
            say(f"The {self._calls} {made} made again; you go on after that.", fold=True)
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
                raise KeyboardInterrupt
            if not line.strip():
                continue
            try:
                asked = read_line(line, self._services)
            except InputError as error:
                complain(error)
                continue
            match asked.what:
                case "help":
                    say(HELP)
                case "task":
                    prose(self._task.instruction)
                case "quit":
                    raise KeyboardInterrupt
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


def _say_end(report: GroupReport) -> None:
    rollout = report.rollouts[0]
    if rollout.status != "finished":
        complain(f"the game could not be judged: {rollout.error or rollout.status}")
        raise typer.Exit(3)
    described = {item.name: item.description for item in report.criteria}
    heading("how you were judged")
    say_checks([{**vars(item), "criterion": item.criterion} for item in rollout.checks])
    missed = [item for item in rollout.checks if not item.passed]
    if missed:
        heading("what was to hold")
        for item in missed:
            prose(f"{item.criterion}: {described[item.criterion]}", hanging="    ")
    say()
    passed = len(rollout.checks) - len(missed)
    say(
        f"{passed} of {len(rollout.checks)} criteria hold after {rollout.calls} calls (rollout {rollout.id}, branch"
        f" {rollout.branch})",
        style="bold",
    )
