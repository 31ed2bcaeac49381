"""Code hosting: repositories, milestones and issues of a scenario; an issue of the runbooks as a note or a record."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring.terms import Passage, Template
from tasks.places.base import Entry, Note, with_day

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

RUNBOOKS = "repo_ops_runbooks"
_RUNBOOKS_LAST = 8
"""The highest number of an issue or a pull request in the seed's runbooks."""

ENGINEERS = tuple(COLLEAGUES[place] for place in (9, 10, 11, 7, 6, 0))
"""Nils, Sofia, Kenji, Luis, Hana and Mara."""


def repository(d: Draft, name: str, *, labels: tuple[str, ...] = ("bug", "feature"), description: str = "") -> str:
    """Plant a repository with a main branch in which Mara and the engineers may write; gives its id."""
    key, branch = d.key("repo"), d.key("brn")
    d.plant("code_repository", id=key, name=name, description=description, labels=list(labels), created_at=d.ago(400))
    for person in ENGINEERS:
        role = "maintain" if person.name == "Nils Bergstrom" else "write"
        d.plant("code_member", repository_id=key, email=person.email, name=person.name, role=role)
    d.plant(
        "code_branch",
        id=branch,
        repository_id=key,
        name="main",
        protected=True,
        required_approvals=1,
        created_by=ENGINEERS[0].email,
        created_at=d.ago(400),
    )
    return key


def milestone(d: Draft, of: str, title: str, due: date) -> str:
    """Plant an open milestone; gives its id."""
    key = d.key("mst")
    d.plant("code_milestone", id=key, repository_id=of, title=title, due_on=due)
    return key


def issue(
    d: Draft,
    of: str,
    title: str,
    *,
    body: str = "",
    by: Person = COLLEAGUES[6],
    labels: tuple[str, ...] = (),
    assignees: tuple[Person, ...] = (),
    goal: str | None = None,
    status: str = "open",
    created: datetime,
) -> tuple[str, int]:
    """Plant an issue; gives its id and number. ``goal`` is a milestone's id."""
    key = d.key("iss")
    last = _RUNBOOKS_LAST if of == RUNBOOKS else 0
    number = last + 1 + sum(row["repository_id"] == of for row in d.s0().insert.get("code_issue", []))
    d.plant(
        "code_issue",
        id=key,
        repository_id=of,
        number=number,
        title=title,
        body=body,
        status=status,
        labels=list(labels),
        assignee_emails=[person.email for person in assignees],
        milestone_id=goal,
        author_name=by.name,
        author_email=by.email,
        created_at=created,
        updated_at=created,
        closed_at=created if status == "closed" else None,
    )
    return key, number


def release(d: Draft, of: str, tag: str, *, by: Person = COLLEAGUES[9], days_ago: int = 30) -> str:
    """Plant a release of a repository that was planted; gives its id."""
    branch = next(row["id"] for row in d.s0().insert["code_branch"] if row["repository_id"] == of)
    commit, key, at = d.key("cmt"), d.key("rel"), d.ago(days_ago, 11)
    who = {"author_name": by.name, "author_email": by.email, "created_at": at}
    d.plant(
        "code_commit",
        id=commit,
        repository_id=of,
        branch_id=branch,
        message=f"Release {tag}",
        checks={"build": "passed", "format": "passed"},
        checks_status="passed",
        **who,
    )
    d.plant("code_release", id=key, repository_id=of, tag=tag, title=f"Version {tag}", commit_id=commit, **who)
    return key


class CodeNote(Note):
    """What an issue of the operations runbooks says."""

    service = "code"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        issue(
            d,
            RUNBOOKS,
            title,
            body=text,
            by=by,
            labels=("question",),
            created=d.ago(days_ago, 10, d.rng.randint(1, 50)),
        )

    def find(self, d: Draft, word: Template) -> Passage:
        found = d.call("code", "list_issues", repository_id=RUNBOOKS, query=word)
        if d.rng.random() < 0.5:
            return Passage(found, "data.items.0.body")
        return Passage(d.call("code", "get_issue", issue_id=found.at("data.items.0.id")), "data.body")

    def where(self, d: Draft) -> str:
        return d.either(
            "among the issues of ops-runbooks",
            "among the issues of our ops-runbooks repository",
            "in the ops-runbooks issues",
        )


class CodeEntry(Entry):
    """A new issue in the operations runbooks."""

    service = "code"
    dated = False

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        words = with_day(words, day)
        found = d.call("code", "list_repositories", query="ops-runbooks")
        made = d.act(
            goal,
            "code",
            "create_issue",
            repository_id=found.at("data.items.0.id"),
            title=title,
            body=words,
        )
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        return d.either("an issue in ops-runbooks", "an issue in our ops-runbooks repository", "an ops-runbooks issue")

    def reference(self, d: Draft) -> str:
        return "the issue's id"


NOTE = CodeNote()
ENTRY = CodeEntry()
