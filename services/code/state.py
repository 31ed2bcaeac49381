"""What the code hosting remembers."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

ROLES = ("read", "write", "maintain")


class CodeEntity(Entity):
    """Base of the code hosting's entities."""

    __service__ = "code"


class Repository(CodeEntity, table=True):
    """A project's files and their history."""

    id: str = key("repo")
    name: str = field("code", unique=True, max_length=80)
    description: str = field("text", default="", max_length=500)
    visibility: str = field("category", choices=("internal", "private"), default="internal")
    default_branch: str = field("name", default="main", max_length=80)
    labels: list[str] = field("tags", default_factory=list, description="labels that its issues may carry")
    status: str = field("status", choices=("active", "archived"), default="active")
    created_at: datetime = field("datetime")


class Member(CodeEntity, table=True):
    """Somebody's role in a repository."""

    repository_id: str = ref("code_repository.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    role: str = field("category", choices=ROLES)


class Branch(CodeEntity, table=True):
    """A line of work; protected ones change by merges alone."""

    id: str = key("brn")
    repository_id: str = ref("code_repository.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=80)
    status: str = field("status", choices=("active", "merged"), default="active")
    protected: bool = field("flag", default=False)
    required_approvals: int = field("quantity", default=0, ge=0, le=10)
    head_commit_id: str | None = field("reference", default=None, max_length=200, description="its newest commit")
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Commit(CodeEntity, table=True):
    """A change of files, with what the checks said about the branch after it."""

    id: str = key("cmt")
    repository_id: str = ref("code_repository.id", on_delete="cascade")
    branch_id: str = ref("code_branch.id", on_delete="cascade")
    parent_id: str | None = ref("code_commit.id", default=None)
    message: str = field("title", min_length=1, max_length=260)
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    changed_paths: list[str] = field("tags", default_factory=list)
    checks: dict[str, str] = field("json", description="passed or failed by name of the check")
    checks_status: str = field("status", choices=("passed", "failed"))
    created_at: datetime = field("datetime", index=True)


class RepositoryFile(CodeEntity, table=True):
    """A file as it stands on a branch; one without content was deleted there."""

    id: str = key("fil")
    branch_id: str = ref("code_branch.id", on_delete="cascade")
    path: str = field("code", min_length=1, max_length=200)
    content: str | None = field("text", default=None, max_length=20_000)
    last_commit_id: str = ref("code_commit.id")
    base_commit_id: str | None = ref("code_commit.id", default=None)


class Milestone(CodeEntity, table=True):
    """A goal with a date that issues are gathered under."""

    id: str = key("mst")
    repository_id: str = ref("code_repository.id", on_delete="cascade")
    title: str = field("title", max_length=120)
    due_on: date | None = field("date", default=None)
    status: str = field("status", choices=("open", "closed"), default="open")


class Issue(CodeEntity, table=True):
    """A fault or a wish."""

    id: str = key("iss")
    repository_id: str = ref("code_repository.id", on_delete="cascade")
    number: int = field("quantity", ge=1, description="shared with the pull requests of the repository")
    title: str = field("title", min_length=1, max_length=200)
    body: str = field("text", default="", max_length=10_000)
    status: str = field("status", choices=("open", "closed"), default="open")
    labels: list[str] = field("tags", default_factory=list)
    assignee_emails: list[str] = field("tags", default_factory=list)
    milestone_id: str | None = ref("code_milestone.id", default=None)
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime", index=True)
    updated_at: datetime = field("datetime")
    closed_at: datetime | None = field("datetime", default=None)


class PullRequest(CodeEntity, table=True):
    """The wish to merge one branch into another."""

    id: str = key("pr")
    repository_id: str = ref("code_repository.id", on_delete="cascade")
    number: int = field("quantity", ge=1)
    title: str = field("title", min_length=1, max_length=200)
    description: str = field("text", default="", max_length=10_000)
    status: str = field("status", choices=("open", "closed", "merged"), default="open")
    source_branch_id: str = ref("code_branch.id")
    target_branch_id: str = ref("code_branch.id")
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    reviewer_emails: list[str] = field("tags", default_factory=list)
    closes_issue_ids: list[str] = field("tags", default_factory=list)
    created_at: datetime = field("datetime", index=True)
    updated_at: datetime = field("datetime")
    merged_at: datetime | None = field("datetime", default=None)
    merged_by: str | None = field("email", default=None, max_length=200)
    merge_commit_id: str | None = ref("code_commit.id", default=None)


class Review(CodeEntity, table=True):
    """What somebody said about a pull request as it stood at a commit."""

    id: str = key("rev")
    pull_request_id: str = ref("code_pull_request.id", on_delete="cascade")
    verdict: str = field("category", choices=("approve", "request_changes", "comment"))
    body: str = field("text", default="", max_length=5_000)
    reviewer_name: str = field("person", max_length=120)
    reviewer_email: str = field("email", max_length=200)
    commit_id: str = ref("code_commit.id")
    created_at: datetime = field("datetime")


class Release(CodeEntity, table=True):
    """A published version of the default branch."""

    id: str = key("rel")
    repository_id: str = ref("code_repository.id", on_delete="cascade")
    tag: str = field("code", max_length=20)
    title: str = field("title", min_length=1, max_length=120)
    notes: str = field("text", default="", max_length=5_000)
    commit_id: str = ref("code_commit.id")
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime", index=True)
