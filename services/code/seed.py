"""The repositories as they stand when a story starts; their content is in ``seed_data.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from engine.kit import Entity, Person, Seed
from services.code.files import run_checks
from services.code.state import (
    Branch,
    Commit,
    Issue,
    Member,
    Milestone,
    PullRequest,
    Release,
    Repository,
    RepositoryFile,
    Review,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    data = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
    return _Forge(seed, data).rows()


class _Forge:
    """Makes the rows; colleagues go by their first names in the data."""

    def __init__(self, seed: Seed, data: dict[str, Any]) -> None:
        self.seed = seed
        self.data = data
        self.people: dict[str, Person] = {item.handle.split(".")[0]: item for item in seed.colleagues}
        self.branches: dict[str, Branch] = {}
        self.commits: list[Commit] = []
        self.files: dict[str, dict[str, RepositoryFile]] = {}
        self.issues: dict[tuple[str, int], Issue] = {}
        self.requests: dict[tuple[str, int], PullRequest] = {}
        self.minutes = seed.random("minutes")
        self.numbers = self._numbers()

    def _numbers(self) -> dict[tuple[str, int], int]:
        """Numbers of issues and pull requests, by repository and the number that the data gives: by age."""
        repository = {row[0]: row[1] for row in self.data["branches"]}
        ages = [(row[0], row[9], row[1]) for row in self.data["issues"]]
        ages += [(repository[row[0]], row[8], row[1]) for row in self.data["pull_requests"]]
        counts: dict[str, int] = {}
        numbers = {}
        for name, _, given in sorted(ages):
            counts[name] = counts.get(name, 0) + 1
            numbers[name, given] = counts[name]
        return numbers

    def _message(self, repository_id: str, message: str) -> str:
        text, mark, given = message.partition(" (#")
        if not mark:
            return message
        return f"{text} (#{self.numbers[repository_id.removeprefix('repo_'), int(given.rstrip(')'))]})"

    def rows(self) -> Iterator[Entity]:
        yield from self._repositories()
        self._history()
        yield from self.branches.values()
        yield from self.commits
        for files in self.files.values():
            yield from files.values()
        yield from self._work()

    def _moment(self, day: int) -> Any:
        return self.seed.at(day, 10, self.minutes.randint(0, 59))

    def _repositories(self) -> Iterator[Entity]:
        for key, name, description, visibility, status, labels, day, _ in self.data["repositories"]:
            yield Repository(
                id=key,
                name=name,
                description=description,
                visibility=visibility,
                status=status,
                labels=labels,
                created_at=self.seed.at(day),
            )
        for key, *_, members in self.data["repositories"]:
            for short, role in members.items():
                person = self.people[short]
                yield Member(repository_id=key, email=person.email, name=person.name, role=role)

    def _history(self) -> None:
        """Branches with their commits and files, in the order of time."""
        origins = {}
        for number, row in enumerate(self.data["branches"], 1):
            key, repository, name, protected, approvals, status, author, day, origins[key] = row
            self.branches[key] = Branch(
                id=f"brn_{number:04d}",
                repository_id=f"repo_{repository}",
                name=name,
                status=status,
                protected=protected,
                required_approvals=approvals,
                created_by=self.people[author].email,
                created_at=self.seed.at(day, 8),
            )
        for number, (key, day, message, author, changes) in enumerate(
            sorted(self.data["commits"], key=lambda row: row[1]), 1
        ):
            self._commit(
                f"cmt_{number:04d}", self.branches[key], self._start(key, origins[key]), day, message, author, changes
            )

    def _start(self, key: str, origin: str) -> dict[str, RepositoryFile]:
        """The files of a branch, copied from its origin at its first commit."""
        if key not in self.files:
            self.files[key] = {}
            for item in self.files.get(origin, {}).values():
                self.files[key][item.path] = self._file(key, item.path, item.content or "", item.last_commit_id)
                self.files[key][item.path].base_commit_id = item.last_commit_id
            if origin:
                self.branches[key].head_commit_id = self.branches[origin].head_commit_id
        return self.files[key]

    def _file(self, key: str, path: str, content: str, commit_id: str) -> RepositoryFile:
        number = len(self.files[key]) + 1
        return RepositoryFile(
            id=f"fil_{self.branches[key].id[4:]}_{number:02d}",
            branch_id=self.branches[key].id,
            path=path,
            content=content,
            last_commit_id=commit_id,
        )

    def _commit(
        self,
        commit_id: str,
        branch: Branch,
        files: dict[str, RepositoryFile],
        day: int,
        message: str,
        author: str,
        changes: dict[str, str],
    ) -> None:
        key = next(name for name, item in self.branches.items() if item is branch)
        for path, content in changes.items():
            if path not in files:
                files[path] = self._file(key, path, content, commit_id)
            files[path].content = content
            files[path].last_commit_id = commit_id
        checks = run_checks({path: item.content or "" for path, item in files.items()})
        person = self.people[author]
        self.commits.append(
            Commit(
                id=commit_id,
                repository_id=branch.repository_id,
                branch_id=branch.id,
                parent_id=branch.head_commit_id,
                message=self._message(branch.repository_id, message),
                author_name=person.name,
                author_email=person.email,
                changed_paths=sorted(changes),
                checks=checks,
                checks_status="failed" if "failed" in checks.values() else "passed",
                created_at=self._moment(day),
            )
        )
        branch.head_commit_id = commit_id

    def _work(self) -> Iterator[Entity]:
        milestones: dict[tuple[str, str], str] = {}
        for number, (repository, title, due, status) in enumerate(self.data["milestones"], 1):
            milestones[repository, title] = f"mst_{number:02d}"
            yield Milestone(
                id=f"mst_{number:02d}",
                repository_id=f"repo_{repository}",
                title=title,
                due_on=date.fromisoformat(due),
                status=status,
            )
        for place, row in enumerate(self.data["issues"], 1):
            repository, number, title, body, status, labels, holders, milestone, author, day = row
            opened = self._moment(day)
            closed = self.seed.at(min(day + 5, -1), 16) if status == "closed" else None
            self.issues[repository, number] = Issue(
                id=f"iss_{place:04d}",
                repository_id=f"repo_{repository}",
                number=self.numbers[repository, number],
                title=title,
                body=body,
                status=status,
                labels=labels,
                assignee_emails=[self.people[item].email for item in holders],
                milestone_id=milestones[repository, milestone] if milestone else None,
                author_name=self.people[author].name,
                author_email=self.people[author].email,
                created_at=opened,
                updated_at=closed or opened,
                closed_at=closed,
            )
        yield from self.issues.values()
        yield from self._requests()
        yield from self._reviews()
        yield from self._releases()

    def _requests(self) -> Iterator[Entity]:
        for place, row in enumerate(self.data["pull_requests"], 1):
            key, number, title, description, status, author, reviewers, closes, day, merged = row
            source = self.branches[key]
            repository = source.repository_id.removeprefix("repo_")
            target = next(
                item
                for item in self.branches.values()
                if (item.repository_id, item.name) == (source.repository_id, "main")
            )
            merge = [
                item
                for item in self.commits
                if item.branch_id == target.id and item.message.endswith(f"(#{self.numbers[repository, number]})")
            ]
            opened = self._moment(day)
            at = self.seed.at(merged, 15) if merged is not None else None
            request = PullRequest(
                id=f"pr_{place:04d}",
                repository_id=source.repository_id,
                number=self.numbers[repository, number],
                title=title,
                description=description,
                status=status,
                source_branch_id=source.id,
                target_branch_id=target.id,
                author_name=self.people[author].name,
                author_email=self.people[author].email,
                reviewer_emails=[self.people[item].email for item in reviewers],
                closes_issue_ids=[self.issues[repository, item].id for item in closes],
                created_at=opened,
                updated_at=at or opened,
                merged_at=at,
                merged_by=merge[0].author_email if merge else None,
                merge_commit_id=merge[0].id if merge else None,
            )
            self.requests[repository, number] = request
            yield request

    def _reviews(self) -> Iterator[Entity]:
        heads = {item.id: item.head_commit_id for item in self.branches.values()}
        for place, (number, repository, verdict, body, reviewer, day) in enumerate(self.data["reviews"], 1):
            request = self.requests[repository, number]
            yield Review(
                id=f"rev_{place:04d}",
                pull_request_id=request.id,
                verdict=verdict,
                body=body,
                reviewer_name=self.people[reviewer].name,
                reviewer_email=self.people[reviewer].email,
                commit_id=heads[request.source_branch_id] or "",
                created_at=self.seed.at(day, 14),
            )

    def _releases(self) -> Iterator[Entity]:
        for place, (repository, tag, title, notes, commit, author, day) in enumerate(self.data["releases"], 1):
            main = next(
                item
                for item in self.branches.values()
                if (item.repository_id, item.name) == (f"repo_{repository}", "main")
            )
            commits = [item for item in self.commits if item.branch_id == main.id]
            yield Release(
                id=f"rel_{place:04d}",
                repository_id=main.repository_id,
                tag=tag,
                title=title,
                notes=notes,
                commit_id=commits[commit].id,
                author_name=self.people[author].name,
                author_email=self.people[author].email,
                created_at=self.seed.at(day, 17),
            )
