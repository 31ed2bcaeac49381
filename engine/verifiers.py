"""Verifiers: criteria as SQL over a branch's final state, judged where they can neither write nor look elsewhere.

Two walls: before a criterion is ever run, the server's own parse tree of it is inspected (one plain SELECT, only the
branch's relations, no volatile function: ``set_config`` and whatever executes SQL from text are volatile); and it runs
under a role that may only read those relations, in a read-only transaction with a time limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import psycopg
from sqlalchemy import text

from engine._judging import Finding, Judging
from engine.database import retried, translated
from engine.deadline import DeadlinePassed, Workers
from engine.errors import InputError

if TYPE_CHECKING:
    from engine.branches import Branch
    from engine.compositions import Composition

Kind = Literal["state", "must_not_change", "output", "answer"]
"""What a criterion looks at: a state reached, something left alone, a call made, the final answer."""

MAX_SQL = 20_000

GRACE_SECONDS = 1.0
"""How long past its limit the server may take to stop a criterion."""

_workers = Workers()


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
SELECT 'it calls ' || proname || ', which is neither a function of Postgres itself nor one for criteria'
FROM functions WHERE nspname NOT IN ('pg_catalog', 'compoworld_here')
UNION ALL
SELECT 'it calls ' || proname || ', which depends on more than the state of the branch'
FROM functions WHERE provolatile = 'v'
   OR proname IN ('now', 'transaction_timestamp', 'statement_timestamp', 'current_setting', 'txid_current_snapshot')
   OR proname LIKE 'pg\\_%%' AND proname <> 'pg_typeof' OR proname LIKE 'txid\\_%%'
   OR proname LIKE '%%\\_to\\_xml%%' OR proname = 'age' AND pronargs = 1
   OR proname IN ('version', 'current_schemas') OR proname LIKE 'inet\\_%%'
UNION ALL
SELECT 'it asks for the clock or the session (CURRENT_DATE, CURRENT_USER, ...)'
FROM rule WHERE tree LIKE '%%{{SQLVALUEFUNCTION%%'
UNION ALL
SELECT 'it names a moment that moves (now, today, tomorrow, yesterday)'
FROM rule WHERE tree ~ ':consttype (1082|1083|1114|1184|1266) '
            AND %s ~* '''\\s*(now|today|tomorrow|yesterday)(\\s+[0-9:.apm ]+)?\\s*'''
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
            raise _refused(error) from error
        problem = raw.execute(_INSPECTION.encode(), (statement, schema)).fetchone()
        connection.rollback()
    if problem is not None:
        raise InputError(f"a criterion may not do this: {problem[0]}")
    inspected.add((composition.id, statement))


def _refused(error: Exception) -> InputError:
    match getattr(error, "sqlstate", None) or "":
        case "42601":  # a mistyped SELECT as well as another statement
            return InputError(_primary(error), hint="a criterion's SQL is one plain SELECT")
        case state if state.startswith("42"):
            return InputError(_primary(error))
        case _:
            return InputError(f"a criterion's SQL is not one plain SELECT: {_primary(error)}")


def _primary(error: Exception) -> str:
    return (isinstance(error, psycopg.Error) and error.diag.message_primary) or str(error)


@retried
def judge(branch: Branch, criteria: Sequence[Criterion], *, seconds: float = 5.0) -> list[Check]:
    """Judge criteria on a branch at its head.

    Args:
        seconds: how long one criterion may take. The server stops at a limit where it can; a function in C that
            never looks is left behind with its connection.

    Returns:
        One check per criterion, in order. A criterion that errs is not passed, and says why.

    Raises:
        NotFound: the branch is gone.
        DatabaseUnavailable: the database was lost; nothing was judged.
    """
    world = branch.composition.world
    problems: dict[int, str] = {}
    for index, criterion in enumerate(criteria):
        try:
            inspect_criterion(branch.composition, criterion.sql)
        except InputError as error:
            problems[index] = str(error)
    statements = [None if index in problems else clean_sql(item.sql) for index, item in enumerate(criteria)]
    findings: list[Finding] = []
    built = False
    while len(findings) < len(criteria):
        job = Judging(branch, statements[len(findings) :], seconds)
        try:
            built |= _workers.run(job.run, seconds + GRACE_SECONDS, job.began)
            findings += job.findings
        except DeadlinePassed:
            findings += [*job.findings, job.stopped()]
            if job.backend is not None:
                with world.database.raw() as connection:
                    connection.execute("SELECT pg_terminate_backend(%s)", (job.backend,))
    if built:
        world.park_idle()
    return [
        Check(criterion, item.passed, item.expected, item.actual, problems.get(index, item.error), item.duration_ms)
        for index, (criterion, item) in enumerate(zip(criteria, findings, strict=True))
    ]
