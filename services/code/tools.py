"""The code hosting's tools."""

from services.code.branches import (
    create_branch,
    create_commit,
    list_branches,
    list_commits,
    list_files,
    list_repositories,
)
from services.code.issues import create_issue, get_issue, list_issues, update_issue
from services.code.releases import create_release, list_releases
from services.code.requests import (
    create_pull_request,
    create_review,
    get_pull_request,
    list_pull_requests,
    merge_pull_request,
    update_pull_request,
)

__all__ = [
    "create_branch",
    "create_commit",
    "create_issue",
    "create_pull_request",
    "create_release",
    "create_review",
    "get_issue",
    "get_pull_request",
    "list_branches",
    "list_commits",
    "list_files",
    "list_issues",
    "list_pull_requests",
    "list_releases",
    "list_repositories",
    "merge_pull_request",
    "update_issue",
    "update_pull_request",
]
