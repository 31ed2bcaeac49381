"""What must not be taken for something that it is not: each on a specification of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from synth.compiler import ServicePlan, plan_service
from synth.specs import ServerSpec
from tests.synth.compiler.conftest import Compiled, refused
from tests.synth.making import FLAG, NUMBER, TEXT, TEXTS, server, tool

Compile = Callable[[ServerSpec], Compiled]
CREATE = tool("create_loan", {"title": TEXT, "branch": TEXT}, ["title"])
GET = tool("get_loan", {"loan_id": TEXT}, ["loan_id"])


def one_of(*choices: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(choices)}


def planned(*tools: Any) -> ServicePlan:
    return plan_service(server("desk", *tools))


def calls(*tools: Any) -> dict[str, str | None]:
    return {item.spec.name: item.call for item in planned(*tools).tools}


def columns(plan: ServicePlan, entity: str) -> set[str]:
    return next(set(item.columns) for item in plan.entities if item.name == entity)


def test_conditions_on_what_nothing_writes_are_refused(compiled: Compile) -> None:
    scope = one_of("open", "closed", "all")
    update = tool("update_loan", {"loan_id": TEXT, "scope": scope}, ["loan_id"])
    options = {"branch": TEXT, "overdue_only": FLAG, "scope": scope, "detail_level": TEXT}
    made = compiled(server("desk", CREATE, update, tool("list_loans", options)))
    play = made.play()
    refused(play.fails("list_loans", overdue_only=True), "invalid", "overdue_only")
    refused(play.fails("list_loans", scope="all"), "invalid", "scope")
    new = play.ok("create_loan", title="Tides", branch="North quay")
    assert play.ok("list_loans", branch="North quay", detail_level="full")["items"] == [new]
    assert {row.get("scope") for row in play.ok("list_loans")["items"]} <= {"open", "closed", None}
    assert "detail_level" not in columns(made.plan, "loan")
    assert made.failed() == {}


def test_a_required_condition_on_what_nothing_writes() -> None:
    assert calls(CREATE, tool("list_loans", {"shelf": TEXT}, ["shelf"]))["list_loans"] is None
    assert calls(CREATE, tool("list_loans", {"branch": TEXT}, ["branch"]))["list_loans"] is not None


def test_a_display_option_of_a_tool_that_writes_is_no_column() -> None:
    plan = planned(tool("create_loan", {"title": TEXT, "detailLevel": TEXT, "response_format": TEXT}), GET)
    assert columns(plan, "loan") == {"title"}


def test_one_of_many_is_not_taken_by_chance() -> None:
    made = calls(
        CREATE,
        tool("list_loans", {}),
        tool("view_loan", {}),
        tool("update_loan", {"title": TEXT}),
        tool("edit_loans", {"loan_ids": TEXTS, "title": TEXT}, ["loan_ids"]),
        tool("delete_loan", {"branch": TEXT, "title": TEXT}),
    )
    assert [name for name, call in made.items() if call] == ["create_loan", "list_loans"]


def test_words_that_speak_of_some_rows(compiled: Compile) -> None:
    made = compiled(
        server(
            "desk",
            CREATE,
            GET,
            tool("archive_loan", {"loan_id": TEXT}, ["loan_id"]),
            tool("update_loan", {"loan_id": TEXT, "read": FLAG}, ["loan_id"]),
            tool("list_archived_loans", {}),
            tool("list_unread_loans", {}),
            tool("list_recent_loans", {}),
            tool("get_next_loan", {}),
            tool("loans_get_current_loan", {"branch": TEXT}),
        )
    )
    found = made.calls()
    assert "archived=True" in (found["list_archived_loans"] or "")
    assert "read=False" in (found["list_unread_loans"] or "")
    assert [name for name, call in found.items() if call is None] == [
        "list_recent_loans", "get_next_loan", "loans_get_current_loan",
    ]  # fmt: skip
    play = made.play()
    new = play.ok("create_loan", title="Tides")
    assert new not in play.ok("list_archived_loans")["items"]
    assert new in play.ok("list_unread_loans")["items"]  # nobody has said that it was read
    gone = play.ok("archive_loan", loan_id=new["id"])
    assert gone in play.ok("list_archived_loans")["items"]
    play.ok("update_loan", loan_id=new["id"], read=True)
    assert new["id"] not in [row["id"] for row in play.ok("list_unread_loans")["items"]]


def test_a_status_says_which_rows() -> None:
    status = one_of("open", "completed")
    create = tool("create_loan", {"title": TEXT, "status": status}, ["title"])
    made = calls(create, tool("list_completed_loans", {}), tool("count_overdue_loans", {}))
    assert "status='completed'" in (made["list_completed_loans"] or "")
    assert made["count_overdue_loans"] is None
    acted = calls(CREATE, tool("cancel_loan", {"loan_id": TEXT}, ["loan_id"]), tool("list_cancelled_loans", {}))
    assert "status='cancelled'" in (acted["list_cancelled_loans"] or "")


def test_reports_are_worked_out() -> None:
    made = planned(
        CREATE,
        tool("get_balance_sheet", {"date": TEXT}),
        tool("list_aged_receivables", {"date": TEXT}),
        tool("get_trial_balance", {}),
        tool("create_statement", {"title": TEXT}, ["title"]),
        tool("list_statements", {}),
    )
    assert [item.spec.name for item in made.tools if item.call is None] == [
        "get_balance_sheet", "list_aged_receivables", "get_trial_balance",
    ]  # fmt: skip


def test_what_is_made_is_what_is_listed(compiled: Compile) -> None:
    made = compiled(
        server("desk", tool("send_reader_letter", {"text": TEXT}, ["text"]), tool("read_letters", {"limit": NUMBER}))
    )
    play = made.play()
    new = play.ok("send_reader_letter", text="Overdue.")
    assert new in play.ok("read_letters", limit=50)["items"]
    both = planned(
        tool("create_loan_note", {"text": TEXT}), tool("get_loan_note", {"id": TEXT}, ["id"]), tool("list_notes", {})
    )
    assert "loan_note" in [item.name for item in both.entities]


def test_a_flag_says_whether_it_is_done_or_undone(compiled: Compile) -> None:
    made = compiled(
        server(
            "desk",
            CREATE,
            tool("watch_loan", {"loan_id": TEXT, "subscribed": FLAG}, ["loan_id", "subscribed"]),
            tool("set_loan_active", {"loan_id": TEXT, "enabled": FLAG}, ["loan_id", "enabled"]),
            tool("mute_loan", {"loan_id": TEXT, "muted": FLAG}, ["loan_id"]),
            tool("pin_loan", {"loan_id": TEXT, "notify": FLAG}, ["loan_id"]),
            tool("complete_loan", {"loan_id": TEXT, "completed": FLAG}, ["loan_id", "completed"]),
        )
    )
    play = made.play()
    new = play.ok("create_loan", title="Tides")["id"]
    for flag in (True, False):
        assert play.ok("watch_loan", loan_id=new, subscribed=flag)["watched"] is flag
        assert play.ok("set_loan_active", loan_id=new, enabled=flag).get("active") is flag
    assert made.calls()["mute_loan"] is None  # without it, it is not said
    assert made.calls()["complete_loan"] is None
    assert play.ok("pin_loan", loan_id=new)["pinned"] is True


def test_languages_are_not_searched_for(compiled: Compile) -> None:
    said = {**TEXT, "description": "A search with operators such as from: and before:."}
    made = compiled(server("desk", CREATE, tool("list_loans", {"query": said})))
    refused(made.play().fails("list_loans", query="from:ada"), "invalid", "query", "not supported")
    assert calls(CREATE, tool("search_loans", {"query": said}, ["query"]))["search_loans"] is None


def test_what_is_renamed_is_found_by_its_old_name(compiled: Compile) -> None:
    made = compiled(
        server(
            "desk",
            tool("create_shelf", {"name": TEXT}, ["name"]),
            tool("list_shelves", {}),
            tool("rename_shelf", {"old_name": TEXT, "new_name": TEXT}, ["old_name", "new_name"]),
            tool("create_tag", {"name": TEXT}, ["name"]),
            tool("list_tags", {}),
            tool("merge_tags", {"source_tag_id": TEXT, "target_tag_id": TEXT}, ["source_tag_id", "target_tag_id"]),
        )
    )
    assert made.calls()["merge_tags"] is None and made.failed() == {}
    play = made.play()
    new = play.ok("create_shelf", name="Tides")
    before = play.ok("list_shelves")["items"]
    refused(play.fails("rename_shelf", old_name="Nowhere", new_name="Ebb"), "not_found", "Nowhere")
    assert play.ok("list_shelves")["items"] == before
    assert play.ok("rename_shelf", old_name="Tides", new_name="Ebb") == {**new, "name": "Ebb"}
