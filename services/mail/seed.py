"""The mailbox's standard initial state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from engine.kit import Entity, Seed
from services.mail.state import (
    Attachment,
    Correspondent,
    FilterRule,
    Label,
    Message,
    MessageLabel,
    Recipient,
    Settings,
    Thread,
)

SIGNATURE = "Mara Lindqvist\nOperations Lead, Larkspur Outfitters\n+1-206-555-0101"

_LABELS = (
    ("customers", "Customers", "blue"),
    ("deliveries", "Deliveries", "orange"),
    ("finance", "Finance", "green"),
    ("incidents", "Incidents", "red"),
    ("onboarding", "Onboarding", "purple"),
    ("reports", "Reports", "grey"),
    ("suppliers", "Suppliers", "yellow"),
    ("team", "Team", "purple"),
)

_ROUTINE = (
    (
        "tracking@coastline.example",
        "Coastline Freight",
        "Consignment {n} delivered",
        "Consignment {n} was delivered to {company}, {city}, and signed for at the gate.",
        "deliveries",
    ),
    (
        "reports@larkspur.example",
        "Warehouse reports",
        "Warehouse report, {day}",
        "Orders picked: {a}\nOrders waiting: {b}\nLines short: {c}",
        "reports",
    ),
    (
        "orders@larkspur.example",
        "Order desk",
        "New order from {company}",
        "{company} ({city}) placed an order of {a} pieces. Dispatch is planned within {c} working days.",
        "customers",
    ),
    (
        "billing@larkspur.example",
        "Billing",
        "{company}: invoice INV-{inv} paid",
        "The payment for INV-{inv} arrived today. Nothing to do for you.",
        "finance",
    ),
)


def rows(seed: Seed) -> Iterator[Entity]:
    """Labels, about two months of mail, correspondents, filters and settings."""
    for key, name, color in _LABELS:
        yield Label(id=f"lbl_{key}", name=name, color=color)
    threads = json.loads(Path(__file__).with_name("seed_threads.json").read_text(encoding="utf-8"))
    mail = _Mail(seed)
    for thread in threads:
        yield from mail.thread(thread)
    yield from mail.routine()
    yield from mail.correspondents()
    yield from _filters()
    yield Settings(
        id="settings",
        address=seed.user.email,
        display_name=seed.user.name,
        signature=SIGNATURE,
        vacation_subject="Away from my desk",
        vacation_body="Thank you for your mail. I am away; Hana Takeda helps you meanwhile.",
    )


def _filters() -> Iterator[Entity]:
    yield FilterRule(
        id="flt_reports",
        name="Warehouse reports",
        position=1,
        from_contains="reports@larkspur.example",
        add_label_id="lbl_reports",
        move_to="archive",
        mark_read=True,
    )
    yield FilterRule(
        id="flt_coastline",
        name="Coastline deliveries",
        position=2,
        from_contains="coastline.example",
        subject_contains="delivered",
        add_label_id="lbl_deliveries",
        move_to="archive",
    )
    yield FilterRule(
        id="flt_invoices",
        name="Anything about invoices",
        position=3,
        subject_contains="invoice",
        add_label_id="lbl_finance",
    )
    yield FilterRule(
        id="flt_notes",
        name="Notes to self",
        position=4,
        enabled=False,
        from_contains="mara.lindqvist@larkspur.example",
        subject_contains="note to self",
        star=True,
    )


class _Mail:
    """Makes messages with running numbers and remembers who wrote to whom."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.names = {item.email: item.name for item in (*seed.colleagues, *seed.contacts)}
        self.companies = {item.email: item.company for item in (*seed.colleagues, *seed.contacts)}
        self.numbers = count(1)
        self.files = count(1)
        self.written: dict[str, datetime] = {}
        self.times: dict[str, int] = {}

    def _address(self, who: str) -> str:
        return who if "@" in who else f"{who}@larkspur.example"

    def _moment(self, when: str) -> datetime:
        day, clock = when.split()
        hour, minute = map(int, clock.split(":"))
        return self.seed.at(int(day), hour, minute)

    def thread(self, thread: dict[str, Any]) -> Iterator[Entity]:
        """A thread of the seed file with all that belongs to it."""
        last = max(self._moment(item["when"]) for item in thread["messages"])
        thread_id = f"thr_{thread['key']}"
        yield Thread(id=thread_id, subject=thread["subject"], last_message_at=last)
        before: str | None = None
        for item in thread["messages"]:
            sender = self._address(item["from"])
            own = sender == self.seed.user.email
            box = item.get("box", "sent" if own else "inbox")
            message = Message(
                id=f"msg_{next(self.numbers):04d}",
                thread_id=thread_id,
                box=box,
                from_email=sender,
                from_name=self.names.get(sender, ""),
                subject=thread["subject"] if before is None else f"Re: {thread['subject']}",
                body=f"{item['body']}\n\n-- \n{SIGNATURE}" if own and box in ("sent", "scheduled") else item["body"],
                at=self._moment(item["when"]),
                is_read=not item.get("unread", False),
                is_starred=item.get("starred", False),
                in_reply_to=before,
                scheduled_for=self._moment(item["scheduled_for"]) if "scheduled_for" in item else None,
                trashed_from="inbox" if box == "trash" else None,
            )
            yield message
            yield from self._recipients(message, item)
            yield from self._files(message, item.get("files", ()))
            if box in ("inbox", "sent"):
                for label in thread.get("labels", ()):
                    yield MessageLabel(message_id=message.id, label_id=f"lbl_{label}")
            before = message.id

    def _recipients(self, message: Message, item: dict[str, Any]) -> Iterator[Entity]:
        everybody = [(kind, self._address(who)) for kind in ("to", "cc") for who in item.get(kind, ())]
        for position, (kind, address) in enumerate(everybody):
            yield Recipient(
                message_id=message.id,
                email=address,
                name=self.names.get(address, ""),
                kind=kind,
                position=position,
            )
            if message.box == "sent":
                self.written[address] = max(message.at, self.written.get(address, message.at))
                self.times[address] = self.times.get(address, 0) + 1

    def _files(self, message: Message, files: list[dict[str, Any]]) -> Iterator[Entity]:
        for item in files:
            yield Attachment(
                id=f"att_{next(self.files):04d}",
                message_id=message.id,
                filename=item["name"],
                media_type=item["type"],
                size_bytes=item["size"],
                text=item["text"],
            )

    def routine(self) -> Iterator[Entity]:
        """What machines wrote, day by day: most of it read and filed."""
        random = self.seed.random("routine")
        for day in range(-40, 1):
            address, name, subject, body, label = _ROUTINE[day % len(_ROUTINE)]
            company = random.choice(self.seed.companies)
            at = self.seed.at(day, random.randint(5, 8), random.randrange(60))
            values = {
                "n": f"CF-{random.randint(40_000, 59_999)}",
                "inv": random.randint(1950, 2020),
                "day": f"{at:%d %B}",
                "company": company.name,
                "city": company.city,
                "a": random.randint(12, 90),
                "b": random.randint(0, 25),
                "c": random.randint(1, 9),
            }
            number = f"{next(self.numbers):04d}"
            title = subject.format(**values)
            yield Thread(id=f"thr_{number}", subject=title, last_message_at=at)
            recent = day > -4
            message = Message(
                id=f"msg_{number}",
                thread_id=f"thr_{number}",
                box="inbox" if recent and label not in ("reports", "deliveries") else "archive",
                from_email=address,
                from_name=name,
                subject=title,
                body=body.format(**values),
                at=at,
                is_read=not recent or label == "reports",
            )
            yield message
            yield Recipient(
                message_id=message.id,
                email=self.seed.user.email,
                name=self.seed.user.name,
                kind="to",
                position=0,
            )
            yield MessageLabel(message_id=message.id, label_id=f"lbl_{label}")

    def correspondents(self) -> Iterator[Entity]:
        """Everybody in the cast and whoever was written to."""
        random = self.seed.random("correspondents")
        everybody = [item.email for item in (*self.seed.colleagues, *self.seed.contacts)]
        for address in sorted({*everybody, *self.written}):
            times = self.times.get(address, 0) + random.randint(0, 20)
            last = self.written.get(address) or self.seed.at(-random.randint(20, 200), 12)
            yield Correspondent(
                email=address,
                name=self.names.get(address, ""),
                company=self.companies.get(address, ""),
                times_written_to=times,
                last_written_at=last if times else None,
            )
