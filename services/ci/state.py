"""What the pipelines and deployments remember."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.kit import Entity, field, key, ref

RUN_STATES = ("queued", "running", "passed", "failed", "cancelled")


class CiEntity(Entity):
    """Base of the entities of pipelines and deployments."""

    __service__ = "ci"


class Pipeline(CiEntity, table=True):
    """Jobs that are done for a commit of a repository.

    A job is ``{"name", "stage", "seconds", "needs_variables"}``, and for the seed's stories ``"flaky"`` (fails at
    odd attempts) and ``"fails_on"`` (branches on which it always fails).
    """

    id: str = key("pip")
    repository: str = field("code", max_length=80)
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=300)
    status: str = field("status", choices=("enabled", "disabled"), default="enabled")
    jobs: list[dict[str, Any]] = field("json")
    max_running: int = field("quantity", ge=1, le=20, description="runs that may go at once")
    maintainer_emails: list[str] = field("tags", default_factory=list)


class Run(CiEntity, table=True):
    """One passage of a pipeline."""

    id: str = key("run")
    pipeline_id: str = ref("ci_pipeline.id")
    number: int = field("quantity", ge=1)
    branch: str = field("name", max_length=80)
    commit_id: str | None = field("code", default=None, max_length=60)
    status: str = field("status", choices=RUN_STATES, default="queued", index=True)
    trigger: str = field("category", choices=("manual", "push", "schedule"), default="manual")
    started_by: str = field("email", max_length=200)
    attempt: int = field("quantity", default=1, ge=1)
    created_at: datetime = field("datetime", index=True)
    started_at: datetime | None = field("datetime", default=None)
    finished_at: datetime | None = field("datetime", default=None)


class Job(CiEntity, table=True):
    """One job of a run with what it wrote."""

    id: str = key("job")
    run_id: str = ref("ci_run.id", on_delete="cascade")
    position: int = field("quantity", ge=1)
    name: str = field("name", max_length=80)
    stage: str = field("category", max_length=40)
    status: str = field("status", choices=(*RUN_STATES, "skipped"), default="queued")
    duration_seconds: int | None = field("quantity", default=None, ge=0)
    log: str = field("text", default="", max_length=5_000)


class Environment(CiEntity, table=True):
    """A place that runs are deployed to."""

    id: str = key("env")
    pipeline_id: str = ref("ci_pipeline.id")
    name: str = field("category", choices=("staging", "production"))
    url: str = field("url", max_length=200)
    required_approvals: int = field("quantity", default=0, ge=0, le=10)
    approver_emails: list[str] = field("tags", default_factory=list)
    allowed_branches: list[str] = field("tags", default_factory=list, description="empty: every branch")
    after_environment_id: str | None = ref("ci_environment.id", default=None)


class Deployment(CiEntity, table=True):
    """A run on its way to an environment, there, or there once."""

    id: str = key("dep")
    environment_id: str = ref("ci_environment.id")
    run_id: str = ref("ci_run.id")
    version: str = field("code", max_length=40)
    status: str = field(
        "status", choices=("pending_approval", "deployed", "superseded", "rejected", "rolled_back"), index=True
    )
    note: str = field("text", default="", max_length=1_000)
    requested_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime", index=True)
    deployed_at: datetime | None = field("datetime", default=None)
    rollback_reason: str | None = field("text", default=None, max_length=500)


class DeploymentReview(CiEntity, table=True):
    """What an approver said."""

    id: str = key("drv")
    deployment_id: str = ref("ci_deployment.id", on_delete="cascade")
    decision: str = field("category", choices=("approve", "reject"))
    comment: str = field("text", default="", max_length=1_000)
    reviewer_name: str = field("person", max_length=120)
    reviewer_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Variable(CiEntity, table=True):
    """A setting of jobs; secrets never leave the service."""

    id: str = key("var")
    pipeline_id: str = ref("ci_pipeline.id", on_delete="cascade")
    environment_id: str | None = ref("ci_environment.id", default=None)
    name: str = field("code", max_length=60)
    value: str = field("text", max_length=4_000)
    secret: bool = field("flag", default=False)
    updated_by: str = field("email", max_length=200)
    updated_at: datetime = field("datetime")


class FreezeWindow(CiEntity, table=True):
    """A time in which nothing is deployed to an environment."""

    id: str = key("frz")
    environment_id: str = ref("ci_environment.id", on_delete="cascade")
    starts_at: datetime = field("datetime")
    ends_at: datetime = field("datetime")
    reason: str = field("text", min_length=1, max_length=300)
    created_by: str = field("email", max_length=200)
