"""Attacks in the database: verdicts and cases are kept, so that any of them can be tried again."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, text

from engine.database import Database
from engine.errors import NotFound
from synth.attack.report import AttackReport, Case, Step, ToolVerdict

_INSERT = text("""
INSERT INTO compoworld.attack (build_id, service, version, seed, calls, seconds, model, conversation)
VALUES (:build_id, :service, :version, :seed, :calls, :seconds, :model, CAST(:conversation AS json))
RETURNING id
""")

_INSERT_TOOL = text("""
INSERT INTO compoworld.attack_tool (attack_id, tool, verdict, reason, calls, laws)
VALUES (:attack_id, :tool, :verdict, :reason, :calls, :laws)
""")

_INSERT_CASE = text("""
INSERT INTO compoworld.attack_case (attack_id, tool, ordinal, law, steps, about, expected, found)
VALUES (:attack_id, :tool, :ordinal, :law, CAST(:steps AS json), CAST(:about AS json), :expected, :found)
""")

_ATTACK = text(
    "SELECT service, version, seed, calls, seconds, model, conversation FROM compoworld.attack WHERE id = :id"
)

# The order of the specification is that in which the verdicts were written.
_TOOLS = text("""
SELECT tool, verdict, reason, calls, laws FROM compoworld.attack_tool WHERE attack_id = :id ORDER BY tool
""")

_CASES = text("""
SELECT tool, law, steps, about, expected, found FROM compoworld.attack_case
WHERE attack_id = :id ORDER BY tool, ordinal
""")

_LATEST = text("""
SELECT id FROM compoworld.attack
WHERE service = :service AND (CAST(:version AS text) IS NULL OR version = :version)
  AND build_id IS NOT DISTINCT FROM CAST(:build_id AS bigint)
ORDER BY id DESC LIMIT 1
""")


def put_attack(database: Database, report: AttackReport, build_id: int | None = None) -> int:
    """Keep an attack; its number.

    Args:
        build_id: the build that was attacked; ``None``: a service of the library.
    """
    with database.transaction() as connection:
        return insert_attack(connection, report, build_id)


def insert_attack(connection: Connection, report: AttackReport, build_id: int | None = None) -> int:
    """Keep an attack, in a transaction of the caller's."""
    number: int = connection.execute(
        _INSERT,
        {
            "build_id": build_id,
            "service": report.service,
            "version": report.version,
            "seed": report.seed,
            "calls": report.calls,
            "seconds": report.seconds,
            "model": report.model,
            "conversation": json.dumps(report.conversation) if report.model is not None else None,
        },
    ).scalar_one()
    tools = [
        {
            "attack_id": number,
            "tool": item.tool,
            "verdict": item.verdict,
            "reason": _storable(item.reason),
            "calls": item.calls,
            "laws": list(item.laws),
        }
        for item in report.tools
    ]
    cases = [
        {
            "attack_id": number,
            "tool": item.tool,
            "ordinal": ordinal,
            "law": case.law,
            "steps": json.dumps([step.as_json() for step in case.steps]),
            "about": json.dumps(case.about),
            "expected": _storable(case.expected),
            "found": _storable(case.found),
        }
        for item in report.tools
        for ordinal, case in enumerate(item.cases, 1)
    ]
    if tools:
        connection.execute(_INSERT_TOOL, tools)
    if cases:
        connection.execute(_INSERT_CASE, cases)
    return number


def get_attack(database: Database, number: int) -> AttackReport:
    """An attack by its number; its tools by name.

    Raises:
        NotFound: there is none.
    """
    with database.transaction() as connection:
        row = connection.execute(_ATTACK, {"id": number}).first()
        if row is None:
            raise NotFound(f"there is no attack {number}")
        cases: dict[str, list[Case]] = {}
        for tool, law, steps, about, expected, found in connection.execute(_CASES, {"id": number}):
            made = Case(tool, law, tuple(Step.of(step) for step in steps), expected, found, about)
            cases.setdefault(tool, []).append(made)
        tools = tuple(
            ToolVerdict(tool, verdict, reason, tuple(laws), calls, tuple(cases.get(tool, ())))
            for tool, verdict, reason, calls, laws in connection.execute(_TOOLS, {"id": number})
        )
    return AttackReport(row[0], row[1], row[2], tools, row[3], row[4], row[5], tuple(row[6] or ()))


def latest_attack(
    database: Database, service: str, version: str | None = None, build_id: int | None = None
) -> int | None:
    """The number of the last attack on a service, or ``None``.

    Args:
        version: of the service; ``None``: any.
        build_id: of a build; ``None``: of the library.
    """
    with database.transaction() as connection:
        found = connection.execute(_LATEST, {"service": service, "version": version, "build_id": build_id}).scalar()
    return None if found is None else int(found)


def _storable(words: Any) -> str:
    """A text without what Postgres cannot hold."""
    return str(words).replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode()
