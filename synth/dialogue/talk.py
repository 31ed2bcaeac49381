"""The loop: the model is asked, what it asks for is done, it is told what came of it, until the work is done.

Every message is recorded before the next step. A conversation that was interrupted is taken up from its record: what
the tools did to the work is done again, and no message of the model's is asked for twice.
"""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import CompoWorldError, InputError
from engine.kit.values import shown
from synth.dialogue.budget import Budget, Spent
from synth.dialogue.log import RunLog, Turn
from synth.dialogue.tools import Result
from synth.models import CACHED, ContextFull, Tokens, as_sent, marked, prices_of, request, sendable

if TYPE_CHECKING:
    import anthropic

Progress = Callable[[str], None]
"""Told what happens, in a few words."""

MAX_TOKENS = 16_384
REQUEST_SECONDS = 600.0
IDLE_TIMES = 3
"""How often in a row the model may say something without using a tool, or be cut off."""

_CUT_OFF = "Your message was cut off at its length limit. Go on, with shorter messages."
_NOT_DONE = "Your message was cut off at its length limit, so this was not done. Do it again, in smaller parts."


class Work(Protocol):
    """What the conversation is about, and the tools act on."""

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""

    def use(self, name: str, given: Any) -> Result:
        """Use a tool; anything wrong with the request is said in the result."""

    def replay(self, name: str, given: Any, failed: bool) -> None:
        """Do again what a tool did to the work."""

    def doing(self, name: str, given: Any) -> str:
        """What a use of a tool does, for people who watch."""


@dataclass(frozen=True)
class Opening:
    """What the model is told before it says anything.

    Attributes:
        system: the system prompt.
        tools: in the form of the Messages API.
        message: the first message.
        go_on: said to a model that uses no tool.
    """

    system: str
    tools: list[dict[str, Any]]
    message: str
    go_on: str


