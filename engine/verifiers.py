"""Verifiers: criteria as SQL over a branch's final state, judged where they can neither write nor look elsewhere.

Two walls: before a criterion is ever run, the server's own parse tree of it is inspected (one plain SELECT, only the
branch's relations, no volatile function: ``set_config`` and whatever executes SQL from text are volatile); and it runs
under a role that may only read those relations, in a read-only transaction with a time limit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import psycopg
from sqlalchemy import text

from engine.database import retried, translate, translated
from engine.errors import InputError
from engine.kit import jsonable

if TYPE_CHECKING:
    from engine.branches import Branch
    from engine.compositions import Composition

Kind = Literal["state", "must_not_change", "output", "answer"]
"""What a criterion looks at: a state reached, something left alone, a call made, the final answer."""

VERIFIER_ROLE = "compoworld_verifier"
MAX_SQL = 20_000
MAX_VALUE = 2_000
"""Characters of an ``expected`` or ``actual`` value that are kept."""


@dataclass(frozen=True)
class Criterion:
    """One criterion of a rubric.

    Attributes:
        name: unique in its task.
        description: the criterion for people.
        sql: one SELECT that gives one row with ``passed`` (boolean), and optionally ``expected`` and ``actual``.
    """

    name: str
    kind: Kind
    description: str
    sql: str


@dataclass(frozen=True)
class Check:
    """A criterion judged on a branch.

    Attributes:
        error: what went wrong with the criterion itself; it then counts as not passed.
    """

    criterion: Criterion
    passed: bool
    expected: Any
    actual: Any
    error: str | None
    duration_ms: float


def clean_sql(sql: str) -> str:
    """The statement without surrounding space and its final semicolon."""
    return sql.strip().rstrip(";").rstrip()


# The parse tree names every function by its oid. Operators and casts are functions too.
_FUNCTIONS = r":(?:funcid|opfuncid|aggfnoid|winfnoid) (\d+)"
_INSPECTION = f"""
WITH rule AS (
    SELECT ev_action::text AS tree FROM pg_rewrite WHERE ev_class = 'pg_temp.criterion_inspected'::regclass
), functions AS (
    SELECT p.proname, p.provolatile, p.pronargs, n.nspname FROM rule, regexp_matches(tree, '{_FUNCTIONS}', 'g') AS m
    JOIN pg_proc p ON p.oid = m[1]::oid JOIN pg_namespace n ON n.oid = p.pronamespace
), relations AS (
    SELECT c.relname, c.relkind, n.nspname FROM rule, regexp_matches(tree, ':relid (\\d+)', 'g') AS m
    JOIN pg_class c ON c.oid = m[1]::oid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid <> 'pg_temp.criterion_inspected'::regclass
)
SELECT 'it calls ' || proname || ', which is no function of Postgres itself'
FROM functions WHERE nspname <> 'pg_catalog'
UNION ALL
SELECT 'it calls ' || proname || ', which depends on more than the state of the branch'
FROM functions WHERE provolatile = 'v'
   OR proname IN ('now', 'transaction_timestamp', 'statement_timestamp', 'current_setting', 'txid_current_snapshot')
   OR proname LIKE 'pg\\_%%' AND proname <> 'pg_typeof' OR proname LIKE 'txid\\_%%'
   OR proname LIKE '%%\\_to\\_xml%%' OR proname = 'age' AND pronargs = 1
UNION ALL
SELECT 'it asks for the clock or the session (CURRENT_DATE, CURRENT_USER, ...)'
FROM rule WHERE tree LIKE '%%{{SQLVALUEFUNCTION%%'
UNION ALL
SELECT 'it names a moment that moves (now, today, tomorrow, yesterday)'
FROM rule WHERE tree ~ ':consttype (1082|1083|1114|1184|1266) '
            AND %s ~* '''\\s*(now|today|tomorrow|yesterday)\\M[^'']*'''
UNION ALL
SELECT 'it locks rows' FROM rule WHERE tree LIKE '%%{{ROWMARKCLAUSE%%'
UNION ALL
SELECT 'it reads ' || nspname || '.' || relname || ', which is not a table of the branch'
FROM relations WHERE relkind <> 'v' OR nspname NOT IN (%s, 'compoworld_here')
UNION ALL
SELECT 'it gives no boolean column named passed'
WHERE NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'pg_temp.criterion_inspected'::regclass
                  AND attname = 'passed' AND atttypid = 'boolean'::regtype)
