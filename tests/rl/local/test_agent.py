"""The agent with local weights: what it says becomes calls, what is wrong comes back to it, its tokens are kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError
from engine.world import World
from rl import Limits, Message, RolloutReport, Trajectory, make_agent, run_group, trajectory_of
from rl.agents import ReferenceAgent
from rl.agents.transformers import TransformersAgent
from rl.errors import ModelUnavailable
from rl.groups import resume
from rl.local.engine import Generator, Sampled
from rl.local.format import ChatFormat
from tasks.store import StoredTask
from tests.rl.local.models import model, tokenizer

FORMAT = ChatFormat(tokenizer())
LOOK = '<tool_call>\n{"name": "list_services", "arguments": {}}\n</tool_call>'
FIND = (
    '<tool_call>\n{"name": "call_tool", "arguments": {"service": "notes", "tool": "find_notes", '
    '"arguments": {"text": "femke"}}}\n</tool_call>'
)


class Script:
    """In the place of a model: says these texts, one each turn; ``...`` at the end of one cuts it off."""

    def __init__(self, *texts: str, context: int = 50_000) -> None:
        self.format = FORMAT
        self.context = context
        self.max_new_tokens, self.temperature, self.top_p, self.batch = 400, 1.0, 1.0, 8
        self.asked: list[list[int]] = []
        self._texts = iter(texts)

    def generate(
        self,
        token_ids: Sequence[int],
        seed: int,
        *,
        longest: int | None = None,
        check: Callable[[], None],
        begun: Callable[[], None],
    ) -> Sampled:
        self.wait()
        begun()
        check()
        self.asked.append(list(token_ids))
        said = next(self._texts)
        if said == "FAIL":
            raise ModelUnavailable("the model failed: OutOfMemoryError: no memory")
        ids = FORMAT.tokenizer.encode(said.removesuffix("..."), add_special_tokens=False)
        ids += [] if said.endswith("...") else [FORMAT.end]
        return Sampled(ids[:longest], [-0.5] * len(ids[:longest]), cached=max(len(token_ids) - 10, 0))

    def wait(self) -> None:
        """For a place in the batch."""

    def agent(self, **options: Any) -> TransformersAgent:
        return TransformersAgent.around(self, policy="scripted", version=3, **options)  # type: ignore[arg-type]


def play(
    world: World, toy: StoredTask, script: Script, limits: Limits | None = None, **options: Any
) -> tuple[RolloutReport, Trajectory | None, list[Message]]:
    report = run_group(world, toy, script.agent(**options), size=1, limits=limits)
    assert report.finished and report.model == "scripted@3"
    rollout = report.rollouts[0]
    assert rollout.stop_reason != "crashed", rollout.error
    with world.database.transaction() as connection:
        rows = connection.execute(
            text("SELECT role, content FROM compoworld.message WHERE rollout_id = :r ORDER BY ordinal"),
            {"r": rollout.id},
        ).all()
        return rollout, trajectory_of(connection, rollout.id), [Message(*row) for row in rows]


def notes(messages: list[Message]) -> list[str]:
    """What the agent was told in the role of the user after the instruction."""
    return [message.content for message in messages[2:] if message.role == "user"]


def test_a_conversation(world: World, toy: StoredTask) -> None:
    script = Script(LOOK, f"I look for it.\n{FIND}\n{LOOK}", "Two parcels.")
    rollout, kept, messages = play(world, toy, script)
    assert (rollout.status, rollout.stop_reason, rollout.answer) == ("finished", "answered", "Two parcels.")
    assert (rollout.steps, rollout.calls) == (3, 1)
    assert [message.role for message in messages] == [
        *("system", "user", "assistant", "tool", "assistant", "tool", "tool", "assistant")
    ]
    assert kept is not None and (kept.policy, kept.policy_version, kept.malformed) == ("scripted", 3, 0)
    assert kept.format == FORMAT.digest
    written = [words for words, agent in FORMAT.runs(kept) if agent]
    assert written == [f"{LOOK}<|im_end|>", f"I look for it.\n{FIND}\n{LOOK}<|im_end|>", "Two parcels.<|im_end|>"]
    assert kept.logprobs == [-0.5 if agent else 0.0 for agent in kept.is_agent]
    # The model saw exactly what is kept, and the record renders to the same tokens.
    assert all(kept.token_ids[: len(asked)] == asked for asked in script.asked)
    assert len(script.asked[0]) == kept.prompt_tokens
    rendered = FORMAT.render(messages)
    assert (rendered.token_ids, rendered.is_agent) == (kept.token_ids, kept.is_agent)
    assert rollout.output_tokens == kept.agent_tokens
    assert rollout.input_tokens == sum(len(asked) for asked in script.asked)


def test_the_view_counts(world: World, toy: StoredTask) -> None:
    rollout, kept, _ = play(world, toy, Script(LOOK, "Done."))
    assert kept is not None
    with world.database.transaction() as connection:
        row = connection.execute(
            text("SELECT * FROM compoworld.trajectories WHERE rollout = :r"), {"r": rollout.id}
        ).one()
    assert (row.policy, row.policy_version, row.tokens, row.agent_tokens, row.prompt_tokens) == (
        *("scripted", 3, len(kept.token_ids), kept.agent_tokens, kept.prompt_tokens),
    )
    assert row.has_logprobs and row.malformed == 0 and row.stop_reason == "answered"


def test_malformed_calls_come_back_and_are_counted(world: World, toy: StoredTask) -> None:
    script = Script(
        f"{FIND}<tool_call>{{oops}}</tool_call>{LOOK}",
        '<tool_call>{"name": "call_tool", "arguments": []}</tool_call>',
        LOOK,
        '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>',
        "Done.",
    )
    rollout, kept, messages = play(world, toy, script)
    assert (rollout.stop_reason, rollout.answer, rollout.calls) == ("answered", "Done.", 1)
    assert kept is not None and kept.malformed == 3
    first, second = notes(messages)
    assert first.startswith("This call was not made, nor what follows it: its JSON cannot be read: Expecting property")
    assert '<tool_call>\n{"name": "list_tools"' in first
    assert '"arguments" are not a JSON object' in second
    refused = json.loads([message.content["content"] for message in messages if message.role == "tool"][-1])
    assert refused["error"]["code"] == "unknown_tool" and "list_services" in refused["error"]["message"]
    assert [block["type"] for block in messages[2].content] == ["tool_use", "text"]
    assert FORMAT.tokenizer.decode(script.asked[1]).endswith(
        f"</tool_response><|im_end|>\n<|im_start|>user\n{first}<|im_end|>\n<|im_start|>assistant\n"
    )


def test_malformed_again_and_again(world: World, toy: StoredTask) -> None:
    rollout, kept, _ = play(world, toy, Script(*["<tool_call>oops</tool_call>"] * 5))
    assert (rollout.status, rollout.stop_reason) == ("finished", "malformed")
    assert kept is not None and kept.malformed == 3 and rollout.checks


def test_a_turn_that_is_cut_off(world: World, toy: StoredTask) -> None:
    rollout, kept, messages = play(world, toy, Script(f'{FIND}<tool_call>{{"na...', "Let me...", LOOK, "Done."))
    assert (rollout.stop_reason, rollout.calls) == ("answered", 1)
    assert kept is not None and kept.malformed == 2
    assert [note.partition(".")[0] for note in notes(messages)] == ["Your message was cut off at its length limit"] * 2
    # The end of such a turn is not the agent's.
    assert [words for words, agent in FORMAT.runs(kept) if agent][1] == "Let me"
    rollout, _, _ = play(world, toy, Script(*["Let me..."] * 5))
    assert (rollout.stop_reason, rollout.answer) == ("cut_off", "Let me")


def test_the_context_fills(world: World, toy: StoredTask) -> None:
    rollout, kept, _ = play(world, toy, Script(LOOK, LOOK, LOOK, LOOK, context=1700))
    assert (rollout.status, rollout.stop_reason) == ("finished", "context_full")
    assert kept is not None and len(kept.token_ids) < 1700
    rollout, kept, _ = play(world, toy, Script(context=100))
    assert (rollout.stop_reason, kept) == ("context_full", None)
    rollout, _, _ = play(world, toy, Script(LOOK), max_context=300)
    assert rollout.stop_reason == "context_full"


def test_observations_are_cut(world: World, toy: StoredTask) -> None:
    _, _, messages = play(world, toy, Script(LOOK, "Done."), max_observation=40)
    assert "[Cut here: 40 of " in messages[3].content["content"]


@pytest.mark.parametrize("limits", [Limits(steps=1), Limits(tokens=1)])
def test_a_limit_leaves_what_was_written(world: World, toy: StoredTask, limits: Limits) -> None:
    rollout, kept, messages = play(world, toy, Script(LOOK, FIND, "Done."), limits)
    assert rollout.stop_reason in {"steps", "tokens"}
    assert kept is not None and FORMAT.render(messages).token_ids == kept.token_ids


def test_a_model_that_fails_is_not_the_agents_failure(world: World, toy: StoredTask) -> None:
    rollout, kept, _ = play(world, toy, Script(LOOK, *["FAIL"] * 5))
    assert (rollout.status, rollout.stop_reason, rollout.attempts) == ("failed", "infrastructure", 3)
    assert kept is None and "OutOfMemoryError" in (rollout.error or "") and rollout.reward is None


def test_a_model_that_writes_nothing_in_time(world: World, toy: StoredTask, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(script: Script, *_: Any, check: Callable[[], None], begun: Callable[[], None], **__: Any) -> Sampled:
        begun()
        time.sleep(0.4)
        check()
        raise AssertionError("time is up")

    monkeypatch.setattr(Script, "generate", slow)
    rollout, kept, _ = play(world, toy, Script(), Limits(seconds=0.3))
    assert (rollout.status, rollout.stop_reason, kept) == ("failed", "infrastructure", None)
    assert "the model wrote nothing within 0.3 s" in (rollout.error or "")


def test_waiting_for_a_place_in_the_batch_is_not_the_agents_time(
    world: World, toy: StoredTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, waited = time.perf_counter(), 0.0

    class Queued(Script):
        def wait(self) -> None:
            nonlocal waited
            waited += 100.0

    # Only the rollout's own clock: who watches over it from outside has the real one.
    monkeypatch.setattr("rl.episode.time", SimpleNamespace(perf_counter=lambda: begun + waited))
    rollout, _, _ = play(world, toy, Queued(LOOK, LOOK, "Done."), Limits(seconds=50))
    assert (rollout.stop_reason, waited) == ("answered", 300.0)

    def late(script: Script, *_: Any, check: Callable[[], None], begun: Callable[[], None], **__: Any) -> Sampled:
        begun()
        script.wait()
        check()
        raise AssertionError("time is up")

    monkeypatch.setattr(Queued, "generate", late)
    rollout, _, _ = play(world, toy, Queued(LOOK), Limits(seconds=50))
    assert rollout.stop_reason == "infrastructure" and "nothing within 50 s" in (rollout.error or "")


def test_a_rollout_that_is_begun_again_has_no_tokens_of_before(world: World, toy: StoredTask) -> None:
    rollout, kept, _ = play(world, toy, Script("Done."))
    assert kept is not None
    with world.database.transaction() as connection:
        group = connection.execute(
            text("UPDATE compoworld.rollout SET status = 'pending' WHERE id = :r RETURNING group_id"),
            {"r": rollout.id},
        ).scalar_one()
    again = ReferenceAgent()
    again.name = "transformers"
    resume(world, group, agent=again)
    with world.database.transaction() as connection:
        assert trajectory_of(connection, rollout.id) is None


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Weights on disk."""
    model().save_pretrained(tmp_path / "tiny")
    tokenizer().save_pretrained(tmp_path / "tiny")
    yield tmp_path / "tiny"


