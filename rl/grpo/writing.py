"""The policy as it writes: in mixed precision a copy of it in bfloat16, with its adapters merged.

The trainer keeps float32 weights, which mixed precision would turn into bfloat16 again for every single token.
"""

from __future__ import annotations

import copy
from typing import Any

import torch
from peft.tuners.lora import LoraLayer
from transformers import AutoModelForCausalLM, PreTrainedModel


def copy_of(policy: Any) -> Any:
    """A model of the policy's kind in bfloat16, on its device; ``refresh`` gives it the policy's weights."""
    made = AutoModelForCausalLM.from_config(copy.deepcopy(_base(policy).config), dtype=torch.bfloat16)
    return made.to(policy.device).eval().requires_grad_(False)


def refresh(copied: Any, policy: Any) -> None:
    """Give a copy the policy's weights as they are now, and what adapters add to them."""
    base = _base(policy)
    with torch.no_grad():
        for name, parameter in copied.named_parameters():
            place, _, kind = name.rpartition(".")
            owner = base.get_submodule(place)
            if isinstance(owner, LoraLayer):
                value = getattr(owner.get_base_layer(), kind)
                if kind == "weight":
                    value = value + owner.get_delta_weight(policy.active_adapter)
            else:
                value = getattr(owner, kind)
            parameter.copy_(value)


def _base(policy: Any) -> Any:
    return policy if isinstance(policy, PreTrainedModel) else policy.get_base_model()
