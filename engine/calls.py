"""A tool call: one transaction, one event.

begin_call (lock the branch, set what the connection sees) → savepoint → the tool → end_call (write the event) →
commit. Whatever the tool does, the event is written; only a lost database leaves none, and then nothing else either.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine._requests import Request, examine
from engine._session import ToolSession
from engine._verdicts import Outcome, Verdict, fault, guarded, refusal
from engine.database import TRIES, Database, translate
from engine.deadline import DeadlinePassed, Workers
from engine.errors import CompoWorldError, Conflicted, DatabaseUnavailable, InfrastructureError, ToolError
from engine.kit import Context, Person, Service, jsonable
from engine.kit.values import json_text

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


class _Astray(Exception):
    """The tool left its branch or its transaction: all of that is dropped."""


@dataclass
class _Attempt:
    """One try, shared between the thread that runs it and the one that waits."""

    backend: int | None = None
    results: list[CallResult] | None = None
    begun: float | None = None
    built: bool = False
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.perf_counter)

    def restart_clock(self) -> None:
        self.started_at, self.clock = datetime.now(UTC), time.perf_counter()

    def elapsed_ms(self) -> float:
        return (time.perf_counter() - self.clock) * 1000


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
        return self._one(branch, person, examine(services, service, tool, arguments))

    def call_all(self, branch: int, person: Person, requests: Sequence[Request]) -> list[CallResult]:
        """Make several calls in one transaction, which spares a commit and a change of thread for each.

        If anything is not as usual, that transaction is dropped and the calls are made one by one.

        Raises:
            As ``call``.
        """
        attempt = _Attempt()
        job = _Transaction(self._database, branch, person, requests, attempt)
        try:
            results = self._workers.run(job.run, self._seconds, job.began)
        except DeadlinePassed:
            self._terminate(attempt)
            if attempt.results is not None:
                return attempt.results  # it came to its end after all
        except (_Astray, Conflicted):
            pass
        except DatabaseUnavailable:
            if attempt.begun is not None:
                raise  # it may have been committed: to make the calls again could make them twice
        else:
            if attempt.built:
                self._built()
            return results
        return [self._one(branch, person, request) for request in requests]

    def _one(self, branch: int, person: Person, request: Request) -> CallResult:
        first = _Attempt()
        problem: CompoWorldError | None = None
        # One try for each connection of the pool that may be dead, the others for conflicts.
        for _ in range(TRIES + self._database.pool_size):
            attempt = _Attempt(started_at=first.started_at, clock=first.clock)
            job = _Transaction(self._database, branch, person, (request,), attempt)
            try:
                result = self._workers.run(job.run, self._seconds, job.began)[0]
            except DeadlinePassed:
                self._terminate(attempt)
                if attempt.results is not None:
                    return attempt.results[0]  # it came to its end after all
                if attempt.begun is None:
                    raise InfrastructureError(f"branch {branch} stayed busy: {request.name} was not made") from None
                request.early = fault(f"{request.name} did not return within {self._seconds:g} s")
            except _Astray as astray:
                request.early = fault(str(astray))
            except Conflicted as conflict:
                problem = conflict
            except DatabaseUnavailable as lost:
                # A connection that died in the pool shows when it is first used: nothing was done with it.
                if attempt.begun is not None or attempt.backend is None:
                    raise
                problem = lost
            else:
                if attempt.built:
                    self._built()
                return result
        raise problem or InfrastructureError(f"{request.name} on branch {branch} could not be logged")

    def _terminate(self, attempt: _Attempt) -> None:
        if attempt.backend is not None and attempt.results is None:
            # Not from the pool: its connections may all be with tools that do not end.
            with self._database.raw() as connection:
                connection.execute("SELECT pg_terminate_backend(%s, 5000)", (attempt.backend,))


@dataclass
class _Transaction:
    """Calls on one branch that are committed together; nearly always one."""

    database: Database
    branch: int
    person: Person
    requests: Sequence[Request]
    attempt: _Attempt

    def began(self) -> float | None:
        return self.attempt.begun

    def run(self) -> list[CallResult]:
        try:
            with self.database.engine.connect() as connection:
                raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
                self.attempt.backend = raw.info.backend_pid
                transaction = connection.begin()
                results = []
                for number, request in enumerate(self.requests):
                    if number:
                        self.attempt.restart_clock()
                    results.append(self._call(connection, raw, request))
                transaction.commit()
                self.attempt.results = results
                return results
        except (DBAPIError, psycopg.Error, PoolTimeout) as error:
            raise translate(error) from error

    def _call(self, connection: Connection, raw: psycopg.Connection[Any], request: Request) -> CallResult:
        cursor = raw.cursor()
        attempt = self.attempt
        read_only = request.bound is not None and request.bound.specification.read_only
        row = cursor.execute(_BEGIN, (self.branch, read_only)).fetchone()
        assert row is not None
        seq, logical_time, identity, transaction_id, built = row
        attempt.built |= built
        if attempt.begun is None:
            # From here on its time counts: waiting for the branch is not the tool's doing.
            attempt.begun = time.perf_counter()
        verdict = request.early or self._run_tool(connection, raw, request, logical_time, identity)
        duration = attempt.elapsed_ms()
        values = (
            self.branch, seq, transaction_id, request.service, request.tool,
            request.arguments_text, verdict.text or json_text(verdict.observation), verdict.outcome,
            verdict.error_code, "code", logical_time, attempt.started_at, duration, verdict.detail,
        )  # fmt: skip
        try:
            written = cursor.execute(_END, values).fetchone()
        except psycopg.Error as error:
            if error.sqlstate == "CW500":
                raise _Astray(error.diag.message_primary) from error
            raise
        assert written is not None
        return CallResult(seq, verdict.outcome, verdict.observation, written[0], duration, verdict.detail)

    def _run_tool(
        self, connection: Connection, raw: psycopg.Connection[Any], request: Request, now: datetime, identity: str
    ) -> Verdict:
        session = ToolSession(connection)
        try:
            verdict = guarded(lambda: self._result(session, request, now, identity), lambda: raw.closed)
        except BaseException:
            # Given up, or the database is gone: the whole transaction falls.
            session.drop()
            raise
        if verdict.outcome != "ok":
            session.undo()
        return verdict

    def _result(self, session: ToolSession, request: Request, now: datetime, identity: str) -> Verdict:
        assert request.bound is not None
        try:
            parameters = request.bound.typed(request.arguments)
        except ToolError as error:
            return refusal("invalid", error.code, error.message, jsonable(error.details))
        context = Context(self.person, session, now, identity)
        observation = {"ok": True, "data": jsonable(request.bound.function(context, **parameters))}
        verdict = Verdict("ok", observation, text=json_text(observation, "result"))
        session.keep()
        return verdict
