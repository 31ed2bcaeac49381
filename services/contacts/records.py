"""Tools that work on records of several kinds: search, owners, deletion, duplicates."""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations
from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.contacts.access import KINDS, administer, assignable, named, reader
from services.contacts.state import (
    MAX_TAGS,
    SINGLE_ROLES,
    Activity,
    Company,
    ContactRole,
    Deal,
    Note,
    Person,
    SegmentPerson,
    Stage,
)

_LEGAL_FORMS = frozenset(
    (
        "inc",
        "llc",
        "ltd",
        "limited",
        "plc",
        "bv",
        "nv",
        "gmbh",
        "ag",
        "sa",
        "sas",
        "sarl",
        "pty",
        "co",
        "corp",
    )
)


@tool
def search_records(ctx: Context, query: str, kinds: list[str] | None = None, limit: int = 10) -> Any:
    """Find companies, people and deals by name, address or domain."""
    reader(ctx)
    wanted = kinds or list(KINDS)
    text = query.strip()
    found: dict[str, list[dict[str, Any]]] = {}
    if "company" in wanted:
        where = or_(contains(Company.name, text), contains(Company.domain, text))
        rows = ctx.list(Company, where, order_by=Company.name, limit=limit)
        found["companies"] = [row.out("id", "name", "domain", "city", "lifecycle") for row in rows]
    if "person" in wanted:
        where = or_(contains(Person.name, text), contains(Person.email, text), contains(Person.phone, text))
        people = ctx.list(Person, where, order_by=Person.name, limit=limit)
        found["people"] = [row.out("id", "name", "email", "title", "company_id") for row in people]
    if "deal" in wanted:
        deals = ctx.list(Deal, contains(Deal.name, text), order_by=Deal.name, limit=limit)
        found["deals"] = [row.out("id", "name", "company_id", "stage_id", "amount", "currency") for row in deals]
    return {**found, "total": sum(map(len, found.values()))}


@tool
def reassign_record(ctx: Context, kind: str, record_id: str, owner_id: str, with_open_work: bool = False) -> Any:
    """Give a company, person or deal to another owner."""
    record: Any = ctx.require(KINDS[kind], record_id)
    administer(ctx, record.owner_id, f"The {kind} {record.name!r}")
    owner = assignable(ctx, owner_id)
    if record.owner_id == owner.id:
        ctx.fail("conflict", f"The {kind} {record.name!r} already belongs to {owner.name}.")
    before, moved_deals, moved_tasks = record.owner_id, 0, 0
    record.owner_id = owner.id
    record.updated_at = ctx.now()
    if with_open_work:
        if kind == "company":
            open_stages = [stage.id for stage in ctx.list(Stage, Stage.kind == "open")]
            for deal in ctx.list(
                Deal,
                Deal.company_id == record_id,
                Deal.owner_id == before,
                col(Deal.stage_id).in_(open_stages),
            ):
                deal.owner_id, deal.updated_at = owner.id, ctx.now()
                moved_deals += 1
        reference = {"company": Activity.company_id, "person": Activity.person_id, "deal": Activity.deal_id}
        for task in ctx.list(
            Activity,
            reference[kind] == record_id,
            Activity.status == "open",
            Activity.assignee_id == before,
        ):
            task.assignee_id = owner.id
            moved_tasks += 1
    return {
        "kind": kind,
        "id": record_id,
        "owner_id": owner.id,
        "previous_owner_id": before,
        "moved_deals": moved_deals,
        "moved_tasks": moved_tasks,
    }


@tool
def delete_record(ctx: Context, kind: str, record_id: str) -> Any:
    """Delete a company, person or deal that nothing of weight hangs on."""
    record: Any = ctx.require(KINDS[kind], record_id)
    administer(ctx, record.owner_id, f"The {kind} {record.name!r}")
    if kind == "company":
        held = {
            "people": ctx.count(Person, Person.company_id == record_id),
            "deals": ctx.count(Deal, Deal.company_id == record_id),
            "subsidiaries": ctx.count(Company, Company.parent_id == record_id),
        }
        if any(held.values()):
            said = ", ".join(f"{number} {what}" for what, number in held.items() if number)
            ctx.fail("conflict", f"{record.name} still has {said}; move, merge or delete those first.", **held)
    elif kind == "person":
        deals = ctx.count(Deal, Deal.person_id == record_id)
        if deals:
            ctx.fail("conflict", f"{record.name} is the contact of {deals} deal(s); give those another contact.")
    elif ctx.require(Stage, record.stage_id).kind == "won":
        ctx.fail("conflict", f"The deal {record.name!r} is won; won deals stay in the book.")
    ctx.delete(record)
    return {"deleted": record_id, "kind": kind}


def _plain(name: str) -> str:
    text = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(char for char in text if char != "." and not unicodedata.combining(char))
    words = re.findall(r"\w+", bare)
    return " ".join(word for word in words if word not in _LEGAL_FORMS) or name.casefold()


def _traits(kind: str, record: Any) -> list[tuple[str, str]]:
    traits = [("same name", _plain(record.name))] if kind == "company" else []
    digits = re.sub(r"\D", "", record.phone)
    if len(digits) >= 7:
        traits.append(("same phone", digits))
    if kind == "company":
        traits += [("same domain", record.domain)] if record.domain else []
    else:
        traits += [("same name and company", f"{record.company_id}/{_plain(record.name)}")]
        traits += [("same email", email) for email in {record.email, *record.other_emails} - {None}]
    return traits


