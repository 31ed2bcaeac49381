"""Generates for many rollouts at once: whoever waits for tokens is served together, one token each at a time.

One of the waiting threads does the work for all; when its own turn is done, another goes on. What was computed for a
conversation is kept from turn to turn, and what several have in common at the beginning is computed once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import torch
from transformers import AttentionInterface

from engine.errors import CompoWorldError, InputError
from rl.errors import ModelUnavailable
from rl.local.caches import ATTENTION, Memory, RaggedCache, attend, context_of
from rl.local.format import ChatFormat
from rl.local.options import check_options
from rl.local.sampling import sample

CHUNK = 512
"""Tokens of a prompt that go through the model at once."""

STALLED_SECONDS = 600.0
"""How long somebody waits for a place in a batch in which nothing goes on: the model hangs."""


@dataclass(frozen=True)
class Sampled:
    """What the model wrote.

    Attributes:
        ids: the tokens as they were sampled; the last one is the end token, unless the length limit cut it off.
        logprobs: of each, under softmax(logits / temperature) over the whole vocabulary; at temperature 0, of 1.
        cached: tokens of the prompt that were kept from before.
    """

    ids: list[int]
    logprobs: list[float]
    cached: int = 0


@dataclass(eq=False)
class _Request:
    """Tokens that somebody waits for."""

    prompt: list[int]
    lots: Random
    longest: int
    check: Callable[[], None]
    begun: Callable[[], None]
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    memory: Memory | None = None
    cached: int = 0
    done: bool = False
    failure: BaseException | None = None


class Generator:
    """A model that writes. Used by many threads.

    The same weights, prompt and seed give the same tokens, as far as the arithmetic does: sums in matrix products may
    be rounded differently in a batch of another size.

    Weights may change between two uses: it is noticed, and what was computed with the old ones is forgotten.

    Args:
        model: of transformers, with full causal attention (Llama, Qwen 2 and 3 and their like). It is put into
            evaluation mode while it generates, and back.
        tokenizer: its tokenizer.
        batch: how many sequences are worked on together; more wait.
        max_new_tokens: of one turn.
        temperature: 0 takes the likeliest token.
        top_p: only the likeliest tokens that have this probability together; 1 takes all.
        memory: bytes of keys and values that are kept for conversations that are not being worked on.

    Attributes:
        format: the chat format of the tokenizer.
        context: how many tokens a conversation may have.
        computed: tokens that went through the model so far: what the kept memory saves.
        passes: how often the model was called so far: what the batch saves.

    Raises:
        InputError: an option is wrong, or the model attends in another way.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        batch: int = 8,
        max_new_tokens: int = 512,
        temperature: float = 1.0,
        top_p: float = 1.0,
        memory: int = 2 * 2**30,
    ) -> None:
        check_options(batch, max_new_tokens, temperature, top_p)
        self.format = ChatFormat(tokenizer)
        self.batch = batch
        self.max_new_tokens = max_new_tokens
        self.temperature = float(temperature)
        self.top_p = float(top_p)
        self.context = context_of(model.config)
        self.computed = self.passes = 0
        self._model = model
        self._memory = memory
        self._kept: list[Memory] = []
        self._weights = -1
        self._turn = threading.Condition()
        self._waiting: list[_Request] = []
        self._active: list[_Request] = []
        self._driven = False
        AttentionInterface.register(ATTENTION, attend)

    def generate(
        self,
        token_ids: Sequence[int],
        seed: int,
        *,
        longest: int | None = None,
        check: Callable[[], None] = lambda: None,
        begun: Callable[[], None] = lambda: None,
    ) -> Sampled:
        """Go on from these tokens up to an end token, the length limit, or the end of the context.

        Args:
            longest: another length limit for this turn.
            check: called at every token; what it raises ends this turn, and is raised here.
            begun: called once, by some thread, when this turn has its place in the batch; up to then it waited.

        Raises:
            InputError: there is nothing to go on from, or no room.
            ModelUnavailable: the model failed, for want of memory for example.
        """
        room = self.context - len(token_ids)
        if not token_ids or room <= 0:
            raise InputError(f"{len(token_ids)} tokens are no beginning where the context has {self.context}")
        longest = min(longest or self.max_new_tokens, room)
        request = _Request(list(token_ids), Random(seed), longest, check, begun)
        with self._turn:
            self._waiting.append(request)
            while self._driven and not request.done:
                before = self.passes
                if not self._turn.wait(STALLED_SECONDS) and self.passes == before and request in self._waiting:
                    self._waiting.remove(request)
                    raise ModelUnavailable(f"the model has not moved for {STALLED_SECONDS:g} s", again=False)
            drives = not request.done
            self._driven = self._driven or drives
        if drives:
            self._drive(request)
        if request.failure is not None:
            raise request.failure
        return Sampled(request.ids, request.logprobs, request.cached)

    def forget(self) -> None:
        """Free the memory of conversations that nobody is working on."""
        with self._turn:
            while self._driven:
                self._turn.wait()
            self._kept.clear()

    def _drive(self, own: _Request) -> None:
        """Work for all who wait until this one's turn is done."""
        try:
            with self._prepared():
                while not own.done:
                    self._step()
        except BaseException as error:
            # Whatever it is, nobody may be left waiting for it.
            self._fail(error)
            if not isinstance(error, Exception):
                raise
        finally:
            with self._turn:
                self._driven = False
                self._turn.notify_all()

    @contextmanager
    def _prepared(self) -> Iterator[None]:
        """The model in evaluation mode, reading the ragged cache; as it was afterwards."""
        config, training = self._model.config, self._model.training
        attention = config._attn_implementation
        config._attn_implementation = ATTENTION
        self._model.eval()
        try:
            with torch.no_grad():
                yield
        finally:
            config._attn_implementation = attention
            self._model.train(training)

    def _step(self) -> None:
        """Take in who waits, and give one token to each."""
        with self._turn:
            admitted = self._waiting[: self.batch - len(self._active)]
            del self._waiting[: len(admitted)]
            self._active += admitted
        for request in admitted:
            request.begun()
        for request in list(self._active):
            try:
                request.check()
            except Exception as error:
                self._end(request, error)
        for request in self._active:
            if request.memory is None:
                request.memory, request.cached = self._begin(request.prompt)
        if not self._active:
            return
        last = [request.ids[-1] if request.ids else request.prompt[-1] for request in self._active]
        logits = self._pass([[token] for token in last], [_memory(request) for request in self._active])
        chosen = sample(logits, [request.lots for request in self._active], self.temperature, self.top_p)
        for request, token, logprob in zip(list(self._active), *chosen, strict=True):
            request.ids.append(token)
            request.logprobs.append(logprob)
            if token == self.format.end or len(request.ids) >= request.longest:
                self._end(request)

    def _begin(self, prompt: list[int]) -> tuple[Memory, int]:
        """A memory of all of a prompt but its last token, and how much of it was known."""
        weights = sum(parameter._version for parameter in self._model.parameters())
        if weights != self._weights:
            self._kept.clear()
            self._weights = weights
        wanted = prompt[:-1]
        memory = self._remembered(wanted)
        known = len(memory.tokens)
        for begin in range(known, len(wanted), CHUNK):
            self._pass([wanted[begin : begin + CHUNK]], [memory])
        return memory, known

    def _remembered(self, wanted: list[int]) -> Memory:
        """The longest beginning that is known: one that was kept, or a copy of what somebody else goes on with."""
        known = self._kept + [request.memory for request in self._active if request.memory is not None]
        best = max(known, key=lambda memory: memory.common(wanted), default=None)
        if best is None:
            return Memory(self._model.config.num_hidden_layers)
        common = best.common(wanted)
        kept = next((place for place, memory in enumerate(self._kept) if memory is best), None)
        if kept is not None and common == len(best.tokens):
            return self._kept.pop(kept)
        return best.copied(common)

    def _pass(self, tokens: list[list[int]], memories: list[Memory]) -> Any:
        """Put tokens, as many of each sequence, through the model: (batch, vocabulary) logits after the last ones."""
        device = self._model.device
        places = [[len(memory.tokens) + place for place in range(len(tokens[0]))] for memory in memories]
        out = self._model(
            input_ids=torch.tensor(tokens, device=device),
            position_ids=torch.tensor(places, device=device),
            cache=RaggedCache(memories),
            use_cache=True,
            logits_to_keep=1,
        )
        for memory, new in zip(memories, tokens, strict=True):
            memory.tokens += new
        self.computed += sum(len(new) for new in tokens)
        self.passes += 1
        return out.logits[:, -1]

    def _end(self, request: _Request, failure: BaseException | None = None) -> None:
        if request.memory is not None:
            self._kept.append(request.memory)
            while self._kept and sum(memory.bytes() for memory in self._kept) > self._memory:
                self._kept.pop(0)
        with self._turn:
            self._active.remove(request)
            request.failure = failure
            request.done = True
            self._turn.notify_all()

    def _fail(self, error: BaseException) -> None:
        """End all turns for want of a model: they say nothing about who asked."""
        if not isinstance(error, CompoWorldError):
            reason = str(error).strip().partition("\n")[0]
            error = ModelUnavailable(f"the model failed: {type(error).__name__}: {reason}"[:500])
        with self._turn:
            failed = [*self._active, *self._waiting]
            self._active.clear()
            self._waiting.clear()
            self._kept.clear()
            for request in failed:
                request.failure, request.done = error, True


def _memory(request: _Request) -> Memory:
    assert request.memory is not None
    return request.memory
