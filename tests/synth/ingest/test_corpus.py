"""All specifications of the collection that lies beside the repository, where it does."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from engine.kit.service import DOMAINS
from engine.kit.values import json_text
from synth.ingest import GivenServer, Ingestion, ingest, read_file
from synth.ingest.summary import summary
from synth.ingest.tools import read_tools
from tests.synth.ingest.given import bound

PATH = Path(os.environ.get("COMPOWORLD_SPECS") or Path(__file__).parents[4] / "shared" / "specs" / "mcp_specs.jsonl")

pytestmark = pytest.mark.skipif(not PATH.is_file(), reason="the collection is not here: COMPOWORLD_SPECS names it")


@pytest.fixture(scope="module")
def given() -> list[GivenServer]:
    return [item for item in read_file(PATH) if isinstance(item, GivenServer)]


@pytest.fixture(scope="module")
def ingestion(given: list[GivenServer]) -> Ingestion:
    return ingest(given)


def test_every_server_and_every_tool(given: list[GivenServer], ingestion: Ingestion) -> None:
    assert len(ingestion.servers) == len(given) == 147
    assert ingestion.rejected == ()
    assert len({server.name for server in ingestion.servers}) == 147
    for server, source in zip(ingestion.servers, given, strict=True):
        assert len(server.tools) + len(server.refused) == len(source.tools)
    figures = summary(ingestion, 0)
    assert (figures["tools"], figures["usable"], figures["refused"]) == (4350, 4350, 0)
    assert (figures["applications"], figures["application_tools"]) == (77, 2457)


def test_the_kit_takes_every_tool(ingestion: Ingestion, tmp_path: Path) -> None:
    for server in ingestion.servers:
        json_text(server.model_dump(mode="json"))
        assert [tool.name for tool in bound(server.tools, tmp_path)] == [tool.name for tool in server.tools]


def test_what_was_repaired_needs_no_repair(ingestion: Ingestion) -> None:
    for server in ingestion.servers:
        again, refused = read_tools([tool.as_mcp() for tool in server.tools])
        assert refused == ()
        assert [tool.input_schema for tool in again] == [tool.input_schema for tool in server.tools]


def test_the_same_again_is_the_same(given: list[GivenServer], ingestion: Ingestion) -> None:
    assert ingest(given) == ingestion


def test_our_judgement(ingestion: Ingestion) -> None:
    found = ingestion.agreement
    assert found is not None and (found.given, found.applications) == (147, 77)
    assert found.same / found.given >= 0.85
    assert found.found / found.applications >= 0.90


def test_domains(ingestion: Ingestion) -> None:
    counts = Counter(server.domain for server in ingestion.servers if server.application)
    assert counts.keys() <= set(DOMAINS)
    assert len(counts) >= 13
    assert max(counts.values()) <= 77 * 0.4
