"""The help desk as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from engine.kit import Entity, Person, Seed
from services.tickets.seed_cases import Case, Step, cases
from services.tickets.sla import DEFAULT_TIER, PAUSING, set_due_times
from services.tickets.state import (
    Agent,
    AgentGroup,
    AuditEvent,
    Comment,
    GroupMembership,
    Holiday,
    Macro,
    Organization,
    Requester,
    Satisfaction,
    SlaPolicy,
    Ticket,
    TicketLink,
    View,
)

GROUPS = (
    ("care", "Customer Care", "First contact for every customer", "hana mara", "luis amara"),
    ("shipping", "Shipping & Returns", "Carriers, damages, returns", "mara", "luis amara"),
    ("billing", "Billing Desk", "Invoices, payments, disputes", "elena", "dario mara"),
    ("technical", "Technical Support", "Storefront, feeds, devices", "nils", "sofia kenji"),
    ("accounts", "Account Management", "Quotes and renewals", "tobias", "priya jonah"),
)
POLICIES = {
    "gold": ((60, 240), (120, 480), (240, 960), (480, 2400)),
    "silver": ((120, 480), (240, 960), (480, 1440), (960, 2880)),
    "bronze": ((240, 960), (480, 1440), (960, 2400), (1440, 4800)),
}
HOLIDAYS = (
    (date(2026, 1, 1), "New Year's Day"),
    (date(2026, 4, 3), "Good Friday"),
    (date(2026, 4, 6), "Easter Monday"),
    (date(2026, 5, 1), "Labour Day"),
)
MACROS: tuple[dict[str, Any], ...] = (
    {
        "name": "Ask for photos",
        "description": "Damaged goods: photos before anything else",
        "set_status": "pending",
        "reply": "Dear {{requester.first_name}}, please send us photos of the damage for "
        "{{ticket.reference}}, with the carton's label. {{agent.name}}",
        "add_tags": ["awaiting-photos"],
    },
    {
        "name": "Late delivery",
        "description": "Cut-off time and apology",
        "reply": "Dear {{requester.name}}, orders after 15:00 UTC leave on the next working day. "
        "I am sorry that {{ticket.reference}} is late, and will tell you when it moves. {{agent.name}}",
        "add_tags": ["late"],
    },
    {
        "name": "Outage over",
        "description": "Tell those concerned that stock numbers are right again",
        "reply": "Dear {{requester.first_name}}, the fault in our stock numbers is repaired since "
        "26 February, 15:45 UTC. What you see now is right. {{agent.name}}",
        "set_status": "solved",
        "add_tags": ["outage-answered"],
    },
    {
        "name": "Dispute received",
        "description": "First answer to a disputed invoice",
        "set_priority": "high",
        "reply": "Dear {{requester.name}}, we check your objection to {{ticket.reference}}. "
        "No reminder goes out until then. {{agent.name}}",
        "add_tags": ["dispute"],
    },
    {
        "name": "Wait for the carrier",
        "description": "Internal: the carrier has the next step",
        "reply": "Carrier asked about {{ticket.reference}}.",
        "visibility": "internal",
        "set_status": "on_hold",
    },
    {
        "name": "Holiday greeting",
        "description": "December only",
        "active": False,
        "reply": "Dear {{requester.name}}, we are back on 2 January.",
    },
)
VIEWS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("My unsolved tickets", {"assignee": "me", "status": ["open", "pending", "on_hold"]}),
    ("Unassigned", {"assignee": "none", "status": ["open"]}),
    ("Overdue", {"overdue": True}),
    ("Gone urgent", {"priority": ["urgent"], "status": ["open", "pending", "on_hold"]}),
    ("Shipping queue", {"group_id": "grp_shipping", "status": ["open", "on_hold"]}),
    ("Stock feed outage", {"tag": "stock-sync"}),
)
LINKS = (
    ("tkt_0006", "tkt_0005", "incident_of"),
    ("tkt_0007", "tkt_0005", "incident_of"),
    ("tkt_0010", "tkt_0005", "incident_of"),
    ("tkt_0019", "tkt_0020", "related"),
    ("tkt_0001", "tkt_0030", "related"),
)


def _slug(text: str) -> str:
    return "_".join("".join(char if char.isalnum() else " " for char in text.lower()).split())


def _short(person: Person) -> str:
    return person.handle.split(".")[0]


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    desk = _Desk(seed)
    yield from desk.organizations.values()
    yield from desk.requesters.values()
    yield from desk.agents.values()
    for name, title, description, *_ in GROUPS:
        yield AgentGroup(id=f"grp_{name}", name=title, description=description)
    for name, _, _, leads, others in GROUPS:
        for role, members in (("lead", leads), ("agent", others)):
            for short in members.split():
                yield GroupMembership(group_id=f"grp_{name}", agent_id=desk.agents[short].id, role=role)
    yield from desk.policies.values()
    for day, name in HOLIDAYS:
        yield Holiday(day=day, name=name)
    told = cases()
    yield from (desk.ticket(case) for case in told)
    for case in told:
        yield from desk.follow_up(case)
    for first, second, kind in LINKS:
        yield TicketLink(from_id=first, to_id=second, kind=kind, created_at=seed.at(-3, 17))
    for number, macro in enumerate(MACROS, start=1):
        yield Macro(id=f"mac_{number:02d}", **macro)
    for number, (name, filters) in enumerate(VIEWS, start=1):
        yield View(id=f"viw_{number:02d}", name=name, filters=filters, created_at=seed.at(-200 + number))


class _Desk:
    """The people of the desk, by first name, and what they make of a case."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.random = seed.random("moments")
        self.comments = 0
        self.organizations = {
            item.name: Organization(id=f"org_{_slug(item.name)}", name=item.name, domain=item.domain, tier=item.tier)
            for item in seed.companies
        }
        insiders = [item for item in seed.colleagues if _short(item) in ("ruth", "oscar")]
        self.requesters = {
            _short(item): Requester(
                id=f"req_{_slug(item.name)}",
                name=item.name,
                email=item.email,
                phone=item.phone,
                organization_id=self.organizations[item.company].id if item.company in self.organizations else None,
            )
            for item in (*seed.contacts, *insiders)
        }
        self.agents = {
            _short(item): Agent(
                id=f"agt_{_slug(item.name)}",
                name=item.name,
                email=item.email,
                status="absent" if _short(item) == "sofia" else "active",
            )
            for item in seed.colleagues
            if item not in insiders
        }
        self.policies = {
            (tier, priority): SlaPolicy(
                tier=tier, priority=priority, response_minutes=response, resolution_minutes=resolution
            )
            for tier, times in POLICIES.items()
            for priority, (response, resolution) in zip(("urgent", "high", "normal", "low"), times, strict=True)
        }

    def at(self, day: int, clock: str) -> datetime:
        hour, minute = map(int, clock.split(":"))
        return self.seed.at(day, hour, minute)

    def ticket(self, case: Case) -> Ticket:
        ticket_id, status, priority, kind, group, holder, who, source, reference, created, tags = case.header
        day, clock = created.split()
        start = self.at(int(day), clock)
        requester = self.requesters[who]
        moments = [self.at(step.day, step.clock) for step in case.steps]
        first = [moment for step, moment in zip(case.steps, moments, strict=True) if step.mark == ">"]
        ends = {step.word: self.at(step.day, step.clock) for step in case.steps if step.mark == "="}
        ticket = Ticket(
            id=ticket_id,
            subject=case.subject,
            description=case.description,
            kind=kind,
            status=status,
            priority=priority,
            source=source,
            reference=None if reference == "-" else reference,
            requester_id=requester.id,
            organization_id=requester.organization_id,
            group_id=f"grp_{group}",
            assignee_id=None if holder == "-" else self.agents[holder].id,
            tags=[] if tags == "-" else sorted(tags.split(",")),
            created_at=start,
            updated_at=max([start, *moments]),
            first_response_due_at=start,
            first_responded_at=min(first, default=None),
            resolution_due_at=start,
            resolution_started_at=start,
            paused_since=max(moments) if status in PAUSING else None,
            solved_at=ends.get("solved"),
            closed_at=ends.get("closed"),
        )
        tiers = {item.id: item.tier for item in self.organizations.values()}
        tier = tiers.get(requester.organization_id or "", DEFAULT_TIER)
        set_due_times(ticket, self.policies[tier, priority], {day for day, _ in HOLIDAYS})
        return ticket

    def follow_up(self, case: Case) -> Iterator[Entity]:
        """Comments, rating and trail of a case."""
        requester = self.requesters[case.header[6]]
        day, clock = case.header[9].split()
        created = self.at(int(day), clock)
        trail: list[tuple[datetime, Any, str, str | None, str | None]] = [
            (created, requester, "created", None, case.subject)
        ]
        holder = None if case.header[5] == "-" else self.agents[case.header[5]]
        if holder is not None:
            taken = min([created + timedelta(minutes=self.random.randint(2, 12)), *self._moments(case)])
            trail.append((taken, holder, "assignee_id", None, holder.id))
        state = "open"
        for step in case.steps:
            moment = self.at(step.day, step.clock)
            if step.mark == "*":
                yield Satisfaction(ticket_id=case.header[0], score=step.word, comment=step.text, rated_at=moment)
                trail.append((moment, holder, "satisfaction", None, step.word))
            elif step.mark == "=":
                trail.append((moment, holder, "status", state, step.word))
                state = step.word
            else:
                comment = self._comment(case, step, moment, requester)
                action = "internal_note" if comment.visibility == "internal" else "public_reply"
                author = requester if step.mark == "<" else self.agents[step.word]
                trail.append((moment, author, action, None, comment.id))
                yield comment
        if case.header[1] in PAUSING:
            trail.append((max(self._moments(case)), holder, "status", state, case.header[1]))
        yield from self._trail(case.header[0], trail)

    def _moments(self, case: Case) -> list[datetime]:
        return [self.at(step.day, step.clock) for step in case.steps]

    def _comment(self, case: Case, step: Step, moment: datetime, requester: Requester) -> Comment:
        self.comments += 1
        author = requester if step.mark == "<" else self.agents[step.word]
        return Comment(
            id=f"cmt_{self.comments:04d}",
            ticket_id=case.header[0],
            author_kind="requester" if step.mark == "<" else "agent",
            author_name=author.name,
            author_email=author.email,
            visibility="internal" if step.mark == "!" else "public",
            body=step.text,
            created_at=moment,
        )

    def _trail(
        self, ticket_id: str, trail: list[tuple[datetime, Any, str, str | None, str | None]]
    ) -> Iterator[Entity]:
        trail.sort(key=lambda item: item[0])
        for number, (moment, actor, action, old, new) in enumerate(trail, start=1):
            yield AuditEvent(
                id=f"aud_{ticket_id[4:]}_{number:02d}",
                ticket_id=ticket_id,
                number=number,
                actor_name=actor.name,
                actor_email=actor.email,
                action=action,
                old_value=old,
                new_value=new,
                at=moment,
            )
