"""Tools for issues."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.code.access import can_write, changeable, require_members, seen, visible
from services.code.state import Issue, Milestone, PullRequest, Repository


def next_number(ctx: Context, repository_id: str) -> int:
    """The number of the repository's next issue or pull request."""
    highest = 0
    for entity in (Issue, PullRequest):
        statement = select(func.max(entity.number)).where(col(entity.repository_id) == repository_id)
        highest = max(highest, ctx.rows(statement)[0][0] or 0)
    return highest + 1


@tool
def list_issues(
    ctx: Context,
    repository_id: str | None = None,
    status: str | None = None,
    label: str | None = None,
    assignee_email: str | None = None,
    author_email: str | None = None,
    milestone_id: str | None = None,
    query: str | None = None,
    sort: str = "newest",
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Issues that meet every filter."""
    where: list[Any] = [col(Issue.repository_id).in_(seen(ctx))]
    equal = (
        (Issue.repository_id, repository_id),
        (Issue.status, status),
        (Issue.author_email, author_email),
        (Issue.milestone_id, milestone_id),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if label is not None:
        where.append(col(Issue.labels).contains([label]))
    if assignee_email == "none":
        where.append(col(Issue.assignee_emails) == [])
    elif assignee_email is not None:
        where.append(col(Issue.assignee_emails).contains([assignee_email]))
    if query is not None:
        where.append(contains(Issue.title, query) | contains(Issue.body, query))
    created = col(Issue.created_at)
    order = {"newest": created.desc(), "oldest": created, "recently_updated": col(Issue.updated_at).desc()}[sort]
    page = ctx.page(Issue, *where, order_by=[order], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Issue, *where)}


def _require_labels(ctx: Context, repository: Repository, labels: list[str]) -> None:
    unknown = [item for item in labels if item not in repository.labels]
    if unknown:
        ctx.fail(
            "invalid", f"labels: {repository.name} has no label {unknown[0]!r}; use {', '.join(repository.labels)}."
        )


def _require_milestone(ctx: Context, repository: Repository, milestone_id: str) -> None:
    milestone = ctx.require(Milestone, milestone_id)
    if milestone.repository_id != repository.id:
        ctx.fail("invalid", f"milestone_id: {milestone_id} belongs to another repository.")
    if milestone.status == "closed":
        ctx.fail("conflict", f"The milestone {milestone.title!r} is closed.")


@tool
def create_issue(
    ctx: Context,
    repository_id: str,
    title: str,
    body: str = "",
    labels: list[str] | None = None,
    assignee_emails: list[str] | None = None,
    milestone_id: str | None = None,
) -> Any:
    """A new open issue."""
    repository = changeable(ctx, repository_id)
    if (labels or assignee_emails or milestone_id is not None) and not can_write(ctx, repository):
        ctx.fail(
            "forbidden",
            f"Labels, assignees and milestones in {repository.name} need the role write; open the issue without them.",
        )
    _require_labels(ctx, repository, labels or [])
    require_members(ctx, repository, assignee_emails or [], "assignee_emails")
    if milestone_id is not None:
        _require_milestone(ctx, repository, milestone_id)
    return ctx.add(
        Issue(
            id=ctx.new_id("iss"),
            repository_id=repository.id,
            number=next_number(ctx, repository.id),
            title=title,
            body=body,
            labels=labels or [],
            assignee_emails=assignee_emails or [],
            milestone_id=milestone_id,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )


def _issue(ctx: Context, issue_id: str) -> Issue:
    issue = ctx.require(Issue, issue_id)
    visible(ctx, issue.repository_id)
    return issue


@tool
def get_issue(ctx: Context, issue_id: str) -> Any:
    """An issue with the pull requests that close it."""
    issue = _issue(ctx, issue_id)
    closing = ctx.list(
        PullRequest,
        col(PullRequest.repository_id) == issue.repository_id,
        col(PullRequest.closes_issue_ids).contains([issue.id]),
        order_by=[col(PullRequest.number)],
    )
    return issue.out() | {"pull_requests": [item.out("id", "number", "title", "status") for item in closing]}


def close_issue(ctx: Context, issue: Issue) -> None:
    """Close an issue that is open."""
    if issue.status == "open":
        issue.status = "closed"
        issue.closed_at = issue.updated_at = ctx.now()


@tool
def update_issue(
    ctx: Context,
    issue_id: str,
    title: str | None = None,
    body: str | None = None,
    labels: list[str] | None = None,
    assignee_emails: list[str] | None = None,
    milestone_id: str | None = "",
    status: str | None = None,
) -> Any:
    """Change an issue; an empty ``milestone_id`` stands for none given."""
    issue = _issue(ctx, issue_id)
    repository = changeable(ctx, issue.repository_id)
    texts = title is not None or body is not None or status is not None
    sorting = labels is not None or assignee_emails is not None or milestone_id != ""
    if not texts and not sorting:
        ctx.fail("invalid", "Give at least one of title, body, labels, assignee_emails, milestone_id and status.")
    writer = can_write(ctx, repository)
    if not writer and (sorting or issue.author_email != ctx.user.email):
        ctx.fail(
            "forbidden",
            f"In {repository.name} this needs the role write; an issue's author may change title, body and status.",
        )
    if title is not None:
        issue.title = title
    if body is not None:
        issue.body = body
    if labels is not None:
        _require_labels(ctx, repository, labels)
        issue.labels = labels
    if assignee_emails is not None:
        require_members(ctx, repository, assignee_emails, "assignee_emails")
        issue.assignee_emails = assignee_emails
    if milestone_id != "":
        if milestone_id is not None and milestone_id != issue.milestone_id:
            _require_milestone(ctx, repository, milestone_id)
        issue.milestone_id = milestone_id
    if status == "closed":
        close_issue(ctx, issue)
    elif status == "open":
        issue.status = "open"
        issue.closed_at = None
    issue.updated_at = ctx.now()
    ctx.flush()
    return issue
