"""A built service: files that make up its folder, and the service that they are."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import types
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_cache_path

from engine.kit import Service
from synth.errors import GeneratedCodeInvalid

_PACKAGE = "compoworld_built"


def files_digest(files: Mapping[str, str]) -> str:
    """Digest of a built service's files."""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:16]


def load_service(files: Mapping[str, str], folder: Path | None = None) -> Service:
    """The service of these files. They are put into a folder of their own, named by their digest, and imported.

    Args:
        files: ``{path: text}`` with ``__init__.py``, ``state.py``, ``tools.py``, ``tools.json``, ``seed.py``.
        folder: where built services lie; the user's cache where it is not given.

    Raises:
        GeneratedCodeInvalid: they do not make up a service.
    """
    digest = files_digest(files)
    name = f"{_PACKAGE}.b{digest}"
    module = sys.modules.get(name)
    if module is None:
        module = _imported(files, name, (folder or user_cache_path("compoworld") / "built") / f"b{digest}")
    service = getattr(module, "service", None)
    if not isinstance(service, Service):
        raise GeneratedCodeInvalid(f"build {digest} does not define `service`")
    return service


def _imported(files: Mapping[str, str], name: str, folder: Path) -> types.ModuleType:
    for path, text in files.items():
        target = folder / path
        if not target.resolve().is_relative_to(folder.resolve()):
            raise GeneratedCodeInvalid(f"the file {path!r} lies outside the service's folder")
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f".{target.name}.part")
            part.write_text(text, encoding="utf-8")
            part.replace(target)
    package = sys.modules.get(_PACKAGE)
    if package is None:
        package = types.ModuleType(_PACKAGE)
        package.__path__ = []
        sys.modules[_PACKAGE] = package
    if str(folder.parent) not in package.__path__:
        package.__path__.append(str(folder.parent))
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except Exception as error:
        for key in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[key]
        raise GeneratedCodeInvalid(f"the built service cannot be imported: {type(error).__name__}: {error}") from error
