"""What the people desk remembers."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

LOCATIONS = ("London", "Seattle", "New York", "Lisbon", "Stockholm", "Tokyo")
TEAMS = ("operations", "sales", "finance", "support", "engineering", "people", "marketing")
REQUEST_STATES = ("pending", "approved", "declined", "cancelled")
DOCUMENT_CATEGORIES = ("policy", "handbook", "safety", "benefits")


class HrEntity(Entity):
    """Base of this service's entities."""

    __service__ = "hr"


class Employee(HrEntity, table=True):
    """Somebody of the company; leads have no manager."""

    id: str = key("emp")
    number: str = field("code", max_length=20, unique=True)
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    phone: str = field("phone", max_length=40, default="")
    title: str = field("title", max_length=120)
    team: str = field("category", choices=TEAMS)
    location: str = field("place", choices=LOCATIONS)
    manager_id: str | None = ref("hr_employee.id", default=None)
    status: str = field("status", choices=("joining", "active", "left"), default="active")
    start_date: date = field("date")
    end_date: date | None = field("date", default=None)
    annual_leave_days: int = field("quantity", ge=0, le=60)
    carried_over_days: int = field("quantity", ge=0, le=10, default=0)
    carried_over_year: int | None = field("quantity", default=None, description="year in which the carried days count")
    emergency_contact_name: str | None = field("person", max_length=120, default=None)
    emergency_contact_phone: str | None = field("phone", max_length=40, default=None)
    emergency_contact_relation: str | None = field("category", max_length=40, default=None)


class LeaveType(HrEntity, table=True):
    """A kind of leave and its rules."""

    id: str = key("lvt")
    name: str = field("name", max_length=80, unique=True)
    description: str = field("text", max_length=500, default="")
    paid: bool = field("flag")
    needs_approval: bool = field("flag")
    personal_days: bool = field("flag", default=False, description="entitlement is each employee's own")
    yearly_days: int | None = field("quantity", default=None, ge=0, description="the same for everybody")
    notice_days: int = field("quantity", default=0, ge=0)
    days_back: int = field("quantity", default=0, ge=0, description="how far back it may be entered")
    visible_to_all: bool = field("flag", default=True)


class PublicHoliday(HrEntity, table=True):
    """A day on which a location does not work."""

    id: str = key("hol")
    location: str = field("place", choices=LOCATIONS)
    day: date = field("date", index=True)
    name: str = field("name", max_length=80)


class LeaveRequest(HrEntity, table=True):
    """Leave that somebody asks for, whole days."""

    id: str = key("lvr")
    employee_id: str = ref("hr_employee.id")
    leave_type_id: str = ref("hr_leave_type.id")
    start_date: date = field("date", index=True)
    end_date: date = field("date")
    business_days: int = field("quantity", ge=1)
    status: str = field("status", choices=REQUEST_STATES, default="pending")
    note: str = field("text", max_length=1000, default="")
    cover_id: str | None = ref("hr_employee.id", default=None)
    approver_id: str | None = ref("hr_employee.id", default=None)
    decided_by_id: str | None = ref("hr_employee.id", default=None)
    decision_note: str = field("text", max_length=1000, default="")
    created_at: datetime = field("datetime")
    decided_at: datetime | None = field("datetime", default=None)


class Document(HrEntity, table=True):
    """A policy or handbook page."""

    id: str = key("doc")
    title: str = field("title", max_length=160, unique=True)
    category: str = field("category", choices=DOCUMENT_CATEGORIES)
    version: str = field("code", max_length=20)
    body: str = field("text", max_length=4000)
    owner_id: str = ref("hr_employee.id")
    status: str = field("status", choices=("current", "archived"), default="current")
    requires_acknowledgement: bool = field("flag", default=False)
    published_on: date = field("date")
    due_date: date | None = field("date", default=None, description="acknowledge until then")


class Acknowledgement(HrEntity, table=True):
    """That somebody has read a document."""

    document_id: str = ref("hr_document.id", key=True, on_delete="cascade")
    employee_id: str = ref("hr_employee.id", key=True)
    acknowledged_at: datetime = field("datetime")


class JobChange(HrEntity, table=True):
    """A change of title, team, place or manager, past or to come."""

    id: str = key("jbc")
    employee_id: str = ref("hr_employee.id")
    kind: str = field("category", choices=("hire", "promotion", "transfer", "relocation", "new_manager", "departure"))
    status: str = field("status", choices=("scheduled", "effective"), default="effective")
    effective_date: date = field("date")
    old_value: str | None = field("text", max_length=160, default=None)
    new_value: str | None = field("text", max_length=160, default=None)
    reason: str = field("text", max_length=500, default="")
    recorded_by_id: str = ref("hr_employee.id")


class OnboardingTask(HrEntity, table=True):
    """A step in somebody's first weeks."""

    id: str = key("onb")
    employee_id: str = ref("hr_employee.id")
    title: str = field("title", max_length=160)
    details: str = field("text", max_length=1000, default="")
    owner_id: str = ref("hr_employee.id")
    due_date: date = field("date")
    status: str = field("status", choices=("open", "done"), default="open")
    after_task_id: str | None = ref("hr_onboarding_task.id", default=None)
    result: str = field("text", max_length=1000, default="")
    completed_by_id: str | None = ref("hr_employee.id", default=None)
    completed_at: datetime | None = field("datetime", default=None)