def test_a_group_with_weights_from_a_folder(world: World, toy: StoredTask, folder: Path) -> None:
    agent = make_agent("transformers", weights=str(folder), max_new_tokens=10, batch=2)
    assert agent.model == "tiny"
    reports = [
        run_group(world, toy, made, size=3, seed=5) for made in (agent, make_agent(agent.name, **agent.options()))
    ]
    with world.database.transaction() as connection:
        kept = [[trajectory_of(connection, item.id) for item in report.rollouts] for report in reports]
    assert all(item is not None and item.logprobs and item.policy == "tiny" for group in kept for item in group)
    first, again = [[item.token_ids for item in group if item is not None] for group in kept]
    assert first == again, "the same weights, task and seed"
    assert len({tuple(tokens) for tokens in first}) == 3, "each rollout has lots of its own"


def test_weights_that_cannot_be_loaded_are_not_the_agents_failure(
    world: World, toy: StoredTask, tmp_path: Path
) -> None:
    (tmp_path / "model.safetensors").write_text("not weights")
    agent = make_agent("transformers", weights=str(tmp_path))
    for problem in (f"the weights in {tmp_path} cannot be read", "no longer those that were meant"):
        (rollout,) = run_group(world, toy, agent, size=1).rollouts
        assert (rollout.status, rollout.attempts) == ("failed", 1)
        assert problem in (rollout.error or "")
        # Others come to lie there before they are loaded.
        (tmp_path / "model.safetensors").write_text("other ones")