@tool
def find_duplicates(ctx: Context, kind: str, record_id: str | None = None) -> Any:
    """Pairs of companies or people that look like the same one, with the reasons."""
    reader(ctx)
    entity: Any = KINDS[kind]
    if record_id is not None:
        ctx.require(entity, record_id)
    records = {record.id: record for record in ctx.list(entity)}
    sharing: dict[tuple[str, str], list[str]] = {}
    for record in records.values():
        for trait in _traits(kind, record):
            sharing.setdefault(trait, []).append(record.id)
    pairs: dict[tuple[str, str], list[str]] = {}
    for (reason, _), ids in sharing.items():
        for pair in combinations(ids, 2):
            if record_id is None or record_id in pair:
                pairs.setdefault(pair, []).append(reason)
    companies = named(ctx, Company, (getattr(item, "company_id", None) for item in records.values()))

    def shown(record: Any) -> dict[str, Any]:
        if kind == "company":
            return dict(record.out("id", "name", "domain", "phone", "owner_id", "created_at"))
        out = record.out("id", "name", "email", "phone", "company_id", "owner_id", "created_at")
        return {**out, "company_name": companies.get(record.company_id or "")}

    return {
        "kind": kind,
        "pairs": [
            {"records": [shown(records[first]), shown(records[second])], "reasons": sorted(reasons)}
            for (first, second), reasons in sorted(pairs.items())[:100]
        ],
        "total": len(pairs),
    }


@tool
def merge_records(ctx: Context, kind: str, keep_id: str, duplicate_id: str) -> Any:
    """Merge a duplicate company or person into the record to keep."""
    if keep_id == duplicate_id:
        ctx.fail("invalid", "keep_id and duplicate_id name the same record.")
    entity: Any = KINDS[kind]
    keep, duplicate = ctx.require(entity, keep_id), ctx.require(entity, duplicate_id)
    administer(ctx, keep.owner_id, f"The {kind} {keep.name!r}")
    administer(ctx, duplicate.owner_id, f"The {kind} {duplicate.name!r}")
    filled = [
        field
        for field in ("industry", "city", "country", "phone", "title")
        if field in entity.model_fields and not getattr(keep, field) and getattr(duplicate, field)
    ]
    for field in filled:
        setattr(keep, field, getattr(duplicate, field))
    keep.tags = sorted({*keep.tags, *duplicate.tags})[:MAX_TAGS]
    moved = _merge_companies(ctx, keep, duplicate) if kind == "company" else _merge_people(ctx, keep, duplicate)
    keep.updated_at = ctx.now()
    ctx.flush()
    ctx.delete(duplicate)
    return {"kind": kind, "record": keep, "deleted": duplicate_id, "filled": filled, "moved": moved}


def _move(ctx: Context, entity: Any, name: str, old: str, new: str) -> int:
    rows = ctx.list(entity, getattr(entity, name) == old)
    for row in rows:
        setattr(row, name, new)
    ctx.flush()
    return len(rows)


def _merge_companies(ctx: Context, keep: Company, duplicate: Company) -> dict[str, int]:
    if keep.parent_id == duplicate.id:
        keep.parent_id = duplicate.parent_id
    domain, duplicate.domain = duplicate.domain, None
    keep.domain = keep.domain or domain
    moved = {
        "people": _move(ctx, Person, "company_id", duplicate.id, keep.id),
        "deals": _move(ctx, Deal, "company_id", duplicate.id, keep.id),
        "activities": _move(ctx, Activity, "company_id", duplicate.id, keep.id),
        "notes": _move(ctx, Note, "company_id", duplicate.id, keep.id),
        "subsidiaries": _move(ctx, Company, "parent_id", duplicate.id, keep.id),
    }
    for role in ctx.list(ContactRole, ContactRole.company_id == duplicate.id):
        _carry_role(ctx, keep.id, role.person_id, role)
    return moved


def _merge_people(ctx: Context, keep: Person, duplicate: Person) -> dict[str, int]:
    emails = {duplicate.email, *duplicate.other_emails, *keep.other_emails} - {None, keep.email}
    if keep.email is None and duplicate.email is not None:
        keep.email = duplicate.email
        emails.discard(keep.email)
    keep.other_emails = sorted(email for email in emails if email)
    keep.do_not_contact = keep.do_not_contact or duplicate.do_not_contact
    keep.company_id = keep.company_id or duplicate.company_id
    moved = {
        "deals": _move(ctx, Deal, "person_id", duplicate.id, keep.id),
        "activities": _move(ctx, Activity, "person_id", duplicate.id, keep.id),
        "notes": _move(ctx, Note, "person_id", duplicate.id, keep.id),
    }
    for role in ctx.list(ContactRole, ContactRole.person_id == duplicate.id):
        if role.company_id == keep.company_id and keep.status == "active":
            _carry_role(ctx, role.company_id, keep.id, role)
    for place in ctx.list(SegmentPerson, SegmentPerson.person_id == duplicate.id):
        if not keep.do_not_contact and ctx.get(SegmentPerson, place.segment_id, keep.id) is None:
            ctx.add(SegmentPerson(segment_id=place.segment_id, person_id=keep.id, added_at=place.added_at))
    if keep.do_not_contact:
        for place in ctx.list(SegmentPerson, SegmentPerson.person_id == keep.id):
            ctx.delete(place)
    return moved


def _carry_role(ctx: Context, company_id: str, person_id: str, role: ContactRole) -> None:
    """Give a role of the duplicate to the kept record, unless somebody holds it there."""
    name, since, source = role.role, role.since, (role.company_id, role.person_id)
    ctx.delete(role)
    taken = name in SINGLE_ROLES and ctx.exists(
        ContactRole, ContactRole.company_id == company_id, ContactRole.role == name
    )
    if taken or source == (company_id, person_id) or ctx.get(ContactRole, company_id, person_id, name):
        return
    ctx.add(ContactRole(company_id=company_id, person_id=person_id, role=name, since=since))
