"""A small tokenizer and tiny models with random weights, made in a moment."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from engine.metatools import MetaTools

_SAMPLE = [str(MetaTools.definitions()), "the rain in Delft stays mainly on the roof", '{"ok": true, "data": []}'] * 3


def template(name: str = "qwen2_5") -> str:
    """A chat template that comes with TRL."""
    return (resources.files("trl") / "chat_templates" / f"{name}.jinja").read_text(encoding="utf-8")


@cache
def _trained() -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=500,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(_SAMPLE, trainer)
    return made


def tokenizer(chat_template: str | None = None) -> Any:
    """Bytes and a few hundred merges, with the special tokens of SmolLM2 and Qwen."""
    from transformers import PreTrainedTokenizerFast

    made = PreTrainedTokenizerFast(
        tokenizer_object=_trained(),
        bos_token="<|im_start|>",
        eos_token="<|im_end|>",
        pad_token="<|im_end|>",
        clean_up_tokenization_spaces=False,
    )
    made.chat_template = chat_template or template()
    return made


def model(kind: str = "llama", positions: int = 4096) -> Any:
    """Two layers of random weights, the same each time."""
    import torch
    import transformers

    named = {"llama": "Llama", "qwen2": "Qwen2", "qwen3": "Qwen3"}[kind]
    config = getattr(transformers, f"{named}Config")(
        vocab_size=len(tokenizer()),
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=6,
        num_key_value_heads=2,
        head_dim=8,
        max_position_embeddings=positions,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(7)
        return getattr(transformers, f"{named}ForCausalLM")(config).eval()
