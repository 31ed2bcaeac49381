"""What names say."""

from __future__ import annotations

import pytest

from engine.kit.specification import ToolSpecification
from synth.attack.reading import normal, read, read_all, singular, words
from synth.attack.vocabulary import vocabulary

pytestmark = pytest.mark.unit


def _tool(name: str, **annotations: bool) -> ToolSpecification:
    return ToolSpecification(name, "", {"type": "object"}, None, annotations)


def test_words_of_every_spelling() -> None:
    for name in ("list_user_groups", "listUserGroups", "list-user-groups", "LIST_USER_GROUPS", "ListUserGroups"):
        assert words(name) == ["list", "user", "groups"]
    assert words("TwilioApiV2010__CreateAccount") == ["twilio", "api", "v", "2010", "create", "account"]


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("messages", "message"), ("companies", "company"), ("addresses", "address"), ("boxes", "box"),
        ("branches", "branch"), ("people", "person"), ("statuses", "status"), ("status", "status"),
        ("invoices", "invoice"), ("analyses", "analysis"), ("bus", "bus"), ("ids", "id"), ("expenses", "expense"),
        ("movies", "movie"), ("news", "news"),
    ],
)  # fmt: skip
def test_singulars(plural: str, one: str) -> None:
    assert singular(plural) == one


def test_keys_are_compared_whatever_their_spelling() -> None:
    assert normal("customerIds") == normal("customer_id") == normal("CustomerID") == "customer_id"


@pytest.mark.parametrize(
    ("name", "kind", "noun"),
    [
        ("list_tickets", "list", "ticket"),
        ("get_ticket", "get", "ticket"),
        ("getUserGroups", "list", "user_group"),
        ("create_ticket", "create", "ticket"),
        ("add_card_to_list", "create", "card"),
        ("add_list_to_board", "create", "list"),
        ("update_ticket", "update", "ticket"),
        ("set_ticket_status", "update", "ticket_status"),
        ("delete_forever", "delete", "forever"),
        ("remove_member_from_card", "write", "member"),
        ("find_user_id_by_email", "list", "user"),
        ("users_list", "list", "user"),
        ("message-delete", "delete", "message"),
        ("API-post-search", "list", ""),
        ("API-retrieve-a-page", "get", "page"),
        ("API-patch-page", "update", "page"),
        ("CreateAccount", "create", "account"),
        ("crm_batch_create_companies", "create", "crm_company"),
        ("get_or_create_label", "write", "or_create_label"),
        ("mark_read", "write", "read"),
        ("get_checklist_items", "list", "checklist_item"),
        ("get_list_of_users", "list", "user"),
    ],
)
def test_kinds_and_nouns(name: str, kind: str, noun: str) -> None:
    reading = read(_tool(name))
    assert reading.kind == kind
    if kind != "write":
        assert reading.noun == noun


def test_what_all_names_begin_with_is_no_part_of_the_noun() -> None:
    readings = read_all({name: _tool(name) for name in ("linear_createIssue", "linear_listIssues", "linear_getIssue")})
    assert {item.noun for item in readings.values()} == {"issue"}
    assert [item.kind for item in readings.values()] == ["create", "list", "get"]


def test_the_annotation_decides_what_changes_nothing() -> None:
    assert read(_tool("post_search", readOnlyHint=True)).promises_nothing_changes
    assert not read(_tool("get_next_number", readOnlyHint=False)).promises_nothing_changes
    assert read(_tool("get_ticket")).promises_nothing_changes
    assert not read(_tool("find_and_replace")).promises_nothing_changes
    assert not read(_tool("mark_read")).promises_nothing_changes


def test_lists_of_words_have_no_word_in_two_kinds_of_verbs() -> None:
    kinds = [vocabulary(name) for name in ("creates", "updates", "deletes", "reads")]
    for place, one in enumerate(kinds):
        for other in kinds[place + 1 :]:
            assert not one & other
