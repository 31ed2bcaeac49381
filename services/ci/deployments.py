"""Tools for environments, deployments and freeze windows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.ci.runs import require_maintainer
from services.ci.state import Deployment, DeploymentReview, Environment, FreezeWindow, Pipeline, Run

MAX_FREEZE = timedelta(days=60)
"""How long a freeze window may be."""


def _holding(at: datetime) -> list[Any]:
    return [col(FreezeWindow.starts_at) <= at, col(FreezeWindow.ends_at) > at]


@tool
def list_environments(
    ctx: Context, pipeline_id: str | None = None, name: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Environments with what is deployed there."""
    where: list[Any] = []
    if pipeline_id is not None:
        where.append(col(Environment.pipeline_id) == pipeline_id)
    if name is not None:
        where.append(col(Environment.name) == name)
    order = [col(Environment.pipeline_id), col(Environment.name).desc()]
    page = ctx.page(Environment, *where, order_by=order, limit=limit, cursor=cursor)
    ids = [item.id for item in page.items]
    there = {
        item.environment_id: item
        for item in ctx.list(Deployment, col(Deployment.environment_id).in_(ids), col(Deployment.status) == "deployed")
    }
    frozen = {
        item.environment_id: item
        for item in ctx.list(FreezeWindow, col(FreezeWindow.environment_id).in_(ids), *_holding(ctx.now()))
    }
    items = []
    for item in page.items:
        current, window = there.get(item.id), frozen.get(item.id)
        items.append(
            item.out()
            | {
                "current_deployment": current.out("id", "version", "run_id", "deployed_at") if current else None,
                "frozen_by": window.out("id", "ends_at", "reason") if window else None,
            }
        )
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Environment, *where)}


