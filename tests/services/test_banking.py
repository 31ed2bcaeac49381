"""The bank: derived balances, limits, second approval, standing orders, cards."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.banking import service
from services.banking.state import Account, Card, Payee, Signatory, Transaction, Transfer
from tests.services.desk import AnyDesk
from tests.services.play import Play

MARA, DARIO = "sig_mara_lindqvist", "sig_dario_bianchi"
WAITING, MINE, TOO_LARGE, SCHEDULED, DONE = "trf_0011", "trf_0012", "trf_0013", "trf_0014", "trf_0009"


class Desk(AnyDesk):
    """A shorthand for the calls of one play."""

    service = "banking"

    def money(self, account_id: str) -> dict[str, Any]:
        return next(item for item in self("list_accounts")["items"] if item["id"] == account_id)

    def pay(self, amount: float, payee_id: str = "pye_kettering", **more: Any) -> dict[str, Any]:
        given = {"from_account_id": "acc_gbp", "amount": amount, "payee_id": payee_id, "reference": "KP-1"} | more
        return {name: value for name, value in given.items() if value is not None}


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("banking"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def dump(number: int) -> list[Any]:
        return [(type(row).__name__, row.values()) for row in service.seed(Seed("banking", number))]

    assert dump(0) == dump(0) != dump(1)
    assert 150 <= len(dump(0)) <= 260
    cast = {person.email: person.name for person in COLLEAGUES}
    assert all(cast[v["email"]] == v["name"] for name, v in dump(0) if name == "Signatory")


def test_seed_keeps_the_rules(desk: Desk) -> None:
    accounts = {item.id: item for item in desk.play.rows(Account)}
    sums: dict[str, Decimal] = dict.fromkeys(accounts, Decimal(0))
    for item in sorted(desk.play.rows(Transaction), key=lambda row: row.posted_at):
        assert item.currency == accounts[item.account_id].currency and item.posted_at <= Seed("banking").start
        if item.status == "booked":
            sums[item.account_id] += item.amount
            assert sums[item.account_id] > 0
    payees = {item.id: item for item in desk.play.rows(Payee)}
    for transfer in desk.play.rows(Transfer):
        assert transfer.approved_by_id != transfer.created_by_id
        assert (transfer.completed_at is not None) == (transfer.status == "completed")
        assert transfer.execute_on.weekday() < 5
        if transfer.status == "completed" and transfer.payee_id and transfer.amount_usd > 5000:
            assert transfer.approved_by_id
        if transfer.payee_id:
            assert payees[transfer.payee_id].currency == transfer.credited_currency
    assert {item.currency for item in desk.play.rows(Card)} <= {item.currency for item in accounts.values()}


def test_accounts(desk: Desk) -> None:
    found = desk.every("list_accounts", limit=2)
    assert [item["name"] for item in found] == sorted(item["name"] for item in found)
    assert "acc_payroll" not in {item["id"] for item in found} and len(found) == 6
    gbp = desk.money("acc_gbp")
    assert gbp["held"] == 228.4
    assert round(gbp["balance"] - gbp["held"] + gbp["overdraft"], 2) == gbp["available"]
    assert [item["id"] for item in desk.every("list_accounts", currency="USD", kind="savings")] == ["acc_savings"]
    assert [item["id"] for item in desk.every("list_accounts", status="closed")] == ["acc_club"]


def test_transactions(desk: Desk) -> None:
    found = desk.every("list_transactions", limit=30)
    assert len({item["id"] for item in found}) == len(found) == desk("list_transactions")["total"]
    assert [item["posted_at"] for item in found] == sorted((i["posted_at"] for i in found), reverse=True)
    assert "acc_payroll" not in {item["account_id"] for item in found}
    assert {i["status"] for i in desk.every("list_transactions", status="held")} == {"held"}
    (part,) = desk.every("list_transactions", reference="INV-2031/7996")
    assert (part["amount"], part["counterparty"]) == (600, "Ember & Oak Cafes")
    big = desk.every("list_transactions", account_id="acc_gbp", direction="out", min_amount=6000, max_amount=6120)
    assert [item["reference"] for item in big] == ["NT-5388"]
    late = {"posted_from": "2026-03-01T00:00:00Z", "posted_until": "2026-03-01T23:59:59Z"}
    assert len(desk.every("list_transactions", **late, card_id="crd_mara")) == 1
    assert {i["category"] for i in desk.every("list_transactions", category="rent")} == {"rent"}
    assert desk("list_transactions", query="GP-778")["total"] == 1
    desk.no("forbidden", "list_transactions", account_id="acc_payroll")
    desk.no("not_found", "list_transactions", account_id="acc_x")
    desk.no("invalid", "list_transactions", cursor="x")


def test_statement(desk: Desk) -> None:
    february = desk("get_statement", account_id="acc_gbp", month="2026-02")
    march = desk("get_statement", account_id="acc_gbp", month="2026-03")
    total = february["opening_balance"] + sum(item["amount"] for item in february["transactions"])
    assert round(total, 2) == february["closing_balance"] == march["opening_balance"]
    assert march["closing_balance"] == desk.money("acc_gbp")["balance"]
    net = sum(item["total"] for item in february["by_category"])
    assert round(net, 2) == round(february["money_in"] - february["money_out"], 2)
    assert desk("get_statement", account_id="acc_gbp", month="0001-01")["closing_balance"] == 0
    desk.no("invalid", "get_statement", account_id="acc_gbp", month="9999-12")
    desk.no("invalid", "get_statement", account_id="acc_gbp", month="0000-12")
    desk.no("invalid_arguments", "get_statement", account_id="acc_gbp", month="2026-13")
    desk.no("forbidden", "get_statement", account_id="acc_payroll", month="2026-02")
    desk.no("not_found", "get_statement", account_id="acc_x", month="2026-02")


def test_payees(desk: Desk) -> None:
    given = {"name": "Öland “Rope” AB", "account_number": "SE12ROPE0000001", "currency": "SEK", "country": "SE"}
    made = desk("create_payee", **given, email="rope@oland.example")
    assert made["status"] == "unverified" and made | given == made
    got = desk("get_payee", payee_id=made["id"])
    assert got | made == got and got["completed_transfers"] == 0
    assert made["id"] in {item["id"] for item in desk.every("list_payees", currency="SEK", limit=1)}
    desk.no("conflict", "create_payee", **given)
    desk.no("invalid_arguments", "create_payee", **given | {"account_number": "se 12"})
    desk.no("not_found", "get_payee", payee_id="pye_x")
    assert [item["id"] for item in desk.every("list_payees", status="blocked")] == ["pye_harbour"]
    assert [item["id"] for item in desk.every("list_payees", query="print works")] == ["pye_kettering"]
    assert desk("get_payee", payee_id="pye_coastline")["completed_transfers"] == 2


def test_a_small_payment_goes_at_once(desk: Desk) -> None:
    before = desk.money("acc_gbp")["balance"]
    made = desk("create_transfer", **desk.pay(199.5, note="Aprons"))
    assert (made["number"], made["status"], made["payee_name"]) == ("TRF-8849", "completed", "Kettering Print Works")
    assert desk("get_transfer", transfer_id=made["id"]) == made
    assert round(before - desk.money("acc_gbp")["balance"], 2) == 199.5
    booked = desk.every("list_transactions", reference="KP-1")
    assert [(item["amount"], item["transfer_id"]) for item in booked] == [(-199.5, made["id"])]
    assert made["id"] in {item["id"] for item in desk.every("list_transfers", status="completed", limit=3)}
    assert desk("create_transfer", **desk.pay(199.5))["id"] != made["id"]
    desk.no("conflict", "cancel_transfer", transfer_id=made["id"])
    desk.no("conflict", "approve_transfer", transfer_id="trf_0001")


def test_own_accounts_with_conversion(desk: Desk) -> None:
    usd, eur = desk.money("acc_usd")["balance"], desk.money("acc_eur")["balance"]
    move = {"from_account_id": "acc_usd", "to_account_id": "acc_eur", "amount": 1000, "reference": "Top-up"}
    made = desk("create_transfer", **move)
    assert (made["credited_amount"], made["credited_currency"], made["category"]) == (919.29, "EUR", "internal")
    assert round(usd - desk.money("acc_usd")["balance"], 2) == 1000
    assert round(desk.money("acc_eur")["balance"] - eur, 2) == 919.29
    assert desk("create_transfer", **move | {"amount": 15000})["status"] == "completed"
    desk.no("invalid", "create_transfer", **move | {"to_account_id": "acc_usd"})
    desk.no("conflict", "create_transfer", **move | {"to_account_id": "acc_club"})
    desk.no("forbidden", "create_transfer", **move | {"to_account_id": "acc_payroll"})
    desk.no("not_found", "create_transfer", **move | {"to_account_id": "acc_x"})
    desk.no("conflict", "create_transfer", **move | {"amount": 10_000_000})
    desk.no(
        "invalid", "create_transfer", **desk.pay(1, "pye_kenji", from_account_id="acc_gbp", to_account_id="acc_usd")
    )


@pytest.mark.parametrize(
    ("code", "amount", "payee", "more"),
    [
        ("limit", 8000, "pye_kettering", {}),
        ("limit", 800, "pye_foxglove", {}),
        ("forbidden", 1, "pye_harbour", {}),
        ("not_found", 1, "pye_x", {}),
        ("not_found", 1, "pye_kettering", {"from_account_id": "acc_x"}),
        ("forbidden", 1, "pye_kettering", {"from_account_id": "acc_payroll"}),
        ("conflict", 1, "pye_kettering", {"from_account_id": "acc_club"}),
        ("invalid", 1, None, {}),
        ("invalid", 1, "pye_kettering", {"execute_on": "2026-03-07"}),
        ("invalid", 1, "pye_kettering", {"execute_on": "2026-02-27"}),
        ("invalid", 1, "pye_kettering", {"execute_on": "9999-12-31"}),
        ("invalid", 1, "pye_kettering", {"execute_on": "0001-01-01"}),
        ("invalid_arguments", 0, "pye_kettering", {}),
        ("invalid_arguments", 0.001, "pye_kettering", {}),
        ("invalid_arguments", 1e30, "pye_kettering", {}),
        ("invalid_arguments", 1, "pye_kettering", {"reference": " "}),
    ],
)
def test_refused_transfers(desk: Desk, code: str, amount: float, payee: str, more: dict[str, Any]) -> None:
    desk.no(code, "create_transfer", **desk.pay(amount, payee, **more))


def test_too_little_to_be_exchanged(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Account) and row.id == "acc_club":
            row.status, row.currency = "open", "JPY"

    desk = Desk(play("banking", edit=edit))
    tiny = {"from_account_id": "acc_club", "to_account_id": "acc_usd", "amount": 0.5, "reference": "x"}
    desk.no("invalid", "create_transfer", **tiny)


def test_daily_limit_counts_what_was_started(desk: Desk) -> None:
    first = desk("create_transfer", **desk.pay(7000))
    assert (first["status"], first["amount_usd"]) == ("pending_approval", 8913.1)
    error = desk.no("limit", "create_transfer", **desk.pay(1000))
    assert "8913.1" in error["message"]
    desk("cancel_transfer", transfer_id=first["id"])
    assert desk("create_transfer", **desk.pay(1000))["status"] == "completed"


def test_second_approval(desk: Desk) -> None:
    before = desk.money("acc_gbp")["balance"]
    done = desk("approve_transfer", transfer_id=WAITING)
    assert (done["status"], done["approved_by_name"]) == ("completed", "Mara Lindqvist")
    assert round(before - desk.money("acc_gbp")["balance"], 2) == 8400
    desk.no("conflict", "approve_transfer", transfer_id=WAITING)
    desk.no("forbidden", "approve_transfer", transfer_id=MINE)
    desk.no("limit", "approve_transfer", transfer_id=TOO_LARGE)
    desk.no("not_found", "approve_transfer", transfer_id="trf_x")
    desk.no("not_found", "get_transfer", transfer_id="trf_x")
    mine = desk.every("list_transfers", created_by_id=MARA, status="pending_approval")
    assert [item["id"] for item in mine] == [MINE]
    ahead = desk.every("list_transfers", execute_from="2026-03-06", execute_until="2026-03-13")
    assert {item["id"] for item in ahead} == {TOO_LARGE, SCHEDULED, "trf_0015"}


def test_approval_needs_money_and_an_open_payee(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Transfer) and row.id == WAITING:
            row.from_account_id = "acc_aud"
            row.currency, row.amount = "AUD", Decimal(30000)
        if isinstance(row, Signatory) and row.id == MARA:
            row.approval_limit = None
        if isinstance(row, Payee) and row.id == "pye_pinewood":
            row.status = "blocked"

    desk = Desk(play("banking", edit=edit))
    desk.no("conflict", "approve_transfer", transfer_id=WAITING)
    desk.no("forbidden", "approve_transfer", transfer_id=TOO_LARGE)


def test_scheduling_and_cancelling(desk: Desk) -> None:
    later = desk("create_transfer", **desk.pay(50, execute_on="2026-03-13"))
    assert later["status"] == "scheduled" and later["completed_at"] is None
    for key in (later["id"], SCHEDULED, "trf_0015"):
        assert desk("cancel_transfer", transfer_id=key)["status"] == "cancelled"
    desk.no("conflict", "cancel_transfer", transfer_id=SCHEDULED)
    desk.no("not_found", "cancel_transfer", transfer_id="trf_x")
    assert {i["reference"] for i in desk.every("list_transfers", reference="NT-5521")} == {"NT-5521"}
