"""The exceptions of tasks.

CompoWorldError
└── InputError
    └── TaskError            a task is wrong; nothing was stored
        ├── TaskFileError    its file: the message names file, line and place
        └── UnresolvedReference   the reference solution asks for something that no observation holds
"""

from __future__ import annotations

from engine.errors import InputError


class TaskError(InputError):
    """A task is wrong."""


class TaskFileError(TaskError):
    """A task file is wrong.

    Attributes:
        file: its name.
        place: where in it, such as ``criteria.2.kind``; empty for the file as a whole.
        line: the line of that place, from 1; ``None`` where there is none.
    """

    def __init__(
        self, file: str, problem: str, *, place: str = "", line: int | None = None, hint: str | None = None
    ) -> None:
        self.file = file
        self.place = place
        self.line = line
        where = file + (f", line {line}" if line else "") + (f", {place}" if place else "")
        super().__init__(f"{where}: {problem}", hint)


class UnresolvedReference(TaskError):
    """An argument of the reference solution points into an observation that does not have such a value."""