class Talk:
    """One sitting of a conversation.

    Args:
        name: of the run, for people: ``build 7``.
        model: as its server names it.
        budget: of the whole run, earlier sittings included.
        client: may be given later, before ``run``.

    Attributes:
        spent: what it has cost, earlier sittings included.
    """

    def __init__(
        self,
        log: RunLog,
        name: str,
        work: Work,
        opening: Opening,
        model: str,
        budget: Budget,
        progress: Progress,
        client: anthropic.Anthropic | None = None,
    ) -> None:
        self._log, self._name, self._work, self._opening = log, name, work, opening
        self._model, self._budget, self._progress = model, budget, progress
        self.client = client
        self.spent = Spent(budget.prices or prices_of(model))
        self._before = 0.0
        self._began = time.monotonic()
        self._messages: list[dict[str, Any]] = []
        self._idle = 0
        self._stopped: str | None = None
        self._tools = copy.deepcopy(opening.tools)
        self._tools[-1]["cache_control"] = CACHED

    def begin(self) -> None:
        """Record what the model is told."""
        self._log.turn("system", {"text": self._opening.system, "tools": self._opening.tools})
        self._say([{"type": "text", "text": self._opening.message}])

    def restore(self, turns: Sequence[Turn], seconds: float) -> None:
        """Take up a conversation as it was recorded, and what its tools did."""
        self._before = seconds
        self.spent.seconds = seconds
        for turn in turns:
            if turn.role == "system":
                continue
            if turn.role == "assistant":
                self.spent.add(turn.tokens)
                self._heard(turn.content)
                continue
            if self._messages:
                self._replay(turn.content)
            self._told(turn.content)
        self._stopped = turns[-1].stop_reason if turns else None
        if not self._messages:
            # Interrupted before the first message was recorded.
            self.begin()

    def run(self) -> str | None:
        """Until the work is done (``None``), or cannot go on (why)."""
        try:
            return self._run()
        except BaseException as error:
            told = str(error) if isinstance(error, CompoWorldError) else type(error).__name__
            with contextlib.suppress(CompoWorldError):  # the database may be what is gone
                self.note(f"interrupted: {told}; resume {self._name}")
            raise

    def note(self, detail: str | None) -> None:
        """Record where the run stands."""
        self._beyond()
        self._log.progress(self.spent, detail)

    def _run(self) -> str | None:
        if self._messages[-1]["role"] == "assistant":
            # Interrupted while it was doing what the model had asked for.
            self._answer(self._messages[-1]["content"], self._stopped)
        while not self._work.finished:
            if (limit := self._beyond()) is not None:
                return limit
            if self._idle >= IDLE_TIMES:
                return "the model stopped working"
            try:
                content, stop = self._ask()
            except ContextFull:
                return "the conversation no longer fits the model"
            if stop == "refusal":
                return "the model refused"
            self._answer(content, stop)
        return None

    def _beyond(self) -> str | None:
        self.spent.seconds = self._before + time.monotonic() - self._began
        return self.spent.beyond(self._budget)

    def _ask(self) -> tuple[list[dict[str, Any]], str | None]:
        assert self.client is not None
        left = max(1.0, self._budget.seconds - self.spent.seconds)
        response = request(
            self.client,
            model=self._model,
            max_tokens=MAX_TOKENS,
            system=[{"type": "text", "text": self._opening.system, "cache_control": CACHED}],
            tools=self._tools,
            messages=marked(self._messages),
            timeout=min(REQUEST_SECONDS, left),
        )
        said = [shown(as_sent(block)) for block in response.content]
        tokens = Tokens.of(response)
        cost = self.spent.add(tokens)
        self._log.turn("assistant", said, stop_reason=response.stop_reason, tokens=tokens, cost=cost)
        self._heard(said)
        return said, response.stop_reason

    def _answer(self, content: list[dict[str, Any]], stop: str | None) -> None:
        """Do what the model asks for, and tell it what came of it."""
        uses = [block for block in content if block["type"] == "tool_use"]
        cut_off = stop == "max_tokens"
        self._idle = self._idle + 1 if cut_off or not uses else 0
        if not uses:
            self._say([{"type": "text", "text": _CUT_OFF if cut_off else self._opening.go_on}])
            return
        results = []
        for block in uses:
            name, given = str(block["name"]), block.get("input")
            if cut_off:
                text, wrong = _NOT_DONE, True
            else:
                self._progress(self._work.doing(name, given)[:120])
                result = self._work.use(name, given)
                text, wrong = result.text, result.error
            results.append(
                {"type": "tool_result", "tool_use_id": block["id"], "content": shown(text), "is_error": wrong}
            )
        self._say(results)

    def _replay(self, results: list[dict[str, Any]]) -> None:
        done = {item.get("tool_use_id"): item for item in results if item.get("content") != _NOT_DONE}
        for block in self._messages[-1]["content"]:
            if block["type"] == "tool_use" and block["id"] in done:
                failed = bool(done[block["id"]].get("is_error"))
                self._work.replay(str(block["name"]), block.get("input"), failed)

    def _say(self, content: list[dict[str, Any]]) -> None:
        self._log.turn("user", content)
        self._told(content)
        self.note(None)

    def _heard(self, content: list[dict[str, Any]]) -> None:
        if content:
            self._messages.append({"role": "assistant", "content": [sendable(block) for block in content]})

    def _told(self, content: list[dict[str, Any]]) -> None:
        if self._messages and self._messages[-1]["role"] == "user":  # the model had said nothing at all
            content = [*self._messages.pop()["content"], *content]
        self._messages.append({"role": "user", "content": content})


def see_prices(model: str, budget: Budget) -> None:
    """Refuse a budget in dollars that cannot be kept.

    Raises:
        InputError: the model's prices are not known.
    """
    if budget.cost_usd is not None and budget.prices is None and prices_of(model) is None:
        raise InputError(f"the prices of {model} are not known", hint="give them in the budget, or limit its tokens")
