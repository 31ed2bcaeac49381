"""Logits only where something is trained: the same losses and gradients as with all of them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
import torch
from sqlalchemy import text
from trl.trainer import utils

from engine.world import World
from rl.policies import Weights
from rl.sft import SftSettings, train_sft
from rl.training.scoring import trained_positions_only
from rl.training.settings import read
from tasks.store import StoredTask
from tests.rl.local.models import model


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many positions were projected to the vocabulary, each time."""
    counts: list[int] = []
    whole = utils._ChunkedLogProbFunction

    class Spy:
        @staticmethod
        def apply(hidden: Any, *rest: Any) -> Any:
            counts.append(len(hidden))
            return whole.apply(hidden, *rest)

    monkeypatch.setattr(utils, "_ChunkedLogProbFunction", Spy)
    return counts


def test_losses_and_gradients_are_the_same(scored: list[int]) -> None:
    torch.manual_seed(0)
    ids = torch.randint(0, 400, (2, 30))
    labels = ids.clone()
    labels[:, :20] = labels[1, 25:] = -100

    def loss_and_gradients(within: AbstractContextManager[None]) -> tuple[Any, list[Any]]:
        made = model()
        utils.add_fused_lm_head(made, outputs=("log_probs", "entropy"))
        with within:
            out = made(input_ids=ids, labels=labels, fused_lm_head=True)
            out.loss.backward()
        return out, [parameter.grad for parameter in made.parameters()]

    plain, gradients = loss_and_gradients(nullcontext())
    short, same = loss_and_gradients(trained_positions_only())
    assert scored == [2 * 29, 10 + 5]
    assert torch.allclose(plain.log_probs, short.log_probs, atol=1e-6) and plain.loss.isclose(short.loss)
    assert torch.allclose(plain.entropy, short.entropy, atol=1e-6)
    assert all(torch.allclose(one, other, atol=1e-7) for one, other in zip(gradients, same, strict=True))
    # It is what the model's own loss is.
    own = model()(input_ids=ids, labels=labels).loss
    assert own.isclose(short.loss)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "auto"])
def test_a_run_scores_what_it_trains(
    world: World, played: StoredTask, weights: Weights, scored: list[int], dtype: str
) -> None:
    settings = read(
        SftSettings,
        "sft",
        values=("batch=1", "epochs=1", "device=cpu", f"dtype={dtype}", "select.tasks=[toy]", "select.limit=1"),
    )
    done = train_sft(world, weights, settings, name=f"scored-{dtype}")
    with world.database.transaction() as connection:
        agent_tokens = connection.execute(
            text("SELECT agent_tokens FROM compoworld.training_examples WHERE run = :run"), {"run": done.run.name}
        ).scalar_one()
    assert scored == [agent_tokens]
