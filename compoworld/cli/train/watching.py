"""A run of training as it goes on, on stderr: a bar on a terminal, a line for each step elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from compoworld.cli.output import console, many, note

if TYPE_CHECKING:
    from rl.training.progress import TrainingProgress


class TrainingWatch:
    """Give it to a trainer as ``told``."""

    def __init__(self) -> None:
        self._live: Any = None
        self._last = ""

    def __enter__(self) -> Self:
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._live = Progress(
                TextColumn("steps"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[detail]}", markup=False),
                console=terminal,
                transient=True,
            )
            self._live.start()
            self._bar = self._live.add_task("", total=None, detail="loading")
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: TrainingProgress) -> None:
        if event.kind == "step":
            self._last = _figures(event)
        if self._live is not None:
            self._show(event)
        elif event.kind == "begun":
            note(f"{'goes on after' if event.step else 'begins at'} step {event.step} of {event.steps}")
        elif event.kind == "step":
            note(f"step {event.step} of {event.steps}: {self._last}")
        elif event.kind == "examples" and event.count % 100 == 0:
            note(many(event.count, "example"))

    def _show(self, event: TrainingProgress) -> None:
        match event.kind:
            case "examples":
                detail = many(event.count, "example")
            case "rollouts":
                detail = f"rollout {event.count} of {event.total}; {self._last}".removesuffix("; ")
            case "saved":
                detail = "saved"
            case _:
                detail = self._last
        self._live.update(self._bar, total=event.steps or None, completed=event.step, detail=detail)


def _figures(event: TrainingProgress) -> str:
    loss = "" if event.loss is None else f"loss {event.loss:.4f}"
    return loss if event.reward is None else f"{loss}, reward {event.reward:.3f}"
