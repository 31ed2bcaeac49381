"""The storage's standard initial state; the files are in ``seed_files.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.kit import HOME_COMPANY, Entity, Person, Seed
from services.files import state
from services.files.state import Comment, Item, Link, Share, Version

QUOTA = 32_000_000
"""Bytes that the user may store; colleagues have more."""

_SHARES = (
    ("ops", "hana.takeda", "editor"),
    ("ops", "amara.diallo", "editor"),
    ("gp778", "luis.herrera", "editor"),
    ("gp778", "talia.brooks", "commenter"),
    ("notes", "elena.sorokina", "viewer"),
    ("customers", "priya.raman", "editor"),
    ("halcyon", "noor.haddad", "viewer"),
    ("halcyon", "hana.takeda", "editor"),
    ("kestrel", "kenji.watanabe", "editor"),
    ("offsite", "mara.lindqvist", "editor"),
    ("finance", "mara.lindqvist", "editor"),
    ("finance", "dario.bianchi", "editor"),
    ("decks", "mara.lindqvist", "viewer"),
    ("decks", "jonah.whitfield", "editor"),
    ("templates", "mara.lindqvist", "commenter"),
    ("templates", "luis.herrera", "editor"),
    ("brand", "mara.lindqvist", "viewer"),
    ("brand", "jonah.whitfield", "editor"),
    ("report", "imogen.clarke", "viewer"),
)

_LINKS = (
    ("gp778", "viewer", 12, "mara.lindqvist", -3),
    ("sites", "viewer", 3, "mara.lindqvist", -1),
    ("report", "commenter", None, "mara.lindqvist", -2),
    ("agenda", "editor", -1, "priya.raman", -9),
    ("inv2029", "viewer", 30, "dario.bianchi", -8),
    ("logo", "viewer", None, "oscar.delacroix", -100),
)

_COMMENTS = (
    ("gpcount", "talia.brooks", -2, "Carton 3 is damp inside as well, both jackets in it cannot be sold."),
    ("gpcount", "luis.herrera", -2, "Corrected: 14 of 60."),
    ("dn3", "elena.sorokina", -3, "Without a signature we cannot insist on these 30 pairs."),
    ("dn3", "amara.diallo", -3, "I have asked the driver; he remembers dock 2."),
    ("report", "hana.takeda", -1, "I check Port Hedland on Monday."),
    ("agenda", "hana.takeda", -3, "Fifteen minutes for support hours, please."),
    ("venues", "elena.sorokina", -2, "With 14 people lunch makes the difference."),
    ("sorry", "luis.herrera", -12, "Shall we name the 14 days in the first answer?"),
    ("close", "dario.bianchi", -1, "Rates are in the wiki."),
)

_STARRED = ("gp778", "agenda", "close")
_TRASHED = {"oldfilm": -15, "oldnotes": -22}


def rows(seed: Seed) -> Iterator[Entity]:
    """People, items with versions, shares, links and comments."""
    cast = {person.handle: person for person in (*seed.colleagues, *seed.contacts)}
    for person in cast.values():
        guest = person.company != HOME_COMPANY
        quota = 0 if guest else QUOTA if person.email == seed.user.email else 10 * QUOTA
        yield state.Person(email=person.email, name=person.name, company=person.company, guest=guest, quota_bytes=quota)
    blocks = Path(__file__).with_name("seed_files.txt").read_text(encoding="utf-8").strip().split("\n\n")
    ids = {block[2:].split(" | ")[0]: f"itm_{number:04d}" for number, block in enumerate(blocks, 1)}
    for block in blocks:
        yield from _item(seed, cast, ids, block)
    for key, handle, role in _SHARES:
        person = cast[handle]
        yield Share(item_id=ids[key], email=person.email, name=person.name, role=role, created_at=seed.at(-2, 10))
    clock = seed.random("links")
    for number, (key, role, ends, handle, day) in enumerate(_LINKS, 1):
        yield Link(
            id=f"lnk_{number:04d}",
            item_id=ids[key],
            url=f"https://files.larkspur.example/s/{clock.getrandbits(48):012x}",
            role=role,
            expires_at=None if ends is None else seed.at(ends, 17),
            created_by_email=cast[handle].email,
            created_at=seed.at(day, 11),
        )
    for number, (key, handle, day, text) in enumerate(_COMMENTS, 1):
        yield Comment(
            id=f"cmt_{number:04d}",
            item_id=ids[key],
            author_name=cast[handle].name,
            author_email=cast[handle].email,
            body=text,
            created_at=seed.at(day, 12, number),
        )


def _item(seed: Seed, cast: dict[str, Person], ids: dict[str, str], block: str) -> Iterator[Entity]:
    head, _, rest = block[2:].partition("\n")
    key, kind, parent, owner, day, size, name, description = head.split(" | ")
    content, *older = rest.split("\n@ ")
    texts = [_older(text) for text in older] + [(int(day), owner, "Revised" if older else "Created", content)]
    trashed = key in _TRASHED
    folder = kind == "folder"
    yield Item(
        id=ids[key],
        kind="folder" if folder else "file",
        parent_id=None if parent == "-" else ids[parent],
        name=name,
        description=description,
        media_type=None if folder else kind,
        content=content,
        size_bytes=int(size) or len(content.encode()),
        version=0 if folder else len(texts),
        starred=key in _STARRED,
        owner_name=cast[owner].name,
        owner_email=cast[owner].email,
        trashed=trashed,
        trashed_at=seed.at(_TRASHED[key], 14) if trashed else None,
        trash_root=ids[key] if trashed else None,
        created_at=seed.at(texts[0][0], 10),
        updated_at=seed.at(int(day), 10),
    )
    for number, (at, author, note, text) in enumerate([] if folder else texts, 1):
        yield Version(
            item_id=ids[key],
            number=number,
            content=text,
            size_bytes=int(size) or len(text.encode()),
            author_name=cast[author].name,
            author_email=cast[author].email,
            note=note,
            created_at=seed.at(at, 10),
        )


def _older(text: str) -> tuple[int, str, str, str]:
    head, _, content = text.partition("\n")
    day, author, note = head.split(" ", 2)
    return int(day), author, note, content
