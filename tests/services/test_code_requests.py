"""Pull requests of the code hosting: reviews, checks, conflicts and merges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from services.code.state import RepositoryFile
from tests.services.play import Play
from tests.services.test_code import LUIS, MARA, NILS, RUNBOOKS, SHOP, SYNC, Forge


@pytest.fixture
def forge(play: Callable[..., Play]) -> Forge:
    return Forge(play("code"))


def test_pull_request_from_commit_to_merge(forge: Forge) -> None:
    branch = forge.work()
    issue = forge("create_issue", repository_id=SYNC, title="x")["id"]
    request = forge(
        "create_pull_request",
        source_branch_id=branch,
        title="New page",
        reviewer_emails=[NILS],
        closes_issue_ids=[issue],
    )
    assert request["changed_files"] == [{"path": "docs/new.md", "change": "added"}]
    assert not request["mergeable"] and "1 approvals" in request["blockers"][0]
    assert forge("get_pull_request", pull_request_id=request["id"]) == request
    assert request["id"] in [i["id"] for i in forge("list_pull_requests", reviewer_email=NILS)["items"]]
    assert forge("get_issue", issue_id=issue)["pull_requests"][0]["id"] == request["id"]
    error = forge.no("conflict", "merge_pull_request", pull_request_id=request["id"])
    assert error["details"]["blockers"] == request["blockers"]
    forge.no("conflict", "create_pull_request", source_branch_id=branch, title="Again")
    forge.no("forbidden", "create_review", pull_request_id=request["id"], verdict="approve")
    assert forge("create_review", pull_request_id=request["id"], verdict="comment", body="Mine")["id"]
    changed = forge("update_pull_request", pull_request_id=request["id"], title="Page", status="closed")
    assert (changed["title"], changed["status"]) == ("Page", "closed")
    forge.no("conflict", "create_review", pull_request_id=request["id"], verdict="comment", body="x")
    forge.no("conflict", "merge_pull_request", pull_request_id=request["id"])
    assert forge("update_pull_request", pull_request_id=request["id"], status="open")["status"] == "open"
    forge.no("invalid", "update_pull_request", pull_request_id=request["id"])
    forge.no("invalid", "update_pull_request", pull_request_id=request["id"], reviewer_emails=[MARA])
    forge.no("not_found", "update_pull_request", pull_request_id=request["id"], closes_issue_ids=["iss_x"])


def test_approve_and_merge(forge: Forge) -> None:
    request = forge.request("Queue stock updates")
    before = forge("get_pull_request", pull_request_id=request)
    assert not before["mergeable"]
    forge("create_review", pull_request_id=request, verdict="approve")
    assert forge("get_pull_request", pull_request_id=request)["mergeable"]
    forge(
        "create_commit", branch_id=before["source_branch_id"], message="Bound", changes=[{"path": "n", "content": "1"}]
    )
    stale = forge("get_pull_request", pull_request_id=request)
    assert not stale["mergeable"] and stale["reviews"][-1]["stale"]
    forge("create_review", pull_request_id=request, verdict="request_changes", body="Say how many")
    forge.no("conflict", "merge_pull_request", pull_request_id=request)
    forge("create_review", pull_request_id=request, verdict="approve")
    merged = forge("merge_pull_request", pull_request_id=request)
    assert (merged["status"], merged["merged_by"]) == ("merged", MARA)
    main = forge("list_branches", repository_id=SYNC, protected=True)["items"][0]
    assert main["head_commit_id"] == merged["merge_commit_id"]
    assert main["head_message"].startswith("Queue stock updates instead of dropping them (#")
    settings = forge("list_files", branch_id=main["id"], path="settings.json", include_content=True)["items"][0]
    assert '"queue"' in settings["content"]
    assert forge("get_issue", issue_id=before["closes_issue_ids"][0])["status"] == "closed"
    forge.no("conflict", "merge_pull_request", pull_request_id=request)
    forge.no("conflict", "create_pull_request", source_branch_id=before["source_branch_id"], title="x")


def test_merge_refuses_files_changed_on_both_branches(forge: Forge) -> None:
    first = forge.request("Queue stock updates")
    forge("create_review", pull_request_id=first, verdict="approve")
    forge("merge_pull_request", pull_request_id=first)
    branch = forge.branch(SYNC, "feed-v2")
    second = forge("create_pull_request", source_branch_id=branch, title="Feed 2", description="")
    assert any("settings.json" in item for item in second["blockers"])
    forge.no("conflict", "merge_pull_request", pull_request_id=second["id"])


def test_failed_checks_block_until_they_are_mended(forge: Forge) -> None:
    request = forge.request("Keep spool files")
    forge("create_review", pull_request_id=request, verdict="approve")
    shown = forge("get_pull_request", pull_request_id=request)
    assert shown["checks"] == {"build": "failed", "format": "passed"} and len(shown["blockers"]) == 1
    fixed = [{"path": "server.json", "content": '{\n  "queue": "west-hall",\n  "keep_days": 7\n}\n'}]
    forge("create_commit", branch_id=shown["source_branch_id"], message="Valid JSON", changes=fixed)
    forge("create_review", pull_request_id=request, verdict="approve")
    assert forge("merge_pull_request", pull_request_id=request, message="Merge")["status"] == "merged"


def test_reviews_need_rights_and_reasons(forge: Forge) -> None:
    shop = forge.request("Tax on the returns page")
    forge.no("forbidden", "create_review", pull_request_id=shop, verdict="approve")
    forge.no("forbidden", "merge_pull_request", pull_request_id=shop)
    forge.no("forbidden", "update_pull_request", pull_request_id=shop, title="x")
    assert forge("create_review", pull_request_id=shop, verdict="comment", body="Thanks")["verdict"] == "comment"
    runbook = forge.request("Runbook: stock feed")
    forge.no("invalid", "create_review", pull_request_id=runbook, verdict="request_changes")
    assert forge("update_pull_request", pull_request_id=runbook, description="By a maintainer")["description"]
    forge.no("not_found", "create_review", pull_request_id="pr_x", verdict="approve")
    forge.no("not_found", "get_pull_request", pull_request_id="pr_x")
    forge.no("not_found", "merge_pull_request", pull_request_id="pr_x")
    merged = forge("list_pull_requests", repository_id=RUNBOOKS, status="merged")["items"][0]["id"]
    forge.no("conflict", "update_pull_request", pull_request_id=merged, title="x")


def test_pull_requests_need_something_to_merge(forge: Forge) -> None:
    main, branch = forge.branch(SYNC, "main"), forge("create_branch", repository_id=SYNC, name="empty")["id"]
    for source, target in ((branch, main), (main, branch), (branch, branch)):
        forge.no("conflict", "create_pull_request", source_branch_id=source, target_branch_id=target, title="x")
    work = forge.work()
    other = forge.branch(RUNBOOKS, "main")
    forge.no("invalid", "create_pull_request", source_branch_id=work, target_branch_id=other, title="x")
    forge.no("forbidden", "create_pull_request", source_branch_id=forge.branch(SHOP, "returns-tax"), title="x")
    forge.no("invalid", "create_pull_request", source_branch_id=work, title="x", reviewer_emails=[LUIS])
    forge.no("invalid", "create_pull_request", source_branch_id=work, title="x", reviewer_emails=[MARA])
    forge.no("not_found", "create_pull_request", source_branch_id=work, title="x", closes_issue_ids=["iss_x"])


def test_deleted_files_go_with_the_merge(forge: Forge) -> None:
    branch = forge("create_branch", repository_id=SYNC, name="less")["id"]
    target = forge("create_branch", repository_id=SYNC, name="target")["id"]
    forge("create_commit", branch_id=branch, message="Less", changes=[{"path": "src/stop.py", "content": None}])
    request = forge("create_pull_request", source_branch_id=branch, target_branch_id=target, title="Less")
    assert request["changed_files"] == [{"path": "src/stop.py", "change": "deleted"}] and request["mergeable"]
    forge("merge_pull_request", pull_request_id=request["id"])
    assert forge("list_files", branch_id=target, path="src/stop.py")["items"] == []
    gone = [row for row in forge.play.rows(RepositoryFile) if row.branch_id == target and row.content is None]
    assert [row.path for row in gone] == ["src/stop.py"]
