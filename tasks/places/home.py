"""The home: devices with their readings and alerts, upkeep with visits; a task's notes as a note, a new one."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.kit.cast import Person
from tasks.authoring.terms import Passage, Seen, Template, text
from tasks.places.base import Entry, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MARA, HENRIK, INGRID = "mem_mara", "mem_henrik", "mem_ingrid"
"""The grown-ups of the household."""


def device(d: Draft, name: str, *, kind: str = "plug", room: str = "Study", model: str = "") -> str:
    """Plant a device; gives its id."""
    key = d.key("dev")
    states: dict[str, dict[str, Any]] = {
        "plug": {"on": True},
        "sensor": {"reading": 1.0, "unit": "bar"},
        "appliance": {"on": False},
    }
    d.plant("home_device", id=key, name=name, kind=kind, room=room, model=model, changed_at=d.ago(2, 8), **states[kind])
    return key


def reading(d: Draft, device_id: str, day: date, kwh: float, price: str = "0.27") -> None:
    """Plant what a device used on a day."""
    cost = (Decimal(str(kwh)) * Decimal(price)).quantize(Decimal("0.01"))
    d.plant("home_energy_reading", id=d.key("nrg"), device_id=device_id, day=day, kwh=kwh, cost=cost)


def alert(d: Draft, device_id: str, message: str, *, severity: str = "warning", days_ago: int = 1) -> str:
    """Plant an open alert; gives its id."""
    key = d.key("alr")
    d.plant(
        "home_alert",
        id=key,
        device_id=device_id,
        severity=severity,
        message=message,
        raised_at=d.ago(days_ago, 6, d.rng.randint(1, 50)),
    )
    return key


def task(
    d: Draft,
    title: str,
    due: date,
    *,
    notes: str = "",
    company: str | None = None,
    at: datetime | None = None,
    assignee: str = MARA,
    status: str | None = None,
    repeat_days: int = 0,
) -> str:
    """Plant upkeep, with a visit where a company comes; gives its id."""
    key = d.key("tsk")
    d.plant(
        "home_task",
        id=key,
        title=title,
        notes=notes,
        status=status or ("scheduled" if at else "open"),
        due_on=due,
        assignee_id=assignee,
        visit_company=company,
        visit_at=at,
        repeat_days=repeat_days,
        done_at=d.at(due, 18) if status == "done" else None,
    )
    return key


def find_task(d: Draft, word: Template, status: str = "scheduled") -> Seen:
    """The upkeep in a state with a word in its title or notes, by due date."""
    return d.call("home", "list_tasks", query=word, status=status)


class HomeNote(Note):
    """What stands in the notes of upkeep that is done."""

    service = "home"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        signed = text if by == d.user else f"{text} ({by.name})"
        task(d, title, d.ago(days_ago).date(), notes=signed, assignee=HENRIK, status="done")

    def find(self, d: Draft, word: Template) -> Passage:
        return Passage(find_task(d, word, "done"), "data.items.-1.notes")

    def where(self, d: Draft) -> str:
        return d.either(
            "among the jobs that are done in the home app",
            "among the finished jobs in our home app",
            "in the notes of finished jobs in the home app",
        )


class HomeEntry(Entry):
    """A new job for the household."""

    service = "home"

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        made = d.act(
            goal,
            "home",
            "create_task",
            title=title,
            notes=words,
            due_on=text(d.on(7).isoformat()) if day is None else day,
        )
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        return d.either("a job in the home app", "a to-do in our home app", "a household job in the home app")

    def reference(self, d: Draft) -> str:
        return d.either("the id of the job", "the job's id")


NOTE = HomeNote()
ENTRY = HomeEntry()
