"""Tools on people, tags and segments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, Entity, contains, tool
from services.contacts.access import (
    KINDS,
    administer,
    assignable,
    clean_email,
    clean_tags,
    named,
    reader,
    something,
    stated,
    writer,
)
from services.contacts.state import (
    Activity,
    Company,
    ContactRole,
    Deal,
    Member,
    Person,
    Segment,
    SegmentPerson,
)


@tool
def list_people(
    ctx: Context,
    query: str | None = None,
    company_id: str | None = None,
    role: str | None = None,
    owner_id: str | None = None,
    status: str | None = None,
    tag: str | None = None,
    segment_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List people by name."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Person.name, query), contains(Person.email, query), contains(Person.title, query)))
    for column, value in (
        (Person.company_id, company_id),
        (Person.owner_id, owner_id),
        (Person.status, status),
    ):
        if value is not None:
            where.append(column == value)
    if tag is not None:
        where.append(col(Person.tags).contains([tag.strip().lower()]))
    if role is not None:
        holders = ctx.list(ContactRole, ContactRole.role == role)
        where.append(col(Person.id).in_([held.person_id for held in holders]))
    if segment_id is not None:
        ctx.require(Segment, segment_id)
        places = ctx.list(SegmentPerson, SegmentPerson.segment_id == segment_id)
        where.append(col(Person.id).in_([place.person_id for place in places]))
    page = ctx.page(Person, *where, order_by=Person.name, limit=limit, cursor=cursor)
    companies = named(ctx, Company, (person.company_id for person in page.items))
    return {
        "items": [{**person.out(), "company_name": companies.get(person.company_id or "")} for person in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Person, *where),
    }


@tool
def get_person(ctx: Context, person_id: str) -> Any:
    """One person with company, roles, segments, open deals and last contact."""
    reader(ctx)
    person = ctx.require(Person, person_id)
    roles = ctx.list(ContactRole, ContactRole.person_id == person_id)
    places = ctx.list(SegmentPerson, SegmentPerson.person_id == person_id)
    last = ctx.first(
        Activity,
        Activity.person_id == person_id,
        Activity.status == "done",
        Activity.kind != "task",
        order_by=col(Activity.at).desc(),
    )
    deals = ctx.list(Deal, Deal.person_id == person_id, col(Deal.closed_at).is_(None), order_by=Deal.close_date)
    return {
        **person.out(),
        "company_name": named(ctx, Company, [person.company_id]).get(person.company_id or ""),
        "owner": ctx.require(Member, person.owner_id).out("id", "name", "email"),
        "roles": [held.role for held in roles],
        "segment_ids": [place.segment_id for place in places],
        "open_deals": [deal.out("id", "name", "stage_id", "amount", "currency") for deal in deals],
        "last_contact_at": last.at if last else None,
    }


@tool
def create_person(
    ctx: Context,
    name: str,
    email: str | None = None,
    phone: str = "",
    title: str = "",
    company_id: str | None = None,
    owner_id: str | None = None,
    tags: list[str] | None = None,
) -> Any:
    """Add a person."""
    me = writer(ctx)
    name = stated(ctx, "The name", name)
    if company_id is not None:
        ctx.require(Company, company_id)
    return ctx.add(
        Person(
            id=ctx.new_id("per"),
            name=name,
            email=_free_email(ctx, email, None),
            phone=phone.strip(),
            title=title.strip(),
            company_id=company_id,
            owner_id=assignable(ctx, owner_id).id if owner_id is not None else me.id,
            tags=clean_tags(ctx, tags or []),
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )


@tool
def update_person(
    ctx: Context,
    person_id: str,
    name: str | None = None,
    email: str | None = None,
    phone: str | None = None,
    title: str | None = None,
    company_id: str | None = None,
    status: str | None = None,
    do_not_contact: bool | None = None,
) -> Any:
    """Change a person's own fields; leaving or changing the company ends their roles there."""
    writer(ctx)
    something(ctx, name, email, phone, title, company_id, status, do_not_contact)
    person = ctx.require(Person, person_id)
    if name is not None:
        person.name = stated(ctx, "The name", name)
    if email is not None:
        person.email = _free_email(ctx, email, person_id)
    if phone is not None:
        person.phone = phone.strip()
    if title is not None:
        person.title = title.strip()
    moved = company_id is not None and (company_id or None) != person.company_id
    if moved:
        person.company_id = ctx.require(Company, company_id).id if company_id else None
    if status is not None:
        person.status = status
    ended = []
    if moved or status == "left":
        for held in ctx.list(ContactRole, ContactRole.person_id == person_id):
            ended.append(held.role)
            ctx.delete(held)
    if do_not_contact is not None:
        person.do_not_contact = do_not_contact
    if do_not_contact:
        for place in ctx.list(SegmentPerson, SegmentPerson.person_id == person_id):
            ctx.delete(place)
    person.updated_at = ctx.now()
    return {**person.out(), "ended_roles": ended}


