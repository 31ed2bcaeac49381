"""Tools for pipelines and runs."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.ci.execution import begin, jobs_of, start_waiting
from services.ci.state import Job, Pipeline, Run

MAX_WAITING = 10
"""Queued runs of one pipeline."""

MAX_ATTEMPTS = 5
"""Attempts of one run."""


def is_maintainer(ctx: Context, pipeline: Pipeline) -> bool:
    """Whether the user looks after the pipeline."""
    return ctx.user.email in pipeline.maintainer_emails


def require_maintainer(ctx: Context, pipeline: Pipeline) -> None:
    """Refuse whoever does not look after the pipeline."""
    if not is_maintainer(ctx, pipeline):
        names = ", ".join(pipeline.maintainer_emails)
        ctx.fail("forbidden", f"Only maintainers of {pipeline.name} may do this: {names}.")


@tool
def list_pipelines(
    ctx: Context,
    repository: str | None = None,
    status: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Pipelines with their jobs and newest run."""
    where: list[Any] = []
    if repository is not None:
        where.append(col(Pipeline.repository) == repository)
    if status is not None:
        where.append(col(Pipeline.status) == status)
    if query is not None:
        where.append(contains(Pipeline.name, query) | contains(Pipeline.description, query))
    order = [col(Pipeline.repository), col(Pipeline.name)]
    page = ctx.page(Pipeline, *where, order_by=order, limit=limit, cursor=cursor)
    newest = (
        select(col(Run.pipeline_id), func.max(Run.number).label("number"))
        .where(col(Run.pipeline_id).in_([item.id for item in page.items]))
        .group_by(col(Run.pipeline_id))
        .subquery()
    )
    match = (col(Run.pipeline_id) == newest.c.pipeline_id) & (col(Run.number) == newest.c.number)
    found = ctx.rows(select(col(Run.pipeline_id), col(Run.id), col(Run.status)).where(match))
    runs = {row[0]: (row[1], row[2]) for row in found}
    items = [
        item.out(without=("jobs",))
        | {
            "jobs": [
                {"name": job["name"], "stage": job["stage"], "needs_variables": job.get("needs_variables", [])}
                for job in item.jobs
            ],
            "maintained_by_me": is_maintainer(ctx, item),
            "newest_run_id": runs.get(item.id, (None, None))[0],
            "newest_run_status": runs.get(item.id, (None, None))[1],
        }
        for item in page.items
    ]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Pipeline, *where)}


@tool
def list_runs(
    ctx: Context,
    pipeline_id: str | None = None,
    branch: str | None = None,
    commit_id: str | None = None,
    status: str | None = None,
    trigger: str | None = None,
    started_by: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Runs that meet every filter."""
    equal = (
        (Run.pipeline_id, pipeline_id),
        (Run.branch, branch),
        (Run.commit_id, commit_id),
        (Run.status, status),
        (Run.trigger, trigger),
        (Run.started_by, started_by),
    )
    where = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(Run, *where, order_by=[col(Run.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Run, *where)}


def _view(ctx: Context, run: Run, logs: bool = False) -> dict[str, Any]:
    without = ("run_id",) if logs else ("run_id", "log")
    return run.out() | {"jobs": [job.out(without=without) for job in jobs_of(ctx, run)]}


def _enabled(ctx: Context, pipeline_id: str) -> Pipeline:
    pipeline = ctx.require(Pipeline, pipeline_id)
    if pipeline.status == "disabled":
        ctx.fail("conflict", f"The pipeline {pipeline.name} is disabled and starts no runs.")
    return pipeline


@tool
def create_run(ctx: Context, pipeline_id: str, branch: str, commit_id: str | None = None) -> Any:
    """Start a run."""
    pipeline = _enabled(ctx, pipeline_id)
    here = col(Run.pipeline_id) == pipeline.id
    if ctx.count(Run, here, col(Run.status) == "queued") >= MAX_WAITING:
        ctx.fail("limit", f"{MAX_WAITING} runs of {pipeline.name} wait already; cancel one first.")
    if commit_id is None:
        last = ctx.first(Run, here, col(Run.branch) == branch, order_by=[col(Run.number).desc()])
        commit_id = last.commit_id if last is not None else None
    highest = ctx.rows(select(func.max(Run.number)).where(here))[0][0]
    run = ctx.add(
        Run(
            id=ctx.new_id("run"),
            pipeline_id=pipeline.id,
            number=(highest or 0) + 1,
            branch=branch,
            commit_id=commit_id,
            started_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    for position, job in enumerate(pipeline.jobs, 1):
        ctx.add(Job(id=ctx.new_id("job"), run_id=run.id, position=position, name=job["name"], stage=job["stage"]))
    begin(ctx, pipeline, run)
    return _view(ctx, run)


@tool
def get_run(ctx: Context, run_id: str, include_logs: bool = False) -> Any:
    """A run with its jobs."""
    return _view(ctx, ctx.require(Run, run_id), include_logs)


@tool
def retry_run(ctx: Context, run_id: str) -> Any:
    """Run again what has not passed."""
    run = ctx.require(Run, run_id)
    if run.status not in ("failed", "cancelled"):
        ctx.fail("conflict", f"The run {run.id} is {run.status}; only failed and cancelled runs are retried.")
    pipeline = _enabled(ctx, run.pipeline_id)
    if run.attempt >= MAX_ATTEMPTS:
        ctx.fail("limit", f"The run {run.id} had {MAX_ATTEMPTS} attempts; start a new one with create_run.")
    run.attempt += 1
    begin(ctx, pipeline, run)
    return _view(ctx, run)


@tool
def cancel_run(ctx: Context, run_id: str, reason: str = "") -> Any:
    """Cancel a run that has not ended."""
    run = ctx.require(Run, run_id)
    pipeline = ctx.require(Pipeline, run.pipeline_id)
    if run.started_by != ctx.user.email:
        require_maintainer(ctx, pipeline)
    if run.status not in ("queued", "running"):
        ctx.fail("conflict", f"The run {run.id} is {run.status} and cannot be cancelled any more.")
    run.status = "cancelled"
    run.finished_at = ctx.now()
    for job in jobs_of(ctx, run):
        if job.status == "running":
            job.log = f"{job.log}\ncancelled by {ctx.user.email}. {reason}".strip()
        if job.status in ("queued", "running"):
            job.status = "cancelled"
    ctx.flush()
    start_waiting(ctx, pipeline)
    return _view(ctx, run)
