"""A tool call: one transaction, one event.

begin_call (lock the branch, set what the connection sees) → savepoint → the tool → end_call (write the event) →
commit. Whatever the tool does, the event is written; only a lost database leaves none, and then nothing else either.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine._deadline import DeadlinePassed, GivenUp, Workers
from engine._session import ToolSession
from engine.database import Database, translate
from engine.errors import (
    Conflicted,
    DatabaseUnavailable,
    EntityInvalid,
    InfrastructureError,
    InputError,
    ToolError,
    ToolViolation,
)
from engine.events import Event
from engine.kit import Context, Person, Service, Tool, jsonable
from engine.kit.specification import MAX_ARGUMENTS
from engine.kit.values import no_json, json_text, unstorable

Outcome = Literal["ok", "error", "invalid", "unknown", "fault"]
"""ok; error: the tool said no; invalid: wrong arguments; unknown: no such tool; fault: our failure, not the agent's."""

FAULT_MESSAGE = "The service failed. This is a failure of the environment, not of your call."

NOT_KEPT = "the arguments cannot be stored as they were given"
"""Detail of an event whose arguments in the log are not those of the call."""

MAX_BITS = 14_000
"""Bits of a whole number that Python turns into text."""

MAX_DETAIL = 20_000
"""Characters of an event's detail that are kept."""

_TRIES = 4

_BEGIN = "SELECT seq, logical_time, identity, transaction_id, built FROM compoworld.begin_call(%s, %s)"
_END = "SELECT compoworld.end_call(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True)
class CallResult:
    """What a call gave.

    Attributes:
        event: its number in the branch.
        observation: what the agent sees, ``{"ok": true, "data": ...}`` or ``{"ok": false, "error": {...}}``.
        changes: how many row changes it made.
        detail: for developers, on a fault.
    """

    event: int
    outcome: Outcome
    observation: dict[str, Any]
    changes: int
    duration_ms: float
    detail: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the tool did what was asked."""
        return self.outcome == "ok"

    @property
    def data(self) -> Any:
        """The result's data; ``None`` for a call that failed."""
        return self.observation.get("data")

    @property
    def error(self) -> dict[str, Any] | None:
        """The result's error (code, message, details), or ``None``."""
        return self.observation.get("error")


@dataclass
class _Verdict:
    outcome: Outcome
    observation: dict[str, Any]
    error_code: str | None = None
    detail: str | None = None
    text: str | None = None


@dataclass
class _Attempt:
    """One try of a call, shared between the thread that runs it and the one that waits."""

    backend: int | None = None
    begun: bool = False
    built: bool = False
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.perf_counter)

    def elapsed_ms(self) -> float:
        return (time.perf_counter() - self.clock) * 1000


def _refusal(outcome: Outcome, code: str, message: str, details: Any = None, detail: str | None = None) -> _Verdict:
    error = {"code": code, "message": message, "details": details or {}}
    return _Verdict(outcome, {"ok": False, "error": error}, code, detail)


def _fault(detail: str) -> _Verdict:
    return _refusal("fault", "service_failure", FAULT_MESSAGE, detail=_shown(detail)[:MAX_DETAIL])


