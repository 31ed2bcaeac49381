"""A group of rollouts as it runs, on stderr: a line for each rollout on a terminal, a line for each end elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from compoworld.cli.output import console, note, short

if TYPE_CHECKING:
    from rich.progress import TaskID

    from rl import Progress

_MOST_LINES = 16


class Watch:
    """Give it to a group's runner as ``progress``; it knows the group as soon as something happens.

    Args:
        size: how many rollouts.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._ended = 0
        self._lines: dict[int, TaskID] = {}
        self._live: Any = None
        self.group: int | None = None

    def __enter__(self) -> Self:
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._live = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TextColumn("{task.fields[detail]}", markup=False),
                console=terminal,
                transient=True,
            )
            self._live.start()
            self._all = self._live.add_task("rollouts", total=self._size, detail="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: Progress) -> None:
        self.group = event.group
        if event.kind in ("finished", "failed"):
            self._ended += 1
        if self._live is not None:
            self._show(event)
        elif event.kind not in ("started", "step"):
            note(f"rollout {event.rollout} ({event.ordinal} of {self._size}): {_words(event)}")

    def _show(self, event: Progress) -> None:
        self._live.update(self._all, completed=self._ended)
        if self._size > _MOST_LINES:
            return
        if event.ordinal not in self._lines:
            self._lines[event.ordinal] = self._live.add_task(f"  {event.ordinal}", total=None, detail="")
        line = self._lines[event.ordinal]
        if event.kind == "finished":
            self._live.update(
                line, total=event.criteria, completed=event.passed, detail=f"{event.steps} steps, {event.detail}"
            )
        else:
            self._live.update(line, detail=_words(event))


def _words(event: Progress) -> str:
    match event.kind:
        case "finished":
            return f"{event.passed} of {event.criteria} criteria, {event.steps} steps, {event.detail}"
        case "step":
            return f"{event.steps} steps"
        case "started":
            return "started"
    return f"{event.kind}{': ' + short(event.detail, 200) if event.detail else ''}"
