"""One sitting of a build: the conversation with the model, recorded message by message.

The files are those of the recorded calls of ``write_file``: that is how a sitting takes up where the last one stopped.
"""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from engine.errors import CompoWorldError
from engine.kit.values import shown
from engine.world import World
from synth.agent.budget import Budget, Spent
from synth.agent.prompt import system_prompt, task_message
from synth.agent.store import StoredBuild, end_build, record_progress, record_turn
from synth.agent.workspace import MadeAs, Workspace, definitions
from synth.models import CACHED, ContextFull, Tokens, as_sent, marked, prices_of, request, sendable

if TYPE_CHECKING:
    import anthropic

Progress = Callable[[str], None]
"""Told what happens, in a few words."""

MAX_TOKENS = 16_384
REQUEST_SECONDS = 600.0
IDLE_TIMES = 3
"""How often in a row the model may say something without using a tool, or be cut off."""

_GO_ON = "Go on with the tools. Call `finish` when the service is done."
_CUT_OFF = "Your message was cut off at its length limit. Go on, with shorter messages."
_NOT_DONE = "Your message was cut off at its length limit, so this was not done. Do it again, in smaller files."


@dataclass(frozen=True)
class BuildResult:
    """What became of a build.

    Attributes:
        build: its number in the database.
        status: ``built``: handed in, its tests pass; ``failed``: see ``detail``.
        files: path to text, as they stand.
        tools: name to how it was made (``code`` or ``world_model``) and why; empty where it failed.
        cost_usd: ``None`` where the model's prices are not known.
        seconds: wall time, of all sittings.
    """

    build: int
    status: Literal["built", "failed"]
    detail: str
    files: dict[str, str] = field(repr=False)
    tools: dict[str, MadeAs]
    turns: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    seconds: float


