"""Banking: payees, accounts, transfers, standing orders and cards of a scenario."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from services.banking.seed import DATA
from tasks.authoring.terms import Seen, Template

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

ACCOUNTS = {"USD": "acc_usd", "EUR": "acc_eur", "GBP": "acc_gbp", "AUD": "acc_aud"}
"""The operating account of each currency."""

COUNTRIES = {"USD": "US", "EUR": "NL", "GBP": "GB", "AUD": "AU"}
BRANCHES = ("Export", "Retail", "Trading", "Services", "North", "South", "Direct", "Wholesale", "Holding", "Works")
"""What houses of one company add to its name."""

_BANKS = ("Waterweg Bank", "Shire Bank", "Cascade Trust", "Liffey Bank", "Guildhall Bank", "Harbour Bank")


def rate(currency: str) -> Decimal:
    """What one unit is worth in USD this month, as the bank has it."""
    return Decimal(1) if currency == "USD" else Decimal(str(DATA["exchange_rates"][currency][-1]))


def usd(amount: Decimal, currency: str) -> Decimal:
    """An amount in USD at this month's rate."""
    return (amount * rate(currency)).quantize(Decimal("0.01"), ROUND_HALF_UP)


def account_number(d: Draft, country: str) -> str:
    """A fresh bank account number."""
    letters = "".join(d.rng.choices("ABCDEFGHKLMNPRST", k=4))
    return f"{country}{d.rng.randint(10, 99)}{letters}{d.rng.randint(10**9, 10**10 - 1)}"


def payee(
    d: Draft,
    name: str,
    number: str,
    currency: str,
    *,
    status: str = "verified",
    email: str | None = None,
    bank: str = "",
) -> str:
    """Plant a payee; gives its id."""
    key = d.key("pye")
    d.plant(
        "banking_payee",
        id=key,
        name=name,
        bank_name=bank or _BANKS[len(name) % len(_BANKS)],
        account_number=number,
        currency=currency,
        country=COUNTRIES.get(currency, "GB"),
        email=email,
        status=status,
        created_by_id="sig_dario_bianchi",
        created_at=d.ago(d.rng.randint(90, 600), 10),
    )
    return key


def transfer(
    d: Draft,
    number: int,
    to: str,
    amount: Decimal,
    currency: str,
    *,
    reference: str,
    day: date,
    status: str,
    note: str = "",
) -> str:
    """Plant a transfer of Dario's to a payee with the account's own currency; gives its id."""
    key = d.key("trf")
    d.plant(
        "banking_transfer",
        id=key,
        number=f"TRF-{number}",
        from_account_id=ACCOUNTS[currency],
        payee_id=to,
        amount=amount,
        currency=currency,
        amount_usd=usd(amount, currency),
        credited_amount=amount,
        credited_currency=currency,
        reference=reference,
        note=note,
        category="suppliers",
        status=status,
        execute_on=day,
        created_by_id="sig_dario_bianchi",
        created_at=d.ago(3, 11, number % 60),
    )
    return key


def standing_order(
    d: Draft, to: str, amount: Decimal, currency: str, *, reference: str, frequency: str, day: date
) -> str:
    """Plant an active standing order; gives its id."""
    key = d.key("sto")
    d.plant(
        "banking_standing_order",
        id=key,
        account_id=ACCOUNTS[currency],
        payee_id=to,
        amount=amount,
        currency=currency,
        frequency=frequency,
        next_on=day,
        reference=reference,
        category="suppliers",
        created_by_id="sig_mara_lindqvist",
        created_at=d.ago(d.rng.randint(60, 500), 11),
    )
    return key


def receipt(
    d: Draft, currency: str, amount: Decimal, counterparty: str, reference: str, *, days_ago: int, note: str
) -> str:
    """Plant money that came in on the operating account; gives the transaction's id."""
    key = d.key("txn")
    d.plant(
        "banking_transaction",
        id=key,
        account_id=ACCOUNTS[currency],
        posted_at=d.ago(days_ago, d.rng.randint(8, 16), d.rng.randint(0, 59)),
        amount=amount,
        currency=currency,
        counterparty=counterparty,
        description=note,
        reference=reference,
        category="sales",
    )
    return key


def card(
    d: Draft, holder: str, email: str, limit: Decimal, currency: str, spent: Decimal, *, status: str = "active"
) -> str:
    """Plant a company card that Mara manages, with what was spent on it this month; gives its id."""
    key = d.key("crd")
    d.plant(
        "banking_card",
        id=key,
        last_four=str(d.rng.randint(1000, 9999)),
        holder_name=holder,
        holder_email=email,
        manager_id="sig_mara_lindqvist",
        account_id=ACCOUNTS[currency],
        monthly_limit=limit,
        currency=currency,
        status=status,
        expires_on=date(2028, d.rng.randint(1, 12), 28),
    )
    d.plant(
        "banking_transaction",
        id=d.key("txn"),
        account_id=ACCOUNTS[currency],
        posted_at=d.ago(0, 7, d.rng.randint(0, 59)),
        amount=-spent,
        currency=currency,
        counterparty="Station Kiosk",
        description="Card",
        category="travel",
        status="held",
        card_id=key,
    )
    return key


def find_payee(d: Draft, word: Template) -> Seen:
    """The payees whose name or account number contains a word."""
    return d.call("banking", "list_payees", query=word)


def balance(d: Draft, currency: Template) -> Seen:
    """The open current accounts of a currency, with their money: ``data.items.0.available``."""
    return d.call("banking", "list_accounts", currency=currency, kind="current", status="open")
