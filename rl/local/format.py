"""The chat format of a tokenizer: conversations as tokens, and back.

A conversation is made of pieces: the prompt, then turns of the agent and what it is shown between them. A piece is cut
out of what the chat template makes of a short conversation, and the agent's pieces may be replaced by sampled tokens.
That the pieces together are what the template makes of the whole conversation is checked where one is rendered.

Special tokens are the template's alone. Where a text that it is given spells one out, it stays that text.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from engine.errors import InputError
from engine.metatools import MetaTools
from rl.local.calls import Said, read_turn
from rl.local.specials import CUT, Specials
from rl.messages import shortened, tool_use
from rl.trajectories import Trajectory

_SYSTEM = {"role": "system", "content": "s"}
_USER = {"role": "user", "content": "u"}


class Spoken(Protocol):
    """A recorded message: ``rl.messages.Message``, or a row of ``compoworld.message``."""

    @property
    def role(self) -> str: ...

    @property
    def content(self) -> Any: ...


class ChatFormat:
    """How conversations are written for one tokenizer with one chat template.

    Args:
        tokenizer: of transformers, with a chat template that writes calls as Hermes and Qwen do.

    Attributes:
        end: the token that ends a turn of the agent.

    Raises:
        InputError: the template is of another kind, or changes what was said before when more is said.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        if not tokenizer.chat_template:
            raise InputError("the tokenizer has no chat template", hint="set tokenizer.chat_template")
        if tokenizer.eos_token_id is None:
            raise InputError("the tokenizer has no end-of-turn token", hint="set tokenizer.eos_token")
        self.end: int = tokenizer.eos_token_id
        self._encoding = threading.Lock()
        self._specials = Specials(tokenizer)
        self._template = _steady_template(tokenizer)
        self._probe()

    @cached_property
    def digest(self) -> str:
        """Of vocabulary, special tokens and template: 16 hexadecimal digits."""
        parts = [sorted(self.tokenizer.get_vocab().items()), self.tokenizer.eos_token, self._template]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def prompt(self, system: str, user: str, tools: list[dict[str, Any]]) -> list[int]:
        """The tokens up to where the agent begins to write.

        Args:
            tools: as ``MetaTools.definitions`` gives them.
        """
        begun = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return self._encode(self._text(begun, tools, writing=True))

    def parse(self, token_ids: Sequence[int], first: int = 1) -> Said:
        """What the agent said in a turn, its end token included unless it was cut off.

        Args:
            first: the number of the turn's first call.
        """
        whole = bool(token_ids) and token_ids[-1] == self.end
        return read_turn(self._decode(token_ids[:-1] if whole else token_ids), whole=whole, first=first)

    def said(self, blocks: Sequence[dict[str, Any]]) -> list[int]:
        """The tokens of an agent's turn with these blocks, its end token included."""
        return self._encode(self._said(_assistant(blocks)))

    def observations(self, results: Sequence[str], note: str | None = None) -> list[int]:
        """The tokens between two turns of the agent: from after its end token up to where it writes again.

        Args:
            results: of the turn's calls, in their order.
            note: said after them in the role of the user.
        """
        shown = [{"role": "tool", "content": result} for result in results]
        if note is not None:
            shown.append({"role": "user", "content": note})
        return self._encode(self._shown(shown))

    def render(
        self,
        messages: Sequence[Spoken],
        tools: list[dict[str, Any]] | None = None,
        max_observation: int | None = None,
    ) -> Trajectory:
        """A recorded conversation of any agent as this format writes it, up to the agent's last turn.

        Blocks that are neither words nor calls (a model's thinking) are left out, and so is blank space around words.
        The arguments of a call stand in the order of its tool's schema: the catalog keeps no order.

        Args:
            tools: as they were offered; by default the meta-tools.
            max_observation: characters of a result that are shown, as the agent ``transformers`` cuts it.

        Raises:
            InputError: it does not begin with system and user, the agent never speaks, or the template is not steady.
        """
        if [message.role for message in messages[:2]] != ["system", "user"]:
            raise InputError("a conversation begins with a message of the system and one of the user")
        tools = MetaTools.definitions() if tools is None else tools
        order = {tool["name"]: list(tool["input_schema"].get("properties", ())) for tool in tools}
        written = [_written(message, order, max_observation) for message in messages]
        while written and written[-1]["role"] != "assistant":
            written.pop()
        if not written:
            raise InputError("the agent says nothing in this conversation: there is nothing to learn from it")
        pieces = [(self._text(written[:2], tools, writing=True), False)]
        shown: list[dict[str, Any]] | None = None
        for message in written[2:]:
            if message["role"] != "assistant":
                shown = [*(shown or []), message]
                continue
            if shown is not None or len(pieces) > 1:
                pieces.append((self._shown(shown or []), False))
            pieces.append((self._said(message), True))
            shown = []
        whole = self._text(written, tools)
        joined = "".join(text for text, _ in pieces)
        if whole != joined + self._tail:
            raise InputError(
                "the chat template writes this conversation as a whole in another way than turn by turn",
                hint="use a template that never changes what was said before",
            )
        encoded = [(self._encode(text), agent) for text, agent in pieces]
        return Trajectory(
            self.digest,
            len(encoded[0][0]),
            [token for tokens, _ in encoded for token in tokens],
            [agent for tokens, agent in encoded for _ in tokens],
        )

    def runs(self, trajectory: Trajectory) -> list[tuple[str, bool]]:
        """The decoded text of a trajectory in pieces, each with whether the agent wrote it."""
        together = zip(trajectory.token_ids, trajectory.is_agent, strict=True)
        return [
            (self._decode([token for token, _ in run]), agent)
            for agent, run in itertools.groupby(together, key=lambda pair: pair[1])
        ]

    @cached_property
    def _tail(self) -> str:
        """What the template writes between the end token and what comes next."""
        return self._turn({"role": "assistant", "content": "a"})[1]

    def _said(self, message: dict[str, Any]) -> str:
        return self._turn(message)[0]

    def _turn(self, message: dict[str, Any]) -> tuple[str, str]:
        """An agent's turn up to its end token, and what comes after it."""
        whole = _after(self._text([_SYSTEM, _USER], writing=True), self._text([_SYSTEM, _USER, message]))
        said, end, tail = whole.rpartition(self.tokenizer.eos_token)
        if not end or tail.strip():
            raise InputError(
                f"the chat template does not end the agent's turns with {self.tokenizer.eos_token!r}",
                hint="set tokenizer.eos_token to the token that it ends them with",
            )
        return said + end, tail

    def _shown(self, shown: list[dict[str, Any]]) -> str:
        begun = [_SYSTEM, _USER, _assistant([tool_use("use_1", "t", {}) for item in shown if item["role"] == "tool"])]
        return self._tail + _after(self._text(begun), self._text([*begun, *shown], writing=True))

    def _text(
        self, messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None = None, *, writing: bool = False
    ) -> str:
        functions = [_function(tool) for tool in tools] if tools else None
        text: str = self.tokenizer.apply_chat_template(
            self._specials.apart(messages),
            tools=self._specials.apart(functions),
            chat_template=self._template,
            add_generation_prompt=writing,
            tokenize=False,
            enable_thinking=False,
        )
        return text

    def _encode(self, text: str) -> list[int]:
        # A fast tokenizer refuses a second thread while it resets its padding, as its first use does.
        with self._encoding:
            encoded = [
                self.tokenizer.encode(piece, add_special_tokens=False, verbose=False) for piece in text.split(CUT)
            ]
        return [token for piece in encoded for token in piece]

    def _decode(self, token_ids: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(token_ids), clean_up_tokenization_spaces=False))

    def _probe(self) -> None:
        """Refuse a template that offers no tools, or whose calls ``parse`` would not read; and a loose tokenizer.

        Raises:
            InputError: it does.
        """
        blocks = [{"type": "text", "text": "words"}, tool_use("use_1", "probe", {"key": ["value"]})]
        if self.parse(self.said(blocks)).blocks != blocks:
            raise InputError(
                "the chat template does not write calls as <tool_call>{...}</tool_call>",
                hint="set tokenizer.chat_template to one that does, such as TRL's qwen2_5.jinja",
            )
        told = (self.observations([result]) for result in ("", self._specials.spelled))
        if len({self._specials.count(tokens) for tokens in told}) > 1:
            raise InputError(
                "the tokenizer makes special tokens of parts of their names: words could not be told from turns",
                hint="give its special tokens names such as <|im_end|>",
            )


