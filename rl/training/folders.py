"""The folder of a run: whose it is, and what the run wrote into it.

A run goes on from what lies in its folder, and deletes it. So a folder belongs to one run: a file in it holds the mark
of the run, which is drawn by lots and stands in the catalog, too. Names are no help: every database has its own.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import InputError, Refused

OWNER = "run.json"

_WRITTEN = ("policy", "policy.part", "examples.arrow", "examples.part")
_CHECKPOINT = re.compile(r"checkpoint-[0-9]+")
_UNLINKED = f".{OWNER}."
"""What the name of a file begins with that was to become ``run.json``."""


@dataclass(frozen=True)
class _Owner:
    run: str
    mark: str


def see_free(folder: Path, mark: str) -> None:
    """See that a folder is a run's, or can be.

    Raises:
        Refused: it is another run's, or holds what this one would go on from or write over, or whose it is cannot be
            read.
    """
    owner = _owner(folder)
    if owner is not None and owner.mark != mark:
        raise Refused(
            f"the folder {str(folder)!r} belongs to another run, {owner.run!r}, here or in another database",
            hint=f"give another one with --out; if the database with that run is gone, delete {str(folder)!r}",
        )
    found = _written(folder)
    if owner is None and found:
        raise Refused(
            f"in {str(folder)!r} there is {found[0].name!r}, which this run did not write",
            hint="give another folder with --out, or delete what is there",
        )


def claim(folder: Path, run: str, mark: str) -> None:
    """Make a folder that of a run, unless it is.

    Raises:
        InputError: nothing can be written there.
        Refused: as ``see_free``.
    """
    see_free(folder, mark)
    unlinked = folder / f"{_UNLINKED}{secrets.token_hex(4)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            # All of it comes to be at once, and over nobody else's.
            unlinked.write_text(json.dumps({"run": run, "mark": mark}), encoding="utf-8")
            with suppress(FileExistsError):
                os.link(unlinked, folder / OWNER)
        finally:
            unlinked.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"the folder {str(folder)!r} cannot be written: {error.strerror}") from None
    see_free(folder, mark)  # another run may have been faster


def written(folder: Path, mark: str) -> list[Path]:
    """What the run of that mark wrote to a folder; nothing where the folder is not its own.

    What says whose it is comes last: a deletion that was interrupted can be repeated.

    Raises:
        Refused: whose it is cannot be read.
    """
    owner = _owner(folder)
    if owner is None or owner.mark != mark:
        return []
    return [*_written(folder), *sorted(folder.glob(f"{_UNLINKED}*")), folder / OWNER]


def delete(path: Path) -> None:
    """Delete a file or folder that a run wrote, and the run's folder, if nothing else is in it.

    Raises:
        Refused: it cannot be deleted.
    """
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"{str(path)!r} cannot be deleted: {error.strerror}") from None
    with suppress(OSError):  # something else is in it
        path.parent.rmdir()


def newest_checkpoint(folder: Path) -> Path | None:
    """The newest whole checkpoint in a folder. One whose state was cut off while it was written is none."""
    found = {_step(path): path for path in _checkpoints(folder)}
    newest = max(found, default=0)
    return found[newest] if newest else None


def _step(checkpoint: Path) -> int:
    """After which step a checkpoint was written, as its state says, which is written last; 0 where it does not."""
    try:
        return int(json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))["global_step"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _written(folder: Path) -> list[Path]:
    there = (path for path in (folder / name for name in _WRITTEN) if os.path.lexists(path))
    return sorted([*_checkpoints(folder), *there])


def _checkpoints(folder: Path) -> list[Path]:
    """Those that a trainer wrote, whole or not; a copy that somebody called ``checkpoint-8.old`` is none."""
    return [path for path in folder.glob("checkpoint-*") if _CHECKPOINT.fullmatch(path.name)]


def _owner(folder: Path) -> _Owner | None:
    """Whose a folder is, as it says itself; ``None`` where it does not.

    Raises:
        Refused: what it says cannot be read.
    """
    try:
        found = json.loads((folder / OWNER).read_text(encoding="utf-8"))
        return _Owner(str(found["run"]), str(found["mark"]))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(
            f"whose the folder {str(folder)!r} is cannot be told: its {OWNER} cannot be read:"
            f" {type(error).__name__}: {error}",
            hint=f"if no run needs it any more, delete {str(folder)!r}",
        ) from None
