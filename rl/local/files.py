"""What lies in a folder of weights: the files, what an adapter is laid over, a digest of all of it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.kit.values import canonical_json

ADAPTER = "adapter_config.json"
_BASE = "base_model_name_or_path"
_CHUNK = 1 << 20
_ENDINGS = (".safetensors", ".bin", ".gguf")


def weight_files(folder: Path) -> list[Path]:
    """The files of weights in a folder, by name."""
    return sorted(path for path in folder.glob("*") if path.suffix in _ENDINGS)


def base_of(folder: Path) -> str:
    """What the adapter in a folder is laid over.

    Raises:
        OSError, ValueError, KeyError: there is none, or it does not say so.
    """
    return str(_adapter(folder)[_BASE])


def _adapter(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / ADAPTER).read_text(encoding="utf-8")))


def adapter_base(folder: Path) -> str | None:
    """What the weights of a folder are laid over; ``None`` where they are whole, or gone."""
    try:
        return base_of(folder)
    except (OSError, ValueError, KeyError):
        return None


def digest_of(folder: Path) -> str:
    """SHA-256 over the names and contents of the files of weights in a folder.

    Of an adapter, over its base, too, and over what says how it is laid over that: the same matrices with another
    ``lora_alpha`` are other weights.

    Raises:
        InputError: there are none.
    """
    found = weight_files(folder)
    if not found:
        raise InputError(f"there are no weights in {str(folder)!r}", hint="such as model.safetensors")
    # Asked for by everybody who loads them, and read once.
    own = _digest(tuple((path, path.stat().st_size, path.stat().st_mtime_ns) for path in found))
    base = adapter_base(folder)
    if base is None:
        return own
    below = digest_of(Path(base)) if Path(base).is_dir() else base
    # Where the base lies is no matter.
    laid = {name: value for name, value in _adapter(folder).items() if name != _BASE}
    return hashlib.sha256(f"{own}/{below}/{canonical_json(laid)}".encode()).hexdigest()


def see_digest(weights: str | Path, digest: str | None) -> None:
    """See that weights are those that were meant.

    Args:
        digest: of those; ``None`` where any will do.

    Raises:
        InputError: others lie there now, or none.
    """
    if digest is not None and digest_of(Path(weights)) != digest:
        raise InputError(
            f"the weights in {str(weights)!r} are no longer those that were meant: their SHA-256 is not {digest[:12]}…",
            hint="put those back, or name the new ones as what they are",
        )


@lru_cache(maxsize=64)
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for path, _, _ in files:
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()
