"""Incidents and on-call: teams' services and schedules of a scenario; a small incident as a note or a new record."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring.terms import Passage, Seen, Template
from tasks.places.base import Entry, Note, with_day

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

DESK = "svc_shipping_desk"
"""The seed's service that Mara owns."""

KENJI, SOFIA, NILS, LUIS, HANA = (COLLEAGUES[place] for place in (11, 10, 9, 7, 6))

_SINCE = 70
"""Days for which planted schedules have had their shifts."""


def schedule(d: Draft, name: str, rotation: tuple[Person, ...], *, shift_days: int = 7) -> str:
    """Plant a schedule that Mara manages, with shifts since ten weeks; gives its id."""
    key = d.key("sch")
    d.plant(
        "incidents_schedule",
        id=key,
        name=name,
        rotation=[person.email for person in rotation],
        shift_days=shift_days,
        starts_at=d.at(d.calendar_day(-_SINCE), 0),
        manager_email=d.user.email,
    )
    return key


def holder(d: Draft, rotation: tuple[Person, ...], at: datetime, *, shift_days: int = 7) -> Person:
    """Whose shift it is in a schedule that was planted with ``schedule``."""
    return rotation[shift(d, at.date(), shift_days=shift_days) % len(rotation)]


def shift(d: Draft, day: date, *, shift_days: int = 7) -> int:
    """The number of the shift on a date in a schedule that was planted with ``schedule``, from 0."""
    return (day - d.calendar_day(-_SINCE)).days // shift_days


def team_service(d: Draft, name: str, schedule_id: str, *, owner: Person = NILS, tier: str = "tier2") -> str:
    """Plant something that must work, whose first call goes to a schedule; gives its id."""
    key = d.key("svc")
    d.plant(
        "incidents_service",
        id=key,
        name=name,
        team=owner.team,
        owner_email=owner.email,
        tier=tier,
        escalation_steps=[
            {"after_minutes": 0, "schedule_id": schedule_id},
            {"after_minutes": 20, "person_email": owner.email},
        ],
    )
    return key


def incident(
    d: Draft,
    of: str,
    title: str,
    *,
    severity: str = "sev3",
    status: str = "acknowledged",
    summary: str = "",
    reference: str | None = None,
    assignee: Person = COLLEAGUES[0],
    responders: tuple[Person, ...] = (),
    created: datetime,
    resolved: datetime | None = None,
) -> str:
    """Plant an incident; gives its id."""
    key = d.key("inc")
    d.plant(
        "incidents_incident",
        id=key,
        service_id=of,
        title=title,
        summary=summary,
        severity=severity,
        status=status,
        reference=reference,
        assignee_email=assignee.email,
        responder_emails=[person.email for person in responders],
        created_by=assignee.email,
        created_at=created,
        acknowledged_at=None if status == "triggered" else created + timedelta(minutes=6),
        resolved_at=resolved,
    )
    return key


def find_incident(d: Draft, reference: Template) -> Seen:
    """The incidents with a reference, the newest first."""
    return d.call("incidents", "list_incidents", reference=reference)


class IncidentsNote(Note):
    """What the summary of a small incident says that is over."""

    service = "incidents"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        created = d.ago(days_ago, 9, d.rng.randint(1, 50))
        over = min(created + timedelta(hours=4), d.start - timedelta(minutes=5))
        holder_ = by if by in COLLEAGUES else LUIS
        incident(
            d,
            DESK,
            title,
            severity="sev4",
            status="resolved",
            summary=text,
            assignee=holder_,
            created=created,
            resolved=over,
        )

    def find(self, d: Draft, word: Template) -> Passage:
        return Passage(d.call("incidents", "list_incidents", query=word), "data.items.0.summary")

    def where(self, d: Draft) -> str:
        return d.either(
            "in the summaries of old incidents",
            "among the summaries of closed incidents",
            "in the summaries of small incidents that were closed",
        )


class IncidentsEntry(Entry):
    """A new incident of the lowest severity at the shipping desk."""

    service = "incidents"
    dated = False

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        words = with_day(words, day)
        desk = d.call("incidents", "list_services", query="Shipping desk")
        made = d.act(
            goal,
            "incidents",
            "create_incident",
            service_id=desk.at("data.items.0.id"),
            title=title,
            severity="sev4",
            summary=words,
        )
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        return d.either(
            "a sev4 incident at the Shipping desk",
            "a small incident (sev4) at the Shipping desk",
            "a sev4 on the Shipping desk",
        )

    def reference(self, d: Draft) -> str:
        return "the incident's id"


NOTE = IncidentsNote()
ENTRY = IncidentsEntry()
