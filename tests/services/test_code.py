"""Code hosting: rights, commits with checks, issues, pull requests and their merge rules, releases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.code import service
from services.code.files import run_checks
from services.code.state import Branch, Commit, Issue, Member, PullRequest, Repository
from tests.services.play import Play

SYNC, RUNBOOKS, SHOP, SCANNER = "repo_stock_sync", "repo_ops_runbooks", "repo_storefront", "repo_handheld_scanner"
MARA, NILS, LUIS = (f"{who}@larkspur.example" for who in ("mara.lindqvist", "nils.bergstrom", "luis.herrera"))


class Forge:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("code", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("code", tool, **arguments)
        assert error["code"] == code, error
        return error

    def branch(self, repository_id: str, name: str) -> str:
        items = self("list_branches", repository_id=repository_id, limit=100)["items"]
        return next(item["id"] for item in items if item["name"] == name)

    def request(self, title: str) -> str:
        return str(self("list_pull_requests", query=title)["items"][0]["id"])

    def work(self, name: str = "work", content: str = "one\n", path: str = "docs/new.md") -> str:
        branch = self("create_branch", repository_id=SYNC, name=name)["id"]
        self("create_commit", branch_id=branch, message="Change", changes=[{"path": path, "content": content}])
        return str(branch)


@pytest.fixture
def forge(play: Callable[..., Play]) -> Forge:
    return Forge(play("code"))


def test_seed_is_deterministic_and_sound(forge: Forge) -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("code", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 250
    cast = {person.email: person.name for person in COLLEAGUES}
    for name, values in rows(0):
        if name == "Member":
            assert cast[values["email"]] == values["name"]
        elif "author_email" in values:
            assert cast[values["author_email"]] == values["author_name"]
    heads = {row.id for row in forge.play.rows(Commit)}
    assert all(branch.head_commit_id in heads for branch in forge.play.rows(Branch))
    numbers = [(row.repository_id, row.number) for e in (Issue, PullRequest) for row in forge.play.rows(e)]
    assert len(numbers) == len(set(numbers))
    for issue in forge.play.rows(Issue):
        assert (issue.closed_at is not None) == (issue.status == "closed")
    members = {(row.repository_id, row.email) for row in forge.play.rows(Member)}
    for request in forge.play.rows(PullRequest):
        assert (request.merge_commit_id is not None) == (request.status == "merged")
        assert all((request.repository_id, email) in members for email in request.reviewer_emails)


def test_repositories_and_who_sees_them(forge: Forge) -> None:
    items = {item["name"]: item for item in forge("list_repositories")["items"]}
    assert "payment-gateway" not in items and len(items) == 5
    roles = {name: item["my_role"] for name, item in items.items()}
    assert (roles["ops-runbooks"], roles["stock-sync"], roles["storefront"]) == ("maintain", "write", "read")
    follow_up = next(item for item in items["stock-sync"]["milestones"] if item["title"] == "Outage follow-up")
    assert (follow_up["due_on"], follow_up["open_issues"]) == ("2026-03-13", 2)
    assert [i["id"] for i in forge("list_repositories", status="archived")["items"]] == [SCANNER]
    assert [i["id"] for i in forge("list_repositories", query="STOCK")["items"]] == [SYNC]
    for tool in ("list_branches", "list_commits"):
        forge.no("not_found", tool, repository_id="repo_payment_gateway")
    forge.no("not_found", "create_issue", repository_id="repo_payment_gateway", title="x")
    hidden = [row for row in forge.play.rows(Issue) if row.repository_id == "repo_payment_gateway"]
    forge.no("not_found", "get_issue", issue_id=hidden[0].id)
    assert forge("list_issues", repository_id="repo_payment_gateway")["items"] == []


def test_branches_and_files(forge: Forge) -> None:
    main = forge.branch(SYNC, "main")
    made = forge("create_branch", repository_id=SYNC, name="fix/alerts")
    assert made["from_branch_id"] == main and made["protected"] is False
    assert made["id"] in [i["id"] for i in forge("list_branches", repository_id=SYNC, protected=False)["items"]]
    here = forge("list_files", branch_id=made["id"], include_content=True)["items"]
    there = forge("list_files", branch_id=main, include_content=True)["items"]
    assert [i["content"] for i in here] == [i["content"] for i in there]
    assert [i["path"] for i in forge("list_files", branch_id=main, path_prefix="src/")["items"]] == [
        "src/stop.py",
        "src/sync.py",
    ]
    assert "content" not in forge("list_files", branch_id=main, path="README.md")["items"][0]
    forge.no("conflict", "create_branch", repository_id=SYNC, name="fix/alerts")
    forge.no("invalid", "create_branch", repository_id=SYNC, name="x", from_branch_id=forge.branch(SHOP, "main"))
    forge.no("not_found", "create_branch", repository_id=SYNC, name="x", from_branch_id="brn_x")
    forge.no("forbidden", "create_branch", repository_id=SHOP, name="x")
    forge.no("conflict", "create_branch", repository_id=SCANNER, name="x")
    forge.no("invalid_arguments", "create_branch", repository_id=SYNC, name="two words")
    forge.no("not_found", "list_files", branch_id="brn_x")


def test_branches_are_limited(forge: Forge) -> None:
    for number in range(47):
        forge("create_branch", repository_id=SYNC, name=f"b{number}")
    forge.no("limit", "create_branch", repository_id=SYNC, name="more")


def test_commits(forge: Forge) -> None:
    branch = forge("create_branch", repository_id=SYNC, name="work")["id"]
    changes = [{"path": "src/stop.py", "content": None}, {"path": "a/b.txt", "content": "hello\n"}]
    made = forge("create_commit", branch_id=branch, message="Two things", changes=changes)
    assert made["changed_paths"] == ["a/b.txt", "src/stop.py"] and made["checks_status"] == "passed"
    paths = [i["path"] for i in forge("list_files", branch_id=branch)["items"]]
    assert "a/b.txt" in paths and "src/stop.py" not in paths
    assert forge("list_commits", repository_id=SYNC, branch_id=branch)["items"][0]["id"] == made["id"]
    assert [i["id"] for i in forge("list_commits", repository_id=SYNC, path="a/b.txt")["items"]] == [made["id"]]
    forge.no("conflict", "create_commit", branch_id=branch, message="x", changes=[changes[0]])
    forge.no("conflict", "create_commit", branch_id=branch, message="x", changes=[changes[1]])
    twice = [changes[1], changes[1]]
    forge.no("invalid_arguments", "create_commit", branch_id=branch, message="x", changes=twice)
    twice = [changes[1], {"path": "a/b.txt", "content": "other\n"}]
    forge.no("invalid", "create_commit", branch_id=branch, message="x", changes=twice)
    main = forge.branch(SYNC, "main")
    assert "protected" in forge.no("conflict", "create_commit", branch_id=main, message="x", changes=changes)["message"]
    merged = forge.branch(RUNBOOKS, "cutoff-1500")
    forge.no("conflict", "create_commit", branch_id=merged, message="x", changes=changes)
    forge.no("forbidden", "create_commit", branch_id=forge.branch(SHOP, "returns-tax"), message="x", changes=changes)
    forge.no("invalid_arguments", "create_commit", branch_id=branch, message=" ", changes=changes)


def test_files_are_limited(forge: Forge) -> None:
    branch = forge("create_branch", repository_id=SYNC, name="work")["id"]
    for start in range(0, 100, 20):
        changes = [{"path": f"f{start + place}", "content": "x"} for place in range(20)]
        if start < 80:
            forge("create_commit", branch_id=branch, message="x", changes=changes)
        else:
            forge.no("limit", "create_commit", branch_id=branch, message="x", changes=changes)


@pytest.mark.parametrize(
    ("path", "text", "build", "tidy"),
    [
        ("a.md", "fine\n", "passed", "passed"),
        ("a.md", "space \n", "passed", "failed"),
        ("a.md", "x" * 121, "passed", "failed"),
        ("a.json", "{}", "passed", "passed"),
        ("a.json", "{,}", "failed", "passed"),
        ("a.json", "[" * 20_000, "failed", "failed"),
        ("a.md", "<<<<<<< main\n", "failed", "passed"),
        ("a.json", "", "failed", "passed"),
    ],
)
def test_checks(path: str, text: str, build: str, tidy: str) -> None:
    assert run_checks({path: text}) == {"build": build, "format": tidy}


def test_issues(forge: Forge) -> None:
    milestone = next(row.milestone_id for row in forge.play.rows(Issue) if row.title.startswith("Alert when"))
    given = {"labels": ["incident", "bug"], "assignee_emails": [MARA], "milestone_id": milestone}
    made = forge("create_issue", repository_id=SYNC, title="Größe “L” fehlt", body="x", **given)
    shown = forge("get_issue", issue_id=made["id"])
    assert {name: shown[name] for name in given} == given and shown["pull_requests"] == []
    twin = forge("create_issue", repository_id=SYNC, title="Größe “L” fehlt")
    assert twin["number"] == made["number"] + 1
    assert [i["id"] for i in forge("list_issues", milestone_id=milestone, assignee_email=MARA)["items"]] == [made["id"]]
    assert made["id"] in [i["id"] for i in forge("list_issues", label="bug", status="open", limit=100)["items"]]
    assert twin["id"] in [i["id"] for i in forge("list_issues", assignee_email="none")["items"]]
    assert forge("list_issues", sort="oldest", limit=1)["items"][0]["title"] == "Prices without tax for Canada"
    changed = forge("update_issue", issue_id=made["id"], status="closed", milestone_id=None, labels=[], title="New")
    assert changed["closed_at"] and (changed["milestone_id"], changed["labels"]) == (None, [])
    assert forge("update_issue", issue_id=made["id"], status="open")["closed_at"] is None
    forge.no("invalid", "create_issue", repository_id=SYNC, title="x", labels=["nonsense"])
    forge.no("invalid", "create_issue", repository_id=SYNC, title="x", assignee_emails=[LUIS])
    forge.no("invalid", "create_issue", repository_id=RUNBOOKS, title="x", **given)
    forge.no("not_found", "create_issue", repository_id=SYNC, title="x", milestone_id="mst_x")
    forge.no("invalid", "update_issue", issue_id=made["id"])
    forge.no("not_found", "update_issue", issue_id="iss_x", title="x")
    forge.no("not_found", "get_issue", issue_id="iss_x")


def test_readers_open_plain_issues(forge: Forge) -> None:
    forge.no("forbidden", "create_issue", repository_id=SHOP, title="x", labels=["bug"])
    made = forge("create_issue", repository_id=SHOP, title="Returns page is slow")
    assert forge("update_issue", issue_id=made["id"], status="closed")["status"] == "closed"
    forge.no("forbidden", "update_issue", issue_id=made["id"], labels=["bug"])
    other = forge("list_issues", repository_id=SHOP, query="size chart")["items"][0]["id"]
    forge.no("forbidden", "update_issue", issue_id=other, title="x")
    forge.no("conflict", "create_issue", repository_id=SCANNER, title="x")


def test_releases(forge: Forge) -> None:
    made = forge("create_release", repository_id=RUNBOOKS, tag="v1.5.0", title="Offsite", notes="Gates")
    assert forge("list_releases", repository_id=RUNBOOKS)["items"][0] == made
    assert [i["id"] for i in forge("list_releases", tag="v1.5.0")["items"]] == [made["id"]]
    assert len(forge("list_releases", query="feed is down")["items"]) == 1
    forge.no("conflict", "create_release", repository_id=RUNBOOKS, tag="v1.5.0", title="x")
    forge.no("invalid", "create_release", repository_id=RUNBOOKS, tag="v1.4.9", title="x")
    forge.no("forbidden", "create_release", repository_id=SYNC, tag="v3.0.0", title="x")
    forge.no("not_found", "create_release", repository_id="repo_x", tag="v3.0.0", title="x")
    forge.no("invalid_arguments", "create_release", repository_id=RUNBOOKS, tag="2.0", title="x")


def test_pages_neither_skip_nor_repeat(forge: Forge) -> None:
    for tool, more in (
        ("list_issues", {}),
        ("list_pull_requests", {}),
        ("list_releases", {}),
        ("list_commits", {"repository_id": SYNC}),
        ("list_branches", {"repository_id": RUNBOOKS}),
        ("list_repositories", {}),
    ):
        whole = forge(tool, limit=100, **more)["items"]
        found, cursor = [], None
        while True:
            page = forge(tool, limit=2, **more, **({"cursor": cursor} if cursor else {}))
            found += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert found == whole
        forge.no("invalid", tool, cursor="nonsense", **more)


def test_pipelines_tell_of_the_same_commits() -> None:
    from services.ci import service as ci
    from services.ci.state import Pipeline, Run

    rows = list(service.seed(Seed("code")))
    names = {row.id: row.name for row in rows if isinstance(row, Branch | Repository)}
    commits = {row.id: row for row in rows if isinstance(row, Commit)}
    built = list(ci.seed(Seed("ci")))
    repositories = {row.id: row.repository for row in built if isinstance(row, Pipeline)}
    for run in built:
        if isinstance(run, Run):
            commit = commits[run.commit_id or ""]
            assert names[commit.repository_id] == repositories[run.pipeline_id]
            assert names[commit.branch_id] == run.branch and commit.created_at.date() <= run.created_at.date()
