"""The boards' standard initial state; the cards are in ``seed_cards.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from engine.kit import Entity, Person, Seed
from services.boards import state
from services.boards.state import Blocker, Card, ChecklistItem, Column, Comment, Member, Milestone, Project

_PROJECTS = (
    ("ops", "OPS", "Operations", "What operations have in hand this spring.", None),
    ("hal", "HAL", "Halcyon onboarding", "Kickoff on 2026-03-05, first order two weeks later.", "Halcyon Clinics"),
    ("off", "OFF", "Team offsite", "16 April 2026.", None),
    ("web", "WEB", "Storefront", "Shop, stock feed and order gateway.", None),
    ("mkt", "MKT", "Campaigns", "Spring catalogue.", None),
)

_MEMBERS = {
    "ops": {"mara.lindqvist": "lead", "hana.takeda": "member", "amara.diallo": "member", "elena.sorokina": "viewer"},
    "hal": {
        "priya.raman": "lead",
        "mara.lindqvist": "member",
        "hana.takeda": "member",
        "amara.diallo": "member",
        "dario.bianchi": "member",
    },
    "off": {"ruth.abernathy": "lead", "mara.lindqvist": "lead", "hana.takeda": "viewer"},
    "web": {
        "nils.bergstrom": "lead",
        "sofia.almeida": "member",
        "kenji.watanabe": "member",
        "mara.lindqvist": "viewer",
    },
    "mkt": {"oscar.delacroix": "lead"},
}

_THREE = (("To do", "todo", None), ("In progress", "doing", 3), ("Done", "done", None))
_COLUMNS: dict[str, tuple[tuple[str, str, int | None], ...]] = {
    "ops": (("To do", "todo", None), ("In progress", "doing", 3), ("Waiting", "doing", 2), ("Done", "done", None)),
    "hal": _THREE,
    "off": _THREE,
    "web": (("Ready", "todo", 5), ("Building", "doing", 2), ("Review", "doing", 2), ("Released", "done", None)),
    "mkt": _THREE,
}

_MILESTONES = {
    "review": ("ops", "Before the Cobalt Ridge review", 8, "open"),
    "count": ("ops", "Stock count", 5, "open"),
    "winter": ("ops", "Winter sale returns", -20, "closed"),
    "kickoff": ("hal", "Kickoff", 3, "open"),
    "first": ("hal", "First order", 17, "open"),
    "booked": ("off", "Venue and coach booked", 18, "open"),
    "day": ("off", "The day itself", 45, "open"),
    "feed": ("web", "Stock feed without surprises", 120, "open"),
}

_MADE = {
    "Answer Brightwater on INV-2041": -4,
    "Book a carrier slot for IB-0457": -7,
    "New tariff codes for scrubs": -3,
    "Replace the wet jackets of GP-778": -4,
    "Delivery figures for Cobalt Ridge": -6,
    "Claim against Coastline Freight": -3,
    "Papers for the two pallets of CR-1190": -14,
    "Customs papers for HC-0088": -4,
    "Book the coach": -2,
    "Show a notice when the stock feed is old": -3,
    "Review Kestrel's report on 26 February": -3,
    "Tax on the returns page for Canada": -11,
}
"""The days on which the story makes these cards; those of the others are drawn."""

_BLOCKERS = (
    ("First order proposal", "Kickoff agenda and slides"),
    ("Fitting days", "First order proposal"),
    ("Book the coach", "Choose the venue"),
    ("Order lunch", "Choose the venue"),
    ("Order lunch", "Collect diets"),
    ("New tariff codes for scrubs", "Customs papers for HC-0088"),
    ("Show a notice when the stock feed is old", "Review Kestrel's report on 26 February"),
    ("New feed version", "Show a notice when the stock feed is old"),
)


def rows(seed: Seed) -> Iterator[Entity]:
    """People, projects with members, columns and milestones, cards with all that belongs to them."""
    people = {person.handle: person for person in seed.colleagues}
    for person in seed.colleagues:
        yield state.Person(email=person.email, name=person.name, team=person.team)
    board = _Board(seed, people)
    cards = list(board.cards())
    for place, (key, code, name, description, company) in enumerate(_PROJECTS):
        yield Project(
            id=f"prj_{key}",
            code=code,
            name=name,
            description=description,
            company=company,
            last_number=board.numbers[key],
            created_at=seed.at(-120 + 9 * place, 10),
        )
        for handle, role in _MEMBERS[key].items():
            person = people[handle]
            yield Member(project_id=f"prj_{key}", email=person.email, name=person.name, role=role)
        for position, (title, kind, limit) in enumerate(_COLUMNS[key], 1):
            yield Column(
                id=f"col_{key}_{position}",
                project_id=f"prj_{key}",
                name=title,
                kind=kind,
                position=position,
                wip_limit=limit,
            )
    for key, (project, name, day, status) in _MILESTONES.items():
        yield Milestone(
            id=f"mil_{key}",
            project_id=f"prj_{project}",
            name=name,
            due_date=seed.at(day).date(),
            status=status,
            created_at=seed.at(-40, 11),
        )
    yield from cards
    for waiting, first in _BLOCKERS:
        yield Blocker(card_id=board.ids[waiting], blocked_by_id=board.ids[first])


class _Board:
    """Reads the cards and numbers them within their projects."""

    def __init__(self, seed: Seed, people: dict[str, Person]) -> None:
        self.seed = seed
        self.people = people
        self.clock = seed.random("cards")
        self.numbers: dict[str, int] = {}
        self.ids: dict[str, str] = {}
        self.steps = 0
        self.comments = 0

    def cards(self) -> Iterator[Entity]:
        """Cards, each followed by its steps and comments."""
        text = Path(__file__).with_name("seed_cards.txt").read_text(encoding="utf-8")
        for block in text.strip().split("\n\n")[1:]:
            head, *lines = block.splitlines()
            project, column = head.removeprefix("## ").split()
            card: Card | None = None
            position = 0
            for line in lines:
                if line[:2] not in ("- ", "+ ", "> "):
                    position += 1
                    card = self._card(project, int(column), position, line)
                    yield card
                elif card is not None:
                    yield self._comment(card, line[2:]) if line[0] == ">" else self._step(card, line)

    def _card(self, project: str, column: int, position: int, line: str) -> Card:
        title, who, day, priority, labels, milestone, description = line.split(" | ")
        number = self.numbers[project] = self.numbers.get(project, 0) + 1
        self.ids[title] = f"crd_{len(self.ids) + 1:04d}"
        due = None if day == "-" else self.seed.at(int(day)).date()
        done = _COLUMNS[project][column - 1][1] == "done"
        drawn = min(int(day) if day != "-" else 0, 0) - self.clock.randint(5, 20)
        made = self.seed.at(_MADE.get(title, drawn), self.clock.randint(8, 17))
        changed = made + timedelta(days=self.clock.randint(0, 4), minutes=self.clock.randint(1, 200))
        changed = min(changed, self.seed.at(-1, 20))
        lead = next(self.people[handle] for handle in _MEMBERS[project])
        holder = None if who == "-" else self.people[who]
        self.steps = 0
        return Card(
            id=self.ids[title],
            code=f"{project.upper()}-{number}",
            number=number,
            project_id=f"prj_{project}",
            column_id=f"col_{project}_{column}",
            position=position,
            title=title,
            description=description,
            priority=priority,
            assignee_name=holder.name if holder else None,
            assignee_email=holder.email if holder else None,
            due_date=due,
            labels=[] if labels == "-" else labels.split(","),
            milestone_id=None if milestone == "-" else f"mil_{milestone}",
            created_by_email=lead.email,
            created_at=made,
            updated_at=changed,
            completed_at=changed if done else None,
        )

    def _step(self, card: Card, line: str) -> ChecklistItem:
        self.steps += 1
        return ChecklistItem(
            id=f"chk_{card.id.removeprefix('crd_')}_{self.steps}",
            card_id=card.id,
            position=self.steps,
            text=line[2:],
            done=line[0] == "+",
        )

    def _comment(self, card: Card, text: str) -> Comment:
        head, _, body = text.partition(": ")
        day, handle = head.split()
        self.comments += 1
        return Comment(
            id=f"cmt_{self.comments:04d}",
            card_id=card.id,
            author_name=self.people[handle].name,
            author_email=self.people[handle].email,
            body=body,
            created_at=self.seed.at(int(day), 11, self.comments),
        )
