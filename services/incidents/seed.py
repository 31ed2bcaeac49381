"""Incidents and schedules as they stand when a story starts; their content is in ``seed_data.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from engine.kit import Entity, Person, Seed
from services.incidents.state import (
    ActionItem,
    Incident,
    Override,
    Postmortem,
    Schedule,
    Service,
    StatusUpdate,
    Teammate,
    TimelineEntry,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    data = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
    return _Desk(seed, data).rows()


class _Desk:
    """Makes the rows; colleagues go by their first names in the data."""

    def __init__(self, seed: Seed, data: dict[str, Any]) -> None:
        self.seed = seed
        self.data = data
        self.people: dict[str, Person] = {item.handle.split(".")[0]: item for item in seed.colleagues}
        self.seconds = seed.random("seconds")
        self.incidents: list[Incident] = []
        self.timeline: list[TimelineEntry] = []
        self.updates: list[StatusUpdate] = []

    def rows(self) -> Iterator[Entity]:
        for person in self.seed.colleagues:
            yield Teammate(email=person.email, name=person.name, team=person.team, phone=person.phone)
        yield from self._schedules()
        for name, title, description, team, owner, tier, steps in self.data["services"]:
            yield Service(
                id=f"svc_{name}",
                name=title,
                description=description,
                team=team,
                owner_email=self._email(owner),
                tier=tier,
                escalation_steps=[self._step(minutes, who) for minutes, who in steps],
            )
        for number, row in enumerate(self.data["incidents"], 1):
            self._incident(number, row)
        yield from self.incidents
        yield from self.timeline
        yield from self.updates
        yield from self._learned()

    def _email(self, first_name: str) -> str:
        return self.people[first_name].email

    def _step(self, minutes: int, who: str) -> dict[str, Any]:
        name, is_schedule = who.removeprefix("@"), who.startswith("@")
        target = {"schedule_id": f"sch_{name}"} if is_schedule else {"person_email": self._email(name)}
        return {"after_minutes": minutes} | target

    def _schedules(self) -> Iterator[Entity]:
        for name, title, description, rotation, days, start, manager in self.data["schedules"]:
            yield Schedule(
                id=f"sch_{name}",
                name=title,
                description=description,
                rotation=[self._email(item) for item in rotation.split()],
                shift_days=days,
                starts_at=self.seed.at(start, 0),
                manager_email=self._email(manager),
            )
        for number, row in enumerate(self.data["overrides"], 1):
            schedule, person, first, start, last, end, reason, author = row
            yield Override(
                id=f"ovr_{number:04d}",
                schedule_id=f"sch_{schedule}",
                person_email=self._email(person),
                starts_at=self.seed.at(first, start),
                ends_at=self.seed.at(last, end),
                reason=reason,
                created_by=self._email(author),
            )

    def _incident(self, number: int, row: list[Any]) -> None:
        service, title, summary, severity, status, reference, holder, helpers, day, hour, minute, times, notes, said = (
            row
        )
        created = self.seed.at(day, hour, minute) + timedelta(seconds=self.seconds.randint(0, 59))
        moments = [None if item is None else created + timedelta(minutes=item) for item in times]
        incident = Incident(
            id=f"inc_{number:04d}",
            service_id=f"svc_{service}",
            title=title,
            summary=summary,
            severity=severity,
            status=status,
            reference=reference,
            assignee_email=self._email(holder),
            responder_emails=[self._email(item) for item in helpers.split()],
            created_by=self._email(holder),
            created_at=created,
            acknowledged_at=moments[0],
            mitigated_at=moments[1],
            resolved_at=moments[2],
        )
        self.incidents.append(incident)
        lines = [(created, "status", holder, f"Triggered; called {incident.assignee_email}.")]
        before = "triggered"
        for moment, state in zip(moments, ("acknowledged", "mitigated", "resolved"), strict=True):
            if moment is not None:
                lines.append((moment, "status", holder, f"{before} became {state}."))
                before = state
        lines += [(created + timedelta(minutes=after), "note", who, text) for who, after, text in notes]
        for state, after, message in said:
            moment = created + timedelta(minutes=after)
            lines.append((moment, "status_update", holder, f"Status page: {state}. {message}"))
            self.updates.append(
                StatusUpdate(
                    id=f"upd_{len(self.updates) + 1:04d}",
                    incident_id=incident.id,
                    state=state,
                    message=message,
                    author_email=incident.assignee_email,
                    created_at=moment,
                )
            )
        self._lines(incident, sorted(lines, key=lambda line: line[0]))

    def _lines(self, incident: Incident, lines: list[tuple[datetime, str, str, str]]) -> None:
        for place, (moment, kind, who, text) in enumerate(lines, 1):
            self.timeline.append(
                TimelineEntry(
                    id=f"tle_{incident.id[4:]}_{place:02d}",
                    incident_id=incident.id,
                    number=place,
                    kind=kind,
                    text=text,
                    author_name=self.people[who].name,
                    author_email=self.people[who].email,
                    created_at=moment,
                )
            )

    def _learned(self) -> Iterator[Entity]:
        for number, (place, summary, cause, owner, day) in enumerate(self.data["postmortems"], 1):
            yield Postmortem(
                id=f"pmo_{number:04d}",
                incident_id=self.incidents[place].id,
                summary=summary,
                root_cause=cause,
                owner_email=self._email(owner),
                created_at=self.seed.at(day, 15),
            )
        for number, (place, title, owner, due, status, done) in enumerate(self.data["action_items"], 1):
            yield ActionItem(
                id=f"act_{number:04d}",
                postmortem_id=f"pmo_{place + 1:04d}",
                title=title,
                owner_email=self._email(owner),
                due_on=self.seed.at(due).date(),
                status=status,
                created_at=self.seed.at(self.data["postmortems"][place][4], 16),
                done_at=None if done is None else self.seed.at(done, 12),
            )
