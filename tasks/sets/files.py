"""Sets of tasks as files: written with checksums, and read only as they were written.

A folder holds ``tasks.jsonl`` (one task on each line), ``evidence.jsonl`` (what the gate found, in the same order),
``README.md`` (the card), and ``manifest.json``: what the set is, and the SHA-256 of every file and every task.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engine.kit.values import canonical_json
from tasks.document import Task
from tasks.errors import TaskSetError
from tasks.sets.card import markdown
from tasks.sets.document import SPLITS, Member, TaskSet, task_line

FORMAT = 1

MANIFEST, TASKS, EVIDENCE, CARD = "manifest.json", "tasks.jsonl", "evidence.jsonl", "README.md"

PACKAGED = Path(__file__).parent
"""Folders in here hold the sets that come with CompoWorld."""

_UNFINISHED = ".unfinished-"

MAX_BYTES = 1_000_000_000


def write_set(found: TaskSet, folder: Path, *, replace: bool = False) -> dict[str, str]:
    """Write a set as files; equal sets give equal files.

    Files of the same set that are there are replaced: of the same name, seed and settings.

    Args:
        replace: also replace those of another set.

    Returns:
        The SHA-256 of each file but the manifest.

    Raises:
        TaskSetError: the folder holds something else, or cannot be written; nothing was.
    """
    texts = {
        TASKS: "".join(f"{task_line(task)}\n" for task in found.tasks),
        EVIDENCE: "".join(f"{canonical_json(list(member.evidence))}\n" for member in found.members),
        CARD: markdown(found),
    }
    sums = {name: _sum(text.encode()) for name, text in texts.items()}
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "name": found.name,
        "seed": found.seed,
        "settings": dict(found.settings),
        "wanted": found.wanted,
        "drafts": found.drafts,
        "rejected": {stage: dict(reasons) for stage, reasons in found.rejected.items()},
        "checksum": found.checksum,
        "files": sums,
        "tasks": [
            {
                "ordinal": member.ordinal,
                "name": member.task.name,
                "split": member.split,
                "sha256": _sum(f"{task_line(member.task)}\n".encode()),
            }
            for member in found.members
        ],
    }
    texts[MANIFEST] = json.dumps(_sealed(manifest), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    try:
        _see_room(folder, manifest, replace)
        _put(folder, texts)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TaskSetError(f"{str(folder)!r} cannot be written: {reason}") from error
    return sums


def _see_room(folder: Path, manifest: Mapping[str, Any], replace: bool) -> None:
    """See that writing a set into a folder destroys nothing.

    Raises:
        TaskSetError: it would.
    """
    if not folder.exists() or not any(not item.name.startswith(_UNFINISHED) for item in folder.iterdir()):
        return
    if not (folder / MANIFEST).is_file():
        raise TaskSetError(f"{str(folder)!r} holds something else than a set of tasks", hint="name a new folder")
    if replace:
        return
    instead = "name a new folder; --force replaces it"
    try:
        there = _manifest(folder)
    except TaskSetError as error:
        raise TaskSetError(error.message, hint=instead) from None
    if any(there.get(key) != manifest[key] for key in ("name", "seed", "settings")):
        raise TaskSetError(f"{str(folder)!r} holds another set of tasks, {there.get('name')!r}", hint=instead)


def _put(folder: Path, texts: Mapping[str, str]) -> None:
    """Write all files, or none: they are written beside their places first."""
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{_UNFINISHED}*"):  # by a program that was killed
        shutil.rmtree(left)
    try:
        with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=folder) as beside:
            for name, text in texts.items():
                (Path(beside) / name).write_text(text, encoding="utf-8", newline="\n")
            for name in texts:  # the manifest last: it says that the others are complete
                os.replace(Path(beside) / name, folder / name)
    except BaseException:
        if new:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def read_set(folder: Path) -> TaskSet:
    """Read a set from its files.

    Raises:
        TaskSetError: a file is missing or was altered, which is named, with the tasks in which it differs.
    """
    manifest = _manifest(folder)
    altered = []
    texts: dict[str, str] = {}
    for name, wanted in manifest["files"].items():
        raw = _bytes(folder / Path(name).name)
        if _sum(raw) != wanted:
            altered.append(f"{name}{_which(raw, manifest) if name == TASKS else ''}")
        texts[name] = raw.decode("utf-8", "replace")
    if altered:
        raise TaskSetError(
            f"{str(folder)!r}: altered since it was written: {'; '.join(altered)}", hint="export it again"
        )
    try:
        tasks = [Task.model_validate_json(line, strict=True) for line in texts[TASKS].split("\n")[:-1]]
        evidence = [json.loads(line) for line in texts[EVIDENCE].split("\n")[:-1]]
        members = tuple(
            Member(entry["ordinal"], task, _split(entry["split"]), None, tuple(found))
            for entry, task, found in zip(manifest["tasks"], tasks, evidence, strict=True)
        )
        made = TaskSet(
            manifest["name"],
            manifest["seed"],
            manifest["settings"],
            manifest["wanted"],
            members,
            manifest["drafts"],
            manifest["rejected"],
        )
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise TaskSetError(f"{str(folder)!r} is no set of tasks that this version reads: {_first(error)}") from error
    if made.checksum != manifest["checksum"]:
        raise TaskSetError(f"{str(folder)!r}: this version reads other tasks than were written", hint="export it again")
    return made


def packaged() -> list[str]:
    """The names of the sets that come with CompoWorld."""
    return sorted(path.parent.name for path in PACKAGED.glob(f"*/{MANIFEST}"))


def packaged_tasks() -> list[str]:
    """The names of the tasks of these sets."""
    return [entry["name"] for name in packaged() for entry in _manifest(PACKAGED / name)["tasks"]]


def packaged_with(task: str) -> TaskSet | None:
    """The set that comes with CompoWorld and has a task of that name, or ``None``.

    Raises:
        TaskSetError: it was altered.
    """
    for name in packaged():
        if any(entry["name"] == task for entry in _manifest(PACKAGED / name)["tasks"]):
            return read_set(PACKAGED / name)
    return None


def packaged_set(name: str) -> TaskSet | None:
    """A set that comes with CompoWorld, or ``None``.

    Raises:
        TaskSetError: it was altered.
    """
    return read_set(PACKAGED / name) if name in packaged() else None


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(_bytes(path))
    except (ValueError, RecursionError) as error:
        raise TaskSetError(f"{str(path)!r} is no JSON: {_first(error)}") from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
        raise TaskSetError(f"{str(path)!r} is no manifest of a set of tasks")
    if manifest.get("format") != FORMAT:
        raise TaskSetError(f"{str(path)!r} has the format {manifest.get('format')!r}; this version reads {FORMAT}")
    if manifest != _sealed(manifest):
        raise TaskSetError(f"{str(path)!r} was altered since it was written", hint="export the set again")
    if set(manifest["files"]) != {TASKS, EVIDENCE, CARD}:
        raise TaskSetError(f"{str(path)!r} names other files than {TASKS}, {EVIDENCE} and {CARD}")
    return manifest


def _sealed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    bare = {key: value for key, value in manifest.items() if key != "seal"}
    return {**bare, "seal": _sum(canonical_json(bare).encode())}


def _which(raw: bytes, manifest: Mapping[str, Any]) -> str:
    """The tasks whose lines are not as they were written."""
    lines = raw.split(b"\n")[:-1]
    names = [
        str(entry["name"])
        for place, entry in enumerate(manifest["tasks"])
        if place >= len(lines) or _sum(lines[place] + b"\n") != entry["sha256"]
    ]
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f" ({shown or 'lines were added'})"


def _split(value: Any) -> Any:
    if value is not None and value not in SPLITS:
        raise ValueError(f"there is no split {value!r}")
    return value


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise TaskSetError(f"there is no file {str(path)!r}", hint="a set is a folder with manifest.json")
        if path.stat().st_size > MAX_BYTES:
            raise TaskSetError(f"{str(path)!r} is too large: at most {MAX_BYTES} bytes are read")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TaskSetError(f"{str(path)!r} cannot be read: {reason}") from error


def _sum(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _first(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
