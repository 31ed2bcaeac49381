"""Generation in batches, with memory between turns: the same as transformers gives for each sequence alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from engine.errors import InputError
from rl.errors import ModelUnavailable
from rl.local.engine import Generator, Sampled
from rl.local.sampling import sample
from tests.rl.local.models import model, tokenizer


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def prompts(count: int) -> list[list[int]]:
    """Of different lengths, with a beginning in common."""
    made = tokenizer()
    return [made.encode("the rain in Delft " * 4 + f"{number} " * (3 * number + 1)) for number in range(count)]


def greedy(net: Any, prompt: Sequence[int], longest: int) -> list[int]:
    """What transformers generates."""
    out = net.generate(torch.tensor([list(prompt)]), max_new_tokens=longest, do_sample=False)
    return [int(token) for token in out[0, len(prompt) :]]


def together(generator: Generator, asked: Sequence[Sequence[int]], seeds: Sequence[int]) -> list[Sampled]:
    with ThreadPoolExecutor(len(asked)) as pool:
        return list(pool.map(generator.generate, asked, seeds))


@pytest.mark.parametrize("kind", ["llama", "qwen2", "qwen3"])
def test_a_batch_gives_what_each_gives_alone(kind: str) -> None:
    net = model(kind)
    generator = Generator(net, tokenizer(), batch=3, max_new_tokens=24, temperature=0)
    asked = prompts(6)
    expected = [greedy(net, prompt, 24) for prompt in asked]
    assert [sampled.ids for sampled in together(generator, asked, range(6))] == expected
    assert generator.passes < 6 * 24, "they were not worked on together"
    assert [generator.generate(prompt, 0).ids for prompt in asked] == expected


def test_the_model_is_left_as_it_was() -> None:
    net = model().train()
    before = net.config._attn_implementation
    Generator(net, tokenizer(), max_new_tokens=2).generate([5, 6], 0)
    assert net.training and net.config._attn_implementation == before


def test_log_probabilities_are_those_that_a_trainer_computes() -> None:
    net = model()
    generator = Generator(net, tokenizer(), max_new_tokens=20, temperature=0.7)
    for prompt, sampled in zip(prompts(3), together(generator, prompts(3), [1, 2, 3]), strict=True):
        with torch.no_grad():
            logits = net(torch.tensor([prompt + sampled.ids])).logits[0, len(prompt) - 1 : -1] / 0.7
        expected = torch.log_softmax(logits, -1).gather(-1, torch.tensor(sampled.ids)[:, None])[:, 0]
        assert torch.allclose(torch.tensor(sampled.logprobs), expected, atol=1e-4)


def test_seeds_decide() -> None:
    generator = Generator(model(), tokenizer(), max_new_tokens=12)
    prompt = prompts(1)[0]
    first = [sampled.ids for sampled in together(generator, [prompt] * 4, [1, 2, 3, 4])]
    assert len({tuple(ids) for ids in first}) == 4
    assert [generator.generate(prompt, seed).ids for seed in (4, 3, 2, 1)] == first[::-1]


def test_turns_go_on_from_memory() -> None:
    net = model()
    generator = Generator(net, tokenizer(), max_new_tokens=8, temperature=0)
    prompt = prompts(3)[2]
    said = generator.generate(prompt, 0).ids
    before = generator.computed
    more = [*prompt, *said, 7, 8, 9]
    assert generator.generate(more, 0).ids == greedy(net, more, 8)
    assert generator.computed - before == 3 + 8, "the beginning was computed again"
    # Another turn from the same beginning.
    before = generator.computed
    other = [*prompt, 11, 12]
    assert generator.generate(other, 0).ids == greedy(net, other, 8)
    assert generator.computed - before <= 2 + 8


def test_a_common_prompt_is_computed_once() -> None:
    generator = Generator(model(), tokenizer(), max_new_tokens=4)
    together(generator, [prompts(1)[0]] * 8, range(8))
    assert generator.computed <= len(prompts(1)[0]) + 8 * 4 + 8


def test_changed_weights_are_noticed() -> None:
    net = model()
    generator = Generator(net, tokenizer(), max_new_tokens=8, temperature=0)
    prompt = prompts(1)[0]
    generator.generate(prompt, 0)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.mul_(1.5)
    assert generator.generate(prompt, 0).ids == greedy(net, prompt, 8)


def test_memory_is_bounded_and_freed() -> None:
    generator = Generator(model(), tokenizer(), max_new_tokens=4, memory=400_000)
    for number in range(6):
        generator.generate([number + 3] * 200, 0)
        assert sum(memory.bytes() for memory in generator._kept) <= 400_000
    assert generator._kept
    generator.forget()
    assert not generator._kept


def test_the_context_ends_a_turn() -> None:
    generator = Generator(model(positions=64), tokenizer(), temperature=0)
    assert len(generator.generate([5] * 60, 0).ids) <= 4
    with pytest.raises(InputError, match="64 tokens are no beginning where the context has 64"):
        generator.generate([5] * 64, 0)


def test_a_check_ends_one_turn_and_no_other() -> None:
    generator = Generator(model(), tokenizer(), max_new_tokens=30, temperature=0)
    asked = prompts(2)
    expected = generator.generate(asked[0], 0).ids
    calls: list[int] = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise TimeoutError("enough")

    with ThreadPoolExecutor(2) as pool:
        good = pool.submit(generator.generate, asked[0], 0)
        bad = pool.submit(generator.generate, asked[1], 0, check=check)
        assert good.result().ids == expected
        with pytest.raises(TimeoutError, match="enough"):
            bad.result()


def test_who_waits_for_a_place_is_told_when_it_has_one() -> None:
    generator = Generator(model(), tokenizer(), batch=1, max_new_tokens=6, temperature=0)
    at_work, told = threading.Event(), list[str]()

    def first_checks() -> None:
        at_work.set()
        # Its turn goes on only when the second one waits.
        while not generator._waiting and "second" not in told:
            threading.Event().wait(0.001)
        told.append("first works")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(
            generator.generate, prompts(1)[0], 0, check=first_checks, begun=lambda: told.append("first")
        )
        assert at_work.wait(10)
        second = pool.submit(generator.generate, prompts(2)[1], 0, begun=lambda: told.append("second"))
        assert first.result().ids and second.result().ids
    assert told == ["first", *["first works"] * len(first.result().ids), "second"]


def test_who_queues_for_a_model_that_hangs_is_not_left_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a queue is excused: nobody else would end it."""
    monkeypatch.setattr("rl.local.engine.STALLED_SECONDS", 0.3)
    generator = Generator(model(), tokenizer(), batch=1, max_new_tokens=3)
    hangs, goes_on = threading.Event(), threading.Event()

    def check() -> None:
        if not goes_on.is_set():
            hangs.set()
            assert goes_on.wait(20)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(generator.generate, prompts(1)[0], 0, check=check)
        assert hangs.wait(20)
        second = pool.submit(generator.generate, prompts(2)[1], 0)
        with pytest.raises(ModelUnavailable, match=r"the model has not moved for 0\.3 s") as failed:
            second.result(20)
        assert not failed.value.again
        goes_on.set()
        assert len(first.result(20).ids) <= 3
    assert generator.generate(prompts(2)[1], 0).ids


