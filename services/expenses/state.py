"""What the expenses service remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

BASE_CURRENCY = "USD"
CURRENCIES = ("USD", "EUR", "GBP", "AUD", "CAD", "JPY", "SEK")
REPORT_STATES = ("draft", "submitted", "approved", "rejected", "reimbursed")


class ExpensesEntity(Entity):
    """Base of this service's entities."""

    __service__ = "expenses"


class Employee(ExpensesEntity, table=True):
    """Somebody who spends money for the company, and how much they may decide. Amounts are in USD; null: no limit."""

    id: str = key("emp")
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    team: str = field("category", max_length=40)
    role: str = field("category", choices=("employee", "finance"), default="employee")
    approver_id: str | None = ref("expenses_employee.id", default=None)
    approval_limit: Decimal | None = field("money", ge=0, default=None)
    payout_limit: Decimal | None = field("money", ge=0, default=None)


class Category(ExpensesEntity, table=True):
    """What money is spent on, with its policy. Amounts are in USD."""

    id: str = key("cat")
    name: str = field("name", max_length=80, unique=True)
    kind: str = field("category", choices=("receipt", "per_diem", "mileage"), default="receipt")
    limit_amount: Decimal | None = field("money", ge=0, default=None, description="above it a justification is needed")
    receipt_above: Decimal | None = field("money", ge=0, default=None, description="above it a receipt is needed")
    rate_per_km: Decimal | None = field("money", ge=0, default=None)
    policy: str = field("text", max_length=1000)
    active: bool = field("flag", default=True)


class PerDiemRate(ExpensesEntity, table=True):
    """What a day away costs in a place, flat."""

    id: str = key("pdr")
    place: str = field("place", max_length=80, unique=True)
    daily_amount: Decimal = field("money", ge=0)
    currency: str = field("currency", choices=CURRENCIES)


class ExchangeRate(ExpensesEntity, table=True):
    """What one unit of a currency is worth in USD from a day on."""

    currency: str = field("currency", choices=CURRENCIES, key=True)
    valid_from: date = field("date", key=True)
    rate: float = field("ratio", ge=0)


class Report(ExpensesEntity, table=True):
    """Expenses handed in together. Its totals are the sums of its expenses."""

    id: str = key("rep")
    number: str = field("code", max_length=20, unique=True)
    title: str = field("title", min_length=1, max_length=160)
    purpose: str = field("text", max_length=1000, default="")
    company: str = field("company", max_length=120, default="", description="customer or supplier that it concerns")
    employee_id: str = ref("expenses_employee.id")
    status: str = field("status", choices=REPORT_STATES, default="draft", index=True)
    approver_id: str | None = ref("expenses_employee.id", default=None)
    forwarded_by_id: str | None = ref("expenses_employee.id", default=None)
    decided_by_id: str | None = ref("expenses_employee.id", default=None)
    decision_note: str = field("text", max_length=1000, default="")
    payment_reference: str | None = field("code", max_length=40, default=None)
    created_at: datetime = field("datetime", index=True)
    submitted_at: datetime | None = field("datetime", default=None)
    decided_at: datetime | None = field("datetime", default=None)
    reimbursed_at: datetime | None = field("datetime", default=None)


class Expense(ExpensesEntity, table=True):
    """One line of a report; ``amount_usd`` follows from amount, currency and day."""

    id: str = key("exp")
    report_id: str = ref("expenses_report.id", on_delete="cascade")
    category_id: str = ref("expenses_category.id")
    spent_on: date = field("date", index=True)
    merchant: str = field("company", max_length=120, default="")
    description: str = field("text", max_length=500, default="")
    amount: Decimal = field("money", ge=0)
    currency: str = field("currency", choices=CURRENCIES)
    amount_usd: Decimal = field("money", ge=0)
    receipt: str | None = field("name", max_length=200, default=None, description="name of the file")
    justification: str = field("text", max_length=500, default="")
    place: str | None = field("place", max_length=80, default=None)
    days: int | None = field("quantity", ge=1, default=None)
    distance_km: int | None = field("quantity", ge=1, default=None)
    created_at: datetime = field("datetime")


class CardTransaction(ExpensesEntity, table=True):
    """A payment with a company card, waiting to be matched with an expense."""

    id: str = key("cdt")
    employee_id: str = ref("expenses_employee.id")
    card: str = field("code", max_length=8, description="last four digits")
    posted_on: date = field("date", index=True)
    merchant: str = field("company", max_length=120)
    amount: Decimal = field("money", ge=0)
    currency: str = field("currency", choices=CURRENCIES)
    expense_id: str | None = ref("expenses_expense.id", default=None, on_delete="set null")
