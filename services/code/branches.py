"""Tools for repositories, branches, files and commits."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, contains, tool
from services.code.access import changeable, seen, visible
from services.code.files import commit, files_of
from services.code.state import (
    Branch,
    Commit,
    Issue,
    Member,
    Milestone,
    PullRequest,
    Repository,
    RepositoryFile,
)

MAX_BRANCHES = 50
"""Branches of one repository, merged ones too."""


class FileChange(TypedDict):
    """A file's new text, or ``None`` to delete it."""

    path: str
    content: str | None


@tool
def list_repositories(
    ctx: Context, query: str | None = None, status: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Repositories with members, milestones and open work."""
    where: list[Any] = [col(Repository.id).in_(seen(ctx))]
    if query is not None:
        where.append(contains(Repository.name, query) | contains(Repository.description, query))
    if status is not None:
        where.append(col(Repository.status) == status)
    page = ctx.page(Repository, *where, order_by=[col(Repository.name)], limit=limit, cursor=cursor)
    return {
        "items": _repository_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Repository, *where),
    }


def _repository_views(ctx: Context, repositories: list[Repository]) -> list[dict[str, Any]]:
    ids = [item.id for item in repositories]
    members: dict[str, list[Member]] = defaultdict(list)
    for member in ctx.list(Member, col(Member.repository_id).in_(ids), order_by=[col(Member.name)]):
        members[member.repository_id].append(member)
    milestones: dict[str, list[Milestone]] = defaultdict(list)
    for milestone in ctx.list(Milestone, col(Milestone.repository_id).in_(ids)):
        milestones[milestone.repository_id].append(milestone)
    issues: dict[tuple[str, str | None, str], int] = {
        (row[0], row[1], row[2]): row[3]
        for row in ctx.rows(
            select(col(Issue.repository_id), col(Issue.milestone_id), col(Issue.status), func.count())
            .where(col(Issue.repository_id).in_(ids))
            .group_by(col(Issue.repository_id), col(Issue.milestone_id), col(Issue.status))
        )
    }
    requests: dict[str, int] = {
        row[0]: row[1]
        for row in ctx.rows(
            select(col(PullRequest.repository_id), func.count())
            .where(col(PullRequest.repository_id).in_(ids), col(PullRequest.status) == "open")
            .group_by(col(PullRequest.repository_id))
        )
    }
    views = []
    for item in repositories:
        mine = [member.role for member in members[item.id] if member.email == ctx.user.email]
        views.append(
            item.out()
            | {
                "my_role": mine[0] if mine else "read",
                "members": [member.out("name", "email", "role") for member in members[item.id]],
                "milestones": [
                    stone.out("id", "title", "due_on", "status")
                    | {
                        "open_issues": issues.get((item.id, stone.id, "open"), 0),
                        "closed_issues": issues.get((item.id, stone.id, "closed"), 0),
                    }
                    for stone in milestones[item.id]
                ],
                "open_issues": sum(n for (rid, _, status), n in issues.items() if (rid, status) == (item.id, "open")),
                "open_pull_requests": requests.get(item.id, 0),
            }
        )
    return views


@tool
def list_branches(
    ctx: Context,
    repository_id: str,
    status: str | None = None,
    protected: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Branches with their newest commit."""
    where: list[Any] = [col(Branch.repository_id) == visible(ctx, repository_id).id]
    if status is not None:
        where.append(col(Branch.status) == status)
    if protected is not None:
        where.append(col(Branch.protected).is_(protected))
    page = ctx.page(Branch, *where, order_by=[col(Branch.name)], limit=limit, cursor=cursor)
    return {
        "items": _branch_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Branch, *where),
    }


def _branch_views(ctx: Context, branches: list[Branch]) -> list[dict[str, Any]]:
    heads = ctx.list(Commit, col(Commit.id).in_([item.head_commit_id for item in branches]))
    known = {item.id: item for item in heads}
    return [
        item.out()
        | {
            "head_message": known[item.head_commit_id].message if item.head_commit_id in known else None,
            "checks_status": known[item.head_commit_id].checks_status if item.head_commit_id in known else None,
        }
        for item in branches
    ]


def branch_seen(ctx: Context, branch_id: str) -> Branch:
    """A branch of a repository that the user can read."""
    branch = ctx.require(Branch, branch_id)
    visible(ctx, branch.repository_id)
    return branch


def default_branch(ctx: Context, repository: Repository) -> Branch:
    """The branch that work starts from and returns to."""
    found = ctx.first(Branch, col(Branch.repository_id) == repository.id, col(Branch.name) == repository.default_branch)
    if found is None:
        ctx.fail("not_found", f"The repository {repository.name} has no branch {repository.default_branch!r}.")
    return found