def test_a_failing_model_fails_all_who_wait_and_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    net = model()
    generator = Generator(net, tokenizer(), max_new_tokens=8, temperature=0)
    prompt = prompts(1)[0]
    expected = generator.generate(prompt, 0).ids
    all_there = threading.Barrier(3)

    def broken(*_: Any, **__: Any) -> Any:
        raise torch.OutOfMemoryError("no memory\nlong story")

    with monkeypatch.context() as patch:
        patch.setattr(net, "forward", broken)

        def ask(seed: int) -> str:
            all_there.wait()
            with pytest.raises(ModelUnavailable) as caught:
                generator.generate(prompt, seed)
            return str(caught.value)

        with ThreadPoolExecutor(3) as pool:
            assert set(pool.map(ask, range(3))) == {"the model failed: OutOfMemoryError: no memory"}
    assert generator.generate(prompt, 0).ids == expected


def test_chances_are_as_they_should_be() -> None:
    from random import Random

    logits = torch.log(torch.tensor([[0.5, 0.3, 0.15, 0.05, 0.0]])).repeat(4000, 1)
    lots = [Random(number) for number in range(4000)]
    tokens, logprobs = sample(logits, lots, 1.0, 1.0)
    shares = torch.bincount(torch.tensor(tokens), minlength=5) / 4000
    assert torch.allclose(shares, torch.tensor([0.5, 0.3, 0.15, 0.05, 0.0]), atol=0.03)
    cut, kept = sample(logits, lots, 1.0, 0.7)
    assert set(cut) == {0, 1}
    assert kept[cut.index(1)] == pytest.approx(-1.204, abs=1e-3), "over the whole vocabulary"
    assert logprobs[tokens.index(0)] == pytest.approx(-0.693, abs=1e-3)
    assert set(sample(logits, lots, 0, 1.0)[0]) == {0}
    with pytest.raises(ModelUnavailable, match="not numbers"):
        sample(torch.full((1, 4), float("nan")), lots[:1], 1.0, 1.0)


def test_models_that_attend_otherwise_are_refused() -> None:
    net = model("qwen2")
    net.config.layer_types = ["full_attention", "sliding_attention"]
    with pytest.raises(InputError, match="models of the kind qwen2 attend in another way"):
        Generator(net, tokenizer())


@pytest.mark.parametrize("option", [{"batch": 0}, {"max_new_tokens": True}, {"temperature": -1}, {"top_p": 0}])
def test_wrong_options_are_named(option: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(option))):
        Generator(model(), tokenizer(), **option)
