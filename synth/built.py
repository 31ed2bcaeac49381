"""A built service: files that make up its folder, and the service that they are."""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import shutil
import sys
import tempfile
import types
from collections.abc import Mapping
from functools import cache
from multiprocessing import util
from pathlib import Path

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


def load_service(files: Mapping[str, str]) -> Service:
    """The service of these files. They are put into a folder that lasts as long as this process, and imported.

    Of one service only the build that was loaded last is of use in a process: their tables have the same names.

    Args:
        files: ``{path: text}`` with ``__init__.py``, ``state.py``, ``tools.py``, ``tools.json``, ``seed.py``.

    Raises:
        GeneratedCodeInvalid: they do not make up a service.
    """
    digest = files_digest(files)
    if digest in _loaded:
        return _loaded[digest]
    place = _folder() / f"b{digest}"
    for path, text in files.items():
        check_path(path)
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    _forget_earlier(_name(files))
    service = _import(f"{_PACKAGE}.b{digest}", place)
    _loaded[digest] = service
    return service


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="compoworld-built-"))
    # Not ``atexit``: the workers of a pool do not run it.
    util.Finalize(None, shutil.rmtree, args=(folder,), kwargs={"ignore_errors": True}, exitpriority=0)
    return folder


def _name(files: Mapping[str, str]) -> str | None:
    """The name that the service gives itself."""
    try:
        nodes = ast.walk(ast.parse(files.get("__init__.py", "")))
    except (SyntaxError, ValueError):
        return None
    calls = (node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Service")
    given = (word.value for call in calls for word in call.keywords if word.arg == "name")
    return next((item.value for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str)), None)


def _forget_earlier(name: str | None) -> None:
    """Give up the tables of builds that are loaded of the same service."""
    for digest, service in list(_loaded.items()):
        if service.name == name:
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