@tool
def create_branch(ctx: Context, repository_id: str, name: str, from_branch_id: str | None = None) -> Any:
    """A new branch with the files of another."""
    repository = changeable(ctx, repository_id, "write")
    origin = default_branch(ctx, repository) if from_branch_id is None else ctx.require(Branch, from_branch_id)
    if origin.repository_id != repository.id:
        ctx.fail("invalid", f"from_branch_id: {origin.id} is a branch of another repository.")
    if ctx.exists(Branch, col(Branch.repository_id) == repository.id, col(Branch.name) == name):
        ctx.fail("conflict", f"{repository.name} has a branch {name!r} already; choose another name.")
    if ctx.count(Branch, col(Branch.repository_id) == repository.id) >= MAX_BRANCHES:
        ctx.fail("limit", f"{repository.name} has {MAX_BRANCHES} branches, the most allowed.")
    branch = ctx.add(
        Branch(
            id=ctx.new_id("brn"),
            repository_id=repository.id,
            name=name,
            head_commit_id=origin.head_commit_id,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    for path, item in sorted(files_of(ctx, origin.id).items()):
        ctx.add(
            RepositoryFile(
                id=ctx.new_id("fil"),
                branch_id=branch.id,
                path=path,
                content=item.content,
                last_commit_id=item.last_commit_id,
                base_commit_id=item.last_commit_id,
            )
        )
    return _branch_views(ctx, [branch])[0] | {"from_branch_id": origin.id}


@tool
def list_files(
    ctx: Context,
    branch_id: str,
    path: str | None = None,
    path_prefix: str | None = None,
    include_content: bool = False,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Files that are there on a branch."""
    branch = branch_seen(ctx, branch_id)
    where: list[Any] = [col(RepositoryFile.branch_id) == branch.id, col(RepositoryFile.content).is_not(None)]
    if path is not None:
        where.append(col(RepositoryFile.path) == path)
    if path_prefix is not None:
        where.append(col(RepositoryFile.path).startswith(path_prefix, autoescape=True))
    page = ctx.page(RepositoryFile, *where, order_by=[col(RepositoryFile.path)], limit=limit, cursor=cursor)
    known = {item.id: item for item in ctx.list(Commit, col(Commit.id).in_([i.last_commit_id for i in page.items]))}
    items = [
        item.out("id", "branch_id", "path", "last_commit_id")
        | {
            "size": len(item.content or ""),
            "changed_by": known[item.last_commit_id].author_email,
            "changed_at": known[item.last_commit_id].created_at,
        }
        | ({"content": item.content} if include_content else {})
        for item in page.items
    ]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(RepositoryFile, *where)}


@tool
def create_commit(ctx: Context, branch_id: str, message: str, changes: list[FileChange]) -> Any:
    """Change files of a branch that is not protected."""
    branch = branch_seen(ctx, branch_id)
    changeable(ctx, branch.repository_id, "write")
    if branch.protected:
        ctx.fail("conflict", f"The branch {branch.name} is protected; commit to another one and open a pull request.")
    if branch.status == "merged":
        ctx.fail("conflict", f"The branch {branch.name} is merged and takes no more commits; create a new one.")
    wanted = {item["path"]: item["content"] for item in changes}
    if len(wanted) < len(changes):
        ctx.fail("invalid", "changes: name each path once.")
    files = files_of(ctx, branch.id)
    now = {path: item.content for path, item in files.items()}
    for path, content in wanted.items():
        if content is None and now.get(path) is None:
            ctx.fail("conflict", f"There is no file {path!r} on {branch.name} to delete.")
    real = {path: content for path, content in wanted.items() if content != now.get(path)}
    if not real:
        ctx.fail("conflict", f"Nothing would change on {branch.name}: the files have this content already.")
    return commit(ctx, branch, message, real)


@tool
def list_commits(
    ctx: Context,
    repository_id: str,
    branch_id: str | None = None,
    author_email: str | None = None,
    checks_status: str | None = None,
    path: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Commits, newest first."""
    where: list[Any] = [col(Commit.repository_id) == visible(ctx, repository_id).id]
    equal = ((Commit.branch_id, branch_id), (Commit.author_email, author_email), (Commit.checks_status, checks_status))
    where += [col(column) == value for column, value in equal if value is not None]
    if path is not None:
        where.append(col(Commit.changed_paths).contains([path]))
    page = ctx.page(Commit, *where, order_by=[col(Commit.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Commit, *where)}
