"""Pipelines and deployments as they stand when a story starts; their content is in ``seed_data.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from engine.kit import Entity, Person, Seed
from services.ci.execution import outcome
from services.ci.state import (
    Deployment,
    DeploymentReview,
    Environment,
    FreezeWindow,
    Job,
    Pipeline,
    Run,
    Variable,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    data = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
    return _Works(seed, data).rows()


class _Works:
    """Makes the rows; colleagues go by their first names in the data."""

    def __init__(self, seed: Seed, data: dict[str, Any]) -> None:
        self.seed = seed
        self.data = data
        self.people: dict[str, Person] = {item.handle.split(".")[0]: item for item in seed.colleagues}
        self.minutes = seed.random("minutes")
        self.pipelines: dict[str, Pipeline] = {}

    def rows(self) -> Iterator[Entity]:
        for key, repository, name, description, status, running, maintainers, jobs in self.data["pipelines"]:
            self.pipelines[key] = Pipeline(
                id=key,
                repository=repository,
                name=name,
                description=description,
                status=status,
                max_running=running,
                maintainer_emails=self._emails(maintainers),
                jobs=[
                    {"name": job, "stage": stage, "seconds": seconds, "needs_variables": needs} | more
                    for job, stage, seconds, needs, more in jobs
                ],
            )
        yield from self.pipelines.values()
        yield from self._runs()
        yield from self._environments()
        yield from self._deployments()
        yield from self._settings()

    def _emails(self, names: str) -> list[str]:
        return [self.people[item].email for item in names.split()]

    def _runs(self) -> Iterator[Entity]:
        numbers: dict[str, int] = {}
        jobs: list[Job] = []
        order = sorted(range(len(self.data["runs"])), key=lambda place: self.data["runs"][place][6:8])
        numbered: dict[int, int] = {}
        for place in order:
            name = self.data["runs"][place][0]
            numbers[name] = numbered[place] = numbers.get(name, 0) + 1
        for place, (name, branch, commit, status, trigger, person, day, hour) in enumerate(self.data["runs"]):
            pipeline = self.pipelines[f"pip_{name}"]
            minute = 0 if trigger == "schedule" else self.minutes.randint(1, 50)
            created = self.seed.at(day, hour, minute)
            run = Run(
                id=f"run_{place + 1:04d}",
                pipeline_id=pipeline.id,
                number=numbered[place],
                branch=branch,
                commit_id=commit,
                status=status,
                trigger=trigger,
                started_by=self.people[person].email,
                created_at=created,
                started_at=None if status == "queued" else created,
            )
            made = self._jobs(run, pipeline, name)
            if status in ("passed", "failed"):
                run.finished_at = created + timedelta(seconds=sum(job.duration_seconds or 0 for job in made))
            elif status == "cancelled":
                run.finished_at = created + timedelta(minutes=48)
            jobs += made
            yield run
        yield from jobs

    def _jobs(self, run: Run, pipeline: Pipeline, name: str) -> list[Job]:
        log = self.data["logs"].get(name, "")
        culprit = log.split(" ")[0]
        if run.branch == "feed-v2":
            culprit = "unit-tests"
        made = []
        over = False
        for position, plan in enumerate(pipeline.jobs, 1):
            needed = set(plan["needs_variables"])
            status, text = outcome(plan | {"flaky": False}, run.branch, run.attempt, needed)
            seconds: int | None = plan["seconds"]
            if run.status == "queued" or over:
                status, text, seconds = ("queued" if run.status in ("queued", "running") else "skipped"), "", None
            elif run.status in ("running", "cancelled"):
                status, text, seconds, over = run.status, log, None, True
            elif run.status == "failed" and plan["name"] == culprit:
                status, text, over = "failed", text if status == "failed" else log, True
            made.append(
                Job(
                    id=f"job_{run.id[4:]}_{position}",
                    run_id=run.id,
                    position=position,
                    name=plan["name"],
                    stage=plan["stage"],
                    status=status,
                    duration_seconds=seconds,
                    log=text,
                )
            )
        return made

    def _environments(self) -> Iterator[Entity]:
        names = {(row[0], row[1]) for row in self.data["environments"]}
        for name, kind, approvals, approvers, branches in self.data["environments"]:
            host = name.replace("_", "-")
            staged = kind == "production" and (name, "staging") in names
            yield Environment(
                id=f"env_{name}_{kind}",
                pipeline_id=f"pip_{name}",
                name=kind,
                url=f"https://{host}.{'staging.' if kind == 'staging' else ''}larkspur.example",
                required_approvals=approvals,
                approver_emails=self._emails(approvers),
                allowed_branches=branches.split(),
                after_environment_id=f"env_{name}_staging" if staged else None,
            )

    def _deployments(self) -> Iterator[Entity]:
        last = {}
        for place, row in enumerate(self.data["deployments"]):
            if row[4] == "deployed":
                last[row[0], row[1]] = place
        reviews: list[DeploymentReview] = []
        for place, row in enumerate(self.data["deployments"]):
            name, kind, run, version, status, person, day, note, said = row
            created = self.seed.at(day, 18 if kind == "production" else 17, self.minutes.randint(0, 40))
            if status == "deployed" and last[name, kind] != place:
                status = "superseded"
            done = status in ("deployed", "superseded")
            yield Deployment(
                id=f"dep_{place + 1:04d}",
                environment_id=f"env_{name}_{kind}",
                run_id=f"run_{run:04d}",
                version=version,
                status=status,
                note=note,
                requested_by=self.people[person].email,
                created_at=created,
                deployed_at=created + timedelta(minutes=12 if said else 0) if done else None,
            )
            for minute, (decision, reviewer, comment) in enumerate(said, 11 - len(said)):
                reviews.append(
                    DeploymentReview(
                        id=f"drv_{len(reviews) + 1:04d}",
                        deployment_id=f"dep_{place + 1:04d}",
                        decision=decision,
                        comment=comment,
                        reviewer_name=self.people[reviewer].name,
                        reviewer_email=self.people[reviewer].email,
                        created_at=created + timedelta(minutes=minute),
                    )
                )
        yield from reviews

    def _settings(self) -> Iterator[Entity]:
        for number, (name, kind, variable, value, secret, person, day) in enumerate(self.data["variables"], 1):
            yield Variable(
                id=f"var_{number:04d}",
                pipeline_id=f"pip_{name}",
                environment_id=f"env_{name}_{kind}" if kind else None,
                name=variable,
                value=value,
                secret=secret,
                updated_by=self.people[person].email,
                updated_at=self.seed.at(day, 11),
            )
        for number, (name, kind, first, start, last, end, reason, person) in enumerate(self.data["freezes"], 1):
            yield FreezeWindow(
                id=f"frz_{number:04d}",
                environment_id=f"env_{name}_{kind}",
                starts_at=self.seed.at(first, start),
                ends_at=self.seed.at(last, end),
                reason=reason,
                created_by=self.people[person].email,
            )
