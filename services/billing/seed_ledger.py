"""What happened to the issued invoices of the seed: payments, credit, disputes, reminders."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from engine.kit import Entity, Seed
from services.billing.state import CreditNote, Dispute, Invoice, Payment, Refund, Reminder

_DARIO, _ELENA = "stf_dario", "stf_elena"


class Ledger:
    """Rows about issued invoices; sets their final states on the way."""

    def __init__(self, seed: Seed, data: dict[str, Any], issued: list[Invoice]) -> None:
        self.seed = seed
        self.data = data
        self.issued = issued
        self.by_number = {invoice.number: invoice for invoice in issued}
        self.payments: dict[str, Payment] = {}

    def rows(self) -> Iterable[Entity]:
        """Every row, referenced ones first."""
        for invoice in self.issued:
            yield from self._paid(invoice)
        for number, (key, amount, reason, day) in enumerate(self.data["refunds"], 1):
            yield Refund(
                id=f"rfd_{number:04d}",
                payment_id=self.payments[self.by_number[key].id].id,
                amount=Decimal(amount),
                reason=reason,
                refunded_by=_DARIO,
                refunded_at=self.seed.at(day, 14),
            )
        disputes: dict[str, str] = {}
        for number, row in enumerate(self.data["disputes"], 1):
            key, status, reason, amount, text, raised_by, day, resolution, ended = row
            disputes[key] = f"dsp_{number:04d}"
            yield Dispute(
                id=disputes[key],
                invoice_id=self.by_number[key].id,
                status=status,
                reason=reason,
                amount=Decimal(amount),
                description=text,
                raised_by=raised_by,
                opened_by=_DARIO,
                opened_at=self.seed.at(day, 11, 30),
                resolution=resolution,
                resolved_at=None if ended is None else self.seed.at(ended, 16),
            )
        for number, (key, invoice_number, amount, reason, day) in enumerate(self.data["credit_notes"], 1):
            invoice = self.by_number[invoice_number]
            accepted = reason.startswith("Three jackets")
            yield CreditNote(
                id=f"crn_{number:04d}",
                number=key,
                invoice_id=invoice.id,
                dispute_id=disputes[invoice_number] if accepted else None,
                amount=Decimal(amount),
                currency=invoice.currency,
                reason=reason,
                issued_by=_DARIO,
                issued_at=self.seed.at(day, 16),
            )
        for number, (key, level, day, message) in enumerate(self.data["reminders"], 1):
            invoice = self.by_number[key]
            emails = {f"cus_{place:04d}": row[2] for place, row in enumerate(self.data["customers"], 1)}
            part = self.data["invoices"][key].get("part")
            yield Reminder(
                id=f"rem_{number:04d}",
                invoice_id=invoice.id,
                level=level,
                sent_to=emails[invoice.customer_id],
                message=message,
                balance=invoice.total - (Decimal(part[1]) if part else 0),
                sent_by=_DARIO,
                sent_at=self.seed.at(day, 9, 15),
            )

    def _paid(self, invoice: Invoice) -> Iterable[Entity]:
        story = self.data["invoices"].get(invoice.number, {})
        if story.get("end"):
            invoice.status = story["end"]
            invoice.closing_reason = story["reason"]
            invoice.closed_at = self.seed.at(story["day"], 15)
            return
        if story.get("open"):
            if "part" in story:
                day, amount = story["part"]
                yield self._payment(invoice, Decimal(amount), day)
            return
        chance = self.seed.random(f"payment {invoice.number}")
        assert invoice.due_date is not None and invoice.issue_date is not None
        day = (invoice.due_date - self.seed.start.date()).days + chance.randint(-9, 6)
        if "paid" in story:
            (day,) = story["paid"]
        if day >= 0:
            return
        payment = self._payment(invoice, invoice.total - Decimal(story.get("less", "0")), day)
        invoice.status = "paid"
        invoice.closed_at = payment.recorded_at
        yield payment

    def _payment(self, invoice: Invoice, amount: Decimal, day: int) -> Payment:
        chance = self.seed.random(f"bank {invoice.number}")
        payment = Payment(
            id=f"pay_{len(self.payments) + 1:04d}",
            invoice_id=invoice.id,
            customer_id=invoice.customer_id,
            amount=amount,
            currency=invoice.currency,
            method=chance.choice(("bank_transfer", "bank_transfer", "bank_transfer", "card", "cheque")),
            bank_reference=f"{invoice.number}/{chance.randint(1000, 9999)}",
            received_on=self.seed.at(day).date(),
            recorded_by=_DARIO,
            recorded_at=self.seed.at(day, 13, 20) + timedelta(minutes=chance.randint(0, 90)),
        )
        self.payments[invoice.id] = payment
        return payment
