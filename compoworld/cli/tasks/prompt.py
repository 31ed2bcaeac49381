"""Where a person who plays a task types: a terminal, with history and completion, or lines of a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from compoworld.cli.output import say
from compoworld.cli.tasks.lines import COMMANDS

if TYPE_CHECKING:
    from engine.kit import Service


class Prompt:
    """Reads lines, on a terminal with history and completion."""

    def __init__(self, services: Mapping[str, Service]) -> None:
        self._known = [*COMMANDS, *services]
        self._known += [f"{service}.{tool}" for service, item in services.items() for tool in item.tools]
        self._tools = sorted({tool for item in services.values() for tool in item.tools})
        self._terminal = sys.stdin.isatty()
        if self._terminal:
            try:
                import readline
            except ImportError:  # not on every system
                return
            readline.set_completer_delims(" \t\n=")
            readline.set_completer(self._complete)
            readline.parse_and_bind("tab: complete")

    def line(self, prompt: str) -> str | None:
        """The next line; ``None`` where there are no more."""
        if not self._terminal:
            line = sys.stdin.readline()
            if not line:
                return None
            line = line.rstrip("\n")
            say(f"{prompt}{line}")  # what was typed is to be seen here, too
            return line
        try:
            return input(prompt)
        except EOFError:
            return None

    def lines(self) -> str:
        """The lines up to one with a dot only, or to the end."""
        found = []
        while (line := self.line("")) is not None and line.strip() != ".":
            found.append(line)
        return "\n".join(found).strip()

    def _complete(self, word: str, state: int) -> str | None:
        fitting = [item for item in (*self._known, *self._tools) if item.startswith(word)]
        return fitting[state] if state < len(fitting) else None