"""


@retried
def inspect_criterion(composition: Composition, sql: str) -> None:
    """Check that a criterion's SQL is one SELECT over the branch's relations that depends on nothing else.

    Raises:
        InputError: it is not; the message says why.
    """
    statement = clean_sql(sql)
    database, inspected = composition.world.database, composition.world.inspected
    if (composition.id, statement) in inspected:
        return
    if "\x00" in statement or len(statement) > MAX_SQL:
        raise InputError(f"a criterion's SQL has no NUL and at most {MAX_SQL} characters")
    with translated(), database.engine.connect() as connection:
        raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        schema = connection.execute(text("SELECT compoworld.hold(:id)"), {"id": composition.id}).scalar_one()
        connection.execute(
            text("SELECT set_config('search_path', :path, true)"), {"path": f'"{schema}", compoworld_here'}
        )
        try:
            # binary: the protocol that takes one statement only
            raw.cursor(binary=True).execute(f"CREATE TEMP VIEW criterion_inspected AS {statement}".encode())
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise InputError(f"a criterion's SQL is not one plain SELECT: {_primary(error)}") from error
        problem = raw.execute(_INSPECTION.encode(), (statement, schema)).fetchone()
        connection.rollback()
    if problem is not None:
        raise InputError(f"a criterion may not do this: {problem[0]}")
    inspected.add((composition.id, statement))


def _primary(error: Exception) -> str:
    return (isinstance(error, psycopg.Error) and error.diag.message_primary) or str(error)


@retried
def judge(branch: Branch, criteria: Sequence[Criterion], *, seconds: float = 5.0) -> list[Check]:
    """Judge criteria on a branch at its head, all on the same state.

    Args:
        seconds: how long one criterion may take.

    Returns:
        One check per criterion, in order. A criterion that errs is not passed, and says why.

    Raises:
        NotFound: the branch is gone.
        DatabaseUnavailable: the database was lost; nothing was judged.
    """
    problems: dict[int, str] = {}
    for index, criterion in enumerate(criteria):
        try:
            inspect_criterion(branch.composition, criterion.sql)
        except InputError as error:
            problems[index] = str(error)
    world = branch.composition.world
    checks = []
    with translated(), world.database.engine.connect() as connection:
        raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        # May have to write: a parked composition comes back here, and is leased so that it stays until the end.
        schema, base, built = raw.execute(
            "SELECT v.schema_name, v.base, v.built FROM compoworld.bring_back(%s) v,"
            " LATERAL pg_advisory_lock_shared(7203, v.composition_id::int)",
            (branch.id,),
        ).fetchone() or ("", 0, False)
        raw.commit()
        try:
            raw.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            raw.execute(
                "SELECT compoworld.enter(%s, %s, %s, true), set_config('statement_timeout', %s, true),"
                " set_config('role', %s, true)",
                (schema, branch.id, base, str(max(1, int(seconds * 1000))), VERIFIER_ROLE),
            )
            for index, criterion in enumerate(criteria):
                checks.append(_check(raw, criterion, problems.get(index), seconds))
        finally:
            if not raw.closed:
                raw.rollback()
                raw.execute("SELECT pg_advisory_unlock_shared(7203, %s::int)", (branch.composition.id,))
                raw.commit()
    if built:
        world.park_idle()
    return checks


def _check(raw: psycopg.Connection[Any], criterion: Criterion, problem: str | None, seconds: float) -> Check:
    start = time.perf_counter()

    def done(passed: bool, expected: Any = None, actual: Any = None, error: str | None = None) -> Check:
        return Check(criterion, passed, expected, actual, error, (time.perf_counter() - start) * 1000)

    if problem is not None:
        return done(False, error=problem)
    raw.execute("SAVEPOINT criterion")
    try:
        cursor = raw.cursor(binary=True)
        cursor.execute(f"SELECT * FROM (\n{clean_sql(criterion.sql)}\n) AS criterion LIMIT 2".encode())
        names = [item.name for item in cursor.description or []]
        rows = cursor.fetchall()
    except psycopg.errors.QueryCanceled:
        raw.execute("ROLLBACK TO SAVEPOINT criterion")
        return done(False, error=f"stopped at its time limit of {seconds:g} s")
    except psycopg.OperationalError as error:
        raise translate(error) from error
    except psycopg.Error as error:
        raw.execute("ROLLBACK TO SAVEPOINT criterion")
        return done(False, error=_primary(error))
    if len(rows) != 1:
        return done(False, error=f"it gave {'no row' if not rows else 'several rows'} instead of one")
    row = dict(zip(names, rows[0], strict=True))
    # NULL is not passed: what the criterion asks about is not there.
    return done(row["passed"] is True, _value(row.get("expected")), _value(row.get("actual")))


def _value(value: Any) -> Any:
    try:
        plain = jsonable(value)
    except TypeError:
        plain = str(value)
    shown = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    return plain if len(shown) <= MAX_VALUE else shown[:MAX_VALUE] + "…"
