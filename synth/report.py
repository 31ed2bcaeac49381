"""What became of what was ingested, and what the library holds: figures for a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import text

from engine.database import Database
from engine.library import Library
from synth.shelf import code_version, quarantined

STATUSES = ("verified", "simulated", "quarantined", "refused", "unbuilt", "unattacked")

_SERVERS = text("""
SELECT s.name, s.original_name, s.title, s.domain, s.application, s.reason, b.builder, b.entities, b.status,
    coalesce(w.seconds, 0) AS build_seconds, coalesce(w.cost, 0) AS cost_usd, w.tokens, w.detail,
    coalesce(k.seconds, 0) AS attack_seconds, coalesce(k.calls, 0) AS attack_calls
FROM compoworld.spec s
LEFT JOIN compoworld.build b ON b.spec_id = s.id AND b.current
LEFT JOIN LATERAL (
    SELECT sum(x.seconds) AS seconds, sum(x.cost_usd) AS cost, sum(x.input_tokens + x.output_tokens) AS tokens,
        (array_agg(x.detail ORDER BY x.id DESC))[1] AS detail
    FROM compoworld.build x WHERE x.spec_id = s.id
) w ON true
LEFT JOIN LATERAL (
    SELECT x.seconds, x.calls FROM compoworld.attack x WHERE x.build_id = b.id ORDER BY x.id DESC LIMIT 1
) k ON true
ORDER BY s.name
""")

_TOOLS = text("""
SELECT service, tool, status, reason FROM compoworld.tool_status WHERE application ORDER BY service, ordinal
""")

_LAWS = text("""
SELECT t.tool, t.verdict, t.reason, t.laws FROM compoworld.attack_tool t
WHERE t.attack_id = (
    SELECT max(id) FROM compoworld.attack
    WHERE service = :service AND build_id IS NOT DISTINCT FROM CAST(:build AS bigint)
)
ORDER BY t.tool
""")


def summary(database: Database, library: Library | None = None, *, tools: bool = False) -> dict[str, Any]:
    """The report as one object; counts of tools are over the applications among what was ingested.

    Args:
        library: whose services made by hand are reported on, too.
        tools: with a line for every tool, not only for every service.
    """
    with database.transaction() as connection:
        servers = connection.execute(_SERVERS).all()
        lines = connection.execute(_TOOLS).all()
    by_service: dict[str, list[Any]] = {}
    for line in lines:
        by_service.setdefault(line.service, []).append(line)
    services = [_service(row, by_service.get(row.name, []), tools) for row in servers if row.application]
    totals = Counter(line.status for line in lines)
    built = [row for row in servers if row.application and row.builder is not None]
    seconds = sum(row.build_seconds + row.attack_seconds for row in servers)
    return {
        "servers": len(servers),
        "applications": sum(row.application for row in servers),
        "built": len(built),
        "tools": len(lines),
        **{status: totals[status] for status in STATUSES},
        "seconds": round(seconds, 1),
        "build_seconds": round(sum(row.build_seconds for row in servers), 1),
        "attack_seconds": round(sum(row.attack_seconds for row in servers), 1),
        "attack_calls": sum(row.attack_calls for row in servers),
        "cost_usd": float(sum(row.cost_usd for row in servers)),
        "domains": _shares(row.domain for row in built),
        "provenance": dict(sorted(Counter(row.builder for row in built).items())),
        "left_out": {row.name: row.reason for row in servers if not row.application},
        "services": services,
        **({"library": library_figures(database, library)} if library is not None else {}),
    }


def _service(row: Any, lines: list[Any], tools: bool) -> dict[str, Any]:
    counts = Counter(line.status for line in lines)
    return {
        "service": row.name,
        "title": row.title,
        "domain": row.domain,
        "builder": row.builder,
        "entities": row.entities or 0,
        "tools": len(lines),
        **{status: counts[status] for status in STATUSES},
        "seconds": round(row.build_seconds + row.attack_seconds, 2),
        "cost_usd": float(row.cost_usd),
        "tokens": int(row.tokens or 0),
        "reason": "" if row.builder else row.detail or "not built yet",
        **(
            {"by_tool": [{"tool": item.tool, "status": item.status, "reason": item.reason} for item in lines]}
            if tools
            else {}
        ),
    }


def _shares(domains: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(domains).items(), key=lambda pair: (-pair[1], pair[0])))


def library_figures(database: Database, library: Library) -> dict[str, Any]:
    """Figures of the services that were made by hand.

    Attributes of the result: services, tools, domains (name to services), largest (the largest domain with its share of
    the services), verified, quarantined, unattacked (tools).
    """
    services: list[dict[str, Any]] = []
    for name in Library().names():
        service = library.get(name)
        withheld = quarantined(database, name, code_version(service))
        services.append(
            {
                "service": name,
                "domain": service.domain,
                "entities": len(service.entities),
                "tools": len(service.without({}).tools),
                "quarantined": len(withheld or {}),
                "attacked": withheld is not None,
            }
        )
    domains = _shares(item["domain"] for item in services)
    largest = next(iter(domains.items()), ("", 0))
    attacked = [item for item in services if item["attacked"]]
    return {
        "services": len(services),
        "tools": sum(item["tools"] for item in services),
        "entities": sum(item["entities"] for item in services),
        "domains": domains,
        "largest": {
            "domain": largest[0],
            "services": largest[1],
            "share": round(largest[1] / max(1, len(services)), 3),
        },
        "attacked": len(attacked),
        "verified": sum(item["tools"] - item["quarantined"] for item in attacked),
        "quarantined": sum(item["quarantined"] for item in services),
        "by_service": services,
    }


def laws_of(database: Database, service: str, build: int | None) -> list[dict[str, Any]]:
    """What the last attack on a service said of each tool."""
    with database.transaction() as connection:
        rows = connection.execute(_LAWS, {"service": service, "build": build}).all()
    return [{"tool": row.tool, "verdict": row.verdict, "reason": row.reason, "laws": list(row.laws)} for row in rows]
