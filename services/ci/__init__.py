"""Pipelines and deployments: runs with jobs, environments with approvals and freeze windows, variables."""

from pathlib import Path

from engine.kit import Service
from services.ci import seed, state, tools

service = Service(
    name="ci",
    title="Pipelines and deployments",
    domain="software development",
    summary="Pipelines per repository with runs and jobs, environments with approvals and freeze windows, "
    "deployments with rollback, and variables with masked secrets.",
    entities=[
        state.Pipeline,
        state.Run,
        state.Job,
        state.Environment,
        state.Deployment,
        state.DeploymentReview,
        state.Variable,
        state.FreezeWindow,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
