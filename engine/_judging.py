"""Criteria run on a branch: read-only, under the verifier's role, each with its time limit."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg

from engine.database import translate, translated

if TYPE_CHECKING:
    from engine.branches import Branch

VERIFIER_ROLE = "compoworld_verifier"

MAX_VALUE = 2_000
"""Characters of an ``expected`` or ``actual`` value that are kept."""

# The server turns values into JSON, whatever their type, and sends no more of them than is kept.
_RUN = f"""SELECT criterion.passed,
    left((to_jsonb(criterion) -> 'expected')::text, {MAX_VALUE + 1}),
    left((to_jsonb(criterion) -> 'actual')::text, {MAX_VALUE + 1})
FROM (
%s
) AS criterion LIMIT 2"""


@dataclass(frozen=True)
class Finding:
    """What one criterion gave; ``error``: what went wrong with it."""

    passed: bool
    expected: Any = None
    actual: Any = None
    error: str | None = None
    duration_ms: float = 0.0


@dataclass
class Judging:
    """Statements judged one after another on one state of a branch, in a thread that may have to be given up.

    Attributes:
        statements: each ``SELECT``, or ``None`` for one that is not to be run.
        findings: what has been found so far, in order.
        backend: the server's process, to be ended when the thread is given up.
    """

    branch: Branch
    statements: Sequence[str | None]
    seconds: float
    findings: list[Finding] = field(default_factory=list)
    backend: int | None = None
    _began: float | None = None

    def began(self) -> float | None:
        """When the criterion that runs now began; ``None`` before the first."""
        return self._began

    def run(self) -> bool:
        """Judge; whether a parked composition was brought back for it.

        Raises:
            NotFound: the branch is gone.
            Conflicted, DatabaseUnavailable: the database was in the way, or was lost.
        """
        with translated(), self.branch.composition.world.database.engine.connect() as connection:
            raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
            self.backend = raw.info.backend_pid
            # May have to write: a parked composition comes back here, and is leased so that it stays until the end.
            schema, base, built = raw.execute(
                "SELECT v.schema_name, v.base, v.built FROM compoworld.bring_back(%s) v,"
                " LATERAL pg_advisory_lock_shared(7203, v.composition_id::int)",
                (self.branch.id,),
            ).fetchone() or ("", 0, False)
            raw.commit()
            try:
                raw.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                raw.execute(
                    "SELECT compoworld.enter(%s, %s, %s, true), set_config('statement_timeout', %s, true),"
                    " set_config('role', %s, true)",
                    (schema, self.branch.id, base, str(max(1, int(self.seconds * 1000))), VERIFIER_ROLE),
                )
                for statement in self.statements:
                    self._began = time.perf_counter()
                    self.findings.append(self._finding(raw, statement, self._began))
            finally:
                if not raw.closed:
                    raw.rollback()
                    raw.execute("SELECT pg_advisory_unlock_shared(7203, %s::int)", (self.branch.composition.id,))
                    raw.commit()
        return bool(built)

    def stopped(self) -> Finding:
        """The finding for a criterion that ran into its time limit."""
        error = f"stopped at its time limit of {self.seconds:g} s"
        return Finding(False, error=error, duration_ms=self.seconds * 1000)

    def _finding(self, raw: psycopg.Connection[Any], statement: str | None, start: float) -> Finding:
        if statement is None:
            return Finding(False)
        raw.execute("SAVEPOINT criterion")
        try:
            # binary: the protocol that takes one statement only
            rows = raw.cursor(binary=True).execute((_RUN % statement).encode()).fetchall()
        except psycopg.errors.QueryCanceled:
            raw.execute("ROLLBACK TO SAVEPOINT criterion")
            return self.stopped()
        except psycopg.Error as error:
            if raw.closed or error.sqlstate is None or error.sqlstate.startswith(("57P", "08")):
                raise translate(error) from error
            # Out of memory or of some limit too: that is the criterion's doing.
            raw.execute("ROLLBACK TO SAVEPOINT criterion")
            return Finding(False, error=error.diag.message_primary, duration_ms=_since(start))
        if len(rows) != 1:
            count = "several rows" if rows else "no row"
            return Finding(False, error=f"it gave {count} instead of one", duration_ms=_since(start))
        passed, expected, actual = rows[0]
        # NULL is not passed: what the criterion asks about is not there.
        return Finding(passed is True, _value(expected), _value(actual), duration_ms=_since(start))


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000


def _value(text: str | None) -> Any:
    if text is None or text == "null":
        return None
    if len(text) > MAX_VALUE:
        return text[:MAX_VALUE] + "…"
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # numbers and nesting beyond Python's limits
        return text
