"""Pipelines and deployments: runs, retries, environments with approvals and freeze windows, variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.ci import service
from services.ci.state import Deployment, Environment, Job, Run, Variable
from tests.services.play import Play

SYNC, SHOP, LABELS = "pip_stock_sync", "pip_storefront", "pip_label_printing"
EXPORT, SCANNER, RUNBOOKS = "pip_nightly_export", "pip_handheld_scanner", "pip_ops_runbooks"
MARA = "mara.lindqvist@larkspur.example"


class Works:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("ci", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("ci", tool, **arguments)
        assert error["code"] == code, error
        return error

    def passed(self, branch: str = "main", pipeline: str = LABELS) -> str:
        run = self("create_run", pipeline_id=pipeline, branch=branch)
        assert run["status"] == "passed"
        return str(run["id"])


@pytest.fixture
def works(play: Callable[..., Play]) -> Works:
    return Works(play("ci"))


def test_seed_is_deterministic_and_sound(works: Works) -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("ci", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    emails = {person.email for person in COLLEAGUES}
    who = ("started_by", "requested_by", "created_by", "updated_by")
    assert all(values.get(name, MARA) in emails for _, values in rows(0) for name in who)
    for run in works.play.rows(Run):
        states = {job.status for job in works.play.rows(Job) if job.run_id == run.id}
        assert (run.status == "passed") == (states == {"passed"})
        assert run.status in states or run.status in ("passed", "queued")
        assert (run.finished_at is not None) == (run.status in ("passed", "failed", "cancelled"))
    pipelines = {run.id: run.pipeline_id for run in works.play.rows(Run)}
    current: list[str] = []
    for deployment in works.play.rows(Deployment):
        environment = next(row for row in works.play.rows(Environment) if row.id == deployment.environment_id)
        assert pipelines[deployment.run_id] == environment.pipeline_id
        current += [deployment.environment_id] if deployment.status == "deployed" else []
    assert len(current) == len(set(current))


def test_pipelines(works: Works) -> None:
    items = {item["id"]: item for item in works("list_pipelines")["items"]}
    assert items[SYNC]["maintained_by_me"] and not items[SHOP]["maintained_by_me"]
    assert items[SYNC]["newest_run_status"] == "failed" and len(items[SYNC]["jobs"]) == 3
    assert [i["name"] for i in works("list_pipelines", repository="storefront")["items"]] == [
        "nightly-export",
        "storefront",
    ]
    assert [i["id"] for i in works("list_pipelines", status="disabled")["items"]] == [SCANNER]
    assert [i["id"] for i in works("list_pipelines", query="KESTREL")["items"]] == [SYNC]


def test_a_missing_variable_fails_a_job_until_it_is_set(works: Works) -> None:
    run = works("create_run", pipeline_id=SYNC, branch="main")
    assert (run["status"], run["commit_id"], run["trigger"], run["started_by"]) == (
        "failed",
        "cmt_0017",
        "manual",
        MARA,
    )
    assert [job["status"] for job in run["jobs"]] == ["passed", "passed", "failed"]
    shown = works("get_run", run_id=run["id"], include_logs=True)
    assert "KESTREL_GATEWAY_CERT is not set" in shown["jobs"][2]["log"]
    assert "log" not in works("get_run", run_id=run["id"])["jobs"][0]
    works("create_variable", pipeline_id=SYNC, name="KESTREL_GATEWAY_CERT", value="cert", secret=True)
    again = works("retry_run", run_id=run["id"])
    assert (again["status"], again["attempt"]) == ("passed", 2)
    works.no("conflict", "retry_run", run_id=run["id"])
    assert works("list_runs", pipeline_id=SYNC, status="passed")["items"][0]["id"] == run["id"]


def test_retries(works: Works) -> None:
    flaky = works("create_run", pipeline_id=SHOP, branch="x", commit_id="cmt_0015")
    assert [job["status"] for job in flaky["jobs"]] == ["passed", "passed", "failed"]
    assert works("retry_run", run_id=flaky["id"])["status"] == "passed"
    run = works("create_run", pipeline_id=SYNC, branch="feed-v2")
    assert [job["status"] for job in run["jobs"]] == ["passed", "failed", "skipped"]
    for attempt in range(2, 6):
        assert works("retry_run", run_id=run["id"])["attempt"] == attempt
    works.no("limit", "retry_run", run_id=run["id"])


def test_runs_wait_for_each_other(works: Works) -> None:
    stuck = works("list_runs", pipeline_id=EXPORT, status="running")["items"][0]["id"]
    waiting = works("list_runs", pipeline_id=EXPORT, status="queued")["items"][0]["id"]
    mine = works("create_run", pipeline_id=EXPORT, branch="main")
    assert mine["status"] == "queued" and {job["status"] for job in mine["jobs"]} == {"queued"}
    assert works("cancel_run", run_id=mine["id"])["status"] == "cancelled"
    assert works("retry_run", run_id=mine["id"])["status"] == "queued"
    gone = works("cancel_run", run_id=stuck, reason="No index")
    assert gone["status"] == "cancelled" and gone["finished_at"]
    assert "No index" in works("get_run", run_id=stuck, include_logs=True)["jobs"][0]["log"]
    for run in (waiting, mine["id"]):
        assert works("get_run", run_id=run)["status"] == "passed"
    works.no("conflict", "cancel_run", run_id=waiting)


def test_waiting_runs_are_limited(works: Works) -> None:
    for _ in range(9):
        works("create_run", pipeline_id=EXPORT, branch="main")
    works.no("limit", "create_run", pipeline_id=EXPORT, branch="main")


def test_runs_say_no(works: Works) -> None:
    works.no("conflict", "create_run", pipeline_id=SCANNER, branch="main")
    works.no("not_found", "create_run", pipeline_id="pip_x", branch="main")
    works.no("invalid_arguments", "create_run", pipeline_id=SYNC, branch="two words")
    for tool in ("get_run", "retry_run", "cancel_run"):
        works.no("not_found", tool, run_id="run_x")
    assert works("list_runs", branch="returns-tax", trigger="push", commit_id="cmt_0015")["total"] == 1


def test_environments(works: Works) -> None:
    items = {item["id"]: item for item in works("list_environments")["items"]}
    shop = items["env_storefront_production"]
    assert shop["current_deployment"]["version"] == "v5.1.0" and "Month end" in shop["frozen_by"]["reason"]
    assert items["env_stock_sync_production"]["frozen_by"] is None
    assert items["env_payment_gateway_production"]["current_deployment"] is None
    assert len(works("list_environments", pipeline_id=SYNC)["items"]) == 2
    assert {i["name"] for i in works("list_environments", name="staging")["items"]} == {"staging"}


def test_deploy_with_approval(works: Works) -> None:
    waiting = works("list_deployments", status="pending_approval")["items"][0]
    assert waiting["environment_id"] == "env_label_printing_production"
    done = works("review_deployment", deployment_id=waiting["id"], decision="approve", comment="Go")
    assert (done["status"], done["reviews"][0]["comment"]) == ("deployed", "Go") and done["deployed_at"]
    assert works("get_deployment", deployment_id=waiting["id"]) == done
    listed = works("list_deployments", environment_id=waiting["environment_id"])["items"]
    assert [i["status"] for i in listed] == ["deployed", "superseded"]
    works.no("conflict", "review_deployment", deployment_id=waiting["id"], decision="approve")
    back = works("rollback_deployment", deployment_id=waiting["id"], reason="Labels are blank")
    assert back["status"] == "rolled_back" and back["current_deployment"]["version"] == "v1.0.0"
    works.no("conflict", "rollback_deployment", deployment_id=waiting["id"], reason="x")
    works.no("conflict", "rollback_deployment", deployment_id=back["current_deployment"]["id"], reason="x")


def test_reject(works: Works) -> None:
    waiting = works("list_deployments", status="pending_approval")["items"][0]["id"]
    works.no("invalid", "review_deployment", deployment_id=waiting, decision="reject")
    done = works("review_deployment", deployment_id=waiting, decision="reject", comment="After the offsite")
    assert (done["status"], done["deployed_at"]) == ("rejected", None)
    works.no("not_found", "review_deployment", deployment_id="dep_x", decision="approve")
    works.no("not_found", "get_deployment", deployment_id="dep_x")


def test_staging_first_then_production(works: Works) -> None:
    waiting = works("list_deployments", status="pending_approval")["items"][0]["id"]
    run = works.passed()
    production, staging = "env_label_printing_production", "env_label_printing_staging"
    error = works.no("conflict", "create_deployment", environment_id=production, run_id=run, version="v1.0.2")
    assert staging in error["message"]
    staged = works("create_deployment", environment_id=staging, run_id=run, version="v1.0.2")
    assert staged["status"] == "deployed" and staged["requested_by"] == MARA
    works.no("conflict", "create_deployment", environment_id=staging, run_id=run, version="v1.0.2")
    works.no("conflict", "create_deployment", environment_id=production, run_id=run, version="v1.0.2")
    works("review_deployment", deployment_id=waiting, decision="reject", comment="Newer one comes")
    asked = works("create_deployment", environment_id=production, run_id=run, version="v1.0.2", note="Mine")
    assert (asked["status"], asked["note"]) == ("pending_approval", "Mine")
    works.no("forbidden", "review_deployment", deployment_id=asked["id"], decision="approve")


def test_deployments_say_no(works: Works) -> None:
    failed = works("list_runs", pipeline_id=SYNC, status="failed")["items"][0]["id"]
    staging = "env_stock_sync_staging"
    works.no("conflict", "create_deployment", environment_id=staging, run_id=failed, version="x")
    other = works.passed()
    works.no("invalid", "create_deployment", environment_id=staging, run_id=other, version="x")
    trial = works("list_runs", pipeline_id=SYNC, branch="queue-updates", status="passed")["items"][0]["id"]
    works.no("conflict", "create_deployment", environment_id="env_stock_sync_production", run_id=trial, version="x")
    main = works("list_runs", pipeline_id=SHOP, branch="main")["items"][-1]["id"]
    error = works.no(
        "conflict", "create_deployment", environment_id="env_storefront_production", run_id=main, version="x"
    )
    assert "Month end" in error["message"]
    works.no("not_found", "create_deployment", environment_id="env_x", run_id=main, version="x")
    works.no("not_found", "create_deployment", environment_id=staging, run_id="run_x", version="x")
    shop = works("list_deployments", environment_id="env_storefront_production", status="deployed")["items"][0]["id"]
    works.no("forbidden", "rollback_deployment", deployment_id=shop, reason="x")


def test_only_maintainers_cancel_runs_of_others(play: Callable[..., Play]) -> None:
    def running(row: Entity) -> None:
        if isinstance(row, Run) and row.branch == "returns-tax":
            row.status, row.finished_at = "running", None

    works = Works(play("ci", edit=running))
    run = works("list_runs", branch="returns-tax")["items"][0]["id"]
    works.no("forbidden", "cancel_run", run_id=run)


def test_two_approvals(play: Callable[..., Play]) -> None:
    def reopen(row: Entity) -> None:
        if isinstance(row, Deployment) and row.status == "rejected":
            row.status, row.environment_id = "pending_approval", "env_label_printing_production"
        elif isinstance(row, Deployment) and row.status == "pending_approval":
            row.status = "rejected"
        if isinstance(row, Environment) and row.id == "env_label_printing_production":
            row.required_approvals = 3

    works = Works(play("ci", edit=reopen))
    waiting = works("list_deployments", status="pending_approval")["items"][0]["id"]
    assert works("review_deployment", deployment_id=waiting, decision="approve")["status"] == "pending_approval"
    works.no("conflict", "review_deployment", deployment_id=waiting, decision="approve")


def test_freeze_windows(works: Works) -> None:
    environment = "env_label_printing_production"
    given = {"environment_id": environment, "starts_at": "2026-03-02T08:00:00Z", "ends_at": "2026-03-05T08:00:00Z"}
    made = works("create_freeze_window", reason="Stock count", **given)
    assert made["starts_at"] == given["starts_at"]
    assert made["id"] in [i["id"] for i in works("list_freeze_windows", environment_id=environment)["items"]]
    now = works("list_freeze_windows", at="2026-03-02T09:00:00Z")["items"]
    assert [i["environment_id"] for i in now] == ["env_storefront_production", environment]
    waiting = works("list_deployments", status="pending_approval")["items"][0]["id"]
    works.no("conflict", "review_deployment", deployment_id=waiting, decision="approve")
    works.no("conflict", "create_freeze_window", reason="x", **given)
    works("delete_freeze_window", freeze_window_id=made["id"])
    works.no("not_found", "delete_freeze_window", freeze_window_id=made["id"])
    assert works("review_deployment", deployment_id=waiting, decision="approve")["status"] == "deployed"
    works.no("invalid", "create_freeze_window", reason="x", **given | {"ends_at": given["starts_at"]})
    works.no("limit", "create_freeze_window", reason="x", **given | {"ends_at": "9999-12-31T23:59:59Z"})
    works.no("forbidden", "create_freeze_window", reason="x", **given | {"environment_id": "env_storefront_staging"})
    works.no("forbidden", "delete_freeze_window", freeze_window_id="frz_0001")


def test_variables_and_secrets(works: Works) -> None:
    made = works("create_variable", pipeline_id=SYNC, name="REGION", value="eu")
    assert made["value"] == "eu" and works("list_variables", name="REGION")["items"] == [made]
    works.no("conflict", "create_variable", pipeline_id=SYNC, name="REGION", value="us")
    scoped = works(
        "create_variable", pipeline_id=SYNC, name="REGION", value="us", environment_id="env_stock_sync_staging"
    )
    listed = works("list_variables", environment_id="env_stock_sync_staging", name="REGION")
    assert listed["items"] == [scoped]
    assert works("update_variable", variable_id=made["id"], value="uk")["value"] == "uk"
    hidden = works("update_variable", variable_id=made["id"], secret=True)
    assert (hidden["secret"], hidden["value"]) == (True, None)
    assert works("update_variable", variable_id=made["id"], value="new")["value"] is None
    assert next(row.value for row in works.play.rows(Variable) if row.id == made["id"]) == "new"
    assert all(i["value"] is None for i in works("list_variables", secret=True, limit=100)["items"])
    works.no("conflict", "update_variable", variable_id=made["id"], secret=False)
    works.no("invalid", "update_variable", variable_id=made["id"])
    works.no("not_found", "update_variable", variable_id="var_x", value="x")
    works.no("forbidden", "create_variable", pipeline_id=SHOP, name="X", value="x")
    works.no("forbidden", "update_variable", variable_id="var_0013", value="x")
    works.no(
        "invalid", "create_variable", pipeline_id=SYNC, name="X", value="x", environment_id="env_storefront_staging"
    )
    works.no("invalid_arguments", "create_variable", pipeline_id=SYNC, name="lower", value="x")


def test_variables_are_limited(works: Works) -> None:
    for number in range(48):
        works("create_variable", pipeline_id=RUNBOOKS, name=f"V{number}", value="x")
    works.no("limit", "create_variable", pipeline_id=RUNBOOKS, name="MORE", value="x")


@pytest.mark.parametrize(
    "tool",
    ["list_runs", "list_deployments", "list_variables", "list_environments", "list_freeze_windows", "list_pipelines"],
)
def test_pages_neither_skip_nor_repeat(works: Works, tool: str) -> None:
    whole = works(tool, limit=100)["items"]
    page = works(tool, limit=2)
    found = page["items"]
    while page["next_cursor"]:
        page = works(tool, limit=2, cursor=page["next_cursor"])
        found += page["items"]
    assert found == whole
    works.no("invalid", tool, cursor="nonsense")
