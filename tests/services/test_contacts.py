"""The contacts service, as its users know it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import Seed
from services.contacts import service
from services.contacts.state import Activity, Company, ContactRole, Note, Person, SegmentPerson
from tests.services.play import Play

C = "contacts"


@pytest.fixture
def book(play: Callable[..., Play]) -> Play:
    return play(C)


def state(book: Play) -> str:
    return json.dumps([[str(row.values()) for row in book.rows(entity)] for entity in service.entities], sort_keys=True)


def found(book: Play, tool: str, name: str, **more: Any) -> dict[str, Any]:
    """The one item of a listing with exactly this name."""
    items = book.ok(C, tool, query=name, **more)["items"]
    (item,) = [item for item in items if item["name"] == name]
    return dict(item)


def all_pages(book: Play, tool: str, limit: int, **more: Any) -> list[str]:
    ids, cursor = [], None
    while True:
        page = book.ok(C, tool, limit=limit, cursor=cursor, **more)
        assert 0 < len(page["items"]) <= limit
        ids += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return ids


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    first, again, other = ([row.values() for row in service.seed(Seed(C, number))] for number in (0, 0, 1))
    assert first == again != other
    assert 150 <= len(first) <= 400
    cast = {company.name for company in Seed(C).companies}
    rows = list(service.seed(Seed(C)))
    assert cast <= {row.name for row in rows if isinstance(row, Company)}
    emails = [person.email for person in rows if isinstance(person, Person)]
    assert {person.email for person in Seed(C).contacts} <= set(emails)
    assert len(emails) == len(set(emails))


def test_seed_tells_the_shared_story(book: Play) -> None:
    deal = found(book, "list_deals", "Juniper Lane renewal")
    assert (deal["close_date"], deal["company_name"], deal["state"]) == (
        "2026-03-27",
        "Juniper Lane Hotels",
        "open",
    )
    assert deal["weighted_amount"] == 38560
    dovetail = book.ok(C, "get_company", company_id=found(book, "list_companies", "Dovetail Interiors")["id"])
    billing = [person["name"] for person in dovetail["people"] if "billing" in person["roles"]]
    assert billing == ["Beatrice Nolan"]


def test_every_read_only_tool_changes_nothing(book: Play) -> None:
    before = state(book)
    arguments: dict[str, dict[str, Any]] = {
        "search_records": {"query": "a"},
        "get_company": {"company_id": "cmp_0001"},
        "get_company_hierarchy": {"company_id": "cmp_0001"},
        "get_person": {"person_id": "per_0001"},
        "get_deal": {"deal_id": "deal_0001"},
        "find_duplicates": {"kind": "person"},
    }
    for name, tool in service.tools.items():
        if tool.specification.read_only:
            book.ok(C, name, **arguments.get(name, {}))
    assert state(book) == before


def test_pages_neither_skip_nor_repeat(book: Play) -> None:
    for tool in ("list_companies", "list_people", "list_deals", "list_activities", "list_notes"):
        ids = all_pages(book, tool, 7)
        assert len(ids) == len(set(ids)) == book.ok(C, tool, limit=1)["total"]
    assert len(all_pages(book, "list_segments", 3)) == 4


def test_company_is_created_found_and_changed(book: Play) -> None:
    made = book.ok(
        C, "create_company", name="Årsta O'Neil \"Kaffe\" 100%", domain="WWW.Arsta.example", country="se",
        tags=["New ", "new", "Nordic"], parent_id="cmp_0004",
    )  # fmt: skip
    assert (made["domain"], made["country"], made["tags"]) == ("arsta.example", "SE", ["new", "nordic"])
    assert made["owner_id"] == "mem_mara" and made["lifecycle"] == "prospect"
    assert found(book, "list_companies", made["name"])["id"] == made["id"]
    assert [hit["id"] for hit in book.ok(C, "search_records", query="o'neil")["companies"]] == [made["id"]]
    assert book.ok(C, "list_companies", tag="NORDIC", country="se")["total"] == 1
    assert book.ok(C, "list_companies", query="%")["total"] == 1
    assert book.fails(C, "create_company", name="Copy", domain="arsta.example")["code"] == "conflict"
    book.ok(C, "update_company", company_id=made["id"], tier="gold", parent_id="", domain="")
    now = book.ok(C, "get_company", company_id=made["id"])
    assert (now["tier"], now["parent_id"], now["domain"], now["owner"]["name"]) == (
        "gold", None, None, "Mara Lindqvist",
    )  # fmt: skip


def test_company_filters(book: Play) -> None:
    for name, value in (
        ("tier", "gold"),
        ("lifecycle", "prospect"),
        ("owner_id", "mem_mara"),
        ("country", "AU"),
    ):
        page = book.ok(C, "list_companies", limit=100, **{name: value})
        assert page["total"] == len(page["items"]) > 0
        assert {item[name] for item in page["items"]} == {value}
    assert book.ok(C, "list_companies", industry="HOSPITALITY", owner_id="mem_mara")["items"] == []


def test_hierarchy_is_a_tree(book: Play) -> None:
    tree = book.ok(C, "get_company_hierarchy", company_id=found(book, "list_companies", "Juniper Lane Annecy")["id"])
    assert tree["companies"] == 3 and tree["top"]["name"] == "Juniper Lane Hotels"
    child = tree["top"]["subsidiaries"][0]["id"]
    error = book.fails(C, "update_company", company_id=tree["top"]["id"], parent_id=child)
    assert error["code"] == "invalid"
    assert book.fails(C, "update_company", company_id=child, parent_id=child)["code"] == "invalid"


def test_billing_role_has_one_holder(book: Play) -> None:
    wesley = found(book, "list_people", "Wesley Tran")
    given = book.ok(C, "set_contact_role", person_id=wesley["id"], role="billing")
    beatrice = found(book, "list_people", "Beatrice Nolan")
    assert given["replaced_person_id"] == beatrice["id"]
    holders = book.ok(C, "list_people", role="billing", company_id=wesley["company_id"])["items"]
    assert [person["name"] for person in holders] == ["Wesley Tran"]
    assert book.ok(C, "get_person", person_id=beatrice["id"])["roles"] == ["decision_maker", "primary"]
    assert book.fails(C, "set_contact_role", person_id=wesley["id"], role="billing")["code"] == "conflict"
    book.ok(C, "set_contact_role", person_id=wesley["id"], role="decision_maker")
    book.ok(C, "remove_contact_role", person_id=wesley["id"], role="billing")
    assert book.ok(C, "list_people", role="billing", company_id=wesley["company_id"])["total"] == 0


def test_person_is_created_found_and_changed(book: Play) -> None:
    made = book.ok(C, "create_person", name="Zoë Brûlé", email=" Zoe@Kestrel.example", company_id="cmp_0010")
    assert made["email"] == "zoe@kestrel.example"
    assert found(book, "list_people", "Zoë Brûlé")["company_name"] == "Kestrel Analytics"
    assert book.fails(C, "create_person", name="Z", email="ZOE@kestrel.example")["code"] == "conflict"
    book.ok(C, "set_contact_role", person_id=made["id"], role="legal")
    book.ok(C, "update_segment", segment_id="seg_0002", add_person_ids=[made["id"], made["id"]])
    book.ok(C, "update_person", person_id=made["id"], title="Counsel")
    person = book.ok(C, "get_person", person_id=made["id"])
    assert (person["roles"], person["segment_ids"], person["title"]) == (["legal"], ["seg_0002"], "Counsel")
    left = book.ok(C, "update_person", person_id=made["id"], status="left", do_not_contact=True)
    assert left["ended_roles"] == ["legal"]
    person = book.ok(C, "get_person", person_id=made["id"])
    assert (person["roles"], person["segment_ids"]) == ([], [])
    assert book.fails(C, "update_segment", segment_id="seg_0002", add_person_ids=[made["id"]])["code"] == "invalid"
    cleared = book.ok(C, "update_person", person_id=made["id"], email="", company_id="")
    assert (cleared["email"], cleared["company_id"]) == (None, None)


def test_people_filters(book: Play) -> None:
    for name, value in (("company_id", "cmp_0003"), ("owner_id", "mem_jonah"), ("status", "left")):
        items = book.ok(C, "list_people", **{name: value})["items"]
        assert items and {item[name] for item in items} == {value}
    assert {item["name"] for item in book.ok(C, "list_people", segment_id="seg_0003")["items"]} == {
        "Callum Reid", "Imogen Clarke",
    }  # fmt: skip
    assert [item["name"] for item in book.ok(C, "list_people", tag="vip", query="roux")["items"]] == ["Etienne Roux"]


def test_tags_and_segments(book: Play) -> None:
    tags = book.ok(C, "tag_record", kind="company", record_id="cmp_0002", add=["Mine"], remove=["qbr", "absent"])
    assert tags["tags"] == ["key account", "mine"]
    many = [f"t{number}" for number in range(30)]
    assert book.fails(C, "tag_record", kind="company", record_id="cmp_0002", add=many)["code"] == "limit"
    made = book.ok(C, "create_segment", name="Offsite guests", person_ids=["per_0001", "per_0002"])
    assert made["person_ids"] == ["per_0001", "per_0002"]
    assert book.fails(C, "create_segment", name="Offsite guests")["code"] == "conflict"
    changed = book.ok(
        C,
        "update_segment",
        segment_id=made["id"],
        add_person_ids=["per_0003"],
        remove_person_ids=["per_0001"],
    )
    assert changed["person_ids"] == ["per_0002", "per_0003"]
    assert found(book, "list_segments", "Offsite guests")["people"] == 2
    foreign = book.fails(C, "update_segment", segment_id="seg_0001", add_person_ids=["per_0003"])
    assert foreign["code"] == "forbidden" and "Oscar Delacroix" in foreign["message"]


def test_only_owner_manager_or_admin_reassigns(book: Play) -> None:
    error = book.fails(C, "reassign_record", kind="deal", record_id="deal_0001", owner_id="mem_mara")
    assert error["code"] == "forbidden" and "Priya Raman" in error["message"]
    moved = book.ok(
        C, "reassign_record", kind="company", record_id="cmp_0002", owner_id="mem_hana", with_open_work=True
    )
    assert (moved["moved_deals"], moved["moved_tasks"]) == (1, 1)
    assert book.fails(C, "reassign_record", kind="company", record_id="cmp_0002", owner_id="mem_hana")["code"] == (
        "conflict"
    )
    # Hana reports to the user, so the user may take the record back.
    book.ok(C, "reassign_record", kind="company", record_id="cmp_0002", owner_id="mem_mara")
    error = book.fails(C, "reassign_record", kind="company", record_id="cmp_0002", owner_id="mem_dario")
    assert error["code"] == "invalid"


def test_deletion_is_guarded(book: Play) -> None:
    assert book.fails(C, "delete_record", kind="company", record_id="cmp_0001")["code"] == "forbidden"
    held = book.fails(C, "delete_record", kind="company", record_id="cmp_0002")
    assert held["code"] == "conflict" and held["details"]["subsidiaries"] == 1
    won = found(book, "list_deals", "Hi-vis starter order")
    assert book.fails(C, "delete_record", kind="deal", record_id=won["id"])["code"] == "conflict"
    deal = found(book, "list_deals", "Pit crew hi-vis 2026")
    contact = book.fails(C, "delete_record", kind="person", record_id="per_0003")
    assert contact["code"] == "conflict"
    book.ok(C, "delete_record", kind="deal", record_id=deal["id"])
    assert book.fails(C, "get_deal", deal_id=deal["id"])["code"] == "not_found"
    assert all(note.deal_id != deal["id"] for note in book.rows(Note))
    book.ok(C, "delete_record", kind="person", record_id="per_0003")
    assert all(role.person_id != "per_0003" for role in book.rows(ContactRole))
    assert all(place.person_id != "per_0003" for place in book.rows(SegmentPerson))
    kept = [item for item in book.rows(Activity) if item.company_id == "cmp_0002"]
    assert kept and all(item.person_id != "per_0003" for item in kept)
    empty = book.ok(C, "create_company", name="Empty")
    book.ok(C, "delete_record", kind="company", record_id=empty["id"])
    assert book.ok(C, "list_companies", query="Empty")["total"] == 0


def test_duplicates_are_found(book: Play) -> None:
    pairs = book.ok(C, "find_duplicates", kind="company")
    names = [{record["name"] for record in pair["records"]} for pair in pairs["pairs"]]
    assert names == [{"Brightwater Logistics", "Brightwater Logistics B.V."}]
    assert pairs["pairs"][0]["reasons"] == ["same name", "same phone"]
    people = book.ok(C, "find_duplicates", kind="person")
    assert people["total"] == 2
    talia = found(book, "list_people", "Talia Brooks", status="active", tag="vip")
    only = book.ok(C, "find_duplicates", kind="person", record_id=talia["id"])
    assert only["pairs"][0]["reasons"] == ["same name and company"]


def test_people_are_merged(book: Play) -> None:
    keep = book.ok(C, "create_person", name="Sam Li", company_id="cmp_0002")
    twin = book.ok(C, "create_person", name="Sam Li", email="sam@x.example", phone="5550100", tags=["a"])
    task = book.ok(C, "create_task", subject="Ask", due_at="2026-03-05T09:00:00Z", person_id=twin["id"])
    book.ok(C, "update_segment", segment_id="seg_0002", add_person_ids=[twin["id"]])
    merged = book.ok(C, "merge_records", kind="person", keep_id=keep["id"], duplicate_id=twin["id"])
    assert merged["moved"]["activities"] == 1 and merged["record"]["tags"] == ["a"]
    assert (merged["record"]["email"], merged["record"]["phone"]) == ("sam@x.example", "5550100")
    assert merged["record"]["other_emails"] == []
    assert book.fails(C, "get_person", person_id=twin["id"])["code"] == "not_found"
    assert book.ok(C, "get_person", person_id=keep["id"])["segment_ids"] == ["seg_0002"]
    assert book.ok(C, "list_activities", person_id=keep["id"])["items"][0]["id"] == task["id"]
    third = book.ok(C, "create_person", name="Sam Li", email="li@x.example")
    merged = book.ok(C, "merge_records", kind="person", keep_id=keep["id"], duplicate_id=third["id"])
    assert merged["record"]["other_emails"] == ["li@x.example"]
    assert book.fails(C, "create_person", name="New", email="li@x.example")["code"] == "conflict"


def test_companies_are_merged(book: Play) -> None:
    twin = found(book, "list_companies", "Brightwater Logistics B.V.")
    error = book.fails(C, "merge_records", kind="company", keep_id="cmp_0001", duplicate_id=twin["id"])
    assert error["code"] == "forbidden"
    keep = book.ok(C, "create_company", name="Harbour Gear")
    double = book.ok(C, "create_company", name="Harbour Gear Ltd", domain="harbour.example", city="Hull")
    child = book.ok(C, "create_company", name="Harbour Gear North", parent_id=double["id"])
    one = book.ok(C, "create_person", name="One", company_id=keep["id"])
    two = book.ok(C, "create_person", name="Two", company_id=double["id"])
    for person in (one, two):
        book.ok(C, "set_contact_role", person_id=person["id"], role="billing")
        book.ok(C, "set_contact_role", person_id=person["id"], role="legal")
    deal = book.ok(C, "create_deal", name="Rope", company_id=double["id"], amount=5, close_date="2026-04-01")
    merged = book.ok(C, "merge_records", kind="company", keep_id=keep["id"], duplicate_id=double["id"])
    assert (merged["record"]["domain"], merged["record"]["city"]) == ("harbour.example", "Hull")
    assert merged["moved"] == {"people": 1, "deals": 1, "activities": 0, "notes": 0, "subsidiaries": 1}
    now = book.ok(C, "get_company", company_id=keep["id"])
    assert {person["name"]: person["roles"] for person in now["people"]} == {
        "One": ["billing", "legal"],
        "Two": ["legal"],
    }
    assert [item["id"] for item in now["open_deals"]] == [deal["id"]]
    assert [item["id"] for item in now["subsidiaries"]] == [child["id"]]


def test_search_can_be_narrowed(book: Play) -> None:
    hits = book.ok(C, "search_records", query="JUNIPER", kinds=["deal"])
    assert [hit["name"] for hit in hits["deals"]] == ["Juniper Lane renewal"] and set(hits) == {
        "deals",
        "total",
    }
    assert book.ok(C, "search_records", query="lane", limit=2)["total"] <= 6
