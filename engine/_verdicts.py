"""What becomes of a call: its outcome, the observation for the agent, and who is to blame."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy.exc import DBAPIError

from engine.deadline import GivenUp
from engine.errors import Conflicted, EntityInvalid, ToolError, ToolViolation
from engine.kit import jsonable
from engine.kit.values import json_text, shown

Outcome = Literal["ok", "error", "invalid", "unknown", "fault"]
"""ok; error: the tool said no; invalid: wrong arguments; unknown: no such tool; fault: our failure, not the agent's."""

FAULT_MESSAGE = "The service failed. This is a failure of the environment, not of your call."

MAX_DETAIL = 20_000
"""Characters of an event's detail that are kept."""


@dataclass
class Verdict:
    """What is to be logged of a call; ``text`` is the observation as JSON where it has been made already."""

    outcome: Outcome
    observation: dict[str, Any]
    error_code: str | None = None
    detail: str | None = None
    text: str | None = None


def refusal(outcome: Outcome, code: str, message: str, details: Any = None, detail: str | None = None) -> Verdict:
    """A call that did not do what was asked."""
    error = {"code": code, "message": message, "details": details or {}}
    return Verdict(outcome, {"ok": False, "error": error}, code, detail)


def fault(detail: str) -> Verdict:
    """A failure of ours; the agent reads only that it is not its doing."""
    return refusal("fault", "service_failure", FAULT_MESSAGE, detail=shown(detail)[:MAX_DETAIL])


def guarded(function: Callable[[], Verdict], lost: Callable[[], bool]) -> Verdict:
    """Run the tool and put a name to whatever it does; ``lost`` says whether the call's connection is gone."""
    try:
        return function()
    except ToolError as error:
        return _told(error)
    except EntityInvalid as error:
        if error.mistake:
            return fault(str(error))
        return refusal("error", "invalid", shown(str(error)), shown(error.problems))
    except ToolViolation as error:
        return fault(str(error))
    except GivenUp:
        raise
    except BaseException as error:  # SystemExit too: a tool does not end our program
        if lost() or (isinstance(error, DBAPIError) and error.connection_invalidated):
            raise
        if isinstance(error, DBAPIError):
            return _database_verdict(error)
        return fault(traceback.format_exc(limit=-6))


def _told(error: ToolError) -> Verdict:
    """A tool's "no"; one that cannot be told is a fault of the tool."""
    given: tuple[object, object] = (error.code, error.message)
    if not all(isinstance(item, str) for item in given):
        return fault(f"the code and the message of a tool's error are texts: {error.code!r}, {error.message!r}")
    try:
        verdict = refusal("error", error.code, error.message, jsonable(error.details))
        verdict.text = json_text(verdict.observation, "error")
    except (TypeError, ValueError, RecursionError) as problem:
        return fault(f"the tool's error has no JSON form: {problem}")
    return verdict


_CONSTRAINTS = {
    "23505": ("conflict", "already exists"),
    "23503": ("conflict", "reference"),
    "23502": ("invalid", "missing"),
    "23514": ("invalid", "not allowed"),
    "22003": ("invalid", "out of range"),
    "22001": ("invalid", "too long"),
    "54000": ("invalid", "too large"),
    "54001": ("invalid", "too deeply nested"),
}


def _database_verdict(error: DBAPIError) -> Verdict:
    original = error.orig
    state = getattr(original, "sqlstate", None)
    message = getattr(getattr(original, "diag", None), "message_primary", None) or str(original)
    if state in _CONSTRAINTS:
        code, kind = _CONSTRAINTS[state]
        return refusal("error", code, message.replace("__rows", ""), {"kind": kind})
    if state in ("40001", "40P01"):
        raise Conflicted(message)
    if state == "0A000" and "cached plan" in message:
        # The schema was rebuilt with other types: prepared statements of this connection are out of date.
        error.connection_invalidated = True
        raise Conflicted(message)
    return fault(f"{state}: {message}")
