"""The contacts service says no: unknown things and invalid arguments, which change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.services.play import Play
from tests.services.test_contacts import C, book, state

__all__ = ["book"]


@pytest.mark.parametrize(
    "tool, arguments",
    [
        ("get_company", {"company_id": "cmp_none"}),
        ("update_company", {"company_id": "cmp_none", "name": "x"}),
        ("get_company_hierarchy", {"company_id": "cmp_none"}),
        ("create_company", {"name": "x", "parent_id": "cmp_none"}),
        ("create_company", {"name": "x", "owner_id": "mem_none"}),
        ("set_contact_role", {"person_id": "per_none", "role": "billing"}),
        ("remove_contact_role", {"person_id": "per_0003", "role": "legal"}),
        ("get_person", {"person_id": "per_none"}),
        ("create_person", {"name": "x", "company_id": "cmp_none"}),
        ("update_person", {"person_id": "per_0003", "company_id": "cmp_none"}),
        ("tag_record", {"kind": "person", "record_id": "cmp_0001", "add": ["x"]}),
        ("update_segment", {"segment_id": "seg_none", "add_person_ids": ["per_0001"]}),
        ("update_segment", {"segment_id": "seg_0002", "add_person_ids": ["per_none"]}),
        ("update_segment", {"segment_id": "seg_0002", "remove_person_ids": ["per_0003"]}),
        ("list_people", {"segment_id": "seg_none"}),
        ("get_deal", {"deal_id": "deal_none"}),
        ("list_deals", {"stage_id": "none"}),
        ("move_deal", {"deal_id": "deal_0006", "stage_id": "none"}),
        ("get_pipeline_summary", {"owner_id": "mem_none"}),
        (
            "log_activity",
            {"kind": "call", "subject": "x", "at": "2026-03-01T10:00:00Z", "deal_id": "deal_none"},
        ),
        ("create_task", {"subject": "x", "due_at": "2026-03-05T10:00:00Z", "person_id": "per_none"}),
        ("close_task", {"activity_id": "act_none"}),
        ("update_task", {"activity_id": "act_none", "body": "x"}),
        ("add_note", {"kind": "deal", "record_id": "cmp_0001", "body": "x"}),
        ("delete_note", {"note_id": "note_none"}),
        ("reassign_record", {"kind": "deal", "record_id": "deal_0006", "owner_id": "mem_none"}),
        ("delete_record", {"kind": "deal", "record_id": "deal_none"}),
        ("find_duplicates", {"kind": "person", "record_id": "per_none"}),
        ("merge_records", {"kind": "company", "keep_id": "cmp_0001", "duplicate_id": "cmp_none"}),
    ],
)
def test_unknown_things_are_not_found(book: Play, tool: str, arguments: dict[str, Any]) -> None:
    before = state(book)
    assert book.fails(C, tool, **arguments)["code"] == "not_found"
    assert state(book) == before


@pytest.mark.parametrize(
    "tool, arguments",
    [
        ("create_company", {"name": " \t "}),
        ("create_company", {"name": "x", "country": "USA"}),
        ("create_company", {"name": "x", "bogus": 1}),
        ("create_company", {"name": "x\x00y"}),
        ("create_company", {"name": "x" * 161}),
        ("create_company", {"name": "x", "owner_id": "mem_nils"}),
        ("create_company", {"name": "x", "owner_id": "mem_dario"}),
        ("update_company", {"company_id": "cmp_0001"}),
        ("update_company", {"company_id": "cmp_0001", "currency": "eur"}),
        ("create_person", {"name": "x", "email": "not an address"}),
        ("update_person", {"person_id": "per_0001", "email": "nowhere"}),
        ("set_contact_role", {"person_id": "per_0031", "role": "billing"}),
        ("tag_record", {"kind": "company", "record_id": "cmp_0001"}),
        ("tag_record", {"kind": "company", "record_id": "cmp_0001", "add": ["x"], "remove": [" X "]}),
        ("tag_record", {"kind": "deal", "record_id": "deal_0001", "add": ["x"]}),
        ("create_segment", {"name": "x", "person_ids": ["per_0029"]}),
        ("update_segment", {"segment_id": "seg_0002"}),
        ("create_deal", {"name": "x", "company_id": "cmp_0001", "amount": 1, "close_date": "2026-03-01"}),
        ("create_deal", {"name": "x", "company_id": "cmp_0001", "amount": 1.234, "close_date": "2026-04-01"}),
        ("create_deal", {"name": "x", "company_id": "cmp_0001", "amount": -1, "close_date": "2026-04-01"}),
        ("create_deal", {"name": "x", "company_id": "cmp_0001", "amount": 1, "close_date": "2026-02-30"}),
        (
            "create_deal",
            {
                "name": "x",
                "company_id": "cmp_0001",
                "amount": 1,
                "close_date": "2026-04-01",
                "person_id": "per_0003",
            },
        ),
        ("update_deal", {"deal_id": "deal_0006", "probability": 10, "use_stage_probability": True}),
        ("update_deal", {"deal_id": "deal_0006", "use_stage_probability": False}),
        ("move_deal", {"deal_id": "deal_0006", "stage_id": "lost"}),
        ("move_deal", {"deal_id": "deal_0006", "stage_id": "proposal", "lost_reason": "price"}),
        ("get_pipeline_summary", {"closes_from": "2026-04-01", "closes_to": "2026-03-01"}),
        ("log_activity", {"kind": "call", "subject": "x", "at": "2026-03-01T10:00:00Z"}),
        (
            "log_activity",
            {"kind": "call", "subject": "x", "at": "2026-03-01T10:00:00", "deal_id": "deal_0001"},
        ),
        (
            "log_activity",
            {"kind": "call", "subject": "x", "at": "2026-03-03T10:00:00Z", "deal_id": "deal_0001"},
        ),
        (
            "log_activity",
            {"kind": "task", "subject": "x", "at": "2026-03-01T10:00:00Z", "deal_id": "deal_0001"},
        ),
        (
            "create_task",
            {
                "subject": "x",
                "due_at": "2026-03-05T10:00:00Z",
                "deal_id": "deal_0001",
                "company_id": "cmp_0001",
            },
        ),
        ("create_task", {"subject": "x", "due_at": "2026-03-01T10:00:00Z", "deal_id": "deal_0001"}),
        ("update_task", {"activity_id": "act_0001", "body": "x"}),
        ("update_task", {"activity_id": "act_0002", "due_at": "2026-03-01T10:00:00Z"}),
        ("add_note", {"kind": "deal", "record_id": "deal_0001", "body": "  "}),
        ("list_notes", {"record_id": "deal_0001"}),
        ("list_companies", {"cursor": "nonsense"}),
        ("list_companies", {"limit": 0}),
        ("merge_records", {"kind": "company", "keep_id": "cmp_0001", "duplicate_id": "cmp_0001"}),
    ],
)
def test_invalid_arguments_change_nothing(book: Play, tool: str, arguments: dict[str, Any]) -> None:
    before = state(book)
    assert book.fails(C, tool, **arguments)["code"] in {"invalid", "invalid_arguments"}
    assert state(book) == before
