"""The wiki's standard initial state; the pages are in ``seed_pages.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.kit import Entity, Person, Seed
from services.docs import state
from services.docs.state import Comment, Member, Page, PagePermission, PageVersion, Space

_SPACES = (
    ("handbook", "HND", "Company handbook", "How we work: policies for everybody.", "open"),
    ("finance", "FIN", "Finance", "Who decides about money; rates and billing procedures.", "open"),
    ("operations", "OPS", "Operations", "Deliveries, stock, carriers, incidents.", "open"),
    ("support", "SUP", "Support", "How we answer customers.", "open"),
    ("sales", "SAL", "Sales", "Quotes, renewals, reviews.", "private"),
    ("engineering", "ENG", "Engineering", "Runbooks.", "private"),
    ("people", "PPL", "People team", "Confidential.", "private"),
)

_MEMBERS = {
    "HND": {"ruth.abernathy": "admin", "mara.lindqvist": "editor", "elena.sorokina": "editor"},
    "FIN": {
        "elena.sorokina": "admin",
        "dario.bianchi": "editor",
        "mara.lindqvist": "editor",
        "tobias.okafor": "editor",
    },
    "OPS": {"mara.lindqvist": "admin", "hana.takeda": "editor", "amara.diallo": "editor", "kenji.watanabe": "viewer"},
    "SUP": {"hana.takeda": "admin", "luis.herrera": "editor", "amara.diallo": "editor"},
    "SAL": {
        "tobias.okafor": "admin",
        "priya.raman": "editor",
        "jonah.whitfield": "editor",
        "mara.lindqvist": "viewer",
        "elena.sorokina": "viewer",
    },
    "ENG": {"nils.bergstrom": "admin", "sofia.almeida": "editor", "kenji.watanabe": "editor"},
    "PPL": {"ruth.abernathy": "admin"},
}

_PERMISSIONS = (
    ("approvals", "elena.sorokina", "edit"),
    ("approvals", "dario.bianchi", "edit"),
    ("approvals", "mara.lindqvist", "view"),
    ("margins", "priya.raman", "view"),
    ("margins", "jonah.whitfield", "view"),
)

_COMMENTS = (
    ("refunds", "hana.takeda", -20, "Does the limit count for each order or for each customer and month?", None),
    ("refunds", "elena.sorokina", -19, "For each order.", "elena.sorokina"),
    (
        "discounts",
        "priya.raman",
        -8,
        "Juniper Lane asks for 10 % and two years. I take it that both of you sign.",
        None,
    ),
    ("overdue", "dario.bianchi", -6, "Fernhill got a corrected copy of INV-2029, so their due date is new.", None),
    ("travel", "jonah.whitfield", -25, "Is the rate for Perth the same as for the United States?", "ruth.abernathy"),
    ("offsite", "hana.takeda", -3, "The Old Boathouse has steps; please think of Amara's knee.", None),
    ("offsite", "elena.sorokina", -2, "3,200.00 GBP is the ceiling, I cannot raise it.", None),
    ("notify", "kenji.watanabe", -4, "Done for the outage of 26 February, except the written report.", None),
    ("customerstart", "priya.raman", -2, "Name badges: Noor Haddad asks who comes and who has dietary wishes.", None),
    ("gp778", "luis.herrera", -2, "Photos are in the ticket; standing water on the load floor.", None),
    ("contact", "mara.lindqvist", -3, "Beatrice Nolan confirmed it in writing on Friday.", "dario.bianchi"),
    ("cobalt", "tobias.okafor", -5, "Table by site, please, not one number.", None),
    ("aprons", "oscar.delacroix", -1, "Logo placement: bib, 9 cm wide.", None),
    ("slanotes", "luis.herrera", -15, "Is Halcyon silver from the kickoff on?", "hana.takeda"),
    ("margins", "priya.raman", -12, "The smock is missing.", None),
)


def rows(seed: Seed) -> Iterator[Entity]:
    """People, spaces, pages with their history, restrictions and comments."""
    people = {person.handle: person for person in seed.colleagues}
    for person in seed.colleagues:
        yield state.Person(email=person.email, name=person.name, team=person.team)
    ids: dict[str, str] = {}
    for place, (key, code, name, description, visibility) in enumerate(_SPACES):
        ids[code] = f"spc_{key}"
        yield Space(
            id=ids[code],
            code=code,
            name=name,
            description=description,
            visibility=visibility,
            created_at=seed.at(-720 + place * 3, 10),
        )
        for handle, role in _MEMBERS[code].items():
            yield Member(space_id=ids[code], email=people[handle].email, name=people[handle].name, role=role)
    yield from _pages(seed, people, ids)


def _pages(seed: Seed, people: dict[str, Person], spaces: dict[str, str]) -> Iterator[Entity]:
    clock = seed.random("times")
    blocks = Path(__file__).with_name("seed_pages.txt").read_text(encoding="utf-8").strip().split("\n\n")
    keys = {block.removeprefix("# ").split(" | ")[0]: f"doc_{number:04d}" for number, block in enumerate(blocks, 1)}
    limited = {key for key, _, _ in _PERMISSIONS}
    for block in blocks:
        head, _, rest = block.removeprefix("# ").partition("\n")
        key, space, parent, status, owner, created, updated, labels, title = head.split(" | ")
        body, *earlier = rest.split("\n@ ")
        status, _, successor = status.partition(":")
        history = [_earlier(text) for text in earlier]
        minute = clock.randrange(60)
        page = Page(
            id=keys[key],
            space_id=spaces[space],
            parent_id=None if parent == "-" else keys[parent],
            title=title,
            body=body.strip(),
            status=status,
            version=len(history) + 1,
            labels=labels.split(","),
            restricted=key in limited,
            owner_name=people[owner].name,
            owner_email=people[owner].email,
            superseded_by_id=keys[successor] if successor else None,
            created_at=seed.at(int(created), 9, minute),
            updated_at=seed.at(int(updated), 15, minute),
            published_at=None if status == "draft" else seed.at(int(created), 16, minute),
        )
        yield page
        history.append(
            (int(updated) if history else int(created), owner, "Revised" if history else "Created", page.body)
        )
        for number, (day, author, note, text) in enumerate(history, 1):
            yield PageVersion(
                page_id=page.id,
                number=number,
                title=title,
                body=text,
                author_name=people[author].name,
                author_email=people[author].email,
                note=note,
                created_at=seed.at(day, 9 if number == 1 else 15, minute),
            )
    for key, handle, level in _PERMISSIONS:
        person = people[handle]
        yield PagePermission(page_id=keys[key], email=person.email, name=person.name, level=level)
    for number, (key, handle, day, text, solver) in enumerate(_COMMENTS, 1):
        yield Comment(
            id=f"cmt_{number:04d}",
            page_id=keys[key],
            author_name=people[handle].name,
            author_email=people[handle].email,
            body=text,
            resolved=solver is not None,
            resolved_by_email=people[solver].email if solver else None,
            created_at=seed.at(day, clock.randint(9, 16), clock.randrange(60)),
        )


def _earlier(text: str) -> tuple[int, str, str, str]:
    head, _, body = text.partition("\n")
    day, author, note = head.split(" ", 2)
    return int(day), author, note, body.strip()