@tool
def list_deployments(
    ctx: Context,
    environment_id: str | None = None,
    run_id: str | None = None,
    status: str | None = None,
    requested_by: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Deployments that meet every filter."""
    equal = (
        (Deployment.environment_id, environment_id),
        (Deployment.run_id, run_id),
        (Deployment.status, status),
        (Deployment.requested_by, requested_by),
    )
    where = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(Deployment, *where, order_by=[col(Deployment.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Deployment, *where)}


def _view(ctx: Context, deployment: Deployment) -> dict[str, Any]:
    environment = ctx.require(Environment, deployment.environment_id)
    run = ctx.require(Run, deployment.run_id)
    reviews = ctx.list(
        DeploymentReview,
        col(DeploymentReview.deployment_id) == deployment.id,
        order_by=[col(DeploymentReview.created_at)],
    )
    return deployment.out() | {
        "environment_name": environment.name,
        "required_approvals": environment.required_approvals,
        "approver_emails": environment.approver_emails,
        "branch": run.branch,
        "commit_id": run.commit_id,
        "reviews": [item.out(without=("deployment_id",)) for item in reviews],
    }


def _require_thawed(ctx: Context, environment: Environment) -> None:
    window = ctx.first(FreezeWindow, col(FreezeWindow.environment_id) == environment.id, *_holding(ctx.now()))
    if window is not None:
        ctx.fail(
            "conflict",
            f"Nothing is deployed to {environment.id} until {window.ends_at.isoformat()} ({window.reason}); "
            f"freeze window {window.id}.",
        )


def _deploy(ctx: Context, deployment: Deployment) -> None:
    before = ctx.first(
        Deployment,
        col(Deployment.environment_id) == deployment.environment_id,
        col(Deployment.status) == "deployed",
    )
    if before is not None:
        before.status = "superseded"
    deployment.status = "deployed"
    deployment.deployed_at = ctx.now()
    ctx.flush()


@tool
def create_deployment(ctx: Context, environment_id: str, run_id: str, version: str, note: str = "") -> Any:
    """Deploy a passed run, or ask for it."""
    environment = ctx.require(Environment, environment_id)
    run = ctx.require(Run, run_id)
    here = col(Deployment.environment_id) == environment.id
    if run.pipeline_id != environment.pipeline_id:
        ctx.fail("invalid", f"run_id: {run.id} is a run of another pipeline than {environment.id}.")
    if run.status != "passed":
        ctx.fail("conflict", f"The run {run.id} is {run.status}; only passed runs are deployed.")
    if environment.allowed_branches and run.branch not in environment.allowed_branches:
        allowed = ", ".join(environment.allowed_branches)
        ctx.fail(
            "conflict", f"{environment.id} takes runs of these branches only: {allowed}; {run.id} is {run.branch}."
        )
    _require_thawed(ctx, environment)
    first = environment.after_environment_id
    if first is not None and not ctx.exists(
        Deployment,
        col(Deployment.environment_id) == first,
        col(Deployment.run_id) == run.id,
        col(Deployment.status).in_(("deployed", "superseded")),
    ):
        ctx.fail("conflict", f"The run {run.id} has to be deployed to {first} before it can go to {environment.id}.")
    if ctx.exists(Deployment, here, col(Deployment.status) == "deployed", col(Deployment.run_id) == run.id):
        ctx.fail("conflict", f"The run {run.id} is what {environment.id} has deployed now.")
    waiting = ctx.first(Deployment, here, col(Deployment.status) == "pending_approval")
    if waiting is not None:
        ctx.fail("conflict", f"The deployment {waiting.id} waits for approval in {environment.id}; it comes first.")
    deployment = ctx.add(
        Deployment(
            id=ctx.new_id("dep"),
            environment_id=environment.id,
            run_id=run.id,
            version=version,
            status="pending_approval",
            note=note,
            requested_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    if environment.required_approvals == 0:
        _deploy(ctx, deployment)
    return _view(ctx, deployment)


@tool
def get_deployment(ctx: Context, deployment_id: str) -> Any:
    """A deployment with its reviews."""
    return _view(ctx, ctx.require(Deployment, deployment_id))


@tool
def review_deployment(ctx: Context, deployment_id: str, decision: str, comment: str = "") -> Any:
    """Approve or reject a waiting deployment."""
    deployment = ctx.require(Deployment, deployment_id)
    environment = ctx.require(Environment, deployment.environment_id)
    if deployment.status != "pending_approval":
        ctx.fail("conflict", f"The deployment {deployment.id} is {deployment.status} and waits for no approval.")
    if ctx.user.email not in environment.approver_emails:
        ctx.fail("forbidden", f"Approvers of {environment.id}: {', '.join(environment.approver_emails)}.")
    if deployment.requested_by == ctx.user.email:
        ctx.fail("forbidden", f"You requested {deployment.id}; another approver has to decide.")
    mine = col(DeploymentReview.reviewer_email) == ctx.user.email
    if ctx.exists(DeploymentReview, col(DeploymentReview.deployment_id) == deployment.id, mine):
        ctx.fail("conflict", f"You have decided on {deployment.id} already.")
    if decision == "reject" and not comment.strip():
        ctx.fail("invalid", "comment: say why you reject it.")
    ctx.add(
        DeploymentReview(
            id=ctx.new_id("drv"),
            deployment_id=deployment.id,
            decision=decision,
            comment=comment,
            reviewer_name=ctx.user.name,
            reviewer_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    given = ctx.count(DeploymentReview, col(DeploymentReview.deployment_id) == deployment.id)
    if decision == "reject":
        deployment.status = "rejected"
    elif given >= environment.required_approvals:
        _require_thawed(ctx, environment)
        _deploy(ctx, deployment)
    ctx.flush()
    return _view(ctx, deployment)


@tool
def rollback_deployment(ctx: Context, deployment_id: str, reason: str) -> Any:
    """Go back to what was deployed before."""
    deployment = ctx.require(Deployment, deployment_id)
    environment = ctx.require(Environment, deployment.environment_id)
    require_maintainer(ctx, ctx.require(Pipeline, environment.pipeline_id))
    if deployment.status != "deployed":
        ctx.fail("conflict", f"The deployment {deployment.id} is {deployment.status}, not what is deployed now.")
    earlier = ctx.first(
        Deployment,
        col(Deployment.environment_id) == environment.id,
        col(Deployment.status) == "superseded",
        order_by=[col(Deployment.deployed_at).desc()],
    )
    if earlier is None:
        ctx.fail("conflict", f"There is no deployment before {deployment.id} in {environment.id} to go back to.")
    deployment.status = "rolled_back"
    deployment.rollback_reason = reason
    earlier.status = "deployed"
    ctx.flush()
    return _view(ctx, deployment) | {"current_deployment": earlier.out("id", "version", "run_id", "deployed_at")}


@tool
def list_freeze_windows(
    ctx: Context,
    environment_id: str | None = None,
    at: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Freeze windows by start."""
    where: list[Any] = [] if at is None else _holding(at)
    if environment_id is not None:
        where.append(col(FreezeWindow.environment_id) == environment_id)
    page = ctx.page(FreezeWindow, *where, order_by=[col(FreezeWindow.starts_at)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(FreezeWindow, *where)}


@tool
def create_freeze_window(ctx: Context, environment_id: str, starts_at: Moment, ends_at: Moment, reason: str) -> Any:
    """Announce a time without deployments."""
    environment = ctx.require(Environment, environment_id)
    require_maintainer(ctx, ctx.require(Pipeline, environment.pipeline_id))
    if ends_at <= starts_at:
        ctx.fail("invalid", "ends_at must be later than starts_at.")
    if ends_at - starts_at > MAX_FREEZE:
        ctx.fail("limit", f"A freeze window lasts at most {MAX_FREEZE.days} days.")
    other = ctx.first(
        FreezeWindow,
        col(FreezeWindow.environment_id) == environment.id,
        col(FreezeWindow.starts_at) < ends_at,
        col(FreezeWindow.ends_at) > starts_at,
    )
    if other is not None:
        ctx.fail(
            "conflict", f"The freeze window {other.id} ({other.reason}) overlaps; delete it or choose another time."
        )
    return ctx.add(
        FreezeWindow(
            id=ctx.new_id("frz"),
            environment_id=environment.id,
            starts_at=starts_at,
            ends_at=ends_at,
            reason=reason,
            created_by=ctx.user.email,
        )
    )


@tool
def delete_freeze_window(ctx: Context, freeze_window_id: str) -> Any:
    """Remove a freeze window."""
    window = ctx.require(FreezeWindow, freeze_window_id)
    environment = ctx.require(Environment, window.environment_id)
    require_maintainer(ctx, ctx.require(Pipeline, environment.pipeline_id))
    ctx.delete(window)
    return {"id": freeze_window_id, "deleted": True}
