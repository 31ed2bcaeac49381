"""Tools in quarantine: which, why, and whether what they failed still fails."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound
from engine.world import World
from synth.attack.minimising import replay_case
from synth.attack.report import Case, Step
from synth.builds import current_build
from synth.opening import target_of

_HELD = text("""
SELECT a.service, t.tool, t.reason, t.attack_id, c.ordinal, c.law, c.steps, c.about, c.expected, c.found
FROM compoworld.attack a
JOIN compoworld.attack_tool t ON t.attack_id = a.id AND t.verdict = 'quarantined'
LEFT JOIN compoworld.attack_case c ON c.attack_id = a.id AND c.tool = t.tool
WHERE a.id = (
    SELECT max(k.id) FROM compoworld.attack k
    WHERE k.service = a.service AND k.build_id IS NOT DISTINCT FROM a.build_id
)
    AND (a.build_id IS NULL OR a.build_id IN (SELECT id FROM compoworld.build WHERE current))
    AND (CAST(:service AS text) IS NULL OR a.service = :service)
    AND (CAST(:tool AS text) IS NULL OR t.tool = :tool)
ORDER BY a.service, t.tool, c.ordinal
""")


def held(database: Database, service: str | None = None, tool: str | None = None) -> list[dict[str, Any]]:
    """The tools in quarantine: ``service``, ``tool``, ``reason``, ``cases`` (law, steps, about, expected, found).

    Raises:
        NotFound: a tool is named that is not in quarantine.
    """
    with database.transaction() as connection:
        rows = connection.execute(_HELD, {"service": service, "tool": tool}).all()
    if tool is not None and not rows:
        raise NotFound(f"{service}.{tool} is not in quarantine", hint=f"compoworld synth quarantine {service}")
    return [
        {
            "service": key[0],
            "tool": key[1],
            "reason": key[2],
            "cases": [
                {name: getattr(row, name) for name in ("law", "steps", "about", "expected", "found")}
                for row in group
                if row.ordinal is not None
            ],
        }
        for key, group in groupby(rows, key=lambda row: (row.service, row.tool, row.reason))
    ]


def tried(world: World, found: list[dict[str, Any]]) -> dict[tuple[str, str, int], bool]:
    """Whether each case still fails, by service, tool and the case's place; nothing stays in the database."""
    again: dict[tuple[str, str, int], bool] = {}
    for service, items in groupby(found, key=lambda item: item["service"]):
        with target_of(world, service, current_build(world.database, service)) as target:
            for item in items:
                for place, stored in enumerate(item["cases"]):
                    steps = tuple(Step.of(step) for step in stored["steps"])
                    case = Case(
                        item["tool"], stored["law"], steps, stored["expected"], stored["found"], stored["about"]
                    )
                    again[service, item["tool"], place] = replay_case(target, case)
    return again
