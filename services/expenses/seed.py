"""Expenses as they stand when a story starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.kit import Entity, Seed
from services.expenses.policy import cents
from services.expenses.state import (
    BASE_CURRENCY,
    CardTransaction,
    Category,
    Employee,
    ExchangeRate,
    Expense,
    PerDiemRate,
    Report,
)

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
"""What was spent before the start; people by first name, days counted from the start's date."""


def _money(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    staff = _staff(seed)
    yield from staff.values()
    categories = {}
    for key, name, kind, limit, receipt, rate, policy, active in DATA["categories"]:
        categories[key] = Category(
            id=key,
            name=name,
            kind=kind,
            limit_amount=_money(limit),
            receipt_above=_money(receipt),
            rate_per_km=_money(rate),
            policy=policy,
            active=active,
        )
    yield from categories.values()
    flat = {
        place: PerDiemRate(id=key, place=place, daily_amount=Decimal(amount), currency=currency)
        for key, place, amount, currency in DATA["per_diem_rates"]
    }
    yield from flat.values()
    rates = list(_rates(seed))
    yield from rates
    for number, row in enumerate(DATA["reports"], 1):
        yield _report(seed, staff, number, row)
    yield from _expenses(seed, categories, flat, rates)
    for number, (who, card, day, merchant, amount, currency, expense) in enumerate(DATA["card_transactions"], 1):
        yield CardTransaction(
            id=f"cdt_{number:04d}",
            employee_id=staff[who].id,
            card=card,
            posted_on=seed.at(day).date(),
            merchant=merchant,
            amount=Decimal(amount),
            currency=currency,
            expense_id=f"exp_{expense:04d}" if expense else None,
        )


def _staff(seed: Seed) -> dict[str, Employee]:
    people = {person.handle.split(".")[0]: person for person in seed.colleagues}
    made = {}
    for short, (role, approver, limit, payout) in DATA["staff"].items():
        person = people[short]
        made[short] = Employee(
            id=f"emp_{person.handle.replace('.', '_')}",
            name=person.name,
            email=person.email,
            team=person.team,
            role=role,
            approver_id=f"emp_{people[approver].handle.replace('.', '_')}",
            approval_limit=_money(limit),
            payout_limit=_money(payout),
        )
    return made


def _rates(seed: Seed) -> Iterator[ExchangeRate]:
    for currency, values in DATA["exchange_rates"].items():
        for back, rate in enumerate(reversed(values)):
            months = seed.start.year * 12 + seed.start.month - 1 - back
            yield ExchangeRate(currency=currency, valid_from=date(months // 12, months % 12 + 1, 1), rate=rate)


def _report(seed: Seed, staff: dict[str, Employee], number: int, row: list[Any]) -> Report:
    title, purpose, company, who, status, created, submitted, decided, paid, forwarder, note, reference = row
    owner = staff[who]
    approver = staff[forwarder].approver_id if forwarder else owner.approver_id
    return Report(
        id=f"rep_{number:04d}",
        number=f"EXP-{1030 + number}",
        title=title,
        purpose=purpose,
        company=company,
        employee_id=owner.id,
        status=status,
        approver_id=None if submitted is None else approver,
        forwarded_by_id=staff[forwarder].id if forwarder else None,
        decided_by_id=None if decided is None else approver,
        decision_note=note,
        payment_reference=reference,
        created_at=seed.at(created, 9, 10 + number),
        submitted_at=None if submitted is None else seed.at(submitted, 12, 5),
        decided_at=None if decided is None else seed.at(decided, 15, 30),
        reimbursed_at=None if paid is None else seed.at(paid, 10, 15),
    )


def _expenses(
    seed: Seed, categories: dict[str, Category], flat: dict[str, PerDiemRate], rates: list[ExchangeRate]
) -> Iterator[Expense]:
    for number, row in enumerate(DATA["expenses"], 1):
        report, category, day, merchant, text, given, currency, receipt, why, place, days, distance = row
        spent_on = seed.at(day).date()
        if distance:
            currency, amount = BASE_CURRENCY, cents(distance * (categories[category].rate_per_km or Decimal(0)))
        elif place:
            currency, amount = flat[place].currency, flat[place].daily_amount * days
        else:
            amount = Decimal(given)
        valid = [item for item in rates if item.currency == currency and item.valid_from <= spent_on]
        rate = max(valid, key=lambda item: item.valid_from).rate if valid else 1
        yield Expense(
            id=f"exp_{number:04d}",
            report_id=f"rep_{report:04d}",
            category_id=category,
            spent_on=spent_on,
            merchant=merchant,
            description=text,
            amount=amount,
            currency=currency,
            amount_usd=cents(amount * Decimal(str(rate))),
            receipt=receipt,
            justification=why,
            place=place,
            days=days,
            distance_km=distance,
            created_at=max(seed.at(DATA["reports"][report - 1][5], 9, 50), seed.at(day, 18)),
        )
