"""The book as it stands on the first morning."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal

from engine.kit import Entity, Seed
from services.contacts import seed_texts as texts
from services.contacts.state import (
    Activity,
    Company,
    ContactRole,
    Deal,
    Member,
    Note,
    Person,
    Segment,
    SegmentPerson,
    Stage,
    StageChange,
    StageMove,
)

_ROLES = {"tobias.okafor": "admin", "dario.bianchi": "viewer", "ruth.abernathy": "viewer"}
_MANAGERS = {
    "priya.raman": "tobias.okafor",
    "jonah.whitfield": "tobias.okafor",
    "hana.takeda": "mara.lindqvist",
    "luis.herrera": "mara.lindqvist",
    "dario.bianchi": "elena.sorokina",
}
_OUTSIDE = {"sofia.almeida", "kenji.watanabe"}
_STEPS = ("lead", "qualified", "proposal", "negotiation")


def _member(handle: str) -> str:
    return "mem_" + handle.partition(".")[0]


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    yield from _members(seed)
    yield from _pipeline()
    yield from _directory(seed)
    yield from _deals(seed)
    yield from _activities(seed)
    yield from _notes_and_segments(seed)


def _members(seed: Seed) -> Iterable[Entity]:
    inside = [person for person in seed.colleagues if person.handle not in _OUTSIDE]
    for person in sorted(inside, key=lambda item: item.handle in _MANAGERS):
        manager = _MANAGERS.get(person.handle)
        yield Member(
            id=_member(person.handle),
            name=person.name,
            email=person.email,
            team=person.team,
            role=_ROLES.get(person.handle, "member"),
            manager_id=_member(manager) if manager else None,
            active=person.handle != "nils.bergstrom",
        )


def _pipeline() -> Iterable[Entity]:
    stages = (
        ("lead", "Lead", "10", "open"),
        ("qualified", "Qualified", "30", "open"),
        ("proposal", "Proposal sent", "50", "open"),
        ("negotiation", "Negotiation", "75", "open"),
        ("won", "Won", "100", "won"),
        ("lost", "Lost", "0", "lost"),
    )
    for position, (key, name, probability, kind) in enumerate(stages, 1):
        yield Stage(id=key, name=name, position=position, probability=Decimal(probability), kind=kind)
    moves = ("lead qualified", "qualified proposal", "proposal negotiation", "negotiation won")
    back = ("qualified lead", "proposal qualified", "negotiation proposal", "lost qualified")
    for move in (*moves, *back, *(f"{step} lost" for step in _STEPS)):
        before, after = move.split()
        yield StageMove(from_id=before, to_id=after)


def _directory(seed: Seed) -> Iterable[Entity]:
    ids: dict[str, str] = {}
    for number, company in enumerate(seed.companies, 1):
        ids[company.name] = f"cmp_{number:04d}"
        created = seed.at(-700 + 41 * number, 10)
        yield Company(
            id=ids[company.name],
            name=company.name,
            domain=company.domain,
            industry=company.industry,
            city=company.city,
            country=company.country,
            currency=company.currency,
            phone=texts.DATA["phones"][number - 1],
            tier=company.tier,
            lifecycle="prospect" if company.name == "Ironbark Builders" else "customer",
            owner_id=_member(texts.OWNERS[company.name]),
            tags=sorted(texts.DATA["company_tags"].get(company.name, ())),
            created_at=created,
            updated_at=seed.at(-30 + number, 11),
        )
    for number, extra in enumerate(texts.MORE_COMPANIES, len(ids) + 1):
        ids[extra.name] = f"cmp_{number:04d}"
        yield Company(
            id=ids[extra.name],
            name=extra.name,
            domain=extra.domain,
            industry=extra.industry,
            city=extra.city,
            country=extra.country,
            currency=extra.currency,
            phone=extra.phone,
            lifecycle=extra.lifecycle,
            parent_id=ids[extra.parent] if extra.parent else None,
            owner_id=_member(extra.owner),
            created_at=seed.at(-120 + 6 * number, 9, 30),
            updated_at=seed.at(-60 + 3 * number, 9, 30),
        )
    people: dict[str, str] = {}
    cast = [(p.name, p.email, p.phone, p.title, p.company) for p in seed.contacts]
    for number, (name, email, phone, title, company_name) in enumerate((*cast, *texts.MORE_PEOPLE), 1):
        first = name not in people
        key = f"per_{number:04d}"
        people.setdefault(name, key)
        yield Person(
            id=key,
            name=name,
            email=email,
            phone=phone,
            title=title,
            company_id=ids[company_name],
            owner_id=_member(texts.OWNERS.get(company_name, "priya.raman")),
            status="left" if name in texts.DATA["left"] else "active",
            do_not_contact=name in texts.DATA["do_not_contact"],
            tags=sorted(texts.DATA["person_tags"].get(name, ())) if first else [],
            created_at=seed.at(-400 + 11 * number, 13),
            updated_at=seed.at(-45 + number, 13) if number <= 40 else seed.at(-3, 13),
        )
    for name, role in texts.DATA["contact_roles"]:
        company_name = next(row[4] for row in (*cast, *texts.MORE_PEOPLE) if row[0] == name)
        since = seed.at(-200 + len(name) * 5).date()
        yield ContactRole(company_id=ids[company_name], person_id=people[name], role=role, since=since)


def _ids(seed: Seed) -> tuple[dict[str, str], dict[str, str]]:
    companies = [item.name for item in seed.companies] + [item.name for item in texts.MORE_COMPANIES]
    people: dict[str, str] = {}
    for number, name in enumerate([*(item.name for item in seed.contacts), *(row[0] for row in texts.MORE_PEOPLE)], 1):
        people.setdefault(name, f"per_{number:04d}")
    return {name: f"cmp_{number:04d}" for number, name in enumerate(companies, 1)}, people


def _deals(seed: Seed) -> Iterable[Entity]:
    companies, people = _ids(seed)
    changes = 0
    for number, deal in enumerate(texts.DEALS, 1):
        closed = deal.stage in ("won", "lost")
        closed_at = seed.at(deal.closes, 15, 20) if closed else None
        created = seed.at(min(deal.closes, 0) - 75 + number, 9, 45)
        route = list(_STEPS if deal.stage == "won" else _STEPS[:2]) if closed else []
        route += [deal.stage] if closed else _STEPS[: _STEPS.index(deal.stage) + 1]
        gap = ((closed_at or seed.at(-2, 16)) - created) / max(len(route) - 1, 1)
        key = f"deal_{number:04d}"
        yield Deal(
            id=key,
            name=deal.name,
            company_id=companies[deal.company],
            person_id=people[deal.person] if deal.person else None,
            owner_id=_member(deal.owner),
            stage_id=deal.stage,
            amount=Decimal(deal.amount),
            currency=deal.currency,
            close_date=seed.at(deal.closes).date(),
            probability=Decimal(deal.probability) if deal.probability else None,
            next_step=deal.next_step,
            lost_reason=deal.lost_reason or None,
            close_comment=deal.comment,
            closed_at=closed_at,
            created_at=created,
            updated_at=closed_at or seed.at(-2, 16),
        )
        for step, stage in enumerate(route):
            changes += 1
            at = created + timedelta(seconds=int(gap.total_seconds()) * step)
            yield StageChange(
                id=f"chg_{changes:04d}",
                deal_id=key,
                from_id=route[step - 1] if step else None,
                to_id=stage,
                changed_by=_member(deal.owner),
                changed_at=at,
            )


def _activities(seed: Seed) -> Iterable[Entity]:
    companies, people = _ids(seed)
    deals = {deal.name: f"deal_{number:04d}" for number, deal in enumerate(texts.DEALS, 1)}
    for number, item in enumerate(texts.all_activities(seed), 1):
        at = seed.at(item.day, item.hour, item.minute)
        task_open = item.kind == "task" and not item.outcome
        yield Activity(
            id=f"act_{number:04d}",
            kind=item.kind,
            subject=item.subject,
            body=item.body,
            at=at,
            status="open" if task_open else "done",
            outcome=item.outcome,
            minutes=item.minutes or None,
            company_id=companies[item.company],
            person_id=people[item.person] if item.person else None,
            deal_id=deals[item.deal] if item.deal else None,
            assignee_id=_member(item.who),
            created_by=_member(item.who),
            created_at=min(at, seed.at(-1, 10)) - timedelta(days=2 if item.kind == "task" else 0),
            completed_at=None if task_open else at,
        )


def _notes_and_segments(seed: Seed) -> Iterable[Entity]:
    companies, people = _ids(seed)
    deals = {deal.name: f"deal_{number:04d}" for number, deal in enumerate(texts.DEALS, 1)}
    for number, (kind, about, author, day, body) in enumerate(texts.DATA["notes"], 1):
        yield Note(
            id=f"note_{number:04d}",
            body=body,
            company_id=companies[about] if kind == "company" else None,
            person_id=people[about] if kind == "person" else None,
            deal_id=deals[about] if kind == "deal" else None,
            pinned=body.startswith("Standing"),
            author_id=_member(author),
            created_at=seed.at(day, 8 + number % 9, (number * 7) % 60),
        )
    for number, (name, description, owner, members) in enumerate(texts.DATA["segments"], 1):
        key = f"seg_{number:04d}"
        yield Segment(
            id=key,
            name=name,
            description=description,
            owner_id=_member(owner),
            created_at=seed.at(-50 + number, 10),
        )
        for person in members:
            yield SegmentPerson(segment_id=key, person_id=people[person], added_at=seed.at(-40 + number, 10, 30))