class Calls:
    """The call path of a world.

    Args:
        database: where the branches are.
        seconds: how long a tool may take before it is given up.
        built: called after a call that brought a parked composition back.
    """

    def __init__(self, database: Database, seconds: float, built: Callable[[], object]) -> None:
        self._database = database
        self._built = built
        self._seconds = seconds
        self._workers = Workers()

    def call(
        self,
        branch: int,
        services: dict[str, Service],
        person: Person,
        service: str,
        tool: str,
        arguments: dict[str, Any],
    ) -> CallResult:
        """Call a tool on a branch.

        Args:
            services: those of the branch's composition, by name.
            person: whose assistant the agent is.
            arguments: JSON values; anything wrong with them is an event with outcome ``invalid``.

        Raises:
            NotFound: there is no such branch.
            Refused: the branch is a snapshot.
            InputError: names or arguments are no texts and no JSON object at all.
            DatabaseUnavailable: the database was lost; the call left nothing behind.
            InfrastructureError: the engine failed; the call left nothing behind.
        """
        service, tool, arguments, arguments_text, early = _examine(services, service, tool, arguments)
        bound = None if early else services[service].tools[tool]
        return self._make(branch, person, service, tool, arguments, arguments_text, bound, early)

    def repeat(self, branch: int, person: Person, event: Event) -> CallResult:
        """Make a logged call again whose arguments were not kept: they were refused before any tool saw them.

        Raises:
            InfrastructureError and DatabaseUnavailable: as ``call``.
        """
        early = _Verdict("invalid", event.observation, event.error_code, event.detail)
        given = event.arguments
        return self._make(branch, person, event.service, event.tool, given, json_text(given), None, early)

    def _make(
        self,
        branch: int,
        person: Person,
        service: str,
        tool: str,
        arguments: dict[str, Any],
        arguments_text: str,
        bound: Tool | None,
        early: _Verdict | None,
    ) -> CallResult:
        first = _Attempt()
        for attempt_number in range(1, _TRIES + 1):
            attempt = _Attempt(started_at=first.started_at, clock=first.clock)
            job = _Call(self._database, branch, person, service, tool, arguments, arguments_text, bound, early, attempt)
            try:
                result = self._workers.run(job.run, self._seconds)
            except DeadlinePassed:
                self._terminate(attempt)
                detail = f"{service}.{tool} did not return within {self._seconds:g} s"
                early = _fault(detail)
                bound = None
            except Conflicted:
                if attempt_number == _TRIES:
                    raise
            except DatabaseUnavailable:
                # A connection that died in the pool shows when it is first used: nothing was done with it.
                if attempt.begun or attempt_number == _TRIES:
                    raise
            else:
                if attempt.built:
                    self._built()
                return result
        raise InfrastructureError(f"{service}.{tool} on branch {branch} could not be logged")

    def _terminate(self, attempt: _Attempt) -> None:
        if attempt.backend is not None:
            with self._database.transaction() as connection:
                connection.exec_driver_sql("SELECT pg_terminate_backend(%s, 5000)", (attempt.backend,))


@dataclass
class _Call:
    database: Database
    branch: int
    person: Person
    service: str
    tool: str
    arguments: dict[str, Any]
    arguments_text: str
    bound: Tool | None
    early: _Verdict | None
    attempt: _Attempt

    def run(self) -> CallResult:
        try:
            with self.database.engine.connect() as connection:
                return self._in_transaction(connection)
        except (DBAPIError, psycopg.Error, PoolTimeout) as error:
            raise translate(error) from error

    def _in_transaction(self, connection: Connection) -> CallResult:
        raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        self.attempt.backend = raw.info.backend_pid
        cursor = raw.cursor()
        transaction = connection.begin()
        read_only = self.bound is not None and self.bound.specification.read_only
        row = cursor.execute(_BEGIN, (self.branch, read_only)).fetchone()
        assert row is not None
        seq, logical_time, identity, transaction_id, self.attempt.built = row
        self.attempt.begun = True
        verdict = self.early
        if verdict is None:
            assert self.bound is not None
            verdict = self._run_tool(connection, self.bound, logical_time, identity)
        duration = self.attempt.elapsed_ms()
        values = (
            self.branch, seq, transaction_id, self.service, self.tool,
            self.arguments_text, verdict.text or json_text(verdict.observation), verdict.outcome, verdict.error_code, "code",
            logical_time, self.attempt.started_at, duration, verdict.detail,
        )  # fmt: skip
        try:
            written = cursor.execute(_END, values).fetchone()
        except psycopg.Error as error:
            if error.sqlstate != "CW500":
                raise
            # The tool went astray with the transaction itself: drop all of it, and log that in a new one.
            transaction.rollback()
            self.early, self.bound = _fault(str(error.diag.message_primary)), None
            return self._in_transaction(connection)
        assert written is not None
        transaction.commit()
        return CallResult(seq, verdict.outcome, verdict.observation, written[0], duration, verdict.detail)

    def _run_tool(self, connection: Connection, bound: Tool, now: datetime, identity: str) -> _Verdict:
        session = ToolSession(connection)
        raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        try:
            verdict = _guarded(lambda: self._result(session, bound, now, identity), lambda: raw.closed)
        except BaseException:
            # Given up, or the database is gone: the whole transaction falls.
            session.invalidate()
            raise
        if verdict.outcome != "ok":
            session.undo()
        return verdict

    def _result(self, session: ToolSession, bound: Tool, now: datetime, identity: str) -> _Verdict:
        try:
            parameters = bound.typed(self.arguments)
        except ToolError as error:
            return _refusal("invalid", error.code, error.message, jsonable(error.details))
        context = Context(self.person, session, now, identity)
        data = jsonable(bound.function(context, **parameters))
        observation = {"ok": True, "data": data}
        verdict = _Verdict("ok", observation, text=json_text(observation, "result"))
        session.keep()
        return verdict


