"""Contacts as a place of scenarios: companies, people and deals, and notes on companies that hold texts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from engine.kit.cast import HOME_COMPANY, HOME_DOMAIN, Person
from tasks.authoring.draft import Draft
from tasks.authoring.terms import Passage, Template
from tasks.places.base import Entry, Note, with_day

_OURS = "cmp_larkspur"
_COUNTRIES = {"EUR": "NL", "GBP": "GB", "USD": "US", "CAD": "CA", "AUD": "AU"}


def member(person: Person | str) -> str:
    """The id of a colleague's membership, by person or first name; whoever has none leaves it to Mara."""
    name = person if isinstance(person, str) else person.handle.partition(".")[0]
    return f"mem_{'mara' if name in ('sofia', 'kenji') else name}"


def company(
    d: Draft,
    name: str,
    *,
    owner: str = "mara",
    currency: str = "EUR",
    tier: str = "none",
    tags: tuple[str, ...] = (),
    industry: str = "retail",
    city: str = "",
    domain: str | None = "",
    lifecycle: str = "customer",
    key: str | None = None,
) -> str:
    """Plant a company; its domain is its name unless another, or none, is given. Gives the id."""
    key = key or d.key("cmp")
    d.plant(
        "contacts_company",
        id=key,
        name=name,
        domain=name.lower().replace(" ", "").replace("&", "") + ".example" if domain == "" else domain,
        industry=industry,
        city=city,
        country=_COUNTRIES[currency],
        currency=currency,
        tier=tier,
        lifecycle=lifecycle,
        owner_id=member(owner),
        tags=sorted(tags),
        created_at=d.ago(150, 11),
        updated_at=d.ago(20, 11),
    )
    return key


def person(
    d: Draft,
    who: Person,
    company_id: str | None,
    *,
    owner: str = "mara",
    title: str = "",
    tags: tuple[str, ...] = (),
    role: str | None = None,
) -> str:
    """Plant somebody at a company, perhaps with a contact role; gives the id."""
    key = d.key("per")
    d.plant(
        "contacts_person",
        id=key,
        name=who.name,
        email=who.email,
        phone=who.phone,
        title=title or who.title,
        company_id=company_id,
        owner_id=member(owner),
        tags=sorted(tags),
        created_at=d.ago(120, 13),
        updated_at=d.ago(15, 13),
    )
    if role is not None:
        d.plant("contacts_contact_role", company_id=company_id, person_id=key, role=role, since=d.on(-100))
    return key


def deal(
    d: Draft,
    name: str,
    company_id: str,
    amount: Decimal,
    *,
    close: date,
    person_id: str | None = None,
    owner: str = "priya",
    stage: str = "proposal",
    currency: str = "EUR",
    next_step: str = "",
    probability: int | None = None,
) -> str:
    """Plant an open deal; gives the id.

    Args:
        probability: in percent; the stage's where none is given.
    """
    key = d.key("deal")
    d.plant(
        "contacts_deal",
        id=key,
        name=name,
        company_id=company_id,
        person_id=person_id,
        owner_id=member(owner),
        stage_id=stage,
        amount=amount,
        currency=currency,
        probability=probability,
        close_date=close,
        next_step=next_step,
        created_at=d.ago(40, 10),
        updated_at=d.ago(6, 10),
    )
    d.plant(
        "contacts_stage_change",
        id=d.key("chg"),
        deal_id=key,
        from_id=None,
        to_id=stage,
        changed_by=member(owner),
        changed_at=d.ago(40, 10),
    )
    return key


def remark(d: Draft, company_id: str, body: str, by: Person, days_ago: int) -> None:
    """Plant a note on a company."""
    d.plant(
        "contacts_note",
        id=d.key("note"),
        body=body,
        company_id=company_id,
        author_id=member(by),
        created_at=d.ago(days_ago, 9, 12),
    )


def find_company(d: Draft, word: Template) -> Template:
    """Find a company by a part of its name, in one of two ways; gives the id."""
    if d.plan.seed % 2:
        return d.call("contacts", "search_records", query=word, kinds=["company"]).at("data.companies.0.id")
    return d.call("contacts", "list_companies", query=word).at("data.items.0.id")


def _ours(d: Draft) -> str:
    """Plant our own company once, whose record holds the notes for everybody; gives the id."""
    if d.once("contacts/own"):
        company(d, HOME_COMPANY, domain=HOME_DOMAIN, lifecycle="partner", currency="USD", key=_OURS)
    return _OURS


class ContactsNote(Note):
    """Notes on our own company's record."""

    service = "contacts"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        remark(d, _ours(d), f"{title}. {text}" if title else text, by, days_ago)

    def find(self, d: Draft, word: Template) -> Passage:
        return Passage(d.call("contacts", "list_notes", query=word), "data.items.0.body")

    def where(self, d: Draft) -> str:
        return d.either(
            "in the notes on our own company in Contacts",
            "among the notes on our own company in Contacts",
            "in Contacts among the notes on our own company",
        )


class ContactsEntry(Entry):
    """Notes on our own company's record."""

    service = "contacts"
    dated = False

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        _ours(d)
        words = with_day(words, day)
        ours = d.call("contacts", "list_companies", query=HOME_COMPANY)
        body = {"$text": "{title}: {words}", "title": title, "words": words}
        made = d.act(goal, "contacts", "add_note", kind="company", record_id=ours.at("data.items.0.id"), body=body)
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        return d.either("a note on our own company's record in Contacts", "a note on our own company in Contacts")

    def reference(self, d: Draft) -> str:
        return d.either("the id of the note", "the note's id")


NOTE = ContactsNote()
ENTRY = ContactsEntry()
