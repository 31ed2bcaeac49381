"""Tools for documents to acknowledge and for onboarding."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.hr.access import PEOPLE_TEAM, below, me, names
from services.hr.state import Acknowledgement, Document, Employee, OnboardingTask


def _views(ctx: Context, viewer: Employee, documents: list[Document]) -> list[dict[str, Any]]:
    mine = {
        item.document_id: item.acknowledged_at
        for item in ctx.list(
            Acknowledgement,
            col(Acknowledgement.employee_id) == viewer.id,
            col(Acknowledgement.document_id).in_([document.id for document in documents]),
        )
    }
    return [
        item.out(without=("body",)) | {"acknowledged": item.id in mine, "acknowledged_at": mine.get(item.id)}
        for item in documents
    ]


def _view(ctx: Context, viewer: Employee, document: Document) -> dict[str, Any]:
    missing: list[dict[str, Any]] = []
    under = below(ctx, viewer)
    if document.requires_acknowledgement and under:
        done = select(col(Acknowledgement.employee_id)).where(col(Acknowledgement.document_id) == document.id)
        late = ctx.list(
            Employee,
            col(Employee.id).in_(under),
            col(Employee.status) == "active",
            col(Employee.id).not_in(done),
            order_by=[col(Employee.name)],
        )
        missing = [item.out("id", "name", "email") for item in late]
    return _views(ctx, viewer, [document])[0] | {"body": document.body, "missing_reports": missing}


@tool
def list_documents(
    ctx: Context,
    query: str | None = None,
    category: str | None = None,
    status: str | None = None,
    requires_acknowledgement: bool | None = None,
    acknowledged: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Documents by title, and whether the user has acknowledged them."""
    viewer = me(ctx)
    equal = (
        (Document.category, category),
        (Document.status, status),
        (Document.requires_acknowledgement, requires_acknowledgement),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(contains(Document.title, query), contains(Document.body, query)))
    if acknowledged is not None:
        mine = select(col(Acknowledgement.document_id)).where(col(Acknowledgement.employee_id) == viewer.id)
        where.append(col(Document.id).in_(mine) if acknowledged else col(Document.id).not_in(mine))
    page = ctx.page(Document, *where, order_by=[col(Document.title)], limit=limit, cursor=cursor)
    return {"items": _views(ctx, viewer, page.items), "next_cursor": page.next_cursor}


@tool
def get_document(ctx: Context, document_id: str) -> Any:
    """One document with its text."""
    return _view(ctx, me(ctx), ctx.require(Document, document_id))


@tool
def acknowledge_document(ctx: Context, document_id: str) -> Any:
    """Confirm that the user has read a document."""
    viewer = me(ctx)
    document = ctx.require(Document, document_id)
    if not document.requires_acknowledgement or document.status == "archived":
        ctx.fail("conflict", f"{document.title} ({document.id}) asks for no acknowledgement.")
    if ctx.get(Acknowledgement, document.id, viewer.id) is not None:
        ctx.fail("conflict", f"You have acknowledged {document.title} ({document.id}) already.")
    ctx.add(Acknowledgement(document_id=document.id, employee_id=viewer.id, acknowledged_at=ctx.now()))
    return _view(ctx, viewer, document)


def _task_views(ctx: Context, tasks: list[OnboardingTask]) -> list[dict[str, Any]]:
    known = names(ctx, [person for item in tasks for person in (item.employee_id, item.owner_id)])
    return [
        item.out()
        | {
            "employee_name": known[item.employee_id],
            "owner_name": known[item.owner_id],
            "overdue": item.status == "open" and item.due_date < ctx.today(),
        }
        for item in tasks
    ]


@tool
def list_onboarding_tasks(
    ctx: Context,
    employee_id: str | None = None,
    owner_id: str | None = None,
    status: str | None = None,
    due_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Onboarding tasks by due date."""
    me(ctx)
    equal = (
        (OnboardingTask.employee_id, employee_id),
        (OnboardingTask.owner_id, owner_id),
        (OnboardingTask.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if due_until is not None:
        where.append(col(OnboardingTask.due_date) <= due_until)
    page = ctx.page(OnboardingTask, *where, order_by=[col(OnboardingTask.due_date)], limit=limit, cursor=cursor)
    return {"items": _task_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def complete_onboarding_task(ctx: Context, onboarding_task_id: str, result: str = "") -> Any:
    """Tick off an onboarding task."""
    viewer = me(ctx)
    task = ctx.require(OnboardingTask, onboarding_task_id)
    if task.owner_id != viewer.id and viewer.team != PEOPLE_TEAM and task.employee_id not in below(ctx, viewer):
        ctx.fail("forbidden", f"Task {task.id} is for its owner, the newcomer's leads or the people team to complete.")
    if task.status == "done":
        ctx.fail("conflict", f"Task {task.id} is done already.")
    if task.after_task_id is not None:
        before = ctx.require(OnboardingTask, task.after_task_id)
        if before.status != "done":
            ctx.fail("conflict", f"Task {before.id} ({before.title}) must be done first.")
    task.status = "done"
    task.result = result
    task.completed_by_id = viewer.id
    task.completed_at = ctx.now()
    ctx.flush()
    return _task_views(ctx, [task])[0]
