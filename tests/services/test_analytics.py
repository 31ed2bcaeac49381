"""Analytics: metrics and their values, reports and who sees them, goals, segments, dashboards, exports."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.analytics import service
from services.analytics.figures import period_of
from services.analytics.state import DailyValue, Metric, Report
from tests.services.play import Play

SALES, ON_TIME, MARGIN, RETURNS = "met_net_sales", "met_on_time", "met_margin", "met_return_rate"
MARA, LUIS = "mara.lindqvist@larkspur.example", "luis.herrera@larkspur.example"
REVIEW, WEEK = "rpt_0001", "rpt_0003"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("analytics", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("analytics", tool, **arguments)
        assert error["code"] == code, error
        return error

    def values(self, metric: str, first: str, last: str, *only: str) -> list[float]:
        return [
            row.value
            for row in self.play.rows(DailyValue)
            if row.metric_id == metric
            and first <= row.day.isoformat() <= last
            and (not only or row.dimension_value in only)
        ]

    def report(self, **more: Any) -> Any:
        return self("create_report", **{"name": "Mine", "metric_id": SALES} | more)


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("analytics"))


def test_seed_is_deterministic_and_sound(desk: Desk) -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("analytics", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 260
    emails = {person.email for person in COLLEAGUES}
    for name, values in rows(0):
        assert values.get("owner_email", MARA) in emails, name
        assert values.get("author_email", MARA) in emails, name
    metrics = {row.id: row for row in desk.play.rows(Metric)}
    for row in desk.play.rows(DailyValue):
        assert row.day < date(2026, 3, 2)
        assert metrics[row.metric_id].unit != "percent" or 0 <= row.value <= 100
    for report in desk.play.rows(Report):
        assert metrics[report.metric_id].sensitivity != "confidential" or report.visibility == "private"
    carriers = {row.dimension_value for row in desk.play.rows(DailyValue) if row.metric_id == "met_late_pickups"}
    assert "Coastline Freight" in carriers


def test_metrics(desk: Desk) -> None:
    items = {item["id"]: item for item in desk("list_metrics")["items"]}
    assert items[SALES]["dimension_values"] == ["Australia", "Europe", "North America"]
    assert (items[SALES]["last_day"], items[ON_TIME]["last_day"]) == ("2026-03-01", "2026-02-23")
    assert [i["id"] for i in desk("list_metrics", sensitivity="confidential")["items"]] == [MARGIN]
    assert {i["id"] for i in desk("list_metrics", dimension="region")["items"]} == {SALES, RETURNS, MARGIN}
    assert [i["id"] for i in desk("list_metrics", query="COBALT")["items"]] == [ON_TIME]


def test_daily_values(desk: Desk) -> None:
    week = {"metric_id": SALES, "from_date": "2026-02-23", "to_date": "2026-03-01"}
    found = desk("list_daily_values", **week, dimension_value="Europe")
    assert found["total"] == 7 and [i["day"] for i in found["items"]][0::6] == ["2026-02-23", "2026-03-01"]
    assert [i["value"] for i in found["items"]] == desk.values(SALES, "2026-02-23", "2026-03-01", "Europe")
    page = desk("list_daily_values", **week, limit=20)
    rest = desk("list_daily_values", **week, limit=20, cursor=page["next_cursor"])
    keys = [(i["day"], i["dimension_value"]) for i in page["items"] + rest["items"]]
    assert len(keys) == 21 and keys == sorted(set(keys))
    assert desk("list_daily_values", metric_id=SALES, from_date="9999-12-31")["items"] == []
    desk.no("forbidden", "list_daily_values", metric_id=MARGIN)
    desk.no("not_found", "list_daily_values", metric_id="met_x")


def test_the_review_of_cobalt_ridge(desk: Desk) -> None:
    run = desk("run_report", report_id=REVIEW)
    values = desk.values(ON_TIME, "2025-12-01", "2026-02-28")
    assert run["total"] == round(sum(values) / len(values), 2) and run["unit"] == "percent"
    groups = [item["value"] for item in run["groups"]]
    assert len(groups) == 3 and groups == sorted(groups, reverse=True)
    assert any("Two pallets" in item["text"] for item in run["annotations"])
    shared = desk("update_report", report_id=REVIEW, shared_with_emails=["imogen.clarke@cobaltridge.example"])
    assert shared["shared_with_emails"] == ["imogen.clarke@cobaltridge.example"]
    months = desk("run_report", report_id="rpt_0002")["groups"]
    assert [item["key"] for item in months] == ["2025-12", "2026-01", "2026-02"]


def test_sums_and_changes(desk: Desk) -> None:
    run = desk("run_report", report_id=WEEK)
    total = round(sum(desk.values(SALES, "2026-02-23", "2026-03-01")), 2)
    before = round(sum(desk.values(SALES, "2026-02-16", "2026-02-22")), 2)
    assert (run["from_date"], run["to_date"]) == ("2026-02-23", "2026-03-01")
    assert (run["total"], run["previous_total"]) == (total, before)
    assert run["change_percent"] == round(100 * (total - before) / before, 2)
    assert round(sum(item["value"] for item in run["groups"]), 2) == total
    assert [item["id"] for item in run["annotations"]] == ["ann_0001"]
    day = desk("run_report", report_id=WEEK, from_date="2026-02-26", to_date="2026-02-26")
    assert day["total"] == round(sum(desk.values(SALES, "2026-02-26", "2026-02-26")), 2)
    empty = desk("run_report", report_id=WEEK, from_date="2030-01-01", to_date="2030-12-31")
    assert (empty["total"], empty["change_percent"], empty["groups"]) == (None, None, [])
    overseas = desk("run_report", report_id="rpt_0004")
    assert overseas["total"] == round(
        sum(desk.values(SALES, "2026-02-16", "2026-03-01", "North America", "Australia")), 2
    )
    assert [item["key"] for item in overseas["groups"]] == sorted(item["key"] for item in overseas["groups"])
    desk.no("invalid", "run_report", report_id=WEEK, from_date="2026-02-26")
    desk.no("invalid", "run_report", report_id=WEEK, from_date="2026-02-26", to_date="2026-02-25")
    desk.no("invalid", "run_report", report_id=WEEK, from_date="0001-01-01", to_date="9999-12-31")
    desk.no("limit", "run_report", report_id=WEEK, from_date="2026-01-01", to_date="2028-01-01")
    desk.no("not_found", "run_report", report_id="rpt_x")


@pytest.mark.parametrize(
    ("period", "today", "first", "last"),
    [
        ("last_7_days", "2026-03-02", "2026-02-23", "2026-03-01"),
        ("last_28_days", "2026-03-02", "2026-02-02", "2026-03-01"),
        ("this_month", "2026-03-02", "2026-03-01", "2026-03-01"),
        ("this_month", "2026-03-01", "2026-03-01", "2026-03-01"),
        ("last_month", "2026-03-31", "2026-02-01", "2026-02-28"),
        ("last_month", "2026-01-10", "2025-12-01", "2025-12-31"),
    ],
)
def test_periods(period: str, today: str, first: str, last: str) -> None:
    report = Report(id="r", name="r", metric_id="m", period=period)
    found = period_of(report, date.fromisoformat(today))
    assert [item.isoformat() for item in found] == [first, last]


def test_reports(desk: Desk) -> None:
    given = {"period": "custom", "from_date": "2026-02-01", "to_date": "2026-02-28", "group_by": "week"}
    made = desk.report(dimension_values=["Europe"], **given)
    assert {name: made[name] for name in given} == given and made["visibility"] == "private"
    assert desk("get_report", report_id=made["id"]) == made
    assert made["id"] in [i["id"] for i in desk("list_reports", owner_email=MARA, group_by="week")["items"]]
    weeks = desk("run_report", report_id=made["id"])["groups"]
    assert [item["key"] for item in weeks] == ["2026-02-09", "2026-02-16", "2026-02-23"]
    assert desk.report()["id"] != made["id"]
    changed = desk("update_report", report_id=made["id"], period="last_7_days", name="Ours", visibility="company")
    assert (changed["from_date"], changed["to_date"], changed["name"]) == (None, None, "Ours")
    swapped = desk("update_report", report_id=made["id"], dimension_values=[], segment_id="seg_01")
    assert (swapped["dimension_values"], swapped["segment_id"]) == ([], "seg_01")
    assert desk("update_report", report_id=made["id"], segment_id=None)["segment_id"] is None
    assert desk("delete_report", report_id=made["id"])["deleted"]
    for tool, more in (("get_report", {}), ("update_report", {"name": "x"}), ("delete_report", {}), ("run_report", {})):
        desk.no("not_found", tool, report_id=made["id"], **more)


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("invalid", {"period": "custom"}),
        ("invalid", {"from_date": "2026-02-01", "to_date": "2026-02-02"}),
        ("invalid", {"period": "custom", "from_date": "2026-02-02", "to_date": "2026-02-01"}),
        ("limit", {"period": "custom", "from_date": "2024-01-01", "to_date": "2026-02-01"}),
        ("invalid", {"dimension_values": ["Mars"]}),
        ("invalid", {"dimension_values": ["Europe"], "segment_id": "seg_01"}),
        ("invalid", {"segment_id": "seg_02"}),
        ("not_found", {"segment_id": "seg_x"}),
        ("not_found", {"metric_id": "met_x"}),
        ("forbidden", {"metric_id": MARGIN}),
        ("invalid_arguments", {"name": " "}),
    ],
)
def test_reports_must_make_sense(desk: Desk, code: str, more: dict[str, Any]) -> None:
    desk.no(code, "create_report", **{"name": "x", "metric_id": SALES} | more)
    if code != "invalid_arguments" and "metric_id" not in more:
        made = desk.report()
        desk.no(code, "update_report", report_id=made["id"], **more)


def test_who_sees_reports(desk: Desk) -> None:
    seen = {item["id"] for item in desk("list_reports", limit=100)["items"]}
    assert "rpt_0006" in seen and not seen & {"rpt_0009", "rpt_0010"}
    desk.no("not_found", "get_report", report_id="rpt_0009")
    desk.no("not_found", "run_report", report_id="rpt_0010")
    assert desk("run_report", report_id="rpt_0006")["total"] > 0
    desk.no("forbidden", "update_report", report_id="rpt_0006", name="x")
    desk.no("forbidden", "delete_report", report_id="rpt_0006")
    mine = desk.report()["id"]
    assert desk("update_report", report_id=mine, shared_with_emails=[LUIS])["shared_with_emails"] == [LUIS]
    desk.no("forbidden", "update_report", report_id=mine, shared_with_emails=["talia.brooks@granitepeak.example"])
    desk.no("invalid", "update_report", report_id=mine)
    assert desk("list_reports", visibility="private", query="pickups")["total"] == 1


def test_confidential_reports_stay_private(play: Callable[..., Play]) -> None:
    def give(row: Entity) -> None:
        if isinstance(row, Report) and row.metric_id == MARGIN:
            row.owner_email = MARA
        if isinstance(row, Metric) and row.id == MARGIN:
            row.team = "operations"

    desk = Desk(play("analytics", edit=give))
    assert desk("run_report", report_id="rpt_0009")["total"] > 20
    desk.no("forbidden", "update_report", report_id="rpt_0009", visibility="company")
    desk.no("forbidden", "update_report", report_id="rpt_0009", shared_with_emails=[LUIS])
    desk.no("forbidden", "create_export", report_id="rpt_0009")


def test_reports_are_limited(desk: Desk) -> None:
    have = desk("list_reports", owner_email=MARA)["total"]
    for _ in range(50 - have):
        last = desk.report()["id"]
    desk.no("limit", "create_report", name="x", metric_id=SALES)
    desk("delete_report", report_id=last)
    desk.report()


@pytest.mark.parametrize(
    "tool",
    [
        "list_metrics",
        "list_reports",
        "list_segments",
        "list_goals",
        "list_annotations",
        "list_dashboards",
        "list_exports",
    ],
)
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    page = desk(tool, limit=1)
    found = page["items"]
    while page["next_cursor"]:
        page = desk(tool, limit=1, cursor=page["next_cursor"])
        found += page["items"]
    assert found == desk(tool, limit=100)["items"]
    desk.no("invalid", tool, cursor="nonsense")
