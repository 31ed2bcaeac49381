"""The exceptions of tasks.

CompoWorldError
├── InfrastructureError
│   ├── MakingFailed         a set of tasks could not be made for a reason of ours
│   └── ToolBroke            a tool failed in a playing: that says nothing of the task
└── InputError
    └── TaskError            a task is wrong; nothing was stored
        ├── TaskSetError     a set of tasks is: another one of that name, altered files
        ├── DraftError       a scenario family cannot tell what it was asked for
        ├── SamplingError    nothing fulfils what is asked for: sizes, services, lengths
        ├── TaskFileError    its file: the message names file, line and place
        └── UnresolvedReference   the reference solution asks for something that no observation holds
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.errors import InfrastructureError, InputError


class TaskError(InputError):
    """A task is wrong.

    Attributes:
        problem: what is wrong there.
        place: where in it, such as ``criteria.2.kind``; empty for the task as a whole.
        of: the name of what stands there, for people.
    """

    def __init__(self, problem: str, hint: str | None = None, *, place: str = "", of: str = "") -> None:
        self.problem = problem
        self.place = place
        self.of = of
        super().__init__(f"{self.shown_place}: {problem}" if place else problem, hint)

    @property
    def shown_place(self) -> str:
        """The place for people: ``criteria.2 (terms), sql``."""
        before, _, last = self.place.rpartition(".")
        return f"{before} ({self.of}), {last}" if self.of else self.place


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
        where = file + (f", line {line}" if line else "") + (f", {place}" if place else "")
        super().__init__(f"{where}: {problem}", hint)
        self.file = file
        self.place = place
        self.line = line


class SamplingError(TaskError):
    """What is asked of sampling cannot be: no composition, walk or assignment fulfils it, or it contradicts itself."""


class DraftError(TaskError):
    """A scenario family cannot tell a plan: its reference solution fails, or what it tells does not fit together."""


class UnresolvedReference(TaskError):
    """An argument of the reference solution points into an observation that does not have such a value."""


class TaskSetError(TaskError):
    """A set of tasks is wrong: its files were altered, or another set has its name."""


class MakingFailed(InfrastructureError):
    """A candidate could not be judged for a reason of ours: nothing is said about it; make the set again to go on."""


class ToolBroke(InfrastructureError):
    """A tool failed, or did not return in time, in the playing of a reference solution: it is not the task's doing."""


@dataclass
class Source:
    """Where a task was written down. It is no part of the task: all sources are equal.

    Attributes:
        file: its name; empty for a task that comes from no file.
        lines: place to line, from 1.
    """

    file: str = field(default="", compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def located(self, error: TaskError) -> TaskError:
        """The error with the file and the line of its place, where the task has a file."""
        if not self.file or isinstance(error, TaskFileError):
            return error
        place = error.place
        while place and place not in self.lines:
            place = place.rpartition(".")[0]
        line = self.lines.get(place)
        return TaskFileError(self.file, error.problem, place=error.shown_place, line=line, hint=error.hint)
