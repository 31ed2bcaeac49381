"""Runs on a CPU put sequences of few lengths through the layers: multiples of 256 tokens."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from sqlalchemy import text
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

from engine.world import World
from rl.grpo import train_grpo
from rl.grpo.lengths import OwnLengths
from rl.policies import Weights
from rl.sft import SftSettings, train_sft
from rl.training.rounding import MULTIPLE
from rl.training.settings import read
from tasks.store import StoredTask
from tests.rl.training import lucky
from tests.rl.training.runs import grpo_settings, with_luck

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tokens went through a layer, each time."""
    found: list[int] = []
    plain = LlamaDecoderLayer.forward

    def spy(self: Any, hidden_states: Any, *args: Any, **named: Any) -> Any:
        found.append(hidden_states.shape[1])
        return plain(self, hidden_states, *args, **named)

    monkeypatch.setattr(LlamaDecoderLayer, "forward", spy)
    return found


def rounded(tokens: int) -> int:
    return tokens + -tokens % MULTIPLE


def test_sft_rounds(world: World, played: StoredTask, weights: Weights, lengths: list[int]) -> None:
    settings = read(
        SftSettings,
        "sft",
        values=(
            *("batch=1", "epochs=1", "device=cpu", "lora.rank=2"),
            *("select.tasks=[toy]", "select.agents=[noisy]", "select.limit=2"),
        ),
    )
    done = train_sft(world, weights, settings, name="rounded")
    with world.database.transaction() as connection:
        tokens = connection.execute(
            text("SELECT tokens FROM compoworld.training_examples WHERE run = :run"), {"run": done.run.name}
        ).scalars()
        longer = [item for item in tokens if item > MULTIPLE and item % MULTIPLE]
    assert longer and set(lengths) == {rounded(item) for item in longer}


def test_grpo_rounds_and_scores_as_without(
    world: World, toy: StoredTask, weights: Weights, lengths: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rl.grpo.trainer.agent_of", None)  # put back at the end
    monkeypatch.setattr("rl.grpo.sampling.PAUSES", None)
    with_luck()
    monkeypatch.setattr(lucky, "OBSERVED", " ".join([lucky.OBSERVED] * 12))
    plain = OwnLengths._get_per_token_logps_and_entropies
    trained: list[int] = []

    def spy(self: Any, model: Any, ids: Any, mask: Any, *args: Any, **named: Any) -> Any:
        # Each sequence by itself, without the padding of the batch.
        tokens = [int(item.sum()) for item in mask]
        lengths.clear()
        found = plain(self, model, ids, mask, *args, **named)
        assert set(lengths) == {rounded(item) for item in tokens}
        trained.extend(tokens)
        decoder = self.accelerator.unwrap_model(model).get_decoder()
        with monkeypatch.context() as patched, torch.no_grad():
            patched.setattr(decoder, "forward", decoder.forward.__wrapped__)
            lengths.clear()
            exact = plain(self, model, ids, mask, *args, **named)
        assert set(lengths) == set(tokens)
        assert torch.allclose(found[0], exact[0], atol=1e-5)
        return found

    monkeypatch.setattr(OwnLengths, "_get_per_token_logps_and_entropies", spy)
    done = train_grpo(world, weights, grpo_settings("steps=2", "per_device=1"), name="rounded-grpo")
    assert done.run.status == "finished" and min(trained) > MULTIPLE and any(item % MULTIPLE for item in trained)
