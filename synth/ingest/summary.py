"""An ingestion in figures, as one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.kit.service import DOMAINS
from synth.ingest.servers import Agreement, Ingestion


def summary(ingestion: Ingestion, seconds: float, changes: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The figures of an ingestion.

    Args:
        seconds: how long it took.
        changes: for each server's name what putting it into the database changed; ``None``: it was not put there.
    """
    servers = ingestion.servers
    usable = sum(len(server.tools) for server in servers)
    refused = sum(len(server.refused) for server in servers)
    notes = Counter(note.kind for server in servers for tool in server.tools for note in tool.notes)
    return {
        "servers": len(servers),
        "applications": sum(server.application for server in servers),
        "tools": usable + refused,
        "usable": usable,
        "refused": refused,
        "application_tools": sum(len(server.tools) for server in servers if server.application),
        "notes": dict(sorted(notes.items(), key=lambda item: (-item[1], item[0]))),
        "domains": {
            domain: {
                "servers": len(there),
                "applications": sum(server.application for server in there),
                "tools": sum(len(server.tools) for server in there),
            }
            for domain in DOMAINS
            if (there := [server for server in servers if server.domain == domain])
        },
        "near": [[server.name, other] for server in servers for other in server.near if server.name < other],
        "agreement": _agreement(ingestion.agreement),
        "stored": None if changes is None else dict(sorted(Counter(changes.values()).items())),
        "rejected": [{"place": item.place, "reason": item.reason} for item in ingestion.rejected],
        "refused_tools": [
            {"server": server.name, "tool": item.original_name, "reason": item.reason}
            for server in servers
            for item in server.refused
        ],
        "listing": [
            {
                "name": server.name,
                "original_name": server.original_name,
                "source": server.source,
                "application": server.application,
                "reason": server.reason,
                "domain": server.domain,
                "tools": len(server.tools),
                "refused": len(server.refused),
                "notes": sum(len(tool.notes) for tool in server.tools),
                "change": (changes or {}).get(server.name),
            }
            for server in servers
        ],
        "seconds": round(seconds, 3),
    }


def _agreement(found: Agreement | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "given": found.given,
        "same": found.same,
        "rate": round(found.same / found.given, 4),
        "applications": found.applications,
        "found": found.found,
        "recall": round(found.found / found.applications, 4) if found.applications else None,
    }
