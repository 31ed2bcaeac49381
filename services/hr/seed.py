"""The people desk as it stands when a story starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from engine.kit import HOME_DOMAIN, Entity, Seed
from services.hr.balances import business_days
from services.hr.state import (
    Acknowledgement,
    Document,
    Employee,
    JobChange,
    LeaveRequest,
    LeaveType,
    OnboardingTask,
    PublicHoliday,
)

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
"""What the people desk knows at the start; people by first name, days counted from the start's date."""


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    staff = _staff(seed)
    yield from staff.values()
    for key, name, text, paid, approval, personal, yearly, notice, back, visible in DATA["leave_types"]:
        yield LeaveType(
            id=key,
            name=name,
            description=text,
            paid=paid,
            needs_approval=approval,
            personal_days=personal,
            yearly_days=yearly,
            notice_days=notice,
            days_back=back,
            visible_to_all=visible,
        )
    holidays = list(_holidays())
    yield from holidays
    yield from _leave(seed, staff, holidays)
    yield from _documents(seed, staff)
    for number, (who, kind, status, day, old, new, reason) in enumerate(DATA["job_changes"], 1):
        yield JobChange(
            id=f"jbc_{number:04d}",
            employee_id=staff[who].id,
            kind=kind,
            status=status,
            effective_date=date.fromisoformat(day),
            old_value=old,
            new_value=new,
            reason=reason,
            recorded_by_id=staff["ruth"].id,
        )
    yield from _onboarding(seed, staff)


def _staff(seed: Seed) -> dict[str, Employee]:
    made: dict[str, Employee] = {}
    people = {person.handle.split(".")[0]: person for person in seed.colleagues}
    order = sorted(people, key=_depth)
    for number, name in enumerate(order, 1):
        person = people[name]
        location, manager, start, leave, carried, contact = DATA["staff"][name]
        made[name] = Employee(
            id=f"emp_{person.handle.replace('.', '_')}",
            number=f"LO-{number:03d}",
            name=person.name,
            email=person.email,
            phone=person.phone,
            title=person.title,
            team=person.team,
            location=location,
            manager_id=made[manager].id if manager else None,
            start_date=date.fromisoformat(start),
            annual_leave_days=leave,
            carried_over_days=carried,
            carried_over_year=seed.start.year if carried else None,
            emergency_contact_name=contact[0] if contact else None,
            emergency_contact_phone=contact[1] if contact else None,
            emergency_contact_relation=contact[2] if contact else None,
        )
    for name, full, title, team, location, manager, status, start, end, leave in DATA["others"]:
        handle = full.lower().replace(" ", ".")
        made[name] = Employee(
            id=f"emp_{handle.replace('.', '_')}",
            number=f"LO-{len(made) + 1:03d}",
            name=full,
            email=f"{handle}@{HOME_DOMAIN}",
            title=title,
            team=team,
            location=location,
            manager_id=made[manager].id,
            status=status,
            start_date=date.fromisoformat(start),
            end_date=date.fromisoformat(end) if end else None,
            annual_leave_days=leave,
        )
    return made


def _depth(name: str) -> int:
    manager: str | None = DATA["staff"][name][1]
    return 0 if manager is None else 1 + _depth(manager)


def _holidays() -> Iterator[PublicHoliday]:
    for location, days in DATA["holidays"].items():
        for entry in days.split("|"):
            day, name = entry.split(" ", 1)
            key = f"hol_{location.lower().replace(' ', '_')}_{day.replace('-', '')}"
            yield PublicHoliday(id=key, location=location, day=date.fromisoformat(f"2026-{day}"), name=name)


def _leave(seed: Seed, staff: dict[str, Employee], holidays: list[PublicHoliday]) -> Iterator[Entity]:
    for number, (who, kind, first, last, status, note, cover, day, word) in enumerate(DATA["leave"], 1):
        employee = staff[who]
        start, end = date.fromisoformat(first), date.fromisoformat(last)
        approver = employee.manager_id or staff["mara" if who == "ruth" else "ruth"].id
        asked = seed.at(day, 9, 10)
        unasked = kind in ("sick", "moving")
        decider = employee.id if status == "cancelled" else None if status == "pending" or unasked else approver
        decided = asked if unasked else asked + timedelta(hours=2, minutes=15)
        yield LeaveRequest(
            id=f"lvr_{number:04d}",
            employee_id=employee.id,
            leave_type_id=f"lvt_{kind}",
            start_date=start,
            end_date=end,
            business_days=business_days(
                start, end, {item.day for item in holidays if item.location == employee.location}
            ),
            status=status,
            note=note,
            cover_id=staff[cover].id if cover else None,
            approver_id=approver,
            decided_by_id=decider,
            decision_note=word,
            created_at=asked,
            decided_at=None if status == "pending" else decided,
        )


def _documents(seed: Seed, staff: dict[str, Employee]) -> Iterator[Entity]:
    for number, row in enumerate(DATA["documents"], 1):
        title, category, version, owner, status, wanted, day, due, readers, body = row
        document = Document(
            id=f"doc_{number:04d}",
            title=title,
            category=category,
            version=version,
            body=body,
            owner_id=staff[owner].id,
            status=status,
            requires_acknowledgement=wanted,
            published_on=seed.at(day).date(),
            due_date=None if due is None else seed.at(due).date(),
        )
        yield document
        chance = seed.random(f"readers {number}")
        for reader in readers.split():
            yield Acknowledgement(
                document_id=document.id,
                employee_id=staff[reader].id,
                acknowledged_at=seed.at(day + chance.randint(1, 20), chance.randint(8, 16), chance.randint(0, 59)),
            )


def _onboarding(seed: Seed, staff: dict[str, Employee]) -> Iterator[Entity]:
    for number, (who, title, details, owner, due, status, before, result) in enumerate(DATA["onboarding"], 1):
        done = status == "done"
        day = date.fromisoformat(due)
        yield OnboardingTask(
            id=f"onb_{number:04d}",
            employee_id=staff[who].id,
            title=title,
            details=details,
            owner_id=staff[owner].id,
            due_date=day,
            status=status,
            after_task_id=f"onb_{before:04d}" if before else None,
            result=result,
            completed_by_id=staff[owner].id if done else None,
            completed_at=seed.at((day - seed.start.date()).days, 15) if done else None,
        )
