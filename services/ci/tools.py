"""The tools of pipelines and deployments."""

from services.ci.deployments import (
    create_deployment,
    create_freeze_window,
    delete_freeze_window,
    get_deployment,
    list_deployments,
    list_environments,
    list_freeze_windows,
    review_deployment,
    rollback_deployment,
)
from services.ci.runs import cancel_run, create_run, get_run, list_pipelines, list_runs, retry_run
from services.ci.variables import create_variable, list_variables, update_variable

__all__ = [
    "cancel_run",
    "create_deployment",
    "create_freeze_window",
    "create_run",
    "create_variable",
    "delete_freeze_window",
    "get_deployment",
    "get_run",
    "list_deployments",
    "list_environments",
    "list_freeze_windows",
    "list_pipelines",
    "list_runs",
    "list_variables",
    "retry_run",
    "review_deployment",
    "rollback_deployment",
    "update_variable",
]
