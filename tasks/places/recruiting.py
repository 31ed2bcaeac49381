"""Recruiting: openings, their candidates, applications, remarks and offers in a scenario."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from engine.kit.cast import Person
from tasks.authoring.terms import Seen, Template

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MARA, RUTH, HANA = "stf_mara_lindqvist", "stf_ruth_abernathy", "stf_hana_takeda"


def recruit(d: Draft) -> None:
    """Let Mara be a recruiter, who runs every opening."""
    d.change("recruiting_staff", MARA, role="recruiter")


def opening(
    d: Draft,
    code: str,
    title: str,
    location: str,
    *,
    salary: tuple[Decimal, Decimal],
    currency: str,
    places: int = 1,
    text: str = "",
    starts: int = 60,
    manager: str = MARA,
) -> str:
    """Plant an open position of the operations team; gives its id."""
    key = d.key("opn")
    d.plant(
        "recruiting_opening",
        id=key,
        code=code,
        title=title,
        team="operations",
        location=location,
        description=text or f"{title} in {location}.",
        hiring_manager_id=manager,
        recruiter_id=RUTH,
        headcount=places,
        salary_min=salary[0],
        salary_max=salary[1],
        currency=currency,
        status="open",
        opened_on=d.on(-40),
        target_start_date=d.on(starts),
    )
    return key


def candidate(
    d: Draft, person: Person, *, company: str = "", location: str = "", referred_by: str | None = None
) -> str:
    """Plant a candidate; gives their id."""
    key = d.key("cnd")
    d.plant(
        "recruiting_candidate",
        id=key,
        name=person.name,
        email=person.email,
        phone=f"+44-7700-{d.rng.randint(556000, 559999)}",
        location=location,
        current_company=company,
        source="referral" if referred_by else "careers_page",
        referred_by_id=referred_by,
        created_at=d.ago(30, 9, d.rng.randint(0, 59)),
    )
    return key


def application(d: Draft, to: str, who: str, stage: str, *, status: str = "active", days_ago: int = 20) -> str:
    """Plant an application; gives its id."""
    key = d.key("apl")
    closed = status != "active"
    d.plant(
        "recruiting_application",
        id=key,
        opening_id=to,
        candidate_id=who,
        stage=stage,
        status=status,
        rejection_reason="position_filled" if status == "rejected" else None,
        applied_at=d.ago(days_ago, 9, d.rng.randint(0, 59)),
        stage_changed_at=d.ago(max(1, days_ago - 10), 17),
        closed_at=d.ago(max(1, days_ago - 10), 17) if closed else None,
    )
    return key


def offer(
    d: Draft, number: int, to: str, salary: Decimal, currency: str, *, starts: date, expires: date, note: str
) -> str:
    """Plant a draft offer ``OFR-<number>`` of Mara's; gives its id."""
    key = d.key("ofr")
    d.plant(
        "recruiting_offer",
        id=key,
        number=f"OFR-{number}",
        application_id=to,
        salary=salary,
        currency=currency,
        start_date=starts,
        expires_on=expires,
        note=note,
        created_by_id=MARA,
        created_at=d.ago(3, 9, 30),
    )
    return key


def note(d: Draft, on: str, by: str, body: str, *, days_ago: int) -> None:
    """Plant a remark on an application."""
    d.plant(
        "recruiting_note",
        id=d.key("nte"),
        application_id=on,
        author_id=by,
        body=body,
        created_at=d.ago(days_ago, 17, 40),
    )


def find_opening(d: Draft, word: Template) -> Seen:
    """The openings whose title, code, text or place contains a word, with how many stand in each stage."""
    return d.call("recruiting", "list_openings", query=word)


def find_candidate(d: Draft, word: Template) -> Seen:
    """Search candidates by name, address, company or place, and open the first with the applications."""
    found = d.call("recruiting", "list_candidates", query=word)
    return d.call("recruiting", "get_candidate", candidate_id=found.at("data.items.0.id"))
