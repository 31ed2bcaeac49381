"""Tools for pull requests, reviews and merges."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.code.access import can_write, changeable, require_members, role, seen, visible
from services.code.branches import branch_seen, default_branch
from services.code.files import Difference, commit, difference
from services.code.issues import close_issue, next_number
from services.code.state import Branch, Commit, Issue, PullRequest, Repository, Review


@tool
def list_pull_requests(
    ctx: Context,
    repository_id: str | None = None,
    status: str | None = None,
    author_email: str | None = None,
    reviewer_email: str | None = None,
    source_branch_id: str | None = None,
    target_branch_id: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Pull requests that meet every filter."""
    where: list[Any] = [col(PullRequest.repository_id).in_(seen(ctx))]
    equal = (
        (PullRequest.repository_id, repository_id),
        (PullRequest.status, status),
        (PullRequest.author_email, author_email),
        (PullRequest.source_branch_id, source_branch_id),
        (PullRequest.target_branch_id, target_branch_id),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if reviewer_email is not None:
        where.append(col(PullRequest.reviewer_emails).contains([reviewer_email]))
    if query is not None:
        where.append(contains(PullRequest.title, query) | contains(PullRequest.description, query))
    page = ctx.page(PullRequest, *where, order_by=[col(PullRequest.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(PullRequest, *where)}


def _request(ctx: Context, pull_request_id: str) -> PullRequest:
    request = ctx.require(PullRequest, pull_request_id)
    visible(ctx, request.repository_id)
    return request


def _branches(ctx: Context, request: PullRequest) -> tuple[Branch, Branch]:
    return ctx.require(Branch, request.source_branch_id), ctx.require(Branch, request.target_branch_id)


def _reviews(ctx: Context, request: PullRequest) -> list[Review]:
    return ctx.list(Review, col(Review.pull_request_id) == request.id, order_by=[col(Review.created_at)])


def _blockers(ctx: Context, request: PullRequest, changed: Difference) -> list[str]:
    """Why an open pull request cannot be merged now; empty if it can."""
    source, target = _branches(ctx, request)
    last: dict[str, Review] = {}
    for review in _reviews(ctx, request):
        if review.verdict != "comment":
            last[review.reviewer_email] = review
    approvals = [
        item for item in last.values() if item.verdict == "approve" and item.commit_id == source.head_commit_id
    ]
    refusing = sorted(item.reviewer_email for item in last.values() if item.verdict == "request_changes")
    head = ctx.require(Commit, source.head_commit_id)
    found = [
        f"The check {name} failed on {head.id}." for name, result in sorted(head.checks.items()) if result == "failed"
    ]
    if len(approvals) < target.required_approvals:
        found.append(
            f"{target.name} needs {target.required_approvals} approvals of the newest commit, "
            f"there are {len(approvals)}."
        )
    found += [f"{email} requested changes and has not approved since." for email in refusing]
    if changed.conflicts:
        found.append(f"Changed on both branches: {', '.join(changed.conflicts)}; redo them on a new branch.")
    if not changed.changes:
        found.append(f"{source.name} has nothing that {target.name} lacks.")
    return found


def _view(ctx: Context, request: PullRequest) -> dict[str, Any]:
    source, target = _branches(ctx, request)
    changed = difference(ctx, source, target)
    blockers = _blockers(ctx, request, changed) if request.status == "open" else [f"It is {request.status}."]
    return request.out() | {
        "source_branch": source.name,
        "target_branch": target.name,
        "head_commit_id": source.head_commit_id,
        "checks": ctx.require(Commit, source.head_commit_id).checks,
        "required_approvals": target.required_approvals,
        "changed_files": changed.out() if request.status != "merged" else [],
        "reviews": [item.out() | {"stale": item.commit_id != source.head_commit_id} for item in _reviews(ctx, request)],
        "mergeable": not blockers,
        "blockers": blockers,
    }


@tool
def get_pull_request(ctx: Context, pull_request_id: str) -> Any:
    """A pull request in full."""
    return _view(ctx, _request(ctx, pull_request_id))


def _require_issues(ctx: Context, repository: Repository, issue_ids: list[str]) -> None:
    found = ctx.list(Issue, col(Issue.id).in_(issue_ids), col(Issue.repository_id) == repository.id)
    missing = sorted(set(issue_ids) - {item.id for item in found})
    if missing:
        ctx.fail("not_found", f"There is no issue {missing[0]!r} in {repository.name}.")


def _require_reviewers(ctx: Context, repository: Repository, emails: list[str], author: str) -> None:
    require_members(ctx, repository, emails, "reviewer_emails")
    if author in emails:
        ctx.fail("invalid", f"reviewer_emails: {author} is the author and cannot review it.")


def _require_single(ctx: Context, source: Branch, target: Branch) -> None:
    twin = ctx.first(
        PullRequest,
        col(PullRequest.source_branch_id) == source.id,
        col(PullRequest.target_branch_id) == target.id,
        col(PullRequest.status) == "open",
    )
    if twin is not None:
        ctx.fail("conflict", f"The pull request {twin.id} for {source.name} into {target.name} is open already.")


@tool
def create_pull_request(
    ctx: Context,
    source_branch_id: str,
    title: str,
    target_branch_id: str | None = None,
    description: str = "",
    reviewer_emails: list[str] | None = None,
    closes_issue_ids: list[str] | None = None,
) -> Any:
    """Ask for a merge."""
    source = branch_seen(ctx, source_branch_id)
    repository = changeable(ctx, source.repository_id, "write")
    target = default_branch(ctx, repository) if target_branch_id is None else branch_seen(ctx, target_branch_id)
    if target.repository_id != repository.id:
        ctx.fail("invalid", f"target_branch_id: {target.id} is a branch of another repository.")
    for branch in (source, target):
        if branch.status == "merged":
            ctx.fail("conflict", f"The branch {branch.name} is merged; create a new one.")
    if source.protected or source.id == target.id:
        ctx.fail("conflict", f"The branch {source.name} cannot be merged into {target.name}; choose another source.")
    _require_single(ctx, source, target)
    if not difference(ctx, source, target).changes:
        ctx.fail("conflict", f"{source.name} has nothing that {target.name} lacks; commit to it first.")
    _require_reviewers(ctx, repository, reviewer_emails or [], ctx.user.email)
    _require_issues(ctx, repository, closes_issue_ids or [])
    request = ctx.add(
        PullRequest(
            id=ctx.new_id("pr"),
            repository_id=repository.id,
            number=next_number(ctx, repository.id),
            title=title,
            description=description,
            source_branch_id=source.id,
            target_branch_id=target.id,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            reviewer_emails=reviewer_emails or [],
            closes_issue_ids=closes_issue_ids or [],
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )
    return _view(ctx, request)


@tool
def update_pull_request(
    ctx: Context,
    pull_request_id: str,
    title: str | None = None,
    description: str | None = None,
    reviewer_emails: list[str] | None = None,
    closes_issue_ids: list[str] | None = None,
    status: str | None = None,
) -> Any:
    """Change, withdraw or reopen a pull request."""
    request = _request(ctx, pull_request_id)
    repository = changeable(ctx, request.repository_id)
    if all(item is None for item in (title, description, reviewer_emails, closes_issue_ids, status)):
        ctx.fail("invalid", "Give at least one of title, description, reviewer_emails, closes_issue_ids and status.")
    if request.author_email != ctx.user.email and role(ctx, repository) != "maintain":
        ctx.fail(
            "forbidden", f"Only {request.author_name} and maintainers of {repository.name} may change {request.id}."
        )
    if request.status == "merged":
        ctx.fail("conflict", f"The pull request {request.id} is merged and stays as it is.")
    if title is not None:
        request.title = title
    if description is not None:
        request.description = description
    if reviewer_emails is not None:
        _require_reviewers(ctx, repository, reviewer_emails, request.author_email)
        request.reviewer_emails = reviewer_emails
    if closes_issue_ids is not None:
        _require_issues(ctx, repository, closes_issue_ids)
        request.closes_issue_ids = closes_issue_ids
    if status is not None and status != request.status:
        if status == "open":
            source, target = _branches(ctx, request)
            _require_single(ctx, source, target)
            if source.status == "merged":
                ctx.fail("conflict", f"The branch {source.name} is merged; open a pull request for a new one.")
        request.status = status
    request.updated_at = ctx.now()
    ctx.flush()
    return _view(ctx, request)


@tool
def create_review(ctx: Context, pull_request_id: str, verdict: str, body: str = "") -> Any:
    """Say something about a pull request as it stands."""
    request = _request(ctx, pull_request_id)
    repository = changeable(ctx, request.repository_id)
    if request.status != "open":
        ctx.fail("conflict", f"The pull request {request.id} is {request.status}; only open ones are reviewed.")
    if verdict != "comment":
        if request.author_email == ctx.user.email:
            ctx.fail("forbidden", f"You are the author of {request.id}; ask somebody else to review it.")
        if not can_write(ctx, repository):
            ctx.fail(
                "forbidden", f"Reviews that count need the role write in {repository.name}; leave a comment instead."
            )
    if verdict != "approve" and not body.strip():
        ctx.fail("invalid", "body: say what should change.")
    source = ctx.require(Branch, request.source_branch_id)
    request.updated_at = ctx.now()
    return ctx.add(
        Review(
            id=ctx.new_id("rev"),
            pull_request_id=request.id,
            verdict=verdict,
            body=body,
            reviewer_name=ctx.user.name,
            reviewer_email=ctx.user.email,
            commit_id=source.head_commit_id or "",
            created_at=ctx.now(),
        )
    )


@tool
def merge_pull_request(ctx: Context, pull_request_id: str, message: str | None = None) -> Any:
    """Bring a pull request's files to its target."""
    request = _request(ctx, pull_request_id)
    changeable(ctx, request.repository_id, "write")
    if request.status != "open":
        ctx.fail("conflict", f"The pull request {request.id} is {request.status}; only open ones can be merged.")
    source, target = _branches(ctx, request)
    changed = difference(ctx, source, target)
    blockers = _blockers(ctx, request, changed)
    if blockers:
        ctx.fail("conflict", f"{request.id} cannot be merged yet. {blockers[0]}", blockers=blockers)
    made = commit(ctx, target, message or f"{request.title} (#{request.number})", changed.changes)
    request.status = "merged"
    request.merged_at = request.updated_at = ctx.now()
    request.merged_by = ctx.user.email
    request.merge_commit_id = made.id
    source.status = "merged"
    for issue in ctx.list(Issue, col(Issue.id).in_(list(request.closes_issue_ids))):
        close_issue(ctx, issue)
    ctx.flush()
    return _view(ctx, request)
