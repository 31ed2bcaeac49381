"""Tools on companies: the directory, the hierarchy, contact roles."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, or_
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.contacts.access import (
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
    SINGLE_ROLES,
    Activity,
    Company,
    ContactRole,
    Deal,
    Member,
    Person,
    Stage,
)


@tool
def list_companies(
    ctx: Context,
    query: str | None = None,
    industry: str | None = None,
    country: str | None = None,
    tier: str | None = None,
    lifecycle: str | None = None,
    owner_id: str | None = None,
    tag: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List companies by name."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Company.name, query), contains(Company.domain, query)))
    for column, value in (
        (Company.tier, tier),
        (Company.lifecycle, lifecycle),
        (Company.owner_id, owner_id),
        (Company.country, country.upper() if country is not None else None),
    ):
        if value is not None:
            where.append(column == value)
    if industry is not None:
        where.append(func.lower(Company.industry) == industry.strip().lower())
    if tag is not None:
        where.append(col(Company.tags).contains([tag.strip().lower()]))
    page = ctx.page(Company, *where, order_by=Company.name, limit=limit, cursor=cursor)
    return {**page.out(), "total": ctx.count(Company, *where)}


@tool
def get_company(ctx: Context, company_id: str) -> Any:
    """One company with its people, roles, deals and place in the hierarchy."""
    reader(ctx)
    company = ctx.require(Company, company_id)
    people = ctx.list(Person, Person.company_id == company_id, order_by=Person.name)
    held: dict[str, list[str]] = {}
    for role in ctx.list(ContactRole, ContactRole.company_id == company_id):
        held.setdefault(role.person_id, []).append(role.role)
    open_stages = [stage.id for stage in ctx.list(Stage, Stage.kind == "open")]
    deals = ctx.list(
        Deal,
        Deal.company_id == company_id,
        col(Deal.stage_id).in_(open_stages),
        order_by=Deal.close_date,
    )
    last = ctx.first(
        Activity,
        Activity.company_id == company_id,
        Activity.status == "done",
        Activity.kind != "task",
        order_by=col(Activity.at).desc(),
    )
    return {
        **company.out(),
        "owner": ctx.require(Member, company.owner_id).out("id", "name", "email"),
        "parent_name": named(ctx, Company, [company.parent_id]).get(company.parent_id or ""),
        "subsidiaries": [
            child.out("id", "name")
            for child in ctx.list(Company, Company.parent_id == company_id, order_by=Company.name)
        ],
        "people": [
            {**person.out("id", "name", "email", "title", "status"), "roles": held.get(person.id, [])}
            for person in people
        ],
        "open_deals": [deal.out("id", "name", "stage_id", "amount", "currency", "close_date") for deal in deals],
        "last_contact_at": last.at if last else None,
    }


@tool
def create_company(
    ctx: Context,
    name: str,
    domain: str | None = None,
    industry: str = "",
    city: str = "",
    country: str = "",
    currency: str = "USD",
    phone: str = "",
    tier: str = "none",
    lifecycle: str = "prospect",
    parent_id: str | None = None,
    owner_id: str | None = None,
    tags: list[str] | None = None,
) -> Any:
    """Add a company."""
    me = writer(ctx)
    name = stated(ctx, "The name", name)
    if parent_id is not None:
        ctx.require(Company, parent_id)
    domain = _free_domain(ctx, domain, None)
    return ctx.add(
        Company(
            id=ctx.new_id("cmp"),
            name=name,
            domain=domain,
            industry=industry.strip(),
            city=city.strip(),
            country=country.upper(),
            currency=currency,
            phone=phone.strip(),
            tier=tier,
            lifecycle=lifecycle,
            parent_id=parent_id,
            owner_id=assignable(ctx, owner_id).id if owner_id is not None else me.id,
            tags=clean_tags(ctx, tags or []),
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )


@tool
def update_company(
    ctx: Context,
    company_id: str,
    name: str | None = None,
    domain: str | None = None,
    industry: str | None = None,
    city: str | None = None,
    country: str | None = None,
    currency: str | None = None,
    phone: str | None = None,
    tier: str | None = None,
    lifecycle: str | None = None,
    parent_id: str | None = None,
) -> Any:
    """Change a company's own fields; an empty ``parent_id`` or ``domain`` clears it."""
    writer(ctx)
    something(ctx, name, domain, industry, city, country, currency, phone, tier, lifecycle, parent_id)
    company = ctx.require(Company, company_id)
    if name is not None:
        company.name = stated(ctx, "The name", name)
    if domain is not None:
        company.domain = _free_domain(ctx, domain, company_id)
    if parent_id is not None:
        company.parent_id = _parent(ctx, company_id, parent_id) if parent_id else None
    given = {"industry": industry, "city": city, "currency": currency, "phone": phone}
    given |= {
        "tier": tier,
        "lifecycle": lifecycle,
        "country": country.upper() if country is not None else None,
    }
    for field, value in given.items():
        if value is not None:
            setattr(company, field, value.strip())
    company.updated_at = ctx.now()
    return company