def test_wrong_options_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no weights at /nowhere"):
        make_agent("transformers", weights="/nowhere")
    for option, value, said in (
        ("heat", 3, r"no option 'heat'; it has weights, .*, temperature, top_p, .*, dtype$"),
        ("temprature", 0, r"no option 'temprature'; it has .* \(did you mean temperature\?\)"),
        ("temperature", "warm", "temperature is a number from 0 to 100, not 'warm'"),
        ("temperature", None, "temperature is a number from 0 to 100, not None"),
        ("top_p", 0, "top_p is a number above 0 and up to 1, not 0"),
        ("batch", 0.5, "batch is a whole number from 1, not 0.5"),
        ("max_new_tokens", True, "max_new_tokens is a whole number from 1, not True"),
        ("max_observation", 0, "max_observation is a whole number above 0, not 0"),
        ("max_context", "all", "max_context is a whole number above 0, not 'all'"),
        ("dtype", 16, "dtype is one of auto, float32, bfloat16, not 16"),
        ("version", "first", "version is a whole number above 0, not 'first'"),
        ("policy", 7, "policy is a text, not 7"),
        ("digest", 7, "digest is a text, not 7"),
    ):
        with pytest.raises(InputError, match=f"agent transformers.*{said}"):
            make_agent("transformers", **{"weights": str(tmp_path), option: value})
    with pytest.raises(InputError, match="weights is a text, not 5"):
        make_agent("transformers", weights=5)
    with pytest.raises(InputError, match="a trainer had in memory are gone"):
        make_agent("transformers", **Script().agent().options())


def test_around_a_generator_in_memory() -> None:
    generator = Generator(model(), tokenizer(), temperature=0.5, batch=3)
    agent = TransformersAgent.around(generator, policy="p", version=7)
    assert agent.generator is generator and agent.model == "p@7"
    assert agent.options()["temperature"] == 0.5 and agent.options()["batch"] == 3
