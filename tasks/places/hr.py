"""HR: people, leave, onboarding and job changes of a scenario."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from engine.kit.cast import Person
from services.hr.balances import business_days
from services.hr.seed import DATA
from tasks.authoring.terms import Seen, Template

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MARA = "emp_mara_lindqvist"


def employee(
    d: Draft,
    person: Person,
    number: int,
    *,
    title: str,
    location: str,
    team: str = "operations",
    manager: str = MARA,
    status: str = "active",
    starts: date | None = None,
    days: int = 25,
) -> str:
    """Plant an employee ``LO-<number>``; gives their id."""
    key = d.key("emp")
    d.plant(
        "hr_employee",
        id=key,
        number=f"LO-{number}",
        name=person.name,
        email=person.email,
        title=title,
        team=team,
        location=location,
        manager_id=manager,
        status=status,
        start_date=starts or date(2021, 1 + number % 12, 4),
        annual_leave_days=days,
    )
    return key


def working_days(location: str, start: date, end: date) -> int:
    """Working days of a span at a location, its public holidays left out."""
    listed = DATA["holidays"][location].split("|")
    off = {date.fromisoformat(f"{start.year}-{entry.split(' ', 1)[0]}") for entry in listed}
    return business_days(start, end, off)


def leave(
    d: Draft,
    who: str,
    location: str,
    start: date,
    end: date,
    *,
    status: str = "pending",
    kind: str = "annual",
    note: str = "",
    approver: str = MARA,
    asked: int = 6,
) -> str:
    """Plant a leave request that was made ``asked`` days ago; gives its id."""
    key = d.key("lvr")
    d.plant(
        "hr_leave_request",
        id=key,
        employee_id=who,
        leave_type_id=f"lvt_{kind}",
        start_date=start,
        end_date=end,
        business_days=working_days(location, start, end),
        status=status,
        note=note,
        approver_id=approver,
        decided_by_id=None if status == "pending" else approver,
        created_at=d.ago(asked, 10),
        decided_at=None if status == "pending" else d.ago(asked - 1, 10),
    )
    return key


def onboarding_task(
    d: Draft,
    who: str,
    title: str,
    owner: str,
    due: date,
    *,
    details: str = "",
    done: bool = False,
    after: str | None = None,
) -> str:
    """Plant a step of somebody's first weeks; gives its id."""
    key = d.key("onb")
    d.plant(
        "hr_onboarding_task",
        id=key,
        employee_id=who,
        title=title,
        details=details,
        owner_id=owner,
        due_date=due,
        status="done" if done else "open",
        after_task_id=after,
        completed_by_id=owner if done else None,
        completed_at=d.ago(1, 15) if done else None,
    )
    return key


def job_change(d: Draft, who: str, kind: str, day: date, old: str | None, new: str, reason: str) -> str:
    """Plant a scheduled job change; gives its id."""
    key = d.key("jbc")
    d.plant(
        "hr_job_change",
        id=key,
        employee_id=who,
        kind=kind,
        status="scheduled",
        effective_date=day,
        old_value=old,
        new_value=new,
        reason=reason,
        recorded_by_id="emp_ruth_abernathy",
    )
    return key


def find_employee(d: Draft, word: Template) -> Seen:
    """The employees whose name, address or title contains a word."""
    return d.call("hr", "list_employees", query=word)
