"""File storage: places, names, versions, roles, trash, quota."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.files import service
from services.files.state import Item, Version
from tests.services.play import Play

HANA, ME = "hana.takeda@larkspur.example", "mara.lindqvist@larkspur.example"
TALIA, RUTH = "talia.brooks@granitepeak.example", "ruth.abernathy@larkspur.example"


class Store:
    """The storage's tools without their service's name."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        return self.play.ok("files", tool, **arguments)

    def no(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("files", tool, **arguments)
        assert error["code"] == code, error
        return error

    def find(self, name: str, **more: Any) -> str:
        return str(self("list_items", name=name, **more)["items"][0]["id"])

    def file(self, name: str = "plan.txt", content: str = "one", **more: Any) -> Any:
        return self("create_item", kind="file", name=name, content=content, **more)

    def folder(self, name: str = "Plans", **more: Any) -> Any:
        return self("create_item", kind="folder", name=name, **more)


@pytest.fixture
def store(play: Callable[..., Play]) -> Store:
    return Store(play("files"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("files", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in (*COLLEAGUES, *CONTACTS)}
    for _, values in rows(0):
        for who in ("owner", "author"):
            if f"{who}_email" in values:
                assert cast[values[f"{who}_email"]] == values[f"{who}_name"]


def test_seed_keeps_the_rules(store: Store) -> None:
    items = {item.id: item for item in store.play.rows(Item)}
    versions = {(one.item_id, one.number): one for one in store.play.rows(Version)}
    places = [
        (item.parent_id, item.owner_email if item.parent_id is None else "", item.name) for item in items.values()
    ]
    assert len(places) == len(set(places))
    for item in items.values():
        assert item.parent_id is None or items[item.parent_id].kind == "folder"
        assert item.trashed == (item.trashed_at is not None) == (item.trash_root is not None)
        if item.kind == "file":
            last = versions[item.id, item.version]
            assert (last.content, last.size_bytes) == (item.content, item.size_bytes)
    usage = store("get_usage")
    assert usage["used_bytes"] + usage["free_bytes"] == usage["quota_bytes"]
    assert usage["trash_bytes"] > 0 and usage["free_bytes"] < 14_680_064


def test_listing_and_filters(store: Store) -> None:
    top = {item["name"]: item["my_role"] for item in store("list_items", top_level=True, limit=100)["items"]}
    assert top["Operations"] == "owner" and top["Sales decks"] == "viewer" and top["Support templates"] == "commenter"
    assert "Reviews 2026" not in top and "Store walk-through 2024.mp4" not in top
    names = lambda **f: {item["name"] for item in store("list_items", limit=100, **f)["items"]}  # noqa: E731
    assert names(query="dock gloves signature") == {"DN-5103 dock gloves.txt"}
    assert names(trashed=True) == {"Store walk-through 2024.mp4", "Carrier slots.txt"}
    assert names(starred=True) == {"GP-778 Granite Peak", "Kickoff agenda.md", "Close checklist February.csv"}
    assert "Offsite 2026-04-16" in names(shared_with_me=True) and "Diets.csv" not in names(shared_with_me=True)
    assert names(media_type="image/jpeg") == {"GP-778 seal.jpg", "GP-778 load floor.jpg"}
    assert names(parent_id=store.find("Stock counts")) == {"Count 2025-12.csv", "Count 2026-03 template.csv"}
    assert names(owner_email=RUTH, kind="file") == {"Diets.csv", "Venue offers.md"}
    sizes = [item["size_bytes"] for item in store("list_items", sort="largest", limit=100)["items"]]
    assert sizes == sorted(sizes, reverse=True)
    recent = names(updated_after="2026-02-28T00:00:00Z", sort="recently_updated")
    assert "Coach offer.txt" in recent and "Operations" not in recent


def test_get_and_versions(store: Store) -> None:
    count = store.find("GP-778 carton count.csv")
    view = store("get_item", item_id=count)
    assert "14 of 60" in view["content"] and view["comment_count"] == 2
    assert [part["name"] for part in view["path"]] == ["Operations", "Deliveries", "GP-778 Granite Peak"]
    old = store("get_item", item_id=count, version=1)
    assert "10 of 60" in old["content"] and (old["version"], old["current_version"]) == (1, 2)
    store.no("not_found", "get_item", item_id=count, version=3)
    store.no("not_found", "get_item", item_id="itm_x")
    hidden = next(item.id for item in store.play.rows(Item) if item.name == "Reviews 2026")
    store.no("not_found", "get_item", item_id=hidden)
    assert [one["number"] for one in store("list_versions", item_id=count)["items"]] == [2, 1]
    store.no("conflict", "list_versions", item_id=store.find("Operations"))


def test_create(store: Store) -> None:
    made = store.file(description="d", media_type="text/markdown", content="größe")
    assert (made["size_bytes"], made["version"], made["owner_email"], made["my_role"]) == (7, 1, ME, "owner")
    assert store("get_item", item_id=made["id"]) == made
    assert made["id"] in [item["id"] for item in store("list_items", name="plan.txt")["items"]]
    store.no("conflict", "create_item", kind="file", name="plan.txt")
    assert store.file(if_exists="rename")["name"] == "plan (2).txt"
    assert store.file(if_exists="rename")["name"] == "plan (3).txt"
    long = "x" * 120
    store.folder(long)
    assert store.folder(long, if_exists="rename")["name"] == "x" * 116 + " (2)"
    offsite = store.find("Offsite 2026-04-16")
    assert store.file(parent_id=offsite)["my_role"] == "owner"
    store.no("forbidden", "create_item", kind="file", name="a", parent_id=store.find("Brand"))
    store.no("conflict", "create_item", kind="file", name="a", parent_id=made["id"])
    store.no("not_found", "create_item", kind="file", name="a", parent_id="itm_x")
    store.no("invalid", "create_item", kind="folder", name="a", content="x")
    store.no("invalid", "create_item", kind="folder", name="..")
    for name in ("", " ", "a/b"):
        store.no("invalid_arguments", "create_item", kind="file", name=name)


def test_depth(store: Store) -> None:
    parent = None
    for level in range(9):
        parent = store.folder(f"L{level}", **({"parent_id": parent} if parent else {}))["id"]
    store.file(parent_id=parent)
    store.no("limit", "create_item", kind="folder", name="L9", parent_id=parent)
    store.no("limit", "move_item", item_id=store.find("Customers"), parent_id=parent)


def test_update(store: Store) -> None:
    made = store.file()
    changed = store("update_item", item_id=made["id"], name="Plan.txt", description="new", starred=True)
    assert (changed["name"], changed["description"], changed["starred"]) == ("Plan.txt", "new", True)
    store.file()
    store.no("conflict", "update_item", item_id=made["id"], name="plan.txt")
    store.no("invalid", "update_item", item_id=made["id"])
    assert store("update_item", item_id=store.find("Larkspur logo.svg"), starred=True)["starred"]
    store.no("forbidden", "update_item", item_id=store.find("Larkspur logo.svg"), name="x")
    store.no("conflict", "update_item", item_id=store.find("Carrier slots.txt", trashed=True), starred=True)
    store.no("not_found", "update_item", item_id="itm_x", starred=True)


def test_create_version(store: Store) -> None:
    made = store.file()["id"]
    second = store("create_version", item_id=made, content="two", note="better")
    assert (second["content"], second["version"]) == ("two", 2)
    back = store("create_version", item_id=made, from_version=1)
    assert (back["content"], back["version"]) == ("one", 3)
    notes = [one["note"] for one in store("list_versions", item_id=made)["items"]]
    assert notes == ["Restored version 1", "better", "Created"]
    store.no("conflict", "create_version", item_id=made, from_version=3)
    store.no("not_found", "create_version", item_id=made, from_version=9)
    store.no("invalid", "create_version", item_id=made)
    store.no("invalid", "create_version", item_id=made, content="x", from_version=1)
    store.no("conflict", "create_version", item_id=store.find("Operations"), content="x")
    store.no("forbidden", "create_version", item_id=store.find("Damaged goods reply.md"), content="x")
    assert store("create_version", item_id=made, content="")["size_bytes"] == 0


def test_move(store: Store) -> None:
    plans, made = store.folder()["id"], store.file()["id"]
    inner = store.folder("Inner", parent_id=plans)["id"]
    moved = store("move_item", item_id=made, parent_id=inner)
    assert [part["name"] for part in moved["path"]] == ["Plans", "Inner"]
    store.no("conflict", "move_item", item_id=made, parent_id=inner)
    store.no("conflict", "move_item", item_id=plans, parent_id=inner)
    store.no("conflict", "move_item", item_id=plans, parent_id=plans)
    other = store.file()["id"]
    store.no("conflict", "move_item", item_id=other, parent_id=inner)
    assert store("move_item", item_id=other, parent_id=inner, if_exists="rename")["name"] == "plan (2).txt"
    assert store("move_item", item_id=made, parent_id=None)["path"] == []
    store.no("forbidden", "move_item", item_id=store.find("Diets.csv"), parent_id=None)
    store.no("forbidden", "move_item", item_id=made, parent_id=store.find("Sales decks"))
    store.no("forbidden", "move_item", item_id=store.find("Price list 2026.csv"), parent_id=plans)


def test_copy(store: Store) -> None:
    halcyon = store.find("Halcyon Clinics onboarding")
    store.no("limit", "copy_item", item_id=store.find("QBR Cobalt Ridge 2026-03-10.pdf"))
    copy = store("copy_item", item_id=store.find("Stock counts"), name="Counts")
    assert (copy["name"], copy["copied_items"], copy["item_count"], copy["shares"]) == ("Counts", 3, 2, [])
    names = [item["name"] for item in store("list_items", parent_id=copy["id"])["items"]]
    assert names == ["Count 2025-12.csv", "Count 2026-03 template.csv"]
    sites = store.find("Delivery sites.csv")
    store.no("conflict", "copy_item", item_id=sites, parent_id=halcyon)
    again = store("copy_item", item_id=sites, parent_id=halcyon, if_exists="rename")
    assert again["name"] == "Delivery sites (2).csv" and again["version"] == 1
    assert store("copy_item", item_id=store.find("Price list 2026.csv"))["owner_email"] == ME
    store.no("conflict", "copy_item", item_id=store.find("Operations"), parent_id=store.find("Deliveries"))
    store.no("forbidden", "copy_item", item_id=sites, parent_id=store.find("Brand"))


def test_trash(store: Store) -> None:
    plans = store.folder()["id"]
    inner, made = store.folder("Inner", parent_id=plans)["id"], store.file(parent_id=plans)["id"]
    deep = store.file("deep.txt", parent_id=inner)["id"]
    store.no("conflict", "restore_item", item_id=made)
    store.no("conflict", "delete_item", item_id=made)
    store("trash_item", item_id=made)
    assert store("trash_item", item_id=plans)["trashed"]
    assert store("get_item", item_id=deep)["trashed"]
    store.no("conflict", "trash_item", item_id=plans)
    store.no("conflict", "restore_item", item_id=deep)
    store.no("conflict", "restore_item", item_id=made)
    store.no("conflict", "delete_item", item_id=deep)
    store.no("conflict", "create_item", kind="file", name="x", parent_id=plans)
    assert store("restore_item", item_id=made, parent_id=store.find("Customers"))["trashed_at"] is None
    store.folder()
    store.no("conflict", "restore_item", item_id=plans)
    back = store("restore_item", item_id=plans, if_exists="rename")
    assert back["name"] == "Plans (2)" and back["item_count"] == 1
    assert not store("get_item", item_id=deep)["trashed"]
    store("trash_item", item_id=plans)
    assert store("delete_item", item_id=plans)["deleted_items"] == 3
    for gone in (plans, inner, deep):
        for tool in ("get_item", "trash_item", "delete_item", "restore_item"):
            store.no("not_found", tool, item_id=gone)
    assert deep not in {one.item_id for one in store.play.rows(Version)}
    diets = store.find("Diets.csv")
    store("trash_item", item_id=diets)
    store.no("forbidden", "delete_item", item_id=diets)
    store.no("forbidden", "trash_item", item_id=store.find("Larkspur logo.svg"))


def test_restored_where_its_folder_is_trashed(store: Store) -> None:
    slots = store.find("Carrier slots.txt", trashed=True)
    store("trash_item", item_id=store.find("Operations"))
    store.no("conflict", "restore_item", item_id=slots)
    store("restore_item", item_id=slots, parent_id=store.find("Customers"))
    store("restore_item", item_id=store.find("Operations", trashed=True))
    assert store("get_item", item_id=store.find("Deliveries"))["trashed"] is False


def test_quota(store: Store) -> None:
    film = store.find("Store walk-through.mp4")
    assert "empty the trash" in store.no("limit", "copy_item", item_id=film, if_exists="rename")["message"]
    old = store.find("Store walk-through 2024.mp4", trashed=True)
    before = store("get_usage")
    store("delete_item", item_id=old)
    after = store("get_usage")
    assert before["used_bytes"] - after["used_bytes"] == 12_582_912
    assert store("copy_item", item_id=film, if_exists="rename")["size_bytes"] == 14_680_064
