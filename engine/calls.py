"""A tool call: one transaction, one event.

begin_call (lock the branch, set what the connection sees) → savepoint → the tool → end_call (write the event) →
commit. Whatever the tool does, the event is written; only a lost database leaves none, and then nothing else either.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine._requests import Request, examine
from engine._session import ToolSession
from engine._simulated import simulated_call
from engine._verdicts import Verdict, fault, guarded, refusal
from engine.database import TRIES, Database, translate
from engine.deadline import DeadlinePassed, Workers
from engine.errors import CompoWorldError, Conflicted, DatabaseUnavailable, InfrastructureError, ToolError
from engine.kit import Context, Person, Service, jsonable
from engine.kit.values import json_text
from engine.results import CallResult
from engine.simulation import WorldModel

_BEGIN = "SELECT seq, logical_time, identity, transaction_id, built FROM {}.begin_call(%s, %s)"
_END = "SELECT {}.end_call(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"


__all__ = ["CallResult", "Calls"]


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
        doors: schema of the functions that begin and end a call.
        world_model: answers the tools without code; without one there are no such tools.
    """

    def __init__(
        self,
        database: Database,
        seconds: float,
        built: Callable[[], object],
        *,
        doors: str = "compoworld",
        world_model: WorldModel | None = None,
    ) -> None:
        self.world_model = world_model
        self._database = database
        self._doors = _Doors(_BEGIN.format(doors), _END.format(doors))
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
        request = examine(services, service, tool, arguments, simulated=self.world_model is not None)
        if self.world_model is not None and request.bound is not None and request.bound.simulated:
            return self._simulated(self.world_model, branch, person, services[service], request)
        return self._made(branch, person, request)

    def call_all(self, branch: int, person: Person, requests: Sequence[Request]) -> list[CallResult]:
        """Make several calls in one transaction, which spares a commit and a change of thread for each.

        If anything is not as usual, that transaction is dropped and the calls are made one by one.

        Raises:
            As ``call``.
        """
        if any(request.runner is not None for request in requests):
            return [self._made(branch, person, request) for request in requests]
        attempt = _Attempt()
        job = _Transaction(self._database, self._doors, branch, person, requests, attempt)
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

    def _made(self, branch: int, person: Person, request: Request) -> CallResult:
        if request.runner is not None:
            made = request.runner.call(branch, person, request.tool, request.arguments)
            if isinstance(made, CallResult):
                return made
            request.early = fault(made)
        return self._one(branch, person, request)

    def _simulated(
        self, model: WorldModel, branch: int, person: Person, service: Service, request: Request
    ) -> CallResult:
        make = partial(self._one, branch, person, first=_Attempt())
        return simulated_call(model, self._database, branch, person, service, request, make, self._built)

    def _one(self, branch: int, person: Person, request: Request, first: _Attempt | None = None) -> CallResult:
        first = first or _Attempt()
        problem: CompoWorldError | None = None
        # One try for each connection of the pool that may be dead, the others for conflicts.
        for _ in range(TRIES + self._database.pool_size):
            attempt = _Attempt(started_at=first.started_at, clock=first.clock)
            job = _Transaction(self._database, self._doors, branch, person, (request,), attempt)
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


@dataclass(frozen=True)
class _Doors:
    """The statements that begin and end a call."""

    begin: str
    end: str


@dataclass
class _Transaction:
    """Calls on one branch that are committed together; nearly always one."""

    database: Database
    doors: _Doors
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
        row = cursor.execute(self.doors.begin, (self.branch, read_only)).fetchone()
        assert row is not None
        seq, logical_time, identity, transaction_id, built = row
        attempt.built |= built
        if attempt.begun is None:
            # From here on its time counts: waiting for the branch is not the tool's doing.
            attempt.begun = time.perf_counter()
        answer = request.answer
        if answer is not None:
            answer.begin(seq)
        produced_by = "code" if answer is None else "world_model"
        verdict = request.early or self._run_tool(connection, raw, request, logical_time, identity)
        duration = attempt.elapsed_ms()
        values = (
            self.branch, seq, transaction_id, request.service, request.tool,
            request.arguments_text, verdict.text or json_text(verdict.observation), verdict.outcome,
            verdict.error_code, produced_by, logical_time, attempt.started_at, duration, verdict.detail,
        )  # fmt: skip
        try:
            written = cursor.execute(self.doors.end, values).fetchone()
        except psycopg.Error as error:
            if error.sqlstate == "CW500":
                raise _Astray(error.diag.message_primary) from error
            raise
        assert written is not None
        if answer is not None:
            answer.record(cursor, self.branch, seq)
        return CallResult(seq, verdict.outcome, verdict.observation, written[0], duration, verdict.detail, produced_by)

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
        if request.answer is not None:
            request.answer.judge(verdict)
        return verdict

    def _result(self, session: ToolSession, request: Request, now: datetime, identity: str) -> Verdict:
        if request.answer is not None:
            return request.answer.apply(Context(self.person, session, now, identity), session)
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