def _free_domain(ctx: Context, domain: str | None, company_id: str | None) -> str | None:
    domain = clean_email(domain or "").removeprefix("www.")
    if not domain:
        return None
    other = ctx.first(Company, Company.domain == domain, Company.id != (company_id or ""))
    if other is not None:
        ctx.fail(
            "conflict",
            f"The domain {domain} already belongs to {other.name} ({other.id}); update that company instead.",
            company_id=other.id,
        )
    return domain


def _parent(ctx: Context, company_id: str, parent_id: str) -> str:
    above = ctx.require(Company, parent_id)
    for _ in range(50):
        if above.id == company_id:
            ctx.fail("invalid", "A company cannot be its own parent, directly or through its subsidiaries.")
        if above.parent_id is None:
            break
        above = ctx.require(Company, above.parent_id)
    return parent_id


@tool
def get_company_hierarchy(ctx: Context, company_id: str) -> Any:
    """The whole tree in which a company stands, from its top company down."""
    reader(ctx)
    top = ctx.require(Company, company_id)
    seen = {top.id}
    while top.parent_id is not None and top.parent_id not in seen:
        top = ctx.require(Company, top.parent_id)
        seen.add(top.id)
    below: dict[str, list[Company]] = {}
    level, placed = [top], {top.id}
    while level:
        children = ctx.list(
            Company,
            col(Company.parent_id).in_([item.id for item in level]),
            col(Company.id).not_in(sorted(placed)),
            order_by=Company.name,
        )
        for child in children:
            below.setdefault(child.parent_id or "", []).append(child)
        placed |= {child.id for child in children}
        level = children

    def node(company: Company) -> dict[str, Any]:
        return {
            **company.out("id", "name", "country", "lifecycle"),
            "subsidiaries": [node(child) for child in below.get(company.id, [])],
        }

    return {"company_id": company_id, "companies": len(placed), "top": node(top)}


@tool
def set_contact_role(ctx: Context, person_id: str, role: str) -> Any:
    """Give a person a role at their company; takes a single-holder role from whoever had it."""
    writer(ctx)
    person = ctx.require(Person, person_id)
    if person.company_id is None or person.status == "left":
        ctx.fail("invalid", f"{person.name} does not work at a company at present, so cannot have a role there.")
    company = ctx.require(Company, person.company_id)
    if ctx.get(ContactRole, company.id, person_id, role) is not None:
        ctx.fail("conflict", f"{person.name} already is the {_said(role)} contact of {company.name}.")
    replaced = []
    if role in SINGLE_ROLES:
        for held in ctx.list(ContactRole, ContactRole.company_id == company.id, ContactRole.role == role):
            replaced.append(held.person_id)
            ctx.delete(held)
    given = ctx.add(ContactRole(company_id=company.id, person_id=person_id, role=role, since=ctx.today()))
    company.updated_at = ctx.now()
    return {**given.out(), "replaced_person_id": replaced[0] if replaced else None}


@tool
def remove_contact_role(ctx: Context, person_id: str, role: str) -> Any:
    """Take a role from a person."""
    writer(ctx)
    person = ctx.require(Person, person_id)
    held = ctx.first(ContactRole, ContactRole.person_id == person_id, ContactRole.role == role)
    if held is None:
        ctx.fail("not_found", f"{person.name} does not have the role {role!r}.")
    company_id = held.company_id
    ctx.delete(held)
    ctx.require(Company, company_id).updated_at = ctx.now()
    return {"person_id": person_id, "company_id": company_id, "removed": role}


def _said(role: str) -> str:
    return role.replace("_", " ")
