"""Files of branches: commits, checks, and what a merge brings over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.code.state import Branch, Commit, RepositoryFile

MAX_FILES = 100
"""Files on one branch."""

MAX_LINE = 120
"""Characters of a line, before the check named format fails."""


def files_of(ctx: Context, branch_id: str) -> dict[str, RepositoryFile]:
    """Every file of a branch by path, deleted ones too."""
    return {item.path: item for item in ctx.list(RepositoryFile, col(RepositoryFile.branch_id) == branch_id)}


def run_checks(contents: dict[str, str]) -> dict[str, str]:
    """What each check says about the files of a branch."""
    lines = [line for text in contents.values() for line in text.split("\n")]
    tidy = all(len(line) <= MAX_LINE and not line.endswith((" ", "\t")) for line in lines)
    builds = all(not line.startswith("<<<<<<<") for line in lines) and all(
        _is_json(text) for path, text in contents.items() if path.endswith(".json")
    )
    return {"build": "passed" if builds else "failed", "format": "passed" if tidy else "failed"}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def commit(ctx: Context, branch: Branch, message: str, changes: dict[str, str | None]) -> Commit:
    """Write a commit with the new contents of files (``None`` deletes) and make it the branch's newest."""
    files = files_of(ctx, branch.id)
    contents = {path: item.content for path, item in files.items() if item.content is not None}
    for path, content in changes.items():
        if content is None:
            contents.pop(path, None)
        else:
            contents[path] = content
    if len(contents) > MAX_FILES:
        ctx.fail("limit", f"The branch {branch.name} would have more than {MAX_FILES} files.")
    checks = run_checks(contents)
    made = ctx.add(
        Commit(
            id=ctx.new_id("cmt"),
            repository_id=branch.repository_id,
            branch_id=branch.id,
            parent_id=branch.head_commit_id,
            message=message,
            author_name=ctx.user.name,
            author_email=ctx.user.email,
            changed_paths=sorted(changes),
            checks=checks,
            checks_status="failed" if "failed" in checks.values() else "passed",
            created_at=ctx.now(),
        )
    )
    for path in sorted(changes):
        if path in files:
            files[path].content = changes[path]
            files[path].last_commit_id = made.id
        else:
            ctx.add(
                RepositoryFile(
                    id=ctx.new_id("fil"),
                    branch_id=branch.id,
                    path=path,
                    content=changes[path],
                    last_commit_id=made.id,
                )
            )
    branch.head_commit_id = made.id
    ctx.flush()
    return made


@dataclass
class Difference:
    """What a merge would bring: new contents by path, what it does to each, and paths changed on both branches."""

    changes: dict[str, str | None]
    kinds: dict[str, str]
    conflicts: list[str]

    def out(self) -> list[dict[str, Any]]:
        """The changed files for a result."""
        return [{"path": path, "change": self.kinds[path]} for path in sorted(self.kinds)]


def difference(ctx: Context, source: Branch, target: Branch) -> Difference:
    """What was changed on the source since it was started, as seen from the target."""
    found = Difference({}, {}, [])
    there = files_of(ctx, target.id)
    for path, item in sorted(files_of(ctx, source.id).items()):
        if item.last_commit_id == item.base_commit_id:
            continue
        other = there.get(path)
        current = other.content if other is not None else None
        if item.content == current:
            continue
        found.changes[path] = item.content
        kind = "added" if current is None else "deleted" if item.content is None else "modified"
        found.kinds[path] = kind
        if other is not None and other.last_commit_id != item.base_commit_id:
            found.conflicts.append(path)
    return found