class Sitting:
    """One sitting of a build.

    Args:
        world: whose database records the build.
        number: of the build.
        model: as its server names it.
        budget: of the whole build, earlier sittings included.
        client: may be given later, before ``run``.
    """

    def __init__(
        self,
        world: World,
        number: int,
        model: str,
        workspace: Workspace,
        budget: Budget,
        progress: Progress,
        client: anthropic.Anthropic | None,
    ) -> None:
        self._database = world.database
        self._number, self._model, self._workspace = number, model, workspace
        self._budget, self._progress = budget, progress
        self.client = client
        self._spent = Spent(budget.prices or prices_of(model))
        self._before = 0.0
        self._began = time.monotonic()
        self._messages: list[dict[str, Any]] = []
        self._idle = 0
        self._stopped: str | None = None
        self._tools = copy.deepcopy(definitions())
        self._tools[-1]["cache_control"] = CACHED

    def begin(self) -> None:
        """Record what the model is told."""
        record_turn(self._database, self._number, "system", {"text": system_prompt(), "tools": definitions()})
        self._say_to_model([{"type": "text", "text": task_message(self._workspace.spec)}])

    def restore(self, found: StoredBuild) -> None:
        """Take up a conversation as it was recorded, with the files that it made."""
        self._before = found.seconds
        for turn in found.turns:
            if turn.role == "system":
                continue
            if turn.role == "assistant":
                self._spent.add(turn.tokens)
                self._heard(turn.content)
                continue
            if self._messages:
                self._replay(turn.content)
            self._told(turn.content)
        self._stopped = found.turns[-1].stop_reason

    def ended(self, found: StoredBuild) -> BuildResult:
        """What became of a build that has ended already."""
        return self._result("built" if found.status == "built" else "failed", found.detail or "", found.tools)

    def run(self) -> BuildResult:
        """Until the service is handed in, or the budget is used up."""
        try:
            return self._run()
        except BaseException as error:
            told = str(error) if isinstance(error, CompoWorldError) else type(error).__name__
            with contextlib.suppress(CompoWorldError):  # the database may be what is gone
                self._note(f"interrupted: {told}; resume build {self._number}")
            raise

    def _run(self) -> BuildResult:
        if self._messages[-1]["role"] == "assistant":
            # Interrupted while it was doing what the model had asked for.
            self._answer(self._messages[-1]["content"], self._stopped)
        while not self._workspace.finished:
            if (limit := self._beyond()) is not None:
                return self._end_early(limit)
            if self._idle >= IDLE_TIMES:
                return self._end_early("the model stopped working")
            try:
                content, stop = self._ask()
            except ContextFull:
                return self._end_early("the conversation no longer fits the model")
            if stop == "refusal":
                return self._end_early("the model refused")
            self._answer(content, stop)
        return self._end("built", "handed in; its tests pass")

    def _beyond(self) -> str | None:
        self._spent.seconds = self._before + time.monotonic() - self._began
        return self._spent.beyond(self._budget)

    def _ask(self) -> tuple[list[dict[str, Any]], str | None]:
        assert self.client is not None
        left = max(1.0, self._budget.seconds - self._spent.seconds)
        response = request(
            self.client,
            model=self._model,
            max_tokens=MAX_TOKENS,
            system=[{"type": "text", "text": system_prompt(), "cache_control": CACHED}],
            tools=self._tools,
            messages=marked(self._messages),
            timeout=min(REQUEST_SECONDS, left),
        )
        said = [shown(as_sent(block)) for block in response.content]
        tokens = Tokens.of(response)
        cost = self._spent.add(tokens)
        record_turn(
            self._database, self._number, "assistant", said, stop_reason=response.stop_reason, tokens=tokens, cost=cost
        )
        self._heard(said)
        return said, response.stop_reason

    def _answer(self, content: list[dict[str, Any]], stop: str | None) -> None:
        """Do what the model asks for, and tell it what came of it."""
        uses = [block for block in content if block["type"] == "tool_use"]
        cut_off = stop == "max_tokens"
        self._idle = self._idle + 1 if cut_off or not uses else 0
        if not uses:
            self._say_to_model([{"type": "text", "text": _CUT_OFF if cut_off else _GO_ON}])
            return
        results = []
        for block in uses:
            if cut_off:
                text, wrong = _NOT_DONE, True
            else:
                self._progress(_doing(block))
                result = self._workspace.use(str(block["name"]), block.get("input"))
                text, wrong = result.text, result.error
            results.append(
                {"type": "tool_result", "tool_use_id": block["id"], "content": shown(text), "is_error": wrong}
            )
        self._say_to_model(results)

    def _replay(self, results: list[dict[str, Any]]) -> None:
        done = {item.get("tool_use_id") for item in results if not item.get("is_error")}
        for block in self._messages[-1]["content"]:
            if block["type"] == "tool_use" and block["id"] in done:
                self._workspace.replay(block["name"], block.get("input"))

    def _say_to_model(self, content: list[dict[str, Any]]) -> None:
        record_turn(self._database, self._number, "user", content)
        self._told(content)
        self._note(None)

    def _heard(self, content: list[dict[str, Any]]) -> None:
        if content:
            self._messages.append({"role": "assistant", "content": [sendable(block) for block in content]})

    def _told(self, content: list[dict[str, Any]]) -> None:
        if self._messages and self._messages[-1]["role"] == "user":  # the model had said nothing at all
            content = [*self._messages.pop()["content"], *content]
        self._messages.append({"role": "user", "content": content})

    def _note(self, detail: str | None) -> None:
        self._beyond()
        record_progress(
            self._database,
            self._number,
            self._workspace.files,
            detail,
            turns=self._spent.turns,
            input=self._spent.input,
            output=self._spent.output,
            cost=self._spent.cost_usd,
            seconds=self._spent.seconds,
        )

    def _end_early(self, reason: str) -> BuildResult:
        """The end of a budget: what is complete is taken all the same."""
        if not self._workspace.complete():
            return self._end("built", f"{reason}; its tests pass")
        return self._end("failed", reason)

    def _end(self, status: Literal["built", "failed"], detail: str) -> BuildResult:
        self._note(detail)
        tools: dict[str, MadeAs] = self._workspace.made_as() if status == "built" else {}
        end_build(self._database, self._number, status, detail, self._workspace.entities, tools)
        return self._result(status, detail, tools)

    def _result(self, status: Literal["built", "failed"], detail: str, tools: dict[str, MadeAs]) -> BuildResult:
        spent = self._spent
        return BuildResult(
            build=self._number,
            status=status,
            detail=detail,
            files=dict(self._workspace.files),
            tools=tools,
            turns=spent.turns,
            input_tokens=spent.input,
            output_tokens=spent.output,
            cost_usd=spent.cost_usd,
            seconds=max(spent.seconds, self._before),
        )


def _doing(block: dict[str, Any]) -> str:
    given = block.get("input")
    about = given.get("path", "") if isinstance(given, dict) else ""
    return f"{block['name']} {about}".strip()[:120]
