"""Tools for alerts, maintenance tasks and energy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import and_, func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.home.access import grown_up, me
from services.home.state import Alert, Device, EnergyReading, Member, Task

ACTIVE = ("open", "scheduled")


@tool
def list_energy_readings(
    ctx: Context,
    device_id: str | None = None,
    room: str | None = None,
    since: date | None = None,
    until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Use of electricity, latest first, with sums."""
    me(ctx)
    where: list[Any] = []
    if device_id is not None:
        where.append(EnergyReading.device_id == ctx.require(Device, device_id).id)
    if room is not None:
        where.append(col(EnergyReading.device_id).in_(select(col(Device.id)).where(col(Device.room) == room)))
    if since is not None:
        where.append(col(EnergyReading.day) >= since)
    if until is not None:
        where.append(col(EnergyReading.day) <= until)
    page = ctx.page(EnergyReading, *where, order_by=col(EnergyReading.day).desc(), limit=limit, cursor=cursor)
    sums = select(func.sum(col(EnergyReading.kwh)), func.sum(col(EnergyReading.cost))).where(*where)
    kwh, cost = ctx.rows(sums)[0]
    return page.out() | {"total_kwh": round(kwh or 0.0, 2), "total_cost": cost or Decimal(0), "currency": "GBP"}


@tool
def list_alerts(
    ctx: Context,
    status: str | None = None,
    severity: str | None = None,
    device_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Alerts, latest first."""
    me(ctx)
    equal = ((Alert.status, status), (Alert.severity, severity), (Alert.device_id, device_id))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(Alert, *where, order_by=col(Alert.raised_at).desc(), limit=limit, cursor=cursor)
    ids = {item.id for item in page.items}
    seen_to = ctx.list(Task, col(Task.alert_id).in_(ids), Task.status != "cancelled")
    tasks = {item.alert_id: item.id for item in seen_to}
    devices = ctx.list(Device, col(Device.id).in_({item.device_id for item in page.items}))
    names = {item.id: item.name for item in devices}
    items = [item.out() | {"device_name": names[item.device_id], "task_id": tasks.get(item.id)} for item in page.items]
    return {"items": items, "next_cursor": page.next_cursor}


def _views(ctx: Context, tasks: Sequence[Task]) -> list[dict[str, Any]]:
    members = ctx.list(Member, col(Member.id).in_({item.assignee_id for item in tasks}))
    names = {item.id: item.name for item in members}
    return [
        item.out()
        | {
            "assignee_name": names[item.assignee_id],
            "overdue": item.status in ACTIVE and item.due_on < ctx.today(),
        }
        for item in tasks
    ]


@tool
def list_tasks(
    ctx: Context,
    status: str | None = None,
    assignee_id: str | None = None,
    device_id: str | None = None,
    visit_company: str | None = None,
    due_before: date | None = None,
    overdue: bool | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Tasks by due date."""
    me(ctx)
    equal = (
        (Task.status, status),
        (Task.assignee_id, assignee_id),
        (Task.device_id, device_id),
        (Task.visit_company, visit_company),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if due_before is not None:
        where.append(col(Task.due_on) <= due_before)
    if overdue is not None:
        late = and_(col(Task.status).in_(ACTIVE), col(Task.due_on) < ctx.today())
        where.append(late if overdue else ~late)
    if query is not None:
        where.append(contains(Task.title, query) | contains(Task.notes, query))
    page = ctx.page(Task, *where, order_by=col(Task.due_on), limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def create_task(
    ctx: Context,
    title: str,
    due_on: date,
    notes: str = "",
    assignee_id: str | None = None,
    device_id: str | None = None,
    alert_id: str | None = None,
    visit_company: str | None = None,
    visit_at: Moment | None = None,
    repeat_days: int = 0,
) -> Any:
    """Plan upkeep."""
    member = grown_up(ctx)
    if due_on < ctx.today():
        ctx.fail("invalid", f"due_on {due_on} has passed; today is {ctx.today()}.")
    task = Task(
        id=ctx.new_id("tsk"),
        title=title,
        notes=notes,
        due_on=due_on,
        assignee_id=member.id if assignee_id is None else _assignee(ctx, assignee_id),
        device_id=None if device_id is None else ctx.require(Device, device_id).id,
        visit_company=visit_company,
        visit_at=visit_at,
        repeat_days=repeat_days,
    )
    if alert_id is not None:
        alert = ctx.require(Alert, alert_id)
        if alert.status != "open":
            ctx.fail("conflict", f"Alert {alert.id} is {alert.status}; list_alerts shows the task that sees to it.")
        if device_id not in (None, alert.device_id):
            ctx.fail("invalid", f"Alert {alert.id} comes from {alert.device_id}, not from {device_id}.")
        alert.status = "in_progress"
        task.alert_id, task.device_id = alert.id, alert.device_id
    _schedule(ctx, task, visit_at)
    return _views(ctx, [ctx.add(task)])[0]


def _assignee(ctx: Context, member_id: str) -> str:
    member = ctx.require(Member, member_id)
    if member.role not in ("owner", "adult"):
        ctx.fail("invalid", f"{member.name} is a {member.role}; tasks are for owners and adults.")
    return member.id


def _schedule(ctx: Context, task: Task, visit_at: Any) -> None:
    if visit_at is None:
        return
    if task.visit_company is None:
        ctx.fail("invalid", "visit_at needs visit_company: say who comes.")
    if visit_at <= ctx.now():
        ctx.fail("invalid", f"visit_at {visit_at} must lie ahead; it is {ctx.now()}.")
    task.visit_at, task.status = visit_at, "scheduled"


@tool
def update_task(
    ctx: Context,
    task_id: str,
    title: str | None = None,
    notes: str | None = None,
    due_on: date | None = None,
    assignee_id: str | None = None,
    visit_company: str | None = None,
    visit_at: Moment | None = None,
    status: str | None = None,
) -> Any:
    """Change a task or move it on."""
    grown_up(ctx)
    task = ctx.require(Task, task_id)
    if task.status not in ACTIVE:
        ctx.fail("conflict", f"Task {task.id} is {task.status} and stays as it is; create another one.")
    if visit_at is not None and status is not None:
        ctx.fail("invalid", "visit_at schedules the task; give either visit_at or status.")
    if assignee_id is not None:
        assignee_id = _assignee(ctx, assignee_id)
    given = {
        "title": title,
        "notes": notes,
        "due_on": due_on,
        "assignee_id": assignee_id,
        "visit_company": visit_company,
    }
    for name, value in given.items():
        if value is not None:
            setattr(task, name, value)
    _schedule(ctx, task, visit_at)
    following = _move(ctx, task, status) if status is not None else None
    return _views(ctx, [task])[0] | {"next_task_id": following.id if following else None}


def _move(ctx: Context, task: Task, status: str) -> Task | None:
    """Open, finish or cancel a task; the next one of its kind where it repeats."""
    task.status = status
    if status == "open":
        task.visit_company = task.visit_at = None
        return None
    if task.alert_id is not None:
        ctx.require(Alert, task.alert_id).status = "resolved" if status == "done" else "open"
    if status == "cancelled":
        return None
    task.done_at = ctx.now()
    if not task.repeat_days:
        return None
    return ctx.add(
        Task(
            id=ctx.new_id("tsk"),
            title=task.title,
            notes=task.notes,
            due_on=ctx.today() + timedelta(days=task.repeat_days),
            assignee_id=task.assignee_id,
            device_id=task.device_id,
            repeat_days=task.repeat_days,
        )
    )
