"""Servers as they were given into specifications: named, normalised, judged and given a domain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from synth.ingest import application, domains
from synth.ingest.forms import Found, GivenServer, Rejected
from synth.ingest.names import server_name
from synth.ingest.near import near
from synth.ingest.tools import read_tools
from synth.ingest.wording import words_of
from synth.specs import ServerSpec


@dataclass(frozen=True)
class Agreement:
    """How our judgement compares with what sources say about their servers.

    Attributes:
        given: servers with a decision of a person.
        same: those of which we say the same.
        applications: those that a person found to be applications.
        found: those of them that we find too.
    """

    given: int
    same: int
    applications: int
    found: int


@dataclass(frozen=True)
class Ingestion:
    """What came of a number of sources.

    Attributes:
        rejected: lines and documents that hold no server, with the reason.
        agreement: with the decisions that the sources give; ``None``: they give none.
    """

    servers: tuple[ServerSpec, ...]
    rejected: tuple[Rejected, ...]
    agreement: Agreement | None


def ingest(
    found: Iterable[Found],
    *,
    classify: bool = False,
    taken: Collection[str] | None = None,
    progress: Callable[[ServerSpec], None] | None = None,
) -> Ingestion:
    """Specifications of all servers that were found.

    Args:
        classify: judge by ourselves also where a source gives a decision.
        taken: names that no server may get; by default those of the library of services.
        progress: called with each server; names of those that are near stand in the result only.
    """
    names = set(library_names() if taken is None else taken)
    servers: list[ServerSpec] = []
    rejected: list[Rejected] = []
    judged: list[tuple[bool, bool]] = []
    seen: set[tuple[str, str]] = set()
    for item in found:
        if isinstance(item, Rejected):
            rejected.append(item)
            continue
        server, own = _server(item, names, classify=classify)
        key = (server.original_name, server.model_dump_json(include={"tools", "refused"}))
        if key in seen:
            rejected.append(Rejected(item.place, f"the server {item.name} with the same tools was read before"))
            continue
        seen.add(key)
        names.add(server.name)
        servers.append(server)
        if item.decision is not None:
            judged.append((application.given(item.decision).application, own.application))
        if progress is not None:
            progress(server)
    alike = near({server.name: server.tools for server in servers})
    return Ingestion(
        tuple(server.model_copy(update={"near": alike[server.name]}) for server in servers),
        tuple(rejected),
        _agreement(judged),
    )


def _server(item: GivenServer, taken: Collection[str], *, classify: bool) -> tuple[ServerSpec, application.Finding]:
    tools, refused = read_tools(item.tools)
    words = words_of(tools)
    title = item.title or item.name
    own = application.find(words, title, item.description)
    finding = own if item.decision is None or classify else application.given(item.decision)
    server = ServerSpec(
        name=server_name(item.name, taken),
        original_name=item.name,
        title=title,
        description=item.description,
        source=item.source,
        application=finding.application and bool(tools),
        reason=finding.reason,
        domain=domains.domain_of(words, item.name, title, item.description),
        tools=tools,
        refused=refused,
    )
    return server, own


def _agreement(judged: list[tuple[bool, bool]]) -> Agreement | None:
    if not judged:
        return None
    return Agreement(
        given=len(judged),
        same=sum(given == own for given, own in judged),
        applications=sum(given for given, _ in judged),
        found=sum(given and own for given, own in judged),
    )


@cache
def library_names() -> frozenset[str]:
    """Names that services of the library have or may get: the folders of ``services/``."""
    return frozenset(item.name for item in files("services").iterdir() if item.is_dir() and item.name[:1].isalpha())
