"""Segments, goals, annotations, dashboards and exports of analytics."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from services.analytics.state import Export, Goal
from tests.services.play import Play
from tests.services.test_analytics import MARA, MARGIN, ON_TIME, RETURNS, REVIEW, SALES, WEEK, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("analytics"))


def test_segments(desk: Desk) -> None:
    made = desk("create_segment", name="Down under", dimension="region", dimension_values=["Australia"])
    assert desk("list_segments", dimension="region", query="DOWN")["items"] == [made]
    run = desk("run_report", report_id=desk.report(segment_id=made["id"], period="last_7_days")["id"])
    assert run["total"] == round(sum(desk.values(SALES, "2026-02-23", "2026-03-01", "Australia")), 2)
    desk.no("conflict", "create_segment", name="Down under", dimension="region", dimension_values=["Europe"])
    desk.no("invalid", "create_segment", name="x", dimension="region", dimension_values=["direct"])
    desk.no("invalid", "create_segment", name="x", dimension="planet", dimension_values=["Mars"])


def test_goals(desk: Desk) -> None:
    goals = {item["name"]: item for item in desk("list_goals")["items"]}
    over = goals["Newsletter visits in February"]
    values = desk.values("met_sessions", "2026-02-20", "2026-02-28", "newsletter")
    assert over["current_value"] == sum(values) and over["state"] == ("met" if sum(values) >= 6000 else "missed")
    assert over["attainment_percent"] == round(100 * sum(values) / 6000, 2)
    assert goals["On time in the first quarter"]["state"] in ("on_track", "behind")
    given = {"metric_id": RETURNS, "direction": "at_most", "target": 3.5, "dimension_value": "Europe"}
    made = desk("create_goal", name="Few returns", from_date="2026-02-01", to_date="2026-04-30", **given)
    assert made["state"] == "on_track" and {name: made[name] for name in given} == given
    assert made in desk("list_goals", metric_id=RETURNS, ending_after="2026-04-01", owner_email=MARA)["items"]
    future = desk("create_goal", name="Later", metric_id=SALES, target=1, from_date="2035-01-01", to_date="2035-12-31")
    assert (future["current_value"], future["attainment_percent"], future["state"]) == (None, None, "on_track")
    base = {"name": "y", "metric_id": SALES, "target": 5, "from_date": "2026-02-01", "to_date": "2026-04-01"}
    desk.no("conflict", "create_goal", **base | {"name": "Later"})
    desk.no("invalid", "create_goal", **base | {"to_date": "2026-03-02"})
    desk.no("invalid", "create_goal", **base | {"to_date": "2036-01-01"})
    desk.no("limit", "create_goal", **base | {"to_date": "2028-01-01"})
    desk.no("invalid", "create_goal", **base | {"dimension_value": "Mars"})
    desk.no("forbidden", "create_goal", **base | {"metric_id": MARGIN})
    desk.no("not_found", "create_goal", **base | {"metric_id": "met_x"})
    assert all(goal.to_date > goal.from_date for goal in desk.play.rows(Goal))


def test_annotations(desk: Desk) -> None:
    made = desk("create_annotation", day="2026-02-28", text="Stock count in the west hall")
    assert made["metric_id"] is None and made in desk("list_annotations", author_email=MARA)["items"]
    assert desk("list_annotations", from_date="2026-02-27", to_date="2026-02-28")["items"] == [made]
    assert made["id"] in [item["id"] for item in desk("run_report", report_id=WEEK)["annotations"]]
    assert desk("list_annotations", metric_id=ON_TIME, query="PALLETS")["total"] == 1
    assert desk("create_annotation", day="9999-12-31", text="x", metric_id=SALES)["day"] == "9999-12-31"
    desk.no("not_found", "create_annotation", day="2026-02-28", text="x", metric_id="met_x")


def test_dashboards(desk: Desk) -> None:
    made = desk("create_dashboard", name="Friday", report_ids=[WEEK, "rpt_0005"])
    assert made["tiles"][0]["total"] == desk("run_report", report_id=WEEK)["total"]
    assert desk("list_dashboards", owner_email=MARA, query="friDAY")["items"] == [made]
    month = desk("list_dashboards", query="month end")["items"][0]
    assert month["tiles"] == [{"report_id": "rpt_0010"}, {"report_id": "rpt_0009"}]
    desk.no("conflict", "create_dashboard", name="Friday", report_ids=[WEEK])
    desk.no("not_found", "create_dashboard", name="x", report_ids=["rpt_0009"])
    desk.no("conflict", "delete_report", report_id=REVIEW)
    for number in range(18):
        desk("create_dashboard", name=f"d{number}", report_ids=[WEEK])
    desk.no("limit", "create_dashboard", name="more", report_ids=[WEEK])


def test_exports(desk: Desk) -> None:
    run = desk("run_report", report_id=WEEK)
    made = desk("create_export", report_id=WEEK)
    lines = made["content"].splitlines()
    assert lines[0] == "dimension,EUR" and lines[1] == f"{run['groups'][0]['key']},{run['groups'][0]['value']}"
    assert desk("list_exports", report_id=WEEK, format="csv")["items"] == [made]
    plain = desk.report(period="last_7_days")["id"]
    single = desk("create_export", report_id=plain)["content"].splitlines()
    assert single == ["none,EUR", f"total,{run['total']}"]
    kept = json.loads(desk("create_export", report_id=plain, format="json")["content"])
    assert kept["total"] == run["total"]
    desk.no("not_found", "create_export", report_id="rpt_0010")
    desk("delete_report", report_id=plain)
    assert all(row.report_id != plain for row in desk.play.rows(Export))
    for _ in range(50 - desk("list_exports")["total"]):
        desk("create_export", report_id=WEEK)
    desk.no("limit", "create_export", report_id=WEEK)
