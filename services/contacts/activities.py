"""Tools on activities and notes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.contacts.access import assignable, may_administer, named, reader, something, stated, writer
from services.contacts.state import Activity, Company, Deal, Member, Note, Person


def _about(
    ctx: Context, company_id: str | None, person_id: str | None, deal_id: str | None
) -> tuple[str | None, str | None, str | None]:
    """What an activity is about: its company follows from the deal or the person where it is not given."""
    person = ctx.require(Person, person_id) if person_id is not None else None
    deal = ctx.require(Deal, deal_id) if deal_id is not None else None
    if company_id is not None:
        ctx.require(Company, company_id)
    if person is None and deal is None and company_id is None:
        ctx.fail("invalid", "Say what it is about: give a company_id, a person_id or a deal_id.")
    if deal is not None:
        if company_id is not None and company_id != deal.company_id:
            ctx.fail("invalid", f"The deal {deal.id!r} belongs to another company, {deal.company_id!r}.")
        company_id = deal.company_id
    elif company_id is None and person is not None:
        company_id = person.company_id
    return company_id, person_id, deal_id


def _late(ctx: Context, activity: Activity) -> bool:
    return activity.status == "open" and activity.at < ctx.now()


@tool
def log_activity(
    ctx: Context,
    kind: str,
    subject: str,
    at: Moment,
    company_id: str | None = None,
    person_id: str | None = None,
    deal_id: str | None = None,
    body: str = "",
    outcome: str = "",
    minutes: int | None = None,
) -> Any:
    """Record a call, meeting or mail that took place."""
    me = writer(ctx)
    subject = stated(ctx, "The subject", subject)
    company_id, person_id, deal_id = _about(ctx, company_id, person_id, deal_id)
    if at > ctx.now():
        ctx.fail("invalid", "log_activity records what took place already; plan ahead with create_task.")
    return ctx.add(
        Activity(
            id=ctx.new_id("act"),
            kind=kind,
            subject=subject,
            body=body,
            at=at,
            status="done",
            outcome=outcome,
            minutes=minutes,
            company_id=company_id,
            person_id=person_id,
            deal_id=deal_id,
            assignee_id=me.id,
            created_by=me.id,
            created_at=ctx.now(),
            completed_at=at,
        )
    )


@tool
def create_task(
    ctx: Context,
    subject: str,
    due_at: Moment,
    company_id: str | None = None,
    person_id: str | None = None,
    deal_id: str | None = None,
    body: str = "",
    assignee_id: str | None = None,
) -> Any:
    """Plan a follow-up."""
    me = writer(ctx)
    subject = stated(ctx, "The subject", subject)
    company_id, person_id, deal_id = _about(ctx, company_id, person_id, deal_id)
    if due_at < ctx.now():
        ctx.fail("invalid", "due_at lies in the past.")
    return ctx.add(
        Activity(
            id=ctx.new_id("act"),
            kind="task",
            subject=subject,
            body=body,
            at=due_at,
            status="open",
            company_id=company_id,
            person_id=person_id,
            deal_id=deal_id,
            assignee_id=assignable(ctx, assignee_id).id if assignee_id is not None else me.id,
            created_by=me.id,
            created_at=ctx.now(),
        )
    )


def _open_task(ctx: Context, activity_id: str) -> Activity:
    task = ctx.require(Activity, activity_id)
    if task.kind != "task":
        ctx.fail("invalid", f"{activity_id!r} is a {task.kind}, not a task.")
    if task.status != "open":
        ctx.fail("conflict", f"The task {task.subject!r} is {task.status} already.")
    return task


@tool
def update_task(
    ctx: Context,
    activity_id: str,
    subject: str | None = None,
    due_at: Moment | None = None,
    body: str | None = None,
    assignee_id: str | None = None,
) -> Any:
    """Change an open task."""
    writer(ctx)
    something(ctx, subject, due_at, body, assignee_id)
    task = _open_task(ctx, activity_id)
    if subject is not None:
        task.subject = stated(ctx, "The subject", subject)
    if due_at is not None:
        if due_at < ctx.now():
            ctx.fail("invalid", "due_at lies in the past.")
        task.at = due_at
    if body is not None:
        task.body = body
    if assignee_id is not None:
        task.assignee_id = assignable(ctx, assignee_id).id
    return task


@tool
def close_task(ctx: Context, activity_id: str, status: str = "done", outcome: str = "") -> Any:
    """Mark an open task as done or cancelled."""
    writer(ctx)
    task = _open_task(ctx, activity_id)
    task.status = status
    task.outcome = outcome
    task.completed_at = ctx.now()
    return task


@tool
def list_activities(
    ctx: Context,
    query: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    overdue: bool | None = None,
    company_id: str | None = None,
    person_id: str | None = None,
    deal_id: str | None = None,
    assignee_id: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    newest_first: bool = True,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List activities by time."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Activity.subject, query), contains(Activity.body, query)))
    for column, value in (
        (Activity.kind, kind),
        (Activity.status, status),
        (Activity.company_id, company_id),
        (Activity.person_id, person_id),
        (Activity.deal_id, deal_id),
        (Activity.assignee_id, assignee_id),
    ):
        if value is not None:
            where.append(column == value)
    if overdue is not None:
        late = (col(Activity.status) == "open") & (col(Activity.at) < ctx.now())
        where.append(late if overdue else ~late)
    if since is not None:
        where.append(Activity.at >= since)
    if until is not None:
        where.append(Activity.at <= until)
    order = col(Activity.at).desc() if newest_first else Activity.at
    page = ctx.page(Activity, *where, order_by=order, limit=limit, cursor=cursor)
    people = named(ctx, Person, (item.person_id for item in page.items))
    companies = named(ctx, Company, (item.company_id for item in page.items))
    return {
        "items": [
            {
                **item.out(),
                "company_name": companies.get(item.company_id or ""),
                "person_name": people.get(item.person_id or ""),
                "overdue": _late(ctx, item),
            }
            for item in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Activity, *where),
    }


@tool
def add_note(ctx: Context, kind: str, record_id: str, body: str, pinned: bool = False) -> Any:
    """Write a note on a company, person or deal."""
    me = writer(ctx)
    body = stated(ctx, "The note", body)
    entities: dict[str, Any] = {"company": Company, "person": Person, "deal": Deal}
    ctx.require(entities[kind], record_id)
    return ctx.add(
        Note(
            id=ctx.new_id("note"),
            body=body,
            pinned=pinned,
            author_id=me.id,
            created_at=ctx.now(),
            **{f"{kind}_id": record_id},
        )
    )


@tool
def list_notes(
    ctx: Context,
    query: str | None = None,
    kind: str | None = None,
    record_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List notes, pinned ones first, then the newest."""
    reader(ctx)
    columns = {"company": Note.company_id, "person": Note.person_id, "deal": Note.deal_id}
    where: list[Any] = []
    if record_id is not None:
        if kind is None:
            ctx.fail("invalid", "record_id needs kind: company, person or deal.")
        where.append(columns[kind] == record_id)
    elif kind is not None:
        where.append(col(columns[kind]).is_not(None))
    if query is not None:
        where.append(contains(Note.body, query))
    order = [col(Note.pinned).desc(), col(Note.created_at).desc()]
    page = ctx.page(Note, *where, order_by=order, limit=limit, cursor=cursor)
    authors = named(ctx, Member, (note.author_id for note in page.items))
    return {
        "items": [{**note.out(), "author_name": authors[note.author_id]} for note in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Note, *where),
    }


@tool
def delete_note(ctx: Context, note_id: str) -> Any:
    """Delete a note."""
    me = writer(ctx)
    note = ctx.require(Note, note_id)
    if not may_administer(ctx, me, note.author_id):
        author = ctx.require(Member, note.author_id)
        ctx.fail("forbidden", f"Only {author.name} (the author), their manager or an admin may delete this note.")
    ctx.delete(note)
    return {"deleted": note_id}