def _guarded(function: Callable[[], _Verdict], lost: Callable[[], bool]) -> _Verdict:
    """Run the tool and put a name to whatever it does; ``lost`` says whether the call's connection is gone."""
    try:
        return function()
    except ToolError as error:
        return _told(error)
    except EntityInvalid as error:
        return _refusal("error", "invalid", _shown(str(error)), _shown(error.problems))
    except ToolViolation as error:
        return _fault(str(error))
    except GivenUp:
        raise
    except BaseException as error:  # SystemExit too: a tool does not end our program
        if lost() or isinstance(error, DBAPIError) and error.connection_invalidated:
            raise
        if isinstance(error, DBAPIError):
            return _database_verdict(error)
        return _fault(traceback.format_exc(limit=-6))


def _told(error: ToolError) -> _Verdict:
    """A tool's "no"; one that cannot be told is a fault of the tool."""
    if not isinstance(error.code, str) or not isinstance(error.message, str):
        return _fault(f"the code and the message of a tool's error are texts: {error.code!r}, {error.message!r}")
    try:
        verdict = _refusal("error", error.code, error.message, jsonable(error.details))
        verdict.text = json_text(verdict.observation, "error")
    except (TypeError, ValueError, RecursionError) as problem:
        return _fault(f"the tool's error has no JSON form: {problem}")
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


def _database_verdict(error: DBAPIError) -> _Verdict:
    original = error.orig
    state = getattr(original, "sqlstate", None)
    message = getattr(getattr(original, "diag", None), "message_primary", None) or str(original)
    if state in _CONSTRAINTS:
        code, kind = _CONSTRAINTS[state]
        return _refusal("error", code, message.replace("__rows", ""), {"kind": kind})
    if state in ("40001", "40P01"):
        raise Conflicted(message)
    if state == "0A000" and "cached plan" in message:
        # The schema was rebuilt with other types: prepared statements of this connection are out of date.
        error.connection_invalidated = True
        raise Conflicted(message)
    return _fault(f"{state}: {message}")


def _examine(
    services: dict[str, Service], service: Any, tool: Any, arguments: Any
) -> tuple[str, str, dict[str, Any], str, _Verdict | None]:
    """What can be said before any transaction: names and arguments in a form that can be logged."""
    if not isinstance(service, str) or not isinstance(tool, str):
        raise InputError("service and tool are names, as text")
    if not isinstance(arguments, dict):
        raise InputError(f"arguments are a JSON object, not {type(arguments).__name__}")
    early = None
    try:
        arguments_text = json_text(arguments)
        if len(arguments_text) > MAX_ARGUMENTS:
            message = f"the arguments have {len(arguments_text)} characters; at most {MAX_ARGUMENTS} are taken"
            arguments, early = {}, _refusal("invalid", "invalid_arguments", message, detail=NOT_KEPT)
        elif problem := no_json(arguments):
            raise TypeError(problem)
    except ValueError as error:
        arguments, early = _shown(arguments), _refusal("invalid", "invalid_arguments", str(error)[:500], detail=NOT_KEPT)
    except (TypeError, RecursionError) as error:
        reason = str(error) if isinstance(error, TypeError) else "too deeply nested"
        arguments, early = {}, _refusal("invalid", "invalid_arguments", _shown(reason)[:500], detail=NOT_KEPT)
    if early is not None:
        return _printable(service), _printable(tool), arguments, json_text(arguments), early
    if service not in services:
        message = f"There is no service {_printable(service)!r}; list_services shows what there is."
        early = _refusal("unknown", "unknown_service", message)
    elif tool not in services[service].tools:
        message = f"Service {service!r} has no tool {_printable(tool)!r}; list_tools shows what it has."
        early = _refusal("unknown", "unknown_tool", message)
    return _printable(service), _printable(tool), arguments, arguments_text, early


def _printable(text: str) -> str:
    """A name as it can be stored: without NUL and lone surrogates, and of bounded length."""
    return text.replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode()[:200]


def _shown(value: Any) -> Any:
    """Arguments as they can be stored: what Postgres cannot hold is spelled out."""
    if isinstance(value, str):
        return value.replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_shown(key): _shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(item) for item in value]
    if isinstance(value, float) and unstorable(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return f"a number of {value.bit_length()} bits"
    return value
