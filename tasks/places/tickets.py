"""The help desk: tickets of a scenario with right due times; a ticket or an internal note as a note; a new ticket."""

from __future__ import annotations

from datetime import date, datetime
from itertools import count
from typing import TYPE_CHECKING

from engine.kit.cast import COLLEAGUES, COMPANIES, CONTACTS, Person
from services.tickets.seed import HOLIDAYS, POLICIES
from services.tickets.sla import DEFAULT_TIER, set_due_times
from services.tickets.state import SlaPolicy, Ticket
from tasks.authoring.terms import Passage, Seen, Template, text
from tasks.places.base import Entry, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

_PRIORITIES = ("urgent", "high", "normal", "low")
_REQUESTERS = {person.name for person in CONTACTS} | {"Ruth Abernathy", "Oscar Delacroix"}
_TIERS = {company.name: company.tier for company in COMPANIES}

CARE = "grp_care"
"""Customer Care, which Mara leads."""


def slug(words: str) -> str:
    """The part of a seed key that stands for a name."""
    return "_".join("".join(char if char.isalnum() else " " for char in words.lower()).split())


def agent(person: Person) -> str:
    """The id of a colleague at the desk."""
    return f"agt_{slug(person.name)}"


def organization(company: str) -> str:
    """The id of one of the cast's companies."""
    return f"org_{slug(company)}"


def requester(d: Draft, person: Person) -> str:
    """The id of somebody who asks for help; whoever the desk does not know is planted."""
    if person.name in _REQUESTERS:
        return f"req_{slug(person.name)}"
    key = f"req_{slug(person.email)}"
    if d.once(key):
        d.plant("tickets_requester", id=key, name=person.name, email=person.email, phone=person.phone)
    return key


def planted_organization(d: Draft, name: str, tier: str) -> str:
    """Plant a customer company; gives the id."""
    key = d.key("org")
    d.plant("tickets_organization", id=key, name=name, domain=f"{slug(name).replace('_', '')}.example", tier=tier)
    return key


def planted_agent(d: Draft, person: Person, group: str) -> str:
    """Plant somebody who answers tickets of a group; gives the id."""
    key = d.key("agt")
    d.plant("tickets_agent", id=key, name=person.name, email=person.email)
    d.plant("tickets_group_membership", group_id=group, agent_id=key)
    return key


def ticket(
    d: Draft,
    who: Person,
    subject: str,
    description: str,
    *,
    created: datetime,
    group: str = CARE,
    holder: str | None = None,
    kind: str = "question",
    priority: str = "normal",
    status: str = "open",
    source: str = "email",
    reference: str | None = None,
    tags: tuple[str, ...] = (),
    solved: datetime | None = None,
    company: tuple[str, str] | None = None,
) -> str:
    """Plant a ticket with the due times that its customer's tier promises; gives the id.

    Args:
        holder: the id of the agent who has it.
        company: id and tier of the organisation it is for, where the requester's own is not known to the desk.
    """
    if company is None and who.company in _TIERS:
        company = organization(who.company), _TIERS[who.company]
    closed = solved if status == "closed" else None
    row = Ticket(
        # Numbered on from the seed data, so that it sorts before whatever a branch makes.
        id=next(key for key in map("tkt_{:04d}".format, count(41)) if d.once(key)),
        subject=subject,
        description=description,
        kind=kind,
        status=status,
        priority=priority,
        source=source,
        reference=reference,
        requester_id=requester(d, who),
        organization_id=company[0] if company else None,
        group_id=group,
        assignee_id=holder,
        tags=sorted(tags),
        created_at=created,
        updated_at=solved or created,
        first_response_due_at=created,
        resolution_due_at=created,
        resolution_started_at=created,
        solved_at=solved,
        closed_at=closed,
    )
    tier = company[1] if company else DEFAULT_TIER
    response, resolution = POLICIES[tier][_PRIORITIES.index(priority)]
    policy = SlaPolicy(tier=tier, priority=priority, response_minutes=response, resolution_minutes=resolution)
    set_due_times(row, policy, {day for day, _ in HOLIDAYS})
    d.plant("tickets_ticket", **row.values())
    d.plant(
        "tickets_audit_event",
        id=d.key("aud"),
        ticket_id=row.id,
        number=1,
        actor_name=who.name,
        actor_email=who.email,
        action="created",
        new_value=subject,
        at=created,
    )
    return row.id


