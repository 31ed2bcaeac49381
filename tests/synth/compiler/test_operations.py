"""Every kind of tool: what it is compiled to, and what that does to the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from synth.runtime import Records
from synth.specs import ServerSpec
from synth.trial import Play
from tests.synth.compiler.conftest import Compiled, refused
from tests.synth.making import NUMBER, TEXT, TEXTS, server, things, tool

BY_METHOD = {
    "create": "create_author",
    "create_many": "bulk_create_authors",
    "get": "get_book",
    "get_many": "batch_get_books",
    "find": "list_books",
    "count": "count_books",
    "update": "update_book",
    "update_many": "bulk_update_books",
    "act_many": "bulk_close_shifts",
    "delete": "delete_book",
    "delete_many": "bulk_delete_books",
    "copy": "duplicate_book",
    "append": "add_book_readers",
    "take_away": "remove_book_readers",
    "elements": "list_book_readers",
    "me": "get_current_user",
}
ROTA = server(
    "rota",
    tool("get_current_user", {}),
    tool("create_user", {"name": TEXT, "email": TEXT}, ["name"]),
    tool("get_user_by_email", {"email": TEXT}, ["email"]),
    tool("create_shift", {"starts": TEXT, "status": TEXT}, ["starts"]),
    tool("list_shifts", {"status": TEXT, "page": NUMBER, "per_page": NUMBER}),
    tool("bulk_close_shifts", {"shift_ids": TEXTS}, ["shift_ids"]),
    tool("add_user_to_shift", {"shift_id": TEXT, "user_id": TEXT}, ["shift_id", "user_id"]),
    tool("remove_user_from_shift", {"shift_id": TEXT, "user_id": TEXT}, ["shift_id", "user_id"]),
    tool("get_settings", {}),
    tool("update_settings", {"night_starts": TEXT}),
    tool("set_holiday", {"day": TEXT, "name": TEXT}, ["day", "name"]),
    tool("list_holidays", {}),
)


@pytest.fixture
def rota(compiled: Callable[[ServerSpec], Compiled]) -> Compiled:
    return compiled(ROTA)


def test_every_method_is_reached(room: Compiled, rota: Compiled) -> None:
    calls = {**room.calls(), **rota.calls()}
    public = {name for name, value in vars(Records).items() if callable(value) and not name.startswith("_")}
    assert public == set(BY_METHOD)
    for method, name in BY_METHOD.items():
        assert f"_records.{method}(ctx" in (calls[name] or ""), name


def test_their_own_tests_hold(room: Compiled, rota: Compiled) -> None:
    assert room.failed() == {} == rota.failed()


def test_a_row_lives(play: Play) -> None:
    made = play.ok("create_book", title="Tides", author_id="author_0002", pages=90, bought_on="2026-02-01")
    assert play.ok("get_book", book_id=made["id"]) == made
    assert made["bought_on"] == "2026-02-01"
    changed = play.ok("update_book", book_id=made["id"], title="Ebb", pages=91)
    assert changed == {**made, "title": "Ebb", "pages": 91}
    assert play.ok("archive_book", book_id=made["id"])["archived"] is True
    gone = play.ok("delete_book", book_id=made["id"])
    assert gone == {"id": made["id"], "deleted": True, "success": True}
    refused(play.fails("get_book", book_id=made["id"]), "not_found", made["id"])


def test_references_are_looked_up(play: Play) -> None:
    refused(play.fails("create_book", title="Tides", author_id="author_9"), "not_found", "author_9")
    assert play.ok("count_books") == {"count": 4}


def test_objects_are_merged_or_replaced(play: Play) -> None:
    play.ok("update_book", book_id="book_0001", details={"cover": "blue"})
    changed = play.ok("update_book", book_id="book_0001", details={"spine": "worn"})
    assert changed["details"] == {"cover": "blue", "spine": "worn"}
    assert play.ok("replace_book", book_id="book_0001", details={"x": [1]})["details"] == {"x": [1]}


def test_lists_of_a_row(play: Play) -> None:
    play.ok("add_book_readers", book_id="book_0001", readers=["Ada", "Bo"])
    assert play.ok("add_book_readers", book_id="book_0001", readers=["Bo", "Cy"])["readers"] == ["Ada", "Bo", "Cy"]
    play.ok("remove_book_readers", book_id="book_0001", readers=["Bo"])
    assert play.ok("list_book_readers", book_id="book_0001") == {"items": ["Ada", "Cy"]}
    refused(play.fails("remove_book_readers", book_id="book_0001", readers=["Bo"]), "not_found", "Bo")


def test_what_is_in_a_list_is_a_row(rota: Compiled) -> None:
    play = rota.play()
    shift = play.ok("list_shifts")["items"][0]["id"]
    assert play.ok("add_user_to_shift", shift_id=shift, user_id="user_0001")["id"] == shift
    refused(play.fails("add_user_to_shift", shift_id=shift, user_id="user_9"), "not_found", "user_9")
    play.ok("remove_user_from_shift", shift_id=shift, user_id="user_0001")


def test_a_batch(play: Play) -> None:
    assert play.ok("batch_get_books", book_ids=["book_0002", "book_0001"])["items"][1]["id"] == "book_0001"
    refused(play.fails("batch_get_books", book_ids=["book_0001", "book_9"]), "not_found", "book_9")
    made = play.ok("bulk_create_authors", authors=[{"name": "Ada"}, {"name": "Bo", "email": "bo@tern.example"}])
    assert [item["name"] for item in made["items"]] == ["Ada", "Bo"]
    changed = play.ok("bulk_update_books", books=[{"id": "book_0001", "title": "Ebb"}])
    assert changed["items"][0]["title"] == "Ebb"
    # All of it or nothing.
    play.fails("bulk_delete_books", book_ids=["book_0001", "book_9"])
    assert play.ok("count_books") == {"count": 4}
    assert len(play.ok("bulk_delete_books", book_ids=["book_0001", "book_0002"])["items"]) == 2
    assert play.ok("count_books") == {"count": 2}


def test_a_copy(play: Play) -> None:
    copied = play.ok("duplicate_book", book_id="book_0001", title="Tides")
    original = play.ok("get_book", book_id="book_0001")
    assert copied == {**original, "id": copied["id"], "title": "Tides"}
    assert copied["id"] != "book_0001"


def test_conditions(play: Play) -> None:
    ground = play.ok("list_books", shelf="ground", author_id="author_0001")
    assert [item["id"] for item in ground["items"]] == ["book_0001"]
    assert play.ok("list_books", query="QUARTERLY")["items"][0]["title"] == "Quarterly figures"
    assert play.ok("list_books", query="no such words")["items"] == []
    assert play.ok("list_books", include_readers=True) == play.ok("list_books")
    # To ignore it would give rows that were not asked for.
    refused(play.fails("list_books", bought_before="2026-03-04"), "invalid", "bought_before", "not supported")
    assert play.ok("count_books", shelf="cellar") == {"count": 1}


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_neither_skip_nor_repeat(play: Play, limit: int) -> None:
    found: list[str] = []
    cursor: str | None = None
    for _ in range(10):
        page = play.ok("list_books", limit=limit, **({"cursor": cursor} if cursor else {}))
        assert len(page["items"]) <= limit
        found += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == [f"book_000{number}" for number in range(1, 5)]
    by_offset = [play.ok("list_authors", limit=limit, offset=at) for at in range(0, 4, limit)]
    assert [item["id"] for page in by_offset for item in page["items"]] == [f"author_000{n}" for n in range(1, 5)]
    assert by_offset[0]["total"] == 4


def test_numbered_pages(rota: Compiled) -> None:
    play = rota.play()
    pages = [play.ok("list_shifts", page=page, per_page=3)["items"] for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [3, 1, 0]
    assert play.ok("list_shifts", per_page=3)["items"] == pages[0]
    refused(play.fails("list_shifts", page=10**12, per_page=3), "invalid", "no such page")
    refused(play.fails("get_user_by_email", email="nobody@tern.example"), "not_found")


def test_the_default_size_of_a_page(play: Play) -> None:
    assert len(play.ok("list_books")["items"]) == 3


def test_states(rota: Compiled) -> None:
    play = rota.play()
    ids = [item["id"] for item in play.ok("list_shifts")["items"]][:2]
    closed = play.ok("bulk_close_shifts", shift_ids=ids)
    assert [item["status"] for item in closed["items"]] == ["closed", "closed"]
    assert {item["id"] for item in play.ok("list_shifts", status="closed")["items"]} == set(ids)


def test_the_person_and_the_settings(rota: Compiled) -> None:
    play = rota.play()
    assert play.ok("get_current_user")["email"]
    assert play.ok("update_settings", night_starts="21:30")["night_starts"] == "21:30"
    assert play.ok("get_settings")["night_starts"] == "21:30"


def test_what_is_put_is_made_or_changed(rota: Compiled) -> None:
    play = rota.play()
    made = play.ok("set_holiday", name="Labour", day="2026-05-02")
    again = play.ok("set_holiday", name="Labour", day="2026-05-01")
    assert again == {**made, "day": "2026-05-01"}
    assert [item["day"] for item in play.ok("list_holidays")["items"] if item["name"] == "Labour"] == ["2026-05-01"]


def test_groups_and_forms_of_answers(compiled: Callable[[ServerSpec], Compiled]) -> None:
    path = {"type": "object", "properties": {"ward_id": NUMBER}, "required": ["ward_id"]}
    ward = things(id=NUMBER, name=TEXT, beds=NUMBER)
    one = {**things(data={**things(ward={**ward, "required": ["id", "name", "note"]}), "required": ["ward"]})}
    made = compiled(
        server(
            "wards",
            tool("createWard", {"body": {**ward, "required": ["name"]}}, ["body"], output=one),
            tool("getWard", {"path": path}, ["path"], output=one),
            tool("listWards", {}, output=things(wards={"type": "array", "items": ward}, total=NUMBER)),
            tool("deleteWard", {"path": path}, ["path"]),
        )
    )
    assert made.failed() == {}
    play = made.play()
    new = play.ok("createWard", body={"name": "East", "beds": 4})
    number = new["data"]["ward"]["id"]
    assert isinstance(number, int)
    assert new == {"data": {"ward": {"id": number, "name": "East", "beds": 4, "note": {}}}}
    assert play.ok("getWard", path={"ward_id": number}) == new
    assert {"id": number, "name": "East", "beds": 4} in play.ok("listWards")["wards"]
    play.ok("deleteWard", path={"ward_id": number})
    refused(play.fails("getWard", path={"ward_id": number}), "not_found")


def test_calls_have_the_same_outcome_again(room: Compiled) -> None:
    def once() -> Any:
        play = room.play()
        return play.ok("create_book", title="Tides", author_id="author_0001"), play.ok("list_books", limit=50)

    assert once() == once()
