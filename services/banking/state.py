"""What the bank remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

BASE_CURRENCY = "USD"
CURRENCIES = ("USD", "EUR", "GBP", "AUD", "CAD", "JPY", "SEK")
CATEGORIES = (
    "sales",
    "suppliers",
    "shipping",
    "payroll",
    "rent",
    "utilities",
    "tax",
    "travel",
    "office",
    "fees",
    "interest",
    "internal",
    "opening",
    "other",
)
TRANSFER_STATES = ("pending_approval", "scheduled", "completed", "cancelled")


class BankingEntity(Entity):
    """Base of this service's entities."""

    __service__ = "banking"


class Signatory(BankingEntity, table=True):
    """A colleague with access to the accounts; limits are in USD, null is without limit."""

    id: str = key("sig")
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    role: str = field("category", choices=("viewer", "initiator", "approver"))
    daily_limit: Decimal | None = field("money", ge=0, default=None, description="of payments to payees started a day")
    approval_limit: Decimal | None = field("money", ge=0, default=None)
    sees_restricted: bool = field("flag", default=False)


class Account(BankingEntity, table=True):
    """A bank account. Its balance is the sum of its booked transactions."""

    id: str = key("acc")
    name: str = field("name", max_length=80, unique=True)
    number: str = field("code", max_length=34, unique=True)
    kind: str = field("category", choices=("current", "savings"))
    currency: str = field("currency", choices=CURRENCIES)
    overdraft: Decimal = field("money", ge=0, default=Decimal(0))
    restricted: bool = field("flag", default=False)
    status: str = field("status", choices=("open", "closed"), default="open")
    opened_on: date = field("date")


class Payee(BankingEntity, table=True):
    """Somebody whom the company pays."""

    id: str = key("pye")
    name: str = field("company", min_length=1, max_length=120)
    bank_name: str = field("name", max_length=120, default="")
    account_number: str = field("code", max_length=34, unique=True)
    currency: str = field("currency", choices=CURRENCIES)
    country: str = field("code", max_length=2)
    email: str | None = field("email", max_length=200, default=None)
    status: str = field("status", choices=("unverified", "verified", "blocked"), default="unverified")
    created_by_id: str = ref("banking_signatory.id")
    created_at: datetime = field("datetime")


class Transfer(BankingEntity, table=True):
    """Money on its way to a payee or to another account of the company."""

    id: str = key("trf")
    number: str = field("code", max_length=20, unique=True)
    from_account_id: str = ref("banking_account.id")
    to_account_id: str | None = ref("banking_account.id", default=None)
    payee_id: str | None = ref("banking_payee.id", default=None)
    amount: Decimal = field("money", ge=0, description="in the currency of the account that pays")
    currency: str = field("currency", choices=CURRENCIES)
    amount_usd: Decimal = field("money", ge=0)
    credited_amount: Decimal | None = field("money", ge=0, default=None)
    credited_currency: str = field("currency", choices=CURRENCIES)
    reference: str = field("code", max_length=60)
    note: str = field("text", max_length=500, default="")
    category: str = field("category", choices=CATEGORIES, default="suppliers")
    status: str = field("status", choices=TRANSFER_STATES, index=True)
    execute_on: date = field("date")
    created_by_id: str = ref("banking_signatory.id")
    approved_by_id: str | None = ref("banking_signatory.id", default=None)
    created_at: datetime = field("datetime", index=True)
    completed_at: datetime | None = field("datetime", default=None)
    cancelled_at: datetime | None = field("datetime", default=None)


class StandingOrder(BankingEntity, table=True):
    """A payment that repeats."""

    id: str = key("sto")
    account_id: str = ref("banking_account.id")
    payee_id: str = ref("banking_payee.id")
    amount: Decimal = field("money", ge=0)
    currency: str = field("currency", choices=CURRENCIES)
    frequency: str = field("category", choices=("weekly", "monthly", "quarterly"))
    next_on: date = field("date")
    end_on: date | None = field("date", default=None)
    reference: str = field("code", max_length=60)
    category: str = field("category", choices=CATEGORIES, default="suppliers")
    status: str = field("status", choices=("active", "cancelled"), default="active")
    created_by_id: str = ref("banking_signatory.id")
    created_at: datetime = field("datetime")
    cancelled_at: datetime | None = field("datetime", default=None)


class Card(BankingEntity, table=True):
    """A company card; its spending of the month is the sum of its transactions."""

    id: str = key("crd")
    last_four: str = field("code", max_length=4)
    holder_name: str = field("person", max_length=120)
    holder_email: str = field("email", max_length=200)
    manager_id: str = ref("banking_signatory.id")
    account_id: str = ref("banking_account.id")
    monthly_limit: Decimal = field("money", ge=0)
    currency: str = field("currency", choices=CURRENCIES)
    status: str = field("status", choices=("active", "frozen", "cancelled"), default="active")
    expires_on: date = field("date")


class Transaction(BankingEntity, table=True):
    """A movement on an account: money in is positive. Held ones reserve money until they are booked or released."""

    id: str = key("txn")
    account_id: str = ref("banking_account.id")
    posted_at: datetime = field("datetime", index=True)
    amount: Decimal = field("money")
    currency: str = field("currency", choices=CURRENCIES)
    counterparty: str = field("company", max_length=120)
    description: str = field("text", max_length=200, default="")
    reference: str = field("code", max_length=60, default="")
    category: str = field("category", choices=CATEGORIES)
    status: str = field("status", choices=("booked", "held", "released"), default="booked")
    transfer_id: str | None = ref("banking_transfer.id", default=None)
    card_id: str | None = ref("banking_card.id", default=None)


class ExchangeRate(BankingEntity, table=True):
    """What one unit of a currency is worth in USD from a day on."""

    currency: str = field("currency", choices=CURRENCIES, key=True)
    valid_from: date = field("date", key=True)
    rate: float = field("ratio", ge=0)
