"""The program around the commands: one error line, exit codes, and no traceback.

Exit codes: 0 all well; 1 what was asked about does not hold (a replay that differs, a criterion that fails, a tool that
says no); 2 bad input; 3 a failure of ours or of the database; 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from compoworld.cli.output import complain, short
from engine.errors import CompoWorldError, EntityInvalid, InputError
from engine.signals import SAME_SECONDS

DEBUG_VARIABLE = "COMPOWORLD_DEBUG"

DOES_NOT_HOLD, BAD_INPUT, FAILURE, INTERRUPTED = 1, 2, 3, 130

ORDER = (
    "demo",
    *("services", "compose", "fork", "events", "state", "replay", "verify"),
    *("tasks", "rollout", "collect", "worker", "jobs", "eval"),
    *("train", "policies", "experiment"),
    "synth",
    *("db", "gc", "bench"),
)

_LONGEST_MESSAGE = 2_000


class Program(TyperGroup):
    """The root of all commands: whatever goes wrong becomes one line on stderr and an exit code.

    A command that can be taken up again raises ``KeyboardInterrupt("the command to type")`` on Ctrl-C, and on SIGTERM.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program; ends in ``SystemExit``."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            with _interrupted_by_sigterm():
                code = super().main(args, "compoworld", complete_var, False, windows_expand_args, **extra)
        except Exception as error:
            if _debugging():
                raise
            code = explain(error)
        sys.exit(code if isinstance(code, int) else 0)

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands in the order in which people meet them, groups among them."""
        return sorted(super().list_commands(ctx), key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            advice = f"; go on with: {interrupt}" if str(interrupt) else ""
            complain(f"interrupted{advice}", label="")
            raise typer.Exit(INTERRUPTED) from None


def explain(error: Exception) -> int:
    """Say on stderr what went wrong; the exit code."""
    if isinstance(error, typer.Abort):
        complain("nothing was done", label="")
        return BAD_INPUT
    if isinstance(error, typer.TyperException):
        # The class is not public: it means that the help was printed in place of an error.
        if type(error).__name__ != "NoArgsIsHelpError":
            context = getattr(error, "ctx", None)
            hint = f" (try: {context.command_path} --help)" if context is not None else ""
            complain(short(error.format_message(), _LONGEST_MESSAGE).rstrip(".") + hint)
        return BAD_INPUT
    if isinstance(error, CompoWorldError):
        complain(short(error, _LONGEST_MESSAGE))
        return BAD_INPUT if isinstance(error, InputError | EntityInvalid) else FAILURE
    complain(
        f"{type(error).__name__}: {short(error, _LONGEST_MESSAGE)} (this is a bug; {DEBUG_VARIABLE}=1 shows where)"
    )
    return FAILURE


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does: with its processes and what they hold; a later one ends it at once."""
    usual = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    # torchrun ends with SIGTERM what waits for a process that has failed, often where no signal is looked at.
    if not usual or "TORCHELASTIC_RUN_ID" in os.environ:
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(*_: object) -> None:
    begun = time.monotonic()

    def again(*_: object) -> None:
        if time.monotonic() - begun >= SAME_SECONDS:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)

    signal.signal(signal.SIGTERM, again)
    raise KeyboardInterrupt


def _debugging() -> bool:
    return os.environ.get(DEBUG_VARIABLE, "").strip() not in ("", "0")
