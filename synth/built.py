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
from sqlmodel import SQLModel

from engine.errors import ServiceDefinitionError
from engine.kit import Service
from synth.errors import GeneratedCodeInvalid
from synth.sandbox.files import check_path

_PACKAGE = "compoworld_built"

_loaded: dict[str, Service] = {}


def files_digest(files: Mapping[str, str]) -> str:
    """Digest of a built service's files."""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:16]


def load_service(files: Mapping[str, str], folder: Path | None = None) -> Service:
    """The service of these files. They are put into a folder of their own, named by their digest, and imported.

    Of one service only the build that was loaded last is of use in a process: their tables have the same names.

    Args:
        files: ``{path: text}`` with ``__init__.py``, ``state.py``, ``tools.py``, ``tools.json``, ``seed.py``.
        folder: where built services lie; the user's cache where it is not given.

    Raises:
        GeneratedCodeInvalid: they do not make up a service.
    """
    digest = files_digest(files)
    if digest in _loaded:
        return _loaded[digest]
    place = (folder or user_cache_path("compoworld") / "built") / f"b{digest}"
    _write(files, place)
    _forget_earlier(files, place)
    service = _import(f"{_PACKAGE}.b{digest}", place)
    _loaded[digest] = service
    return service


def _write(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        check_path(path)
        target = folder / path
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f"{target.name}.part")
            part.write_text(text, encoding="utf-8")
            part.replace(target)


def _forget_earlier(files: Mapping[str, str], folder: Path) -> None:
    """Give up the tables of builds that are loaded of the same service."""
    for digest, service in list(_loaded.items()):
        if f"name={service.name!r}" in files.get("__init__.py", "").replace('"', "'"):
            for entity in service.entities:
                SQLModel.metadata.remove(entity.table())
            del _loaded[digest]


def _import(name: str, folder: Path) -> Service:
    package = sys.modules.get(_PACKAGE)
    if package is None:
        package = types.ModuleType(_PACKAGE)
        package.__path__ = []
        sys.modules[_PACKAGE] = package
    if str(folder.parent) not in package.__path__:
        package.__path__.append(str(folder.parent))
    importlib.invalidate_caches()
    before = set(SQLModel.metadata.tables)
    try:
        service = importlib.import_module(name).service
        if not isinstance(service, Service):
            raise TypeError("`service` is no Service")
        service.tools  # noqa: B018 - binds functions to the specification, or says why it cannot
        return service
    except Exception as error:
        for key in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[key]
        for table in set(SQLModel.metadata.tables) - before:
            SQLModel.metadata.remove(SQLModel.metadata.tables[table])
        told = error.message if isinstance(error, ServiceDefinitionError) else f"{type(error).__name__}: {error}"
        raise GeneratedCodeInvalid(f"the built service cannot be used: {told}") from error
