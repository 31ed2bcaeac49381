"""Figures: they add up, and are the same in the view."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from engine.database import Database
from synth.builds import current_build
from synth.pipeline import build_all, chosen
from synth.report import STATUSES, laws_of, library_figures, summary
from synth.shelf import Shelf
from tests.synth.desk import LOANS, VAGUE, ingested


@pytest.fixture(scope="module")
def figures(ready: Database) -> dict[str, Any]:
    return summary(ready, tools=True)


def test_they_add_up(figures: dict[str, Any]) -> None:
    assert {key: figures[key] for key in ("servers", "applications", "built", "tools")} == {
        "servers": 4,
        "applications": 3,
        "built": 2,
        "tools": 16,
    }
    assert {status: figures[status] for status in STATUSES} == {
        "verified": 9,
        "simulated": 2,
        "quarantined": 1,
        "refused": 2,
        "unbuilt": 2,
        "unattacked": 0,
    }
    for item in (figures, *figures["services"]):
        assert sum(item[status] for status in STATUSES) == item["tools"]
    for item in figures["services"]:
        assert len(item["by_tool"]) == item["tools"]
        assert all(tool["reason"] for tool in item["by_tool"])
    assert figures["seconds"] > 0 and figures["attack_calls"] > 50
    assert figures["provenance"] == {"compiler": 2}
    assert figures["left_out"] == {"weather": "it only tells what is elsewhere"}


def test_what_is_not_verified_has_its_reason(figures: dict[str, Any]) -> None:
    by_name = {item["service"]: item for item in figures["services"]}
    assert by_name["vague"]["builder"] is None and "none of its tools" in by_name["vague"]["reason"]
    tools = {(item["service"], tool["tool"]): tool for item in figures["services"] for tool in item["by_tool"]}
    assert tools["wrong_loans", "delete_loan"]["status"] == "quarantined"
    assert tools["loans", "guess_tomorrow"]["reason"] == "its name does not say what it does to the state"
    assert [tool["reason"] for tool in by_name["loans"]["by_tool"] if tool["status"] == "refused"] == ["it has no name"]
    assert "none of its tools" in tools["vague", "think"]["reason"]


def test_the_view_says_the_same(ready: Database, figures: dict[str, Any]) -> None:
    with ready.transaction() as connection:
        rows = connection.execute(
            text("SELECT status, count(*) FROM compoworld.tool_status WHERE application GROUP BY 1")
        ).all()
        left_out = connection.execute(
            text("SELECT status, reason FROM compoworld.tool_status WHERE service = 'weather'")
        ).all()
    assert dict(rows) == {status: figures[status] for status in STATUSES if figures[status]}  # type: ignore[arg-type]
    assert [tuple(row) for row in left_out] == [("unbuilt", "it only tells what is elsewhere")]


def test_before_anything_is_attacked(desk: Database) -> None:
    assert summary(desk)["servers"] == 0
    ingested(desk, LOANS, VAGUE)
    assert summary(desk)["unbuilt"] == 8
    build_all(desk.url, chosen(desk))
    figures = summary(desk, Shelf(desk))
    assert (figures["unattacked"], figures["simulated"], figures["unbuilt"], figures["refused"]) == (5, 1, 2, 1)
    assert "loans" not in {item["service"] for item in figures["library"]["by_service"]}


def test_the_library(ready: Database) -> None:
    library = library_figures(ready, Shelf(ready))
    assert library["services"] == 30 and library["tools"] >= 550 and len(library["domains"]) >= 13
    assert library["largest"]["share"] <= 0.25
    assert (library["attacked"], library["verified"]) == (0, 0)
    assert sum(library["domains"].values()) == library["services"]


def test_laws(ready: Database) -> None:
    build = current_build(ready, "loans")
    assert build is not None
    laws = {item["tool"]: item for item in laws_of(ready, "loans", build.id)}
    assert set(laws) == {item.name for item in LOANS.tools} - {"guess_tomorrow"}
    assert "invalid_refused" in laws["create_loan"]["laws"]
    assert laws_of(ready, "mail", None) == []
