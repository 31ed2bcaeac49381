"""The copy of the policy that writes in mixed precision."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from rl.grpo.writing import copy_of, refresh
from tests.rl.local.models import model


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")
@pytest.mark.parametrize("kind", ["llama", "qwen2"])
@pytest.mark.parametrize("adapted", [True, False])
def test_a_copy_follows_its_policy(kind: str, adapted: bool) -> None:
    torch.manual_seed(0)
    policy = model(kind)
    if adapted:
        from peft import LoraConfig, get_peft_model

        # Adapters that do something, as after some steps.
        adapters = LoraConfig(r=2, target_modules="all-linear", init_lora_weights=False, task_type="CAUSAL_LM")
        policy = get_peft_model(policy, adapters)
    asked = torch.arange(5, 25)[None]
    copied = copy_of(policy)

    def logits(of: Any) -> Any:
        with torch.no_grad():
            return of.eval()(asked).logits.float()

    for _ in range(2):
        refresh(copied, policy)
        assert copied.dtype == torch.bfloat16
        apart = (logits(copied) - logits(policy)).abs().mean()
        assert apart < 0.03
        before = logits(policy)
        with torch.no_grad():
            for parameter in policy.parameters():
                if parameter.requires_grad:
                    parameter.mul_(1.5)
        assert (logits(policy) - before).abs().mean() > 2 * apart