def _free_email(ctx: Context, email: str | None, person_id: str | None) -> str | None:
    email = clean_email(email or "")
    if not email:
        return None
    other = ctx.first(
        Person,
        or_(col(Person.email) == email, col(Person.other_emails).contains([email])),
        Person.id != (person_id or ""),
    )
    if other is not None:
        ctx.fail(
            "conflict",
            f"The address {email} already belongs to {other.name} ({other.id}); update that person instead.",
            person_id=other.id,
        )
    return email


@tool
def tag_record(
    ctx: Context, kind: str, record_id: str, add: list[str] | None = None, remove: list[str] | None = None
) -> Any:
    """Add tags to a company or person, and remove tags from it."""
    writer(ctx)
    record: Any = ctx.require(KINDS[kind], record_id)
    adding, removing = clean_tags(ctx, add or []), clean_tags(ctx, remove or [])
    if not adding and not removing:
        ctx.fail("invalid", "Give at least one tag to add or remove.")
    if both := sorted(set(adding) & set(removing)):
        ctx.fail("invalid", f"The tag {both[0]!r} stands both in add and in remove.")
    record.tags = clean_tags(ctx, (set(record.tags) | set(adding)) - set(removing))
    record.updated_at = ctx.now()
    return {"kind": kind, "id": record_id, "tags": list(record.tags)}


@tool
def list_segments(ctx: Context, query: str | None = None, limit: int = 20, cursor: str | None = None) -> Any:
    """List segments by name, each with the number of its people."""
    reader(ctx)
    where = [contains(Segment.name, query)] if query is not None else []
    page = ctx.page(Segment, *where, order_by=Segment.name, limit=limit, cursor=cursor)
    sizes: dict[str, int] = {}
    for place in ctx.list(SegmentPerson, col(SegmentPerson.segment_id).in_([item.id for item in page.items])):
        sizes[place.segment_id] = sizes.get(place.segment_id, 0) + 1
    return {
        "items": [{**item.out(), "people": sizes.get(item.id, 0)} for item in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def create_segment(ctx: Context, name: str, description: str = "", person_ids: list[str] | None = None) -> Any:
    """Make a segment, with its first people."""
    me = writer(ctx)
    name = stated(ctx, "The name", name)
    if ctx.exists(Segment, Segment.name == name):
        ctx.fail("conflict", f"There already is a segment named {name!r}; change that one instead.")
    segment = ctx.add(
        Segment(id=ctx.new_id("seg"), name=name, description=description, owner_id=me.id, created_at=ctx.now())
    )
    return _change_segment(ctx, segment, person_ids or [], [])


@tool
def update_segment(
    ctx: Context,
    segment_id: str,
    add_person_ids: list[str] | None = None,
    remove_person_ids: list[str] | None = None,
) -> Any:
    """Put people into a segment and take people out of it."""
    segment = ctx.require(Segment, segment_id)
    administer(ctx, segment.owner_id, f"The segment {segment.name!r}")
    if not add_person_ids and not remove_person_ids:
        ctx.fail("invalid", "Give at least one person to add or to remove.")
    return _change_segment(ctx, segment, add_person_ids or [], remove_person_ids or [])


def _change_segment(ctx: Context, segment: Segment, adding: list[str], removing: list[str]) -> dict[str, Any]:
    places = {place.person_id: place for place in ctx.list(SegmentPerson, SegmentPerson.segment_id == segment.id)}
    for person_id in dict.fromkeys(removing):
        if person_id not in places:
            ctx.fail("not_found", f"The person {person_id!r} is not in the segment {segment.name!r}.")
        gone: Entity = places.pop(person_id)
        ctx.delete(gone)
    known = {row.id: row for row in ctx.list(Person, col(Person.id).in_(adding))} if adding else {}
    for person_id in dict.fromkeys(adding):
        person = known.get(person_id) or ctx.require(Person, person_id)
        if person.do_not_contact:
            ctx.fail("invalid", f"{person.name} asked not to be contacted, so cannot be in a segment.")
        if person_id not in places:
            place = SegmentPerson(segment_id=segment.id, person_id=person_id, added_at=ctx.now())
            places[person_id] = ctx.add(place)
    return {**segment.out(), "person_ids": sorted(places)}