def caused(d: Draft, ticket_id: str, problem_id: str) -> None:
    """Plant the link of an incident with the problem behind it."""
    d.plant("tickets_ticket_link", from_id=ticket_id, to_id=problem_id, kind="incident_of", created_at=d.ago(1, 17))


def comment(d: Draft, ticket_id: str, by: Person, body: str, *, at: datetime, inside: bool = True) -> None:
    """Plant an internal note by a colleague or, not ``inside``, what the requester wrote."""
    d.plant(
        "tickets_comment",
        id=d.key("cmt"),
        ticket_id=ticket_id,
        author_kind="agent" if inside else "requester",
        author_name=by.name,
        author_email=by.email,
        visibility="internal" if inside else "public",
        body=body,
        created_at=at,
    )


def find(d: Draft, word: Template) -> Seen:
    """The tickets in which a word occurs, the newest first."""
    return d.call("tickets", "search_tickets", query=word)


def read(d: Draft, ticket_id: Template) -> Seen:
    """One ticket in full."""
    return d.call("tickets", "get_ticket", ticket_id=ticket_id)


class TicketsNote(Note):
    """A text in the help desk: the text of a ticket itself, or a remark under it, by the draft's seed."""

    service = "tickets"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        """Plant a ticket that says it."""
        created = d.ago(days_ago, 8, d.rng.randint(1, 50))
        under = _under(d)
        opening = d.rng.choice(
            ("For the record, see below.", "Kept here so that everybody finds it.", "See the remark.")
        )
        source = "agent" if by in COLLEAGUES else "email"
        key = ticket(d, by, title, opening if under else text, created=created, kind="task", source=source)
        if under:
            comment(d, key, by, text, at=created, inside=by in COLLEAGUES)

    def find(self, d: Draft, word: Template) -> Passage:
        """Search the tickets and read the newest in which the word occurs."""
        first = find(d, word).at("data.items.0.id")
        if _under(d):
            return Passage(d.call("tickets", "list_comments", ticket_id=first), "data.items.0.body")
        return Passage(read(d, first), "data.description")

    def where(self, d: Draft) -> str:
        """Where it is, for the instruction."""
        return d.either(
            "among the tickets of the help desk", "among the help desk tickets", "in the help desk's tickets"
        )


def _under(d: Draft) -> bool:
    return d.plan.seed % 2 == 1


class TicketsEntry(Entry):
    """A new ticket in the user's own name as a dated record."""

    service = "tickets"
    dated = False

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        """Open a ticket in the queue of Shipping & Returns, with the day in its text; gives its id."""
        requester(d, d.user)
        who = d.call("tickets", "list_requesters", email=d.user.email)
        groups = d.call("tickets", "list_groups")
        opened = d.act(
            goal,
            "tickets",
            "create_ticket",
            requester_id=who.at("data.items.0.id"),
            group_id=groups.at("data.items.[name=Shipping & Returns].id"),
            subject=title,
            description=words if day is None else text("{said} By {day}.", said=words, day=day),
        )
        return opened.at("data.id")

    def what(self, d: Draft) -> str:
        """What is added, for the instruction."""
        return d.either(
            "a ticket in my name for Shipping & Returns", "a help desk ticket in my name for Shipping & Returns"
        )

    def reference(self, d: Draft) -> str:
        """What people call its number."""
        return d.either("the ticket's id", "the id of that ticket")


NOTE = TicketsNote()
ENTRY = TicketsEntry()
