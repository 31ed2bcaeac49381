"""How runs go: their jobs in order, what makes one fail, and who waits for whom."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.ci.state import Job, Pipeline, Run, Variable


def outcome(job: dict[str, Any], branch: str, attempt: int, variables: Set[str]) -> tuple[str, str]:
    """How a job ends and what it writes."""
    name, seconds = job["name"], job["seconds"]
    missing = [item for item in job.get("needs_variables", []) if item not in variables]
    if missing:
        return "failed", f"{name} started\nerror: the variable {missing[0]} is not set\n{name} failed"
    if branch in job.get("fails_on", []):
        return "failed", f"{name} started\nerror: 2 of 148 tests failed on {branch}\n{name} failed"
    if job.get("flaky") and attempt % 2 == 1:
        return "failed", f"{name} started\nerror: no answer from the test browser within 30 s\n{name} failed"
    return "passed", f"{name} started\n{name} passed in {seconds} s"


def jobs_of(ctx: Context, run: Run) -> list[Job]:
    """The jobs of a run in order."""
    return ctx.list(Job, col(Job.run_id) == run.id, order_by=[col(Job.position)])


def begin(ctx: Context, pipeline: Pipeline, run: Run) -> None:
    """Run the jobs that have not passed, or let the run wait if others go already."""
    going = ctx.count(Run, col(Run.pipeline_id) == pipeline.id, col(Run.status) == "running", col(Run.id) != run.id)
    jobs = jobs_of(ctx, run)
    if going >= pipeline.max_running:
        run.status = "queued"
        run.started_at = run.finished_at = None
        for job in jobs:
            if job.status != "passed":
                job.status, job.duration_seconds, job.log = "queued", None, ""
        ctx.flush()
        return
    variables = {
        item.name
        for item in ctx.list(Variable, col(Variable.pipeline_id) == pipeline.id, col(Variable.environment_id).is_(None))
    }
    plans = {item["name"]: item for item in pipeline.jobs}
    failed = False
    for job in jobs:
        if job.status == "passed":
            continue
        if failed:
            job.status, job.duration_seconds, job.log = "skipped", None, ""
            continue
        plan = plans.get(job.name, {"name": job.name, "seconds": 1})
        job.status, job.log = outcome(plan, run.branch, run.attempt, variables)
        job.duration_seconds = plan["seconds"]
        failed = job.status == "failed"
    run.status = "failed" if failed else "passed"
    run.started_at = run.finished_at = ctx.now()
    ctx.flush()


def start_waiting(ctx: Context, pipeline: Pipeline) -> None:
    """Let the runs that wait go, the oldest first, as far as the pipeline's limit allows."""
    waiting = ctx.list(
        Run, col(Run.pipeline_id) == pipeline.id, col(Run.status) == "queued", order_by=[col(Run.created_at)]
    )
    for run in waiting:
        begin(ctx, pipeline, run)
