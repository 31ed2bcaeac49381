"""What makes training fast and small on a CPU gives what torch and TRL give: attention, lengths."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from trl import GRPOTrainer
from trl.trainer import utils

from rl.grpo.lengths import OwnLengths
from rl.training import attention
from rl.training.attention import BLOCK, attend, use_blocks
from rl.training.rounding import MULTIPLE, round_lengths
from tests.rl.local.models import model


@pytest.mark.parametrize("tokens", [2, 100, BLOCK, 2 * BLOCK + 7])
def test_blocks_attend_as_torch_does(tokens: int) -> None:
    torch.manual_seed(0)
    inputs = [torch.randn(2, heads, tokens, 8).bfloat16().requires_grad_() for heads in (6, 2, 2)]
    exact = [item.detach().float().requires_grad_() for item in inputs]
    found, _ = attend(None, *inputs, None, scaling=0.3)
    expected = torch.nn.functional.scaled_dot_product_attention(*exact, is_causal=True, scale=0.3, enable_gqa=True)
    assert torch.allclose(found.float(), expected.transpose(1, 2), atol=0.03)
    found.float().square().sum().backward()
    expected.square().sum().backward()
    for item, other in zip(inputs, exact, strict=True):
        assert torch.cosine_similarity(item.grad.float().flatten(), other.grad.flatten(), dim=0) > 0.999


def test_a_model_attends_in_blocks_unless_it_is_padded(monkeypatch: pytest.MonkeyPatch) -> None:
    masked: list[bool] = []
    plain = attention.sdpa_attention_forward

    def spy(module: Any, query: Any, key: Any, value: Any, mask: Any, **named: Any) -> Any:
        masked.append(mask is not None)
        return plain(module, query, key, value, mask, **named)

    monkeypatch.setattr(attention, "sdpa_attention_forward", spy)
    ids = torch.arange(5, 65).view(2, 30)
    mask = torch.ones_like(ids)
    expected = model()(input_ids=ids, attention_mask=mask).logits
    made = model()
    use_blocks(made)
    with torch.autocast("cpu", torch.bfloat16):
        found = made(input_ids=ids, attention_mask=mask).logits
    assert masked == [] and torch.allclose(found.float(), expected, atol=0.02)
    mask[0, :9] = 0
    with torch.autocast("cpu", torch.bfloat16):
        made(input_ids=ids, attention_mask=mask)
    assert masked == [True, True]  # in each layer


@pytest.mark.parametrize("tokens", [MULTIPLE - 1, MULTIPLE, MULTIPLE + 3])
def test_rounded_lengths_change_nothing(tokens: int) -> None:
    ids = torch.arange(2 * tokens).view(2, tokens) % 400
    lengths: list[int] = []
    found = []
    for rounded in (False, True):
        made = model()
        if rounded:
            round_lengths(made)
        layer = made.get_decoder().layers[0]
        layer.register_forward_pre_hook(lambda _, given: lengths.append(given[0].shape[1]))
        loss = made(input_ids=ids, attention_mask=torch.ones_like(ids), labels=ids, use_cache=False).loss
        loss.backward()
        found.append([loss, *(weight.grad for weight in made.parameters())])
    assert lengths == [tokens, tokens if tokens <= MULTIPLE else 2 * MULTIPLE]
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_what_cannot_be_rounded_is_left() -> None:
    made = model()
    round_lengths(made)
    lengths: list[int] = []
    made.get_decoder().layers[0].register_forward_pre_hook(lambda _, given: lengths.append(given[0].shape[1]))
    ids = torch.full((1, MULTIPLE + 1), 7)
    mask = torch.ones_like(ids)
    mask[0, 0] = 0
    with torch.no_grad():
        made(input_ids=ids, attention_mask=mask, use_cache=False)
        made(input_ids=ids, use_cache=True)
        made(input_ids=ids, position_ids=torch.arange(ids.shape[1])[None], use_cache=False)
    assert lengths == [ids.shape[1]] * 3


def test_rollouts_have_their_own_length() -> None:
    made = model()
    utils.add_fused_lm_head(made, outputs=("log_probs", "entropy"))
    trainer = object.__new__(OwnLengths)
    trainer.accelerator = SimpleNamespace(autocast=nullcontext, is_main_process=True)
    lengths: list[int] = []
    made.register_forward_pre_hook(lambda _, __, named: lengths.append(named["input_ids"].shape[1]), with_kwargs=True)
    torch.manual_seed(0)
    ids = torch.randint(5, 400, (3, 20))
    mask = torch.ones_like(ids)
    mask[0, :4] = mask[0, 15:] = mask[1, :2] = mask[2, 18:] = 0  # prompts of 8 at most, filled on the left
    given = (made, ids, mask, 12)
    expected = GRPOTrainer._get_per_token_logps_and_entropies(trainer, *given, batch_size=1, compute_entropy=True)
    found = trainer._get_per_token_logps_and_entropies(*given, batch_size=1, compute_entropy=True)
    assert lengths == [20, 20, 20, 11, 18, 18]
    trained = mask[:, 8:].bool()
    for one, other in zip(expected[:2], found[:2], strict=True):
        assert one.shape == other.shape and torch.allclose(one[trained], other[trained], atol=1e-5)
    assert found[2] is None
    trainer._get_per_token_logps_and_entropies(*given)
    assert lengths[6:] == [20]
