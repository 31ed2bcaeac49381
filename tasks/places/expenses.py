"""Expenses: employees, reports and their lines of a scenario."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from engine.kit.cast import Person
from services.expenses.seed import DATA

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MARA = "emp_mara_lindqvist"


def usd(amount: Decimal, currency: str, day: date) -> Decimal:
    """An amount in USD at the rate of the day's month, as Expenses has it (October 2025 to March 2026)."""
    if currency == "USD":
        return amount
    back = (2026 * 12 + 2) - (day.year * 12 + day.month - 1)
    value = Decimal(str(DATA["exchange_rates"][currency][-1 - back]))
    return (amount * value).quantize(Decimal("0.01"), ROUND_HALF_UP)


def employee(d: Draft, person: Person, *, team: str = "operations", approver: str = MARA) -> str:
    """Plant somebody who spends money; gives their id."""
    key = d.key("emp")
    d.plant(
        "expenses_employee",
        id=key,
        name=person.name,
        email=person.email,
        team=team,
        role="employee",
        approver_id=approver,
    )
    return key


def report(
    d: Draft,
    number: int,
    title: str,
    owner: str,
    *,
    status: str,
    purpose: str = "",
    company: str = "",
    approver: str | None = None,
    days_ago: int = 4,
) -> str:
    """Plant a report ``EXP-<number>``; gives its id. One that was handed in waits for its approver."""
    key = d.key("rep")
    handed_in = status != "draft"
    decided = status in ("approved", "rejected")
    d.plant(
        "expenses_report",
        id=key,
        number=f"EXP-{number}",
        title=title,
        purpose=purpose,
        company=company,
        employee_id=owner,
        status=status,
        approver_id=(approver or MARA) if handed_in else None,
        decided_by_id=(approver or MARA) if decided else None,
        created_at=d.ago(days_ago, 9, number % 60),
        submitted_at=d.ago(days_ago - 1, 12, number % 60) if handed_in else None,
        decided_at=d.ago(days_ago - 2, 15, number % 60) if decided else None,
    )
    return key


def line(
    d: Draft,
    of: str,
    category: str,
    amount: Decimal,
    currency: str,
    *,
    merchant: str,
    text: str,
    day: date,
    receipt: str | None = "receipt.pdf",
    why: str = "",
) -> str:
    """Plant an expense of a report; gives its id."""
    key = d.key("exp")
    d.plant(
        "expenses_expense",
        id=key,
        report_id=of,
        category_id=f"cat_{category}",
        spent_on=day,
        merchant=merchant,
        description=text,
        amount=amount,
        currency=currency,
        amount_usd=usd(amount, currency, day),
        receipt=receipt,
        justification=why,
        created_at=d.ago(2, 18),
    )
    return key
