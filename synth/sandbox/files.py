"""The files of a generated service: path in its folder to text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from synth.errors import GeneratedCodeInvalid

SPECIFICATION = "tools.json"
"""Written by the trusted side, never by a model."""

MAX_FILES = 200
MAX_FILE = 1_000_000


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write a service's folder.

    Raises:
        GeneratedCodeInvalid: a path leads elsewhere, or it is too much.
    """
    if len(files) > MAX_FILES:
        raise GeneratedCodeInvalid(f"{len(files)} files; a service has at most {MAX_FILES}")
    folder.mkdir(parents=True)
    for path, text in files.items():
        check_path(path)
        if len(text) > MAX_FILE:
            raise GeneratedCodeInvalid(f"{path} has more than {MAX_FILE} characters")
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", errors="backslashreplace")


def check_path(path: str) -> None:
    """See that a path names a file inside of a folder.

    Raises:
        GeneratedCodeInvalid: it does not.
    """
    parts = PurePosixPath(path).parts
    plain = all(part.isascii() and part.replace("_", "").replace(".", "").replace("-", "").isalnum() for part in parts)
    if not parts or not plain or "/".join(parts) != path or any(part.startswith(".") for part in parts):
        raise GeneratedCodeInvalid(f"{path[:100]!r} is no path of a file in the service's folder")
    if not path.endswith((".py", ".json", ".md", ".txt")):
        raise GeneratedCodeInvalid(f"{path[:100]!r}: a service is made of .py, .json, .md and .txt files")
