"""The home as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from engine.kit import Entity, Seed
from services.home.seed_data import DEVICES, ENERGY, MEMBERS, PRICE, ROUTINES
from services.home.seed_upkeep import ALERTS, SHOPPING, TASKS
from services.home.state import Alert, Device, EnergyReading, Member, Routine, ShoppingItem, Task

ENERGY_DAYS = 12


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    for key, name, role, email, phone, code, locks, first, last in MEMBERS:
        yield Member(
            id=f"mem_{key}",
            name=name,
            role=role,
            email=email or None,
            phone=phone,
            code=code or None,
            lock_ids=[f"dev_{lock}" for lock in locks.split()],
            valid_from=_at(seed, first),
            valid_until=_at(seed, last),
        )
    random = seed.random("changes")
    for key, name, kind, room, model, state in DEVICES:
        changed = seed.start - timedelta(minutes=random.randint(20, 4000))
        yield Device(id=f"dev_{key}", name=name, kind=kind, room=room, model=model, changed_at=changed, **state)
    for number, (name, kind, enabled, actions, more) in enumerate(ROUTINES, start=1):
        yield Routine(id=f"rtn_{number:04d}", name=name, kind=kind, enabled=enabled, actions=actions, **more)
    yield from _energy(seed)
    yield from _upkeep(seed)
    emails = {key: email for key, _, _, email, *_ in MEMBERS}
    for number, (name, category, quantity, unit, note, bought, added_by) in enumerate(SHOPPING, start=1):
        yield ShoppingItem(
            id=f"shp_{number:04d}",
            name=name,
            category=category,
            quantity=quantity,
            unit=unit,
            note=note,
            bought=bought is not None,
            added_by_email=emails[added_by],
            bought_by_email=None if bought is None else emails["henrik"],
            bought_at=None if bought is None else seed.at(bought, 17, 40),
        )


def _at(seed: Seed, text: str) -> datetime | None:
    """``-9 08:00`` as an instant; nothing for an empty text."""
    return _moment(seed, *text.split()) if text else None


def _moment(seed: Seed, day: str, clock: str) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return seed.at(int(day), hour, minute)


def _energy(seed: Seed) -> Iterator[Entity]:
    random = seed.random("energy")
    number = 0
    for day in range(-ENERGY_DAYS, 0):
        for device, usual in ENERGY:
            number += 1
            kwh = round(usual * random.uniform(0.5, 1.6), 2)
            yield EnergyReading(
                id=f"nrg_{number:04d}",
                device_id=f"dev_{device}",
                day=seed.at(day).date(),
                kwh=kwh,
                cost=(Decimal(str(kwh)) * Decimal(PRICE)).quantize(Decimal("0.01")),
            )


def _upkeep(seed: Seed) -> Iterator[Entity]:
    for number, (device, severity, message, status, day, clock) in enumerate(ALERTS, start=1):
        yield Alert(
            id=f"alr_{number:04d}",
            device_id=f"dev_{device}",
            severity=severity,
            message=message,
            status=status,
            raised_at=_moment(seed, str(day), clock),
        )
    for number, row in enumerate(TASKS, start=1):
        title, notes, status, due, assignee, device, alert, company, visit, repeat, done = row
        yield Task(
            id=f"tsk_{number:04d}",
            title=title,
            notes=notes,
            status=status,
            due_on=seed.at(due).date(),
            assignee_id=f"mem_{assignee}",
            device_id=f"dev_{device}" if device else None,
            alert_id=f"alr_{alert:04d}" if alert else None,
            visit_company=company or None,
            visit_at=_at(seed, visit),
            repeat_days=repeat,
            done_at=_at(seed, done),
        )
