"""Pipelines: runs, environments, deployments and variables of a scenario."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from engine.kit.cast import COLLEAGUES, Person

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

KENJI, NILS = COLLEAGUES[11], COLLEAGUES[9]


def pipeline(d: Draft, name: str, jobs: list[dict[str, Any]], *, description: str = "") -> str:
    """Plant a pipeline that Mara and Kenji maintain; gives its id.

    Args:
        jobs: as in ``services.ci.state.Pipeline``.
    """
    key = d.key("pip")
    d.plant(
        "ci_pipeline",
        id=key,
        repository=name,
        name=name,
        description=description,
        jobs=jobs,
        max_running=3,
        maintainer_emails=[d.user.email, KENJI.email],
    )
    return key


def job(name: str, seconds: int, *needs: str) -> dict[str, Any]:
    """A job of a pipeline with the variables that it needs."""
    stage = "build" if name in ("build", "export") else "test"
    return {"name": name, "stage": stage, "seconds": seconds, "needs_variables": list(needs)}


def run(
    d: Draft,
    of: str,
    number: int,
    branch: str,
    commit: str,
    status: str,
    jobs: list[tuple[str, int, str, str]],
    *,
    created: datetime,
    by: Person = KENJI,
) -> str:
    """Plant a run with its jobs (name, seconds, state, log); gives its id."""
    key = d.key("run")
    d.plant(
        "ci_run",
        id=key,
        pipeline_id=of,
        number=number,
        branch=branch,
        commit_id=commit,
        status=status,
        trigger="push",
        started_by=by.email,
        created_at=created,
        started_at=created,
        finished_at=created + timedelta(seconds=sum(seconds for _, seconds, _, _ in jobs)),
    )
    for position, (name, seconds, state, log) in enumerate(jobs, 1):
        d.plant(
            "ci_job",
            id=d.key("job"),
            run_id=key,
            position=position,
            name=name,
            stage="build" if name == "build" else "test",
            status=state,
            duration_seconds=None if state == "skipped" else seconds,
            log=log,
        )
    return key


def environment(d: Draft, of: str, name: str, host: str, *, approvals: int = 0) -> str:
    """Plant an environment of a pipeline; gives its id."""
    key = d.key("env")
    d.plant(
        "ci_environment",
        id=key,
        pipeline_id=of,
        name=name,
        url=f"https://{host}.larkspur.example",
        required_approvals=approvals,
        approver_emails=[d.user.email, NILS.email, KENJI.email] if approvals else [],
    )
    return key


def deployment(
    d: Draft, to: str, run_id: str, version: str, status: str, days_ago: int, *, note: str = "", by: Person = KENJI
) -> str:
    """Plant a deployment of a run; gives its id."""
    key = d.key("dep")
    at = d.ago(days_ago, 17, d.rng.randint(1, 50))
    d.plant(
        "ci_deployment",
        id=key,
        environment_id=to,
        run_id=run_id,
        version=version,
        status=status,
        note=note,
        requested_by=by.email,
        created_at=at,
        deployed_at=at if status in ("deployed", "superseded", "rolled_back") else None,
    )
    return key


def variable(d: Draft, of: str, name: str, value: str, *, secret: bool = False) -> str:
    """Plant a variable for all jobs of a pipeline; gives its id."""
    key = d.key("var")
    d.plant(
        "ci_variable",
        id=key,
        pipeline_id=of,
        name=name,
        value=value,
        secret=secret,
        updated_by=KENJI.email,
        updated_at=d.ago(80, 10),
    )
    return key
