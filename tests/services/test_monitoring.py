"""Monitoring: values and thresholds, alerts and silences, routes, uptime, dashboards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.monitoring import service
from services.monitoring.evaluation import is_broken
from services.monitoring.state import Alert, AlertRule, MetricPoint, Monitor
from tests.services.play import Play

PRINTER, WIFI, SHOP, FEED, EXPORT = (
    "mon_print_server",
    "mon_west_gate_wifi",
    "mon_storefront",
    "mon_kestrel_feed",
    "mon_nightly_export",
)
MARA = "mara.lindqvist@larkspur.example"


class Watch:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("monitoring", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("monitoring", tool, **arguments)
        assert error["code"] == code, error
        return error

    def rule(self, **more: Any) -> Any:
        given = {"monitor_id": PRINTER, "name": "Half full", "metric": "disk_percent", "comparison": "above"}
        return self("create_alert_rule", **given | {"threshold": 50, "severity": "info"} | more)


@pytest.fixture
def watch(play: Callable[..., Play]) -> Watch:
    return Watch(play("monitoring"))


def test_seed_is_deterministic_and_sound(watch: Watch) -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("monitoring", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    emails = {person.email for person in COLLEAGUES}
    for _, values in rows(0):
        assert all(values[name] in emails for name in ("owner_email", "created_by") if name in values)
        assert values.get("acknowledged_by") in {None, *emails}


def test_seed_alerts_follow_from_the_values(watch: Watch) -> None:
    monitors = {row.id: row for row in watch.play.rows(Monitor)}
    newest: dict[tuple[str, str], MetricPoint] = {}
    for point in sorted(watch.play.rows(MetricPoint), key=lambda row: row.at):
        assert point.metric in monitors[point.monitor_id].metrics
        newest[point.monitor_id, point.metric] = point
    alerts = watch.play.rows(Alert)
    for rule in watch.play.rows(AlertRule):
        open_ = [row for row in alerts if row.alert_rule_id == rule.id and row.status != "resolved"]
        live = rule.status == "enabled" and monitors[rule.monitor_id].status == "active"
        assert bool(open_) == (live and is_broken(rule, newest[rule.monitor_id, rule.metric].value)), rule.name
    for alert in alerts:
        assert (alert.resolved_at is not None) == (alert.status == "resolved")
        assert alert.status != "acknowledged" or alert.acknowledged_by


def test_monitors_and_their_states(watch: Watch) -> None:
    items = {item["id"]: item for item in watch("list_monitors", limit=100)["items"]}
    assert {key: item["state"] for key, item in items.items() if item["state"] != "ok"} == {
        EXPORT: "down",
        "mon_orders_db": "degraded",
        PRINTER: "degraded",
        WIFI: "degraded",
        "mon_scanner_server": "paused",
    }
    assert {i["metric"]: i["value"] for i in items[PRINTER]["newest_values"]} == {"disk_percent": 86, "queue_length": 2}
    for state in ("ok", "degraded", "down", "paused"):
        listed = watch("list_monitors", state=state)["items"]
        assert {i["id"] for i in listed} == {key for key, item in items.items() if item["state"] == state}
    assert [i["id"] for i in watch("list_monitors", query="KESTREL", kind="endpoint")["items"]] == [FEED]
    assert watch("list_monitors", team="support")["total"] == 1


def test_values_of_the_outage(watch: Watch) -> None:
    outage = {"since": "2026-02-26T13:00:00Z", "until": "2026-02-26T16:00:00Z"}
    found = watch("list_metric_points", monitor_id=FEED, metric="error_percent", **outage)
    assert (found["total"], found["minimum"], found["maximum"]) == (6, 0.2, 100)
    assert [i["at"] for i in found["items"]][:1] == ["2026-02-26T15:45:00Z"]
    page = watch("list_metric_points", monitor_id=FEED, metric="error_percent", limit=4)
    rest = watch("list_metric_points", monitor_id=FEED, metric="error_percent", limit=200, cursor=page["next_cursor"])
    assert len(page["items"]) + len(rest["items"]) == page["total"]
    none = watch("list_metric_points", monitor_id=FEED, metric="error_percent", since="9999-12-31T00:00:00Z")
    assert (none["total"], none["average"], none["items"]) == (0, None, [])
    watch.no("not_found", "list_metric_points", monitor_id=FEED, metric="cpu_percent")
    watch.no("not_found", "list_metric_points", monitor_id="mon_x", metric="cpu_percent")


def test_values_open_and_resolve_alerts(watch: Watch) -> None:
    broken = watch("create_metric_point", monitor_id=SHOP, metric="response_ms", value=1500.5)
    (opened,) = broken["changed_alerts"]
    assert opened["status"] == "firing" and opened["title"] == "Home page slow"
    again = watch("create_metric_point", monitor_id=SHOP, metric="response_ms", value=1600)
    assert again["changed_alerts"] == []
    kept = watch("create_metric_point", monitor_id=SHOP, metric="response_ms", value=1500)
    assert kept["changed_alerts"] == [opened | {"status": "resolved"}]
    alert = watch("list_alerts", monitor_id=SHOP)["items"][0]
    assert (alert["value"], alert["resolved_by"]) == (1500.5, None)
    watch.no(
        "conflict", "create_metric_point", monitor_id=SHOP, metric="response_ms", value=1, at="2026-03-01T00:00:00Z"
    )
    watch.no(
        "invalid", "create_metric_point", monitor_id=SHOP, metric="response_ms", value=1, at="9999-12-31T00:00:00Z"
    )
    watch.no("conflict", "create_metric_point", monitor_id="mon_scanner_server", metric="cpu_percent", value=1)
    watch.no("not_found", "create_metric_point", monitor_id=SHOP, metric="disk_percent", value=1)
    watch.no("invalid_arguments", "create_metric_point", monitor_id=SHOP, metric="response_ms", value=1e300)


def test_rules(watch: Watch) -> None:
    made = watch.rule()
    assert made["alert_id"] and (made["threshold"], made["created_by"]) == (50, MARA)
    assert made["id"] in [i["id"] for i in watch("list_alert_rules", monitor_id=PRINTER, severity="info")["items"]]
    watch.no("conflict", "create_alert_rule", **_rule() | {"threshold": 50})
    raised = watch("update_alert_rule", alert_rule_id=made["id"], threshold=90, name="Nearly full", runbook="Clean")
    assert (raised["threshold"], raised["name"], raised["alert_id"]) == (90, "Nearly full", None)
    assert watch("list_alerts", alert_rule_id=made["id"])["items"][0]["status"] == "resolved"
    lowered = watch("update_alert_rule", alert_rule_id=made["id"], threshold=86, severity="critical")
    assert lowered["alert_id"] is None
    assert watch("update_alert_rule", alert_rule_id=made["id"], threshold=85.5)["alert_id"]
    off = watch("update_alert_rule", alert_rule_id=made["id"], status="disabled")
    assert (off["status"], off["alert_id"]) == ("disabled", None)
    assert watch("list_alerts", alert_rule_id=made["id"])["items"][0]["resolved_by"] == MARA
    assert watch("update_alert_rule", alert_rule_id=made["id"], status="enabled")["alert_id"]
    watch.no("invalid", "update_alert_rule", alert_rule_id=made["id"])
    watch.no("conflict", "update_alert_rule", alert_rule_id=made["id"], threshold=95)
    assert watch("delete_alert_rule", alert_rule_id=made["id"])["deleted"]
    for tool, more in (("update_alert_rule", {"name": "x"}), ("delete_alert_rule", {})):
        watch.no("not_found", tool, alert_rule_id=made["id"], **more)
    orphans = [row for row in watch.play.rows(Alert) if row.monitor_id == PRINTER and row.alert_rule_id is None]
    assert len(orphans) == 3 and all(row.status == "resolved" for row in orphans)


def _rule(**more: Any) -> dict[str, Any]:
    given = {"monitor_id": PRINTER, "name": "x", "metric": "disk_percent", "comparison": "above"}
    return given | {"threshold": 40, "severity": "info"} | more


def test_rules_say_no(watch: Watch) -> None:
    watch.no("forbidden", "create_alert_rule", **_rule(monitor_id=SHOP, metric="response_ms"))
    watch.no("forbidden", "update_alert_rule", alert_rule_id="rul_0001", name="x")
    watch.no("forbidden", "delete_alert_rule", alert_rule_id="rul_0001")
    watch.no("not_found", "create_alert_rule", **_rule(monitor_id="mon_x"))
    watch.no("not_found", "create_alert_rule", **_rule(metric="nothing"))
    for number in range(7):
        watch.rule(threshold=number)
    watch.no("limit", "create_alert_rule", **_rule())
    below = watch(
        "create_alert_rule", **_rule(monitor_id=WIFI, metric="signal_percent", comparison="below", threshold=20)
    )
    assert below["alert_id"] is None


def test_acknowledge_and_resolve(watch: Watch) -> None:
    firing = watch("list_alerts", status="firing")["items"]
    assert [i["title"] for i in firing] == ["Export hangs", "Database busy"]
    assert firing[0]["channels"] == ["Engineering pager", "Incidents"] and firing[1]["channels"] == ["Incidents"]
    taken = watch("acknowledge_alert", alert_id=firing[0]["id"], note="I cancel the run")
    assert (taken["status"], taken["acknowledged_by"], taken["note"]) == ("acknowledged", MARA, "I cancel the run")
    watch.no("conflict", "acknowledge_alert", alert_id=firing[0]["id"])
    done = watch("resolve_alert", alert_id=firing[0]["id"], note="Cancelled")
    assert (done["status"], done["resolved_by"]) == ("resolved", MARA)
    watch.no("conflict", "resolve_alert", alert_id=firing[0]["id"], note="x")
    watch.no("not_found", "acknowledge_alert", alert_id="alt_x")
    watch.no("not_found", "resolve_alert", alert_id="alt_x", note="x")
    watch.no("invalid_arguments", "resolve_alert", alert_id=firing[1]["id"], note=" ")
    opened = watch("create_metric_point", monitor_id=EXPORT, metric="duration_minutes", value=430)["changed_alerts"]
    assert [i["title"] for i in opened] == ["Export hangs"]
    day = {"fired_after": "2026-02-26T00:00:00Z", "fired_before": "2026-02-27T00:00:00Z"}
    assert watch("list_alerts", severity="critical", **day)["items"][0]["title"] == "Feed answers with errors"
    assert watch("list_alerts", **day)["total"] == 3


def test_silences(watch: Watch) -> None:
    (quiet,) = watch("list_alerts", status="silenced")["items"]
    assert (quiet["monitor_id"], quiet["status"]) == (WIFI, "silenced")
    watch("delete_silence", silence_id="sil_0001")
    assert quiet["id"] in [i["id"] for i in watch("list_alerts", status="firing")["items"]]
    watch.no("not_found", "delete_silence", silence_id="sil_0001")
    given = {"monitor_id": EXPORT, "starts_at": "2026-03-02T08:00:00Z", "ends_at": "2026-03-03T08:00:00Z"}
    made = watch("create_silence", reason="Export is being mended", **given)
    assert watch("list_alerts", monitor_id=EXPORT, status="silenced")["total"] == 1
    assert [i["id"] for i in watch("list_silences", at="2026-03-02T12:00:00Z")["items"]] == [made["id"]]
    assert [i["id"] for i in watch("list_silences", created_by=MARA, monitor_id=EXPORT)["items"]] == [made["id"]]
    assert watch("create_silence", reason="Twice", **given)["id"] != made["id"]
    assert watch("acknowledge_alert", alert_id="alt_0009")["status"] == "acknowledged"
    watch.no("invalid", "create_silence", reason="x", **given | {"ends_at": given["starts_at"]})
    past = {"starts_at": "2026-02-01T00:00:00Z", "ends_at": "2026-02-02T00:00:00Z"}
    watch.no("invalid", "create_silence", reason="x", **given | past)
    watch.no("limit", "create_silence", reason="x", **given | {"ends_at": "9999-12-31T23:59:59Z"})
    watch.no("not_found", "create_silence", reason="x", **given | {"monitor_id": "mon_x"})
    watch.no("conflict", "delete_silence", silence_id="sil_0003")
    watch.no("forbidden", "delete_silence", silence_id="sil_0002")


def test_channels_and_routes(watch: Watch) -> None:
    items = {item["id"]: item for item in watch("list_channels")["items"]}
    assert items["chl_ops_mail"]["target"] == MARA and len(items["chl_incidents_chat"]["routes"]) == 2
    made = watch("create_route", channel_id="chl_engineering_pager", min_severity="critical")
    assert made["team"] == "operations"
    shown = watch("list_channels", kind="pager", query="PAGER")["items"][0]["routes"]
    assert made["id"] in [i["id"] for i in shown]
    watch.no("conflict", "create_route", channel_id="chl_engineering_pager", min_severity="critical")
    watch.no("not_found", "create_route", channel_id="chl_x", min_severity="critical")
    alert = watch("list_alerts", monitor_id=PRINTER, severity="critical")["items"][0]
    assert alert["channels"] == ["Engineering pager", "Incidents", "Operations", "Operations lead"]


def test_uptime(watch: Watch) -> None:
    february = watch("get_uptime_summary", from_date="2026-02-01", to_date="2026-02-28")["items"]
    feed = next(item for item in february if item["monitor_id"] == FEED)
    assert (feed["outages"], feed["downtime_minutes"]) == (1, 155)
    assert feed["uptime_percent"] == round(100 * (1 - 155 / (28 * 1440)), 3) and february[0] == feed
    day = watch("get_uptime_summary", from_date="2026-02-26", to_date="2026-02-26", monitor_id=FEED)["items"]
    assert [i["uptime_percent"] for i in day] == [round(100 * (1 - 155 / 1440), 3)]
    today = watch("get_uptime_summary", from_date="2026-03-02", to_date="2026-03-31", team="engineering")["items"]
    assert today[0]["monitor_id"] == EXPORT and 60 <= today[0]["downtime_minutes"] <= 90
    watch.no("invalid", "get_uptime_summary", from_date="2026-03-01", to_date="2026-02-28")
    watch.no("invalid", "get_uptime_summary", from_date="2026-03-10", to_date="2026-03-11")
    watch.no("limit", "get_uptime_summary", from_date="2026-01-01", to_date="9999-12-31")
    watch.no("not_found", "get_uptime_summary", from_date="2026-03-01", to_date="2026-03-01", monitor_id="mon_x")


def test_dashboards(watch: Watch) -> None:
    made = watch("create_dashboard", name="Monday", monitor_ids=[WIFI, PRINTER], description="First look")
    assert [i["id"] for i in made["monitors"]] == [WIFI, PRINTER] and made["monitors"][0]["state"] == "degraded"
    assert watch("list_dashboards", query="first LOOK")["items"] == [made]
    assert [i["name"] for i in watch("list_dashboards", owner_email=MARA)["items"]] == ["Halls", "Monday"]
    watch.no("conflict", "create_dashboard", name="Monday", monitor_ids=[WIFI])
    watch.no("not_found", "create_dashboard", name="x", monitor_ids=["mon_x"])
    watch.no("invalid_arguments", "create_dashboard", name="x", monitor_ids=[])
    for number in range(18):
        watch("create_dashboard", name=f"d{number}", monitor_ids=[WIFI])
    watch.no("limit", "create_dashboard", name="more", monitor_ids=[WIFI])


@pytest.mark.parametrize(
    "tool",
    ["list_monitors", "list_alert_rules", "list_alerts", "list_silences", "list_channels", "list_dashboards"],
)
def test_pages_neither_skip_nor_repeat(watch: Watch, tool: str) -> None:
    page = watch(tool, limit=2)
    found = page["items"]
    while page["next_cursor"]:
        page = watch(tool, limit=2, cursor=page["next_cursor"])
        found += page["items"]
    assert found == watch(tool, limit=100)["items"]
    watch.no("invalid", tool, cursor="nonsense")