def _steady_template(tokenizer: Any) -> str:
    """The tokenizer's template, or TRL's variant of it, so that it never changes what was said before."""
    template: str = tokenizer.chat_template
    begun = [_SYSTEM, _USER, _assistant([tool_use("use_1", "t", {})])]
    shown = [*begun, {"role": "tool", "content": "r"}]
    texts = [
        tokenizer.apply_chat_template(messages, tokenize=False, enable_thinking=False) for messages in (begun, shown)
    ]
    if texts[1].startswith(texts[0]):
        return template
    # Imported only where it is needed: it takes seconds.
    from trl.chat_template_utils import get_training_chat_template

    try:
        steady: str | None = get_training_chat_template(tokenizer)
    except ValueError as error:
        raise InputError(f"the chat template changes what was said before when more is said: {error}") from error
    return steady or template


def _after(begun: str, whole: str) -> str:
    if not whole.startswith(begun):
        raise InputError("the chat template changes what was said before when more is said")
    return whole[len(begun) :]


def _function(tool: dict[str, Any]) -> dict[str, Any]:
    described = {"name": tool["name"], "description": tool["description"], "parameters": tool["input_schema"]}
    return {"type": "function", "function": described}


def _written(message: Spoken, order: dict[str, list[str]], max_observation: int | None) -> dict[str, Any]:
    """A recorded message as chat templates take it."""
    if message.role == "assistant":
        return _assistant([_in_order(block, order) for block in message.content])
    if message.role == "tool":
        return {"role": "tool", "content": shortened(message.content["content"], max_observation)}
    return {"role": message.role, "content": message.content}


def _in_order(block: dict[str, Any], order: dict[str, list[str]]) -> dict[str, Any]:
    if block["type"] != "tool_use":
        return block
    given = block["input"]
    known = {name: given[name] for name in order.get(block["name"], ()) if name in given}
    return {**block, "input": {**known, **{name: value for name, value in given.items() if name not in known}}}


def _assistant(blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    words = "\n".join(block["text"].strip() for block in blocks if block["type"] == "text")
    calls = [
        {"type": "function", "function": {"name": block["name"], "arguments": block["input"]}}
        for block in blocks
        if block["type"] == "tool_use"
    ]
    message: dict[str, Any] = {"role": "assistant", "content": words.strip()}
    return {**message, "tool_calls": calls} if calls else message
