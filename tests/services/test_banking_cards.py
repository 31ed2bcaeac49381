"""The bank: standing orders, cards, viewers, rates."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kit import Entity, Seed
from services.banking.state import Card, Signatory
from tests.services.play import Play
from tests.services.test_banking import MARA, WAITING, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("banking"))


def as_viewer(row: Entity) -> None:
    if isinstance(row, Signatory) and row.id == MARA:
        row.role = "viewer"


def test_standing_orders(desk: Desk) -> None:
    given = {"account_id": "acc_gbp", "payee_id": "pye_kettering", "amount": 60.5, "frequency": "monthly"}
    given |= {"next_on": "2026-04-01", "reference": "Plates", "end_on": "2026-12-31"}
    made = desk("create_standing_order", **given)
    assert made | given == made and made["status"] == "active"
    assert desk("get_standing_order", standing_order_id=made["id"]) == made
    assert made["id"] in {i["id"] for i in desk.every("list_standing_orders", frequency="monthly", limit=1)}
    ended = desk("cancel_standing_order", standing_order_id=made["id"])
    assert ended["status"] == "cancelled"
    desk.no("conflict", "cancel_standing_order", standing_order_id=made["id"])
    desk.no("not_found", "cancel_standing_order", standing_order_id="sto_x")
    desk.no("not_found", "get_standing_order", standing_order_id="sto_x")
    for code, more in (
        ("conflict", {"payee_id": "pye_foxglove"}),
        ("invalid", {"next_on": "2026-03-02"}),
        ("invalid", {"next_on": "2026-04-04"}),
        ("invalid", {"next_on": "9999-12-31"}),
        ("invalid", {"end_on": "2026-03-31"}),
        ("limit", {"amount": 4000}),
        ("forbidden", {"account_id": "acc_payroll"}),
        ("not_found", {"payee_id": "pye_x"}),
    ):
        desk.no(code, "create_standing_order", **given | more)
    assert {i["payee_id"] for i in desk.every("list_standing_orders", payee_id="pye_tanner")} == {"pye_tanner"}
    assert {i["status"] for i in desk.every("list_standing_orders", status="cancelled")} == {"cancelled"}


def test_cards(desk: Desk) -> None:
    cards = {item["id"]: item for item in desk.every("list_cards", limit=3)}
    assert (cards["crd_mara"]["spent_this_month"], cards["crd_mara"]["left_this_month"]) == (190, 2310)
    frozen = desk("update_card", card_id="crd_hana", status="frozen", monthly_limit=750.5)
    assert (frozen["status"], frozen["monthly_limit"]) == ("frozen", 750.5)
    assert desk("list_cards", holder_email="hana.takeda@larkspur.example")["items"] == [frozen]
    assert desk("update_card", card_id="crd_hana", status="active")["monthly_limit"] == 750.5
    assert desk("update_card", card_id="crd_mara", status="frozen")["status"] == "frozen"
    desk.no("forbidden", "update_card", card_id="crd_mara", status="active")
    desk.no("forbidden", "update_card", card_id="crd_mara", status="frozen", monthly_limit=1)
    desk.no("forbidden", "update_card", card_id="crd_tobias", status="frozen")
    desk.no("conflict", "update_card", card_id="crd_gareth", status="active")
    desk.no("limit", "update_card", card_id="crd_hana", monthly_limit=4000)
    desk.no("invalid", "update_card", card_id="crd_hana")
    desk.no("not_found", "update_card", card_id="crd_x", status="frozen")
    assert {i["status"] for i in desk.every("list_cards", status="frozen")} == {"frozen"}
    assert len(desk.every("list_cards", account_id="acc_usd")) == 2


def test_expired_cards_stay_frozen(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Card) and row.id == "crd_amara":
            row.expires_on = Seed("banking").at(-1).date()

    desk = Desk(play("banking", edit=edit))
    desk.no("conflict", "update_card", card_id="crd_amara", status="active")


def test_viewers_only_look(play: Callable[..., Play]) -> None:
    desk = Desk(play("banking", edit=as_viewer))
    assert desk("list_accounts")["items"]
    desk.no("forbidden", "create_transfer", **desk.pay(1))
    desk.no("forbidden", "approve_transfer", transfer_id=WAITING)
    desk.no("forbidden", "cancel_transfer", transfer_id=WAITING)
    desk.no("forbidden", "cancel_standing_order", standing_order_id="sto_0001")


def test_exchange_rates(desk: Desk) -> None:
    assert desk("get_exchange_rate", currency="GBP")["rate"] == 1.2733
    assert desk("get_exchange_rate", currency="GBP", on="2026-02-28")["valid_from"] == "2026-02-01"
    assert desk("get_exchange_rate", currency="USD")["rate"] == 1
    desk.no("not_found", "get_exchange_rate", currency="CAD", on="0001-01-01")
