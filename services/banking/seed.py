"""The bank as it stands when a story starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.kit import Entity, Seed
from services.banking.money import cents
from services.banking.state import (
    BASE_CURRENCY,
    Account,
    Card,
    ExchangeRate,
    Payee,
    Signatory,
    StandingOrder,
    Transaction,
    Transfer,
)

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
"""What the bank knows at the start; people by first name, days counted from the start's date."""

FIRST_MONTHS = 6


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    yield from _Bank(seed).rows()


class _Bank:
    """The seed's rows, as far as they refer to each other."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.people = {person.handle.split(".")[0]: person for person in seed.colleagues}
        self.currency = {row[0]: row[4] for row in DATA["accounts"]}
        self.payees = {row[0]: row for row in DATA["payees"]}
        self.names = {row[0]: row[1] for row in DATA["accounts"]}
        self.rates = list(self._rates())

    def rows(self) -> Iterator[Entity]:
        for short, (role, daily, approval, restricted) in DATA["signatories"].items():
            yield Signatory(
                id=self._signatory(short),
                name=self.people[short].name,
                email=self.people[short].email,
                role=role,
                daily_limit=None if daily is None else Decimal(daily),
                approval_limit=None if approval is None else Decimal(approval),
                sees_restricted=restricted,
            )
        for key, name, number, kind, currency, overdraft, restricted, status, opened in DATA["accounts"]:
            yield Account(
                id=key,
                name=name,
                number=number,
                kind=kind,
                currency=currency,
                overdraft=Decimal(overdraft),
                restricted=restricted,
                status=status,
                opened_on=date.fromisoformat(opened),
            )
        for key, name, bank, number, currency, country, email, status, author, day in DATA["payees"]:
            yield Payee(
                id=key,
                name=name,
                bank_name=bank,
                account_number=number,
                currency=currency,
                country=country,
                email=email,
                status=status,
                created_by_id=self._signatory(author),
                created_at=self.seed.at(day, 10, 5),
            )
        transfers = [self._transfer(number, row) for number, row in enumerate(DATA["transfers"], 1)]
        yield from transfers
        yield from self._standing_orders()
        yield from self._cards()
        movements = [*self._movements(), *(item for transfer in transfers for item in self._booked(transfer))]
        movements.sort(key=lambda item: item.posted_at)
        for number, movement in enumerate(movements, 1):
            movement.id = f"txn_{number:04d}"
            yield movement
        yield from self.rates

    def _signatory(self, short: str) -> str:
        return f"sig_{self.people[short].handle.replace('.', '_')}"

    def _rates(self) -> Iterator[ExchangeRate]:
        for currency, values in DATA["exchange_rates"].items():
            for back, rate in enumerate(reversed(values)):
                year, month = self._month(back)
                yield ExchangeRate(currency=currency, valid_from=date(year, month, 1), rate=rate)

    def _month(self, back: int) -> tuple[int, int]:
        months = self.seed.start.year * 12 + self.seed.start.month - 1 - back
        return months // 12, months % 12 + 1

    def _usd(self, currency: str, day: date) -> Decimal:
        if currency == BASE_CURRENCY:
            return Decimal(1)
        valid = [item for item in self.rates if item.currency == currency and item.valid_from <= day]
        return Decimal(str(max(valid, key=lambda item: item.valid_from).rate))

    def _transfer(self, number: int, row: list[Any]) -> Transfer:
        name, source, target, amount, reference, category, status, execute, author, approver, created, note = row
        currency, day = self.currency[source], self.seed.at(created).date()
        credited = self.currency[target] if target.startswith("acc_") else self.payees[target][4]
        usd = cents(Decimal(amount) * self._usd(currency, day))
        exact = Decimal(amount) * self._usd(currency, day) / self._usd(credited, day)
        return Transfer(
            id=f"trf_{number:04d}",
            number=name,
            from_account_id=source,
            to_account_id=target if target.startswith("acc_") else None,
            payee_id=None if target.startswith("acc_") else target,
            amount=Decimal(amount),
            currency=currency,
            amount_usd=usd,
            credited_amount=Decimal(amount) if credited == currency else cents(exact),
            credited_currency=credited,
            reference=reference,
            note=note,
            category=category,
            status=status,
            execute_on=self.seed.at(execute).date(),
            created_by_id=self._signatory(author),
            approved_by_id=self._signatory(approver) if approver else None,
            created_at=self.seed.at(created, 10, 20 + number),
            completed_at=self.seed.at(execute, 14, number) if status == "completed" else None,
            cancelled_at=self.seed.at(execute, 16, 40) if status == "cancelled" else None,
        )

    def _booked(self, transfer: Transfer) -> Iterator[Transaction]:
        if transfer.completed_at is None:
            return
        target = transfer.to_account_id
        name = self.names[target] if target else self.payees[transfer.payee_id or ""][1]
        sides = [(transfer.from_account_id, -transfer.amount, name)]
        if target:
            sides.append((target, transfer.credited_amount or Decimal(0), self.names[transfer.from_account_id]))
        for account, amount, counterparty in sides:
            yield self._movement(
                account,
                transfer.completed_at,
                amount,
                counterparty,
                transfer.number,
                transfer.reference,
                transfer.category,
                transfer_id=transfer.id,
            )

    def _movement(
        self,
        account: str,
        posted_at: datetime,
        amount: Decimal,
        counterparty: str,
        description: str,
        reference: str,
        category: str,
        **more: Any,
    ) -> Transaction:
        return Transaction(
            id="",
            account_id=account,
            posted_at=posted_at,
            amount=amount,
            currency=self.currency[account],
            counterparty=counterparty,
            description=description,
            reference=reference,
            category=category,
            **more,
        )

    def _movements(self) -> Iterator[Transaction]:
        for account, amount in DATA["openings"]:
            moment = self.seed.at(-183, 8)
            yield self._movement(
                account, moment, Decimal(amount), "Business bank", "Balance brought forward", "", "opening"
            )
        chance = self.seed.random("movements")
        for account, day, amount, counterparty, description, reference, category, *more in DATA["transactions"]:
            status, card = more or ("booked", None)
            moment = self.seed.at(day, chance.randint(9, 17), chance.randint(0, 59))
            yield self._movement(
                account,
                moment,
                Decimal(amount),
                counterparty,
                description,
                reference,
                category,
                status=status,
                card_id=card,
            )
        for account, day, amount, spread, counterparty, description, category in DATA["monthly"]:
            for back in range(1, FIRST_MONTHS + 1):
                year, month = self._month(back)
                moment = datetime(
                    year, month, day, chance.randint(5, 7), chance.randint(0, 59), tzinfo=self.seed.start.tzinfo
                )
                value = Decimal(amount) + Decimal(chance.randint(-100, 100)) * Decimal(spread) / 100
                yield self._movement(
                    account, moment, cents(value), counterparty, description, f"{year}-{month:02d}", category
                )

    def _standing_orders(self) -> Iterator[StandingOrder]:
        for number, row in enumerate(DATA["standing_orders"], 1):
            account, payee, amount, frequency, following, end, reference, category, status, author, day = row
            yield StandingOrder(
                id=f"sto_{number:04d}",
                account_id=account,
                payee_id=payee,
                amount=Decimal(amount),
                currency=self.currency[account],
                frequency=frequency,
                next_on=date.fromisoformat(following),
                end_on=date.fromisoformat(end) if end else None,
                reference=reference,
                category=category,
                status=status,
                created_by_id=self._signatory(author),
                created_at=self.seed.at(day, 11),
                cancelled_at=self.seed.at(-30, 9, 45) if status == "cancelled" else None,
            )

    def _cards(self) -> Iterator[Card]:
        for key, last_four, holder, manager, account, limit, status, expiry in DATA["cards"]:
            if holder in self.people:
                name, email = self.people[holder].name, self.people[holder].email
            else:
                name, email = DATA["former_holders"][holder]
            yield Card(
                id=key,
                last_four=last_four,
                holder_name=name,
                holder_email=email,
                manager_id=self._signatory(manager),
                account_id=account,
                monthly_limit=Decimal(limit),
                currency=self.currency[account],
                status=status,
                expires_on=date.fromisoformat(expiry),
            )
