"""Recruiting as it stands when a story starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.kit import Entity, Seed
from services.recruiting.state import (
    Application,
    Candidate,
    Interview,
    Note,
    Offer,
    Opening,
    Scorecard,
    Staff,
)

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
"""What recruiting knows at the start; people by first name, days counted from the start's date."""


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    staff = _staff(seed)
    yield from staff.values()
    openings = {}
    for key, code, title, team, place, text, manager, places, low, high, money, status, day, start in DATA["openings"]:
        openings[key] = Opening(
            id=key,
            code=code,
            title=title,
            team=team,
            location=place,
            description=text,
            hiring_manager_id=staff[manager].id,
            recruiter_id=staff["ruth"].id,
            headcount=places,
            salary_min=Decimal(low),
            salary_max=Decimal(high),
            currency=money,
            status=status,
            opened_on=seed.at(day).date(),
            target_start_date=date.fromisoformat(start),
        )
    yield from openings.values()
    for number, (name, email, phone, place, company, source, referrer, day) in enumerate(DATA["candidates"], 1):
        yield Candidate(
            id=f"cnd_{number:04d}",
            name=name,
            email=email,
            phone=phone,
            location=place,
            current_company=company,
            source=source,
            referred_by_id=staff[referrer].id if referrer else None,
            created_at=_moment(seed, day, f"candidate {number}"),
        )
    for number, row in enumerate(DATA["applications"], 1):
        opening, candidate, stage, status, reason, note, applied, changed, closed = row
        began = _moment(seed, applied, f"application {number}")
        yield Application(
            id=f"apl_{number:04d}",
            opening_id=opening,
            candidate_id=f"cnd_{candidate:04d}",
            stage=stage,
            status=status,
            rejection_reason=reason,
            rejection_note=note,
            applied_at=began,
            stage_changed_at=began if changed == applied else seed.at(changed, 17, 20),
            closed_at=None if closed is None else seed.at(closed, 17, 20),
        )
    yield from _interviews(seed, staff)
    yield from _offers(seed, staff, openings)
    for number, (application, who, day, body) in enumerate(DATA["notes"], 1):
        yield Note(
            id=f"nte_{number:04d}",
            application_id=f"apl_{application:04d}",
            author_id=staff[who].id,
            body=body,
            created_at=seed.at(day, 17, 40),
        )


def _staff(seed: Seed) -> dict[str, Staff]:
    people = {person.handle.split(".")[0]: person for person in seed.colleagues}
    return {
        short: Staff(
            id=f"stf_{person.handle.replace('.', '_')}",
            name=person.name,
            email=person.email,
            role=DATA["roles"].get(short, "interviewer"),
        )
        for short, person in people.items()
    }


def _moment(seed: Seed, day: int, purpose: str) -> datetime:
    chance = seed.random(purpose)
    return seed.at(day, chance.randint(8, 16), chance.randint(0, 59))


def _interviews(seed: Seed, staff: dict[str, Staff]) -> Iterator[Entity]:
    ends: list[datetime] = []
    for number, row in enumerate(DATA["interviews"], 1):
        application, kind, day, clock, minutes, place, who, status, reason = row
        begins = seed.at(day, *map(int, clock.split(":")))
        ends.append(begins + timedelta(minutes=minutes))
        yield Interview(
            id=f"itv_{number:04d}",
            application_id=f"apl_{application:04d}",
            kind=kind,
            starts_at=begins,
            ends_at=ends[-1],
            place=place,
            interviewer_ids=[staff[name].id for name in who],
            status=status,
            cancel_reason=reason,
            created_by_id=staff["ruth"].id,
        )
    for number, (interview, who, recommendation, score, strengths, concerns) in enumerate(DATA["scorecards"], 1):
        yield Scorecard(
            id=f"scd_{number:04d}",
            interview_id=f"itv_{interview:04d}",
            interviewer_id=staff[who].id,
            recommendation=recommendation,
            score=score,
            strengths=strengths,
            concerns=concerns,
            submitted_at=ends[interview - 1] + timedelta(minutes=10 + number),
        )


def _offers(seed: Seed, staff: dict[str, Staff], openings: dict[str, Opening]) -> Iterator[Entity]:
    for index, row in enumerate(DATA["offers"], 1):
        number, application, salary, start, expires, status, author, approver, *days, note, answer = row
        opening = openings[DATA["applications"][application - 1][0]]
        approved, sent, closed = (
            None if day is None else seed.at(day, 11 + 2 * step, 30) for step, day in enumerate(days[1:])
        )
        yield Offer(
            id=f"ofr_{index:04d}",
            number=number,
            application_id=f"apl_{application:04d}",
            salary=Decimal(salary),
            currency=opening.currency,
            start_date=date.fromisoformat(start),
            expires_on=seed.at(expires).date(),
            status=status,
            above_range=Decimal(salary) > opening.salary_max,
            note=note,
            answer_note=answer,
            created_by_id=staff[author].id,
            approved_by_id=staff[approver].id if approver else None,
            created_at=seed.at(days[0], 9, 30),
            approved_at=approved,
            sent_at=sent,
            closed_at=closed,
        )
